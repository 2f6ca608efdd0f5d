//! `t.select([16, 32], |[k, lane]| [..])`: a block on the stack, whose elements are those of `t` at static places.

use std::collections::HashMap;
use std::rc::Rc;

use quote::ToTokens;
use shim_core::TensorSpace;
use syn::{Expr, ExprClosure, ExprMethodCall, Ident};

use crate::diagnostics::counted;
use crate::ir::{AccessId, AccessKind, Hole, Memory, Selection, View};
use crate::static_eval::{self, Int, Value};
use crate::surface::{self, TensorMethod, pattern};
use crate::symbolic::SymInt;

use crate::bind::Binder;
use crate::bind::tensors::placement::Placement;

/// The most elements that one expression selects: the place of each is computed while the kernel is expanded.
const MAX_ELEMENTS: i64 = 4096;

impl Binder<'_> {
    /// The block that a call of `select` makes.
    pub(in crate::bind) fn select(
        &mut self,
        base: &Rc<View>,
        call: &ExprMethodCall,
        hint: &str,
    ) -> Option<Rc<View>> {
        let [extents, closure] = self.arguments::<2>(call)?;
        let Expr::Closure(closure) = surface::strip_parens(closure) else {
            self.diagnostics.error(
                closure,
                "`select` takes a closure that is written out",
                TensorMethod::Select.usage(),
            );
            return None;
        };
        if self.is_place(base) {
            self.reject_place(base, &call.receiver);
            return None;
        }
        let extents = self.selected_extents(extents)?;
        let places = self.places(base, &extents, closure)?;
        let memory = Memory::Like { view: base.clone(), stack: true };
        let space = Placement::new(extents.len()).in_root().place_in(&self.tensors.root_space);
        let space = TensorSpace {
            space: self.report_location_error(space, call)?,
            extents: extents.iter().copied().map(SymInt::constant).collect(),
        };
        let made = self.store(hint, memory, None, space, None, call)?;
        // An element that is selected several times is one access.
        let tokens = call.to_token_stream();
        let mut accesses: Vec<AccessId> = Vec::new();
        let mut known: HashMap<Vec<i64>, usize> = HashMap::new();
        let mut elements = Vec::new();
        for place in places {
            let number = *known.entry(place).or_insert_with_key(|place| {
                let index = place.iter().copied().map(SymInt::constant).collect();
                let read = self.record(base.clone(), index, AccessKind::Read, Vec::new(), tokens.clone());
                accesses.push(read);
                accesses.len() - 1
            });
            elements.push(number);
        }
        if !elements.is_empty() {
            let first = vec![SymInt::constant(0); extents.len()];
            let to = self.record(made.clone(), first, AccessKind::Write, Vec::new(), tokens);
            let selection = Selection { to, accesses, elements, gather: None };
            let hole = self.program.hole(Hole::Select(Box::new(selection)));
            self.push(syn::Stmt::Expr(hole, Some(syn::token::Semi::default())));
        }
        Some(made)
    }

    /// The extents of a selection.
    fn selected_extents(&mut self, list: &Expr) -> Option<Vec<i64>> {
        let Some(entries) = surface::list(list) else {
            self.diagnostics.error(
                list,
                "`select` takes a list of extents that is written out",
                TensorMethod::Select.usage(),
            );
            return None;
        };
        let entries: Vec<(i64, &Expr)> = entries
            .into_iter()
            .map(|entry| Some((self.static_integer(entry, "an extent of a selection")?, entry)))
            .collect::<Option<_>>()?;
        if let Some((_, entry)) = entries.iter().find(|(extent, _)| *extent < 0) {
            self.diagnostics.error(
                *entry,
                "an extent is negative",
                "an extent is the number of indices of an axis",
            );
            return None;
        }
        let count = entries.iter().fold(1_i64, |count, (extent, _)| count.saturating_mul(*extent));
        if entries.is_empty() || entries.len() > crate::bind::MAX_RANK || count > MAX_ELEMENTS {
            self.diagnostics.error(
                list,
                format!("a selection of {count} elements and {}", counted(entries.len(), "axis", "axes")),
                format!("`select` makes a block of at most {MAX_ELEMENTS} elements, with 1 to 8 axes"),
            );
            return None;
        }
        Some(entries.into_iter().map(|(extent, _)| extent).collect())
    }

    /// The index in `base` of each element, in row-major order.
    fn places(&mut self, base: &View, extents: &[i64], closure: &ExprClosure) -> Option<Vec<Vec<i64>>> {
        let values = self.values_at(extents, closure, "select")?;
        values.into_iter().map(|place| self.place_from(place, closure, base)).collect()
    }

    /// What a closure over the indices of a box gives for each of them, in row-major order: all of it is static. `what`
    /// takes the closure.
    pub(in crate::bind) fn values_at(
        &mut self,
        extents: &[i64],
        closure: &ExprClosure,
        what: &str,
    ) -> Option<Vec<Value>> {
        let count = extents.iter().fold(1_i64, |count, extent| count.saturating_mul(*extent));
        if count > MAX_ELEMENTS {
            self.diagnostics.error(
                closure,
                format!("`{what}` of a box of {count} elements"),
                format!("what is computed while a kernel is expanded has at most {MAX_ELEMENTS} elements"),
            );
            return None;
        }
        let input = closure.inputs.first().filter(|_| closure.inputs.len() == 1);
        let single = input.and_then(pattern::simple).filter(|(.., mutable)| !mutable && extents.len() == 1);
        let names = match single {
            Some((name, ..)) => Some(vec![Some(name.clone())]),
            None => input.and_then(pattern::array).filter(|names| names.len() == extents.len()),
        };
        let Some(names) = names else {
            self.diagnostics.error(
                &closure.inputs,
                format!(
                    "`{what}` takes a closure over an index of {}",
                    counted(extents.len(), "axis", "axes")
                ),
                "name the numbers of the index, as in `|[k, lane]|`",
            );
            return None;
        };
        let mut found = Vec::new();
        let mut point = vec![0_i64; extents.len()];
        for number in 0..count {
            let mut rest = number;
            for (at, extent) in point.iter_mut().zip(extents).rev() {
                (*at, rest) = (rest % extent, rest / extent);
            }
            let value = |at: &i64| Value::Int(Int { value: i128::from(*at), ty: None });
            let bound: Vec<(Ident, Value)> =
                names.iter().zip(&point).filter_map(|(name, at)| Some((name.clone()?, value(at)))).collect();
            match static_eval::eval_with(&closure.body, &bound, &self.scopes) {
                Ok(Some(value)) => found.push(value),
                Ok(None) => {
                    self.report_dynamic(&closure.body, "the place of an element");
                    return None;
                }
                Err(error) => {
                    self.diagnostics.push(error);
                    return None;
                }
            }
        }
        Some(found)
    }

    /// The index that a closure gives.
    fn place_from(&mut self, place: Value, closure: &ExprClosure, base: &View) -> Option<Vec<i64>> {
        let rank = base.space.extents.len();
        let integer = |value: Value| match value {
            Value::Int(int) => i64::try_from(int.value).ok(),
            _ => None,
        };
        let entries: Option<Vec<i64>> = match place {
            Value::Array(entries) => entries.into_iter().map(integer).collect(),
            value => integer(value).map(|at| vec![at]),
        };
        if entries.as_ref().is_none_or(|entries| entries.len() != rank) {
            self.diagnostics.error(
                &closure.body,
                format!("this is not an index of `{}`, of rank {rank}", base.name),
                "give a list with a number for each axis, as in `[y, x]`; for one axis, the number alone will do",
            );
        }
        entries.filter(|entries| entries.len() == rank)
    }
}
