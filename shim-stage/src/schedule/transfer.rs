//! Arrays on the stack that hold elements while loops run.

use std::rc::Rc;

use crate::ir::array::{self, element_access};
use crate::ir::{Access, AccessKind, Hole, NameSupply, Nest, Program, ProgramPoint, RegionKind, View};
use crate::symbolic::{SymInt, Symbol};

/// The index in an array at the values of loops, which has one element if there are none.
pub(super) fn index_of<'s>(loops: impl IntoIterator<Item = &'s Symbol>) -> Vec<SymInt> {
    let mut index: Vec<SymInt> = loops.into_iter().map(SymInt::symbol).collect();
    if index.is_empty() {
        index.push(SymInt::constant(0));
    }
    index
}

/// Copies elements to an array or back.
pub(super) struct Transfer<'t> {
    pub(super) program: &'t mut Program,
    pub(super) names: &'t mut NameSupply,
    /// The loops that move the elements, with their lengths.
    pub(super) along: &'t [(Symbol, i64)],
    /// An access to one of the elements.
    pub(super) element: &'t Access,
    pub(super) array: &'t Rc<View>,
}

impl Transfer<'_> {
    /// A nest that loads the elements before a statement, or stores them behind the last one.
    pub(super) fn write(&mut self, at: ProgramPoint, stores: bool) {
        let nest = self.program.nests.push(Nest::new(Vec::new(), None));
        let own: Vec<Symbol> = self
            .along
            .iter()
            .map(|along| array::add_loop(self.program, self.names, nest, (along.0.name(), along.1), at))
            .collect();
        let epoch = self.program.regions[at.region].last_epoch();
        let body = self.program.new_region(Some(at), RegionKind::Nest(nest), Vec::new(), epoch);
        self.program.nests[nest].body = body;
        let here = ProgramPoint { region: body, statement: 0 };
        let [to, from] = if stores {
            [self.element(AccessKind::Write, &own, here), self.held(AccessKind::Read, &own, here)]
        } else {
            [self.held(AccessKind::Write, &own, here), self.element(AccessKind::Read, &own, here)]
        };
        let [to, from] = [to, from].map(|access| self.program.access(access));
        let value = Box::new(self.program.hole(Hole::Access(from)));
        self.program.append(body, Hole::Assign { access: to, op: None, value }, true);
        self.program.append(at.region, Hole::Nest(nest), false);
        if !stores {
            // Behind the declaration of the array.
            let region = &mut self.program.regions[at.region];
            region.epochs.pop();
            if let Some(mut last) = region.statements.pop() {
                last.number = at.statement;
                let first = region.statements.partition_point(|other| other.number < at.statement);
                region.statements.insert(first + 1, last);
            }
        }
    }

    /// The element at the values of new loops.
    fn element(&self, kind: AccessKind, own: &[Symbol], position: ProgramPoint) -> Access {
        let mut access = Access { kind, position, ..self.element.clone() };
        let replacement = |symbol: &Symbol| {
            let at = self.along.iter().position(|(along, _)| along == symbol)?;
            Some(SymInt::symbol(&own[at]))
        };
        access.element.substitute(&replacement).expect("one variable in the place of another");
        access
    }

    fn held(&self, kind: AccessKind, own: &[Symbol], position: ProgramPoint) -> Access {
        element_access(self.array, index_of(own), (kind, position), self.element.tokens.clone())
    }
}
