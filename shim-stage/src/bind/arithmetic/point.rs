//! Points: whole indices under one name, for bodies that serve every rank.
//!
//! `for p in t.indices()` and `let p = iters()` bind `p` to as many variables as there are axes. `t[p]` is then the
//! element at these, `p.back(axis, n)` and `p.ahead(axis, n)` are the neighbors along an axis, and `p[axis]` is one of
//! the variables. `insert`, `remove`, `with` and `join` make points of other ranks.

use quote::ToTokens;
use syn::{Expr, ExprMethodCall, Ident};

use crate::diagnostics::counted;
use crate::surface::{self, PointMethod};

use crate::bind::{Binder, Binding, MAX_RANK, unreachable_value};

impl Binder<'_> {
    /// Binds `name` to new variables, one per axis, which a nest then runs over. The scope is the caller's to leave.
    pub(in crate::bind) fn point_variables(&mut self, name: &Ident, rank: usize) -> Vec<Ident> {
        let names: Vec<Ident> = (0..rank).map(|axis| self.names.fresh(&format!("{name}{axis}"))).collect();
        self.scopes.enter();
        self.scopes.bind(name, Binding::Point(names.clone()));
        names
    }

    /// The index list that an expression is: one that is written out, or a point.
    pub(in crate::bind) fn index_entries(&mut self, expr: &Expr) -> Option<Vec<Expr>> {
        match surface::list(expr) {
            Some(list) => Some(list.into_iter().cloned().collect()),
            None if self.is_point(expr) => self.point_entries(expr),
            None => None,
        }
    }

    /// The entries of a point, of which [`Self::is_point`] holds; `None` when something about it was reported.
    pub(in crate::bind) fn point_entries(&mut self, expr: &Expr) -> Option<Vec<Expr>> {
        match surface::strip_parens(expr) {
            Expr::Path(path) => match self.scopes.get(path.path.get_ident()?) {
                Some(Binding::Point(names)) => {
                    Some(names.iter().map(|name| syn::parse_quote!(#name)).collect())
                }
                _ => None,
            },
            Expr::MethodCall(call) => self.derived_point(call),
            _ => None,
        }
    }

    /// The point that a method makes of another one.
    fn derived_point(&mut self, call: &ExprMethodCall) -> Option<Vec<Expr>> {
        let method = PointMethod::of(&call.method)?;
        let mut entries = self.point_entries(&call.receiver)?;
        let arguments: Vec<&Expr> = call.args.iter().collect();
        if arguments.len() != method.arguments() || call.turbofish.is_some() {
            let (wanted, given) = (counted(method.arguments(), "argument", "arguments"), arguments.len());
            let message = format!("`{}` takes {wanted}, {given} given", method.name());
            self.diagnostics.error(&call.args, message, method.usage());
            return None;
        }
        let first = arguments[0];
        if method == PointMethod::Join {
            let Some(others) = self.index_entries(first) else {
                if !self.is_point(first) {
                    self.diagnostics.error(first, "expected a point", method.usage());
                }
                return None;
            };
            entries.extend(others);
            self.check_rank(entries.len(), call)?;
            return Some(entries);
        }
        let number = self.static_integer(first, "the number of an axis")?;
        let rank = entries.len();
        let axes = match method {
            PointMethod::Insert | PointMethod::First | PointMethod::Last => rank + 1,
            _ => rank,
        };
        let Some(axis) = usize::try_from(number).ok().filter(|axis| *axis < axes) else {
            let (message, help) = match method {
                PointMethod::First | PointMethod::Last => {
                    (format!("{number} axes of a point of rank {rank}"), "give at most its rank")
                }
                _ => {
                    let message = format!("axis {number} is out of range for a point of rank {axes}");
                    (message, "axes are counted from 0")
                }
            };
            self.diagnostics.error(first, message, help);
            return None;
        };
        match (method, &arguments[1..]) {
            (PointMethod::First, _) => entries.truncate(axis),
            (PointMethod::Last, _) => drop(entries.drain(..rank - axis)),
            (PointMethod::Back, [by]) => {
                let entry = &entries[axis];
                entries[axis] = syn::parse_quote!(#entry - (#by));
            }
            (PointMethod::Ahead, [by]) => {
                let entry = &entries[axis];
                entries[axis] = syn::parse_quote!(#entry + (#by));
            }
            (PointMethod::Insert, [at]) => entries.insert(axis, (*at).clone()),
            (PointMethod::With, [at]) => entries[axis] = (*at).clone(),
            _ => drop(entries.remove(axis)),
        }
        Some(entries)
    }

    /// Reports a rank that no tensor has.
    pub(in crate::bind) fn check_rank(&mut self, rank: usize, tokens: impl ToTokens) -> Option<()> {
        if !(1..=MAX_RANK).contains(&rank) {
            let axes = counted(rank, "axis", "axes");
            self.diagnostics.error_in_call(tokens, format!("a tensor of {axes}"), "a tensor has 1 to 8 axes");
            return None;
        }
        Some(())
    }

    /// A point as a value, an array.
    pub(in crate::bind) fn point_value(&mut self, expr: &Expr) -> Expr {
        let Some(entries) = self.point_entries(expr) else {
            return unreachable_value();
        };
        let values: Vec<Expr> = entries.iter().map(|entry| self.expression(entry)).collect();
        syn::parse_quote!([#(#values),*])
    }
}
