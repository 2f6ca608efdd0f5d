//! A crate of the strictest kind: kernels need no `unsafe` of its own and cause no warning, whatever they use.
#![forbid(unsafe_code)]
#![deny(
    warnings,
    unused,
    missing_docs,
    unreachable_pub,
    single_use_lifetimes,
    trivial_casts,
    trivial_numeric_casts
)]
#![deny(
    let_underscore_drop,
    unused_qualifications,
    unused_lifetimes,
    unused_results,
    variant_size_differences
)]
#![deny(clippy::all, clippy::pedantic, clippy::nursery)]
#![allow(clippy::missing_const_for_fn, clippy::redundant_pub_crate)]

/// What is imported for kernels alone is no unused import.
mod only_kernels {
    use shim::prelude::*;

    #[shim::kernel]
    pub(crate) fn only_a_view(t: View<'_, u8, 1>) -> u8 {
        t[[0]]
    }
}

/// The kernel uses nothing of the prelude but the attribute and its words.
mod only_words {
    use shim::prelude::*;

    #[shim::kernel(simd)]
    pub(crate) fn ones(#[shape(n)] t: &mut [u8], n: usize) {
        #[lanes(8)]
        for i in 0..n {
            t[[i]] = 1;
        }
    }
}

mod only_words_in_a_body {
    #[shim::kernel]
    pub(crate) fn ones(#[shape(n)] t: &mut [u8], n: usize) {
        use shim::prelude::*;
        for i in 0..n {
            t[[i]] = 1;
        }
    }
}

mod only_a_block {
    use shim::Block;

    #[shim::kernel]
    pub(crate) fn zeros(n: usize) -> i32 {
        let t = Block::heap::<i32>([n]);
        t.indices().map(|[i]| t[[i]]).sum::<i32>()
    }
}

mod only_iterators {
    use shim::prelude::iters;

    #[shim::kernel]
    pub(crate) fn copy(from: &[u8], to: &mut [u8]) {
        let from = shim::Block::external(from, [to.len()]);
        let to = shim::Block::external(to, [to.len()]);
        let [i] = iters();
        to[[i]] = from[[i]];
    }
}

mod only_rules {
    use shim::Block;
    use shim::Boundary::{self, Clamp, Fill, Mirror};

    #[shim::kernel]
    pub(crate) fn edges(t: &[i32; 3], at: isize) -> [i32; 4] {
        let t = Block::external(t, [3]);
        [
            t.boundary(Clamp)[[at]],
            t.boundary(Mirror)[[at]],
            t.boundary(Boundary::Wrap)[[at]],
            t.boundary(Fill(7))[[at]],
        ]
    }
}

mod templates {
    use shim::Block;
    use shim::Boundary::Clamp;
    use shim::prelude::{Tensor, iters};

    #[shim::kernel]
    pub(crate) fn first(v: impl Tensor<i32, 1>) -> i32 {
        v[[0]]
    }

    /// A template that nobody calls.
    #[shim::kernel]
    #[allow(dead_code)]
    fn unused(v: impl Tensor<i32, 1>, _n: usize) -> i32 {
        v[[1]]
    }

    #[shim::kernel]
    pub(crate) fn shifted<const BY: usize>(v: impl Tensor<i32, 1>) -> i32 {
        let offset = BY + 1;
        for [i] in v.indices() {
            v[[i]] += 1;
        }
        let own = Block::stack::<i32>([2]);
        let [k] = iters();
        own[[k]] = v.boundary(Clamp)[[k - 1]];
        first(v) + v[[offset]] + own[[1]] - own[[0]]
    }
}

mod everything {
    use super::templates::{first, shifted};
    use shim::prelude::*;

    /// Works on a picture.
    #[derive(Debug, Clone)]
    pub(crate) struct Picture {
        pub(crate) samples: Vec<i32>,
        pub(crate) width: usize,
    }

    impl Picture {
        /// Writes all samples, reads some.
        #[shim::kernel]
        pub(crate) fn work(&mut self, by: i32) -> Result<i32, String> {
            const TAPS: [i32; 3] = [1, 2, 1];
            let height = self.samples.len() / self.width;
            let t = Block::external(self.samples, [height, self.width]);
            let smooth = t.boundary(Clamp).cast::<i64>();
            let own = t.to_block().copied();
            let small = Block::stack::<i16>([2, 2]).at([1, 1]).coarsened([2, 2]);
            for [y, x] in own.indices() {
                let mut sum = 0;
                #[unroll]
                for k in 0..3 {
                    sum += i64::from(TAPS[k]) * smooth[[y, x + k - 1]];
                }
                own[[y, x]] = i32::try_from(sum).map_err(|error| error.to_string())?;
            }
            let [y, x] = iters();
            t[[y, x]] = own[[y, x]] / 4 + by;
            let unused_view = t.permute([1, 0]);
            let row = t.slice(0, 0);
            small[[0, 0]] = 3;
            'search: for [y, x] in t.indices() {
                if y > x {
                    continue 'search;
                }
                if t[[y, x]] == by {
                    break 'search;
                }
            }
            let best = t.indices().min_by_key(|&[y, x]| t[[y, x]]).ok_or("empty")?;
            let any = t.indices().any(|[y, x]| t[[y, x]] > 1000);
            debug_assert!(!any, "large");
            let _ = unused_view;
            Ok(first(row) + shifted::<0>(row) + best[0] + i32::from(small[[0, 0]]))
        }
    }

    #[shim::kernel(checks = "every")]
    pub(crate) fn checked(t: &mut [u8], n: usize) {
        let t = Block::external(t, [n]);
        for [i] in t.indices() {
            t[[i]] = t[[i]].wrapping_add(1);
        }
    }

    #[shim::kernel(simd)]
    pub(crate) fn fast(from: &[u8], to: &mut [u8], n: usize) -> u32 {
        let from = Block::external(from, [n]).cast::<u32>();
        let to = Block::external(to, [n]).cast::<u32>();
        let [i] = iters();
        to[[i]] = (from[[i]] * 3 + 1) >> 2;
        to.indices().map(|[i]| to[[i]]).sum::<u32>()
    }

    #[shim::kernel]
    pub(crate) fn parameters(#[shape(h, 2)] a: &mut Block<i32, 2>, b: ViewMut<'_, i32, 2>) -> usize {
        let [y, x] = iters();
        a[[y, x]] = b[[y, x]] + 1;
        b[[0, 0]] = 9;
        h
    }

    #[shim::kernel]
    pub(crate) extern "C" fn rows(t: &mut [&mut [f32]; 2]) -> f32 {
        let t = Block::external(t, [2, 2]);
        t[[0, 1]] *= 2.0;
        t[[0, 1]] + t[[1, 0]]
    }

    #[shim::kernel]
    pub(crate) fn generic<T, const N: usize>(t: &[T; N]) -> Option<T>
    where
        T: Copy + Ord,
    {
        let t = Block::external(t, [N]);
        t.indices().map(|[i]| t[[i]]).max()
    }
}

/// Located structs, nested ones, and their rows.
mod located {
    /// Numbers by block.
    #[shim::located(rows(h) as TotalRows)]
    #[derive(Clone, Debug)]
    pub(crate) struct Totals {
        h: usize,
        #[shape(h, 2)]
        luma: [Vec<u8>; 2],
    }

    /// A picture, whose rows are `count` and `shim` to nobody.
    #[shim::located(rows(count) as PictureRows, crate = ::shim)]
    #[derive(Clone, Debug)]
    pub(crate) struct Picture {
        count: usize,
        #[shape(4 * count)]
        shim: Vec<u8>,
        #[located]
        totals: Totals,
    }

    #[shim::kernel]
    pub(crate) fn change(#[located] picture: &mut PictureRows<'_>) {
        for [y] in picture.shim.indices() {
            picture.shim[[y]] += picture.totals.luma[0][[0, 1]];
        }
        picture.totals.luma[1][[0, 0]] = 7;
    }

    pub(crate) fn example() -> Vec<u8> {
        let totals = Totals { h: 2, luma: [vec![1, 2, 3, 4], vec![0; 4]] };
        let mut picture = Picture { count: 2, shim: vec![0; 8], totals };
        let mut rows = picture.rows(0..2);
        let (_, mut second) = rows.rows(0..2).split_at_row(1);
        change(&mut second);
        picture.shim.into_iter().chain(picture.totals.luma.concat()).collect()
    }
}

#[test]
fn strict_crates_have_kernels() {
    use shim::Block;

    assert_eq!(located::example(), [0, 0, 0, 0, 4, 4, 4, 4, 1, 2, 3, 4, 0, 0, 7, 0]);
    let block = Block::from_vec([1], vec![5u8]).expect("one");
    assert_eq!(only_kernels::only_a_view(block.view()), 5);
    for ones in [only_words::ones, only_words_in_a_body::ones] {
        let mut t = [0; 9];
        ones(&mut t, 9);
        assert_eq!(t, [1; 9]);
    }
    assert_eq!(only_a_block::zeros(4), 0);
    let mut to = [0; 3];
    only_iterators::copy(&[1, 2, 3], &mut to);
    assert_eq!(to, [1, 2, 3]);
    assert_eq!(only_rules::edges(&[1, 2, 3], -1), [1, 1, 3, 7]);
    let mut picture = everything::Picture { samples: (0..12).collect(), width: 4 };
    assert_eq!(picture.clone().work(5), picture.work(5));
    assert_eq!(picture.samples[5], 10);
    everything::checked(&mut to, 3);
    assert_eq!(to, [2, 3, 4]);
    let mut out = [0; 3];
    assert_eq!(everything::fast(&to, &mut out, 3), 1 + 2 + 3);
    let mut a = Block::<i32, 2>::new([2, 2]);
    let mut b = Block::<i32, 2>::filled([2, 2], 4);
    assert_eq!(everything::parameters(&mut a, b.view_mut()), 2);
    assert_eq!((a.as_slice(), b[[0, 0]]), (&[5; 4][..], 9));
    let (mut first, mut second) = ([1.0, 2.0], [3.0, 4.0]);
    assert!((everything::rows(&mut [&mut first, &mut second]) - 7.0).abs() < f32::EPSILON);
    assert_eq!(everything::generic(&["a", "c", "b"]), Some("c"));
}
