//! The zigzag sequence (T.81 A.3.6 and Figure A.6).

use shim_core::{Block, Located};

/// The place, row and column, of the coefficient at an index of the sequence.
#[rustfmt::skip]
const ZIGZAG: [[isize; 2]; 64] = [
    [0, 0], [0, 1], [1, 0], [2, 0], [1, 1], [0, 2], [0, 3], [1, 2],
    [2, 1], [3, 0], [4, 0], [3, 1], [2, 2], [1, 3], [0, 4], [0, 5],
    [1, 4], [2, 3], [3, 2], [4, 1], [5, 0], [6, 0], [5, 1], [4, 2],
    [3, 3], [2, 4], [1, 5], [0, 6], [0, 7], [1, 6], [2, 5], [3, 4],
    [4, 3], [5, 2], [6, 1], [7, 0], [7, 1], [6, 2], [5, 3], [4, 4],
    [3, 5], [2, 6], [1, 7], [2, 7], [3, 6], [4, 5], [5, 4], [6, 3],
    [7, 2], [7, 3], [6, 4], [5, 5], [4, 6], [3, 7], [4, 7], [5, 6],
    [6, 5], [7, 4], [7, 5], [6, 6], [5, 7], [6, 7], [7, 6], [7, 7],
];

/// Lays a block of 8x8 out in the order of the sequence.
pub fn zigzag<T: Copy>(block: &Block<T, 2>, zz: &mut Block<T, 1>) {
    for ([k], place) in zz.indices().zip(ZIGZAG) {
        zz[[k]] = block[place];
    }
}

/// Takes a sequence back to a block of 8x8.
pub fn block<T: Copy>(zz: &Block<T, 1>, block: &mut Block<T, 2>) {
    for ([k], place) in zz.indices().zip(ZIGZAG) {
        block[place] = zz[[k]];
    }
}
