//! Element accesses: `t[[y, x]]`, read, written, or used as a place.

use std::rc::Rc;

use quote::ToTokens;
use syn::{BinOp, Expr, ExprIndex};

use crate::diagnostics::counted;
use crate::ir::{Access, AccessId, AccessKind, Hole, Operand, RegionKind, View};
use crate::surface::{self, Entry, tensor_type::place_rank};
use crate::symbolic::SymInt;

use crate::bind::effects::assigned::reduction;
use crate::bind::types::Primitive;
use crate::bind::{Binder, Binding, Local, unreachable_value};

impl Binder<'_> {
    /// An element as an expression.
    pub(in crate::bind) fn element(&mut self, index: &ExprIndex, kind: AccessKind) -> Expr {
        self.in_order(&[&index.expr], |binder| match binder.access(index, kind) {
            Some(id) => binder.program.hole(Hole::Access(id)),
            None => unreachable_value(),
        })
    }

    /// `t[[..]] = value` and `t[[..]] op= value`.
    pub(in crate::bind) fn assign(&mut self, index: &ExprIndex, op: Option<BinOp>, value: &Expr) -> Expr {
        let value = self.expression(value);
        // The value comes before the place.
        let assigned = if self.may_be_early(&index.expr) {
            let view = self.tensor(&index.expr, "view");
            self.assign_to(view, index, op, value)
        } else {
            let body = self.body(RegionKind::Plain, Vec::new(), |binder| {
                let local = binder.names.fresh("value");
                binder.push(syn::parse_quote!(let #local = #value;));
                let view = binder.tensor(&index.expr, "view");
                let assignment = binder.assign_to(view, index, op, syn::parse_quote!(#local));
                binder.push(syn::Stmt::Expr(assignment, None));
            });
            self.program.hole(Hole::Body(body))
        };
        self.walk.effects.acts();
        assigned
    }

    /// `t[[..]] = value` and `t[[..]] op= value` for the view that `t` is.
    pub(in crate::bind) fn assign_to(
        &mut self,
        view: Option<Rc<View>>,
        index: &ExprIndex,
        op: Option<BinOp>,
        value: Expr,
    ) -> Expr {
        let kind = if op.is_some() { AccessKind::Update } else { AccessKind::Write };
        let commutes = op.as_ref().filter(|_| self.walk.tracks()).and_then(reduction).filter(|_| {
            view.as_ref().is_some_and(|view| view.casts.is_empty())
                && matches!(self.primitive(&Expr::Index(index.clone())), Some(Primitive::Int(_)))
        });
        match view.and_then(|view| self.access_in(view, index, kind)) {
            Some(access) => {
                self.program.accesses[access].commutes = commutes;
                self.program.hole(Hole::Assign { access, op, value: Box::new(value) })
            }
            None => unreachable_value(),
        }
    }

    /// Records an access; reports what is wrong with its form.
    pub(in crate::bind) fn access(&mut self, index: &ExprIndex, kind: AccessKind) -> Option<AccessId> {
        let view = self.tensor(&index.expr, "view")?;
        self.access_in(view, index, kind)
    }

    /// Records an access of a view; reports what is wrong with its form.
    fn access_in(&mut self, view: Rc<View>, index: &ExprIndex, kind: AccessKind) -> Option<AccessId> {
        if self.is_point(&index.index) {
            let entries = self.index_entries(&index.index)?;
            let list: Vec<&Expr> = entries.iter().collect();
            return self.access_list(view, &list, &index.index, kind, index.to_token_stream());
        }
        let Some(entries) = surface::index_list(index) else {
            if self.mentions_broken(&index.index) {
                return None;
            }
            let named = surface::ident(&index.index).and_then(|name| self.scopes.get(name));
            let place =
                matches!(named, Some(Binding::Local(Local { ty: Some(ty), .. })) if place_rank(ty).is_some());
            let (message, help) = if place {
                (
                    "a tensor is indexed by a place that is bound with `mut`",
                    "a place that may be assigned is only a value: bind it again, as in `let p: Place<2> = p;`",
                )
            } else {
                (
                    "expected an index list: a tensor is indexed by one",
                    "write `t[[i]]` for an element, `t[[a..b]]` for a part, `t[u]` for the place of another tensor",
                )
            };
            self.diagnostics.error(&index.index, message, help);
            return None;
        };
        let list: Vec<&Expr> = entries
            .into_iter()
            .filter_map(|entry| match entry {
                Entry::Index(expr) => Some(expr),
                Entry::Range(_) => None,
            })
            .collect();
        self.access_list(view, &list, &index.index, kind, index.to_token_stream())
    }

    /// Records an access of a view at the entries of an index list.
    pub(in crate::bind) fn access_list(
        &mut self,
        view: Rc<View>,
        list: &[&Expr],
        list_tokens: &Expr,
        kind: AccessKind,
        tokens: proc_macro2::TokenStream,
    ) -> Option<AccessId> {
        let mut operands = Vec::new();
        if self.is_broken(&view) {
            // What is wrong with the indices is an error of its own.
            for entry in list {
                self.index(entry, &mut operands);
            }
            return None;
        }
        if kind != AccessKind::Test && self.is_place(&view) {
            self.reject_place(&view, tokens);
            return None;
        }
        let rank = view.space.extents.len();
        if list.len() > rank {
            self.diagnostics.error(
                list_tokens,
                format!(
                    "{} given for `{}` of rank {rank}",
                    counted(list.len(), "index is", "indices are"),
                    view.name
                ),
                "give at most one index per axis; missing ones are zeros on the left",
            );
            return None;
        }
        let mut coordinates = vec![SymInt::constant(0); rank - list.len()];
        for entry in list {
            if self.reject_entry(entry) {
                coordinates.push(SymInt::constant(0));
                continue;
            }
            coordinates.push(self.index(entry, &mut operands));
        }
        if kind.writes() {
            self.reject_unwritable(&view, &tokens);
        }
        Some(self.record(view, coordinates, kind, operands, tokens))
    }

    /// Records an access in the statement that is being bound.
    pub(in crate::bind) fn record(
        &mut self,
        view: Rc<View>,
        index: Vec<SymInt>,
        kind: AccessKind,
        operands: Vec<Operand>,
        tokens: proc_macro2::TokenStream,
    ) -> AccessId {
        let view = self.with_casts_here(view, &tokens);
        let position = self.position();
        let epoch = self.walk.effects.epoch();
        let calls = self.diagnostics.calls().to_vec();
        let let_defs = self.let_defs_of(&view, &index);
        let within = self.asked(&view, &index, kind, &tokens);
        let ruled = view.boundary.as_ref().filter(|_| matches!(kind, AccessKind::Read | AccessKind::Place));
        if ruled.is_some_and(|boundary| !boundary.calls().is_transparent()) {
            self.walk.effects.opaque();
        }
        if ruled.is_some_and(|boundary| !boundary.calls().computes()) {
            self.act(&tokens);
        }
        if kind.writes() {
            self.plain_elements_of(&view, kind, &tokens);
        }
        let repeats = self.walk.repeats;
        let access = Access::new(view, index, kind, position);
        self.program.access(Access { operands, within, let_defs, epoch, repeats, tokens, calls, ..access })
    }

    /// A view whose casts name the types that they named where they were written.
    pub(in crate::bind) fn with_casts_here(
        &mut self,
        view: Rc<View>,
        tokens: &proc_macro2::TokenStream,
    ) -> Rc<View> {
        if !view.casts.iter().any(|cast| self.is_hidden(cast)) {
            return view;
        }
        let mut view = (*view).clone();
        for cast in &mut view.casts {
            if self.is_hidden(cast) {
                cast.ty = self.unhidden(&cast.ty, tokens);
            }
        }
        Rc::new(view)
    }

    /// Reports an entry of an index list that is neither an index nor a range.
    pub(in crate::bind) fn reject_entry(&mut self, entry: &Expr) -> bool {
        if let Expr::Infer(_) = surface::strip_parens(entry) {
            self.diagnostics.error(
                entry,
                "`_` is not an index",
                "write `..` for a whole axis, or leave leading indices out: they are zeros",
            );
            return true;
        }
        if begins_with_range(entry) {
            self.diagnostics.error(
                entry,
                "a part of a tensor is a range that runs forward",
                "write `a..b` or `(a..b).step_by(k)`; to run backwards, count the index down, as in `t[[n - 1 - i]]`",
            );
            return true;
        }
        false
    }

    /// How the receiver of a method that nothing is known about is used: such a method may write an element that is
    /// no plain number. It is given the chance where the memory is known to be writable and the element to be the
    /// nearest block's; anywhere else it looks only.
    pub(in crate::bind) fn receiver(&self, receiver: &Expr) -> AccessKind {
        let writes = self.root_view(receiver).is_some_and(|view| {
            let buffer = &self.program.buffers[view.buffer];
            view.casts.is_empty()
                && view.boundary.is_none()
                && view.within.is_none()
                && view.pieces.is_empty()
                && buffer.parent.is_none()
                && buffer.may_mutate_through_methods
        });
        if writes { AccessKind::PlaceMut } else { AccessKind::Place }
    }

    fn reject_unwritable(&mut self, view: &crate::ir::View, tokens: &proc_macro2::TokenStream) {
        use crate::ir::Memory;
        if let Memory::Runtime(tensor) = &self.program.buffers[view.buffer].memory
            && self.tensors.shared_parameters.contains(&tensor.parameter.to_string())
        {
            let parameter = &tensor.parameter;
            self.diagnostics.error(
                tokens,
                format!("`{}` is written, but the parameter `{parameter}` is shared", view.name),
                "take it as `ViewMut<'_, T, N>` or `&mut Block<T, N>`",
            );
        }
    }
}

/// Whether `expr` is a range under methods, such as `(0..n).rev()`.
fn begins_with_range(expr: &Expr) -> bool {
    match surface::strip_parens(expr) {
        Expr::Range(_) => true,
        Expr::MethodCall(call) => {
            (call.method == "rev" || call.method == "step_by") && begins_with_range(&call.receiver)
        }
        _ => false,
    }
}
