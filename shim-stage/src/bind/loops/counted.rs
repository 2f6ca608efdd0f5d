//! Loops: over an index space, over a range, or as the user wrote them.

use syn::{Expr, ExprForLoop, Ident, Stmt};

use crate::diagnostics::counted;
use crate::ir::{Hole, RegionKind, View};
use crate::surface::{self, HelperAttribute, TensorMethod, is_helper, pattern};

use crate::bind::loops::scan::ScanCall;
use crate::bind::loops::unroll::{take_schedule, take_unroll};
use crate::bind::tensors::nest::LoopHeader;
use crate::bind::{Binder, Binding, unreachable_value};

impl Binder<'_> {
    /// `for`, `while` and `loop`.
    pub(in crate::bind) fn loop_expression(&mut self, expr: &Expr) -> Expr {
        match expr {
            // The header is evaluated before the loop's statement, and what stands in front of the loop there before
            // that.
            Expr::ForLoop(for_loop) if !self.walk.is_statement_quiet() => {
                let body = self.body(RegionKind::Plain, Vec::new(), |binder| {
                    let nest = binder.for_loop(for_loop);
                    binder.push(Stmt::Expr(nest, None));
                });
                self.program.hole(Hole::Body(body))
            }
            Expr::ForLoop(for_loop) => self.for_loop(for_loop),
            Expr::While(while_loop) => {
                let mut result = while_loop.clone();
                let unroll = take_unroll(&mut result.attrs);
                self.reject_unroll(unroll.as_ref());
                let schedule = take_schedule(&mut result.attrs);
                self.reject_schedule(&schedule);
                self.scopes.enter();
                self.walk.effects.opaque();
                result.cond = Box::new(self.repeated(|binder| binder.expression(&while_loop.cond)));
                self.walk.effects.opaque();
                result.body = self.in_rust_loop(while_loop.label.as_ref(), |binder| {
                    binder.block(&while_loop.body, RegionKind::Unknown, Vec::new())
                });
                self.scopes.leave();
                self.walk.effects.opaque();
                Expr::While(result)
            }
            Expr::Loop(endless) => {
                let mut result = endless.clone();
                let unroll = take_unroll(&mut result.attrs);
                self.reject_unroll(unroll.as_ref());
                let schedule = take_schedule(&mut result.attrs);
                self.reject_schedule(&schedule);
                self.walk.effects.opaque();
                result.body = self.in_rust_loop(endless.label.as_ref(), |binder| {
                    binder.block(&endless.body, RegionKind::Unknown, Vec::new())
                });
                self.walk.effects.opaque();
                Expr::Loop(result)
            }
            other => other.clone(),
        }
    }

    fn for_loop(&mut self, source: &ExprForLoop) -> Expr {
        if let Some(at) = source.attrs.iter().position(|attribute| HelperAttribute::Copies.is(attribute)) {
            let mut for_loop = source.clone();
            let attribute = for_loop.attrs.remove(at);
            return self.copied_loop(&for_loop, &attribute);
        }
        if let Some(expanded) = self.expanded(source) {
            return expanded;
        }
        let mut for_loop = source.clone();
        // syn keeps an inner attribute `#![unroll]` of the body among the loop's own.
        let unroll = take_unroll(&mut for_loop.attrs);
        if let Some(at) = for_loop.attrs.iter().position(|attribute| HelperAttribute::Tabulate.is(attribute))
        {
            let attribute = for_loop.attrs.remove(at);
            return self.tabulated_loop(&for_loop, attribute);
        }
        let schedule = take_schedule(&mut for_loop.attrs);
        let reorders = self.reorders(&schedule);
        self.enter_with_unchanged(&for_loop);
        let result = self.with_stages_of_tiles(&schedule, |binder| {
            let beginning = binder.beginning();
            let nest = binder.with_pure(&schedule, |binder| {
                binder.confirming(reorders, |binder| binder.counted_loop(&for_loop, unroll, &schedule))
            });
            binder.record_effects(&nest, &schedule, beginning);
            nest
        });
        self.scopes.leave();
        result
    }

    /// A loop that is tabulated, or unrolled where orders of loops do not apply.
    fn tabulated_loop(&mut self, for_loop: &ExprForLoop, attribute: syn::Attribute) -> Expr {
        if let Some(other) = for_loop.attrs.iter().find(|attribute| is_helper(attribute.path())) {
            let help = "a tabulated loop has no order: remove one of the two";
            self.diagnostics.error(other, "a tabulated loop takes no other attribute", help);
        }
        if self.schedules() {
            self.tabulated(for_loop)
        } else {
            self.counted_loop(for_loop, Some(attribute), &[])
        }
    }

    fn counted_loop(
        &mut self,
        for_loop: &ExprForLoop,
        unroll: Option<syn::Attribute>,
        schedule: &[syn::Attribute],
    ) -> Expr {
        if let Some(tensor) = indices_of(&for_loop.expr).filter(|tensor| self.is_tensor(tensor)) {
            return self.for_indices(for_loop, &tensor.clone(), unroll.as_ref(), schedule);
        }
        if let Expr::MethodCall(call) = surface::strip_parens(&for_loop.expr)
            && self.tensor_method(call) == Some(TensorMethod::Tiles)
        {
            return self.for_tiles(for_loop, call, unroll.as_ref(), schedule);
        }
        if let Some(scan) = ScanCall::of(&for_loop.expr)
            && self.tensor_method(scan.call) == Some(TensorMethod::Scan)
        {
            return self.for_scan(for_loop, scan, unroll.as_ref(), schedule);
        }
        if self.is_tensor(&for_loop.expr) {
            self.diagnostics.error(
                &for_loop.expr,
                "a tensor is not an iterator",
                "run over its indices, as in `for [y, x] in t.indices()`",
            );
            self.validate(for_loop, Vec::new());
            return unreachable_value();
        }
        if let Some(range) = surface::range(&for_loop.expr) {
            if let Some(attribute) = unroll {
                self.reject_schedule(schedule);
                self.check_adaptors(&for_loop.expr);
                return self.unrolled_range(for_loop, range, &attribute);
            }
        } else {
            self.reject_unroll(unroll.as_ref());
        }
        let label = for_loop.label.as_ref().map(|label| &label.name);
        let nest = self.for_each(for_loop, &mut |binder| {
            binder.with_stages_before(label, &for_loop.body.stmts);
        });
        if matches!(nest, Expr::ForLoop(_)) {
            self.reject_schedule(schedule);
            return nest;
        }
        self.ordered(nest, schedule, 1, Some(&for_loop.body))
    }

    /// A loop over anything but indices, with the body that `fill` writes in the place of its own.
    pub(in crate::bind) fn for_each(
        &mut self,
        for_loop: &ExprForLoop,
        fill: &mut dyn FnMut(&mut Self),
    ) -> Expr {
        if let Some(range) = surface::range(&for_loop.expr)
            && let Some(result) = self.for_range(for_loop, range, fill)
        {
            return result;
        }
        let mut result = for_loop.clone();
        result.expr = Box::new(self.expression(&for_loop.expr));
        self.walk.effects.opaque();
        let mut pattern = (*for_loop.pat).clone();
        let body = self.in_rust_loop(for_loop.label.as_ref(), |binder| {
            binder.body(RegionKind::Unknown, Vec::new(), |binder| {
                pattern = binder.pattern(&for_loop.pat);
                fill(binder);
            })
        });
        *result.pat = pattern;
        result.body = self.block_of(body);
        self.walk.effects.opaque();
        Expr::ForLoop(result)
    }

    /// `for [y, x] in t.indices()`.
    pub(in crate::bind) fn for_indices(
        &mut self,
        for_loop: &ExprForLoop,
        tensor: &Expr,
        unroll: Option<&syn::Attribute>,
        schedule: &[syn::Attribute],
    ) -> Expr {
        let Some(view) = self.tensor(tensor, "view") else {
            return unreachable_value();
        };
        self.over_indices(for_loop, &view, "t.indices()", |binder, names| {
            binder.for_each_index(for_loop, &view, names, unroll, schedule)
        })
    }

    /// What `bind` makes of a loop over the indices of `view`, given the names of its variables; `source` is what the
    /// loop runs over, for an error.
    pub(in crate::bind) fn over_indices(
        &mut self,
        for_loop: &ExprForLoop,
        view: &View,
        source: &str,
        bind: impl FnOnce(&mut Self, Vec<Option<Ident>>) -> Expr,
    ) -> Expr {
        let rank = view.space.extents.len();
        let broken = self.is_broken(view);
        if let Some((point, None, false)) = pattern::simple(&for_loop.pat)
            && !broken
        {
            let names = self.point_variables(point, rank).into_iter().map(Some).collect();
            let result = bind(self, names);
            self.scopes.leave();
            return result;
        }
        let names = pattern::array(&for_loop.pat);
        let Some(names) = names.clone().filter(|names| names.len() == rank && !broken) else {
            if !broken {
                let example = ["[]", "[i]", "[y, x]", "[z, y, x]"].get(rank).unwrap_or(&"[i, j, ..]");
                self.diagnostics.error(
                    &for_loop.pat,
                    format!(
                        "`{}` has rank {rank}, so its indices are {}",
                        view.name,
                        counted(rank, "number", "numbers")
                    ),
                    format!(
                        "write a list of plain names, one per axis, as in `for {example} in {source}`, or one name for all"
                    ),
                );
            }
            // The body may have errors of its own.
            self.validate(for_loop, names.unwrap_or_default());
            return unreachable_value();
        };
        bind(self, names)
    }

    fn for_each_index(
        &mut self,
        for_loop: &ExprForLoop,
        view: &View,
        names: Vec<Option<Ident>>,
        unroll: Option<&syn::Attribute>,
        schedule: &[syn::Attribute],
    ) -> Expr {
        let rank = names.len();
        if let Some(attribute) = unroll {
            let schedule = if schedule.is_empty() || !self.schedules() { &[] } else { schedule };
            return self.unrolled_indices(for_loop, view, &names, attribute, schedule);
        }
        let levels = LoopHeader::all_of(view, names);
        let label = for_loop.label.as_ref().map(|label| &label.name);
        let body = |binder: &mut Self| {
            binder.with_stages_before(label, &for_loop.body.stmts);
        };
        let nest = if rank == 1 {
            self.in_rust_loop(for_loop.label.as_ref(), |binder| {
                binder.nest(levels, for_loop.label.clone(), body)
            })
        } else {
            let (nest, jumps) =
                self.in_staged_loop(for_loop.label.as_ref(), |binder| binder.nest(levels, None, body));
            let nest = self.ordered(nest, schedule, rank, Some(&for_loop.body));
            return self.labeled(nest, &jumps);
        };
        self.ordered(nest, schedule, rank, Some(&for_loop.body))
    }

    /// Binds the body of a loop that is reported already, for what else is wrong there.
    pub(in crate::bind) fn validate(&mut self, for_loop: &ExprForLoop, names: Vec<Option<Ident>>) {
        self.in_rust_loop(for_loop.label.as_ref(), |binder| {
            binder.body(RegionKind::Unknown, Vec::new(), |binder| {
                if names.is_empty() {
                    binder.pattern(&for_loop.pat);
                }
                for name in names.into_iter().flatten() {
                    binder.scopes.bind(&name, Binding::Broken);
                }
                binder.statements(&for_loop.body.stmts);
            })
        });
    }
}

/// `t` of `t.indices()`.
pub(in crate::bind) fn indices_of(expr: &Expr) -> Option<&Expr> {
    match surface::strip_parens(expr) {
        Expr::MethodCall(call)
            if call.method == TensorMethod::Indices.name()
                && call.args.is_empty()
                && call.turbofish.is_none() =>
        {
            Some(&call.receiver)
        }
        _ => None,
    }
}
