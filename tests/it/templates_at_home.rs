//! A path in a template means what it means where the template is written, in kernels of any module.

use shim::prelude::*;

/// Templates beside what they name.
mod filters {
    use shim::prelude::*;

    pub(crate) use self::weights::Weight;

    /// What a module beside the templates has.
    pub(crate) mod weights {
        #[derive(Clone, Copy)]
        pub(crate) enum Weight {
            Full,
            Half,
        }

        pub(crate) fn strong(value: i32) -> i32 {
            3 * value
        }
    }

    /// A number for each type of element.
    pub(crate) trait Scale: Copy {
        const UNIT: Self;

        fn scaled(self, by: u8) -> Self;
    }

    impl Scale for i32 {
        const UNIT: i32 = 10;

        fn scaled(self, by: u8) -> i32 {
            self * i32::from(by) + 1
        }
    }

    impl Scale for f32 {
        const UNIT: f32 = 0.5;

        fn scaled(self, by: u8) -> f32 {
            self * f32::from(by) + 0.25
        }
    }

    pub(crate) const BIAS: i32 = 100;
    pub(crate) static TABLE: [i32; 4] = [1, 2, 4, 8];

    pub(crate) fn level(value: i32) -> i32 {
        value - 1
    }

    /// Functions, constants, statics, types and modules.
    #[shim::kernel]
    pub(crate) fn weighted(v: impl Tensor<i32, 1>, weight: Weight) -> i32 {
        let mut sum = BIAS;
        for [i] in v.indices() {
            sum += match weight {
                Weight::Full => weights::strong(v[[i]]),
                Weight::Half => level(v[[i]]) * TABLE[i as usize % 4],
            };
        }
        [sum].map(level)[0]
    }

    /// Methods and constants of a trait that a bound names.
    #[shim::kernel]
    pub(crate) fn scaled<T: Scale>(v: impl Tensor<T, 1>) {
        for [i] in v.indices() {
            v[[i]] = v[[i]].scaled(3);
            if i == 0 {
                v[[i]] = T::UNIT;
            }
        }
    }

    /// A private template, in one that is called from elsewhere.
    #[shim::kernel]
    fn lowered(v: impl Tensor<i32, 1>) {
        for [i] in v.indices() {
            v[[i]] = level(v[[i]]);
        }
    }

    #[shim::kernel]
    pub(crate) fn both(v: impl Tensor<i32, 1>) -> i32 {
        lowered(v);
        weighted(v, Weight::Half)
    }

    /// Calls a template of another module, which names what is beside it.
    #[shim::kernel]
    pub(crate) fn passes_on(pass: impl Template, v: impl Tensor<i32, 1>) -> i32 {
        pass(v);
        level(v[[0]])
    }
}

/// Templates with names that mean something else in [`filters`].
mod others {
    use shim::prelude::*;

    pub(crate) const BIAS: i32 = 7;

    pub(crate) fn level(value: i32) -> i32 {
        value * BIAS
    }

    #[shim::kernel]
    pub(crate) fn raised(v: impl Tensor<i32, 1>) {
        for [i] in v.indices() {
            v[[i]] = level(v[[i]]) + BIAS;
        }
    }

    pub(crate) mod deep {
        pub(crate) use super::raised;
    }

    /// A private template that is passed to one of another module.
    #[shim::kernel]
    fn private(v: impl Tensor<i32, 1>) {
        v[[0]] = level(v[[0]]);
    }

    #[shim::kernel]
    pub(crate) fn through(v: &mut [i32; 3]) -> i32 {
        let v = Block::external(v, [3]);
        super::filters::passes_on(private, v)
    }
}

/// Locals and constants of the kernel have the names that templates use, and it imports none of these.
#[shim::kernel]
fn weigh(v: &[i32; 3], half: bool) -> i32 {
    const BIAS: i32 = -5;
    let level = v[0] + BIAS;
    let v = Block::external(v, [3]);
    let weights = level + 1;
    let weight = if half { filters::Weight::Half } else { filters::Weight::Full };
    filters::weighted(v, weight) + level - weights
}

#[shim::kernel]
fn scale(v: &mut [i32; 3], w: &mut [f32; 3]) {
    let (v, w) = (Block::external(v, [3]), Block::external(w, [3]));
    filters::scaled(v);
    filters::scaled(w);
}

#[shim::kernel]
fn nested<const BIAS: usize>(v: &mut [i32; BIAS]) -> i32 {
    use filters::both as renamed;
    let v = Block::external(v, [BIAS]);
    renamed(v)
}

#[shim::kernel]
fn passed(v: &mut [i32; 3]) -> i32 {
    let v = Block::external(v, [3]);
    filters::passes_on(others::deep::raised, v)
}

#[test]
fn names_are_those_of_the_template() {
    let v = [5, 6, 7];
    let full: i32 = v.iter().map(|value| 3 * value).sum();
    assert_eq!(weigh(&v, false), 100 + full - 1 - 1);
    assert_eq!(weigh(&v, true), 100 + 4 + 5 * 2 + 6 * 4 - 1 - 1);
    let (mut ints, mut floats) = (v, [1.0, 2.0, 3.0]);
    scale(&mut ints, &mut floats);
    assert_eq!((ints, floats), ([10, 19, 22], [0.5, 6.25, 9.25]));
    let mut lowered = v;
    assert_eq!(nested(&mut lowered), 100 + 3 + 4 * 2 + 5 * 4 - 1);
    assert_eq!(lowered, [4, 5, 6]);
    let mut raised = v;
    assert_eq!(passed(&mut raised), 5 * 7 + 7 - 1);
    assert_eq!(raised, [42, 49, 56]);
    let mut through = v;
    assert_eq!(others::through(&mut through), 5 * 7 - 1);
}
