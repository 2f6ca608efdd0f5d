//! Distances between the points of a nest: sets of vectors, as boxes.

use std::fmt;

/// A set of consecutive numbers of iterations; without an end on a side that is `None`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Steps {
    pub(crate) lo: Option<i64>,
    pub(crate) hi: Option<i64>,
}

impl Steps {
    pub(crate) const ALL: Steps = Steps { lo: None, hi: None };
    pub(crate) const ZERO: Steps = Steps { lo: Some(0), hi: Some(0) };

    pub(crate) fn exactly(value: i64) -> Self {
        Steps { lo: Some(value), hi: Some(value) }
    }

    /// `-most..=most`.
    pub(crate) fn within(most: i64) -> Self {
        Steps { lo: Some(-most), hi: Some(most) }
    }

    pub(crate) fn as_exact(self) -> Option<i64> {
        self.lo.filter(|_| self.lo == self.hi)
    }

    pub(crate) fn is_empty(self) -> bool {
        matches!((self.lo, self.hi), (Some(lo), Some(hi)) if lo > hi)
    }

    pub(crate) fn intersect(self, other: Self) -> Self {
        let tighter = |a: Option<i64>, b: Option<i64>, choose: fn(i64, i64) -> i64| match (a, b) {
            (Some(a), Some(b)) => Some(choose(a, b)),
            (a, b) => a.or(b),
        };
        Steps { lo: tighter(self.lo, other.lo, i64::max), hi: tighter(self.hi, other.hi, i64::min) }
    }

    /// An end that does not fit is none: the set only grows.
    pub(crate) fn plus(self, other: Self) -> Self {
        let sum = |a: Option<i64>, b: Option<i64>| a?.checked_add(b?);
        Steps { lo: sum(self.lo, other.lo), hi: sum(self.hi, other.hi) }
    }

    pub(crate) fn times(self, factor: i64) -> Self {
        let scaled = |end: Option<i64>| end?.checked_mul(factor);
        let (lo, hi) = (scaled(self.lo), scaled(self.hi));
        match factor {
            0 => Steps::ZERO,
            1.. => Steps { lo, hi },
            _ => Steps { lo: hi, hi: lo },
        }
    }

    pub(crate) fn negated(self) -> Self {
        self.times(-1)
    }

    /// The numbers of which `divisor` times one is in the set.
    pub(crate) fn divided(self, divisor: i64) -> Self {
        if divisor < 0 {
            return self.negated().divided(-divisor);
        }
        let up = |lo: i64| lo.div_euclid(divisor) + i64::from(lo.rem_euclid(divisor) != 0);
        Steps { lo: self.lo.map(up), hi: self.hi.map(|hi| hi.div_euclid(divisor)) }
    }

    /// How many tiles of `extent` are between two points this far apart.
    pub(crate) fn tiles(self, extent: i64) -> Self {
        let up = |hi: i64| hi.div_euclid(extent) + i64::from(hi.rem_euclid(extent) != 0);
        Steps { lo: self.lo.map(|lo| lo.div_euclid(extent)), hi: self.hi.map(up) }
    }

    fn count(self) -> Option<i64> {
        self.hi?.checked_sub(self.lo?)?.checked_add(1)
    }
}

impl fmt::Display for Steps {
    /// The number, or `+`, `-` and `*` for the numbers above zero, below it, and any.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.as_exact(), self.lo, self.hi) {
            (Some(exact), ..) => write!(f, "{exact}"),
            (_, Some(1..), _) => f.write_str("+"),
            (_, _, Some(..0)) => f.write_str("-"),
            _ => f.write_str("*"),
        }
    }
}

/// What is known of a distance `d`: the sum of `coefficients[j] * d[j]` is in `sum`.
#[derive(Debug, Clone)]
pub(super) struct Constraint {
    pub(super) coefficients: Vec<i64>,
    pub(super) sum: Steps,
}

/// Boxes of up to so many distances are looked at one by one.
const FEW: i64 = 64;

/// The distances, none of them zero, that meet all constraints: boxes in each of which a distance has the same sign along each axis.
/// They may hold others besides, where several axes are coupled.
pub(super) fn distances(axes: &[Steps], constraints: &[Constraint]) -> Vec<Vec<Steps>> {
    let mut found = Vec::new();
    split(axes.to_vec(), 0, constraints, &mut found);
    found.retain(|steps| steps.iter().any(|steps| *steps != Steps::ZERO));
    found
}

fn split(mut axes: Vec<Steps>, depth: usize, constraints: &[Constraint], found: &mut Vec<Vec<Steps>>) {
    if !tighten(&mut axes, constraints) {
        return;
    }
    let count = axes.iter().try_fold(1_i64, |count, steps| count.checked_mul(steps.count()?));
    if count.is_some_and(|count| count <= FEW) {
        let mut points: Vec<Vec<i64>> = vec![Vec::new()];
        for steps in &axes {
            let (Some(lo), Some(hi)) = (steps.lo, steps.hi) else { return };
            let longer =
                |point: &Vec<i64>| (lo..=hi).map(|at| [&point[..], &[at]].concat()).collect::<Vec<_>>();
            points = points.iter().flat_map(longer).collect();
        }
        let points = points.into_iter().map(|point| point.into_iter().map(Steps::exactly).collect());
        found.extend(points.filter(|point: &Vec<Steps>| tighten(&mut point.clone(), constraints)));
        return;
    }
    let Some(own) = axes.get(depth).copied() else { return found.push(axes) };
    for sign in [Steps { lo: None, hi: Some(-1) }, Steps::ZERO, Steps { lo: Some(1), hi: None }] {
        let mut part = axes.clone();
        part[depth] = own.intersect(sign);
        if !part[depth].is_empty() {
            split(part, depth + 1, constraints, found);
        }
    }
}

/// Narrows a box to what the constraints leave; says whether that may be something.
fn tighten(axes: &mut [Steps], constraints: &[Constraint]) -> bool {
    // Each round narrows some axis, or is the last; a box that shrinks by single steps is left as it is.
    for _ in 0..8 {
        let before = axes.to_vec();
        for Constraint { coefficients, sum } in constraints {
            let moving = |axis: &usize| axes[*axis].as_exact().is_none();
            let fixed: i64 = (0..axes.len())
                .filter(|axis| !moving(axis))
                .map(|axis| coefficients[axis].saturating_mul(axes[axis].as_exact().unwrap_or(0)))
                .fold(0, i64::saturating_add);
            let divisor = (0..axes.len()).filter(moving).map(|axis| coefficients[axis]).fold(0, gcd);
            let rest = sum.plus(Steps::exactly(fixed.saturating_neg()));
            // No multiple of the divisor is in the sum.
            if divisor == 0 && !rest.intersect(Steps::ZERO).is_empty() {
                continue;
            }
            if divisor == 0 || rest.divided(divisor).is_empty() {
                return false;
            }
            for axis in 0..axes.len() {
                if coefficients[axis] == 0 {
                    continue;
                }
                let others = (0..axes.len()).filter(|other| *other != axis);
                let others = others.map(|other| axes[other].times(coefficients[other]));
                let others = others.fold(Steps::ZERO, Steps::plus);
                let own = sum.plus(others.negated()).divided(coefficients[axis]);
                axes[axis] = axes[axis].intersect(own);
                if axes[axis].is_empty() {
                    return false;
                }
            }
        }
        if axes == before {
            break;
        }
    }
    true
}

/// The greatest common divisor; zero of two zeros.
pub(super) fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a.saturating_abs() } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every distance that meets the constraints is in a box, by brute force.
    #[test]
    fn no_distance_is_lost() {
        let coefficients = [-2_i64, -1, 0, 1, 3];
        let sums = [Steps::exactly(0), Steps::exactly(3), Steps { lo: Some(-1), hi: Some(2) }];
        let bounds = [Steps::within(6), Steps { lo: Some(-6), hi: None }, Steps::ALL];
        for bound in bounds {
            for (a, b) in coefficients.iter().flat_map(|a| coefficients.iter().map(move |b| (*a, *b))) {
                for (first, second) in sums.iter().flat_map(|a| sums.iter().map(move |b| (*a, *b))) {
                    let constraints = [
                        Constraint { coefficients: vec![a, b], sum: first },
                        Constraint { coefficients: vec![b, 2 * a], sum: second },
                    ];
                    let boxes = distances(&[bound, Steps::within(6)], &constraints);
                    for (y, x) in (-6..=6).flat_map(|y| (-6..=6).map(move |x| (y, x))) {
                        let holds = |sum: Steps, value| !sum.intersect(Steps::exactly(value)).is_empty();
                        let meets = holds(first, a * y + b * x) && holds(second, b * y + 2 * a * x);
                        let found = boxes.iter().any(|steps| holds(steps[0], y) && holds(steps[1], x));
                        assert!(
                            !meets || found || (y, x) == (0, 0),
                            "{a} {b} {first:?} {second:?}: {y}, {x}"
                        );
                    }
                }
            }
        }
    }

    /// `tiles` and `divided` are exact on intervals.
    #[test]
    fn tiles_and_quotients_are_those_of_the_points() {
        for (lo, hi) in (-9..9).flat_map(|lo| (lo..9).map(move |hi| (lo, hi))) {
            let steps = Steps { lo: Some(lo), hi: Some(hi) };
            for factor in 1..6 {
                let points = (lo..=hi).flat_map(|step| (0..factor).map(move |from| (from, from + step)));
                let apart: Vec<i64> =
                    points.map(|(from, to)| to.div_euclid(factor) - from / factor).collect();
                let tiles = Steps { lo: apart.iter().min().copied(), hi: apart.iter().max().copied() };
                assert_eq!(steps.tiles(factor), tiles, "{steps:?} in tiles of {factor}");
                for divisor in [factor, -factor] {
                    let divided = steps.divided(divisor);
                    for quotient in -9..=9 {
                        let holds = !divided.intersect(Steps::exactly(quotient)).is_empty();
                        let expected = (lo..=hi).contains(&(divisor * quotient));
                        assert_eq!(holds, expected, "{steps:?} by {divisor}: {quotient}");
                    }
                }
            }
        }
    }

    #[test]
    fn coupled_axes_have_opposite_signs() {
        let together = Constraint { coefficients: vec![1, 1], sum: Steps::ZERO };
        let found = distances(&[Steps::ALL, Steps::ALL], &[together]);
        let shown: Vec<String> = found.iter().map(|steps| format!("{} {}", steps[0], steps[1])).collect();
        assert_eq!(shown, ["- +", "+ -"]);
        // 2 i is never 2 k + 1.
        let odd = Constraint { coefficients: vec![2, 2], sum: Steps::exactly(1) };
        assert!(distances(&[Steps::ALL, Steps::ALL], &[odd]).is_empty());
    }
}
