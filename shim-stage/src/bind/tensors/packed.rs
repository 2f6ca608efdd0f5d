//! Blocks of a shape: extents that depend on the indices before them, as in `Block::external(v, [n, |i| i + 1])`.
//!
//! The elements are stored without padding. An access is inside if its index on each axis is below the extent at the
//! indices before it, and its offset is a closed form of [`Shape`].

use shim_core::{Extent, Shape};
use syn::{Expr, ExprClosure};

use crate::ir::{PackedShape, SymbolSource, View};
use crate::surface::{self, pattern};
use crate::symbolic::{Atom, Range, SymInt, Symbol};

use crate::bind::tensors::block::axis_name;
use crate::bind::{Binder, Binding, unreachable_value};

const AFFINE: &str = "an extent is a sum of earlier indices with constant factors and of values that are not negative, as in `|i| i + 1`";

impl Binder<'_> {
    /// The extents of the box around a shape, and the shape; `None` if something about it was reported.
    pub(in crate::bind) fn packed(
        &mut self,
        list: &[&Expr],
        hint: &str,
    ) -> Option<(Vec<SymInt>, PackedShape)> {
        let rank = list.len();
        let here = self.position();
        let inside = Range { lo: Some(0), hi: None };
        let indices: Vec<Symbol> = (0..rank)
            .map(|axis| self.symbol(&format!("i{axis}"), inside, SymbolSource::Coordinate(axis), here))
            .collect();
        let mut extents: Vec<Extent<SymInt>> = Vec::new();
        for (axis, entry) in list.iter().enumerate() {
            let extent = match surface::strip_parens(entry) {
                Expr::Closure(closure) => self.dependent_extent(closure, &indices[..axis])?,
                entry => {
                    Extent::constant(self.snapshot(entry, &format!("{hint}_{}", axis_name(axis, rank)), true))
                }
            };
            extents.push(extent);
        }
        let made = Shape::new(extents);
        let shape = self.report_location_error(made, list[0])?;
        let mut greatest: Vec<SymInt> = Vec::new();
        let facts = self.facts();
        for (entry, extent) in list.iter().zip(shape.extents()) {
            let least = shape.least(extent);
            let least = self.report_location_error(least, entry)?;
            let is_closure = matches!(surface::strip_parens(entry), Expr::Closure(_));
            if is_closure && !least.is_some_and(|least| facts.proves_nonneg(&least)) {
                self.diagnostics.error(
                    entry,
                    "an extent may be negative at some indices",
                    "an extent is a number of indices: write it so that it is at least zero at all of them, as in `[n, |i| n - i]`",
                );
                return None;
            }
            let most = most(extent, &greatest);
            greatest.push(self.report_location_error(most, entry)?);
        }
        let at: Vec<SymInt> = indices.iter().map(SymInt::symbol).collect();
        let offset = shape.offset(&at);
        let offset = self.report_location_error(offset, list[0])?;
        let largest = |symbol: &Symbol| match indices.iter().position(|own| own == symbol) {
            Some(axis) => Some(greatest[axis].clone()),
            None => symbol.range().is_nonnegative().then(|| SymInt::symbol(symbol)),
        };
        let Some(bound) = bound(&offset, &largest) else {
            self.diagnostics.error(
                list[0],
                "the extents of a shape are not sums of values that are not negative",
                AFFINE,
            );
            return None;
        };
        Some((greatest, PackedShape { shape, bound }))
    }

    /// `|i, j| i + 2 * j + n`, over the indices before it.
    fn dependent_extent(&mut self, closure: &ExprClosure, indices: &[Symbol]) -> Option<Extent<SymInt>> {
        let names: Option<Vec<_>> = closure
            .inputs
            .iter()
            .map(|input| match pattern::simple(input) {
                Some((name, None, false)) => Some(Some(name.clone())),
                _ => matches!(input, syn::Pat::Wild(_)).then_some(None),
            })
            .collect();
        let Some(names) = names.filter(|names| names.len() <= indices.len()) else {
            let message = match indices.len() {
                0 => "the extent of the first axis depends on no index".to_owned(),
                1 => "expected one plain name: the index on the axis before this one".to_owned(),
                count => {
                    format!("expected up to {count} plain names: the indices on the axes before this one")
                }
            };
            self.diagnostics.error(closure, message, AFFINE);
            return None;
        };
        self.scopes.enter();
        for (name, symbol) in names.iter().zip(indices) {
            if let Some(name) = name {
                let value = unreachable_value();
                let sym = SymInt::symbol(symbol);
                self.scopes.bind(name, Binding::Index { sym, value, exact: true, reference: false });
            }
        }
        let extent = self.pure_index(&closure.body);
        self.scopes.leave();
        let affine = extent.and_then(|extent| {
            let coefficients: Option<Vec<i64>> =
                indices.iter().map(|index| extent.coefficient(index)?.as_constant()).collect();
            let zero = |symbol: &Symbol| indices.contains(symbol).then(|| SymInt::constant(0));
            Some((extent.substitute(&zero).ok()?, coefficients?))
        });
        let Some((constant, coefficients)) = affine else {
            self.diagnostics.error(&closure.body, "an extent that is not a sum of indices", AFFINE);
            return None;
        };
        self.materialize(&constant);
        Some(Extent::Affine { constant, coefficients })
    }

    /// Reports what a view of a shape cannot do; says whether `view` is one.
    pub(in crate::bind) fn reject_packed(&mut self, view: &View, tokens: impl quote::ToTokens) -> bool {
        let is_packed = self.program.buffers[view.buffer].shape.is_some() && !self.is_broken(view);
        if is_packed {
            self.diagnostics.error(
                tokens,
                format!("no view of `{}`: its extents depend on indices", view.name),
                "access its elements at indices, as in `for [i, j] in t.indices() { t[[i, j]] = 0; }`",
            );
        }
        is_packed
    }
}

/// The greatest extent of an axis, zero at least, where the indices before it are below `greatest`.
fn most(extent: &Extent<SymInt>, greatest: &[SymInt]) -> Result<SymInt, shim_core::LocationError> {
    use shim_core::Integer;
    let Extent::Affine { constant, coefficients } = extent else {
        return Err(shim_core::LocationError::NoClosedForm);
    };
    let growing = coefficients.iter().zip(greatest).filter(|(coefficient, _)| **coefficient > 0);
    let mut most = constant.clone();
    let mut depends = false;
    for (&coefficient, extent) in growing {
        let last = Integer::sub(extent, &SymInt::constant(1))?;
        most = Integer::add(&most, &Integer::scale(&last, coefficient)?)?;
        depends = true;
    }
    // A box without indices has a last one of -1.
    if depends { most.at_least_zero() } else { Ok(most) }
}

/// The sum of the absolute values of the terms of `sym`, each symbol at its `largest` value.
fn bound(sym: &SymInt, largest: &dyn Fn(&Symbol) -> Option<SymInt>) -> Option<SymInt> {
    let mut sum = SymInt::constant(sym.constant_part().checked_abs()?);
    for (coefficient, monomial) in sym.terms() {
        let mut term = SymInt::constant(coefficient.checked_abs()?);
        for atom in monomial {
            let factor = match atom {
                Atom::Symbol(symbol) => largest(symbol)?,
                Atom::FloorDiv(numerator, _) => bound(numerator, largest)?,
                Atom::Mod(..) | Atom::Min(..) | Atom::Max(..) | Atom::Op(..) => return None,
            };
            term = term.mul(&factor).ok()?;
        }
        sum = sum.add(&term).ok()?;
    }
    Some(sum)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bound_is_at_least_every_term() {
        let symbol = |number, name: &str| Symbol::new(number, name, Range { lo: Some(0), hi: None });
        let (i, n) = (symbol(0, "i"), symbol(1, "n"));
        let [at, all] = [&i, &n].map(SymInt::symbol);
        // 2 n i - i^2 + i, halved.
        let square = at.mul(&at).expect("small");
        let numerator = all.mul(&at).and_then(|product| product.scale(2)).and_then(|sum| sum.sub(&square));
        let numerator = numerator.and_then(|sum| sum.add(&at)).expect("small");
        let offset = numerator.floor_div(2).expect("small");
        let largest = |symbol: &Symbol| (*symbol == i || *symbol == n).then(|| all.clone());
        let bound = bound(&offset, &largest).expect("a sum");
        // The even part leaves the quotient: n i + floor((i - i^2) / 2).
        assert_eq!(bound.eval(&|_| 10), Some(100 + (100 + 10)));
    }
}
