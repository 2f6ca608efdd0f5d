//! Patterns of a motion search: in which order vectors are looked at, by what each costs.

use crate::kernels::Vector;

/// A vector, and what it costs.
pub(super) type Found = (u32, Vector);

/// The better of what was found and other vectors, each of which has a number and a cost; says which of them it is.
#[inline]
pub(super) fn best_of(
    found: &mut Found,
    at: &[Vector],
    mut cost: impl FnMut(usize, Vector) -> u32,
) -> Option<usize> {
    let mut which = None;
    for (i, &mv) in at.iter().enumerate() {
        let cost = cost(i, mv);
        if cost < found.0 {
            *found = (cost, mv);
            which = Some(i);
        }
    }
    which
}

/// Vectors that a search starts from, each once.
#[derive(Clone, Copy, Debug)]
pub(super) struct Starts {
    list: [Vector; 12],
    count: usize,
}

impl Starts {
    /// None.
    pub(super) const NONE: Self = Self { list: [[0; 2]; 12], count: 0 };

    /// These, each once.
    #[inline]
    pub(super) fn of(mvs: [Vector; 4]) -> Self {
        let mut starts = Self::NONE;
        for mv in mvs {
            starts.push(mv);
        }
        starts
    }

    /// All of them.
    #[inline]
    pub(super) fn list(&self) -> &[Vector] {
        &self.list[..self.count]
    }

    /// One more, if it is new.
    #[inline]
    pub(super) fn push(&mut self, mv: Vector) {
        if !self.list().contains(&mv) {
            self.list[self.count] = mv;
            self.count += 1;
        }
    }

    /// Their largest distance in quarters of a sample, horizontally or vertically.
    pub(super) fn spread(&self) -> u16 {
        let list = self.list();
        let along = |axis: usize| {
            let of = |mv: &Vector| mv[axis];
            let [least, most] = [list.iter().map(of).min(), list.iter().map(of).max()];
            most.unwrap_or(0).abs_diff(least.unwrap_or(0))
        };
        along(0).max(along(1))
    }
}

/// The better of what was found and vectors to start from.
pub(super) fn best_of_starts(
    found: &mut Found,
    starts: &Starts,
    mut look: impl FnMut(&mut Found, &[Vector]) -> Option<usize>,
) {
    for at in starts.list().chunks(4) {
        look(found, at);
    }
}

/// A vector moved by another.
const fn moved([x, y]: Vector, [dx, dy]: Vector) -> Vector {
    [x.saturating_add(dx), y.saturating_add(dy)]
}

/// Left, right, up and down.
const AROUND: [Vector; 4] = [[-1, 0], [1, 0], [0, -1], [0, 1]];

/// The four vectors that are a step of so many quarters away: left, right, up and down.
#[inline]
pub(super) fn around(mv: Vector, step: i16) -> [Vector; 4] {
    AROUND.map(|by| moved(mv, by.map(|v| step * v)))
}

/// The four vectors that are a step of so many quarters away, again and again from the best, until none is better or
/// there were so many rounds. The one from which a round came is known to be worse.
#[inline]
pub(super) fn diamond(
    found: &mut Found,
    step: i16,
    rounds: usize,
    mut look: impl FnMut(&mut Found, &[Vector]) -> Option<usize>,
) {
    /// The four around with one of them last, or all.
    const OTHERS: [[usize; 4]; 5] = [[1, 2, 3, 0], [0, 2, 3, 1], [0, 1, 3, 2], [0, 1, 2, 3], [0, 1, 2, 3]];
    /// Their places: gathered one by one they would be read again before they are stored.
    const STEPS: [[Vector; 4]; 5] = {
        let mut steps = [AROUND; 5];
        let mut n = 0;
        while n < 20 {
            steps[n / 4][n % 4] = AROUND[OTHERS[n / 4][n % 4]];
            n += 1;
        }
        steps
    };
    let mut known = 4;
    for _ in 0..rounds {
        let at = STEPS[known].map(|by| moved(found.1, by.map(|v| step * v)));
        let Some(best) = look(found, &at[..4 - usize::from(known < 4)]) else { return };
        known = OTHERS[known][best] ^ 1;
    }
}

/// An uneven cross, wider than high, and rings of 16 vectors around the best, the farthest of which are so many samples
/// away.
pub(super) fn multi_hexagon(
    found: &mut Found,
    range: i16,
    mut look: impl FnMut(&mut Found, &[Vector]) -> Option<usize>,
) {
    /// A quarter of a ring, in samples where its radius is 4; the others are turned and mirrored.
    const RING: [Vector; 4] = [[4, 0], [4, 2], [3, 3], [1, 4]];
    let center = found.1;
    let mut look = |found: &mut Found, by: [Vector; 4]| {
        look(found, &by.map(|by| moved(center, by.map(|v| v.saturating_mul(4)))));
    };
    for x in (2..=range).step_by(4) {
        look(found, [[-x, 0], [x, 0], [-x - 2, 0], [x + 2, 0]]);
    }
    for y in (2..=range / 2).step_by(4) {
        look(found, [[0, -y], [0, y], [0, -y - 2], [0, y + 2]]);
    }
    for scale in 1..=range / 4 {
        for [x, y] in RING.map(|by| by.map(|v| scale * v)) {
            look(found, [[x, y], [-y, x], [-x, -y], [y, -x]]);
        }
    }
}

/// Six vectors around the best, two samples away, until none is better or there were so many rounds. Where the hexagon
/// has moved, three of its corners are new.
pub(super) fn hexagon(
    found: &mut Found,
    rounds: usize,
    mut look: impl FnMut(&mut Found, &[Vector]) -> Option<usize>,
) {
    /// In quarters of a sample, around.
    const CORNERS: [Vector; 6] = [[-8, 0], [-4, -8], [4, -8], [8, 0], [4, 8], [-4, 8]];
    let mut look = |found: &mut Found, corners: &[usize]| {
        let mut at = [found.1; 4];
        for (mv, &corner) in at.iter_mut().zip(corners) {
            *mv = moved(*mv, CORNERS[corner]);
        }
        look(found, &at[..corners.len()]).map(|i| corners[i])
    };
    let center = found.1;
    let first = look(found, &[0, 1, 2, 3]);
    // The last two corners have the same center.
    let (cost, mv) = *found;
    let mut others = (cost, center);
    let Some(mut last) = look(&mut others, &[4, 5]).inspect(|_| *found = others).or(first) else {
        return;
    };
    debug_assert!(found.0 <= cost || found.1 == mv, "what was found is the best");
    for _ in 1..rounds {
        let Some(next) = look(found, &[(last + 5) % 6, last, (last + 1) % 6]) else { return };
        last = next;
    }
}

#[cfg(test)]
mod tests {
    use std::vec;
    use std::vec::Vec;

    use super::*;

    /// Looks at vectors that cost so much.
    fn each(cost: impl Fn([i16; 2]) -> u32) -> impl Fn(&mut Found, &[[i16; 2]]) -> Option<usize> {
        move |found, at| best_of(found, at, |_, mv| cost(mv))
    }

    /// Costs that grow with the distance from a vector.
    fn towards([x, y]: [i16; 2]) -> impl Fn(&mut Found, &[[i16; 2]]) -> Option<usize> {
        each(move |[u, v]| u32::from(u.abs_diff(x)) + u32::from(v.abs_diff(y)))
    }

    #[test]
    fn patterns_go_where_costs_fall() {
        for wanted in [[0, 0], [40, -24], [-4, 60], [-36, -8]] {
            let look = towards(wanted);
            let mut start = (u32::MAX, [0; 2]);
            look(&mut start, &[[0; 2]]);
            let mut found = start;
            hexagon(&mut found, 40, &look);
            let left = found.0;
            assert!(left <= 12, "{found:?} for {wanted:?}");
            diamond(&mut found, 4, 4, &look);
            assert_eq!(found, (0, wanted));
            let mut near = start;
            diamond(&mut near, 1, 3, &look);
            assert_eq!(near.0, start.0.saturating_sub(3), "three rounds, a step each");
            let mut far = start;
            multi_hexagon(&mut far, 16, &look);
            assert!(far.0 <= 16, "{far:?} for {wanted:?}");
        }
    }

    #[test]
    fn rings_see_what_patterns_in_steps_do_not() {
        // Nothing leads there: all else costs the same.
        let valley = |wanted: [i16; 2]| each(move |mv| u32::from(mv != wanted));
        for wanted in [[96, 0], [-96, 0], [0, 48], [48, -48], [-32, -16], [-24, -96]] {
            let mut found = (1, [0; 2]);
            multi_hexagon(&mut found, 24, valley(wanted));
            assert_eq!(found, (0, wanted));
        }
        // Far vectors do not wrap around.
        let mut found = (1, [i16::MAX, i16::MIN]);
        multi_hexagon(&mut found, 24, each(|[x, y]| u32::from(x > 32_000 && y < -32_000)));
        assert_eq!(found.0, 1);
    }

    #[test]
    fn starts_are_looked_at_once() {
        let mut starts = Starts::NONE;
        assert_eq!(starts.spread(), 0);
        for mv in [[0, 0], [8, -4], [0, 0], [8, -4], [-4, 8], [4, 4], [12, 0]] {
            starts.push(mv);
        }
        assert_eq!(starts.spread(), 16);
        let (mut found, mut calls) = ((u32::MAX, [0; 2]), 0);
        best_of_starts(&mut found, &starts, |found, at| {
            calls += 1;
            towards([12, 0])(found, at)
        });
        assert_eq!((found, calls), ((0, [12, 0]), 2));
    }

    #[test]
    fn a_diamond_does_not_look_back() {
        let mut calls = Vec::new();
        let mut found = (12, [0; 2]);
        diamond(&mut found, 4, 8, |found, at| {
            calls.push(at.len());
            towards([8, -4])(found, at)
        });
        assert_eq!((found, calls), ((0, [8, -4]), vec![4, 3, 3, 3]));
    }

    #[test]
    fn a_round_of_the_hexagon_sees_all_corners() {
        for corner in [[-8, 0], [-4, -8], [4, -8], [8, 0], [4, 8], [-4, 8]] {
            let mut found = (1, [0; 2]);
            hexagon(&mut found, 1, each(|mv| u32::from(mv != corner)));
            assert_eq!(found, (0, corner));
        }
    }
}
