//! `for [y, x] in t.scan(tile([2, 2]))`: a loop over the indices of a tensor in an order that is part of its meaning.
//!
//! The words before a loop change the order of one whose result does not depend on it. A scan says in which order a list is written, or when
//! a search ends: it is kept whatever the schedule, and is legal whatever the body does.

use syn::{Attribute, Expr, ExprForLoop, ExprMethodCall, Ident};

use crate::ir::{View, Word};

use crate::bind::Binder;
use crate::bind::loops::nest::Level;
use crate::bind::rust::pattern;
use crate::bind::tensors::access::unreachable_value;

impl Binder<'_> {
    /// A loop over the indices of a tensor in the order of a scan.
    pub(in crate::bind) fn for_scan(
        &mut self,
        looping: &ExprForLoop,
        call: &ExprMethodCall,
        unroll: Option<&Attribute>,
        schedule: &[Attribute],
    ) -> Expr {
        if let Some(word) = schedule.first() {
            self.diagnostics.error_in_call(
                word,
                "an order of a scan, which has its own",
                "remove it, or run over `t.indices()`, whose order words change",
            );
        }
        let view = self.tensor(&call.receiver, "view");
        let (Some([order]), Some(view)) = (self.arguments::<1>(call), view) else {
            self.judged(looping, pattern::array(&looping.pat).unwrap_or_default());
            return unreachable_value();
        };
        self.over_indices(looping, &view, "t.scan(tile([2, 2]))", |binder, names| {
            binder.scan_of(looping, (&view, names), order, unroll, call)
        })
    }

    fn scan_of(
        &mut self,
        looping: &ExprForLoop,
        (view, names): (&View, Vec<Option<Ident>>),
        order: &Expr,
        unroll: Option<&Attribute>,
        call: &ExprMethodCall,
    ) -> Expr {
        let judged = |binder: &mut Self, names: Vec<Option<Ident>>| {
            binder.judged(looping, names);
            unreachable_value()
        };
        let extents: Vec<Option<i64>> =
            view.space.extents.iter().map(crate::symbolic::Sym::as_constant).collect();
        let Some(order) = self.order(order, &extents) else { return judged(self, names) };
        if let Some(attribute) = unroll {
            return self.unrolled_scan(looping, (view, &names), &order, attribute);
        }
        let word = Word::Order(order);
        if !self.has_small_tiles(&word, &call.args) {
            return judged(self, names);
        }
        let levels = Level::all_of(view, names);
        let (nest, jumps) = self.in_staged_loop(looping.label.as_ref(), |binder| {
            binder.nest(levels, None, |binder| binder.statements(&looping.body.stmts))
        });
        let id = self.program.nest_of(&nest);
        let nest = self.schedule(nest, id, (vec![word], true), call);
        self.labeled(nest, &jumps)
    }
}
