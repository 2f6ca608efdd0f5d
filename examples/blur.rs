//! A 3x3 box blur whose edges repeat: the boundary rule is said once, and the loops are split so that the interior
//! has no test.

use shim::prelude::*;

/// The mean of each pixel and its eight neighbors, with coordinates clamped to the picture.
#[shim::kernel]
pub fn blur(#[shape(h, w)] src: &[u8], h: usize, w: usize, #[shape(h, w)] dst: &mut [u8]) {
    let src = src.boundary(Clamp).cast::<i32>();
    let dst = dst.cast::<i32>();
    for [y, x] in dst.indices() {
        let mut sum = 0;
        #[unroll]
        for dy in -1..=1 {
            #[unroll]
            for dx in -1..=1 {
                sum += src[[y + dy, x + dx]];
            }
        }
        dst[[y, x]] = (sum + 4) / 9;
    }
}

fn main() {
    // One bright pixel near a corner and one in the corner itself.
    let (h, w) = (6, 10);
    let mut picture = vec![0; h * w];
    picture[2 * w + 5] = 90;
    picture[0] = 90;
    let mut blurred = vec![0; h * w];
    blur(&picture, h, w, &mut blurred);
    for row in blurred.chunks(w) {
        for v in row {
            print!("{v:4}");
        }
        println!();
    }

    // The corner pixel is read four times by itself, and by its neighbors once or twice.
    assert_eq!(blurred[..3], [40, 20, 0]);
    let mut small = [0; 4];
    blur(&[90, 0, 0, 0], 2, 2, &mut small);
    assert_eq!(small, [40, 20, 20, 10], "as the README says");
    assert_eq!(blurred[w..w + 3], [20, 10, 0]);
    assert_eq!(blurred[w + 4..w + 7], [10, 10, 10]);
    assert_eq!(blurred.iter().map(|&v| u32::from(v)).sum::<u32>(), 90 + 90);
}
