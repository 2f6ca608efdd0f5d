//! Arrays on the stack that hold elements while loops run.

use std::rc::Rc;

use proc_macro2::TokenStream;
use shim_core::{Layout, Space, TensorSpace};

use crate::ir::{
    Access, AccessKind, Addressing, Candidate, Element, ElementType, Memory, Names, Order, Position, Program,
    Statement, StatementKind, Storage, View,
};
use crate::symbolic::Sym;

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
