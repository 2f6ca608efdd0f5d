//! An image pyramid in one block: level l has half the rows and columns of the level before.

use shim::prelude::*;

/// Fills the levels behind the first one with the averages of 2x2 samples.
#[shim::kernel(simd)]
pub fn reduce(levels: &mut [u8]) {
    let levels = Block::external(levels, [4, |l| 48 >> l, |l| 64 >> l]);
    #[unroll]
    for l in 1..4 {
        let (fine, coarse) = (levels[[l - 1, .., ..]].cast::<u16>(), levels[[l, .., ..]].cast::<u16>());
        for [y, x] in coarse.indices() {
            let sum = fine[[2 * y, 2 * x]]
                + fine[[2 * y, 2 * x + 1]]
                + fine[[2 * y + 1, 2 * x]]
                + fine[[2 * y + 1, 2 * x + 1]];
            coarse[[y, x]] = (sum + 2) >> 2;
        }
    }
}

fn main() {
    let sides = [(48, 64), (24, 32), (12, 16), (6, 8)];
    let mut levels: Vec<u8> = (0..48 * 64).map(|at| (at / 64 + at % 64) as u8).collect();
    levels.resize(sides.iter().map(|(h, w)| h * w).sum(), 0);
    reduce(&mut levels);
    let mut level = &levels[..];
    for (h, w) in sides {
        println!("{h:2} x {w:2}: {:?} ..", &level[..6]);
        level = &level[h * w..];
    }
    // In a ramp each average is that of two neighbors, rounded to the nearest.
    assert_eq!(&levels[48 * 64..][..4], [1, 3, 5, 7]);
}
