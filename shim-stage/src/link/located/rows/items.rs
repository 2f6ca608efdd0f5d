//! What the expansion of a struct that is cut into rows has beside it.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::parse::{ParseStream, Parser};
use syn::{ItemStruct, Token};

use crate::link::located::declaration::{Checked, Declaration, FieldPath};
use crate::link::transport;

use super::cut::{Cut, FIRST_ROW};
use super::parts::{COUNT, Parts, RUNTIME, local};

impl Parts<'_> {
    /// A struct of rows with all that it does.
    ///
    /// Long: one quotation of the items.
    pub(super) fn rows(self, cut: &Cut, declared: &ItemStruct, key: &Ident) -> (Declaration, TokenStream) {
        let Self {
            cut: _,
            shim,
            key: number,
            mut declaration,
            fields,
            whole,
            reborrowed,
            fits,
            apart,
            first,
            rest,
            methods,
        } = self;
        let Cut { axis, name } = cut;
        let (whole_name, vis) = (&declared.ident, &declared.vis);
        let mutable = format_ident!("{key}_mut", span = key.span());
        let struct_of_fields = format_ident!("__shim_{name}Fields", span = key.span());
        declaration.checked.push(Checked {
            owner: FieldPath::default(),
            shared: key.clone(),
            mutable: mutable.clone(),
            key: syn::parse_quote!(#number),
        });
        let carried = quote!(located { #declaration });
        let export = transport::carrier(key, name, vis, &[], carried, &misuse(name));
        let first_row = Ident::new(FIRST_ROW, axis.span());
        let (generics, arguments, bounds) = declared.generics.split_for_impl();
        let fields = visible(fields, vis);
        let about =
            format!(" Rows of a [`{whole_name}`], which keep their place in it: see [`{whole_name}::rows`].");
        // What expansions make has the hygiene of the macro; rustc's lints take it for what it is.
        let private = quote!(#shim::__private);
        let (count, runtime) = (local(COUNT), local(RUNTIME));
        let unsafe_impl = quote_spanned!(Span::mixed_site()=> unsafe impl);
        let items = quote! {
            #[doc = #about]
            #vis struct #name<'rows>(#private::Checked<#struct_of_fields<'rows>, #number>);

            #[doc(hidden)]
            #[allow(non_camel_case_types, missing_debug_implementations, unreachable_pub)]
            #vis struct #struct_of_fields<'rows> { #fields }

            #[allow(clippy::all, clippy::pedantic, clippy::undocumented_unsafe_blocks, unused_variables, unused_parens)]
            #unsafe_impl<'rows> #private::Fields<#number> for #struct_of_fields<'rows> {
                #[inline(always)]
                fn fits(&self, #runtime: #private::Runtime) {
                    #fits
                }
            }

            #[allow(clippy::all, clippy::pedantic, clippy::undocumented_unsafe_blocks, unused_variables, unused_parens)]
            #unsafe_impl<'rows> #private::RowFields<#number> for #struct_of_fields<'rows> {
                type Reborrowed<'shorter> = #struct_of_fields<'shorter> where Self: 'shorter;

                #[inline(always)]
                fn rows(&self) -> ::core::ops::Range<usize> {
                    self.#first_row..self.#first_row + self.#axis
                }

                #[inline(always)]
                fn reborrow(&mut self) -> Self::Reborrowed<'_> {
                    #struct_of_fields { #reborrowed }
                }

                fn split(self, #count: usize, #runtime: #private::Runtime) -> (Self, Self) {
                    #apart
                    (#struct_of_fields { #first }, #struct_of_fields { #rest })
                }
            }

            impl #generics #private::Located for #whole_name #arguments #bounds {
                type Rows<'rows> = #name<'rows> where Self: 'rows;

                fn all_rows(&mut self) -> Self::Rows<'_> {
                    #name(#private::Checked::new(#struct_of_fields { #whole }))
                }
            }

            #[allow(dead_code, clippy::all, clippy::pedantic)]
            impl #generics #whole_name #arguments #bounds {
                /// Some of its rows, to be written: those of this range, which keep their place.
                ///
                /// # Panics
                /// When it has fewer rows, or a field is shorter than its shape.
                #[track_caller]
                #vis fn rows(&mut self, rows: ::core::ops::Range<usize>) -> #name<'_> {
                    #name(#private::Located::all_rows(self).0.part(rows))
                }
            }

            impl<'rows> #private::LocatedRows for #name<'rows> {
                type Reborrowed<'shorter> = #name<'shorter> where Self: 'shorter;

                fn range(&self) -> ::core::ops::Range<usize> {
                    self.0.range()
                }

                fn reborrow(&mut self) -> Self::Reborrowed<'_> {
                    #name(self.0.reborrow())
                }

                fn split(self, count: usize) -> (Self, Self) {
                    let (first, rest) = self.0.split(count);
                    (#name(first), #name(rest))
                }
            }

            #[allow(dead_code, clippy::all, clippy::pedantic)]
            impl<'rows> #name<'rows> {
                /// The rows, as they are numbered in the whole.
                #vis fn range(&self) -> ::core::ops::Range<usize> {
                    self.0.range()
                }

                /// Some of these rows, as they are numbered in the whole.
                ///
                /// # Panics
                /// When some of them are not among these.
                #[track_caller]
                #vis fn rows(&mut self, rows: ::core::ops::Range<usize>) -> #name<'_> {
                    #name(self.0.reborrow().part(rows))
                }

                /// The rows before one of them, and it with those after it, as they are numbered in the whole.
                ///
                /// # Panics
                /// When it is not among these, nor the one after the last.
                #[track_caller]
                #vis fn split_at_row(self, row: usize) -> (Self, Self) {
                    let (before, from) = self.0.split_at_row(row);
                    (#name(before), #name(from))
                }

                #methods

                #[doc(hidden)]
                #[allow(non_snake_case)]
                #[inline(always)]
                #vis fn #key(&self) -> &#private::Checked<#struct_of_fields<'rows>, #number> {
                    &self.0
                }

                #[doc(hidden)]
                #[allow(non_snake_case)]
                #[inline(always)]
                #vis fn #mutable(&mut self) -> #private::Checked<#struct_of_fields<'_>, #number> {
                    self.0.reborrow()
                }
            }

            impl ::core::fmt::Debug for #name<'_> {
                fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                    f.debug_tuple(::core::stringify!(#name)).field(&self.0.range()).finish()
                }
            }

            #export
        };
        (declaration, items)
    }

    /// A view with all that it does.
    ///
    /// Long: one quotation of the items.
    pub(super) fn view(self, name: &Ident, declared: &ItemStruct, key: &Ident) -> (Declaration, TokenStream) {
        let Self { shim, key: number, mut declaration, fields, whole, fits, .. } = self;
        let (whole_name, vis) = (&declared.ident, &declared.vis);
        let mutable = format_ident!("{key}_mut", span = key.span());
        let struct_of_fields = format_ident!("__shim_{name}Fields", span = key.span());
        declaration.checked.push(Checked {
            owner: FieldPath::default(),
            shared: key.clone(),
            mutable: mutable.clone(),
            key: syn::parse_quote!(#number),
        });
        let carried = quote!(located { #declaration });
        let export = transport::carrier(key, name, vis, &[], carried, &misuse(name));
        let (generics, arguments, bounds) = declared.generics.split_for_impl();
        let fields = visible(fields, vis);
        let about = format!(" All of a [`{whole_name}`], to be read: see [`{whole_name}::view`].");
        let (private, runtime) = (quote!(#shim::__private), local(RUNTIME));
        let unsafe_impl = quote_spanned!(Span::mixed_site()=> unsafe impl);
        let items = quote! {
            #[doc = #about]
            #[derive(Clone, Copy)]
            #vis struct #name<'rows>(#private::Checked<#struct_of_fields<'rows>, #number>);

            #[doc(hidden)]
            #[derive(Clone, Copy)]
            #[allow(non_camel_case_types, missing_debug_implementations, unreachable_pub)]
            #vis struct #struct_of_fields<'rows> { #fields }

            #[allow(clippy::all, clippy::pedantic, clippy::undocumented_unsafe_blocks, unused_parens)]
            #unsafe_impl<'rows> #private::Fields<#number> for #struct_of_fields<'rows> {
                #[inline(always)]
                fn fits(&self, #runtime: #private::Runtime) {
                    #fits
                }
            }

            impl #generics #private::Viewed for #whole_name #arguments #bounds {
                type View<'rows> = #name<'rows> where Self: 'rows;

                fn view_all(&self) -> Self::View<'_> {
                    #name(#private::Checked::new(#struct_of_fields { #whole }))
                }
            }

            #[allow(dead_code, clippy::all, clippy::pedantic)]
            impl #generics #whole_name #arguments #bounds {
                /// All of it, to be read by kernels that do not check its lengths again.
                ///
                /// # Panics
                /// When a field is shorter than its shape.
                #[track_caller]
                #vis fn view(&self) -> #name<'_> {
                    #private::Viewed::view_all(self)
                }
            }

            #[allow(dead_code, clippy::all, clippy::pedantic)]
            impl<'rows> #name<'rows> {
                #[doc(hidden)]
                #[allow(non_snake_case)]
                #[inline(always)]
                #vis const fn #key(&self) -> &#private::Checked<#struct_of_fields<'rows>, #number> {
                    &self.0
                }

                #[doc(hidden)]
                #[allow(non_snake_case)]
                #[inline(always)]
                #vis const fn #mutable(&self) -> #private::Checked<#struct_of_fields<'rows>, #number> {
                    self.0
                }
            }

            impl ::core::fmt::Debug for #name<'_> {
                fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                    f.debug_struct(::core::stringify!(#name)).finish_non_exhaustive()
                }
            }

            #export
        };
        (declaration, items)
    }
}

/// The error of a struct of rows that is called as a macro.
pub(super) fn misuse(name: &Ident) -> String {
    format!("`{name}` is a located struct: take it in a kernel, as in `#[located] it: &mut {name}<'_>`")
}

/// Fields `name: Type,` with the visibility of their struct.
fn visible(fields: TokenStream, vis: &syn::Visibility) -> TokenStream {
    let named = |input: ParseStream<'_>| input.parse_terminated(syn::Field::parse_named, Token![,]);
    let fields = named.parse2(fields).unwrap_or_default();
    fields.into_iter().map(|field| quote!(#vis #field,)).collect()
}
