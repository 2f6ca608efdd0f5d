//! Memory comes into scope.

use proc_macro2::{Ident, Literal, TokenStream};
use shim_core::Layout;
use syn::{Expr, Stmt};

use crate::ir::{Addressing, BufferId, ElementType, Id, Memory, PlaceLocals, RuntimeTensor};
use crate::symbolic::SymInt;

use super::{Emitter, statement};

impl Emitter<'_> {
    /// The statements that bring a block's memory into scope, with the assertion that its extents fit.
    ///
    /// Long: one arm for each kind of memory.
    pub(super) fn bind(&mut self, id: BufferId, place: Option<&Expr>, out: &mut Vec<Stmt>) {
        let program = self.program;
        let buffer = &program.buffers[id];
        let rt = self.runtime.clone();
        let local = &buffer.local;
        let (kernel, tensor) = (&program.name, &buffer.name);
        let extents: Vec<TokenStream> =
            buffer.space.extents.iter().map(|extent| self.checked_value(extent)).collect();
        let written = program.written[id];
        if let Some(packed) = &buffer.shape {
            let bound = self.checked_value(&packed.bound);
            out.push(statement(hygienic!(#rt.assert_shape_fits(#kernel, #tensor, [#(#extents),*], #bound))));
        }
        if matches!(&buffer.addressing, Addressing::Flat(layout) if layout.has_curve()) {
            out.push(statement(hygienic!(#rt.assert_curve_fits(#kernel, #tensor, [#(#extents),*]))));
        }
        let place = place.map(|place| {
            let mut place = place.clone();
            self.fill(&mut place);
            place
        });
        match &buffer.memory {
            Memory::Slice => {
                let place = place.map(sliced);
                let mutability = written.then(|| hygienic!(mut));
                out.push(statement(hygienic!(let #local: & #mutability [_] = & #mutability #place[..])));
                out.push(statement(match self.span(id) {
                    Footprint::Product if buffer.checked => return,
                    Footprint::Product => {
                        hygienic!(#rt.assert_fits(#kernel, #tensor, [#(#extents),*], #local.len()))
                    }
                    Footprint::Strides(strides) => hygienic!(#rt.assert_strided_fits(
                        #kernel, #tensor, [#(#extents),*], #strides, #local.len())),
                    Footprint::Elements(count) => hygienic!(#rt.assert_stored_fits(
                        #kernel, #tensor, [#(#extents),*], #count, #local.len())),
                }));
            }
            Memory::Rows => {
                let place = place.map(sliced);
                let mutability = written.then(|| hygienic!(mut));
                out.push(statement(hygienic!(let #local: & #mutability [_] = & #mutability #place[..])));
                let row = self.names.parameter("row");
                out.push(statement(hygienic!(#rt.assert_rows_fit(
                    #kernel, #tensor, [#(#extents),*], #local.len(), |#row| #rt.row(&#local[#row]).len()))));
            }
            Memory::Pointer => {
                let pointer = quote::format_ident!("{local}_pointer", span = local.span());
                let length = quote::format_ident!("{local}_len", span = local.span());
                let take = if written { hygienic!(slice_mut) } else { hygienic!(slice) };
                let count = self.number_of_elements(id, &extents);
                out.push(statement(hygienic!(let #length = #count)));
                out.push(statement(hygienic!(let #pointer = #place)));
                // The kernel is an `unsafe fn`: its caller answers for the pointer.
                out.push(statement(hygienic!(let #local = unsafe { #rt.#take(#pointer, #length) })));
            }
            Memory::Grown => {
                let count = self.number_of_elements(id, &extents);
                out.push(statement(hygienic!(let #local = #rt.grown(#place, #count))));
            }
            Memory::Runtime(tensor) => self.runtime_tensor(id, tensor, out),
            Memory::Place(None) | Memory::Over { reshaped: None, .. } => {}
            Memory::Place(Some(PlaceLocals { place, origin, extents })) => {
                out.push(statement(hygienic! {
                    let ([#(#origin),*], [#(#extents),*]) = #rt.place(#kernel, #tensor, #place)
                }));
            }
            Memory::Heap(ty) => {
                let mutability = written.then(|| hygienic!(mut));
                let count = self.number_of_elements(id, &extents);
                let memory = match self.zero_of(ty.as_deref()) {
                    Ok(zero) => hygienic!(#rt.heap_of(#zero, #count)),
                    Err(ty) => hygienic!(#rt.heap::<#ty>(#count)),
                };
                out.push(statement(hygienic!(let #mutability #local = #memory)));
            }
            Memory::Stack(ty) if !buffer.cleared => {
                let memory = quote::format_ident!("{local}_unset", span = local.span());
                let count = self.count(id);
                let unset = match self.zero_of(ty.as_deref()) {
                    Ok(zero) => hygienic!(#rt.unset_of::<_, #count>(#zero)),
                    Err(ty) => hygienic!(#rt.unset::<#ty, #count>()),
                };
                out.push(statement(hygienic!(let mut #memory = #unset)));
                out.push(statement(hygienic!(let #local = #rt.elements_of(&mut #memory))));
            }
            Memory::Stack(ty) => {
                let mutability = written.then(|| hygienic!(mut));
                let count = self.count(id);
                let memory = match self.zero_of(ty.as_deref()) {
                    Ok(zero) => hygienic!(#rt.stack_of::<_, #count>(#zero)),
                    Err(ty) => hygienic!(#rt.stack::<#ty, #count>()),
                };
                out.push(statement(hygienic!(let #mutability #local = #memory)));
            }
            Memory::Like { view, stack, .. } => {
                let mutability = written.then(|| hygienic!(mut));
                let source = &program.buffers[view.buffer];
                let element = &source.local;
                let memory = match (view.casts.last(), stack) {
                    (Some(ElementType { ty, .. }), false) => hygienic! {
                        #rt.heap::<#ty>(
                            #rt.product(#kernel, #tensor, [#(#extents),*]))
                    },
                    (Some(ElementType { ty, .. }), true) => {
                        let count = self.count(id);
                        hygienic!(#rt.stack::<#ty, #count>())
                    }
                    (None, stack) => {
                        let [row, column, at] =
                            ["row", "column", "at"].map(|name| self.names.parameter(name));
                        let like = match source.addressing {
                            Addressing::Rows => {
                                hygienic!(|#row, #column| #rt.row(&#element[#row])[#column])
                            }
                            Addressing::Flat(_) => hygienic!(|#at, _| #element[#at]),
                        };
                        if *stack {
                            let count = self.count(id);
                            hygienic!(#rt.stack_like::<_, #count>(#like))
                        } else {
                            hygienic! {
                                #rt.heap_like(
                                    #like, #rt.product(#kernel, #tensor, [#(#extents),*]))
                            }
                        }
                    }
                };
                out.push(statement(hygienic!(let #mutability #local = #memory)));
            }
            Memory::Over { reshaped: Some(of), .. } => {
                if !has_as_many(of, &buffer.space.extents) {
                    let of: Vec<TokenStream> = of.iter().map(|extent| self.checked_value(extent)).collect();
                    out.push(statement(
                        hygienic!(#rt.assert_reshapes(#kernel, #tensor, [#(#of),*], [#(#extents),*])),
                    ));
                }
            }
        }
    }

    /// A cleared element, if its type is an array; else the type.
    fn zero_of(&self, ty: Option<&syn::Type>) -> Result<TokenStream, TokenStream> {
        fn zero(rt: &Ident, ty: &syn::Type) -> TokenStream {
            match ty {
                syn::Type::Array(array) => {
                    let (element, count) = (zero(rt, &array.elem), &array.len);
                    hygienic!([#element; #count])
                }
                ty => hygienic!(#rt.zero::<#ty>()),
            }
        }
        match ty {
            Some(ty @ syn::Type::Array(_)) => Ok(zero(self.runtime, ty)),
            Some(ty) => Err(hygienic!(#ty)),
            None => Err(hygienic!(_)),
        }
    }

    /// Takes a tensor of the runtime library apart, and locates it where the kernel relates it to others: all of these
    /// are in one root space.
    fn runtime_tensor(&self, id: BufferId, tensor: &RuntimeTensor, out: &mut Vec<Stmt>) {
        let rt = &self.runtime;
        let (kernel, buffer) = (&self.program.name, &self.program.buffers[id]);
        let (local, name) = (&buffer.local, &buffer.name);
        let RuntimeTensor { parameter, mutable, base, extents, strides, origin, declared, .. } = tensor;
        let shared = tensor.shared();
        if tensor.located {
            let later = self.program.buffers.iter().skip(id.index() + 1);
            let mut located = later.filter_map(|buffer| match &buffer.memory {
                Memory::Runtime(other) if other.located => Some((&buffer.name, other.shared())),
                _ => None,
            });
            if let Some((next, other)) = located.next() {
                out.push(statement(hygienic!(#rt.assert_one_root(#kernel, [#name, #next], #shared, #other))));
            }
            let declared = declared.iter().map(|(axis, refinement, coarsening)| {
                let axis = Literal::usize_unsuffixed(*axis);
                let [refinement, coarsening] =
                    [refinement, coarsening].map(|&factor| Literal::i64_unsuffixed(factor));
                hygienic!((#axis, #refinement, #coarsening))
            });
            out.push(statement(hygienic! {
                let [#(#origin),*] = #rt.origin(#kernel, #name, #shared, [#(#declared),*])
            }));
        }
        let (parts, place) = match (mutable, tensor.by_reference) {
            (false, _) => (hygienic!(parts), shared),
            (true, true) => (hygienic!(parts_mut), hygienic!(&mut *#parameter)),
            (true, false) => {
                out.push(statement(hygienic!(let mut #parameter = #parameter)));
                (hygienic!(parts_mut), hygienic!(&mut #parameter))
            }
        };
        out.push(statement(hygienic! {
            let (#local, #base, [#(#extents),*], [#(#strides),*]) = #rt.#parts(#kernel, #name, #place)
        }));
    }

    /// The number of elements of a block's memory, as an expression.
    fn number_of_elements(&self, id: BufferId, extents: &[TokenStream]) -> TokenStream {
        let rt = &self.runtime;
        let (kernel, tensor) = (&self.program.name, &self.program.buffers[id].name);
        match self.span(id) {
            Footprint::Product => hygienic!(#rt.product(#kernel, #tensor, [#(#extents),*])),
            Footprint::Strides(strides) => {
                hygienic!(#rt.strided_len(#kernel, #tensor, [#(#extents),*], #strides))
            }
            Footprint::Elements(count) => {
                hygienic!(#rt.stored_len(#kernel, #tensor, [#(#extents),*], #count))
            }
        }
    }

    /// How much memory a block takes.
    fn span(&self, id: BufferId) -> Footprint {
        let buffer = &self.program.buffers[id];
        let Addressing::Flat(layout) = &buffer.addressing else { return Footprint::Product };
        if Layout::row_major(&buffer.space.extents).is_ok_and(|order| order == *layout) {
            return Footprint::Product;
        }
        match layout.size() {
            Some(size) => Footprint::Elements(self.checked_value(size)),
            None => {
                let strides = layout.strides().unwrap_or_default();
                let strides = strides.iter().map(|stride| self.checked_value(stride));
                Footprint::Strides(hygienic!([#(#strides),*]))
            }
        }
    }

    /// The number of elements of a block with static extents.
    fn count(&self, id: BufferId) -> proc_macro2::Literal {
        let buffer = &self.program.buffers[id];
        let size = match &buffer.addressing {
            Addressing::Flat(layout) => layout.size().and_then(SymInt::as_constant),
            Addressing::Rows => None,
        };
        let constant = |extent: &SymInt| u64::try_from(extent.as_constant()?).ok();
        let extents = || buffer.space.extents.iter().map(|extent| constant(extent).unwrap_or(0));
        let product = || extents().try_fold(1u64, u64::checked_mul).unwrap_or(u64::MAX);
        let count = size.and_then(|size| u64::try_from(size).ok()).unwrap_or_else(product);
        proc_macro2::Literal::u64_unsuffixed(count)
    }
}

/// Whether boxes of two extents are known to have the same number of elements, and no negative extent.
fn has_as_many(a: &[SymInt], b: &[SymInt]) -> bool {
    let count = |extents: &[SymInt]| {
        extents.iter().try_fold(SymInt::constant(1), |count, extent| count.mul(extent)).ok()
    };
    let constant = |extents: &[SymInt]| extents.iter().all(|extent| extent.as_constant().is_some());
    // Those of constants were compared when the tensor was bound.
    constant(a) && constant(b)
        || count(a).is_some_and(|known| count(b) == Some(known))
            && b.iter().all(|extent| extent.range().is_nonnegative())
}

/// How much memory a block takes.
enum Footprint {
    /// An element for each index.
    Product,
    /// What these strides reach.
    Strides(TokenStream),
    /// So many elements, with padding.
    Elements(TokenStream),
}

/// A place to which `[..]` can be appended. Of `&mut place` the place itself: whether it is borrowed mutably depends on
/// what the kernel does with it.
pub(super) fn sliced(place: Expr) -> Expr {
    match place {
        Expr::Reference(reference) if reference.mutability.is_some() => sliced(*reference.expr),
        Expr::Reference(_) | Expr::Unary(_) | Expr::Cast(_) => syn::parse_quote!((#place)),
        other => other,
    }
}
