//! Places, whole indices, predicates and generic templates: names and values that are other than they look.

//@ value
mod point_variables_beside_the_users {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8], p0: usize, p1: usize) -> u32 {
        let v = Block::external(v, [3, 3]).cast::<u32>();
        let mut sum = 0;
        for p in v.indices() {
            let p0_2 = 1;
            sum += v[p] * (p0 + p1 + p0_2) as u32 + v[[p0, p1]];
        }
        sum
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3, 4, 5, 6, 7, 8, 9], 1, 0)
    }

    pub fn want() -> u32 {
        45 * 2 + 9 * 4
    }
}

//@ reject
mod place_of_another_crate {
    use shim::prelude::*;

    mod own {
        #[derive(Clone, Copy)]
        pub struct Place<const N: usize>;

        impl<const N: usize> Place<N> {
            pub fn origin(self) -> [isize; N] {
                [1 << 40; N]
            }

            pub fn extents(self) -> [usize; N] {
                [8; N]
            }
        }
    }

    #[shim::kernel]
    fn kernel(v: &[u8], place: own::Place<1>) -> u32 {
        let v = Block::external(v, [8]).cast::<u32>();
        v[place][[0]]
    }

    pub fn run() -> u32 {
        kernel(&[1; 8], own::Place)
    }
}

//@ panic | value
mod place_far_away {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8], place: Place<2>) -> u32 {
        let v = Block::external(v, [2, 4]).coarsened([2, 2]).cast::<u32>();
        let seen = v[place.shifted([isize::MAX, 1])];
        seen[[1, 0]]
    }

    pub fn run() -> u32 {
        kernel(&[1; 8], Place::new([isize::MAX, isize::MIN], [1, usize::MAX >> 1]))
    }

    pub fn want() -> u32 {
        0
    }
}

//@ panic
mod extents_of_a_place_are_no_bounds {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8], place: Place<1>) -> u32 {
        let v = Block::external(v, [8]).cast::<u32>();
        let seen = v[place];
        let mut sum = 0;
        for [i] in seen.indices() {
            sum += seen[[i]];
        }
        sum
    }

    pub fn run() -> u32 {
        kernel(&[1; 8], Place::new([-3], [100]))
    }
}

//@ value
mod place_hidden_by_a_type {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8], place: Place<1>) -> u32 {
        let v = Block::external(v, [8]).cast::<u32>();
        struct Place;
        let _own = Place;
        v[place][[1]]
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3, 4, 5, 6, 7, 8], ::shim::Place::new([3], [2]))
    }

    pub fn want() -> u32 {
        5
    }
}

//@ value
mod predicate_that_changes_its_mind {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8], n: usize) -> u32 {
        let v = Block::external(v, [n]).cast::<u32>();
        let mut asked = 0;
        let some = v.within(|_| {
            asked += 1;
            asked % 2 == 1
        });
        let some = some.boundary(Fill(50));
        // The second read of each pair is told no.
        let mut sum = 0;
        for [i] in v.indices() {
            if some.contains([i]) {
                sum += some[[i]];
            }
        }
        sum
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3], 3)
    }

    pub fn want() -> u32 {
        150
    }
}

//@ value
mod predicate_is_that_of_its_definition {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8], wanted: u32) -> u32 {
        let v = Block::external(v, [4]).cast::<u32>();
        let some = v.within(|p| v[p] == wanted).boundary(Fill(9));
        let wanted = 3;
        let v = Block::stack::<u32>([4]);
        v[[0]] = wanted;
        some[[0]] * 100 + some[[2]] * 10 + v[[0]]
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3, 4], 1)
    }

    pub fn want() -> u32 {
        193
    }
}

//@ panic
mod predicate_reads_beyond_its_own_block {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8], mask: &[u8]) -> u32 {
        let v = Block::external(v, [8]).cast::<u32>();
        let mask = Block::external(mask, [4]);
        let some = v.within(|p| mask[p] == 0);
        some[[3]] + some[[7]]
    }

    pub fn run() -> u32 {
        kernel(&[1; 8], &[0; 4])
    }
}

//@ value | reject
mod element_type_hidden_by_an_alias {
    use shim::prelude::*;

    #[shim::kernel]
    fn largest<T>(t: impl Tensor<T, 1>) -> u32 {
        let most: T = t[[0]];
        let _ = most;
        T::MAX as u32
    }

    #[shim::kernel]
    fn kernel(v: &[u16]) -> u32 {
        let v = Block::external(v, [4]);
        {
            #[allow(non_camel_case_types)]
            type u16 = u8;
            let _own: u16 = 3;
            largest(v)
        }
    }

    pub fn run() -> u32 {
        kernel(&[1; 4])
    }

    pub fn want() -> u32 {
        65535
    }
}

//@ value | reject
mod element_type_beside_the_templates_own {
    use shim::prelude::*;

    #[derive(Clone, Copy)]
    pub struct Cell(pub u32);

    impl Cell {
        const WEIGHT: u32 = 7;
    }

    #[shim::kernel]
    fn weigh<T>(t: impl Tensor<T, 1>) -> u32 {
        struct Cell;
        impl Cell {
            const WEIGHT: u32 = 1000;
        }
        let _own = Cell::WEIGHT;
        let first: T = t[[0]];
        first.0 * T::WEIGHT
    }

    #[shim::kernel]
    fn kernel(v: &[Cell]) -> u32 {
        let v = Block::external(v, [2]);
        weigh(v)
    }

    pub fn run() -> u32 {
        kernel(&[Cell(3), Cell(4)])
    }

    pub fn want() -> u32 {
        21
    }
}

//@ reject
mod element_type_named_by_the_call {
    use shim::prelude::*;

    pub struct Weight;

    impl Weight {
        const WEIGHT: u32 = 7;
    }

    #[shim::kernel]
    fn weigh<T>(t: impl Tensor<u32, 1>) -> u32 {
        struct Weight;
        impl Weight {
            const WEIGHT: u32 = 1000;
        }
        let _own = Weight::WEIGHT;
        t[[0]] * T::WEIGHT
    }

    #[shim::kernel]
    fn kernel(v: &[u32]) -> u32 {
        let v = Block::external(v, [2]);
        weigh::<Weight>(v)
    }

    pub fn run() -> u32 {
        kernel(&[3, 4])
    }
}

//@ value
mod primitive_type_beside_a_glob {
    use shim::prelude::*;

    mod own {
        #[allow(non_camel_case_types)]
        pub type u16 = u8;
        pub const ZERO: u32 = 0;
    }

    #[shim::kernel]
    fn largest<T>(t: impl Tensor<T, 1>) -> u32 {
        use own::*;
        t[[0]] as u32 + T::MAX as u32 + ZERO
    }

    #[shim::kernel]
    fn kernel(v: &[u16]) -> u32 {
        let v = Block::external(v, [4]);
        largest(v)
    }

    pub fn run() -> u32 {
        kernel(&[1; 4])
    }

    pub fn want() -> u32 {
        65536
    }
}

//@ value | reject
mod rank_beside_a_constant {
    use shim::prelude::*;

    const N: usize = 40;

    #[shim::kernel]
    fn last<T, const N: usize>(t: impl Tensor<T, N>) -> T {
        let mut found = T::MIN;
        for p in t.indices() {
            if p[N - 1] == 1 {
                found = t[p];
            }
        }
        found
    }

    #[shim::kernel]
    fn kernel(v: &[u32]) -> u32 {
        let v = Block::external(v, [2, 2]);
        last(v) + N as u32
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3, 4])
    }

    pub fn want() -> u32 {
        44
    }
}
