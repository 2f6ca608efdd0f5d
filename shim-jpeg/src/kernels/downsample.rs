//! Components at their own density (T.81 A.1.1: H and V below the greatest of the frame).

use shim::prelude::*;

use super::element::Element;

/// Averages rectangles of `v` by `h` samples: `coarse` stands where `fine` does, coarsened by `[v, h]`; a template.
/// With f the samples of `fine`, which repeats its edges, c those of `coarse` and n = `v h`,
///
/// ```text
/// c[y, x] = floor((sum over i < v, j < h of f[v y + i, h x + j] + b) / n)
/// ```
///
/// where b is `floor(n / 2)`, and with 1 or 2 by 2, one less at even x. A sum of four samples divided by four ends
/// in one half as often as in one quarter: rounding halves down and up in turn makes the plane as a whole neither
/// darker nor lighter. T.81 leaves the filter to the encoder; these are what libjpeg does.
#[shim::kernel]
fn average<T>(fine: impl Tensor<T, 2>, coarse: impl Tensor<T, 2>, v: usize, h: usize) {
    use crate::kernels::element::Element;
    let n = (v * h) as u32;
    let alternate = h == 2 && v <= 2;
    for [y, x] in coarse.indices() {
        let mut sum = n / 2;
        if alternate {
            sum = sum + (x & 1) as u32 - 1;
        }
        for i in 0..v {
            for j in 0..h {
                let sample: i32 = fine[[v * y + i, h * x + j]].into();
                sum += sample as u32;
            }
        }
        coarse[[y, x]] = Element::narrow(sum / n);
    }
}

/// Averages rectangles of `[v, h]` samples of `fine`, `[rows, columns]`, to `coarse`, `[coarse_rows, coarse_columns]`.
/// Where `coarse` has more than there are such rectangles, the last row and column of `fine` are repeated.
///
/// # Panics
///
/// When a plane does not have the memory, or `fine` is empty and `coarse` is not.
#[shim::kernel(simd)]
pub fn downsample<T: Element>(
    fine: &[T],
    [rows, columns]: [usize; 2],
    [v, h]: [usize; 2],
    coarse: &mut [T],
    [coarse_rows, coarse_columns]: [usize; 2],
) {
    let fine = Block::external(fine, [rows, columns]).boundary(Clamp);
    let coarse = Block::external(coarse, [coarse_rows, coarse_columns]);
    match (v, h) {
        (1, 2) => average::<T>(fine, coarse, 1, 2),
        (2, 1) => average::<T>(fine, coarse, 2, 1),
        (2, 2) => average::<T>(fine, coarse, 2, 2),
        (1, 4) => average::<T>(fine, coarse, 1, 4),
        _ => average::<T>(fine, coarse, v, h),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn follows_the_formula_at_every_place_by_every_factor() {
        for (v, h) in (1..=4).flat_map(|v| (1..=4).map(move |h| (v, h))) {
            for (rows, columns, wanted) in
                [(6, 10, [3, 5]), (5, 9, [3, 8]), (1, 1, [2, 8]), (16, 40, [8, 24]), (3, 5, [2, 0])]
            {
                let fine: Vec<u8> = (0..rows * columns).map(|i| (i * 97 % 256) as u8).collect();
                let mut coarse = vec![7; wanted[0] * wanted[1] + 3];
                downsample(&fine, [rows, columns], [v, h], &mut coarse, wanted);
                let f =
                    |y: usize, x: usize| usize::from(fine[y.min(rows - 1) * columns + x.min(columns - 1)]);
                for (y, x) in (0..wanted[0]).flat_map(|y| (0..wanted[1]).map(move |x| (y, x))) {
                    let sum: usize = (0..v).flat_map(|i| (0..h).map(move |j| f(v * y + i, h * x + j))).sum();
                    let bias = match (v, h) {
                        (1, 2) => x % 2,
                        (2, 2) => 1 + x % 2,
                        _ => v * h / 2,
                    };
                    let got = usize::from(coarse[y * wanted[1] + x]);
                    assert_eq!(got, (sum + bias) / (v * h), "{v}x{h} of {rows}x{columns} at {y}, {x}");
                }
                assert_eq!(coarse[wanted[0] * wanted[1]..], [7; 3], "written outside the plane");
                let (fine16, mut coarse16) =
                    (fine.iter().map(|&f| u16::from(f)).collect::<Vec<_>>(), vec![7; coarse.len()]);
                downsample(&fine16, [rows, columns], [v, h], &mut coarse16, wanted);
                assert!(coarse.iter().zip(&coarse16).all(|(&a, &b)| u16::from(a) == b));
            }
        }
    }

    #[test]
    fn a_flat_plane_stays_flat() {
        for v in [0_u8, 1, 127, 128, 254, 255] {
            let mut coarse = [0; 16];
            downsample(&[v; 64], [8, 8], [2, 2], &mut coarse, [4, 4]);
            assert_eq!(coarse, [v; 16]);
        }
    }

    #[test]
    fn halves_are_rounded_down_and_up_in_turn() {
        let mut coarse = [0; 4];
        downsample(&[0_u8, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1], [2, 8], [2, 2], &mut coarse, [1, 4]);
        assert_eq!(coarse, [0, 1, 0, 1]);
    }
}
