//! Chrominance at its own density (T.81 A.1.1: H and V of 1 beside a luminance of 2).

use shim::prelude::*;

/// Averages squares of two by two samples: `coarse`, `[ceil(rows / 2), coarse_columns]`, stands where `fine`,
/// `[rows, columns]`, does, coarsened by 2 on both axes. With f the samples of `fine`, which repeats its edges, and
/// c those of `coarse`,
///
/// ```text
/// c[y, x] = (f[2y, 2x] + f[2y, 2x + 1] + f[2y + 1, 2x] + f[2y + 1, 2x + 1] + 1 + (x mod 2)) >> 2
/// ```
///
/// A sum of four samples divided by four ends in one half as often as in one quarter; the term `x mod 2` rounds
/// halves down and up in turn, so that the plane as a whole becomes neither darker nor lighter. T.81 leaves the
/// filter to the encoder; this one is what libjpeg does.
///
/// # Panics
///
/// When a plane does not have the memory, or `fine` is empty and `coarse` is not.
#[shim::kernel(simd)]
pub fn downsample_2x2(fine: &[u8], rows: usize, columns: usize, coarse: &mut [u8], coarse_columns: usize) {
    let fine = Block::external(fine, [rows, columns]).boundary(Clamp).cast::<u16>();
    let c = Block::external(coarse, [rows.div_ceil(2), coarse_columns]).coarsened([2, 2]).cast::<u16>();
    for [y, x] in c.indices() {
        let f = fine.coverage([2 * y, 2 * x], c);
        c[[y, x]] = (f[[0, 0]] + f[[0, 1]] + f[[1, 0]] + f[[1, 1]] + 1 + (x & 1) as u16) >> 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn follows_the_formula_at_every_place() {
        for (rows, columns, coarse_columns) in
            [(6_usize, 10, 5), (5, 9, 5), (5, 9, 8), (1, 1, 8), (2, 3, 1), (16, 40, 24), (3, 5, 0)]
        {
            let fine: Vec<u8> = (0..rows * columns).map(|i| (i * 97 % 256) as u8).collect();
            let coarse_rows = rows.div_ceil(2);
            let mut coarse = vec![7; coarse_rows * coarse_columns + 3];
            downsample_2x2(&fine, rows, columns, &mut coarse, coarse_columns);
            let f = |y: usize, x: usize| u32::from(fine[y.min(rows - 1) * columns + x.min(columns - 1)]);
            for y in 0..coarse_rows {
                for x in 0..coarse_columns {
                    let sum =
                        f(2 * y, 2 * x) + f(2 * y, 2 * x + 1) + f(2 * y + 1, 2 * x) + f(2 * y + 1, 2 * x + 1);
                    let got = u32::from(coarse[y * coarse_columns + x]);
                    assert_eq!(got, (sum + 1 + x as u32 % 2) / 4, "{rows}x{columns} at {y}, {x}");
                }
            }
            assert_eq!(coarse[coarse_rows * coarse_columns..], [7; 3], "written outside the plane");
        }
    }

    #[test]
    fn a_flat_plane_stays_flat() {
        for v in [0, 1, 127, 128, 254, 255] {
            let mut coarse = [0; 16];
            downsample_2x2(&[v; 64], 8, 8, &mut coarse, 4);
            assert_eq!(coarse, [v; 16]);
        }
    }

    #[test]
    fn halves_are_rounded_down_and_up_in_turn() {
        let mut coarse = [0; 4];
        downsample_2x2(&[0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1], 2, 8, &mut coarse, 4);
        assert_eq!(coarse, [0, 1, 0, 1]);
    }
}
