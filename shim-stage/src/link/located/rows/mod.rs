//! Structs of rows: `#[shim::located(rows(h) as PictureRows)]` makes a second located struct, which has some rows of
//! the first one by `&mut`.
//!
//! Its tensors keep their places: they begin at the root's row where they begin in the whole. Its fields are out of
//! reach for everything but kernels, so that the lengths that were checked where it was made still hold
//! (`src/private/located.rs`):
//!
//! ```text
//! struct PictureRows<'rows>(Checked<PictureRowsFields<'rows>, KEY>);
//! struct PictureRowsFields<'rows> { h: usize, first_row: usize, w: usize, luma: &'rows mut [u8], .. }
//! ```
//!
//! `#[shim::located(view as PictureView)]` makes one that has the whole by `&`, in the same way.

mod cut;
mod items;
mod parts;

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use syn::parse::{ParseStream, Parser};
use syn::{GenericParam, ItemStruct, Path, Result, Token, parenthesized};

use crate::diagnostics::Diagnostics;
use crate::hygiene;
use crate::link::{tokens, transport};

use super::declaration::Declaration;
pub(super) use cut::{Cut, Member, MemberKind};

use cut::FIRST_ROW;
use items::misuse;
use parts::Parts;

/// The arguments of `#[shim::located]`.
#[derive(Default)]
pub(super) struct RowsArguments {
    /// How the struct is cut into rows.
    pub(super) rows: Option<Cut>,
    /// The name of its view.
    pub(super) view: Option<Ident>,
}

impl RowsArguments {
    pub(super) fn read(attribute: &TokenStream) -> Result<Self> {
        let read = |input: ParseStream<'_>| {
            let mut arguments = Self::default();
            while !input.is_empty() {
                if input.parse::<Option<Token![crate]>>()?.is_some() {
                    input.parse::<Token![=]>()?;
                    Path::parse_mod_style(input)?;
                } else {
                    arguments.word(input)?;
                }
                if !input.is_empty() {
                    input.parse::<Token![,]>()?;
                }
            }
            Ok(arguments)
        };
        read.parse2(attribute.clone())
    }

    /// `rows(h) as PictureRows` or `view as PictureView`.
    fn word(&mut self, input: ParseStream<'_>) -> Result<()> {
        let word: Ident = input.parse()?;
        if word == "rows" && self.rows.is_none() {
            let list;
            parenthesized!(list in input);
            let axis = list.parse()?;
            if !list.is_empty() {
                return Err(list.error("expected one extent"));
            }
            input.parse::<Token![as]>()?;
            self.rows = Some(Cut { axis, name: input.parse()? });
        } else if word == "view" && self.view.is_none() {
            input.parse::<Token![as]>()?;
            self.view = Some(input.parse()?);
        } else {
            return Err(syn::Error::new(word.span(), "expected `rows`, `view` or `crate`, each once"));
        }
        Ok(())
    }

    /// The structs of one with an error, which kernels do not repeat.
    pub(super) fn broken(&self, declared: &ItemStruct) -> TokenStream {
        let names = self.rows.iter().map(|cut| &cut.name).chain(&self.view);
        names.map(|name| broken(name, declared)).collect()
    }
}

/// The declaration of a view, and its items.
pub(super) fn view(
    name: &Ident,
    declared: &ItemStruct,
    members: &[Member],
    shim: &TokenStream,
    diagnostics: &mut Diagnostics,
) -> Option<(Declaration, TokenStream)> {
    is_concrete(declared, diagnostics);
    let key = tokens::mangled(name, &declared.to_token_stream());
    let mut parts = Parts::new(None, shim, &key);
    parts.extents(members);
    for member in members {
        parts.member(declared, member, diagnostics);
    }
    diagnostics.is_empty().then(|| parts.view(name, declared, &key))
}

/// Reports type parameters.
fn is_concrete(declared: &ItemStruct, diagnostics: &mut Diagnostics) {
    let is_lifetime = |parameter: &GenericParam| matches!(parameter, GenericParam::Lifetime(_));
    if let Some(parameter) = declared.generics.params.iter().find(|parameter| !is_lifetime(parameter)) {
        diagnostics.error(
            parameter,
            "a generic struct has no rows and no view",
            "give its fields elements of a concrete type",
        );
    }
}

/// A struct of rows or a view, of a struct with an error.
fn broken(name: &Ident, declared: &ItemStruct) -> TokenStream {
    let vis = &declared.vis;
    let key = tokens::mangled(name, &declared.to_token_stream());
    let export = transport::carrier(&key, name, vis, &[], quote!(broken {}), &misuse(name));
    quote! {
        #[allow(dead_code)]
        #vis struct #name<'rows>(::core::marker::PhantomData<&'rows mut ()>);
        #export
    }
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
        is_concrete(declared, diagnostics);
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
        let mut parts = Parts::new(Some(self), shim, &key);
        parts.extents(members);
        for member in members {
            parts.member(declared, member, diagnostics);
        }
        diagnostics.is_empty().then(|| parts.rows(self, declared, &key))
    }
}
