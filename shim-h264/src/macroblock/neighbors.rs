//! Macroblocks around one, and whether they are available (6.4.8 to 6.4.10).

use shim::prelude::*;

use crate::kernels::intra::Available;
use crate::kernels::picture::PictureRows;

/// The neighbors of a macroblock that are available to a slice (6.4.10): those that have its number. With
/// `constrained_intra_pred_flag` these are Intra macroblocks as well (8.3).
#[shim::kernel]
pub(crate) fn available(
    #[located] picture: &PictureRows<'_>,
    #[shape(16, 16)] macroblock: Place<2>,
    number: u16,
    constrained_intra_pred: bool,
) -> Available {
    let (slice, intra) = (picture.tables.slice[macroblock], picture.tables.intra[macroblock]);
    let there = slice.within(|p| slice[p] == number && (!constrained_intra_pred || intra[p]));
    Available {
        a: there.contains([0, -1]),
        b: there.contains([-1, 0]),
        c: there.contains([-1, 16]),
        d: there.contains([-1, -1]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::macroblock_at;
    use crate::kernels::picture::Picture;
    use crate::kernels::testing::Random;

    #[test]
    fn neighbors_are_available_in_the_picture_and_the_slice() {
        let mut random = Random::new(19);
        for [high, wide] in [[1, 1], [1, 3], [4, 1], [3, 4]] {
            let mut picture = Picture::new([high, wide]);
            for k in 0..20 {
                let tables = &mut picture.tables;
                tables.slice.fill_with(|| random.within(0, 2) as u16);
                tables.intra.fill_with(|| random.within(0, 1) == 0);
                let (tables, constrained) = (tables.clone(), k % 2 == 0);
                let rows = picture.rows(0..high);
                for row in 0..high {
                    for column in 0..wide {
                        let of = |y: isize, x: isize| {
                            let (y, x) = (row.checked_add_signed(y), column.checked_add_signed(x));
                            let (Some(y), Some(x)) = (y, x) else { return false };
                            let address = y * wide + x;
                            x < wide && tables.slice[address] == 1 && (!constrained || tables.intra[address])
                        };
                        let wanted = Available { a: of(0, -1), b: of(-1, 0), c: of(-1, 1), d: of(-1, -1) };
                        let found = available(&rows, macroblock_at([row, column]), 1, constrained);
                        assert_eq!(found, wanted, "row {row}, column {column} of {high}x{wide}");
                    }
                }
            }
        }
    }
}
