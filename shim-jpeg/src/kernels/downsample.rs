//! Components at their own density (T.81 A.1.1: H and V below the greatest of the frame).

use shim::prelude::*;

use super::element::Element;
use super::planes::Plane;

/// Averages rectangles of `v` by `h` samples: `subsampled` has the place of `full`, coarsened by `[v, h]`; a template.
/// With f the samples of `full`, which repeats its edges, c those of `subsampled` and n = `v h`,
///
/// ```text
/// c[y, x] = floor((sum over i < v, j < h of f[v y + i, h x + j] + b) / n)
/// ```
///
/// where b is `floor(n / 2)`, and with 1 or 2 by 2, one less at even x. A sum of four samples divided by four ends
/// in one half as often as in one quarter: rounding halves down and up in turn makes the plane as a whole neither
/// darker nor lighter. T.81 leaves the filter to the encoder; these are what libjpeg does.
#[shim::kernel]
fn average<T>(full: impl Tensor<T, 2>, subsampled: impl Tensor<T, 2>, v: usize, h: usize) {
    let n = (v * h) as u32;
    let alternate = h == 2 && v <= 2;
    for [y, x] in subsampled.indices() {
        let mut sum = n / 2;
        if alternate {
            sum = sum + (x & 1) as u32 - 1;
        }
        for i in 0..v {
            for j in 0..h {
                let sample: i32 = full[[v * y + i, h * x + j]].into();
                sum += sample as u32;
            }
        }
        subsampled[[y, x]] = Element::narrow(sum / n);
    }
}

/// Averages rectangles of `[v, h]` samples of `full` to `subsampled`. Where `subsampled` has more samples than there
/// are such rectangles, the last row and column of `full` are repeated.
///
/// # Panics
///
/// When a plane does not have the memory, or `full` is empty and `subsampled` is not.
#[shim::kernel(simd, checks = "hoisted")]
pub fn downsample<T: Element>(
    #[located] full: &Plane<T>,
    [v, h]: [usize; 2],
    #[located] subsampled: &mut Plane<T>,
) {
    let (fine, coarse) = (full.samples.boundary(Clamp), subsampled.samples);
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
                let full: Vec<u8> = (0..rows * columns).map(|i| (i * 97 % 256) as u8).collect();
                let [high, wide] = wanted;
                let own = Plane { rows, columns, samples: full.clone() };
                let mut subsampled = Plane { rows: high, columns: wide, samples: vec![7; high * wide + 3] };
                downsample(&own, [v, h], &mut subsampled);
                let subsampled = subsampled.samples;
                let f =
                    |y: usize, x: usize| usize::from(full[y.min(rows - 1) * columns + x.min(columns - 1)]);
                for (y, x) in (0..wanted[0]).flat_map(|y| (0..wanted[1]).map(move |x| (y, x))) {
                    let sum: usize = (0..v).flat_map(|i| (0..h).map(move |j| f(v * y + i, h * x + j))).sum();
                    let bias = match (v, h) {
                        (1, 2) => x % 2,
                        (2, 2) => 1 + x % 2,
                        _ => v * h / 2,
                    };
                    let got = usize::from(subsampled[y * wanted[1] + x]);
                    assert_eq!(got, (sum + bias) / (v * h), "{v}x{h} of {rows}x{columns} at {y}, {x}");
                }
                assert_eq!(subsampled[wanted[0] * wanted[1]..], [7; 3], "written outside the plane");
                let own = Plane { rows, columns, samples: full.iter().copied().map(u16::from).collect() };
                let mut words = Plane::new(high, wide);
                downsample(&own, [v, h], &mut words);
                assert!(subsampled.iter().zip(&words.samples).all(|(&a, &b)| u16::from(a) == b));
            }
        }
    }

    #[test]
    fn a_flat_plane_stays_flat() {
        for v in [0_u8, 1, 127, 128, 254, 255] {
            let mut subsampled = Plane::new(4, 4);
            downsample(&Plane { rows: 8, columns: 8, samples: vec![v; 64] }, [2, 2], &mut subsampled);
            assert_eq!(subsampled.samples, [v; 16]);
        }
    }

    #[test]
    fn halves_are_rounded_down_and_up_in_turn() {
        let full = Plane { rows: 2, columns: 8, samples: [0_u8, 1].repeat(8) };
        let mut subsampled = Plane::new(1, 4);
        downsample(&full, [2, 2], &mut subsampled);
        assert_eq!(subsampled.samples, [0, 1, 0, 1]);
    }
}
