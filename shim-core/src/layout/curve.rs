//! Curves: orders of the points of a rectangle that no strides describe.

use alloc::vec::Vec;

use crate::{Integer, LocationError};

/// A curve through the points of a rectangle, which it visits each once (LEGO's `GenP`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Curve {
    /// One antidiagonal after another, each from its first row to its last.
    Antidiagonal,
    /// One antidiagonal after another, in alternating directions: the scan of transform coefficients in JPEG (T.81,
    /// figure A.6) and H.264 (6.4.5, frame macroblocks). The first step goes along the row.
    Zigzag,
    /// Hilbert's curve through a square whose side is a power of two.
    Hilbert,
}

impl Curve {
    /// The position of a point on the curve; `None` for a point outside the rectangle.
    pub fn position(self, [y, x]: [i64; 2], extents: [i64; 2]) -> Option<i64> {
        let inside = (0..extents[0]).contains(&y) && (0..extents[1]).contains(&x);
        if inside { self.offset([y, x], &extents).ok() } else { None }
    }

    /// The position of a point inside the rectangle.
    ///
    /// On an antidiagonal `d = y + x` of a rectangle of height `h` and width `w`, the rows run from `max(0, d - w + 1)`
    /// to `min(h - 1, d)`. The position is the number of elements on the antidiagonals before it, plus the rows passed.
    pub(super) fn offset<I: Integer>(self, [y, x]: [I; 2], extents: &[I; 2]) -> Result<I, LocationError> {
        if self == Curve::Hilbert {
            let side = extents[0].as_constant().ok_or(LocationError::Dynamic)?;
            if let (Some(y), Some(x)) = (y.as_constant(), x.as_constant()) {
                return Ok(I::constant(hilbert([y, x], side)));
            }
            if side > LONGEST_TABULATED_SIDE {
                return Err(LocationError::Dynamic);
            }
            let positions: Vec<i64> =
                (0..side * side).map(|at| hilbert([at / side, at % side], side)).collect();
            return y.scale(side)?.add(&x)?.entry(&positions);
        }
        let diagonal = y.add(&x)?;
        let (first, last) = rows(&diagonal, extents)?;
        let before = points_before(&diagonal, extents)?;
        let down = y.sub(&first)?;
        if self == Curve::Antidiagonal {
            return before.add(&down);
        }
        // Even antidiagonals run up.
        let up = last.sub(&y)?;
        let odd = diagonal.modulo(2)?;
        before.add(&up)?.add(&odd.mul(&down.sub(&up)?)?)
    }

    /// The point at a position, the inverse of [`position`](Self::position); `None` beyond the ends of the curve.
    pub fn point(self, position: i64, extents: [i64; 2]) -> Option<[i64; 2]> {
        let [h, w] = extents;
        if !(0..h.checked_mul(w)?).contains(&position) {
            return None;
        }
        if self == Curve::Hilbert {
            return Some(hilbert_point(position, h));
        }
        // The last antidiagonal that begins at the position or before it.
        let (mut low, mut high) = (0, h + w - 1);
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            let half = if points_before(&middle, &extents).ok()? <= position { &mut low } else { &mut high };
            *half = middle;
        }
        let (first, last) = rows(&low, &extents).ok()?;
        let step = position - points_before(&low, &extents).ok()?;
        let y = if self == Curve::Zigzag && low % 2 == 0 { last - step } else { first + step };
        Some([y, low - y])
    }

    /// Whether the curve runs through a rectangle of these extents.
    pub(super) fn is_defined(self, [h, w]: [i64; 2]) -> bool {
        self != Curve::Hilbert || (h == w && (h == 0 || h.count_ones() == 1))
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Curve::Antidiagonal => "antidiagonal",
            Curve::Zigzag => "zigzag",
            Curve::Hilbert => "hilbert",
        }
    }
}

/// The longest side of a square whose curve is computed by a table, where a coordinate is not known: 4096 points.
const LONGEST_TABULATED_SIDE: i64 = 64;

/// The first and the last row of an antidiagonal.
fn rows<I: Integer>(diagonal: &I, [h, w]: &[I; 2]) -> Result<(I, I), LocationError> {
    let one = I::constant(1);
    let first = diagonal.sub(&w.sub(&one)?)?.at_least_zero()?;
    Ok((first, diagonal.min(&h.sub(&one)?)?))
}

/// The number of points on the antidiagonals before this one: those of a triangle of its size, without the two corners
/// of the triangle that lie outside the rectangle.
fn points_before<I: Integer>(diagonal: &I, extents: &[I; 2]) -> Result<I, LocationError> {
    let triangle = |side: I| {
        let side = side.at_least_zero()?;
        side.mul(&side.add(&I::constant(1))?)?.floor_div(2)
    };
    let [below, right] = [0, 1].map(|axis: usize| triangle(diagonal.sub(&extents[axis])?));
    triangle(diagonal.clone())?.sub(&below?)?.sub(&right?)
}

/// The position on Hilbert's curve: a quadrant of the square for each pair of bits, most significant first. The curve
/// through a quadrant is that through the square, transposed in the first one, and transposed about the other diagonal
/// in the last one.
fn hilbert([mut y, mut x]: [i64; 2], side: i64) -> i64 {
    let mut position = 0;
    let mut half = side / 2;
    while half > 0 {
        let (down, right) = (y / half, x / half);
        position += half * half * ((3 * right) ^ down);
        (y, x) = (y % half, x % half);
        if down == 0 {
            if right == 1 {
                (y, x) = (half - 1 - y, half - 1 - x);
            }
            (y, x) = (x, y);
        }
        half /= 2;
    }
    position
}

fn hilbert_point(mut position: i64, side: i64) -> [i64; 2] {
    let (mut y, mut x) = (0, 0);
    let mut half = 1;
    while half < side {
        let right = 1 & (position / 2);
        let down = 1 & (position ^ right);
        if down == 0 {
            if right == 1 {
                (y, x) = (half - 1 - y, half - 1 - x);
            }
            (y, x) = (x, y);
        }
        (y, x) = (y + half * down, x + half * right);
        position /= 4;
        half *= 2;
    }
    [y, x]
}
