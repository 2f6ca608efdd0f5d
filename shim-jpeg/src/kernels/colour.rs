//! Colour conversion (T.871 / JFIF 1.02, "Conversion to and from RGB").
//!
//! ```text
//! Y  =  0.299   R + 0.587   G + 0.114   B
//! Cb = -0.16874 R - 0.33126 G + 0.5     B + 128
//! Cr =  0.5     R - 0.41869 G - 0.08131 B + 128
//! ```
//!
//! in 16-bit fixed point, rounded to the nearest integer. The constants of each line add up to exactly 1, 0 and
//! 0, so that grey stays grey. With a half rounded up, the largest blue or red would give 255.5 and so 256:
//! Cb and Cr round a half down instead.

/// Fractional bits of the constants.
const BITS: u32 = 16;

/// One half, which rounds a shift right by [`BITS`] to the nearest integer.
const HALF: i32 = 1 << (BITS - 1);

/// The zero of Cb and Cr, with one half less the least bit: a half is rounded down.
const CENTRE: i32 = (128 << BITS) + HALF - 1;

/// A constant of the equations, rounded to [`BITS`] fractional bits.
const fn fix(x: f64) -> i32 {
    (x * (1 << BITS) as f64 + 0.5) as i32
}

/// Y of one pixel.
#[inline]
const fn luminance(r: i32, g: i32, b: i32) -> u8 {
    ((fix(0.299) * r + fix(0.587) * g + fix(0.114) * b + HALF) >> BITS) as u8
}

/// Cb of one pixel.
#[inline]
const fn blue_difference(r: i32, g: i32, b: i32) -> u8 {
    ((-fix(0.16874) * r - fix(0.33126) * g + fix(0.5) * b + CENTRE) >> BITS) as u8
}

/// Cr of one pixel.
#[inline]
const fn red_difference(r: i32, g: i32, b: i32) -> u8 {
    ((fix(0.5) * r - fix(0.41869) * g - fix(0.08131) * b + CENTRE) >> BITS) as u8
}

/// The conversion of one row, whatever the layout of its pixels: `rgb(x)` are R, G and B of pixel x.
#[inline]
fn ycbcr(rgb: impl Fn(usize) -> [u8; 3], y: &mut [u8], cb: &mut [u8], cr: &mut [u8]) {
    for (x, ((y, cb), cr)) in y.iter_mut().zip(cb).zip(cr).enumerate() {
        let [r, g, b] = rgb(x).map(i32::from);
        *y = luminance(r, g, b);
        *cb = blue_difference(r, g, b);
        *cr = red_difference(r, g, b);
    }
}

/// One row of interleaved pixels `rgb`, `[w, 3]`, to rows of Y, Cb and Cr, `[w]` each.
///
/// # Panics
///
/// Unless `y`, `cb` and `cr` have the same length w and `rgb` has 3w.
pub fn interleaved_to_ycbcr(rgb: &[u8], y: &mut [u8], cb: &mut [u8], cr: &mut [u8]) {
    assert!(cb.len() == y.len() && cr.len() == y.len() && rgb.len() == 3 * y.len());
    let (pixels, _) = rgb.as_chunks::<3>();
    ycbcr(|x| pixels[x], y, cb, cr);
}

/// One row of the planes `r`, `g` and `b`, `[w]` each, to rows of Y, Cb and Cr, `[w]` each.
///
/// # Panics
///
/// Unless all six have the same length.
pub fn planar_to_ycbcr(r: &[u8], g: &[u8], b: &[u8], y: &mut [u8], cb: &mut [u8], cr: &mut [u8]) {
    let lengths = [r.len(), g.len(), b.len(), cb.len(), cr.len()];
    assert!(lengths.iter().all(|&length| length == y.len()));
    ycbcr(|x| [r[x], g[x], b[x]], y, cb, cr);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn convert(rgb: [u8; 3]) -> [u8; 3] {
        let (mut y, mut cb, mut cr) = ([0], [0], [0]);
        interleaved_to_ycbcr(&rgb, &mut y, &mut cb, &mut cr);
        [y[0], cb[0], cr[0]]
    }

    #[test]
    fn grey_stays_grey() {
        for v in 0..=255 {
            assert_eq!(convert([v; 3]), [v, 128, 128]);
        }
    }

    #[test]
    fn primaries() {
        assert_eq!(convert([255, 0, 0]), [76, 85, 255]);
        assert_eq!(convert([0, 255, 0]), [150, 44, 21]);
        assert_eq!(convert([0, 0, 255]), [29, 255, 107]);
    }

    #[test]
    fn every_colour_is_within_one_rounding_of_the_equations() {
        for r in (0..=255).step_by(5) {
            for g in (0..=255).step_by(3) {
                for b in (0..=255).step_by(5) {
                    let [fr, fg, fb] = [r, g, b].map(f64::from);
                    let exact = [
                        0.299 * fr + 0.587 * fg + 0.114 * fb,
                        -0.168_736 * fr - 0.331_264 * fg + 0.5 * fb + 128.0,
                        0.5 * fr - 0.418_688 * fg - 0.081_312 * fb + 128.0,
                    ];
                    for (got, exact) in convert([r, g, b]).into_iter().zip(exact) {
                        assert!((f64::from(got) - exact).abs() < 0.502, "{r} {g} {b}: {got} for {exact}");
                    }
                }
            }
        }
    }

    #[test]
    fn planes_convert_as_interleaved_pixels_do() {
        let rgb: Vec<u8> = (0..3 * 50_u32).map(|i| (i * 73 % 256) as u8).collect();
        let plane = |c: usize| rgb[c..].iter().step_by(3).copied().collect::<Vec<_>>();
        let mut a = [vec![0; 50], vec![0; 50], vec![0; 50]];
        let mut b = a.clone();
        let [y, cb, cr] = &mut a;
        interleaved_to_ycbcr(&rgb, y, cb, cr);
        let [y, cb, cr] = &mut b;
        planar_to_ycbcr(&plane(0), &plane(1), &plane(2), y, cb, cr);
        assert_eq!(a, b);
    }

    #[test]
    fn an_empty_row_is_none() {
        interleaved_to_ycbcr(&[], &mut [], &mut [], &mut []);
    }
}
