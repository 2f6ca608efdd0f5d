//! `for [y, x] in t.scan(tile([2, 2]))`: a loop over the indices of a tensor in an order that is part of its meaning.
//!
//! The words before a loop change the order of one whose result does not depend on it. A scan says in which order a list is written, or when
//! a search ends: it is kept whatever the schedule, and is legal whatever the body does.

use syn::{Attribute, Expr, ExprForLoop, ExprMethodCall, Ident, Pat};

use crate::ir::{View, Word};
use crate::surface;

use crate::bind::Binder;
use crate::bind::loops::nest::Level;
use crate::bind::rust::pattern;
use crate::bind::tensors::access::unreachable_value;

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
        let Expr::MethodCall(call) = surface::bare(expr) else { return None };
        if call.method == "enumerate"
            && call.args.is_empty()
            && let Expr::MethodCall(call) = surface::bare(&call.receiver)
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
        looping: &ExprForLoop,
        ScanCall { call, enumerated: counts }: ScanCall<'_>,
        unroll: Option<&Attribute>,
        schedule: &[Attribute],
    ) -> Expr {
        if let Some(word) = schedule.first() {
            self.diagnostics.error_in_call(
                word,
                "a scan has an order of its own",
                "remove the word, or run over `t.indices()`, whose order words change",
            );
        }
        if !counts {
            return self.scan(looping, call, None, unroll);
        }
        let Some((position, indices)) = enumerated(&looping.pat) else {
            self.diagnostics.error(
                &looping.pat,
                "an enumerated scan gives a position and indices",
                "write a plain name and the indices, as in `for (k, [y, x]) in t.scan(zigzag).enumerate()`",
            );
            self.judged(looping, Vec::new());
            return unreachable_value();
        };
        let mut inner = looping.clone();
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
        looping: &ExprForLoop,
        call: &ExprMethodCall,
        position: Option<&Ident>,
        unroll: Option<&Attribute>,
    ) -> Expr {
        let view = self.tensor(&call.receiver, "view");
        let (Some([order]), Some(view)) = (self.arguments::<1>(call), view) else {
            self.judged(looping, pattern::array(&looping.pat).unwrap_or_default());
            return unreachable_value();
        };
        self.over_indices(looping, &view, "t.scan(tile([2, 2]))", |binder, names| {
            binder.scan_of(looping, (&view, names), order, (position, unroll), call)
        })
    }

    fn scan_of(
        &mut self,
        looping: &ExprForLoop,
        (view, names): (&View, Vec<Option<Ident>>),
        order: &Expr,
        (position, unroll): (Option<&Ident>, Option<&Attribute>),
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
            return self.unrolled_scan(looping, (view, names), (&order, position), attribute);
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
