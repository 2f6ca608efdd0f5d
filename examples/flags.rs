//! One flag for each macroblock, asked for by pixels (figure 9.3 of the `SHiM` thesis).
//!
//! An encoder may predict a 4x4 block by the mode vertical-right only if its neighbors above, to the left and in
//! the corner between them were coded in intra mode before. The flag is kept once for 16x16 pixels; the question is
//! asked from a 4x4 block at any place. The table says where it stands, so no index is divided by 16 here.

use shim::prelude::*;

/// The flag of a macroblock coded in intra mode. What is not coded yet has the flag zero.
const INTRA: u8 = 1;

/// Goes through the macroblocks of an `h` by `w` frame in raster order, `intra` says how each is coded, and notes
/// for each 4x4 block whether it could have been predicted by vertical-right when its turn came.
#[shim::kernel]
pub fn vertical_right_allowed(intra: &[bool], h: usize, w: usize, allowed: &mut [bool]) {
    let modes = Block::heap::<u8>([h / 16, w / 16]).coarsened([16, 16]);
    let intra = Block::external(intra, [h / 16, w / 16]);
    let allowed = Block::external(allowed, [h / 4, w / 4]).coarsened([4, 4]);
    let used = modes.refine([16, 16]); // the same flags, by pixels
    for [mb_y, mb_x] in modes.indices() {
        if intra[[mb_y, mb_x]] {
            modes[[mb_y, mb_x]] = INTRA;
        }
        for y in 0..4 {
            for x in 0..4 {
                let r = 16 * mb_y + 4 * y;
                let c = 16 * mb_x + 4 * x;
                let near = used[[r..r + 4, c..c + 4]];
                allowed[[4 * mb_y + y, 4 * mb_x + x]] = near.contains([-1, -1])
                    && near[[-1, -1]] == INTRA
                    && near[[-1, 0]] == INTRA
                    && near[[0, -1]] == INTRA;
            }
        }
    }
}

fn main() {
    let (h, w) = (32, 48);
    // The middle macroblock of the first row is predicted from another picture.
    let intra = [true, false, true, true, true, true];
    let mut allowed = vec![false; (h / 4) * (w / 4)];
    vertical_right_allowed(&intra, h, w, &mut allowed);
    for row in allowed.chunks(w / 4) {
        println!("{}", row.iter().map(|&yes| if yes { " y" } else { " ." }).collect::<String>());
    }
    for (i, &found) in allowed.iter().enumerate() {
        let (y, x) = (i / (w / 4), i % (w / 4));
        let is_intra = |(y, x): (usize, usize)| intra[y / 4 * (w / 16) + x / 4];
        let wanted = y > 0 && x > 0 && [(y - 1, x - 1), (y - 1, x), (y, x - 1)].into_iter().all(is_intra);
        assert_eq!(found, wanted, "the 4x4 block {y}, {x}");
    }
}
