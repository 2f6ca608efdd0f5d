//! Copies of views: memory of their own at the same place.

use std::rc::Rc;

use quote::ToTokens;
use shim_core::TensorSpace;
use syn::{Expr, ExprMethodCall};

use crate::ir::{AccessKind, Hole, Memory, View};
use crate::surface::{self, TensorMethod};
use crate::symbolic::SymInt;

use crate::bind::Binder;
use crate::bind::tensors::nest::LoopHeader;

impl Binder<'_> {
    /// `view.to_block().copied()`: the contents as well.
    pub(in crate::bind) fn copied(&mut self, call: &ExprMethodCall, hint: &str) -> Option<Rc<View>> {
        self.arguments::<0>(call)?;
        if let Expr::MethodCall(inner) = surface::strip_parens(&call.receiver)
            && let Some(method @ (TensorMethod::ToBlock | TensorMethod::ToStack)) =
                TensorMethod::of(&inner.method)
        {
            self.arguments::<0>(inner)?;
            let base = self.tensor(&inner.receiver, hint)?;
            return self.copy(&base, inner, hint, method == TensorMethod::ToStack, true);
        }
        self.diagnostics.error(
            &call.method,
            "`copied` must directly follow `to_block` or `to_stack`",
            "write `t.to_block().copied()` for memory of its own with the same contents",
        );
        None
    }

    pub(in crate::bind) fn copy(
        &mut self,
        base: &Rc<View>,
        call: &ExprMethodCall,
        hint: &str,
        stack: bool,
        copied: bool,
    ) -> Option<Rc<View>> {
        if self.is_broken(base) {
            return Some(base.clone());
        }
        if self.is_place(base) {
            self.reject_place(base, &call.receiver);
            return None;
        }
        if base.within.is_some() {
            self.diagnostics.error(
                &call.method,
                "a view with `within` is copied",
                "copy the view without it: a block holds every element of its extents",
            );
            return None;
        }
        let base = &self.with_casts_here(base.clone(), &call.to_token_stream());
        let extents = base.space.extents.clone();
        if stack && let Some(axis) = extents.iter().position(|extent| extent.as_constant().is_none()) {
            self.diagnostics.error_in_call(
                &call.method,
                format!(
                    "`to_stack` needs static extents, and axis {axis} of this view of `{}` has none",
                    base.name
                ),
                "give it a width that folds, as in `t[[r..r + 4, c..c + 4]]`, or use `to_block()`",
            );
            return None;
        }
        let place = base.space.space.translate(&vec![SymInt::constant(0); extents.len()]);
        let place = self.report_location_error(place, call)?;
        let extents: Vec<SymInt> = extents
            .into_iter()
            .map(
                |extent| {
                    if extent.cost() > 2 { self.define(&format!("{hint}_extent"), extent) } else { extent }
                },
            )
            .collect();
        let memory = Memory::Like { view: base.clone(), stack };
        let space = TensorSpace { space: place, extents };
        let made = self.store(hint, memory, None, space, Some(base.clone()), call)?;
        if copied {
            self.copy_contents(base, &made, call);
        }
        Some(made)
    }

    /// The nest that fills a copy with the elements of the view it was made of.
    fn copy_contents(&mut self, from: &Rc<View>, to: &Rc<View>, call: &ExprMethodCall) {
        let levels: Vec<LoopHeader> =
            to.space.extents.iter().map(|extent| LoopHeader::new(None, extent.clone())).collect();
        let tokens = call.to_token_stream();
        let nest = self.nest_over(levels, None, |binder, index| {
            let read =
                binder.record(from.clone(), index.clone(), AccessKind::Read, Vec::new(), tokens.clone());
            let access = binder.record(to.clone(), index, AccessKind::Write, Vec::new(), tokens.clone());
            let value = Box::new(binder.program.hole(Hole::Access(read)));
            let assignment = binder.program.hole(Hole::Assign { access, op: None, value });
            binder.push(syn::Stmt::Expr(assignment, Some(syn::token::Semi::default())));
        });
        self.push(syn::Stmt::Expr(nest, None));
    }
}
