//! Tensors of a kernel: blocks with memory, views, accesses.

use std::rc::Rc;

use proc_macro2::{Ident, TokenStream};
use quote::quote;
use shim_core::{DeclaredAxis, Fold, Layout, Shape, Space, TensorSpace};
use syn::{Expr, Type};

use crate::hygiene;
use crate::static_eval::{IntType, int_type};
use crate::symbolic::{SymInt, Symbol};

use super::{BufferId, CallEffect, ProgramPoint};

/// Where a block's elements lie.
#[derive(Debug, Clone)]
pub enum Memory {
    /// `Block::external` over contiguous memory.
    Slice,
    /// `Block::external` over a slice of rows.
    Rows,
    /// `Block::external` over a raw pointer, in an `unsafe fn`.
    Pointer,
    /// A tensor of the runtime library, taken apart at the kernel's entry.
    Runtime(Box<RuntimeTensor>),
    /// None: a `Place<N>`, of which there are the locals of its origin and extents, or the place of a tensor.
    Place(Option<PlaceLocals>),
    /// `Block::heap::<T>`.
    Heap(Option<Box<Type>>),
    /// `Block::grown`.
    Grown,
    /// `Block::stack::<T>`.
    Stack(Option<Box<Type>>),
    /// `view.to_block()` or `view.to_stack()`: elements like those of another block, or of the cast's type.
    Like {
        /// The view that was copied.
        view: Rc<View>,
        /// On the stack.
        stack: bool,
    },
    /// That of another block, under the same local: `t.reshape(..)`, `t.rev(axis)` and the like.
    Over {
        /// The block.
        of: BufferId,
        /// Whether the local is the memory itself, not a borrow of it.
        owned: bool,
        /// The extents of the box whose number of elements the new block has to have, if it is another one.
        reshaped: Option<Vec<SymInt>>,
    },
}

impl Memory {
    /// Whether its local is the memory itself, not a borrow of it.
    pub fn is_owned(&self) -> bool {
        match self {
            Memory::Slice
            | Memory::Rows
            | Memory::Grown
            | Memory::Pointer
            | Memory::Runtime(_)
            | Memory::Place(_) => false,
            Memory::Heap(_) | Memory::Stack(_) | Memory::Like { .. } => true,
            Memory::Over { owned, .. } => *owned,
        }
    }
}

/// A tensor of the runtime library in emitted code.
#[derive(Debug, Clone)]
pub struct RuntimeTensor {
    /// The parameter.
    pub parameter: Ident,
    /// Whether it can be written.
    pub mutable: bool,
    /// Whether it is taken by reference.
    pub by_reference: bool,
    /// The type of its elements.
    pub element: Option<Type>,
    /// The local for the offset of its first element.
    pub base: Ident,
    /// The locals for its extents.
    pub extents: Vec<Ident>,
    /// The locals for its strides.
    pub strides: Vec<Ident>,
    /// Whether the kernel relates it to another tensor or to the root space.
    pub located: bool,
    /// The locals for its origin in the root space, if it is located.
    pub origin: Vec<Ident>,
    /// How each of its axes is declared to lie in the root space.
    pub declared: Vec<DeclaredAxis>,
}

impl RuntimeTensor {
    /// The parameter, borrowed as shared.
    pub fn shared(&self) -> TokenStream {
        let parameter = &self.parameter;
        if self.by_reference { quote!(&*#parameter) } else { quote!(&#parameter) }
    }
}

/// A `Place<N>` in emitted code.
#[derive(Debug, Clone)]
pub struct PlaceLocals {
    /// The local that is the place.
    pub place: Ident,
    /// The locals for its origin.
    pub origin: Vec<Ident>,
    /// The locals for its extents.
    pub extents: Vec<Ident>,
}

/// A shape, and what its offsets stay below.
#[derive(Debug)]
pub struct PackedShape {
    /// The shape.
    pub shape: Rc<Shape<SymInt>>,
    /// The sum of the absolute values of the terms of an offset, each at its greatest: where it fits `isize`, so does
    /// each intermediate result.
    pub bound: SymInt,
}

/// How a coordinate addresses an element.
#[derive(Debug, Clone)]
pub enum Addressing {
    /// By one offset into contiguous memory.
    Flat(Layout<SymInt>),
    /// By the number of a row, which is a slice of its own, and a column in it.
    Rows,
}

/// A block: a tensor with memory of its own.
#[derive(Debug, Clone)]
pub struct Buffer {
    /// The user's name for it, for panics.
    pub name: String,
    /// The local that holds the memory in emitted code.
    pub local: Ident,
    /// Its memory.
    pub memory: Memory,
    /// Its place and extents.
    pub space: TensorSpace<SymInt>,
    /// How its elements are addressed.
    pub addressing: Addressing,
    /// How far its axes extend, where that depends on indices: the extents of its space are then those of the box
    /// around it.
    pub shape: Option<Rc<PackedShape>>,
    /// The tensor that a read outside of it walks up to.
    pub parent: Option<Rc<View>>,
    /// Where it comes into scope.
    pub bound: ProgramPoint,
    /// Whether its memory can certainly be written and holds what may have methods that write, not plain numbers.
    pub may_mutate_through_methods: bool,
    /// The type of its elements, where the kernel shows it.
    pub element: Option<ElementType>,
    /// Whether memory on the stack is zero before the kernel writes it.
    pub cleared: bool,
    /// Whether its length was checked before the kernel: it is that of a field of rows.
    pub checked: bool,
}

impl Buffer {
    /// The integer that its elements are, where the kernel shows it.
    pub fn number(&self) -> Option<IntType> {
        int_type(&self.element.as_ref()?.ty)
    }

    /// The memory as a slice in emitted code, of elements or of rows.
    pub fn slice(&self, mutable: bool) -> TokenStream {
        let local = &self.local;
        match (self.memory.is_owned(), mutable) {
            (false, _) => quote!(#local),
            (true, false) => quote!(&#local),
            (true, true) => quote!(&mut #local),
        }
    }
}

/// What a read outside the block, with no tensor above it, gives.
#[derive(Debug, Clone)]
pub struct Boundary {
    /// The rules of the axes of the nearest block. An axis that the view lacked when it was given a list has none.
    pub axes: Vec<Option<Rule>>,
    /// The rule on axes that the block has dropped.
    pub dropped: Option<Rule>,
    /// How many of the view's casts come before a value to fill with.
    pub casts: usize,
}

impl Boundary {
    /// The rule of an axis of a [`Candidate`](super::Candidate): those of the block, then those that it has dropped.
    pub fn rule(&self, axis: usize) -> Option<&Rule> {
        self.axes.get(axis).unwrap_or(&self.dropped).as_ref()
    }

    /// Whether a read outside may find an element of the block.
    pub fn folds(&self) -> bool {
        self.rules().any(|rule| !matches!(rule, Rule::Fill(_)))
    }

    /// The local that every read outside gives, on whatever axis.
    pub fn value(&self) -> Option<&Ident> {
        match &self.dropped {
            Some(Rule::Fill(value)) => Some(value),
            _ => None,
        }
    }

    /// What looking for an element does.
    pub fn calls(&self) -> CallEffect {
        let calls = |rule: &Rule| match rule {
            Rule::By { calls, .. } => *calls,
            Rule::Fold(_) | Rule::Fill(_) => CallEffect::Compute,
        };
        self.rules().map(calls).min().unwrap_or(CallEffect::Compute)
    }

    /// All rules.
    pub fn rules(&self) -> impl Iterator<Item = &Rule> {
        self.axes.iter().chain([&self.dropped]).flatten()
    }
}

/// What a coordinate outside an axis gives.
#[derive(Debug, Clone)]
pub enum Rule {
    /// The coordinate that the rule folds it to.
    Fold(Fold),
    /// The value that a local holds.
    Fill(Ident),
    /// The coordinate that a function gives.
    By {
        /// The local that holds it.
        local: Ident,
        /// What a call of it does.
        calls: CallEffect,
    },
}

/// A type of elements: that of a block, or one that they are cast to.
#[derive(Debug, Clone)]
pub struct ElementType {
    /// The type, as it is written.
    pub ty: Type,
    /// Where it is.
    pub region: super::RegionId,
}

impl ElementType {
    /// Whether it is a number of the language.
    pub fn is_number(&self) -> bool {
        let is_float = |path: &syn::TypePath| path.path.is_ident("f32") || path.path.is_ident("f64");
        int_type(&self.ty).is_some() || matches!(&self.ty, Type::Path(path) if is_float(path))
    }
}

/// A tensor as the kernel sees it: an index space over a block's memory.
#[derive(Debug, Clone)]
pub struct View {
    /// The user's name for it.
    pub name: String,
    /// Its place and extents.
    pub space: TensorSpace<SymInt>,
    /// The nearest block.
    pub buffer: BufferId,
    /// The types that an element is cast to on its way to the user, in this order; a write goes back through them.
    pub casts: Vec<ElementType>,
    /// What lies outside.
    pub boundary: Option<Boundary>,
    /// The predicate that excludes elements from being read.
    pub within: Option<Rc<Predicate>>,
    /// The list that it is.
    pub list: Option<super::ListId>,
    /// How far its axes extend, where that depends on indices: the extents of its space are then those of the box
    /// around it.
    pub shape: Option<Rc<Shape<SymInt>>>,
    /// The tensors in which an element is looked for that is outside of its blocks, in this order. Their elements are
    /// those before the casts.
    pub pieces: Vec<Rc<View>>,
}

impl View {
    /// The view of a block's own indices.
    pub fn of(name: String, space: TensorSpace<SymInt>, buffer: BufferId) -> Self {
        Self {
            name,
            space,
            buffer,
            casts: Vec::new(),
            boundary: None,
            within: None,
            list: None,
            shape: None,
            pieces: Vec::new(),
        }
    }
}

/// The predicate of `t.within(|p| ..)`, a closure over indices.
#[derive(Debug, Clone)]
pub struct Predicate {
    /// The local that holds the closure.
    pub local: Ident,
    /// The space that its indices are in.
    pub space: Space<SymInt>,
    /// What a call of it does.
    pub calls: CallEffect,
    /// Whether a call cannot panic.
    pub is_total: bool,
}

/// How an element is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AccessKind {
    /// Its value.
    Read,
    /// Assigned.
    Write,
    /// Assigned by an operator: read and written.
    Update,
    /// A place that is only looked at: a field, a receiver, a shared borrow.
    Place,
    /// A place that is borrowed mutably or assigned through.
    PlaceMut,
    /// Its value, if it is there.
    Get,
    /// Not touched: whether it is there.
    Test,
    /// Not touched: where it is in memory.
    Offset,
    /// Not touched: its memory is brought nearer.
    Prefetch,
}

impl AccessKind {
    /// Whether memory may change.
    pub fn writes(self) -> bool {
        matches!(self, AccessKind::Write | AccessKind::Update | AccessKind::PlaceMut)
    }

    /// Whether memory is read or may change.
    pub fn touches(self) -> bool {
        !matches!(self, AccessKind::Offset | AccessKind::Prefetch)
    }

    /// Whether the element must be there.
    pub fn demands(self) -> bool {
        !matches!(self, AccessKind::Get | AccessKind::Test | AccessKind::Prefetch)
    }
}

/// An operand of index arithmetic that is evaluated where the access runs, once, in source order.
#[derive(Debug, Clone)]
pub struct Operand {
    /// The symbol it is in the arithmetic.
    pub symbol: Symbol,
    /// The local that holds it.
    pub local: Ident,
    /// What is converted.
    pub value: Expr,
    /// The name of its type, where it is known.
    pub number: Option<&'static str>,
}

/// A `let` whose value is a polynomial over plain integers.
#[derive(Debug, Clone)]
pub struct LetDef {
    /// Its name in the algebra.
    pub symbol: Symbol,
    /// Its value, unless it overflows.
    pub value: SymInt,
    /// Whether it may.
    pub overflow: LetOverflow,
}

/// Whether plain arithmetic can leave its type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LetOverflow {
    /// Its operands are too small for that.
    Never,
    /// It would leave a type of at least the width of `isize`.
    Wide {
        /// Whether the type has negative numbers.
        signed: bool,
    },
}

/// How an element is reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AccessMode {
    /// By its value.
    Value,
    /// As a place to look at.
    Shared,
    /// As a place to write.
    Mutable,
    /// As a place to write whose element may not have been written yet.
    Unset,
}

/// One `t[[..]]`.
#[derive(Debug, Clone)]
pub struct Access {
    /// The view.
    pub view: Rc<View>,
    /// The index in the view's space, one per axis.
    pub index: Vec<SymInt>,
    /// What is done.
    pub kind: AccessKind,
    /// The operator of an update of an integer, whose result does not depend on the sequence of such updates.
    pub commutes: Option<super::ReductionOp>,
    /// Operands evaluated in place.
    pub operands: Vec<Operand>,
    /// The condition under which an element that is inside is not excluded.
    pub within: Option<Expr>,
    /// Values of `let`s, earlier ones first, that its index may stand on.
    pub let_defs: Vec<LetDef>,
    /// The statement it stands in.
    pub position: ProgramPoint,
    /// When it runs.
    pub epoch: super::Epoch,
    /// Whether it may run several times where its statement runs once: in the condition of a `while`, or in a guard.
    pub repeats: bool,
    /// The user's tokens, for errors.
    pub tokens: proc_macro2::TokenStream,
    /// The template calls it was staged by, for errors.
    pub calls: Vec<super::TemplateCall>,
    /// Its element.
    pub element: super::Element,
    /// Where the assertion stands that keeps it inside, if one does.
    pub asserted: Option<super::AssertedAt>,
    /// The loop whose interior makes it inside, if that is why it is.
    pub interior: Option<super::LoopId>,
    /// How the element is reached, once that is decided.
    pub mode: AccessMode,
}

impl Access {
    /// The access as it is written, on one line.
    pub fn shown(&self) -> String {
        hygiene::source_text(&self.tokens)
    }

    /// The line of the user's file that it is in, unless a template brought it.
    pub fn line(&self) -> Option<usize> {
        let first = self.tokens.clone().into_iter().next().filter(|_| self.calls.is_empty())?;
        Some(first.span().start().line).filter(|line| *line > 0)
    }
}
