//! Copies of nests, with all that they are made of.

use std::collections::BTreeMap;

use super::walk::{UseMut, edit};
use super::{AccessId, ContextId, ContextKind, Loop, LoopId, NestId, Position, Program};

/// Copies a nest: its loops, contexts, statements, holes and accesses are new, its blocks and symbols are shared.
pub(crate) struct Copier<'p> {
    program: &'p mut Program,
    contexts: BTreeMap<ContextId, ContextId>,
    copies: Copies,
}

/// What was copied.
#[derive(Default)]
pub(crate) struct Copies {
    /// The originals of accesses, by their copies.
    pub(crate) originals: BTreeMap<AccessId, AccessId>,
    /// The copies of loops, by their originals.
    pub(crate) loops: BTreeMap<LoopId, LoopId>,
}

impl<'p> Copier<'p> {
    pub(crate) fn new(program: &'p mut Program) -> Self {
        Copier { program, contexts: BTreeMap::new(), copies: Copies::default() }
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
        // What has to be countable is tested once for the original and its copy.
        nest.countable.clear();
        let copy = self.program.nests.push(nest.clone());
        edit::nest(&mut nest, &mut |own| match own {
            UseMut::Region(body) => *body = self.context(*body, ContextKind::Nest(copy)),
            UseMut::Loop(id) => *id = self.looping(*id, copy),
            own => self.copy(own),
        });
        self.program.nests[copy] = nest;
        copy
    }

    fn looping(&mut self, id: LoopId, nest: NestId) -> LoopId {
        let mut looping = Loop { nest, ..self.program.loops[id].clone() };
        edit::looping(&mut looping, &mut |own| self.copy(own));
        edit::parts(&mut looping, &mut |own| self.copy(own));
        let copy = self.program.loops.push(looping);
        self.copies.loops.insert(id, copy);
        copy
    }

    /// A copy of a context and of all that is in it.
    pub(crate) fn context(&mut self, id: ContextId, kind: ContextKind) -> ContextId {
        let original = &self.program.contexts[id];
        let mut statements = original.statements.clone();
        let (facts, clock) = (original.facts.clone(), original.clock.clone());
        let parent = original.parent.map(|parent| self.position(parent));
        let copy = self.program.region(parent, kind, facts, 0);
        self.contexts.insert(id, copy);
        self.program.contexts[copy].copy_of = Some(self.program.original(id));
        for statement in &mut statements {
            edit::statement(&mut statement.kind, &mut |own| self.copy(own));
        }
        let context = &mut self.program.contexts[copy];
        (context.statements, context.clock) = (statements, clock);
        copy
    }

    fn position(&self, position: Position) -> Position {
        let context = self.contexts.get(&position.context).copied().unwrap_or(position.context);
        Position { context, ..position }
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
            UseMut::Region(id) => *id = self.context(*id, self.program.contexts[*id].kind),
            UseMut::Nest(id) => *id = self.nest(*id),
            UseMut::Loop(id) => *id = self.looping(*id, self.program.loops[*id].nest),
            UseMut::Sym(_) => {}
        }
    }
}
