//! Copies of nests, with all that they are made of.

use std::collections::BTreeMap;

use super::walk::{UseMut, edit};
use super::{AccessId, Loop, LoopId, NestId, Program, ProgramPoint, RegionId, RegionKind};

/// Copies a nest: its loops, regions, statements, holes and accesses are new, its blocks and symbols are shared.
pub(crate) struct Copier<'p> {
    program: &'p mut Program,
    copies: Copies,
}

/// What was copied.
#[derive(Default)]
pub(crate) struct Copies {
    /// The originals of accesses, by their copies.
    pub(crate) originals: BTreeMap<AccessId, AccessId>,
    /// The copies of loops, by their originals.
    pub(crate) loops: BTreeMap<LoopId, LoopId>,
    /// The copies of regions, by their originals.
    pub(crate) regions: BTreeMap<RegionId, RegionId>,
}

impl<'p> Copier<'p> {
    pub(crate) fn new(program: &'p mut Program) -> Self {
        Copier { program, copies: Copies::default() }
    }

    /// What was copied.
    pub(crate) fn finish(self) -> Copies {
        for copy in self.copies.originals.keys() {
            let interior = &mut self.program.accesses[*copy].interior;
            *interior = interior.map(|id| self.copies.loops.get(&id).copied().unwrap_or(id));
        }
        self.copies
    }

    /// A copy of a nest.
    pub(crate) fn nest(&mut self, id: NestId) -> NestId {
        let mut nest = self.program.nests[id].clone();
        let copy = self.program.nests.push(nest.clone());
        edit::nest(&mut nest, &mut |own| match own {
            UseMut::Region(body) => *body = self.region(*body, RegionKind::Nest(copy)),
            UseMut::Loop(id) => *id = self.for_loop(*id, copy),
            own => self.copy(own),
        });
        self.program.nests[copy] = nest;
        copy
    }

    fn for_loop(&mut self, id: LoopId, nest: NestId) -> LoopId {
        let mut for_loop = Loop { nest, ..self.program.loops[id].clone() };
        edit::for_loop(&mut for_loop, &mut |own| self.copy(own));
        edit::parts(&mut for_loop, &mut |own| self.copy(own));
        let copy = self.program.loops.push(for_loop);
        self.copies.loops.insert(id, copy);
        copy
    }

    /// A copy of a region and of all that is in it.
    pub(crate) fn region(&mut self, id: RegionId, kind: RegionKind) -> RegionId {
        let original = &self.program.regions[id];
        let mut statements = original.statements.clone();
        let (facts, epochs) = (original.own_facts().to_vec(), original.epochs.clone());
        let parent = original.parent.map(|parent| self.position(parent));
        let reordered = original.reordered.clone();
        let copy = self.program.new_region(parent, kind, facts, super::Epoch::default());
        self.program.copy_later_facts(id, copy);
        self.program.regions[copy].reordered = reordered;
        self.copies.regions.insert(id, copy);
        self.program.regions[copy].copy_of = Some(self.program.original(id));
        for statement in &mut statements {
            edit::statement(&mut statement.kind, &mut |own| self.copy(own));
        }
        let region = &mut self.program.regions[copy];
        (region.statements, region.epochs) = (statements, epochs);
        copy
    }

    fn position(&self, position: ProgramPoint) -> ProgramPoint {
        let region = self.copies.regions.get(&position.region).copied().unwrap_or(position.region);
        ProgramPoint { region, ..position }
    }

    /// Replaces what a part mentions by a copy of it.
    fn copy(&mut self, own: UseMut<'_>) {
        match own {
            UseMut::Hole(id) => {
                let mut hole = self.program.holes[*id].clone();
                edit::hole(&mut hole, &mut |own| self.copy(own));
                *id = self.program.holes.push(hole);
            }
            UseMut::Access(id) => {
                let mut access = self.program.accesses[*id].clone();
                access.position = self.position(access.position);
                edit::access(&mut access, &mut |own| self.copy(own));
                let copy = self.program.access(access);
                self.copies.originals.insert(copy, *id);
                *id = copy;
            }
            UseMut::Region(id) => *id = self.region(*id, self.program.regions[*id].kind),
            UseMut::Nest(id) => *id = self.nest(*id),
            UseMut::Loop(id) => *id = self.for_loop(*id, self.program.loops[*id].nest),
            UseMut::SymInt(_) => {}
        }
    }
}
