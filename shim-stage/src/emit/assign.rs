//! Assignments to elements.

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::{BinOp, Expr, Stmt, Type};

use crate::ir::{AccessId, AccessMode, Element, ElementType};

use super::emitted::{Emitted, cast_of, shown_at};
use super::{Emitter, parsed};

impl Emitter<'_> {
    /// `t[[..]] = value` or `t[[..]] op= value`.
    pub(super) fn assign(&mut self, id: AccessId, op: Option<BinOp>, value: &Expr) -> Expr {
        let program = self.program;
        let access = &program.accesses[id];
        let mut value = value.clone();
        self.fill(&mut value);
        let mode = access.mode;
        let unset = mode == AccessMode::Unset;
        let (setup, place) = match &self.program.accesses[id].element {
            Element::At(candidate, offset) => (TokenStream::new(), self.inside(candidate, offset, mode)),
            other => match other.candidates().first() {
                Some(first) => self.tested_place(id, first, mode),
                None => (TokenStream::new(), Emitted::Value(self.no_element())),
            },
        };
        let plain = setup.is_empty() && access.operands.is_empty();
        let place = shown_at(place.assigned(), &access.tokens);
        let own = &self.own.value;
        let rt = self.runtime;
        let set = |value: TokenStream| if unset { hygienic!(#rt.set(#value)) } else { value };
        let Some((cast, inner)) = access.view.casts.split_last() else {
            if plain && op.is_none() {
                let value = if unset { parsed(set(value.into_token_stream())) } else { value };
                return Expr::Assign(syn::ExprAssign {
                    attrs: Vec::new(),
                    left: Box::new(parsed(place)),
                    eq_token: <syn::Token![=]>::default(),
                    right: Box::new(value),
                });
            }
            let op = op.map_or_else(|| hygienic!(=), |op| hygienic!(#op));
            // The right side runs before the operands of the index, as in Rust.
            let captures = self.captures(&access.operands);
            let own = set(hygienic!(#own));
            return self.after_value(None, value, hygienic!(#captures #setup #place #op #own;));
        };
        // What is written goes back through the casts that a read passes.
        let narrowed = |value: TokenStream| {
            let through: Vec<ElementType> = inner.iter().rev().cloned().collect();
            let value = cast_of(value, &through);
            hygienic!(#value as _)
        };
        let captures = self.captures(&access.operands);
        match op {
            None => {
                let narrow = set(narrowed(hygienic!(#own)));
                self.after_value(Some(&cast.ty), value, hygienic!(#captures #setup #place = #narrow;))
            }
            Some(op) => {
                let op = plain_operator(op);
                let target = &self.own.place;
                let wide = cast_of(hygienic!(*#target), &access.view.casts);
                let narrow = narrowed(hygienic!((#wide #op #own)));
                let write = hygienic!(#captures #setup let #target = &mut #place; *#target = #narrow;);
                self.after_value(None, value, write)
            }
        }
    }

    /// `{ let value = ..; rest }`, where the value may be large: its tree is used as it is.
    fn after_value(&self, ty: Option<&Type>, value: Expr, rest: TokenStream) -> Expr {
        let ty = ty.map(|ty| hygienic!(: #ty));
        let own = &self.own.value;
        let mut whole = parsed(hygienic!({ let #own #ty = (); #rest }));
        if let Expr::Block(block) = &mut whole
            && let Some(Stmt::Local(local)) = block.block.stmts.first_mut()
            && let Some(init) = &mut local.init
        {
            *init.expr = value;
        }
        whole
    }
}

/// `+` of `+=`.
fn plain_operator(op: BinOp) -> TokenStream {
    match op {
        BinOp::AddAssign(_) => hygienic!(+),
        BinOp::SubAssign(_) => hygienic!(-),
        BinOp::MulAssign(_) => hygienic!(*),
        BinOp::DivAssign(_) => hygienic!(/),
        BinOp::RemAssign(_) => hygienic!(%),
        BinOp::BitXorAssign(_) => hygienic!(^),
        BinOp::BitAndAssign(_) => hygienic!(&),
        BinOp::BitOrAssign(_) => hygienic!(|),
        BinOp::ShlAssign(_) => hygienic!(<<),
        _ => hygienic!(>>),
    }
}
