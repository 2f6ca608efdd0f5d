//! Arrays on the stack that hold elements while loops run.

use std::rc::Rc;

use proc_macro2::TokenStream;
use shim_core::{Layout, Space, TensorSpace};

use crate::ir::{
    Access, AccessKind, Addressing, Candidate, ContextKind, Element, ElementType, Hole, Id, Loop, Memory,
    Names, Nest, NestId, Order, Position, Program, Source, Statement, StatementKind, Storage, View,
};
use crate::symbolic::{Range, Sym, Symbol};

/// Declares an array of constant extents before the statement at `around`, which is the first of its region.
pub(super) fn declare(
    program: &mut Program,
    names: &mut Names,
    (name, ty): (String, &ElementType),
    extents: Vec<Sym>,
    around: Position,
) -> Rc<View> {
    let space = TensorSpace { space: Space::root(extents.len()), extents };
    let layout = Layout::row_major(&space.extents).expect("a small array has strides");
    let id = program.storages.push(Storage {
        local: names.fresh(&name),
        name: name.clone(),
        memory: Memory::Stack(Some(Box::new(ty.ty.clone()))),
        space: space.clone(),
        addressing: Addressing::Flat(layout),
        parent: None,
        bound: around,
        owns_structures: false,
        element: Some(ElementType { ty: ty.ty.clone(), context: around.context }),
        cleared: true,
        checked: false,
    });
    let kind = StatementKind::Memory(id, None);
    let statement = Statement { number: around.statement, order: Order::Own, kind };
    program.contexts[around.context].statements.insert(0, statement);
    Rc::new(View { name, space, storage: id, casts: Vec::new(), boundary: None, within: None, list: None })
}

/// An access to the element of an array at an index inside it.
pub(super) fn element(
    array: &Rc<View>,
    index: Vec<Sym>,
    (kind, position): (AccessKind, Position),
    tokens: TokenStream,
) -> Access {
    let candidate = Candidate { storage: array.storage, coordinates: index.clone(), casts: Vec::new() };
    let access = Access::new(array.clone(), index, kind, position);
    Access { tokens, element: Element::Inside(candidate), ..access }
}

/// The index in an array at the values of loops, which has one element if there are none.
pub(super) fn index_of<'s>(loops: impl IntoIterator<Item = &'s Symbol>) -> Vec<Sym> {
    let mut index: Vec<Sym> = loops.into_iter().map(Sym::symbol).collect();
    if index.is_empty() {
        index.push(Sym::constant(0));
    }
    index
}

/// Copies elements to an array or back.
pub(super) struct Transfer<'t> {
    pub(super) program: &'t mut Program,
    pub(super) names: &'t mut Names,
    /// The loops that move the elements, with their lengths.
    pub(super) along: &'t [(Symbol, i64)],
    /// An access to one of the elements.
    pub(super) element: &'t Access,
    pub(super) array: &'t Rc<View>,
}

impl Transfer<'_> {
    /// A nest that loads the elements before a statement, or stores them behind the last one.
    pub(super) fn write(&mut self, at: Position, stores: bool) {
        let nest = self.program.nests.push(Nest::new(Vec::new(), None));
        let own: Vec<Symbol> = self.along.iter().map(|along| self.looping(along, nest, at)).collect();
        let context = &self.program.contexts[at.context];
        let clock = context.clock.last().copied().unwrap_or(0);
        let body = self.program.region(Some(at), ContextKind::Nest(nest), context.facts.clone(), clock);
        self.program.nests[nest].body = body;
        let here = Position { context: body, statement: 0 };
        let [to, from] = if stores {
            [self.element(AccessKind::Write, &own, here), self.held(AccessKind::Read, &own, here)]
        } else {
            [self.held(AccessKind::Write, &own, here), self.element(AccessKind::Read, &own, here)]
        };
        let [to, from] = [to, from].map(|access| self.program.access(access));
        let value = Box::new(self.program.hole(Hole::Access(from)));
        self.program.append(body, Hole::Assign { access: to, op: None, value }, true);
        self.program.append(at.context, Hole::Nest(nest), false);
        if !stores {
            // Behind the declaration of the array.
            let context = &mut self.program.contexts[at.context];
            context.clock.pop();
            if let Some(mut last) = context.statements.pop() {
                last.number = at.statement;
                context.statements.insert(1, last);
            }
        }
    }

    fn looping(&mut self, (along, count): &(Symbol, i64), nest: NestId, at: Position) -> Symbol {
        let range = Range { lo: Some(0), hi: Some(count - 1) };
        let source = Source::Loop(Id::new(self.program.loops.len()));
        let symbol = self.program.new_symbol(along.name(), range, source, at);
        let name = self.names.fresh(along.name());
        let id = self.program.loops.push(Loop::counted(name, symbol.clone(), Sym::constant(*count), nest));
        self.program.nests[nest].loops.push(id);
        symbol
    }

    /// The element at the values of new loops.
    fn element(&self, kind: AccessKind, own: &[Symbol], position: Position) -> Access {
        let mut access = Access { kind, position, ..self.element.clone() };
        let replacement = |symbol: &Symbol| {
            let at = self.along.iter().position(|(along, _)| along == symbol)?;
            Some(Sym::symbol(&own[at]))
        };
        access.element.substitute(&replacement).expect("one variable in the place of another");
        access
    }

    fn held(&self, kind: AccessKind, own: &[Symbol], position: Position) -> Access {
        element(self.array, index_of(own), (kind, position), self.element.tokens.clone())
    }
}
