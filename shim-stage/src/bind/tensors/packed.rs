//! Blocks of a shape: extents that depend on the indices before them, as in `Block::external(v, [n, |i| i + 1])`.
//!
//! The elements are stored without padding. An access is inside if its index on each axis is below the extent at the
//! indices before it, and its offset is a closed form of [`Shape`].

use std::rc::Rc;

use shim_core::{Extent, Integer, Layout, LocationError, Order, Part, Shape, TensorSpace};
use syn::Expr;

use crate::ir::{PackedShape, SymbolSource, View};
use crate::surface;
use crate::symbolic::{Atom, BinaryOp, Range, SymInt, Symbol};

use crate::bind::Binder;
use crate::bind::tensors::block::axis_name;
use crate::bind::tensors::extent::Before;
use crate::bind::tensors::tables::greatest;

/// A shape of a block that is still being described.
pub(in crate::bind) struct NewShape {
    shape: Shape<SymInt>,
    /// The greatest extent of each axis, or more.
    pub(in crate::bind) most: Vec<SymInt>,
    /// The symbols for the index on each axis.
    indices: Vec<Symbol>,
}

impl Binder<'_> {
    /// A shape by the extents of its axes; `None` if something about it was reported.
    pub(in crate::bind) fn new_shape(&mut self, list: &[&Expr], hint: &str) -> Option<NewShape> {
        let rank = list.len();
        let here = self.position();
        let inside = Range { lo: Some(0), hi: None };
        let indices: Vec<Symbol> = (0..rank)
            .map(|axis| self.symbol(&format!("i{axis}"), inside, SymbolSource::Coordinate(axis), here))
            .collect();
        let mut extents: Vec<Extent<SymInt>> = Vec::new();
        let mut most: Vec<SymInt> = Vec::new();
        for (axis, entry) in list.iter().enumerate() {
            let hint = format!("{hint}_{}", axis_name(axis, rank));
            let extent = match surface::strip_parens(entry) {
                Expr::Closure(closure) => {
                    let before = Before { indices: &indices[..axis], extents: &extents };
                    self.dependent_extent(closure, &before, &hint)?
                }
                entry => Extent::constant(self.snapshot(entry, &hint, true)),
            };
            let own = most_of(&extent, &most);
            let own = self.report_location_error(own, entry)?;
            most.push(if own.cost() > 2 { self.define(&format!("{hint}_most"), own) } else { own });
            extents.push(extent);
        }
        let made = Shape::new(extents);
        let shape = self.report_location_error(made, list[0])?;
        let facts = self.facts();
        for (entry, extent) in list.iter().zip(shape.extents()) {
            let least = shape.least(extent);
            let least = self.report_location_error(least, entry)?;
            // An extent by itself, and the entries of a table, are tested where the block comes into scope.
            let is_tested = match extent {
                Extent::Listed { .. } => true,
                _ => !matches!(surface::strip_parens(entry), Expr::Closure(_)),
            };
            if !is_tested && !least.is_some_and(|least| least.iter().all(|own| facts.proves_nonneg(own))) {
                self.diagnostics.error(
                    entry,
                    "an extent may be negative at some indices",
                    "an extent is a number of indices: write it so that it is at least zero at all of them, as in `[n, |i| n - i]`",
                );
                return None;
            }
        }
        Some(NewShape { shape, most, indices })
    }

    /// `t.shaped([n, |i| i + 1])`: so many indices over the same elements.
    pub(in crate::bind) fn shaped(
        &mut self,
        base: &Rc<View>,
        call: &syn::ExprMethodCall,
        hint: &str,
    ) -> Option<Rc<View>> {
        let [argument] = self.arguments::<1>(call)?;
        let list = surface::list(argument).filter(|list| list.len() == base.space.extents.len());
        let Some(list) = list else {
            let axes = crate::diagnostics::counted(base.space.extents.len(), "axis", "axes");
            self.diagnostics.error(
                argument,
                format!("expected the extents of `{}`, which has {axes}", base.name),
                "write one for each axis, as in `t.shaped([n, |i| i + 1])`",
            );
            return None;
        };
        let NewShape { shape, most, .. } = self.new_shape(&list, hint)?;
        let shape = self.with_tables(&shape, hint, argument)?;
        let space = TensorSpace { extents: most, ..base.space.clone() };
        let shape = (!shape.is_box()).then(|| Rc::new(shape));
        Some(Rc::new(View { space, shape, list: None, ..(**base).clone() }))
    }

    /// A shape with its tables in memory, and the layout of its elements in an order.
    pub(in crate::bind) fn packed(
        &mut self,
        new: NewShape,
        order: Option<Order>,
        hint: &str,
        tokens: &Expr,
    ) -> Option<(PackedShape, Layout<SymInt>)> {
        let NewShape { shape, most, indices } = new;
        let rank = most.len();
        let tiles = match order.unwrap_or(Order::RowMajor).into_tiles(rank) {
            Some((tile, inner)) => shape.tiled(&tile).map(|tiles| (tiles, tile, inner)),
            None => Err(LocationError::NoClosedForm),
        };
        if let Err(LocationError::NoClosedForm) = tiles {
            self.diagnostics.error(
                tokens,
                "the extents of this block depend on indices, and its order has no closed form",
                "such a block is stored in row-major order, or in tiles along axes that no extent depends on and that are cut evenly, as in `tile([1, 8])`",
            );
            return None;
        }
        let (tiles, tile, inner) = self.report_location_error(tiles, tokens)?;
        let own = self.with_tables(&shape, hint, tokens)?;
        let mut tiles = if tiles == shape {
            own.clone()
        } else {
            self.with_tables(&tiles, &format!("{hint}_tiles"), tokens)?
        };
        for axis in 0..rank {
            let sums = tiles.sums(axis);
            if let Some(sums) = self.report_location_error(sums, tokens)? {
                let hint = format!("{hint}_{}_sum", axis_name(axis, rank));
                let sums = self.table(&hint, sums, tokens)?;
                tiles = tiles.with_sums(axis, sums);
            }
        }
        let layout = Layout::shaped_tiles(tiles, tile, &inner);
        let layout = self.report_location_error(layout, tokens)?;
        let at: Vec<SymInt> = indices.iter().map(SymInt::symbol).collect();
        let offset = layout.offset(&at);
        let offset = self.report_location_error(offset, tokens)?;
        let largest = |symbol: &Symbol| match indices.iter().position(|own| own == symbol) {
            Some(axis) => Some(most[axis].clone()),
            None => match self.tensors.greatest_entries.get(&symbol.id()) {
                Some(most) => Some(most.clone()),
                None => symbol.range().is_nonnegative().then(|| SymInt::symbol(symbol)),
            },
        };
        let Some(bound) = bound(&offset, &largest) else {
            self.diagnostics.error(
                tokens,
                "the extents of a shape are not sums of values that are not negative",
                "the number of elements is computed once, from extents of unsigned types or at least zero",
            );
            return None;
        };
        Some((PackedShape { shape: Rc::new(own), bound }, layout))
    }

    /// A shape with its lists in memory.
    fn with_tables(&mut self, shape: &Shape<SymInt>, hint: &str, tokens: &Expr) -> Option<Shape<SymInt>> {
        let rank = shape.rank();
        let mut extents = Vec::new();
        for (own, extent) in shape.extents().iter().enumerate() {
            extents.push(match extent {
                Extent::Listed { axis, extents } => {
                    let hint = format!("{hint}_{}", axis_name(own, rank));
                    let extents = self.table(&hint, extents.entries().to_vec(), tokens)?;
                    Extent::Listed { axis: *axis, extents }
                }
                other => other.clone(),
            });
        }
        self.report_location_error(Shape::new(extents), tokens)
    }

    /// A part of a view, and what is left of its shape.
    pub(in crate::bind) fn part_of(
        &mut self,
        base: &Rc<View>,
        parts: &[Part<SymInt>],
        tokens: impl quote::ToTokens,
    ) -> Option<Rc<View>> {
        let made = base.space.partition(parts);
        let space = self.report_location_error(made, &tokens)?;
        let Some(shape) = &base.shape else {
            return Some(Rc::new(View { space, list: None, ..(**base).clone() }));
        };
        let made = shape.part(parts);
        if let Err(LocationError::NoClosedForm) = made {
            let message = format!(
                "a part of `{}` cuts an axis whose extent depends on an index that is not fixed",
                base.name
            );
            let help = "fix the index that the extent depends on, as in `t[[i, a..b]]`, or take the axis whole, as in `t[[a..b, ..]]`";
            self.diagnostics.error(tokens, message, help);
            return None;
        }
        let shape = self.report_location_error(made, tokens)?;
        let facts = self.facts();
        let mut extents = space.extents;
        for (known, extent) in extents.iter_mut().zip(shape.extents()) {
            if let Some(fixed) = extent.as_fixed() {
                // An index behind the shape may leave less than nothing.
                let is_extent = facts.proves_nonneg(fixed);
                *known = if is_extent { fixed.clone() } else { fixed.at_least_zero().ok()? };
            }
        }
        let shape = (!shape.is_box()).then(|| Rc::new(shape));
        Some(Rc::new(View { space: TensorSpace { extents, ..space }, shape, list: None, ..(**base).clone() }))
    }

    /// Reports what a view of a shape cannot do; says whether `view` is one.
    pub(in crate::bind) fn reject_packed(&mut self, view: &View, tokens: impl quote::ToTokens) -> bool {
        let is_packed = view.shape.is_some() && !self.is_broken(view);
        if is_packed {
            self.diagnostics.error(
                tokens,
                format!("no such view of `{}`: its extents depend on indices", view.name),
                "take a row, as in `t[[i, ..]]`, or a range of the first axis, or access elements at indices",
            );
        }
        is_packed
    }
}

/// The extent of an axis whose earlier axes are parted, which may fix the indices that it depends on.
pub(in crate::bind) fn end_of_axis(base: &View, before: &[Part<SymInt>], axis: usize) -> SymInt {
    let whole = || base.space.extents[axis].clone();
    let Some(shape) = &base.shape else { return whole() };
    let mut parts = before.to_vec();
    parts.resize(base.space.extents.len(), Part::Full);
    let at = before.iter().filter(|part| !matches!(part, Part::Index(_))).count();
    let part = shape.part(&parts).ok();
    let fixed = part.as_ref().and_then(|part| part.extents().get(at)?.as_fixed());
    fixed.and_then(|fixed| fixed.at_least_zero().ok()).unwrap_or_else(whole)
}

/// The greatest extent of an axis, or more, where the indices before it are below `before`.
fn most_of(extent: &Extent<SymInt>, before: &[SymInt]) -> Result<SymInt, LocationError> {
    let last = |axis: usize| Integer::sub(&before[axis], &SymInt::constant(1));
    match extent {
        Extent::Affine { constant, coefficients } => {
            let mut most = constant.clone();
            let growing = coefficients.iter().enumerate().filter(|(_, coefficient)| **coefficient > 0);
            for (axis, coefficient) in growing {
                most = Integer::add(&most, &Integer::scale(&last(axis)?, *coefficient)?)?;
            }
            // A box without indices has no first one, and a last one of -1.
            let depends = coefficients.iter().any(|coefficient| *coefficient != 0);
            if depends { most.at_least_zero() } else { Ok(most) }
        }
        Extent::Power { axis, factor } => {
            Integer::mul(factor, &last(*axis)?.at_least_zero()?.power_of_two()?)
        }
        Extent::Listed { extents, .. } => greatest(extents.entries()),
        Extent::Ragged { axis, starts } => starts.at(&before[*axis]),
        Extent::Split { below, above, .. } => {
            Integer::max(&most_of(below, before)?, &most_of(above, before)?)
        }
        Extent::Sum(parts) => Integer::add(&most_of(&parts[0], before)?, &most_of(&parts[1], before)?),
    }
}

/// The sum of the absolute values of the terms of `sym`, each symbol at its `largest` value, and that of a table at its
/// greatest entry.
fn bound(sym: &SymInt, largest: &dyn Fn(&Symbol) -> Option<SymInt>) -> Option<SymInt> {
    let mut sum = SymInt::constant(sym.constant_part().checked_abs()?);
    for (coefficient, monomial) in sym.terms() {
        let mut term = SymInt::constant(coefficient.checked_abs()?);
        for atom in monomial {
            let factor = match atom {
                Atom::Symbol(symbol) => largest(symbol)?,
                Atom::FloorDiv(numerator, _) => bound(numerator, largest)?,
                Atom::Min(a, b) | Atom::Max(a, b) => bound(a, largest)?.add(&bound(b, largest)?).ok()?,
                Atom::Op(BinaryOp::Load, table, _) => bound(table, largest)?,
                Atom::Op(BinaryOp::Entry(table), ..) => SymInt::constant(table.bounds().1),
                // Computed with a panic in the place of zero.
                Atom::Op(BinaryOp::Power, factor, exponent) => {
                    bound(factor, largest)?.shl(&bound(exponent, largest)?).ok()?
                }
                Atom::Mod(..) | Atom::Op(..) => return None,
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
