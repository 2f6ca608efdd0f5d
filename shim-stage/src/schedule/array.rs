//! Arrays on the stack that hold elements while loops run.

use std::rc::Rc;

use proc_macro2::TokenStream;
use shim_core::{Layout, Space, TensorSpace};

use crate::ir::{
    Access, AccessKind, Addressing, Buffer, Candidate, Element, ElementType, Hole, Id, Loop, Memory,
    NameSupply, Nest, NestId, Order, Program, ProgramPoint, RegionKind, Statement, StatementKind,
    SymbolSource, View,
};
use crate::symbolic::{Range, SymInt, Symbol};

/// Declares an array of constant extents before the statement at `around`, which is the first of its region.
pub(super) fn declare(
    program: &mut Program,
    names: &mut NameSupply,
    (name, ty): (String, &ElementType),
    extents: Vec<SymInt>,
    around: ProgramPoint,
) -> Rc<View> {
    let space = TensorSpace { space: Space::root(extents.len()), extents };
    let layout = Layout::row_major(&space.extents).expect("a small array has strides");
    let id = program.buffers.push(Buffer {
        local: names.fresh(&name),
        name: name.clone(),
        memory: Memory::Stack(Some(Box::new(ty.ty.clone()))),
        space: space.clone(),
        addressing: Addressing::Flat(layout),
        parent: None,
        bound: around,
        may_mutate_through_methods: false,
        element: Some(ElementType { ty: ty.ty.clone(), region: around.region }),
        cleared: true,
        checked: false,
    });
    let kind = StatementKind::Memory(id, None);
    let statement = Statement { number: around.statement, order: Order::Own, kind };
    program.regions[around.region].statements.insert(0, statement);
    Rc::new(View { name, space, buffer: id, casts: Vec::new(), boundary: None, within: None, list: None })
}

/// An access to the element of an array at an index inside it.
pub(super) fn element(
    array: &Rc<View>,
    index: Vec<SymInt>,
    (kind, position): (AccessKind, ProgramPoint),
    tokens: TokenStream,
) -> Access {
    let candidate = Candidate { buffer: array.buffer, coordinates: index.clone(), casts: Vec::new() };
    let access = Access::new(array.clone(), index, kind, position);
    Access { tokens, element: Element::Inside(candidate), ..access }
}

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
        let own: Vec<Symbol> = self.along.iter().map(|along| self.for_loop(along, nest, at)).collect();
        let region = &self.program.regions[at.region];
        let epoch = region.last_epoch();
        let body = self.program.new_region(Some(at), RegionKind::Nest(nest), region.facts.clone(), epoch);
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
                region.statements.insert(1, last);
            }
        }
    }

    fn for_loop(&mut self, (along, count): &(Symbol, i64), nest: NestId, at: ProgramPoint) -> Symbol {
        let range = Range { lo: Some(0), hi: Some(count - 1) };
        let source = SymbolSource::Loop(Id::new(self.program.loops.len()));
        let symbol = self.program.new_symbol(along.name(), range, source, at);
        let name = self.names.fresh(along.name());
        let id = self.program.loops.push(Loop::counted(name, symbol.clone(), SymInt::constant(*count), nest));
        self.program.nests[nest].loops.push(id);
        symbol
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
        element(self.array, index_of(own), (kind, position), self.element.tokens.clone())
    }
}
