//! Copies of nests, with all that they are made of.

use std::collections::BTreeMap;

use syn::Expr;

use super::visit::{replace_in_expr, replace_in_stmt};
use super::{
    AccessId, ContextId, ContextKind, Definition, Hole, HoleId, LoopId, LoopKind, NestId, Operand, Position,
    Program, Split, StatementKind,
};

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
        for id in &mut nest.loops {
            let mut own = self.program.loops[*id].clone();
            own.nest = copy;
            if let LoopKind::Range { iterator, .. } = &mut own.kind {
                self.expr(iterator);
            }
            let copy = self.program.loops.push(own);
            self.copies.loops.insert(*id, copy);
            *id = copy;
        }
        nest.body = self.context(nest.body, ContextKind::Nest(copy));
        if let Some(Split { interior, .. }) = &mut nest.split {
            *interior = self.nest(*interior);
        }
        self.program.nests[copy] = nest;
        copy
    }

    /// A copy of a context and of all that is in it.
    pub(crate) fn context(&mut self, id: ContextId, kind: ContextKind) -> ContextId {
        let mut context = self.program.contexts[id].clone();
        context.kind = kind;
        context.parent = context.parent.map(|parent| self.position(parent));
        context.copy_of = Some(self.program.original(id));
        let mut statements = std::mem::take(&mut context.statements);
        let copy = self.program.contexts.push(context);
        self.contexts.insert(id, copy);
        for statement in &mut statements {
            match &mut statement.kind {
                StatementKind::Rust(statement) => replace_in_stmt(statement, &mut |id| self.hole(id)),
                StatementKind::Memory(_, place) => {
                    if let Some(place) = place {
                        self.expr(place);
                    }
                }
                StatementKind::Let(local) => match &mut local.value {
                    Definition::Conversion { value, .. } => self.expr(value),
                    Definition::Constant(_)
                    | Definition::Index(_)
                    | Definition::Extent(_)
                    | Definition::Part(_) => {}
                },
                StatementKind::Expect { .. } | StatementKind::Assert(_) => {}
            }
        }
        self.program.contexts[copy].statements = statements;
        copy
    }

    /// A context that is no nest's body.
    fn inner(&mut self, id: ContextId) -> ContextId {
        self.context(id, self.program.contexts[id].kind)
    }

    fn position(&self, position: Position) -> Position {
        let context = self.contexts.get(&position.context).copied().unwrap_or(position.context);
        Position { context, ..position }
    }

    fn access(&mut self, id: AccessId) -> AccessId {
        let mut access = self.program.accesses[id].clone();
        access.position = self.position(access.position);
        self.operands(&mut access.operands);
        if let Some(condition) = &mut access.within {
            self.expr(condition);
        }
        let copy = self.program.accesses.push(access);
        self.copies.originals.insert(copy, id);
        copy
    }

    fn operands(&mut self, operands: &mut [Operand]) {
        for operand in operands {
            self.expr(&mut operand.value);
        }
    }

    fn expr(&mut self, expr: &mut Expr) {
        replace_in_expr(expr, &mut |id| self.hole(id));
    }

    fn hole(&mut self, id: HoleId) -> Expr {
        let mut hole = self.program.holes[id].clone();
        match &mut hole {
            Hole::Access(access) | Hole::Contains(access) | Hole::Prefetch(access) => {
                *access = self.access(*access);
            }
            Hole::Assign { access, value, .. } => {
                *access = self.access(*access);
                self.expr(value);
            }
            Hole::Held { assigned, .. } => {
                if let Some((_, value)) = assigned {
                    self.expr(value);
                }
            }
            Hole::Body(context) | Hole::Place(context) | Hole::Copies(context) => {
                *context = self.inner(*context);
            }
            Hole::Select(selection) => {
                for access in selection.accesses.iter_mut().chain([&mut selection.to]) {
                    *access = self.access(*access);
                }
            }
            Hole::Nest(nest) => *nest = self.nest(*nest),
            Hole::Value(..) => {}
            Hole::Compare(.., operands) => self.operands(operands),
        }
        self.program.hole(hole)
    }
}
