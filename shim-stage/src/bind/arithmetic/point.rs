//! Points: whole indices under one name, for bodies that serve every rank.
//!
//! `for p in t.indices()` and `let p = iters()` bind `p` to as many variables as there are axes. `t[p]` is then the
//! element at these, `p.back(axis, n)` and `p.ahead(axis, n)` are the neighbors along an axis, and `p[axis]` is one of
//! the variables.

use syn::{BinOp, Expr, ExprMethodCall, Ident};

use crate::surface::{self, PointMethod};

use crate::bind::{Binder, Binding, unreachable_value};

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
    fn point_entries(&mut self, expr: &Expr) -> Option<Vec<Expr>> {
        match surface::strip_parens(expr) {
            Expr::Path(path) => match self.scopes.get(path.path.get_ident()?) {
                Some(Binding::Point(names)) => {
                    Some(names.iter().map(|name| syn::parse_quote!(#name)).collect())
                }
                _ => None,
            },
            Expr::MethodCall(call) => self.neighbor(call),
            _ => None,
        }
    }

    /// `p.back(axis, n)` and `p.ahead(axis, n)`.
    fn neighbor(&mut self, call: &ExprMethodCall) -> Option<Vec<Expr>> {
        let method = PointMethod::of(&call.method)?;
        let mut entries = self.point_entries(&call.receiver)?;
        let [axis, by] = match call.args.iter().collect::<Vec<_>>()[..] {
            [axis, by] if call.turbofish.is_none() => [axis, by],
            _ => {
                let given = call.args.len();
                let message = format!("`{}` takes 2 arguments, {given} given", method.name());
                self.diagnostics.error(&call.args, message, method.usage());
                return None;
            }
        };
        let number = self.static_integer(axis, "the number of an axis")?;
        let rank = entries.len();
        let Some(entry) = usize::try_from(number).ok().and_then(|axis| entries.get_mut(axis)) else {
            self.diagnostics.error(
                axis,
                format!("axis {number} is out of range for a point of rank {rank}"),
                "axes are counted from 0",
            );
            return None;
        };
        let op: BinOp = match method {
            PointMethod::Back => syn::parse_quote!(-),
            PointMethod::Ahead => syn::parse_quote!(+),
        };
        *entry = syn::parse_quote!(#entry #op (#by));
        Some(entries)
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
