//! Distances between the points of a nest: sets of vectors, as boxes.

use shim_core::points::points_of;

use crate::symbolic::Range;

/// The number of iterations between two points, or `+`, `-` and `*` for the numbers above zero, below it, and any.
pub(crate) fn shown(distance: &[Range]) -> String {
    let entry = |steps: &Range| match (steps.as_exact(), steps.lo, steps.hi) {
        (Some(exact), ..) => exact.to_string(),
        (_, Some(1..), _) => "+".to_owned(),
        (_, _, Some(..0)) => "-".to_owned(),
        _ => "*".to_owned(),
    };
    distance.iter().map(entry).collect::<Vec<_>>().join(", ")
}

fn count(steps: Range) -> Option<i64> {
    steps.hi?.checked_sub(steps.lo?)?.checked_add(1)
}

/// What is known of a distance `d`: the sum of `coefficients[j] * d[j]` is in `sum`.
#[derive(Debug, Clone)]
pub(super) struct Equation {
    pub(super) coefficients: Vec<i64>,
    pub(super) sum: Range,
    /// Where the coordinates are remainders: their divisor, of which a multiple may be added to the sum.
    pub(super) modulus: Option<i64>,
}

impl Equation {
    /// Whether a distance meets it.
    pub(super) fn holds_at(&self, sum: i64) -> bool {
        let sum = Range::exactly(sum);
        match (self.modulus, self.sum.lo) {
            (None, _) => !self.sum.intersect(sum).is_empty(),
            (Some(modulus), Some(lo)) => {
                let above = sum.lo.unwrap_or(0).saturating_sub(lo).rem_euclid(modulus);
                self.sum.hi.is_none_or(|hi| above <= hi.saturating_sub(lo))
            }
            (Some(_), None) => true,
        }
    }
}

/// Boxes of up to so many distances are looked at one by one.
const FEW: i64 = 64;

/// The distances, none of them zero, that meet all constraints: boxes in each of which a distance has the same sign
/// along each axis. They may hold others besides, where several axes are coupled.
pub(super) fn distances(axes: &[Range], constraints: &[Equation]) -> Vec<Vec<Range>> {
    let mut found = Vec::new();
    split(axes.to_vec(), 0, constraints, &mut found);
    found.retain(|steps| steps.iter().any(|steps| *steps != Range::ZERO));
    found
}

fn split(mut axes: Vec<Range>, depth: usize, constraints: &[Equation], found: &mut Vec<Vec<Range>>) {
    if !tighten(&mut axes, constraints) {
        return;
    }
    let points = axes.iter().try_fold(1_i64, |points, steps| points.checked_mul(count(*steps)?));
    if points.is_some_and(|count| count <= FEW) {
        let counts: Vec<i64> = axes.iter().filter_map(|steps| count(*steps)).collect();
        let from = |(at, steps): (i64, &Range)| Range::exactly(at + steps.lo.unwrap_or(0));
        let points =
            points_of(&counts).into_iter().map(|point| point.into_iter().zip(&axes).map(from).collect());
        found.extend(points.filter(|point: &Vec<Range>| tighten(&mut point.clone(), constraints)));
        return;
    }
    let Some(own) = axes.get(depth).copied() else { return found.push(axes) };
    for sign in [Range { lo: None, hi: Some(-1) }, Range::ZERO, Range { lo: Some(1), hi: None }] {
        let mut part = axes.clone();
        part[depth] = own.intersect(sign);
        if !part[depth].is_empty() {
            split(part, depth + 1, constraints, found);
        }
    }
}

/// Narrows a box to what the constraints leave; says whether that may be something.
fn tighten(axes: &mut [Range], constraints: &[Equation]) -> bool {
    // Each round narrows some axis, or is the last; a box that shrinks by single steps is left as it is.
    for _ in 0..8 {
        let before = axes.to_vec();
        for equation @ Equation { coefficients, sum, modulus } in constraints {
            let moving = |axis: &usize| axes[*axis].as_exact().is_none();
            let fixed: i64 = (0..axes.len())
                .filter(|axis| !moving(axis))
                .map(|axis| coefficients[axis].saturating_mul(axes[axis].as_exact().unwrap_or(0)))
                .fold(0, i64::saturating_add);
            if let Some(modulus) = modulus {
                let moves = |axis: &usize| moving(axis) && coefficients[*axis] != 0;
                let mut moved = (0..axes.len()).filter(moves);
                let (axis, other) = (moved.next(), moved.next());
                let meets = match (axis, other) {
                    (None, _) => equation.holds_at(fixed),
                    (Some(axis), None) => {
                        let at = |steps: i64| coefficients[axis].saturating_mul(steps).saturating_add(fixed);
                        narrow(&mut axes[axis], *modulus, &|steps| equation.holds_at(at(steps)))
                    }
                    (Some(_), Some(_)) => true,
                };
                if !meets {
                    return false;
                }
                continue;
            }
            let divisor = (0..axes.len()).filter(moving).map(|axis| coefficients[axis]).fold(0, gcd);
            let rest = sum.plus(Range::exactly(fixed.saturating_neg()));
            // No multiple of the divisor is in the sum.
            if divisor == 0 && !rest.intersect(Range::ZERO).is_empty() {
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
                let others = others.fold(Range::ZERO, Range::plus);
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

/// Narrows the ends of a range to steps that hold; says whether one does, which is one of any `period` in sequence.
fn narrow(range: &mut Range, period: i64, holds: &dyn Fn(i64) -> bool) -> bool {
    let near =
        |end: i64, by: i64| (0..period).map(|step| end.saturating_add(step * by)).find(|steps| holds(*steps));
    for (end, by) in [(&mut range.lo, 1), (&mut range.hi, -1)] {
        if let Some(last) = *end {
            let Some(nearest) = near(last, by) else { return false };
            *end = Some(nearest);
        }
    }
    !range.is_empty()
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
        let sums = [Range::exactly(0), Range::exactly(3), Range { lo: Some(-1), hi: Some(2) }];
        let bounds = [Range::within(6), Range { lo: Some(-6), hi: None }, Range::UNKNOWN];
        for (bound, modulus) in
            bounds.iter().flat_map(|bound| [None, Some(5)].map(|modulus| (*bound, modulus)))
        {
            for (a, b) in coefficients.iter().flat_map(|a| coefficients.iter().map(move |b| (*a, *b))) {
                for (first, second) in sums.iter().flat_map(|a| sums.iter().map(move |b| (*a, *b))) {
                    let constraints = [
                        Equation { coefficients: vec![a, b], sum: first, modulus: None },
                        Equation { coefficients: vec![b, 2 * a], sum: second, modulus },
                    ];
                    let boxes = distances(&[bound, Range::within(6)], &constraints);
                    for (y, x) in (-6..=6).flat_map(|y| (-6..=6).map(move |x| (y, x))) {
                        let holds = |sum: Range, value| !sum.intersect(Range::exactly(value)).is_empty();
                        let again = Equation { coefficients: Vec::new(), sum: second, modulus };
                        let meets = holds(first, a * y + b * x) && again.holds_at(b * y + 2 * a * x);
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
            let steps = Range { lo: Some(lo), hi: Some(hi) };
            for factor in 1..6 {
                let points = (lo..=hi).flat_map(|step| (0..factor).map(move |from| (from, from + step)));
                let apart: Vec<i64> =
                    points.map(|(from, to)| to.div_euclid(factor) - from / factor).collect();
                let tiles = Range { lo: apart.iter().min().copied(), hi: apart.iter().max().copied() };
                assert_eq!(steps.tiles(factor), tiles, "{steps:?} in tiles of {factor}");
                for divisor in [factor, -factor] {
                    let divided = steps.divided(divisor);
                    for quotient in -9..=9 {
                        let holds = !divided.intersect(Range::exactly(quotient)).is_empty();
                        let expected = (lo..=hi).contains(&(divisor * quotient));
                        assert_eq!(holds, expected, "{steps:?} by {divisor}: {quotient}");
                    }
                }
            }
        }
    }

    #[test]
    fn coupled_axes_have_opposite_signs() {
        let together = Equation { coefficients: vec![1, 1], sum: Range::ZERO, modulus: None };
        let found = distances(&[Range::UNKNOWN, Range::UNKNOWN], &[together]);
        let found: Vec<String> = found.iter().map(|steps| shown(steps)).collect();
        assert_eq!(found, ["-, +", "+, -"]);
        // 2 i is never 2 k + 1.
        let odd = Equation { coefficients: vec![2, 2], sum: Range::exactly(1), modulus: None };
        assert!(distances(&[Range::UNKNOWN, Range::UNKNOWN], &[odd]).is_empty());
    }

    #[test]
    fn equal_remainders_are_a_divisor_apart() {
        let same = Equation { coefficients: vec![1], sum: Range::ZERO, modulus: Some(8) };
        let found = distances(&[Range::UNKNOWN], &[same]);
        assert_eq!(found, [vec![Range { lo: None, hi: Some(-8) }], vec![Range { lo: Some(8), hi: None }]]);
    }
}
