//! The arguments of the methods of tensors.

use std::rc::Rc;

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::{Expr, ExprMethodCall};

use crate::diagnostics::counted;
use crate::ir::View;
use crate::surface::{self, TensorMethod};
use crate::symbolic::SymInt;

use crate::bind::Binder;

impl Binder<'_> {
    /// Exactly `N` arguments.
    pub(in crate::bind) fn arguments<'e, const N: usize>(
        &mut self,
        call: &'e ExprMethodCall,
    ) -> Option<[&'e Expr; N]> {
        if let Some(fish) = &call.turbofish
            && call.method != TensorMethod::Cast.name()
        {
            let message = format!("`{}` takes no type", call.method);
            self.diagnostics.error(fish, message, usage(call));
        }
        let given: Vec<&Expr> = call.args.iter().collect();
        let count = given.len();
        if let Ok(arguments) = given.try_into() {
            return Some(arguments);
        }
        let wanted = counted(N, "argument", "arguments");
        let message = format!("`{}` takes {wanted}, {count} given", call.method);
        self.diagnostics.error(own_tokens(call), message, usage(call));
        None
    }

    pub(in crate::bind) fn tensor_argument(&mut self, expr: &Expr, hint: &str) -> Option<Rc<View>> {
        if self.is_tensor(expr) {
            return self.tensor(expr, hint);
        }
        self.diagnostics.error(expr, "expected a tensor", "give a block of this kernel or a view of one");
        None
    }

    /// A static axis number of `base`.
    pub(in crate::bind) fn axis(&mut self, expr: &Expr, base: &View) -> Option<usize> {
        let axis = self.static_integer(expr, "the number of an axis")?;
        let rank = base.space.extents.len();
        match usize::try_from(axis) {
            Ok(axis) if axis < rank => Some(axis),
            _ => {
                self.diagnostics.error(
                    expr,
                    format!("axis {axis} is out of range for `{}` of rank {rank}", base.name),
                    "axes are counted from 0",
                );
                None
            }
        }
    }

    /// The argument of `permute`: each axis of `base` once.
    pub(in crate::bind) fn axes(&mut self, call: &ExprMethodCall, base: &View) -> Option<Vec<usize>> {
        let given = self.integers(call, "an axis of a permutation")?;
        let rank = base.space.extents.len();
        let mut axes = Vec::new();
        for (value, entry) in &given {
            match usize::try_from(*value) {
                Ok(axis) if axis < rank && !axes.contains(&axis) => axes.push(axis),
                Ok(axis) if axis < rank => {
                    self.diagnostics.error(
                        entry,
                        format!("a permutation names axis {axis} twice"),
                        "name each axis of the tensor once: entry i is the axis that becomes axis i of the view",
                    );
                    return None;
                }
                _ => {
                    self.diagnostics.error(
                        entry,
                        format!("axis {value} is out of range for `{}` of rank {rank}", base.name),
                        "axes are counted from 0",
                    );
                    return None;
                }
            }
        }
        self.one_per_axis(call, given.len(), base)?;
        Some(axes)
    }

    /// The argument of `refine` or `coarsen`: a factor for each axis of `base`.
    pub(in crate::bind) fn factors(&mut self, call: &ExprMethodCall, base: &View) -> Option<Vec<i64>> {
        let given = self.integers(call, &format!("a factor of `{}`", call.method))?;
        self.positive(&given)?;
        self.one_per_axis(call, given.len(), base)?;
        Some(given.into_iter().map(|(value, _)| value).collect())
    }

    /// Reports a factor below one.
    pub(in crate::bind) fn positive(&mut self, factors: &[(i64, &Expr)]) -> Option<()> {
        let Some((value, entry)) = factors.iter().find(|(value, _)| *value < 1) else { return Some(()) };
        self.diagnostics.error(
            entry,
            format!("factor {value} is less than one"),
            "factors are at least one, and one leaves the axis as it is",
        );
        None
    }

    fn one_per_axis(&mut self, call: &ExprMethodCall, given: usize, base: &View) -> Option<()> {
        let rank = base.space.extents.len();
        if given == rank {
            return Some(());
        }
        let (entries, axes) = (counted(given, "entry", "entries"), counted(rank, "axis", "axes"));
        let message = format!("{entries} for `{}`, which has {axes}", base.name);
        self.diagnostics.error(&call.args, message, usage(call));
        None
    }

    /// The static integers of the one argument of `call`, a list.
    pub(in crate::bind) fn integers<'e>(
        &mut self,
        call: &'e ExprMethodCall,
        what: &str,
    ) -> Option<Vec<(i64, &'e Expr)>> {
        let [argument] = self.arguments::<1>(call)?;
        let Some(list) = surface::list(argument) else {
            let message = format!("`{}` takes a list that is written out", call.method);
            self.diagnostics.error(argument, message, usage(call));
            return None;
        };
        let mut values = Vec::new();
        for entry in list {
            values.push((self.static_integer(entry, what)?, entry));
        }
        Some(values)
    }

    /// A point with an entry for each axis of a tensor of the given rank.
    pub(in crate::bind) fn whole_point(
        &mut self,
        expr: &Expr,
        rank: usize,
        hint: &str,
    ) -> Option<Vec<SymInt>> {
        if let Some(list) = surface::list(expr)
            && list.len() < rank
        {
            let (entries, axes) = (counted(list.len(), "entry", "entries"), counted(rank, "axis", "axes"));
            self.diagnostics.error(
                expr,
                format!("{entries} for a tensor of {axes}"),
                "give one per axis of the tensor",
            );
            return None;
        }
        self.point(expr, rank, hint)
    }

    /// A point of a tensor of the given rank, padded with zeros on the left.
    pub(in crate::bind) fn point(&mut self, expr: &Expr, rank: usize, hint: &str) -> Option<Vec<SymInt>> {
        let Some(list) = self.index_entries(expr) else {
            if !self.is_point(expr) {
                self.diagnostics.error(
                    expr,
                    "expected an index list such as `[y, x]`",
                    "a point is written `[y, x]`",
                );
            }
            return None;
        };
        if list.len() > rank {
            let given = counted(list.len(), "index is", "indices are");
            let message = format!("{given} given for a tensor of rank {rank}");
            self.diagnostics.error(
                expr,
                message,
                "give at most one per axis; missing ones are zeros on the left",
            );
            return None;
        }
        let mut point = vec![SymInt::constant(0); rank - list.len()];
        for entry in &list {
            point.push(self.snapshot(entry, &format!("{hint}_at"), false));
        }
        Some(point)
    }
}

/// A method call without its receiver: the tokens that an error about it is shown on.
pub(in crate::bind) fn own_tokens(call: &ExprMethodCall) -> TokenStream {
    let mut tokens = call.method.to_token_stream();
    call.turbofish.to_tokens(&mut tokens);
    call.paren_token.surround(&mut tokens, |inner| call.args.to_tokens(inner));
    tokens
}

/// How a tensor method is written.
fn usage(call: &ExprMethodCall) -> &'static str {
    TensorMethod::of(&call.method).map_or("see the documentation of `shim::kernel`", TensorMethod::usage)
}
