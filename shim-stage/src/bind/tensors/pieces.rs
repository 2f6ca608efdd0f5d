//! Tensors of several pieces: a read outside of one goes on to the next, at the same location.
//!
//! `or` joins tensors at their positions in the root space. `rotate` and `cat` move their pieces there: each is a block over
//! the memory that it was cut from. `rev` of a tensor of pieces reverses each piece.

use std::rc::Rc;

use quote::ToTokens;
use shim_core::{Fold, Integer, LocationError, Part, TensorSpace};
use syn::ExprMethodCall;

use crate::diagnostics::counted;
use crate::ir::{Buffer, StatementKind, View};
use crate::locate;
use crate::symbolic::{Facts, SymError, SymInt};

use crate::bind::Binder;
use crate::bind::tensors::arguments::own_tokens;
use crate::bind::tensors::over::{Affine, COPY, NewIndices};
use crate::bind::tensors::placement::Placement;

/// The most pieces of a tensor: a rotation in four dimensions has as many. An access may test each of them.
const MAX_PIECES: usize = 16;

/// A part of a tensor that one block holds.
struct HeldPart {
    /// The elements of the block, in the indices of the tensor.
    view: Rc<View>,
    /// The least index.
    origin: Vec<SymInt>,
    extents: Vec<SymInt>,
}

/// A piece in a tensor that is being made.
struct PlacedPart {
    piece: HeldPart,
    /// Where it begins there.
    origin: Vec<SymInt>,
    /// The axis along which its elements are reversed.
    reversed: Option<usize>,
}

impl Binder<'_> {
    /// `t.or(u)`: the elements of `t`, and outside of it those of `u`.
    pub(in crate::bind) fn or(
        &mut self,
        base: &Rc<View>,
        call: &ExprMethodCall,
        hint: &str,
    ) -> Option<Rc<View>> {
        let [other] = self.arguments::<1>(call)?;
        let given = other;
        let other = self.tensor_argument(other, hint)?;
        if self.is_broken(&other) {
            return Some(other);
        }
        for (view, tokens) in [(base, &*call.receiver), (&other, given)] {
            self.check_piece(view, Rc::ptr_eq(view, base), call, tokens)?;
        }
        self.check_ranks(base, &other, call)?;
        self.relate(&base.space.space, &other.space.space);
        Some(Rc::new(View { pieces: joined(&base.pieces, &other), list: None, ..(**base).clone() }))
    }

    /// Reports what cannot be a piece of a tensor, the first of which has no cast.
    fn check_piece(
        &mut self,
        view: &View,
        is_first: bool,
        call: &ExprMethodCall,
        tokens: impl ToTokens,
    ) -> Option<()> {
        if self.is_place(view) {
            self.reject_place(view, tokens);
            return None;
        }
        let is_cast = !view.casts.is_empty() && is_first;
        if is_cast || view.boundary.is_some() || view.within.is_some() {
            let help = format!(
                "write `cast`, `boundary` and `within` behind `{}`, for all pieces together",
                call.method
            );
            let message = format!("a piece with a cast, a rule or a condition: `{}`", view.name);
            self.diagnostics.error(tokens, message, help);
            return None;
        }
        Some(())
    }

    fn check_ranks(&mut self, base: &View, other: &View, call: &ExprMethodCall) -> Option<()> {
        let ranks = [base, other].map(|view| view.space.extents.len());
        if ranks[0] != ranks[1] {
            let axes = ranks.map(|rank| counted(rank, "axis", "axes"));
            self.diagnostics.error(
                own_tokens(call),
                format!("pieces of {} and of {}", axes[0], axes[1]),
                "the pieces of a tensor have the same axes",
            );
            return None;
        }
        Some(())
    }

    /// `a.cat(axis, b)`: the elements of `a`, and behind them along an axis those of `b`.
    pub(super) fn catenated(
        &mut self,
        base: &Rc<View>,
        call: &ExprMethodCall,
        hint: &str,
    ) -> Option<Rc<View>> {
        let [axis, given] = self.arguments::<2>(call)?;
        let axis = self.axis(axis, base)?;
        let other = self.tensor_argument(given, hint)?;
        if self.is_broken(&other) {
            return Some(other);
        }
        self.check_piece(base, true, call, &call.receiver)?;
        self.check_piece(&other, false, call, given)?;
        self.check_ranks(base, &other, call)?;
        let mut extents = base.space.extents.clone();
        let all = extents.iter().cloned().zip(other.space.extents.clone()).enumerate();
        for (along, (own, others)) in all.filter(|(along, _)| *along != axis) {
            self.expect_alike(along, (&base.name, &own), (&other.name, &others), call)?;
        }
        let behind = extents[axis].clone();
        let sum = behind.add(&other.space.extents[axis]);
        extents[axis] = self.report_location_error(sum, call)?;
        let mut placed = self.pieces(base, call)?.into_iter().map(PlacedPart::unmoved).collect::<Vec<_>>();
        for piece in self.pieces(&other, call)? {
            let mut own = PlacedPart::unmoved(piece);
            let at = own.origin[axis].add(&behind);
            own.origin[axis] = self.report_location_error(at, call)?;
            placed.push(own);
        }
        self.assembled(base, call, hint, (extents, placed))
    }

    /// Asserts that two tensors have the same extent along an axis, unless that is known.
    fn expect_alike(
        &mut self,
        axis: usize,
        (name, own): (&str, &SymInt),
        (other, others): (&str, &SymInt),
        call: &ExprMethodCall,
    ) -> Option<()> {
        match self.facts().compare(own, others) {
            Some(std::cmp::Ordering::Equal) => return Some(()),
            Some(_) if own.as_constant().is_some() && others.as_constant().is_some() => {
                self.diagnostics.error_in_call(
                    own_tokens(call),
                    format!("`{name}` has the extent {own} on axis {axis}, and `{other}` {others}"),
                    "the pieces of a tensor have the same extents but for the axis along which they follow each other",
                );
                return None;
            }
            _ => {}
        }
        self.write(StatementKind::Expect {
            tensor: other.to_owned(),
            found: others.clone(),
            wanted: own.clone(),
        });
        for difference in [own.sub(others), others.sub(own)] {
            let difference = self.report_location_error(difference, call)?;
            self.assume(difference);
        }
        Some(())
    }

    /// `t.rotate([2, 1])`: the elements moved towards the first index along each axis, those at the front to the end.
    pub(super) fn rotated(&mut self, base: &Rc<View>, call: &ExprMethodCall, hint: &str) -> Option<Rc<View>> {
        self.check_piece(base, false, call, &call.receiver)?;
        let [given] = self.arguments::<1>(call)?;
        let by = self.whole_point(given, base.space.extents.len(), hint)?;
        let extents = base.space.extents.clone();
        let mut cuts = Vec::with_capacity(by.len());
        for (axis, (by, extent)) in by.iter().zip(&extents).enumerate() {
            cuts.push(self.first_of_rotation(by, extent, &format!("{hint}_from{axis}"), call)?);
        }
        let mut placed = Vec::new();
        for corner in 0..1_usize << cuts.len() {
            let is_front = |axis: usize| corner >> axis & 1 == 1;
            if (0..cuts.len()).any(|axis| is_front(axis) && cuts[axis].is_zero()) {
                continue;
            }
            let halves = cuts.iter().zip(&extents).enumerate().map(|(axis, (cut, extent))| {
                // The front comes last.
                Ok(if is_front(axis) {
                    (SymInt::constant(0), cut.clone(), extent.sub(cut)?)
                } else {
                    (cut.clone(), extent.clone(), SymInt::constant(0))
                })
            });
            let halves: Result<Vec<_>, SymError> = halves.collect();
            let halves = self.report_location_error(halves, call)?;
            let part = |(start, end, _): &(SymInt, SymInt, _)| Part::Range {
                start: start.clone(),
                end: end.clone(),
                step: 1,
            };
            let parts: Vec<Part<SymInt>> = halves.iter().map(part).collect();
            let mut quarter = (*self.part_of(base, &parts, call)?).clone();
            for (extent, (start, end, _)) in quarter.space.extents.iter_mut().zip(&halves) {
                // None is negative, as was assumed.
                *extent = self.report_location_error(end.sub(start), call)?;
            }
            let quarter = Rc::new(quarter);
            for piece in self.pieces(&quarter, call)? {
                let origin = piece.origin.iter().zip(&halves).map(|(own, (_, _, to))| own.add(to));
                let origin: Result<Vec<SymInt>, SymError> = origin.collect();
                let origin = self.report_location_error(origin, call)?;
                placed.push(PlacedPart { piece, origin, reversed: None });
            }
        }
        self.assembled(base, call, hint, (extents, placed))
    }

    /// The index that is the first of an axis behind a rotation: `by` modulo the extent.
    fn first_of_rotation(
        &mut self,
        by: &SymInt,
        extent: &SymInt,
        hint: &str,
        call: &ExprMethodCall,
    ) -> Option<SymInt> {
        let facts = self.facts();
        if by.is_zero() || facts.proves_nonneg(by) && facts.proves_lt(by, extent) {
            return Some(by.clone());
        }
        let folded = Integer::fold(by, Fold::Wrap, extent);
        let folded = self.report_location_error(folded, call)?;
        if folded.as_constant().is_some() {
            return Some(folded);
        }
        let first = self.define(hint, folded);
        let rest = extent.sub(&first);
        let rest = self.report_location_error(rest, call)?;
        self.assume(first.clone());
        self.assume(rest);
        Some(first)
    }

    /// `t.rev(axis)` of a tensor of several pieces.
    pub(super) fn reversed_pieces(
        &mut self,
        base: &Rc<View>,
        axis: usize,
        call: &ExprMethodCall,
        hint: &str,
    ) -> Option<Rc<View>> {
        self.check_piece(base, false, call, &call.receiver)?;
        let extents = base.space.extents.clone();
        let mut placed = Vec::new();
        for piece in self.pieces(base, call)? {
            let mut origin = piece.origin.clone();
            let at = extents[axis].sub(&origin[axis]).and_then(|rest| rest.sub(&piece.extents[axis]));
            origin[axis] = self.report_location_error(at, call)?;
            placed.push(PlacedPart { piece, origin, reversed: Some(axis) });
        }
        self.assembled(base, call, hint, (extents, placed))
    }

    /// The tensor of these pieces, at the origin of the root space.
    fn assembled(
        &mut self,
        base: &Rc<View>,
        call: &ExprMethodCall,
        hint: &str,
        (extents, placed): (Vec<SymInt>, Vec<PlacedPart>),
    ) -> Option<Rc<View>> {
        if placed.len() > MAX_PIECES {
            let message = format!("`{}` of `{}` has {} pieces", call.method, base.name, placed.len());
            self.diagnostics.error_in_call(&call.method, message, COPY);
            return None;
        }
        let mut made: Vec<Rc<View>> = Vec::new();
        for PlacedPart { piece, origin, reversed } in placed {
            let HeldPart { view, origin: from, extents } = piece;
            let one = SymInt::constant(1);
            let index = |at: &[SymInt]| {
                let along = at.iter().zip(&from).zip(&extents).enumerate();
                let own = along.map(|(axis, ((at, from), extent))| match reversed {
                    Some(reversed) if reversed == axis => from.add(extent)?.sub(&one)?.sub(at),
                    _ => from.add(at),
                });
                own.collect()
            };
            let new = NewIndices { extents: extents.clone(), origin: Some(origin), index: &index };
            made.push(self.over(&view, call, hint, new)?);
        }
        let space = Placement::new(extents.len()).in_root().place_in(&self.tensors.root_space);
        let space = TensorSpace { space: self.report_location_error(space, call)?, extents };
        let mut made = made.into_iter();
        let first = made.next().unwrap_or_else(|| base.clone());
        let pieces = made.fold(Vec::new(), |pieces, piece| joined(&pieces, &piece));
        Some(Rc::new(View { space, pieces, list: None, ..(*first).clone() }))
    }

    /// The parts of a tensor that its blocks hold, each a box of its indices.
    fn pieces(&mut self, base: &Rc<View>, call: &ExprMethodCall) -> Option<Vec<HeldPart>> {
        let whole = SymInt::constant(0);
        if base.pieces.is_empty() {
            let rank = base.space.extents.len();
            let (view, extents) = (base.clone(), base.space.extents.clone());
            return Some(vec![HeldPart { view, origin: vec![whole; rank], extents }]);
        }
        let facts = self.facts();
        let first = Rc::new(View { pieces: Vec::new(), ..(**base).clone() });
        let blocks: Vec<Rc<View>> = std::iter::once(first).chain(base.pieces.iter().cloned()).collect();
        let mut pieces = Vec::new();
        for block in blocks {
            let view = Rc::new(View { space: base.space.clone(), ..(*block).clone() });
            let symbols = self.new_indices(base.space.extents.len());
            let at: Vec<SymInt> = symbols.iter().map(SymInt::symbol).collect();
            let coordinates = locate::nearest(&self.program, &view, &at);
            let coordinates = self.report_location_error(coordinates, call)?;
            let lines: Option<Vec<Affine>> =
                coordinates.iter().map(|own| Affine::of(own, &symbols)).collect();
            let block = &self.program.buffers[view.buffer];
            let found = lines.map(|lines| box_of(&facts, &lines, block, &base.space.extents));
            match self.report_location_error(found.transpose(), call)?.flatten() {
                Some(HeldIndices::Box { origin, extents }) => pieces.push(HeldPart { view, origin, extents }),
                Some(HeldIndices::Nothing) => {}
                None => {
                    let message = format!(
                        "`{}` of `{}`, whose pieces are no boxes of its indices",
                        call.method, base.name
                    );
                    self.diagnostics.error_in_call(&call.method, message, COPY);
                    return None;
                }
            }
        }
        Some(pieces)
    }
}

impl PlacedPart {
    /// A piece that keeps its position.
    fn unmoved(piece: HeldPart) -> Self {
        PlacedPart { origin: piece.origin.clone(), piece, reversed: None }
    }
}

/// Pieces, and behind them a tensor with its own.
fn joined(pieces: &[Rc<View>], other: &View) -> Vec<Rc<View>> {
    // Its own pieces are of the elements before its casts.
    let alone = Rc::new(View { pieces: Vec::new(), ..other.clone() });
    let behind = other.pieces.iter().map(|piece| {
        let casts = [&piece.casts[..], &other.casts].concat();
        Rc::new(View { casts, ..(**piece).clone() })
    });
    pieces.iter().cloned().chain([alone]).chain(behind).collect()
}

/// The indices of a tensor that a block holds.
enum HeldIndices {
    Box { origin: Vec<SymInt>, extents: Vec<SymInt> },
    Nothing,
}

/// The box of indices below `ends` whose coordinates in a block are these lines; `None` if they are not known to be a
/// box.
fn box_of(
    facts: &Facts,
    lines: &[Affine],
    block: &Buffer,
    ends: &[SymInt],
) -> Result<Option<HeldIndices>, LocationError> {
    let zero = SymInt::constant(0);
    let mut origin = vec![zero.clone(); ends.len()];
    let mut last = ends.to_vec();
    let one = SymInt::constant(1);
    // A coordinate behind those of the block is that on an axis without one, which has one index.
    for (number, line) in lines.iter().enumerate() {
        let extent = block.space.extents.get(number).unwrap_or(&one);
        let mut moving = line.slopes.iter().enumerate().filter(|(_, slope)| !slope.is_zero());
        match (moving.next(), moving.next()) {
            (None, None) if facts.proves_nonneg(&line.rest) && facts.proves_lt(&line.rest, extent) => {}
            (None, None) if facts.proves_lt(&line.rest, &zero) || facts.proves_le(extent, &line.rest) => {
                return Ok(Some(HeldIndices::Nothing));
            }
            (Some((axis, slope)), None) if slope.as_constant() == Some(1) => {
                let start = line.rest.neg()?;
                let end = start.add(extent)?;
                origin[axis] = facts.greatest(&origin[axis], &start)?;
                last[axis] = facts.least(&last[axis], &end)?;
            }
            _ => return Ok(None),
        }
    }
    let extents = last.iter().zip(&origin).map(|(end, start)| {
        let extent = end.sub(start)?;
        Ok(if facts.proves_nonneg(&extent) { extent } else { extent.at_least_zero()? })
    });
    let extents: Result<Vec<SymInt>, LocationError> = extents.collect();
    Ok(Some(HeldIndices::Box { origin, extents: extents? }))
}
