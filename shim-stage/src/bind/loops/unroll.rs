//! Unrolled loops: the body once for each value, with the variables static.

use quote::ToTokens;
use shim_core::points::points_of;
use syn::{Expr, ExprForLoop, Ident, Pat};

use crate::ir::{Hole, OrderedCopies, RegionKind, StatementKind, View};
use crate::static_eval::{self, Int, IntType, Value};
use crate::surface::{HelperAttribute, RangeEntry, pattern};

use crate::bind::{Binder, Binding, unreachable_value};

/// How many copies an unrolled loop may make, together with those around it.
const MAX_UNROLLED_BODIES: i128 = 4096;

impl Binder<'_> {
    pub(in crate::bind) fn reject_unroll(&mut self, attribute: Option<&syn::Attribute>) {
        if let Some(attribute) = attribute {
            self.diagnostics.error_in_call(
                attribute,
                "`#[unroll]` on a loop whose bounds are not static",
                "unroll a `for` over a range of static integers or over the indices of a tensor with static extents",
            );
        }
    }

    pub(in crate::bind) fn unrolled_range(
        &mut self,
        for_loop: &ExprForLoop,
        range: RangeEntry<'_>,
        attribute: &syn::Attribute,
    ) -> Expr {
        let Some(rows) = self.static_values(range, attribute) else {
            self.validate(
                for_loop,
                pattern::simple(&for_loop.pat).map(|(name, ..)| Some(name.clone())).into_iter().collect(),
            );
            return unreachable_value();
        };
        let name = match &*for_loop.pat {
            Pat::Wild(_) => None,
            pattern => match pattern::simple(pattern) {
                Some((name, _, false)) => Some(name.clone()),
                _ => {
                    self.diagnostics.error(
                        &for_loop.pat,
                        "expected a plain name for the variable of an unrolled loop",
                        "write `for k in ..`; copy it into a `let mut` to change it",
                    );
                    return unreachable_value();
                }
            },
        };
        self.copies_of(for_loop, &[name], rows)
    }

    /// A reduction over `range`, unrolled: what `fill` writes for each value of the variable `name`.
    pub(in crate::bind) fn unrolled_chain(
        &mut self,
        range: RangeEntry<'_>,
        name: &Ident,
        attribute: &syn::Attribute,
        fill: &mut dyn FnMut(&mut Self),
    ) -> Expr {
        match self.static_values(range, attribute) {
            Some(rows) => self.copies(None, &[Some(name.clone())], rows, fill),
            None => self.judged_chain([name], fill),
        }
    }

    /// A reduction over the indices of `view`, unrolled.
    pub(in crate::bind) fn unrolled_chain_of_indices(
        &mut self,
        view: &View,
        names: &[Ident],
        attribute: &syn::Attribute,
        fill: &mut dyn FnMut(&mut Self),
    ) -> Expr {
        let Some((_, rows)) = self.static_points(view, attribute) else {
            return self.judged_chain(names, fill);
        };
        let names: Vec<Option<Ident>> = names.iter().cloned().map(Some).collect();
        self.copies(None, &names, rows, fill)
    }

    /// Binds the body of a reduction that is reported already, for what else is wrong there.
    fn judged_chain<'n>(
        &mut self,
        names: impl IntoIterator<Item = &'n Ident>,
        fill: &mut dyn FnMut(&mut Self),
    ) -> Expr {
        self.body(RegionKind::Unknown, Vec::new(), |binder| {
            for name in names {
                binder.scopes.bind(name, Binding::Broken);
            }
            fill(binder);
        });
        unreachable_value()
    }

    /// The values that the variable of an unrolled loop takes, one in a row; reports what keeps them from being static.
    fn static_values(&mut self, range: RangeEntry<'_>, attribute: &syn::Attribute) -> Option<Vec<Vec<Int>>> {
        let (Some(start), Some(end)) = (range.start, range.end) else {
            self.reject_unroll(Some(attribute));
            return None;
        };
        let bound = "a bound of an unrolled loop";
        // Each is looked at, so that all that is wrong is said at once.
        let (start, end) = (self.static_typed(start, bound), self.static_typed(end, bound));
        let step = match range.step {
            Some(step) => self.static_integer(step, "the step of an unrolled loop").and_then(|value| {
                if value < 1 {
                    self.diagnostics.error(
                        step,
                        "the step must be at least one",
                        "steps count forward; to run down, add `.rev()`",
                    );
                }
                (value >= 1).then_some(i128::from(value))
            }),
            None => Some(1),
        };
        let (start, end, step) = (start?, end?, step?);
        let ty = start.ty.or(end.ty);
        let stop = if range.inclusive { end.value.saturating_add(1) } else { end.value };
        let count = stop.saturating_sub(start.value).max(0).saturating_add(step - 1) / step;
        let count = count.saturating_mul(self.walk.copies);
        if count > MAX_UNROLLED_BODIES {
            self.reject_copies(attribute, count);
            return None;
        }
        let mut values = Vec::new();
        let mut value = start.value;
        while value < stop {
            values.push(vec![Int { value, ty }]);
            value = value.saturating_add(step);
        }
        if range.reversed {
            values.reverse();
        }
        Some(values)
    }

    fn static_typed(&mut self, expr: &Expr, what: &str) -> Option<Int> {
        match static_eval::eval(expr, &self.scopes) {
            Ok(Some(Value::Int(int))) => return Some(int),
            Ok(_) => self.report_dynamic(expr, what),
            Err(error) => self.diagnostics.push(error),
        }
        None
    }

    fn reject_copies(&mut self, attribute: &syn::Attribute, count: i128) {
        self.diagnostics.error(
            attribute,
            format!("`#[unroll]` would write {count} copies of the body"),
            format!(
                "at most {MAX_UNROLLED_BODIES} are written: unroll an inner loop alone, or remove `#[unroll]`"
            ),
        );
    }

    /// The extents of `view` and its indices, row by row; reports what keeps them from being static.
    fn static_points(
        &mut self,
        view: &View,
        attribute: &syn::Attribute,
    ) -> Option<(Vec<i64>, Vec<Vec<Int>>)> {
        if self.reject_packed(view, attribute) {
            return None;
        }
        let extents: Option<Vec<i64>> =
            view.space.extents.iter().map(crate::symbolic::SymInt::as_constant).collect();
        let Some(extents) = extents else {
            self.diagnostics.error_in_call(
                attribute,
                format!("`#[unroll]` over `{}`, whose extents are not static", view.name),
                "give the view a size that folds, as in `t[[r..r + 4, c..c + 4]]`, or remove `#[unroll]`",
            );
            return None;
        };
        let count: i64 = extents.iter().fold(1i64, |count, extent| count.saturating_mul(*extent));
        let count = i128::from(count).saturating_mul(self.walk.copies);
        if count > MAX_UNROLLED_BODIES {
            self.reject_copies(attribute, count);
            return None;
        }
        let number = |value: i64| Int { value: i128::from(value), ty: None };
        let rows = points_of(&extents).into_iter().map(|row| row.into_iter().map(number).collect());
        Some((extents.clone(), rows.collect()))
    }

    pub(in crate::bind) fn unrolled_indices(
        &mut self,
        for_loop: &ExprForLoop,
        view: &View,
        names: &[Option<Ident>],
        attribute: &syn::Attribute,
        schedule: &[syn::Attribute],
    ) -> Expr {
        let Some((extents, rows)) = self.static_points(view, attribute) else {
            return unreachable_value();
        };
        let [word, ..] = schedule else { return self.copies_of(for_loop, names, rows) };
        let Some(sequence) = self.sequence(schedule, names, &extents) else {
            return unreachable_value();
        };
        let ordered = sequence.iter().map(|at| rows[*at].clone()).collect();
        let beginning = self.beginning();
        let first = self.program.regions.next_id();
        let copies = self.copies_of(for_loop, names, ordered);
        let (attribute, calls) = (word.to_token_stream(), self.diagnostics.calls().to_vec());
        let effects = self.effects_since(beginning, first);
        self.program.ordered_copies.push(OrderedCopies {
            region: first,
            sequence,
            effects,
            attribute,
            calls,
        });
        copies
    }

    /// A scan of the indices of `view`, unrolled; with the name of its position, where that is counted.
    pub(in crate::bind) fn unrolled_scan(
        &mut self,
        for_loop: &ExprForLoop,
        (view, mut names): (&View, Vec<Option<Ident>>),
        (order, position): (&shim_core::Order, Option<&Ident>),
        attribute: &syn::Attribute,
    ) -> Expr {
        let Some((extents, rows)) = self.static_points(view, attribute) else { return unreachable_value() };
        let Some(sequence) = self.sequence_of(order, &extents, &for_loop.expr) else {
            return unreachable_value();
        };
        let mut ordered: Vec<Vec<Int>> = sequence.iter().map(|at| rows[*at].clone()).collect();
        if let Some(position) = position {
            names.push(Some(position.clone()));
            for (k, row) in ordered.iter_mut().enumerate() {
                row.push(Int { value: k as i128, ty: Some(IntType::Usize) });
            }
        }
        self.copies_of(for_loop, &names, ordered)
    }

    /// The body of `for_loop` once for each row of values.
    pub(in crate::bind) fn copies_of(
        &mut self,
        for_loop: &ExprForLoop,
        names: &[Option<Ident>],
        rows: Vec<Vec<Int>>,
    ) -> Expr {
        self.copies(for_loop.label.as_ref(), names, rows, &mut |binder| {
            binder.statements(&for_loop.body.stmts);
        })
    }

    /// Runs `fill` once for each row of values: one copy of the body each.
    fn copies(
        &mut self,
        label: Option<&syn::Label>,
        names: &[Option<Ident>],
        rows: Vec<Vec<Int>>,
        fill: &mut dyn FnMut(&mut Self),
    ) -> Expr {
        let (bodies, jumps) = self.in_staged_loop(label, |binder| {
            binder.body(RegionKind::Plain, Vec::new(), |binder| {
                let around = binder.walk.copies;
                binder.walk.copies *= rows.len().max(1) as i128;
                for row in rows {
                    let body = binder.body(RegionKind::Plain, Vec::new(), |binder| {
                        for (name, value) in names.iter().zip(row) {
                            if let Some(name) = name {
                                binder.scopes.bind(name, Binding::Static(Value::Int(value)));
                            }
                        }
                        fill(binder);
                    });
                    let block = binder.block_of(body);
                    // Each copy is a statement of its own, so that positions keep telling them apart.
                    binder
                        .push(syn::Stmt::Expr(syn::parse_quote!(#block), Some(syn::token::Semi::default())));
                }
                binder.walk.copies = around;
            })
        });
        if let Some(next) = &jumps.next {
            for statement in &mut self.program.regions[bodies].statements {
                if let StatementKind::Rust(copy) = &mut statement.kind
                    && let syn::Stmt::Expr(Expr::Block(block), _) = &mut **copy
                {
                    block.label =
                        Some(syn::Label { name: next.clone(), colon_token: syn::token::Colon::default() });
                }
            }
        }
        let hole = self.program.hole(Hole::Copies(bodies));
        match &jumps.leave {
            Some(leave) => syn::parse_quote!(#leave: { #hole }),
            None => hole,
        }
    }
}

/// Takes `#[unroll]` off a loop.
pub(in crate::bind) fn take_unroll(attributes: &mut Vec<syn::Attribute>) -> Option<syn::Attribute> {
    let is_unroll = |attribute: &syn::Attribute| {
        HelperAttribute::Unroll.is(attribute) && !HelperAttribute::orders(attribute)
    };
    let at = attributes.iter().position(is_unroll)?;
    Some(attributes.remove(at))
}

/// Takes the words that order it off a loop.
pub(in crate::bind) fn take_schedule(attributes: &mut Vec<syn::Attribute>) -> Vec<syn::Attribute> {
    attributes.extract_if(.., |attribute| HelperAttribute::orders(attribute)).collect()
}
