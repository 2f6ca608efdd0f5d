//! Blocks: tensors with memory of their own, and where they stand.

use std::rc::Rc;

use quote::ToTokens;
use shim_core::{Layout, TensorSpace};
use syn::{Expr, ExprCall, GenericArgument, PathArguments};

use crate::diagnostics::counted;
use crate::hygiene::CHECKED;
use crate::ir::{Addressing, Buffer, Memory, StatementKind, View};
use crate::surface::{self, Constructor, MethodKind, TensorMethod};
use crate::symbolic::{Form, Range, SymInt, Symbol};

use crate::bind::tensors::layout::BlockLayout;
use crate::bind::tensors::packed::NewShape;
use crate::bind::tensors::placement::Placement;
use crate::bind::{Binder, MAX_RANK};

/// A block that is still being described.
pub(in crate::bind) struct NewBlock {
    pub(in crate::bind) memory: Memory,
    place: Option<Box<Expr>>,
    pub(in crate::bind) extents: Vec<SymInt>,
    pub(in crate::bind) placement: Placement,
    /// The order of its elements, if it is not row-major.
    pub(in crate::bind) layout: Option<BlockLayout>,
    /// Its shape, if its extents depend on indices.
    shape: Option<NewShape>,
    /// Whether its length was checked where its memory was made.
    checked: bool,
}

impl Binder<'_> {
    /// `Block::external(..).at(..).coarsened(..)` and the like.
    pub(in crate::bind) fn block_expression(&mut self, expr: &Expr, hint: &str) -> Option<Rc<View>> {
        let NewBlock { memory, place, extents, placement, layout, shape, checked } =
            self.new_block(expr, hint)?;
        let made = placement.in_root().place_in(&self.tensors.root_space);
        let space = self.report_location_error(made, expr)?;
        let space = TensorSpace { space, extents };
        if let Some(shape) = shape {
            let order = match layout {
                None => None,
                Some(BlockLayout::Stored(order, _)) => Some(order),
                Some(BlockLayout::Strided(_)) => {
                    self.diagnostics.error(
                        expr,
                        "the strides of a block whose extents depend on indices",
                        "its rows follow one another without padding: remove `strided`",
                    );
                    return None;
                }
            };
            let (packed, layout) = self.packed(shape, order, hint, expr)?;
            self.assume_extents(&space);
            let view = self.store_with(hint, memory, place, space, Addressing::Flat(layout), None);
            let shape = Some(packed.shape.clone()).filter(|shape| !shape.is_box());
            self.program.buffers[view.buffer].shape = Some(Rc::new(packed));
            return Some(Rc::new(View { shape, ..(*view).clone() }));
        }
        let layout = match layout {
            None => {
                let view = self.store(hint, memory, place, space, None, expr)?;
                self.program.buffers[view.buffer].checked = checked;
                return Some(view);
            }
            Some(BlockLayout::Strided(strides)) => Layout::strided(strides),
            Some(BlockLayout::Stored(order, written)) => {
                let layout = self.report_location_error(order.layout(&space.extents), &written)?;
                // Whether the offset of a coordinate that is not known has a form.
                let at = vec![Form::Symbol(Symbol::new(0, "at", Range::UNKNOWN)); space.extents.len()];
                self.report_location_error(layout.map(&SymInt::form).offset(&at), written)?;
                layout
            }
        };
        self.assume_extents(&space);
        let addressing = Addressing::Flat(layout);
        Some(self.store_with(hint, memory, place, space, addressing, None))
    }

    fn new_block(&mut self, expr: &Expr, hint: &str) -> Option<NewBlock> {
        match surface::strip_parens(expr) {
            Expr::Call(call) => self.constructor(call, hint),
            Expr::MethodCall(call) => {
                let method = TensorMethod::of(&call.method)?;
                if !is_constructor_chain(&call.receiver) {
                    let base = self.tensor(&call.receiver, hint)?;
                    if !self.is_broken(&base) {
                        self.diagnostics.error(
                            &call.method,
                            format!("`{}` applies only to a new block", call.method),
                            "write it behind `Block::external(..)`, `heap` or `stack`; views are made with \
                             `t[[a..b, ..]]`, `permute`, `refine` and `coarsen`",
                        );
                    }
                    return None;
                }
                let mut block = self.new_block(&call.receiver, hint)?;
                match method {
                    TensorMethod::Strided => self.strides(&mut block, call, hint)?,
                    TensorMethod::Stored => self.stored(&mut block, call)?,
                    _ => self.place_along(&mut block.placement, call, method, hint)?,
                }
                Some(block)
            }
            _ => None,
        }
    }

    /// The memory that a constructor makes. Long: one arm for each constructor.
    fn constructor(&mut self, call: &ExprCall, hint: &str) -> Option<NewBlock> {
        let (constructor, path) = Constructor::called(call)?;
        let last = path.path.segments.last()?;
        let name = constructor.name();
        self.mention(path);
        let owned = constructor.allocates();
        let earlier = path.path.segments.iter().rev().skip(1).find(|segment| !segment.arguments.is_none());
        if let Some(segment) = earlier {
            self.diagnostics.error(
                &segment.arguments,
                "the element type belongs to the constructor",
                "write `Block::heap::<T>([h, w])`; `Block::external` takes no element type",
            );
        }
        let element = match &last.arguments {
            PathArguments::AngleBracketed(arguments) => match arguments.args.first() {
                Some(GenericArgument::Type(ty)) if owned && arguments.args.len() == 1 => {
                    Some(Box::new(ty.clone()))
                }
                _ => {
                    let (message, help) = if owned {
                        ("expected one element type".to_owned(), "write `Block::heap::<T>([h, w])`")
                    } else {
                        (
                            format!("`Block::{name}` takes no element type"),
                            "remove the type; to see the elements as another, write `.cast::<T>()` behind it",
                        )
                    };
                    self.diagnostics.error(arguments, message, help);
                    None
                }
            },
            _ => None,
        };
        let wanted = if owned { 1 } else { 2 };
        // The declaration of a struct of rows says so, in a name that is reserved.
        let checked = call.args.len() == 3
            && constructor == Constructor::External
            && surface::ident(&call.args[2]).is_some_and(|mark| mark == CHECKED);
        if call.args.len() != wanted && !checked {
            let message = format!(
                "`Block::{name}` takes {}, {} given",
                counted(wanted, "argument", "arguments"),
                call.args.len()
            );
            self.diagnostics.error(call, message, constructor.usage());
            return None;
        }
        let extents = &call.args[wanted - 1];
        let Some(list) = surface::list(extents) else {
            self.diagnostics.error(
                extents,
                "the extents of a block are a list",
                "write them out, as in `[h, w]`: their number is the block's rank",
            );
            return None;
        };
        let rank = list.len();
        if rank == 0 || rank > MAX_RANK {
            self.diagnostics.error(
                extents,
                format!("a block of {}", counted(rank, "axis", "axes")),
                format!("a block has one axis at least and {MAX_RANK} at most"),
            );
            return None;
        }
        // Extents come before the place: a place that is borrowed mutably may still be measured in them.
        let mut symbols = Vec::new();
        let mut shape = None;
        let mut plain = list.clone();
        if list.iter().any(|entry| matches!(surface::strip_parens(entry), Expr::Closure(_))) {
            let new = self.new_shape(&list, hint)?;
            (symbols, shape) = (new.most.clone(), Some(new));
            plain.clear();
            if constructor == Constructor::Rows {
                self.diagnostics.error(
                    extents,
                    "the rows of a block of rows have one length",
                    "store a shape in one slice: `Block::external(memory, [n, |i| i + 1])`",
                );
                return None;
            }
            if constructor == Constructor::Stack
                && symbols.iter().any(|extent| extent.as_constant().is_none())
            {
                self.report_dynamic(extents, "an extent of a stack block");
                return None;
            }
        }
        for (axis, entry) in plain.into_iter().enumerate() {
            let axis_name = axis_name(axis, rank);
            let extent = self.snapshot(entry, &format!("{hint}_{axis_name}"), true);
            if extent.as_constant().is_some_and(|extent| extent < 0) {
                self.diagnostics.error(
                    entry,
                    "an extent is negative",
                    "an extent is the number of indices of an axis",
                );
                return None;
            }
            if constructor == Constructor::Stack && extent.as_constant().is_none() {
                self.report_dynamic(entry, "an extent of a stack block");
                return None;
            }
            symbols.push(extent);
        }
        let (memory, place) = match constructor {
            Constructor::Heap => (Memory::Heap(element), None),
            Constructor::Stack => (Memory::Stack(element), None),
            Constructor::External => self.external(&call.args[0], false, rank, extents)?,
            Constructor::Rows => self.external(&call.args[0], true, rank, extents)?,
            Constructor::Grown => {
                // The caller sees the new length.
                self.walk.effects.opaque();
                let (_, place) = self.external(&call.args[0], false, rank, extents)?;
                (Memory::Grown, place)
            }
        };
        let placement = Placement::new(rank);
        Some(NewBlock { memory, place, extents: symbols, placement, layout: None, shape, checked })
    }

    /// Records a block, writes the statement that brings its memory into scope, and gives the view of it.
    pub(in crate::bind) fn store(
        &mut self,
        hint: &str,
        memory: Memory,
        place: Option<Box<Expr>>,
        space: TensorSpace<SymInt>,
        parent: Option<Rc<View>>,
        tokens: impl ToTokens,
    ) -> Option<Rc<View>> {
        self.assume_extents(&space);
        let addressing = match &memory {
            Memory::Rows => Addressing::Rows,
            _ => Addressing::Flat(self.report_location_error(Layout::row_major(&space.extents), &tokens)?),
        };
        Some(self.store_with(hint, memory, place, space, addressing, parent))
    }

    /// A block with a negative extent does not come into scope.
    pub(in crate::bind) fn assume_extents(&mut self, space: &TensorSpace<SymInt>) {
        for extent in &space.extents {
            if extent.range().lo.is_none_or(|lo| lo < 0) {
                self.assume(extent.clone());
            }
        }
    }

    /// Records a block whose addressing is known, see [`Self::store`].
    pub(in crate::bind) fn store_with(
        &mut self,
        hint: &str,
        memory: Memory,
        place: Option<Box<Expr>>,
        space: TensorSpace<SymInt>,
        addressing: Addressing,
        parent: Option<Rc<View>>,
    ) -> Rc<View> {
        let buffer = self.program.buffers.next_id();
        let local = match &memory {
            Memory::Over { of, .. } => self.program.buffers[*of].local.clone(),
            _ => self.names.fresh(&format!("{hint}_mem")),
        };
        let here = self.position();
        // In scope after the statement that binds it, which also asserts that it fits.
        let bound = crate::ir::ProgramPoint { statement: here.statement + 1, ..here };
        let may_mutate_through_methods = self.may_mutate_through_methods(&memory, place.as_deref());
        let element = self.element_type(&memory, place.as_deref());
        self.program.buffers.push(Buffer {
            name: hint.to_owned(),
            local,
            memory,
            space: space.clone(),
            addressing,
            shape: None,
            parent,
            bound,
            may_mutate_through_methods,
            element,
            cleared: true,
            checked: false,
        });
        self.write(StatementKind::Memory(buffer, place));
        Rc::new(View::of(hint.to_owned(), space, buffer))
    }

    /// Binds a name whose tensor could not be made: a scalar of rank eight, so that any access fits.
    pub(in crate::bind) fn bind_broken(&mut self, name: &syn::Ident) {
        let view = self.broken_view(&name.to_string());
        self.bind_tensor(name, view);
    }

    /// A tensor that stands for one that could not be made.
    pub(in crate::bind) fn broken_view(&mut self, name: &str) -> Rc<View> {
        let extents = vec![SymInt::constant(1); MAX_RANK];
        let space = TensorSpace { space: self.tensors.root_space.clone(), extents };
        let addressing = Addressing::Flat(Layout::strided(vec![SymInt::constant(0); MAX_RANK]));
        let view = self.store_with(name, Memory::Heap(None), None, space, addressing, None);
        self.tensors.broken.insert(view.buffer);
        view
    }
}

/// What an axis is called in names.
pub(in crate::bind) fn axis_name(axis: usize, rank: usize) -> &'static str {
    match (rank, axis) {
        (1, _) => "len",
        (2, 0) => "rows",
        (2, 1) => "cols",
        (3, 0) => "extent0",
        (3, 1) => "extent1",
        (3, 2) => "extent2",
        _ => "extent",
    }
}

/// Whether `expr` is a block that is still being placed.
fn is_constructor_chain(expr: &Expr) -> bool {
    match surface::strip_parens(expr) {
        Expr::Call(call) => Constructor::called(call).is_some(),
        Expr::MethodCall(call) => {
            TensorMethod::of(&call.method).is_some_and(|method| method.kind() == MethodKind::Placement)
                && is_constructor_chain(&call.receiver)
        }
        _ => false,
    }
}
