//! Patterns of a motion search: in which order vectors are looked at, by what each costs.

/// A vector, and what it costs.
pub(super) type Found = (u32, [i16; 2]);

/// The better of what was found and four other vectors; says which of them it is.
#[inline]
pub(super) fn best_of(found: &mut Found, at: &[[i16; 2]; 4], costs: [u32; 4]) -> Option<usize> {
    let mut which = None;
    for (i, (&mv, cost)) in at.iter().zip(costs).enumerate() {
        if cost < found.0 {
            *found = (cost, mv);
            which = Some(i);
        }
    }
    which
}

/// The better of what was found and vectors that are not among four others that were looked at.
pub(super) fn best_of_new(
    found: &mut Found,
    seen: &[[i16; 2]; 4],
    mvs: &[[i16; 2]],
    mut costs: impl FnMut(&[[i16; 2]; 4]) -> [u32; 4],
) {
    let (mut at, mut count) = ([[0; 2]; 8], 0);
    for mv in mvs {
        if !seen.contains(mv) && !at[..count].contains(mv) {
            at[count] = *mv;
            count += 1;
        }
    }
    for at in at.as_chunks_mut().0.iter_mut().take(count.div_ceil(4)) {
        best_of(found, at, costs(at));
    }
}

/// A vector moved by another.
const fn moved([x, y]: [i16; 2], [dx, dy]: [i16; 2]) -> [i16; 2] {
    [x.saturating_add(dx), y.saturating_add(dy)]
}

/// The four vectors that are a step of so many quarters away, again and again from the best, until none is better or there were so
/// many rounds.
#[inline]
pub(super) fn diamond(
    found: &mut Found,
    step: i16,
    rounds: usize,
    mut costs: impl FnMut(&[[i16; 2]; 4]) -> [u32; 4],
) {
    for _ in 0..rounds {
        let [x, y] = found.1;
        let (left, right) = (x.saturating_sub(step), x.saturating_add(step));
        let (up, down) = (y.saturating_sub(step), y.saturating_add(step));
        let at = [[left, y], [right, y], [x, up], [x, down]];
        if best_of(found, &at, costs(&at)).is_none() {
            return;
        }
    }
}

/// All vectors of whole samples that are so many or fewer samples away to each side.
pub(super) fn exhaustive(found: &mut Found, range: i16, mut costs: impl FnMut(&[[i16; 2]; 4]) -> [u32; 4]) {
    let centre = found.1;
    for y in -range..=range {
        // Four in a row at a time: the last ones may be a little further away.
        for x in (-range..=range).step_by(4) {
            let mut at = [[0; 2]; 4];
            for (i, mv) in (0..).zip(&mut at) {
                *mv = moved(centre, [4 * (x + i), 4 * y]);
            }
            best_of(found, &at, costs(&at));
        }
    }
}

/// Six vectors around the best, two samples away, until none is better or there were so many rounds. Where the hexagon has moved,
/// three of its corners are new.
pub(super) fn hexagon(found: &mut Found, rounds: usize, mut costs: impl FnMut(&[[i16; 2]; 4]) -> [u32; 4]) {
    /// In quarters of a sample, around.
    const CORNERS: [[i16; 2]; 6] = [[-8, 0], [-4, -8], [4, -8], [8, 0], [4, 8], [-4, 8]];
    let mut look = |found: &mut Found, corners: [usize; 4]| {
        let mut at = [found.1; 4];
        for (mv, corner) in at.iter_mut().zip(corners) {
            *mv = moved(*mv, CORNERS[corner]);
        }
        best_of(found, &at, costs(&at)).map(|i| corners[i])
    };
    let centre = found.1;
    let first = look(found, [0, 1, 2, 3]);
    // The last two stand around the same centre.
    let (cost, mv) = *found;
    let mut others = (cost, centre);
    let Some(mut last) = look(&mut others, [4, 5, 4, 5]).inspect(|_| *found = others).or(first) else {
        return;
    };
    debug_assert!(found.0 <= cost || found.1 == mv, "what was found is the best");
    for _ in 1..rounds {
        let Some(next) = look(found, [(last + 5) % 6, last, (last + 1) % 6, last]) else { return };
        last = next;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Costs that grow with the distance from a vector.
    fn towards([x, y]: [i16; 2]) -> impl Fn(&[[i16; 2]; 4]) -> [u32; 4] {
        move |at| at.map(|[u, v]| u32::from(u.abs_diff(x)) + u32::from(v.abs_diff(y)))
    }

    #[test]
    fn patterns_go_where_costs_fall() {
        for wanted in [[0, 0], [40, -24], [-4, 60], [-36, -8]] {
            let costs = towards(wanted);
            let start = (costs(&[[0; 2]; 4])[0], [0; 2]);
            let mut found = start;
            hexagon(&mut found, 40, &costs);
            let left = found.0;
            assert!(left <= 12, "{found:?} for {wanted:?}");
            diamond(&mut found, 4, 4, &costs);
            assert_eq!(found, (0, wanted));
            let mut near = start;
            diamond(&mut near, 1, 3, &costs);
            assert_eq!(near.0, start.0.saturating_sub(3), "three rounds, a step each");
            let mut all = (u32::MAX, [0; 2]);
            exhaustive(&mut all, 15, &costs);
            assert_eq!(all, (0, wanted));
        }
    }

    #[test]
    fn a_round_of_the_hexagon_sees_all_corners() {
        for corner in [[-8, 0], [-4, -8], [4, -8], [8, 0], [4, 8], [-4, 8]] {
            let mut found = (1, [0; 2]);
            hexagon(&mut found, 1, |at| at.map(|mv| u32::from(mv != corner)));
            assert_eq!(found, (0, corner));
        }
    }
}
