//! Patterns of a motion search: where it starts, and the order in which it compares vectors.

use crate::kernels::Vector;
use crate::kernels::inter::chroma_costs::AROUND;
use crate::kernels::inter::search::{Center, Pass};

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
}

/// Vectors that are compared once.
pub(super) const fn once(steps: &[Vector], center: Center) -> Pass<'_> {
    Pass { steps, next: &[], rounds: 1, center, above: 0, upto: u32::MAX }
}

/// A step of some quarters to the left, right, up and down.
const DIAMONDS: [[Vector; 4]; 3] =
    [AROUND, [[-2, 0], [2, 0], [0, -2], [0, 2]], [[-4, 0], [4, 0], [0, -4], [0, 4]]];

/// The four vectors that are `1 << scale` quarters away, in rounds. The one from which a round came is known to be
/// worse.
pub(super) const fn diamond(scale: usize, rounds: usize) -> Pass<'static> {
    const NEXT: [[u8; 3]; 4] = [[0, 2, 3], [1, 2, 3], [0, 1, 2], [0, 1, 3]];
    Pass { next: &NEXT, rounds, ..once(&DIAMONDS[scale], Center::Best) }
}

/// Six vectors two samples away, in rounds. Where the hexagon has moved, three of its corners are new.
pub(super) const fn hexagon(rounds: usize) -> Pass<'static> {
    /// Around, in quarters of a sample.
    const CORNERS: [Vector; 6] = [[-8, 0], [-4, -8], [4, -8], [8, 0], [4, 8], [-4, 8]];
    const NEXT: [[u8; 3]; 6] = [[5, 0, 1], [0, 1, 2], [1, 2, 3], [2, 3, 4], [3, 4, 5], [4, 5, 0]];
    Pass { next: &NEXT, rounds, ..once(&CORNERS, Center::Best) }
}

/// The farthest that an uneven cross and its rings reach, in samples.
pub(super) const FARTHEST: i16 = 64;

/// The steps of a cross to the left and right, in twos: two samples away, then four, and so on.
const WIDE: [Vector; FARTHEST as usize] = {
    let mut steps = [[0; 2]; FARTHEST as usize];
    let mut i = 0;
    while i < steps.len() {
        let far = 8 * (i / 2 + 1) as i16;
        steps[i] = if i % 2 == 0 { [-far, 0] } else { [far, 0] };
        i += 1;
    }
    steps
};

/// Those up and down.
const HIGH: [Vector; FARTHEST as usize / 2] = {
    let mut steps = [[0; 2]; FARTHEST as usize / 2];
    let mut i = 0;
    while i < steps.len() {
        let [x, y] = WIDE[i];
        steps[i] = [y, x];
        i += 1;
    }
    steps
};

/// The steps to rings of 16 vectors, each four samples farther away.
const RINGS: [Vector; 4 * FARTHEST as usize] = {
    /// A quarter of a ring, in samples where its radius is 4; the others are turned and mirrored.
    const RING: [Vector; 4] = [[4, 0], [4, 2], [3, 3], [1, 4]];
    let mut steps = [[0; 2]; 4 * FARTHEST as usize];
    let mut i = 0;
    while i < steps.len() {
        let scale = 4 * (i / 16 + 1) as i16;
        let [x, y] = RING[i / 4 % 4];
        let [x, y] = [scale * x, scale * y];
        steps[i] = [[x, y], [-y, x], [-x, -y], [y, -x]][i % 4];
        i += 1;
    }
    steps
};

/// An uneven cross, wider than high, and rings of 16 vectors around the best, the farthest of which are so many samples
/// away.
pub(super) fn multi_hexagon(range: i16) -> [Pass<'static>; 3] {
    let range = range.clamp(0, FARTHEST) as usize;
    [
        once(&WIDE[..(range + 2) / 4 * 4], Center::Best),
        once(&HIGH[..(range / 2 + 2) / 4 * 4], Center::Before),
        once(&RINGS[..range / 4 * 16], Center::Before),
    ]
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::vec::Vec;

    use super::*;
    use crate::kernels::inter::search::spread;

    fn sum([x, y]: Vector, [u, v]: Vector) -> Vector {
        [x + u, y + v]
    }

    /// The steps of a later round are those to vectors that neither the round before nor its center was.
    #[test]
    fn rounds_do_not_look_back() {
        for pass in [diamond(0, 1), diamond(1, 1), diamond(2, 1), hexagon(1)] {
            let known: BTreeSet<Vector> = pass.steps.iter().copied().chain([[0; 2]]).collect();
            for (way, next) in pass.next.iter().enumerate() {
                let is_new = |i: &usize| !known.contains(&sum(pass.steps[way], pass.steps[*i]));
                let new: BTreeSet<usize> = (0..pass.steps.len()).filter(is_new).collect();
                assert_eq!(
                    next.iter().map(|i| usize::from(*i)).collect::<BTreeSet<_>>(),
                    new,
                    "{pass:?}, {way}"
                );
            }
            assert_eq!(pass.next.len(), pass.steps.len());
        }
    }

    #[test]
    fn diamonds_are_a_step_away() {
        for scale in 0..3 {
            let step = 1 << scale;
            assert_eq!(diamond(scale, 1).steps, [[-step, 0], [step, 0], [0, -step], [0, step]]);
        }
    }

    #[test]
    fn rings_stay_within_their_range() {
        for range in -1..FARTHEST + 5 {
            let [wide, high, rings] = multi_hexagon(range).map(|pass| pass.steps);
            let range = range.clamp(0, FARTHEST);
            let farthest = |steps: &[Vector], axis: usize| -> i16 {
                steps.iter().map(|mv| mv[axis].abs()).max().unwrap_or(0)
            };
            let distinct = |steps: &[Vector]| steps.iter().collect::<BTreeSet<_>>().len() == steps.len();
            assert!([wide, high, rings].into_iter().all(distinct));
            // In quarters; a cross is in twos.
            assert_eq!(farthest(wide, 0), 4 * ((range + 2) / 4 * 4), "{range}");
            assert_eq!([farthest(wide, 1), farthest(high, 0)], [0; 2]);
            assert_eq!(farthest(high, 1), 4 * ((range / 2 + 2) / 4 * 4), "{range}");
            for axis in [0, 1] {
                assert_eq!(farthest(rings, axis), 4 * (range / 4 * 4), "{range}");
            }
            assert_eq!(rings.len(), range as usize / 4 * 16);
        }
        let [_, _, rings] = multi_hexagon(8);
        let mirrored: Vec<Vector> = rings.steps.iter().map(|[x, y]| [-x, -y]).collect();
        assert!(mirrored.iter().all(|mv| rings.steps.contains(mv)));
    }

    #[test]
    fn starts_are_there_once() {
        let mut starts = Starts::NONE;
        assert_eq!(spread(starts.list()), 0);
        for mv in [[0, 0], [8, -4], [0, 0], [8, -4], [-4, 8], [4, 4], [12, 0]] {
            starts.push(mv);
        }
        assert_eq!(spread(starts.list()), 16);
        assert_eq!(starts.list(), [[0, 0], [8, -4], [-4, 8], [4, 4], [12, 0]]);
    }
}
