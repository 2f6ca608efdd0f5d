//! Bjontegaard's delta rate (VCEG-M33): how many bits more one encoder takes than another for the same PSNR.
//!
//! The curves of log rate over PSNR go through the measured points, piecewise cubic as in the common test conditions of
//! JVET: with Fritsch and Butland's slopes, which do not swing between points as a polynomial through all of them may.
//! The delta is the mean distance of the curves over the PSNR that both have.

/// A clip coded at one QP.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Bits, in any unit.
    pub rate: f64,
    /// In decibels.
    pub psnr: f64,
}

/// How many per cent more bits `other` takes than `reference`. Nothing, when a curve has less than two points, or does
/// not rise from each to the next, or they have no PSNR in common.
#[must_use]
pub fn bd_rate(reference: &[Point], other: &[Point]) -> Option<f64> {
    let (reference, other) = (Curve::through(reference)?, Curve::through(other)?);
    let least = reference.least().max(other.least());
    let greatest = reference.greatest().min(other.greatest());
    if least >= greatest {
        return None;
    }
    let distance = other.integral(least, greatest) - reference.integral(least, greatest);
    Some(100.0 * ((distance / (greatest - least)).exp() - 1.0))
}

/// A function that is a cubic polynomial between neighboring points.
struct Curve {
    /// PSNR, rising.
    x: Vec<f64>,
    /// The logarithm of the rate.
    y: Vec<f64>,
    slopes: Vec<f64>,
}

impl Curve {
    fn through(points: &[Point]) -> Option<Self> {
        let mut points = points.to_vec();
        points.sort_by(|a, b| a.psnr.total_cmp(&b.psnr));
        let rises = |pair: &[Point]| pair[0].psnr < pair[1].psnr && pair[0].rate < pair[1].rate;
        if points.len() < 2 || points[0].rate <= 0.0 || !points.windows(2).all(rises) {
            return None;
        }
        let x: Vec<f64> = points.iter().map(|point| point.psnr).collect();
        let y: Vec<f64> = points.iter().map(|point| point.rate.ln()).collect();
        if !x.iter().chain(&y).all(|value| value.is_finite()) {
            return None;
        }
        let widths: Vec<f64> = x.windows(2).map(|pair| pair[1] - pair[0]).collect();
        let secants: Vec<f64> = y.windows(2).zip(&widths).map(|(pair, h)| (pair[1] - pair[0]) / h).collect();
        let last = widths.len() - 1;
        let mut slopes = vec![secants[0]; x.len()];
        if last > 0 {
            slopes[0] = end([widths[0], widths[1]], [secants[0], secants[1]]);
            slopes[last + 1] = end([widths[last], widths[last - 1]], [secants[last], secants[last - 1]]);
        }
        for at in 1..=last {
            // The harmonic mean of both secants, which are above 0, the nearer one weighing more.
            let (before, after) = (widths[at] + widths[at - 1] * 0.5, widths[at - 1] + widths[at] * 0.5);
            slopes[at] = (before + after) / (before / secants[at - 1] + after / secants[at]);
        }
        Some(Self { x, y, slopes })
    }

    fn least(&self) -> f64 {
        self.x[0]
    }

    fn greatest(&self) -> f64 {
        self.x[self.x.len() - 1]
    }

    fn integral(&self, from: f64, to: f64) -> f64 {
        let pieces = self.x.windows(2).enumerate();
        pieces
            .map(|(piece, ends)| {
                let (from, to) = (from.max(ends[0]), to.min(ends[1]));
                if from >= to {
                    return 0.0;
                }
                // Simpson's rule is exact for cubic polynomials.
                let middle = 4.0 * self.value(piece, f64::midpoint(from, to));
                (to - from) / 6.0 * (self.value(piece, from) + middle + self.value(piece, to))
            })
            .sum()
    }

    /// Hermite's form of a piece's polynomial.
    fn value(&self, piece: usize, x: f64) -> f64 {
        let h = self.x[piece + 1] - self.x[piece];
        let t = (x - self.x[piece]) / h;
        let u = 1.0 - t;
        let ends = self.y[piece] * u * u * (1.0 + 2.0 * t) + self.y[piece + 1] * t * t * (1.0 + 2.0 * u);
        ends + h * (self.slopes[piece] * t * u * u - self.slopes[piece + 1] * t * t * u)
    }
}

/// The slope at an end, from the two pieces next to it: that of the parabola, as far as the curve keeps rising.
fn end(widths: [f64; 2], secants: [f64; 2]) -> f64 {
    let slope =
        ((2.0 * widths[0] + widths[1]) * secants[0] - widths[0] * secants[1]) / (widths[0] + widths[1]);
    slope.clamp(0.0, 3.0 * secants[0])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(rates: [f64; 4], psnrs: [f64; 4]) -> Vec<Point> {
        rates.into_iter().zip(psnrs).map(|(rate, psnr)| Point { rate, psnr }).collect()
    }

    const RATES: [f64; 4] = [1800.0, 920.0, 470.0, 250.0];
    const PSNRS: [f64; 4] = [41.5, 38.0, 34.7, 31.6];

    #[test]
    fn the_same_curve_is_nothing_more() {
        let curve = points(RATES, PSNRS);
        assert!(bd_rate(&curve, &curve).unwrap().abs() < 1e-9);
    }

    #[test]
    fn a_constant_factor_is_found() {
        let more = RATES.map(|rate| 1.1 * rate);
        let delta = bd_rate(&points(RATES, PSNRS), &points(more, PSNRS)).unwrap();
        assert!((delta - 10.0).abs() < 1e-9, "{delta}");
        let less = RATES.map(|rate| 0.5 * rate);
        let delta = bd_rate(&points(RATES, PSNRS), &points(less, PSNRS)).unwrap();
        assert!((delta + 50.0).abs() < 1e-9, "{delta}");
    }

    /// Where the rate doubles every three decibels, the curve is a straight line, and a loss of half a decibel is a
    /// sixth of a doubling, wherever the points are.
    #[test]
    fn lines_are_kept() {
        let line = |psnrs: [f64; 4], loss: f64| points(psnrs.map(|psnr| ((psnr + loss) / 3.0).exp2()), psnrs);
        let delta =
            bd_rate(&line([30.0, 34.0, 37.0, 42.0], 0.0), &line([31.0, 33.0, 38.5, 41.0], 0.5)).unwrap();
        assert!((delta - 100.0 * ((0.5_f64 / 3.0).exp2() - 1.0)).abs() < 1e-9, "{delta}");
    }

    /// Against an integral of a cubic polynomial through four points (numbers of the classic method), which is nearly
    /// the same for curves as smooth as an encoder's.
    #[test]
    fn near_the_polynomial() {
        let other = points([1990.0, 1010.0, 505.0, 262.0], [41.3, 37.9, 34.7, 31.7]);
        let delta = bd_rate(&points(RATES, PSNRS), &other).unwrap();
        let classic = polynomial(&points(RATES, PSNRS), &other);
        assert!((delta - classic).abs() < 0.2, "{delta} {classic}");
    }

    /// The classic method: Lagrange's polynomial, summed in small steps.
    fn polynomial(reference: &[Point], other: &[Point]) -> f64 {
        let value = |points: &[Point], x: f64| -> f64 {
            let term = |i: usize| {
                let factor = |j: usize| (x - points[j].psnr) / (points[i].psnr - points[j].psnr);
                points[i].rate.ln() * (0..4).filter(|&j| j != i).map(factor).product::<f64>()
            };
            (0..4).map(term).sum()
        };
        let least = reference[3].psnr.max(other[3].psnr);
        let greatest = reference[0].psnr.min(other[0].psnr);
        let steps = 10_000;
        let at = |step: i32| least + (greatest - least) * (f64::from(step) + 0.5) / f64::from(steps);
        let sum: f64 = (0..steps).map(|step| value(other, at(step)) - value(reference, at(step))).sum();
        100.0 * ((sum / f64::from(steps)).exp() - 1.0)
    }

    #[test]
    fn what_cannot_be_compared() {
        let curve = points(RATES, PSNRS);
        assert_eq!(bd_rate(&curve, &[]), None);
        assert_eq!(bd_rate(&curve, &curve[..1]), None);
        assert_eq!(bd_rate(&curve, &points(RATES, PSNRS.map(|psnr| psnr + 20.0))), None);
        assert_eq!(bd_rate(&curve, &points([1.0, 2.0, 3.0, 4.0], PSNRS)), None);
        assert_eq!(bd_rate(&curve, &points(RATES, [f64::INFINITY, 38.0, 34.7, 31.6])), None);
        assert!(bd_rate(&curve[..2], &curve[1..]).is_none());
        assert!(bd_rate(&curve[..2], &curve).is_some());
    }
}
