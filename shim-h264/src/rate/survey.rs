//! A look at a picture before it is coded, at half its density: what it takes by itself, and after the picture before.

use alloc::vec;
use alloc::vec::Vec;

use shim::prelude::Place;

use crate::kernels::Vector;

use crate::kernels::picture::Samples;
use crate::lookahead::level::{Level, LevelView, halve, intra_8x8, level_sads, level_satd};

/// The SATD of all blocks of a picture at half density, each by its cheapest prediction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Costs {
    /// Each predicted from samples beside it.
    pub(super) intra: u64,
    /// Each from there or from the picture before, whatever is less.
    pub(super) inter: u64,
}

impl Costs {
    /// Whether the picture before is hardly of any use.
    pub(super) const fn new_scene(self) -> bool {
        self.inter > self.intra / 4 * 3
    }
}

/// Looks at one picture after the other.
#[derive(Clone, Debug)]
pub(super) struct Survey {
    /// Luma of the last picture and of the one before, at half density.
    planes: [Level; 2],
    /// The vectors of a row of blocks, those of the row above where it is not reached yet.
    row: Vec<Vector>,
    first: bool,
}

impl Survey {
    pub(super) fn new(mbs: [usize; 2]) -> Self {
        let plane = Level::new(mbs.map(|n| 8 * n));
        Self { planes: [plane.clone(), plane], row: vec![[0; 2]; mbs[1] + 1], first: true }
    }

    /// The costs of the next picture.
    pub(super) fn look(&mut self, source: &Samples) -> Costs {
        self.planes.swap(0, 1);
        halve(&source.luma, &mut self.planes[0]);
        let [cur, before] = self.planes.each_ref().map(Level::view);
        let size = [self.planes[0].h, self.planes[0].w];
        self.row.fill([0; 2]);
        let mut costs = Costs::default();
        let [high, wide] = [source.mbs_high, source.mbs_wide];
        for row in 0..high {
            for column in 0..wide {
                let at = [8 * row, 8 * column];
                let intra = intra_8x8(&cur, block_at(at));
                let inter =
                    if self.first { intra } else { inter([cur, before], size, &mut self.row, at, column) };
                costs.intra += u64::from(intra);
                costs.inter += u64::from(intra.min(inter));
            }
        }
        self.first = false;
        costs
    }
}

/// The SATD of a block against the picture before, displaced by a vector of whole samples that is looked for around those of its neighbors.
fn inter(
    [cur, before]: [LevelView<'_>; 2],
    size: [usize; 2],
    row: &mut [Vector],
    at: [usize; 2],
    column: usize,
) -> u32 {
    // Blocks stay in the picture.
    let inside =
        |at: usize, by: i16, end: usize| at.checked_add_signed(by.into()).filter(|&at| at + 8 <= end);
    let place = |[x, y]: Vector| Some([inside(at[0], y, size[0])?, inside(at[1], x, size[1])?]);
    // The least of four vectors, and what was found before.
    let look = |mut found: (u32, Vector), mvs: [Vector; 4]| {
        let mut places = [at; 4];
        let mut there = [false; 4];
        for (i, mv) in mvs.into_iter().enumerate() {
            if let Some(place) = place(mv) {
                (places[i], there[i]) = (place, true);
            }
        }
        let sads = level_sads(&cur, block_at(at), &before, &places, 4);
        for (i, mv) in mvs.into_iter().enumerate() {
            if there[i] && sads[i] < found.0 {
                found = (sads[i], mv);
            }
        }
        found
    };
    let left = if column == 0 { [0; 2] } else { row[column - 1] };
    let mut found = look((u32::MAX, [0; 2]), [[0; 2], left, row[column], row[column + 1]]);
    // What is the same needs no search.
    if found.0 > 64 {
        for step in [4, 4, 2, 2, 1, 1] {
            let [x, y] = found.1;
            found = look(found, [[x - step, y], [x + step, y], [x, y - step], [x, y + step]]);
        }
    }
    row[column] = found.1;
    level_satd(&cur, block_at(at), &before, block_at(place(found.1).unwrap_or(at)))
}

/// The block at a row and a column.
const fn block_at([row, column]: [usize; 2]) -> Place<2> {
    Place::new([row as isize, column as isize], [8, 8])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A picture of waves, displaced.
    fn picture(mbs: [usize; 2], by: usize) -> Samples {
        let mut samples = Samples::new(mbs);
        let wide = samples.luma_size()[1];
        for (i, sample) in samples.luma.iter_mut().enumerate() {
            let (y, x) = (i / wide, i % wide + by);
            *sample = (128.0
                + 60.0 * (0.21 * x as f64).sin()
                + 60.0 * (0.17 * y as f64 + 0.05 * x as f64).cos()) as u8;
        }
        samples
    }

    #[test]
    fn what_moved_costs_little_and_what_is_new_as_much_as_by_itself() {
        let mut survey = Survey::new([6, 8]);
        let first = survey.look(&picture([6, 8], 0));
        assert!(first.intra == first.inter && first.intra > 0);
        let same = survey.look(&picture([6, 8], 0));
        assert_eq!(same, Costs { intra: first.intra, inter: 0 });
        let moved = survey.look(&picture([6, 8], 6));
        assert!(moved.inter < moved.intra / 3, "{moved:?}");
        let mut other = picture([6, 8], 0);
        let mut state = 1_u32;
        for sample in &mut other.luma {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            *sample = (state >> 24) as u8;
        }
        let other = survey.look(&other);
        assert!(other.inter > other.intra - other.intra / 8, "{other:?}");
    }
}
