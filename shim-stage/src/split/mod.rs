//! Splits loops into an interior and its edges.
//!
//! The check found the accesses that need no test in the interior of a loop. Here that interior becomes a nest of its
//! own, with a copy of the body in which those accesses are proven; the nest that was there is left with the edges. A
//! loop inside others of a perfect nest is first made a nest by itself. Then loops are cut at the iteration that writes
//! what the others read.

mod cut;
mod interior;
mod pieces;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

pub(crate) use cut::cut;
pub use interior::find as find_interiors;
pub(crate) use pieces::part;

use crate::ir::{
    AccessId, Candidate, Copier, Copies, Element, Hole, Interior, LoopId, Nest, NestId, Program, RegionKind,
    Split,
};

/// Splits the loops that the check wants split.
pub fn split(program: &mut Program) {
    let ids: Vec<LoopId> = program.loops.ids().collect();
    let mut interiors: Vec<_> =
        ids.into_iter().filter_map(|id| Some((id, program.loops[id].interior.take()?))).collect();
    // Inner ones are split first, and copied with their nests.
    interiors.sort_by_key(|(id, _)| std::cmp::Reverse(program.depth(*id)));
    let mut splitter = Splitter::new(program);
    for (id, interior) in interiors {
        splitter.split(id, interior);
    }
}

struct Splitter<'p> {
    program: &'p mut Program,
    /// The accesses that were copied, by their copies.
    origins: BTreeMap<AccessId, AccessId>,
}

impl<'p> Splitter<'p> {
    fn new(program: &'p mut Program) -> Self {
        Splitter { program, origins: BTreeMap::new() }
    }

    fn split(&mut self, id: LoopId, inner: Interior) {
        let edges = self.alone(id);
        let inside = |(access, axes): (&AccessId, &Vec<usize>)| {
            Some((*access, self.program.accesses[*access].element.inside_on(axes)?))
        };
        let inside: BTreeMap<AccessId, Candidate> = inner.accesses.iter().filter_map(inside).collect();
        let behind = std::mem::take(&mut self.program.nests[edges].behind);
        let mut copier = Copier::new(self.program);
        let interior = copier.nest(edges);
        let Copies { originals, regions, .. } = copier.finish();
        self.program.nests[edges].behind = behind;
        // What has to be countable is tested once before both.
        self.program.nests[interior].i32_extents.clear();
        let runs_interior = self.program.nests[interior].loops[0];
        for (copy, original) in originals {
            let origin = self.origins.get(&original).copied().unwrap_or(original);
            self.origins.insert(copy, origin);
            if let Some(element) = inside.get(&origin) {
                let access = &mut self.program.accesses[copy];
                access.element = Element::Inside(element.clone());
                access.interior = Some(runs_interior);
            }
        }
        let Interior { starts, ends, guards, whole, .. } = inner;
        for tile in whole.iter().filter_map(|tile| regions.get(tile)) {
            self.program.decide(*tile);
        }
        self.program.nests[edges].split = Some(Split { starts, ends, guards, interior });
    }

    /// The nest whose first loop is `id`: its own, or a new one inside those of the loops around it.
    fn alone(&mut self, id: LoopId) -> NestId {
        let outer = self.program.loops[id].nest;
        let depth = self.program.nests[outer].loops.iter().position(|other| *other == id).unwrap_or(0);
        if depth == 0 {
            return outer;
        }
        let body = self.program.nests[outer].body;
        let loops = self.program.nests[outer].loops.split_off(depth);
        let next = self.program.nests[outer].next.take();
        let distributed = std::mem::take(&mut self.program.nests[outer].distributed);
        let inner = self.program.nests.next_id();
        for id in &loops {
            self.program.loops[*id].nest = inner;
        }
        self.program.nests.push(Nest { next, body, distributed, ..Nest::new(loops, None) });
        let parent = self.program.regions[body].parent.expect("the body of a nest is in a statement");
        let around = self.program.give_body(outer, parent, Vec::new());
        let between = self.program.append(around, Hole::Nest(inner), false);
        self.program.move_region(body, Some(between), RegionKind::Nest(inner));
        inner
    }
}
