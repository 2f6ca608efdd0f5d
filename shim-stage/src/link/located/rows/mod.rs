//! Structs of rows: `#[shim::located(rows(h) as PictureRows)]` makes a second located struct, which has some rows of the first one
//! by `&mut`.
//!
//! Its tensors keep their places: they begin at the root's row where they begin in the whole. Its fields are out of reach for
//! everything but kernels, so that the lengths that were checked where it was made still hold (`src/private/located.rs`):
//!
//! ```text
//! struct PictureRows<'rows>(Checked<PictureRowsFields<'rows>, KEY>);
//! struct PictureRowsFields<'rows> { h: usize, first_row: usize, w: usize, luma: &'rows mut [u8], .. }
//! ```

mod cut;
mod items;
mod parts;

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use syn::parse::{ParseStream, Parser};
use syn::{ItemStruct, Path, Result, Token, parenthesized};

use crate::diagnostics::Diagnostics;
use crate::hygiene;
use crate::link::{tokens, transport};

use super::declaration::Declaration;
pub(super) use cut::{Cut, Member, MemberKind};

use cut::FIRST_ROW;
use items::misuse;
use parts::Parts;

/// The arguments of `#[shim::located]`.
pub(super) fn arguments(attribute: &TokenStream) -> Result<Option<Cut>> {
    let read = |input: ParseStream<'_>| {
        let mut cut = None;
        while !input.is_empty() {
            if input.parse::<Option<Token![crate]>>()?.is_some() {
                input.parse::<Token![=]>()?;
                Path::parse_mod_style(input)?;
            } else {
                let word: Ident = input.parse()?;
                if word != "rows" || cut.is_some() {
                    return Err(syn::Error::new(word.span(), "expected `rows` once, or `crate`"));
                }
                let list;
                parenthesized!(list in input);
                let axis = list.parse()?;
                if !list.is_empty() {
                    return Err(list.error("expected one extent"));
                }
                input.parse::<Token![as]>()?;
                cut = Some(Cut { axis, name: input.parse()? });
            }
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        Ok(cut)
    };
    read.parse2(attribute.clone())
}

impl Cut {
    /// The declaration of the struct of rows, and its items.
    pub(super) fn expand(
        &self,
        declared: &ItemStruct,
        members: &[Member],
        shim: &TokenStream,
        diagnostics: &mut Diagnostics,
    ) -> Option<(Declaration, TokenStream)> {
        if let Some(parameter) = declared
            .generics
            .params
            .iter()
            .find(|parameter| !matches!(parameter, syn::GenericParam::Lifetime(_)))
        {
            diagnostics.error(
                parameter,
                "a generic struct cannot be cut into rows",
                "give its fields elements of a concrete type",
            );
        }
        if !members.iter().any(|member| {
            matches!(member.kind, MemberKind::Extent) && hygiene::same(&member.name, &self.axis)
        }) {
            diagnostics.error(
                &self.axis,
                format!("`{}` is not a field of type `usize`", self.axis),
                "name the field that counts the rows",
            );
        }
        if let Some(member) = members.iter().find(|member| member.name == FIRST_ROW) {
            diagnostics.error(
                &member.name,
                format!("`{FIRST_ROW}` cannot be a field of a struct that is cut into rows"),
                "that name is taken by the number of the first row: rename this field",
            );
        }
        let key = tokens::mangled(&self.name, &declared.to_token_stream());
        let mut parts = Parts::new(self, shim, &key);
        parts.extents(members);
        for member in members {
            parts.member(declared, member, diagnostics);
        }
        if !diagnostics.is_empty() {
            return None;
        }
        Some(parts.items(declared, &key))
    }

    /// The struct of rows of one with an error, which kernels do not repeat.
    pub(super) fn without_rows(&self, declared: &ItemStruct) -> TokenStream {
        let (name, vis) = (&self.name, &declared.vis);
        let key = tokens::mangled(name, &declared.to_token_stream());
        let export = transport::carrier(&key, name, vis, &[], quote!(broken {}), &misuse(name));
        quote! {
            #[allow(dead_code)]
            #vis struct #name<'rows>(::core::marker::PhantomData<&'rows mut ()>);
            #export
        }
    }
}
