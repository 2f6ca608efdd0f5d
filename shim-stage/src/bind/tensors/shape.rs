//! The extents that a `#[shape]` fixes and names.

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::Expr;

use crate::diagnostics::counted;
use crate::ir::{Hole, StatementKind};
use crate::surface;
use crate::symbolic::SymInt;

use crate::bind::{Binder, Binding, IntTy, Local};

impl Binder<'_> {
    /// The extents that a shape fixes, evaluated before the tensor is taken apart: they replace what the tensor
    /// says, once that was found to be the same.
    pub(in crate::bind) fn fixed_extents(
        &mut self,
        rank: usize,
        shape: Option<&[Expr]>,
    ) -> Vec<Option<SymInt>> {
        let Some(shape) = shape else { return vec![None; rank] };
        if shape.len() != rank {
            let (extents, axes) = (counted(shape.len(), "extent", "extents"), counted(rank, "axis", "axes"));
            let entries: TokenStream = shape.iter().map(ToTokens::to_token_stream).collect();
            self.diagnostics.error(
                entries,
                format!("`#[shape]` names {extents} of a tensor of {axes}"),
                "name one extent per axis",
            );
            return vec![None; rank];
        }
        shape.iter().map(|entry| self.is_bound(entry).then(|| self.snapshot(entry, "extent", true))).collect()
    }

    /// Writes that extents are found as the shape has them.
    pub(in crate::bind) fn expect(&mut self, tensor: &syn::Ident, expected: Vec<(SymInt, SymInt)>) {
        for (found, wanted) in expected {
            self.write(StatementKind::Expect { tensor: tensor.to_string(), found, wanted });
        }
    }

    /// Whether an entry of a shape has a value already.
    pub(in crate::bind) fn is_bound(&self, entry: &Expr) -> bool {
        match surface::ident(entry) {
            Some(name) => {
                self.scopes.get(name).is_some() || crate::hygiene::text(name).starts_with(char::is_uppercase)
            }
            None => true,
        }
    }

    /// The new names of a shape: locals of type `usize`.
    pub(in crate::bind) fn name_extents(&mut self, shape: Option<&[Expr]>, tensor: &syn::Ident) {
        let Some(shape) = shape else { return };
        for (axis, entry) in shape.iter().enumerate() {
            let Some(name) = surface::ident(entry).cloned() else { continue };
            if self.is_bound(entry) {
                continue;
            }
            let Some(Binding::Tensor(view)) = self.scopes.get(tensor).cloned() else { continue };
            let Some(extent) = view.space.extents.get(axis).cloned() else { continue };
            let value = self.program.hole(Hole::Value(extent.clone(), crate::ir::ValueType::Usize));
            let emitted = self.local_name(&name);
            self.push(syn::parse_quote!(let #emitted = #value;));
            let local = Local {
                exposed: self.scopes.is_exposed(&name),
                ty: Some(std::rc::Rc::new(syn::parse_quote!(usize))),
                symbol: extent.as_symbol().cloned(),
                value: Some(extent),
                number: Some(IntTy::Known(crate::static_eval::IntType::Usize)),
                ..Local::new(emitted, self.position())
            };
            self.scopes.bind(&name, Binding::Local(local));
        }
    }
}

/// Replaces the extents that a tensor brings along by those that its shape fixes; these pairs have to be equal.
pub(in crate::bind) fn expected(
    shape: Option<&[Expr]>,
    mut fixed: Vec<Option<SymInt>>,
    extents: &mut [SymInt],
) -> Vec<(SymInt, SymInt)> {
    let shape = shape.unwrap_or_default();
    // A new name that stands twice, as in `#[shape(n, n)]`, is one extent.
    for (axis, entry) in shape.iter().enumerate().take(extents.len()) {
        let first = shape[..axis].iter().position(|earlier| earlier == entry);
        if let (None, Some(first)) = (&fixed[axis], first) {
            fixed[axis] = Some(extents[first].clone());
        }
    }
    let wanted = extents.iter_mut().zip(fixed);
    let wanted = wanted.filter_map(|(extent, wanted)| Some((extent, wanted?)));
    wanted.map(|(extent, wanted)| (std::mem::replace(extent, wanted.clone()), wanted)).collect()
}
