//! Blocks and counted loops that passes make.

use std::rc::Rc;

use proc_macro2::TokenStream;
use shim_core::{Layout, Space, TensorSpace};
use syn::Type;

use super::{
    Access, AccessKind, Addressing, Buffer, Candidate, Element, ElementType, Id, Loop, Memory, NameSupply,
    NestId, Order, Program, ProgramPoint, Statement, StatementKind, SymbolSource, View,
};
use crate::symbolic::{Range, SymInt, Symbol};

/// [`Memory::Stack`] or [`Memory::Heap`].
type Allocation = fn(Option<Box<Type>>) -> Memory;

/// Declares a block on the stack, whose extents are constant, or on the heap, before the statement at `around`.
pub(crate) fn declare(
    program: &mut Program,
    names: &mut NameSupply,
    (name, memory, ty): (String, Allocation, &ElementType),
    extents: Vec<SymInt>,
    around: ProgramPoint,
) -> Rc<View> {
    let space = TensorSpace { space: Space::root(extents.len()), extents };
    let layout =
        Layout::row_major(&space.extents).expect("a small array and a block of one axis have strides");
    let id = program.buffers.push(Buffer {
        local: names.fresh(&name),
        name: name.clone(),
        memory: memory(Some(Box::new(ty.ty.clone()))),
        space: space.clone(),
        addressing: Addressing::Flat(layout),
        shape: None,
        parent: None,
        bound: around,
        may_mutate_through_methods: false,
        element: Some(ElementType { ty: ty.ty.clone(), region: around.region }),
        cleared: true,
        checked: false,
    });
    let kind = StatementKind::Memory(id, None);
    let statement = Statement { number: around.statement, order: Order::Own, kind };
    let statements = &mut program.regions[around.region].statements;
    let first = statements.partition_point(|other| other.number < around.statement);
    statements.insert(first, statement);
    Rc::new(View::of(name, space, id))
}

/// An access to the element of an array at an index inside it.
pub(crate) fn element_access(
    array: &Rc<View>,
    index: Vec<SymInt>,
    (kind, position): (AccessKind, ProgramPoint),
    tokens: TokenStream,
) -> Access {
    let candidate = Candidate { buffer: array.buffer, coordinates: index.clone(), casts: Vec::new() };
    let access = Access::new(array.clone(), index, kind, position);
    Access { tokens, element: Element::Inside(candidate), ..access }
}

/// Adds a loop of constant length to a nest in the statement at `at`; its variable.
pub(crate) fn add_loop(
    program: &mut Program,
    names: &mut NameSupply,
    nest: NestId,
    (hint, count): (&str, i64),
    at: ProgramPoint,
) -> Symbol {
    let range = Range { lo: Some(0), hi: Some(count - 1) };
    add_counted(program, names, nest, (hint, SymInt::constant(count), range), at)
}

/// Adds a loop over `count` numbers in a range to a nest in the statement at `at`; its variable.
pub(crate) fn add_counted(
    program: &mut Program,
    names: &mut NameSupply,
    nest: NestId,
    (hint, count, range): (&str, SymInt, Range),
    at: ProgramPoint,
) -> Symbol {
    let source = SymbolSource::Loop(Id::new(program.loops.len()));
    let symbol = program.new_symbol(hint, range, source, at);
    let for_loop = Loop::counted(names.fresh(hint), symbol.clone(), count, nest);
    let id = program.loops.push(for_loop);
    program.nests[nest].loops.push(id);
    symbol
}
