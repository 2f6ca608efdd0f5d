//! Kernels as the passes see them, executed over small integers: which points run, and what is claimed there.
//!
//! Every symbol that is no loop's variable is free: a pass has to be right for all values within its range, whether or
//! not one kernel would ever bring two of them together.

use std::collections::BTreeMap;

use proc_macro2::TokenStream;

use crate::check::check;
use crate::diagnostics::Diagnostics;
use crate::ir::{
    Access, AccessId, Assertion, Behind, Candidate, Element, Interior, LoopId, NameSupply, Nest, NestId,
    Program, RegionId, RegionKind, Side, SymbolSource, When,
};
use crate::link::{Callees, Library};
use crate::locate::candidates;
use crate::place::place;
use crate::split::find_interiors;
use crate::split::split;
use crate::symbolic::{SymInt, Symbol};
use crate::{bind, parse};

/// The values of symbols, by their numbers.
pub(crate) type Values = BTreeMap<u32, i64>;

/// A kernel after some of its passes.
pub(crate) struct Staged {
    pub(crate) program: Program,
    /// What each `let` over plain integers is worth.
    lets: BTreeMap<u32, SymInt>,
}

/// The tables of a kernel without errors, before any check.
pub(crate) fn bound(kernel: &TokenStream) -> (Program, NameSupply) {
    let mut function: syn::ItemFn = syn::parse2(kernel.clone()).expect("a function");
    let mut diagnostics = Diagnostics::default();
    let parameters = parse::signature::parameters(&mut function, &mut diagnostics);
    let (library, callees) = (Library::default(), Callees::new());
    let mut names = crate::ir::NameSupply::default();
    let runtime = crate::ir::OwnLocals::new(&mut names).runtime;
    let mut binder = bind::Binder::new("kernel", runtime, names, &library, &callees, &mut diagnostics);
    binder.names.reserve(kernel.clone());
    binder.function(&function, None, &parameters);
    let bind::Binder { program, names, .. } = binder;
    assert!(diagnostics.is_empty(), "{:?} in {kernel}", diagnostics.finish());
    (program, names)
}

/// A kernel without errors, after all passes but emission.
pub(crate) fn staged(kernel: &TokenStream) -> Staged {
    let (mut staged, mut names) = checked_with_names(kernel);
    split(&mut staged.program);
    place(&mut staged.program, &mut names);
    staged
}

/// A kernel without errors, after the check.
pub(crate) fn checked(kernel: &TokenStream) -> Staged {
    checked_with_names(kernel).0
}

fn checked_with_names(kernel: &TokenStream) -> (Staged, NameSupply) {
    let (mut program, names) = bound(kernel);
    let mut diagnostics = Diagnostics::default();
    check(&mut program, &mut diagnostics);
    find_interiors(&mut program);
    assert!(diagnostics.is_empty(), "{:?} in {kernel}", diagnostics.finish());
    let lets = program.accesses.iter().flat_map(|access| &access.let_defs);
    let lets = lets.map(|affine| (affine.symbol.id(), affine.value.clone())).collect();
    (Staged { program, lets }, names)
}

impl Staged {
    /// The value of an expression; none if it mentions what `values` do not know.
    pub(crate) fn try_eval(&self, sym: &SymInt, values: &Values) -> Option<i64> {
        let known = |symbol: &Symbol| {
            values.contains_key(&symbol.id())
                || self.lets.get(&symbol.id()).is_some_and(|value| self.try_eval(value, values).is_some())
        };
        if !sym.symbols().iter().all(known) {
            return None;
        }
        let value = |symbol: &Symbol| match values.get(&symbol.id()) {
            Some(value) => *value,
            None => self.eval(&self.lets[&symbol.id()], values),
        };
        Some(sym.eval(&value).expect("small numbers"))
    }

    /// The value of an expression.
    pub(crate) fn eval(&self, sym: &SymInt, values: &Values) -> i64 {
        self.try_eval(sym, values).unwrap_or_else(|| panic!("{sym:?} is not known from {values:?}"))
    }

    /// Every assignment of some of `choices` to the symbols that have a value before any loop runs.
    pub(crate) fn assignments(&self, choices: &[i64]) -> Vec<Values> {
        let mut all = vec![Values::new()];
        for info in &self.program.symbols {
            let id = info.symbol.id();
            if matches!(info.source, SymbolSource::Loop(_) | SymbolSource::Coordinate(_))
                || self.lets.contains_key(&id)
            {
                continue;
            }
            let range = info.symbol.range();
            let own: Vec<i64> = choices.iter().copied().filter(|value| range.contains(*value)).collect();
            assert!(!own.is_empty(), "no choice for {:?} in {range:?}", info.symbol);
            let with = |values: &Values| {
                let extended = |value: &i64| {
                    let mut values = values.clone();
                    values.insert(id, *value);
                    values
                };
                own.iter().map(extended).collect::<Vec<_>>()
            };
            all = all.iter().flat_map(with).collect();
        }
        assert!(all.len() <= 20_000, "{} assignments", all.len());
        all
    }

    /// The values of the variables of `loops`, each time that their body runs; `from` has those of what is around.
    pub(crate) fn iterations(&self, loops: &[LoopId], from: &Values) -> Vec<Values> {
        let mut all = vec![from.clone()];
        for id in loops {
            let own = &self.program.loops[*id];
            let with = |values: &Values| {
                let runs = self.eval(&own.runs, values) >= 0;
                let (first, last) = (self.eval(&own.first, values), self.eval(&own.last, values));
                assert_eq!(runs, first <= last, "{} at {values:?}", own.name);
                let extended = |value: i64| {
                    let mut values = values.clone();
                    values.insert(own.symbol.id(), value);
                    values
                };
                (first..=last).map(extended).collect::<Vec<_>>()
            };
            all = all.iter().flat_map(with).collect();
        }
        all
    }

    /// The same for each time that a region is entered, as far as the statements around it are not in `from`.
    pub(crate) fn entries(&self, region: RegionId, from: &Values) -> Vec<Values> {
        let own = &self.program.regions[region];
        let around = match own.parent {
            Some(parent) => self.entries(parent.region, from),
            None => return vec![from.clone()],
        };
        match own.kind {
            RegionKind::Plain | RegionKind::Version | RegionKind::Closure | RegionKind::Unknown => around,
            // Whether the condition holds is told by what follows from it.
            RegionKind::Branch => {
                let holds =
                    |values: &Values| own.facts.iter().all(|fact| self.try_eval(fact, values) >= Some(0));
                around.into_iter().filter(holds).collect()
            }
            RegionKind::Nest(nest) => {
                let left: Vec<LoopId> = self.program.nests[nest]
                    .loops
                    .iter()
                    .copied()
                    .filter(|id| !from.contains_key(&self.program.loops[*id].symbol.id()))
                    .collect();
                let all = around.iter().flat_map(|values| self.iterations(&left, values));
                all.filter(|values| self.runs(nest, values)).collect()
            }
        }
    }

    /// Whether an iteration of a nest is one of its own: of the edges of a nest that is split, or of an interior, and
    /// of its half.
    fn runs(&self, nest: NestId, values: &Values) -> bool {
        let interior_of = |nest: &Nest, values: &Values| {
            nest.split.as_ref().is_some_and(|split| {
                let at = values[&self.program.loops[nest.loops[0]].symbol.id()];
                split.guards.iter().all(|guard| self.eval(guard, values) >= 0)
                    && split.starts.iter().all(|start| at >= self.eval(start, values))
                    && split.ends.iter().all(|end| at < self.eval(end, values))
            })
        };
        let nests = || self.program.nests.enumerated();
        let inside = |other: &Nest| other.split.as_ref().is_some_and(|split| split.interior == nest);
        match nests().find(|(_, other)| inside(other)) {
            Some((id, edges)) => interior_of(edges, values) && self.is_in_half(id, values),
            None => !interior_of(&self.program.nests[nest], values) && self.is_in_half(nest, values),
        }
    }

    /// Whether an iteration is one of this half of a nest that is cut, and of the halves that this one is cut from.
    fn is_in_half(&self, nest: NestId, values: &Values) -> bool {
        let taken = self.program.nests[nest].behind.iter().any(|own| self.is_in_back(own, values));
        !taken && self.is_behind(nest, values)
    }

    /// Whether an iteration is not taken from all of a nest by the nests that it is cut from.
    fn is_behind(&self, nest: NestId, values: &Values) -> bool {
        let holder =
            self.program.nests.enumerated().find(|(_, own)| own.behind.iter().any(|own| own.nest == nest));
        let Some((id, own)) = holder else { return true };
        let at = own.behind.iter().position(|own| own.nest == nest).unwrap_or(0);
        own.behind[..at].iter().all(|other| !self.is_in_back(other, values))
            && self.is_in_back(&own.behind[at], values)
            && self.is_behind(id, values)
    }

    /// Whether an iteration is in the second half of a nest.
    fn is_in_back(&self, own: &Behind, values: &Values) -> bool {
        match &own.when {
            When::From(from) => {
                let variable = &self.program.loops[self.program.nests[own.nest].loops[0]].symbol;
                values[&variable.id()] >= self.eval(from, values)
            }
            When::If(slack) => self.eval(slack, values) >= 0,
        }
    }

    /// The coordinates of a candidate.
    pub(crate) fn coordinates(&self, candidate: &Candidate, values: &Values) -> Vec<i64> {
        candidate.coordinates.iter().map(|sym| self.eval(sym, values)).collect()
    }

    /// The extents of the block that a candidate is of.
    pub(crate) fn extents(&self, candidate: &Candidate, values: &Values) -> Vec<i64> {
        let extents = &self.program.buffers[candidate.buffer].space.extents;
        extents.iter().map(|sym| self.eval(sym, values)).collect()
    }

    /// Whether the element of a candidate is in its block.
    pub(crate) fn holds(&self, candidate: &Candidate, values: &Values) -> bool {
        let extents = self.extents(candidate, values);
        self.coordinates(candidate, values).iter().zip(extents).all(|(at, extent)| (0..extent).contains(at))
    }

    /// Where the index of an access lands in the nearest block, before any pass has looked at it.
    pub(crate) fn truth(&self, access: AccessId) -> Candidate {
        let located = candidates(&self.program, &self.program.accesses[access]);
        located.expect("small numbers").remove(0)
    }

    /// Whether an assertion stops the kernel.
    pub(crate) fn fires(&self, assertion: &Assertion, values: &Values) -> bool {
        let guarded = assertion.guards.iter().all(|guard| self.eval(guard, values) >= 0);
        let extents = &assertion.extents;
        let outside = assertion.checks.iter().any(|check| {
            let at = self.eval(&check.coordinate, values);
            let outside = match check.side {
                Side::Below => at < 0,
                Side::Above => extents.get(check.axis).is_some_and(|extent| at >= self.eval(extent, values)),
            };
            assert_eq!(outside, self.eval(&check.slack, values) < 0, "{check:?}");
            outside
        });
        let empty = assertion.filled.iter().any(|extent| self.eval(extent, values) < 1);
        guarded && (outside || empty)
    }

    /// Whether any assertion stops the kernel, whatever runs first.
    pub(crate) fn stops(&self, values: &Values) -> bool {
        self.program.assertions().any(|(position, assertion)| {
            let entries = self.entries(position.region, values);
            entries.iter().any(|values| self.fires(assertion, values))
        })
    }

    /// The accesses that execution relies on an assertion or a proof for, each with its element.
    pub(crate) fn accesses(&self) -> impl Iterator<Item = (AccessId, &Access, &Element)> {
        self.program.accesses.enumerated().map(|(id, access)| (id, access, &access.element))
    }

    /// The loops that are to be split.
    pub(crate) fn interiors(&self) -> impl Iterator<Item = (LoopId, &Interior)> {
        self.program.loops.enumerated().filter_map(|(id, own)| Some((id, own.interior.as_ref()?)))
    }
}
