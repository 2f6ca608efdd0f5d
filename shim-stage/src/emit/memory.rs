//! Memory comes into scope.

use proc_macro2::TokenStream;
use shim_core::Layout;
use syn::{Expr, Stmt};

use crate::ir::{Addressing, ElementType, Memory, PlaceLocals, StorageId};

use super::{Emitter, statement};

impl Emitter<'_> {
    /// The statements that bring a block's memory into scope, with the assertion that its extents fit.
    pub(super) fn bind(&mut self, id: StorageId, place: Option<&Expr>, out: &mut Vec<Stmt>) {
        let program = self.program;
        let storage = &program.storages[id];
        let rt = self.runtime.clone();
        let local = &storage.local;
        let (kernel, tensor) = (&program.name, &storage.name);
        let extents: Vec<TokenStream> =
            storage.space.extents.iter().map(|extent| self.checked_value(extent)).collect();
        let written = self.written[id];
        let place = place.map(|place| {
            let mut place = place.clone();
            self.fill(&mut place);
            place
        });
        match &storage.memory {
            Memory::Slice => {
                let place = place.map(sliced);
                let mutability = written.then(|| hygienic!(mut));
                out.push(statement(hygienic!(let #local: & #mutability [_] = & #mutability #place[..])));
                out.push(statement(match self.strides(id) {
                    Some(strides) => hygienic!(#rt.strided_fits(
                        #kernel, #tensor, [#(#extents),*], #strides, #local.len())),
                    None => {
                        hygienic!(#rt.fits(#kernel, #tensor, [#(#extents),*], #local.len()))
                    }
                }));
            }
            Memory::Rows => {
                let place = place.map(sliced);
                let mutability = written.then(|| hygienic!(mut));
                out.push(statement(hygienic!(let #local: & #mutability [_] = & #mutability #place[..])));
                out.push(statement(hygienic!(#rt.rows_fit(
                    #kernel, #tensor, [#(#extents),*], #local.len(), |row| #rt.row(&#local[row]).len()))));
            }
            Memory::Pointer => {
                let pointer = quote::format_ident!("{local}_pointer", span = local.span());
                let length = quote::format_ident!("{local}_len", span = local.span());
                let take = if written { hygienic!(slice_mut) } else { hygienic!(slice) };
                let count = match self.strides(id) {
                    Some(strides) => {
                        hygienic!(#rt.span(#kernel, #tensor, [#(#extents),*], #strides))
                    }
                    None => hygienic!(#rt.product(#kernel, #tensor, [#(#extents),*])),
                };
                out.push(statement(hygienic!(let #length = #count)));
                out.push(statement(hygienic!(let #pointer = #place)));
                // The kernel is an `unsafe fn`: its caller answers for the pointer.
                out.push(statement(hygienic!(let #local = unsafe { #rt.#take(#pointer, #length) })));
            }
            Memory::Runtime { parameter, mutable, by_reference, base, extents, strides, .. } => {
                let (parts, place) = match (mutable, by_reference) {
                    (false, false) => (hygienic!(parts), hygienic!(&#parameter)),
                    (false, true) => (hygienic!(parts), hygienic!(&*#parameter)),
                    (true, true) => (hygienic!(parts_mut), hygienic!(&mut *#parameter)),
                    (true, false) => {
                        out.push(statement(hygienic!(let mut #parameter = #parameter)));
                        (hygienic!(parts_mut), hygienic!(&mut #parameter))
                    }
                };
                out.push(statement(hygienic! {
                    let (#local, #base, [#(#extents),*], [#(#strides),*]) =
                        #rt.#parts(#kernel, #tensor, #place)
                }));
            }
            Memory::Place(None) => {}
            Memory::Place(Some(PlaceLocals { place, origin, extents })) => {
                out.push(statement(hygienic! {
                    let ([#(#origin),*], [#(#extents),*]) = #rt.place(#kernel, #tensor, #place)
                }));
            }
            Memory::Heap(ty) => {
                let ty = ty.as_ref().map_or_else(|| hygienic!(_), |ty| hygienic!(#ty));
                let mutability = written.then(|| hygienic!(mut));
                out.push(statement(hygienic! {
                    let #mutability #local = #rt.heap::<#ty>(
                        #rt.product(#kernel, #tensor, [#(#extents),*]))
                }));
            }
            Memory::Stack(ty) => {
                let ty = ty.as_ref().map_or_else(|| hygienic!(_), |ty| hygienic!(#ty));
                let mutability = written.then(|| hygienic!(mut));
                let count = self.count(id);
                out.push(statement(hygienic! {
                    let #mutability #local = #rt.stack::<#ty, #count>()
                }));
            }
            Memory::Like { view, stack, .. } => {
                let mutability = written.then(|| hygienic!(mut));
                let source = &program.storages[view.storage];
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
                        let like = match source.addressing {
                            Addressing::Rows => {
                                hygienic!(|row, column| #rt.row(&#element[row])[column])
                            }
                            Addressing::Flat(_) => hygienic!(|at, _| #element[at]),
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
        }
    }

    /// The strides of a block that is not simply in row-major order, as a list.
    fn strides(&self, id: StorageId) -> Option<TokenStream> {
        let storage = &self.program.storages[id];
        let Addressing::Flat(layout) = &storage.addressing else { return None };
        let strides = layout.strides().iter().map(|stride| self.checked_value(stride));
        let row_major = Layout::row_major(&storage.space.extents).is_ok_and(|order| order == *layout);
        (!row_major).then(|| hygienic!([#(#strides),*]))
    }

    /// The number of elements of a block with static extents.
    fn count(&self, id: StorageId) -> proc_macro2::Literal {
        let extents = &self.program.storages[id].space.extents;
        let count = extents
            .iter()
            .map(|extent| extent.as_constant().and_then(|e| u64::try_from(e).ok()).unwrap_or(0))
            .try_fold(1u64, u64::checked_mul)
            .unwrap_or(u64::MAX);
        proc_macro2::Literal::u64_unsuffixed(count)
    }
}

/// A place to which `[..]` can be appended. Of `&mut place` the place itself: whether it is borrowed mutably depends on
/// what the kernel does with it.
fn sliced(place: Expr) -> Expr {
    match place {
        Expr::Reference(reference) if reference.mutability.is_some() => sliced(*reference.expr),
        Expr::Reference(_) | Expr::Unary(_) | Expr::Cast(_) => syn::parse_quote!((#place)),
        other => other,
    }
}
