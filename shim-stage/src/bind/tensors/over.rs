//! Blocks over the memory of other tensors: the elements of a view under other indices.
//!
//! `rev`, `windows`, `ravel` and `reshape` index the elements of a tensor anew. Where the index in the tensor is an affine
//! function of the new one, whatever views are in between, the offset is one sum with a stride of any sign for each
//! axis: the psi reduction of the Mathematics of Arrays. The new block is at the origin of the root space. Boundary
//! rules and colocation go by its own indices.

use std::rc::Rc;

use quote::ToTokens;
use shim_core::{Integer, Layout, LocationError, Table, TensorSpace};
use syn::{Expr, ExprMethodCall};

use crate::diagnostics::counted;
use crate::ir::{Addressing, Assertion, BoundsCheck, Memory, Side, StatementKind, SymbolSource, View};
use crate::locate;
use crate::surface::{self, TensorMethod};
use crate::symbolic::{Range, SymError, SymInt, Symbol};

use crate::bind::Binder;
use crate::bind::tensors::placement::Placement;

/// The help of an error about a view that takes a copy.
pub(super) const COPY: &str =
    "copy it, as in `t[[0..4, 0..4]].to_block().copied()`, and take this view of the copy";

/// A map of indices.
pub(in crate::bind) type IndexMap<'f> = dyn Fn(&[SymInt]) -> Result<Vec<SymInt>, SymError> + 'f;

/// A box of new indices of a tensor.
pub(in crate::bind) struct NewIndices<'f> {
    /// Its extents.
    pub(in crate::bind) extents: Vec<SymInt>,
    /// The origin in the root space, if it is not zero.
    pub(in crate::bind) origin: Option<Vec<SymInt>>,
    /// The index in the tensor of a new index.
    pub(in crate::bind) index: &'f IndexMap<'f>,
}

impl Binder<'_> {
    /// Whether the indices of a view are those of its block.
    pub(super) fn is_whole(&self, view: &View) -> bool {
        let own = &self.program.buffers[view.buffer].space;
        own.space.same(&view.space.space) && own.extents == view.space.extents
    }

    /// `t.rev(axis)`: the elements from the last one to the first along an axis.
    pub(super) fn reversed(
        &mut self,
        base: &Rc<View>,
        call: &ExprMethodCall,
        hint: &str,
    ) -> Option<Rc<View>> {
        let [axis] = self.arguments::<1>(call)?;
        let axis = self.axis(axis, base)?;
        if !base.pieces.is_empty() {
            return self.reversed_pieces(base, axis, call, hint);
        }
        let last = base.space.extents[axis].sub(&SymInt::constant(1));
        let last = self.report_location_error(last, call)?;
        let index = |at: &[SymInt]| {
            let mut own = at.to_vec();
            own[axis] = last.sub(&at[axis])?;
            Ok(own)
        };
        let extents = base.space.extents.clone();
        self.over(base, call, hint, NewIndices { extents, origin: None, index: &index })
    }

    /// `t.windows([3, 3])`: for each index the box of elements that begins there, as further axes.
    pub(super) fn windows(&mut self, base: &Rc<View>, call: &ExprMethodCall, hint: &str) -> Option<Rc<View>> {
        let [list] = self.arguments::<1>(call)?;
        let rank = base.space.extents.len();
        let own = self.extents_of(list, TensorMethod::Windows, &format!("{hint}_window"))?;
        if own.len() != rank {
            let (given, axes) = (counted(own.len(), "extent", "extents"), counted(rank, "axis", "axes"));
            let message = format!("{given} of a window of `{}`, which has {axes}", base.name);
            self.diagnostics.error(list, message, "give one per axis of the tensor");
            return None;
        }
        self.check_rank(2 * rank, list)?;
        let one = SymInt::constant(1);
        let number = |(extent, own): (&SymInt, &SymInt)| extent.sub(own)?.add(&one)?.at_least_zero();
        let numbers: Result<Vec<SymInt>, LocationError> =
            base.space.extents.iter().zip(&own).map(number).collect();
        let numbers = self.report_location_error(numbers, list)?;
        let index =
            |at: &[SymInt]| at[..rank].iter().zip(&at[rank..]).map(|(at, in_it)| at.add(in_it)).collect();
        let extents = [numbers, own].concat();
        self.over(base, call, hint, NewIndices { extents, origin: None, index: &index })
    }

    /// `t.reshape([16, 4])`, `t.ravel()` and `t.cycled([4, 8])`: the elements in row-major order as a tensor of other
    /// extents.
    pub(super) fn reshape(
        &mut self,
        base: &Rc<View>,
        call: &ExprMethodCall,
        method: TensorMethod,
        hint: &str,
    ) -> Option<Rc<View>> {
        let given = if method == TensorMethod::Ravel {
            self.arguments::<0>(call)?;
            None
        } else {
            let [list] = self.arguments::<1>(call)?;
            Some(list)
        };
        self.check_base(base, call)?;
        let layout = self.layout_of(base, call)?;
        let from = base.space.extents.clone();
        let extents = match given {
            Some(list) => self.extents_of(list, method, &format!("{hint}_extent"))?,
            None => {
                let number = from.iter().try_fold(SymInt::constant(1), |number, extent| number.mul(extent));
                let number = self.report_location_error(number, call)?;
                vec![if number.cost() > 0 { self.define(&format!("{hint}_len"), number) } else { number }]
            }
        };
        let repeats = method == TensorMethod::Cycled;
        let count = |extents: &[SymInt]| {
            extents.iter().try_fold(1_i64, |count, extent| count.checked_mul(extent.as_constant()?))
        };
        if let (Some(from), Some(to), Some(list)) = (count(&from), count(&extents), given) {
            let (elements, wanted) = (counted(from as usize, "element", "elements"), to);
            let message = format!("`{}` has {elements}, a tensor of these extents {wanted}", base.name);
            let help = match repeats {
                false if from != to => "`reshape` keeps the number of elements",
                true if from == 0 && to > 0 => "there is no element to repeat",
                _ => "",
            };
            if !help.is_empty() {
                self.diagnostics.error_in_call(list, message, help);
                return None;
            }
        }
        let made = if repeats { layout.cycled(&from, &extents) } else { layout.reshaped(&from, &extents) };
        let Ok(layout) = made else {
            self.diagnostics.error_in_call(
                call,
                format!(
                    "`{}` of `{}`, whose elements would not be at constant distances in it",
                    call.method, base.name
                ),
                "give it and the new tensor static extents, or copy it: `t.to_block().copied().reshape(..)`",
            );
            return None;
        };
        if repeats {
            self.assert_filled(base, &from, &extents, call)?;
        }
        let reshaped = (method == TensorMethod::Reshape).then_some(from);
        self.store_over(base, call, hint, (extents, None, reshaped), layout)
    }

    /// The layout of the elements of a tensor, over the memory of its block.
    fn layout_of(&mut self, base: &Rc<View>, call: &ExprMethodCall) -> Option<Layout<SymInt>> {
        match &self.program.buffers[base.buffer].addressing {
            Addressing::Flat(layout) if self.is_whole(base) => Some(layout.clone()),
            _ => {
                let index = |at: &[SymInt]| Ok(at.to_vec());
                let extents = base.space.extents.clone();
                self.layout_over(base, call, &NewIndices { extents, origin: None, index: &index })
            }
        }
    }

    /// Asserts that a tensor has elements to repeat where a tensor of these extents has some.
    fn assert_filled(
        &mut self,
        base: &View,
        from: &[SymInt],
        extents: &[SymInt],
        call: &ExprMethodCall,
    ) -> Option<()> {
        let one = SymInt::constant(1);
        let guards: Result<Vec<SymInt>, SymError> = extents.iter().map(|extent| extent.sub(&one)).collect();
        let guards = self.report_location_error(guards, call)?;
        let mut facts = self.facts();
        for guard in &guards {
            facts.push(guard.clone());
        }
        let is_open = |extent: &&SymInt| !facts.proves_le(&one, extent);
        let filled: Vec<SymInt> = from.iter().filter(is_open).cloned().collect();
        if !filled.is_empty() {
            let checks = (Vec::new(), Vec::new(), filled);
            let assertion = self.assertion_at(base, guards, checks);
            self.write(StatementKind::Assert(assertion));
        }
        Some(())
    }

    /// `t.gather(axis, &list)`: the elements at the indices in a list, which is tested here, along an axis.
    pub(super) fn gathered(
        &mut self,
        base: &Rc<View>,
        call: &ExprMethodCall,
        hint: &str,
    ) -> Option<Rc<View>> {
        let [axis, list] = self.arguments::<2>(call)?;
        let axis = self.axis(axis, base)?;
        self.check_base(base, call)?;
        if self.is_tensor(list) {
            self.diagnostics.error(
                list,
                "expected memory (a slice, array or `Vec`), found a tensor",
                "the indices of a gather are a slice of integers",
            );
            return None;
        }
        let layout = self.layout_of(base, call)?;
        let mut extents = base.space.extents.clone();
        let (name, count) = self.checked_indices(list, &extents[axis], hint);
        let layout = layout.listed(axis, Table::named(Vec::new(), SymInt::symbol(&name)));
        if let Err(LocationError::NoClosedForm) = &layout {
            self.report_distances(base, call);
            return None;
        }
        let layout = self.report_location_error(layout, call)?;
        extents[axis] = SymInt::symbol(&count);
        self.store_over(base, call, hint, (extents, None, None), layout)
    }

    /// The extents in a list that is written out.
    fn extents_of(&mut self, list: &Expr, method: TensorMethod, hint: &str) -> Option<Vec<SymInt>> {
        let Some(entries) = surface::list(list) else {
            let message = format!("`{}` takes a list of extents that is written out", method.name());
            self.diagnostics.error(list, message, method.usage());
            return None;
        };
        self.check_rank(entries.len(), list)?;
        let extents: Vec<SymInt> = entries
            .into_iter()
            .enumerate()
            .map(|(axis, entry)| self.snapshot(entry, &format!("{hint}{axis}"), true))
            .collect();
        if extents.iter().any(|extent| extent.as_constant().is_some_and(|extent| extent < 0)) {
            let help = "an extent is the number of indices of an axis";
            self.diagnostics.error_in_call(list, "an extent is negative", help);
            return None;
        }
        Some(extents)
    }

    /// The elements of `base` under new indices.
    pub(super) fn over(
        &mut self,
        base: &Rc<View>,
        call: &ExprMethodCall,
        hint: &str,
        new: NewIndices<'_>,
    ) -> Option<Rc<View>> {
        self.check_base(base, call)?;
        let layout = self.layout_over(base, call, &new)?;
        self.store_over(base, call, hint, (new.extents, new.origin, None), layout)
    }

    /// Reports a tensor whose memory no block can be laid over.
    fn check_base(&mut self, base: &Rc<View>, call: &ExprMethodCall) -> Option<()> {
        let method = &call.method;
        if self.is_place(base) {
            self.reject_place(base, &call.receiver);
            return None;
        }
        let what = if base.within.is_some() {
            Some("within")
        } else if base.boundary.is_some() {
            Some("boundary")
        } else {
            None
        };
        if let Some(rule) = what {
            let help = format!(
                "it is about indices that the new tensor does not have: write `.{rule}(..)` behind `.{method}(..)`"
            );
            self.diagnostics.error(method, format!("`{method}` of a tensor with `{rule}`"), help);
            return None;
        }
        let buffer = &self.program.buffers[base.buffer];
        let what = if matches!(buffer.addressing, Addressing::Rows) {
            "a slice of rows"
        } else if !base.pieces.is_empty() {
            "a tensor of several pieces"
        } else if buffer.shape.is_some() || base.shape.is_some() {
            "a tensor whose extents depend on indices"
        } else {
            return Some(());
        };
        self.diagnostics.error_in_call(method, format!("`{method}` of {what}: `{}`", base.name), COPY);
        None
    }

    /// The layout of a box of new indices. That all of them are inside the block of `base` is asserted here, unless it
    /// is known.
    fn layout_over(
        &mut self,
        base: &Rc<View>,
        call: &ExprMethodCall,
        new: &NewIndices<'_>,
    ) -> Option<Layout<SymInt>> {
        let symbols = self.new_indices(new.extents.len());
        let affine = self.affine(base, new, &symbols);
        let Some((layout, lines)) = self.report_location_error(affine, call)? else {
            self.report_distances(base, call);
            return None;
        };
        let assertion = self.all_inside(base, new, &lines);
        if let Some(assertion) = self.report_location_error(assertion, call)? {
            self.write(StatementKind::Assert(assertion));
        }
        Some(layout)
    }

    fn report_distances(&mut self, base: &View, call: &ExprMethodCall) {
        let message =
            format!("`{}` of `{}`, whose elements are not at constant distances", call.method, base.name);
        self.diagnostics.error_in_call(&call.method, message, COPY);
    }

    pub(super) fn new_indices(&mut self, rank: usize) -> Vec<Symbol> {
        let (here, inside) = (self.position(), Range { lo: Some(0), hi: None });
        (0..rank)
            .map(|axis| self.symbol(&format!("i{axis}"), inside, SymbolSource::Coordinate(axis), here))
            .collect()
    }

    /// The layout by strides, and the coordinates in the block, where both are affine in the new indices.
    fn affine(
        &self,
        base: &Rc<View>,
        new: &NewIndices<'_>,
        symbols: &[Symbol],
    ) -> Result<Option<AffineLayout>, LocationError> {
        let buffer = &self.program.buffers[base.buffer];
        let Addressing::Flat(layout) = &buffer.addressing else { return Ok(None) };
        let at: Vec<SymInt> = symbols.iter().map(SymInt::symbol).collect();
        let coordinates = locate::nearest(&self.program, base, &(new.index)(&at)?)?;
        if coordinates.len() != layout.rank() {
            return Ok(None);
        }
        let offset = layout.offset(&coordinates)?;
        let known = |line: &Affine| line.slopes.iter().all(|slope| slope.as_constant().is_some());
        let lines: Option<Vec<Affine>> =
            coordinates.iter().map(|own| Affine::of(own, symbols).filter(known)).collect();
        Ok(lines
            .zip(Affine::of(&offset, symbols))
            .map(|(lines, Affine { slopes, rest })| (Layout::strided(slopes).based(rest), lines)))
    }

    /// That a box of new indices is inside the block of `base`, unless that is known.
    fn all_inside(
        &self,
        base: &Rc<View>,
        new: &NewIndices<'_>,
        lines: &[Affine],
    ) -> Result<Option<Assertion>, SymError> {
        let one = SymInt::constant(1);
        let last: Vec<SymInt> =
            new.extents.iter().map(|extent| extent.sub(&one)).collect::<Result<_, _>>()?;
        let mut facts = self.facts();
        for last in &last {
            facts.push(last.clone());
        }
        let extents = self.program.buffers[base.buffer].space.extents.clone();
        let mut checks = Vec::new();
        for (axis, (line, extent)) in lines.iter().zip(&extents).enumerate() {
            for (side, end) in [(Side::Below, line.least(&last)?), (Side::Above, line.greatest(&last)?)] {
                let found = BoundsCheck::of(axis, &end, extent).into_iter().flatten();
                checks.extend(found.filter(|check| check.side == side && !facts.proves_nonneg(&check.slack)));
            }
        }
        Ok((!checks.is_empty()).then(|| self.assertion_at(base, last, (checks, Vec::new(), Vec::new()))))
    }

    /// An assertion about the block of a tensor, where each of `guards` is at least zero.
    fn assertion_at(
        &self,
        base: &View,
        mut guards: Vec<SymInt>,
        (checks, folds, filled): (Vec<BoundsCheck>, Vec<SymInt>, Vec<SymInt>),
    ) -> Assertion {
        guards.retain(|guard| !guard.range().is_nonnegative());
        let block = &self.program.buffers[base.buffer];
        Assertion {
            buffer: Some(base.buffer),
            tensor: block.name.clone(),
            guards,
            extents: block.space.extents.clone(),
            checks,
            folds,
            filled,
            earliest: self.position(),
        }
    }

    /// Records the block over the memory of `base` that has this layout.
    fn store_over(
        &mut self,
        base: &Rc<View>,
        call: &ExprMethodCall,
        hint: &str,
        (extents, origin, reshaped): (Vec<SymInt>, Option<Vec<SymInt>>, Option<Vec<SymInt>>),
        layout: Layout<SymInt>,
    ) -> Option<Rc<View>> {
        let mut placement = Placement::new(extents.len());
        placement.at = origin;
        let space = placement.in_root().place_in(&self.tensors.root_space);
        let space =
            TensorSpace { space: self.report_location_error(space, call.to_token_stream())?, extents };
        self.assume_extents(&space);
        let owned = self.program.buffers[base.buffer].memory.is_owned();
        let memory = Memory::Over { of: base.buffer, owned, reshaped };
        let made = self.store_with(hint, memory, None, space, Addressing::Flat(layout), None);
        Some(Rc::new(View { casts: base.casts.clone(), ..(*made).clone() }))
    }
}

/// A layout by strides, and the coordinates in the block around it.
type AffineLayout = (Layout<SymInt>, Vec<Affine>);

/// An affine function of indices.
pub(super) struct Affine {
    /// The factor of each index.
    pub(super) slopes: Vec<SymInt>,
    /// The value at the origin.
    pub(super) rest: SymInt,
}

impl Affine {
    pub(super) fn of(sym: &SymInt, symbols: &[Symbol]) -> Option<Self> {
        let slopes: Vec<SymInt> =
            symbols.iter().map(|symbol| sym.coefficient(symbol)).collect::<Option<_>>()?;
        if slopes.iter().any(|slope| symbols.iter().any(|symbol| slope.mentions(symbol))) {
            return None;
        }
        let zero = |symbol: &Symbol| symbols.contains(symbol).then(|| SymInt::constant(0));
        Some(Self { slopes, rest: sym.substitute(&zero).ok()? })
    }

    /// The least value up to the index `last`.
    fn least(&self, last: &[SymInt]) -> Result<SymInt, SymError> {
        self.end(last, |slope| slope < 0)
    }

    /// The greatest value up to the index `last`.
    fn greatest(&self, last: &[SymInt]) -> Result<SymInt, SymError> {
        self.end(last, |slope| slope > 0)
    }

    /// The value at the last index along the axes whose slope, a constant, is `taken`.
    fn end(&self, last: &[SymInt], taken: impl Fn(i64) -> bool) -> Result<SymInt, SymError> {
        let own = self.slopes.iter().zip(last);
        let own = own.filter(|(slope, _)| slope.as_constant().is_some_and(&taken));
        own.into_iter().try_fold(self.rest.clone(), |sum, (slope, last)| sum.add(&slope.mul(last)?))
    }
}
