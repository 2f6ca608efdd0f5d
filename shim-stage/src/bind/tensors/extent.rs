//! Extents that depend on indices: what a closure in a list of extents says.

use quote::ToTokens;
use shim_core::{Extent, LocationError, Table};
use syn::{BinOp, Expr, ExprClosure, Ident};

use crate::hygiene;
use crate::surface::{self, pattern};
use crate::symbolic::{SymInt, Symbol};

use crate::bind::{Binder, Binding, unreachable_value};

const FORMS: &str = "an extent is a sum of earlier indices with constant factors, as in `|i| i + 1`, the `min` or `max` of two such sums, or `1 << i`";

/// The most indices of an axis for which extents are evaluated one by one.
const MAX_GROUPS: i64 = 64;

/// What is known of the axes before an extent.
pub(super) struct Before<'b> {
    /// The symbol for the index on each.
    pub(super) indices: &'b [Symbol],
    /// How far each extends.
    pub(super) extents: &'b [Extent<SymInt>],
}

impl Binder<'_> {
    /// `|i, j| i + 2 * j + n`, over the indices before it; `None` if something about it was reported.
    pub(super) fn dependent_extent(
        &mut self,
        closure: &ExprClosure,
        before: &Before<'_>,
        hint: &str,
    ) -> Option<Extent<SymInt>> {
        let names = self.index_names(closure, before.indices.len())?;
        let body = surface::strip_parens(&closure.body);
        let is_named =
            |ident: &Ident| names.iter().any(|name| name.as_ref().is_some_and(|name| name == ident));
        let mentioned: Vec<usize> = (0..names.len())
            .filter(|axis| {
                let mut idents = hygiene::identifiers(body.to_token_stream());
                names[*axis].as_ref().is_some_and(|name| idents.any(|ident| ident == *name))
            })
            .collect();
        if let Expr::Range(range) = body {
            return self.ragged(range, &names, before);
        }
        self.scopes.enter();
        for (name, symbol) in names.iter().zip(before.indices) {
            if let Some(name) = name {
                let (value, sym) = (unreachable_value(), SymInt::symbol(symbol));
                self.scopes.bind(name, Binding::Index { sym, value, exact: true, reference: false });
            }
        }
        let closed = if may_be_closed(body, &is_named) {
            self.closed_form(body, &is_named, before.indices)
        } else {
            Err(LocationError::NoClosedForm)
        };
        self.scopes.leave();
        if !matches!(closed, Err(LocationError::NoClosedForm)) {
            return self.report_location_error(closed, body);
        }
        let [axis] = mentioned[..] else {
            self.diagnostics.error(body, "an extent that is not a sum of indices", FORMS);
            return None;
        };
        let count = before.extents[axis].as_fixed().and_then(SymInt::as_constant);
        let Some(count) = count.filter(|count| (0..=MAX_GROUPS).contains(count)) else {
            self.diagnostics.error(
                body,
                "an extent that is not a sum of indices",
                format!("{FORMS}; it may be any expression where the axis has at most {MAX_GROUPS} indices, which are known at expansion"),
            );
            return None;
        };
        let name = names[axis].as_ref()?;
        let entries = self.entries_of(body, name, count, hint);
        if let Some(negative) =
            entries.iter().find_map(|entry| entry.as_constant().filter(|entry| *entry < 0))
        {
            let made = Err(LocationError::NegativeExtent { extent: negative });
            return self.report_location_error(made, body);
        }
        Some(Extent::Listed { axis, extents: Table::new(entries) })
    }

    /// The names that a closure gives the indices before an axis.
    fn index_names(&mut self, closure: &ExprClosure, axes: usize) -> Option<Vec<Option<Ident>>> {
        let names: Option<Vec<_>> = closure
            .inputs
            .iter()
            .map(|input| match pattern::simple(input) {
                Some((name, None, false)) => Some(Some(name.clone())),
                _ => matches!(input, syn::Pat::Wild(_)).then_some(None),
            })
            .collect();
        let names = names.filter(|names| names.len() <= axes);
        if names.is_none() {
            let message = match axes {
                0 => "the extent of the first axis depends on no index".to_owned(),
                1 => "expected one plain name: the index on the axis before this one".to_owned(),
                count => {
                    format!("expected up to {count} plain names: the indices on the axes before this one")
                }
            };
            self.diagnostics.error(closure, message, FORMS);
        }
        names
    }

    /// The extent that an expression over indices is.
    ///
    /// # Errors
    /// [`LocationError::NoClosedForm`] if it is none of the algebra, and those of its arithmetic.
    fn closed_form(
        &mut self,
        expr: &Expr,
        is_index: &dyn Fn(&Ident) -> bool,
        indices: &[Symbol],
    ) -> Result<Extent<SymInt>, LocationError> {
        let expr = surface::strip_parens(expr);
        if !mentions(expr, is_index) {
            return Ok(Extent::constant(self.snapshot(expr, "extent", true)));
        }
        let mut of = |expr: &Expr| self.closed_form(expr, is_index, indices);
        match expr {
            Expr::Binary(binary) => {
                let (left, right) = (of(&binary.left)?, of(&binary.right)?);
                let known = |extent: &Extent<SymInt>| extent.as_fixed().and_then(SymInt::as_constant);
                match (&binary.op, known(&left), known(&right)) {
                    (BinOp::Add(_), ..) => left.plus(&right),
                    (BinOp::Sub(_), ..) => left.plus(&right.scale(-1)?),
                    (BinOp::Mul(_), Some(factor), _) => right.scale(factor),
                    (BinOp::Mul(_), _, Some(factor)) => left.scale(factor),
                    (BinOp::Shl(_), _, Some(bits @ 0..63)) => left.scale(1 << bits),
                    (BinOp::Shl(_), ..) => match left.as_fixed() {
                        Some(factor) => power(factor, &right),
                        None => Err(LocationError::NoClosedForm),
                    },
                    _ => Err(LocationError::NoClosedForm),
                }
            }
            Expr::MethodCall(call) => {
                let (left, right) = (of(&call.receiver)?, of(&call.args[0])?);
                // The greater of two is the smaller of their negations, negated.
                let max = |a: &Extent<SymInt>, b: &Extent<SymInt>| a.scale(-1)?.min(&b.scale(-1)?)?.scale(-1);
                match &*call.method.to_string() {
                    "min" => left.min(&right),
                    "max" => max(&left, &right),
                    _ => max(&left.plus(&right.scale(-1)?)?, &Extent::constant(SymInt::constant(0))),
                }
            }
            Expr::If(branch) => {
                let Some((condition, then, or)) = simple_branch(branch) else {
                    return Err(LocationError::NoClosedForm);
                };
                let (left, right, then, or) =
                    (of(&condition.left)?, of(&condition.right)?, of(then)?, of(or)?);
                // The condition holds where a difference is negative.
                let one = Extent::constant(SymInt::constant(-1));
                let difference = match condition.op {
                    BinOp::Lt(_) => left.plus(&right.scale(-1)?)?,
                    BinOp::Le(_) => left.plus(&right.scale(-1)?)?.plus(&one)?,
                    BinOp::Gt(_) => right.plus(&left.scale(-1)?)?,
                    _ => right.plus(&left.scale(-1)?)?.plus(&one)?,
                };
                difference.choose(&then, &or)
            }
            _ => {
                let index = self.pure_index(expr);
                let axis = index.and_then(|sym| indices.iter().position(|own| sym == SymInt::symbol(own)));
                axis.map(Extent::index).ok_or(LocationError::NoClosedForm)
            }
        }
    }

    /// `|i| starts[i]..starts[i + 1]`: rows of any length.
    fn ragged(
        &mut self,
        range: &syn::ExprRange,
        names: &[Option<Ident>],
        before: &Before<'_>,
    ) -> Option<Extent<SymInt>> {
        let ends = [&range.start, &range.end].map(|end| match end.as_deref().map(surface::strip_parens) {
            Some(Expr::Index(index)) if matches!(range.limits, syn::RangeLimits::HalfOpen(_)) => Some(index),
            _ => None,
        });
        let row = names.iter().enumerate().find_map(|(axis, name)| {
            let (name, [start, end]) = (name.as_ref()?, [ends[0]?, ends[1]?]);
            let next: Expr = syn::parse_quote!(#name + 1);
            let own: Expr = syn::parse_quote!(#name);
            let is_row = *surface::strip_parens(&start.index) == own
                && *surface::strip_parens(&end.index) == next
                && start.expr == end.expr;
            is_row.then_some((axis, &start.expr))
        });
        let Some((axis, memory)) = row else {
            self.diagnostics.error(
                range,
                "expected where a row starts and where the next one does",
                "write `|i| starts[i]..starts[i + 1]`: `starts` has one entry for each row, and one for the end of the last",
            );
            return None;
        };
        if self.is_tensor(memory) {
            self.diagnostics.error(
                memory,
                "expected memory (a slice, array or `Vec`), found a tensor",
                "the starts of rows are a slice of integers",
            );
            return None;
        }
        let Some(rows) = before.extents[axis].as_fixed() else {
            self.diagnostics.error(
                range,
                "the number of rows depends on an index",
                "a table of starts has one entry for each index of an axis, whose extent is the same everywhere",
            );
            return None;
        };
        let name = self.checked_starts(memory, rows);
        let starts = Table::named(vec![SymInt::constant(0)], SymInt::symbol(&name));
        let most = starts.at(rows);
        let most = self.report_location_error(most, range)?;
        self.tensors.greatest_entries.insert(name.id(), most);
        Some(Extent::Ragged { axis, starts })
    }
}

/// Whether an expression mentions an index.
fn mentions(expr: &Expr, is_index: &dyn Fn(&Ident) -> bool) -> bool {
    hygiene::identifiers(expr.to_token_stream()).any(|ident| is_index(&ident))
}

/// `factor << index`.
fn power(factor: &SymInt, exponent: &Extent<SymInt>) -> Result<Extent<SymInt>, LocationError> {
    let axis = (0..crate::bind::MAX_RANK).find(|axis| *exponent == Extent::index(*axis));
    let power = axis.map(|axis| Extent::Power { axis, factor: factor.clone() });
    power.ok_or(LocationError::NoClosedForm)
}

/// Whether an expression is made of what may have a closed form. Only then are its parts evaluated.
fn may_be_closed(expr: &Expr, is_index: &dyn Fn(&Ident) -> bool) -> bool {
    let expr = surface::strip_parens(expr);
    let of = |expr: &Expr| may_be_closed(expr, is_index);
    if !mentions(expr, is_index) {
        return true;
    }
    match expr {
        Expr::Path(path) => path.path.get_ident().is_some(),
        Expr::Binary(binary) => {
            let closed = matches!(binary.op, BinOp::Add(_) | BinOp::Sub(_) | BinOp::Mul(_) | BinOp::Shl(_));
            closed && of(&binary.left) && of(&binary.right)
        }
        Expr::MethodCall(call) => {
            let named = call.args.len() == 1 && call.turbofish.is_none();
            let closed = ["min", "max", "saturating_sub"].iter().any(|name| call.method == name);
            named && closed && of(&call.receiver) && of(&call.args[0])
        }
        Expr::If(branch) => simple_branch(branch).is_some_and(|(condition, then, or)| {
            [&*condition.left, &*condition.right, then, or].into_iter().all(of)
        }),
        _ => false,
    }
}

/// `if a < b { then } else { or }`.
fn simple_branch(branch: &syn::ExprIf) -> Option<(&syn::ExprBinary, &Expr, &Expr)> {
    let Expr::Binary(condition) = surface::strip_parens(&branch.cond) else { return None };
    if !matches!(condition.op, BinOp::Lt(_) | BinOp::Le(_) | BinOp::Gt(_) | BinOp::Ge(_)) {
        return None;
    }
    let (_, or) = branch.else_branch.as_ref()?;
    let [syn::Stmt::Expr(then, None)] = &branch.then_branch.stmts[..] else { return None };
    let Expr::Block(or) = &**or else { return None };
    let [syn::Stmt::Expr(or, None)] = &or.block.stmts[..] else { return None };
    Some((condition, then, or))
}
