//! `for [y, x] in t.scan(tile([2, 2]))`: a loop over the indices of a tensor in an order that is part of its meaning.
//!
//! The words before a loop change the order of one whose result does not depend on it. A scan says in which order a
//! list is written, or when a search ends: it is kept whatever the schedule, and is legal whatever the body does.

use syn::{Attribute, Expr, ExprForLoop, ExprMethodCall, Ident, Pat};

use crate::ir::{View, Word};
use crate::surface;

use crate::bind::tensors::nest::LoopHeader;
use crate::bind::{Binder, unreachable_value};
use crate::surface::pattern;

/// `t.scan(order)`, or `t.scan(order).enumerate()`, which counts the positions as well.
#[derive(Clone, Copy)]
pub(in crate::bind) struct ScanCall<'e> {
    /// The call of `scan`, if that is the tensor's method.
    pub call: &'e ExprMethodCall,
    enumerated: bool,
}

impl<'e> ScanCall<'e> {
    /// The scan that an expression may be.
    pub(in crate::bind) fn of(expr: &'e Expr) -> Option<Self> {
        let Expr::MethodCall(call) = surface::strip_parens(expr) else { return None };
        if call.method == "enumerate"
            && call.args.is_empty()
            && let Expr::MethodCall(call) = surface::strip_parens(&call.receiver)
        {
            return Some(Self { call, enumerated: true });
        }
        Some(Self { call, enumerated: false })
    }
}

/// `k` and `[y, x]` of `(k, [y, x])`.
fn enumerated(pattern: &Pat) -> Option<(Option<&Ident>, &Pat)> {
    let Pat::Tuple(tuple) = pattern else { return None };
    let [position, indices] = [tuple.elems.first()?, tuple.elems.get(1)?];
    let position = match position {
        Pat::Wild(_) => None,
        position => match pattern::simple(position)? {
            (name, None, false) => Some(name),
            _ => return None,
        },
    };
    (tuple.elems.len() == 2).then_some((position, indices))
}

impl Binder<'_> {
    /// A loop over the indices of a tensor in the order of a scan.
    pub(in crate::bind) fn for_scan(
        &mut self,
        for_loop: &ExprForLoop,
        ScanCall { call, enumerated: counts }: ScanCall<'_>,
        unroll: Option<&Attribute>,
        schedule: &[Attribute],
    ) -> Expr {
        if let Some(word) = schedule.first() {
            self.diagnostics.error_in_call(
                word,
                "a scan takes no order attributes",
                "remove the word, or run over `t.indices()`, whose order words change",
            );
        }
        if !counts {
            return self.scan(for_loop, call, None, unroll);
        }
        let Some((position, indices)) = enumerated(&for_loop.pat) else {
            self.diagnostics.error(
                &for_loop.pat,
                "an enumerated scan gives a position and indices",
                "write a plain name and the indices, as in `for (k, [y, x]) in t.scan(zigzag).enumerate()`",
            );
            self.validate(for_loop, Vec::new());
            return unreachable_value();
        };
        let mut inner = for_loop.clone();
        (*inner.pat, *inner.expr) = (indices.clone(), Expr::MethodCall(call.clone()));
        if unroll.is_some() {
            return self.scan(&inner, call, position, unroll);
        }
        let Some(position) = position else { return self.scan(&inner, call, None, None) };
        let counter = Ident::new("__shim_position", position.span());
        inner
            .body
            .stmts
            .splice(..0, [syn::parse_quote!(let #position = #counter;), syn::parse_quote!(#counter += 1;)]);
        self.expression(&syn::parse_quote!({
            let mut #counter = 0usize;
            #inner
        }))
    }

    /// A scan, where it is unrolled with the name of its position.
    fn scan(
        &mut self,
        for_loop: &ExprForLoop,
        call: &ExprMethodCall,
        position: Option<&Ident>,
        unroll: Option<&Attribute>,
    ) -> Expr {
        let view = self.tensor(&call.receiver, "view");
        let (Some([order]), Some(view)) = (self.arguments::<1>(call), view) else {
            self.validate(for_loop, pattern::array(&for_loop.pat).unwrap_or_default());
            return unreachable_value();
        };
        self.over_indices(for_loop, &view, "t.scan(tile([2, 2]))", |binder, names| {
            binder.scan_of(for_loop, (&view, names), order, (position, unroll), call)
        })
    }

    fn scan_of(
        &mut self,
        for_loop: &ExprForLoop,
        (view, names): (&View, Vec<Option<Ident>>),
        order: &Expr,
        (position, unroll): (Option<&Ident>, Option<&Attribute>),
        call: &ExprMethodCall,
    ) -> Expr {
        let validate = |binder: &mut Self, names: Vec<Option<Ident>>| {
            binder.validate(for_loop, names);
            unreachable_value()
        };
        if self.reject_packed(view, call) {
            return validate(self, names);
        }
        let extents: Vec<Option<i64>> =
            view.space.extents.iter().map(crate::symbolic::SymInt::as_constant).collect();
        let Some(order) = self.order(order, &extents) else { return validate(self, names) };
        if let Some(attribute) = unroll {
            return self.unrolled_scan(for_loop, (view, names), (&order, position), attribute);
        }
        let word = Word::Order(order);
        if !self.has_small_tiles(&word, &call.args) {
            return validate(self, names);
        }
        let levels = LoopHeader::all_of(view, names);
        let (nest, jumps) = self.in_staged_loop(for_loop.label.as_ref(), |binder| {
            binder.nest(levels, None, |binder| binder.statements(&for_loop.body.stmts))
        });
        let id = self.program.nest_of(&nest);
        let nest = self.schedule(nest, id, (vec![word], true), call);
        self.labeled(nest, &jumps)
    }
}
