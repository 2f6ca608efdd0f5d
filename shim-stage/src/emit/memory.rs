//! Memory comes into scope.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Expr, Stmt};

use crate::ir::{Layout, Memory, StorageId};

use super::{Emitter, statement};

impl Emitter<'_> {
    /// The statements that bring a block's memory into scope, with the assertion that its extents fit.
    pub(super) fn bind(&mut self, id: StorageId, out: &mut Vec<Stmt>) {
        let program = self.program;
        let storage = &program.storages[id];
        let krate = self.krate.clone();
        let local = &storage.local;
        let (kernel, tensor) = (&program.name, &storage.name);
        let extents: Vec<TokenStream> =
            storage.space.extents.iter().map(|extent| self.checked_value(extent)).collect();
        let written = self.written[id];
        match &storage.memory {
            Memory::Slice(place) => {
                let mut place = (**place).clone();
                self.fill(&mut place);
                let place = sliced(place);
                let mutability = written.then(|| quote!(mut));
                out.push(statement(quote!(let #local: & #mutability [_] = & #mutability #place[..])));
                out.push(statement(match self.strides(id) {
                    Some(strides) => quote!(#krate::__private::strided_fits(
                        #kernel, #tensor, [#(#extents),*], #strides, #local.len())),
                    None => {
                        quote!(#krate::__private::fits(#kernel, #tensor, [#(#extents),*], #local.len()))
                    }
                }));
            }
            Memory::Rows(place) => {
                let mut place = (**place).clone();
                self.fill(&mut place);
                let place = sliced(place);
                let mutability = written.then(|| quote!(mut));
                out.push(statement(quote!(let #local: & #mutability [_] = & #mutability #place[..])));
                out.push(statement(quote!(#krate::__private::rows_fit(
                    #kernel, #tensor, [#(#extents),*], #local.len(), |row| #krate::__private::Row::row(&#local[row]).len()))));
            }
            Memory::Pointer(place) => {
                let mut place = (**place).clone();
                self.fill(&mut place);
                let pointer = quote::format_ident!("{local}_pointer");
                let length = quote::format_ident!("{local}_len");
                let take = if written { quote!(from_raw_parts_mut) } else { quote!(from_raw_parts) };
                let count = match self.strides(id) {
                    Some(strides) => {
                        quote!(#krate::__private::span(#kernel, #tensor, [#(#extents),*], #strides))
                    }
                    None => quote!(#krate::__private::product(#kernel, #tensor, [#(#extents),*])),
                };
                out.push(statement(quote!(let #length = #count)));
                out.push(statement(quote!(let #pointer = #place)));
                // The kernel is an `unsafe fn`: its caller answers for the pointer.
                out.push(statement(quote!(let #local = unsafe { ::core::slice::#take(#pointer, #length) })));
            }
            Memory::Runtime { parameter, mutable, by_reference, base, extents, strides } => {
                let (parts, place) = match (mutable, by_reference) {
                    (false, false) => (quote!(parts), quote!(&#parameter)),
                    (false, true) => (quote!(parts), quote!(&*#parameter)),
                    (true, true) => (quote!(parts_mut), quote!(&mut *#parameter)),
                    (true, false) => {
                        out.push(statement(quote!(let mut #parameter = #parameter)));
                        (quote!(parts_mut), quote!(&mut #parameter))
                    }
                };
                out.push(statement(quote! {
                    let (#local, #base, [#(#extents),*], [#(#strides),*]) =
                        #krate::__private::#parts(#kernel, #tensor, #place)
                }));
            }
            Memory::Heap(ty) => {
                let ty = ty.as_ref().map_or_else(|| quote!(_), |ty| quote!(#ty));
                let mutability = written.then(|| quote!(mut));
                out.push(statement(quote! {
                    let #mutability #local = #krate::__private::heap::<#ty>(
                        #krate::__private::product(#kernel, #tensor, [#(#extents),*]))
                }));
            }
            Memory::Stack(ty) => {
                let ty = ty.as_ref().map_or_else(|| quote!(_), |ty| quote!(#ty));
                let mutability = written.then(|| quote!(mut));
                let count = self.count(id);
                out.push(statement(quote! {
                    let #mutability #local = #krate::__private::stack::<#ty, #count>()
                }));
            }
            Memory::Like { view, stack, .. } => {
                let mutability = written.then(|| quote!(mut));
                let source = &program.storages[view.storage];
                let element = &source.local;
                let memory = match (view.casts.last(), stack) {
                    (Some(ty), false) => quote! {
                        #krate::__private::heap::<#ty>(
                            #krate::__private::product(#kernel, #tensor, [#(#extents),*]))
                    },
                    (Some(ty), true) => {
                        let count = self.count(id);
                        quote!(#krate::__private::stack::<#ty, #count>())
                    }
                    (None, stack) => {
                        let like = match source.layout {
                            Layout::Rows => {
                                quote!(|row: usize, column: usize| #krate::__private::Row::row(&#element[row])[column])
                            }
                            Layout::Strided { .. } => quote!(|at: usize, _: usize| #element[at]),
                        };
                        if *stack {
                            let count = self.count(id);
                            quote!(#krate::__private::stack_like::<_, #count>(#like))
                        } else {
                            quote! {
                                #krate::__private::heap_like(
                                    #like, #krate::__private::product(#kernel, #tensor, [#(#extents),*]))
                            }
                        }
                    }
                };
                out.push(statement(quote!(let #mutability #local = #memory)));
            }
        }
    }

    /// The strides that the user gives a block, as a list.
    fn strides(&self, id: StorageId) -> Option<TokenStream> {
        let storage = &self.program.storages[id];
        let Layout::Strided { strides, .. } = &storage.layout else { return None };
        let strides = strides.iter().map(|stride| self.checked_value(stride));
        storage.strided.then(|| quote!([#(#strides),*]))
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
