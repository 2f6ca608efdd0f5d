//! Chrominance at its own density (T.81 A.1.1: H and V of 1 beside a luminance of 2).

/// Averages squares of two by two samples: `coarse`, `[rows, columns]`, stands where `fine`,
/// `[2 * rows, 2 * columns]`, does, coarsened by 2 on both axes.
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
/// When either plane, of rows `fine_stride` and `coarse_stride` samples apart, does not hold its rectangle.
pub fn downsample_2x2(
    fine: &[u8],
    fine_stride: usize,
    coarse: &mut [u8],
    coarse_stride: usize,
    rows: usize,
    columns: usize,
) {
    assert!(2 * columns <= fine_stride && 2 * rows * fine_stride <= fine.len());
    assert!(columns <= coarse_stride && rows * coarse_stride <= coarse.len());
    for y in 0..rows {
        let (upper, _) = fine[2 * y * fine_stride..][..2 * columns].as_chunks::<2>();
        let (lower, _) = fine[(2 * y + 1) * fine_stride..][..2 * columns].as_chunks::<2>();
        let row = &mut coarse[y * coarse_stride..][..columns];
        for (x, (c, (&[a, b], &[d, e]))) in row.iter_mut().zip(upper.iter().zip(lower)).enumerate() {
            let sum = u16::from(a) + u16::from(b) + u16::from(d) + u16::from(e);
            *c = ((sum + 1 + (x & 1) as u16) >> 2) as u8;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn follows_the_formula_at_every_place() {
        let (rows, columns, fine_stride, coarse_stride) = (3, 5, 13, 7);
        let fine: Vec<u8> = (0..6 * fine_stride).map(|i| (i * 97 % 256) as u8).collect();
        let mut coarse = vec![7; rows * coarse_stride];
        downsample_2x2(&fine, fine_stride, &mut coarse, coarse_stride, rows, columns);
        let f = |y: usize, x: usize| u32::from(fine[y * fine_stride + x]);
        for y in 0..rows {
            for x in 0..coarse_stride {
                let got = u32::from(coarse[y * coarse_stride + x]);
                if x < columns {
                    let sum =
                        f(2 * y, 2 * x) + f(2 * y, 2 * x + 1) + f(2 * y + 1, 2 * x) + f(2 * y + 1, 2 * x + 1);
                    assert_eq!(got, (sum + 1 + x as u32 % 2) / 4);
                } else {
                    assert_eq!(got, 7, "written outside the plane");
                }
            }
        }
    }

    #[test]
    fn a_flat_plane_stays_flat() {
        for v in [0, 1, 127, 128, 254, 255] {
            let mut coarse = [0; 16];
            downsample_2x2(&[v; 64], 8, &mut coarse, 4, 4, 4);
            assert_eq!(coarse, [v; 16]);
        }
    }

    #[test]
    fn halves_are_rounded_down_and_up_in_turn() {
        let mut coarse = [0; 4];
        downsample_2x2(&[0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1], 8, &mut coarse, 4, 1, 4);
        assert_eq!(coarse, [0, 1, 0, 1]);
    }
}
