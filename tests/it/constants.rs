//! Constants of other modules and crates that are static in kernels.

use shim::prelude::*;

mod scan {
    /// The places of the first coefficients in zigzag order.
    #[shim::constant]
    pub(crate) const ZIGZAG: [[usize; 2]; 6] = [[0, 0], [0, 1], [1, 0], [2, 0], [1, 1], [0, 2]];

    /// Numbers of several types, negative ones, a truth value, and lengths by arithmetic.
    #[shim::constant]
    pub(crate) const MIXED: ([i8; 2 + 1], bool, u64) = ([-1, 2 * -3, 7], 3 > 2, 1 << 40);

    #[shim::constant]
    pub(crate) const SIDE: usize = 1 << 2;

    #[shim::constant]
    pub(crate) const EMPTY: [u8; 0] = [];

    pub(crate) mod inner {
        pub(crate) use super::ZIGZAG as SCAN;
    }
}

/// The coefficients of a block in the order of a scan that another module declares.
#[shim::kernel]
fn scanned(#[shape(3, 3)] block: &[i16]) -> [i16; 6] {
    #[staged]
    use scan::ZIGZAG;
    let mut out = [0; 6];
    #[unroll]
    for k in 0..6 {
        out[k] = block[[ZIGZAG[k][0], ZIGZAG[k][1]]];
    }
    out
}

/// Several at once, by other names, in a block of their own; a static condition, a factor, and the extent of memory of
/// the stack.
#[shim::kernel]
fn several(#[shape(8)] line: &[i64], dynamic: usize) -> (i64, usize, i8) {
    #[staged]
    use self::scan::{EMPTY, MIXED, SIDE as N};
    let sums = Block::stack::<i64>([N]);
    let line = line.coarsen([N]);
    let mut total = 0;
    {
        #[staged]
        use crate::constants::scan::inner::SCAN;
        // Only a static factor can refine.
        let fine = line.refine([SCAN[3][0] * 2]);
        for i in 0..N {
            sums[[i]] = fine[[i]] * 2;
        }
    }
    let once = 1;
    if MIXED.1 {
        for i in 0..N {
            total += sums[[i]];
        }
    }
    (total + MIXED.2 as i64 * once, EMPTY.len(), MIXED.0[dynamic])
}

/// A template has constants of its own module, whoever calls it.
mod weights {
    use shim::prelude::*;

    #[shim::constant]
    const WEIGHTS: [i64; 3] = [1, 2, 1];

    #[shim::kernel]
    pub(crate) fn smoothed(line: impl Tensor<i64, 1>, at: usize) -> i64 {
        #[staged]
        use self::WEIGHTS;
        let mut sum = 0;
        #[unroll]
        for k in 0..3 {
            sum += WEIGHTS[k] * line[[at + k]];
        }
        sum
    }

    #[shim::kernel]
    pub(crate) fn every_other(line: impl Tensor<i64, 1>) -> impl Tensor<i64, 1> {
        #[staged]
        use crate::constants::scan::SIDE;
        line[[SIDE / 2..]].coarsen([SIDE / 2])
    }
}

#[shim::kernel]
fn of_templates(#[shape(9)] line: &[i64]) -> (i64, i64) {
    #[allow(dead_code)]
    const WEIGHTS: [i64; 3] = [100, 100, 100];
    let line = weights::every_other(line);
    (weights::smoothed(line, 0), line[[1]])
}

/// A constant of another crate, under the name of a constant that a block of its own has.
#[shim::kernel]
fn of_another_crate(#[shape(8)] line: &[i64]) -> (i64, i64) {
    const LANES: usize = 2;
    let own = line.refine([LANES]);
    #[staged]
    use shim_exported_templates::LANES as N;
    let other = line.refine([N]);
    (own[[5]], other[[5]])
}

struct Taken;

impl Taken {
    /// A method, and a constant beside a located struct.
    #[shim::kernel]
    fn method(&self, #[located] it: &Line) -> u8 {
        #[staged]
        use scan::SIDE;
        it.samples[[SIDE - 1]]
    }
}

#[shim::located]
struct Line {
    n: usize,
    #[shape(n)]
    samples: Vec<u8>,
}

#[test]
fn constants_of_other_modules_are_static() {
    assert_eq!(scanned(&[1, 2, 3, 4, 5, 6, 7, 8, 9]), [1, 2, 4, 7, 5, 3]);
    let line = [1, 2, 3, 4, 5, 6, 7, 8];
    assert_eq!(several(&line, 1), (8 + (1 << 40), 0, -6));
    assert_eq!(of_templates(&[0, 1, 2, 3, 4, 5, 6, 7, 8]), (2 + 8 + 6, 4));
    assert_eq!(of_another_crate(&line), (3, 2));
    assert_eq!(Taken.method(&Line { n: 4, samples: vec![1, 2, 3, 9] }), 9);
    assert_eq!(scan::ZIGZAG[5], [0, 2]);
    assert_eq!(scan::MIXED.0, [-1, -6, 7]);
}

/// Extents that are known when a kernel is expanded are static, as the numbers that they are.
#[shim::kernel]
fn extents(#[shape(h, 6)] a: &[u32], h: usize, out: &mut [u32; 8]) -> usize {
    let part = a[[2..5, ..]];
    let wide = part.extent(1);
    let halves = Block::stack::<u32>([part.extent(0), wide / 2]).stored(tile([3, part.extent(1) / 6]));
    #[unroll]
    for y in 0..part.extent(0) {
        for x in 0..3 {
            halves[[y, x]] = part[[y, 2 * x]] + part[[y, 2 * x + 1]];
        }
    }
    let out = Block::external(out, [8]);
    out[[0]] = halves[[2, 2]];
    out[[1]] = match part.extent(0) {
        3 => 33,
        _ => halves[[7, 7]],
    };
    {
        let part = halves;
        out[[2]] = part.extent(1) as u32;
    }
    // That of a kernel's argument is none.
    a.extent(0) + wide
}

#[test]
fn static_extents_are_constants() {
    let a: Vec<u32> = (0..42).collect();
    let mut out = [0; 8];
    assert_eq!(extents(&a, 7, &mut out), 13);
    assert_eq!(out[..3], [4 * 6 + 4 + 4 * 6 + 5, 33, 3]);
}
