//! Motion search: the place in an earlier frame that is most like a 16x16 macroblock of this one.

use shim::prelude::*;

/// The motion vector `[dy, dx]` of up to eight pixels with the least sum of absolute differences (SAD) for the
/// macroblock at (r, c), and that sum. The whole window must lie inside the earlier frame.
#[shim::kernel]
pub fn motion_search(current: &[u8], earlier: &[u8], stride: usize, r: usize, c: usize) -> ([i32; 2], i32) {
    let current = Block::external(current, [current.len() / stride, stride]).cast::<i32>();
    let earlier = Block::external(earlier, [earlier.len() / stride, stride]).cast::<i32>();
    let macroblock = current[[r..r + 16, c..c + 16]];
    let same_place = earlier[macroblock];
    const RANGE: i32 = 8;
    let mut best = ([0, 0], i32::MAX);
    for dy in -RANGE..=RANGE {
        for dx in -RANGE..=RANGE {
            let sad = macroblock
                .indices()
                .map(|[y, x]| (macroblock[[y, x]] - same_place[[y + dy, x + dx]]).abs())
                .sum::<i32>();
            if sad < best.1 {
                best = ([dy, dx], sad);
            }
        }
    }
    best
}

/// A picture that nothing repeats in.
fn texture(y: i32, x: i32) -> u8 {
    let mut v = (y as u32).wrapping_mul(0x9E37_79B1) ^ (x as u32).wrapping_mul(0x85EB_CA77);
    v ^= v >> 15;
    (v.wrapping_mul(0x2C1B_3C6D) >> 24) as u8
}

fn main() {
    let (h, w) = (64, 80);
    let moved = [5, -3];
    let picture =
        |dy: i32, dx: i32| -> Vec<u8> { (0..h * w).map(|i| texture(i / w + dy, i % w + dx)).collect() };
    let (vector, sad) = motion_search(&picture(moved[0], moved[1]), &picture(0, 0), w as usize, 24, 32);
    println!("the macroblock at (24, 32) came from {vector:?}, with a difference of {sad}");
    assert_eq!((vector, sad), (moved, 0));
}
