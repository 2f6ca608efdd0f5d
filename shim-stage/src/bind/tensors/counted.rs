//! Parts of a tensor at its first or last indices: `take`, `drop`, and `psi`.

use std::rc::Rc;

use shim_core::Part;
use syn::ExprMethodCall;

use crate::diagnostics::counted;
use crate::ir::View;
use crate::surface::TensorMethod;
use crate::symbolic::{SymError, SymInt};

use crate::bind::Binder;
use crate::bind::tensors::arguments::own_tokens;

impl Binder<'_> {
    /// `t.take([2, -1])` and `t.drop([1, 0])`: negative numbers count from the end.
    pub(super) fn counted(
        &mut self,
        base: &Rc<View>,
        call: &ExprMethodCall,
        method: TensorMethod,
        hint: &str,
    ) -> Option<Rc<View>> {
        let numbers = self.leading(base, call, hint)?;
        let mut parts = vec![Part::Full; base.space.extents.len()];
        for ((part, number), extent) in parts.iter_mut().zip(numbers).zip(&base.space.extents) {
            let range = number.range();
            let from_end = match (range.lo, range.hi) {
                (Some(lo), _) if lo >= 0 => false,
                (_, Some(hi)) if hi <= 0 => true,
                _ => {
                    let message =
                        format!("the sign of a number of `{method}` is not known", method = method.name());
                    let help = "a negative number counts from the end: write an unsigned one, as in `n as usize`, or \
                                its opposite";
                    self.diagnostics.error_in_call(&call.args, message, help);
                    return None;
                }
            };
            let part_of = || -> Result<Part<SymInt>, SymError> {
                let zero = SymInt::constant(0);
                let end = if from_end { extent.add(&number)? } else { number.clone() };
                let (start, end) = match (method == TensorMethod::Take, from_end) {
                    (true, false) | (false, true) => (zero, end),
                    (true, true) | (false, false) => (end, extent.clone()),
                };
                Ok(Part::Range { start, end, step: 1 })
            };
            *part = self.report_location_error(part_of(), call)?;
        }
        self.part_of(base, &parts, own_tokens(call))
    }

    /// `t.psi(p)`: the view behind an index of the first axes.
    pub(super) fn behind(&mut self, base: &Rc<View>, call: &ExprMethodCall, hint: &str) -> Option<Rc<View>> {
        let rank = base.space.extents.len();
        let index = self.leading(base, call, hint)?;
        if index.len() == rank {
            self.diagnostics.error_in_call(
                &call.args,
                format!("`psi` of an index on each axis of `{}` is an element", base.name),
                "write `t[p]`, the element, or leave an axis",
            );
            return None;
        }
        let mut parts: Vec<Part<SymInt>> = index.into_iter().map(Part::Index).collect();
        parts.resize(rank, Part::Full);
        self.part_of(base, &parts, own_tokens(call))
    }

    /// The entries of a point on the first axes of a tensor.
    fn leading(&mut self, base: &Rc<View>, call: &ExprMethodCall, hint: &str) -> Option<Vec<SymInt>> {
        let [given] = self.arguments::<1>(call)?;
        let rank = base.space.extents.len();
        let Some(entries) = self.index_entries(given) else {
            if !self.is_point(given) {
                let message = format!("`{}` takes a list that is written out, or a point", call.method);
                self.diagnostics.error(given, message, TensorMethod::of(&call.method)?.usage());
            }
            return None;
        };
        if entries.len() > rank {
            let (given, axes) = (counted(entries.len(), "entry", "entries"), counted(rank, "axis", "axes"));
            self.diagnostics.error_in_call(
                &call.args,
                format!("{given} for `{}`, which has {axes}", base.name),
                "give at most one per axis, for the first ones",
            );
            return None;
        }
        Some(entries.iter().map(|entry| self.snapshot(entry, &format!("{hint}_at"), false)).collect())
    }
}
