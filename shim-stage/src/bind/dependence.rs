//! Whether a loop gives the same result in another order.
//!
//! Two iterations depend on each other if both touch an element and one of them writes it. Where a write is at the loop's
//! own indices plus a constant, and the other access is as well, the iterations are a constant distance apart, and an
//! order keeps the result if it keeps the sequence of every two iterations at that distance. Of any other pair of accesses to
//! memory that is written nothing is known, and the order is rejected.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use proc_macro2::Ident;
use quote::ToTokens;
use syn::{Expr, ExprForLoop};

use crate::ir::{
    Access, AccessId, AccessKind, Boundary, ContextId, ContextKind, LoopId, Memory, Source, StorageId,
};
use crate::locate::{self, Candidate};
use crate::symbolic::Sym;

use super::carried::{self, Carried};
use super::ordered::LoopOrder;
use super::{Binder, Number};

/// A loop that runs in another order.
pub(super) struct Reordered<'o> {
    pub(super) order: &'o LoopOrder,
    pub(super) attribute: &'o syn::Attribute,
    /// The statements that were written for its body.
    pub(super) body: ContextId,
    /// The values of its variables, one per axis.
    pub(super) values: Vec<Sym>,
    pub(super) extents: &'o [Sym],
    /// The first of the loops that it became.
    pub(super) first_loop: LoopId,
    /// Whether the body may leave an iteration, or has an effect of its own.
    pub(super) leaves: bool,
}

/// How far apart the iterations are that touch one element, from the write to the other access.
enum Distances {
    /// By one of these, a number of steps along each axis.
    Of(Vec<Vec<i64>>),
    /// Nothing is known.
    Unknown,
}

/// A write and another access whose sequence an order changes, with the distance of their iterations, if it is known.
struct Broken {
    write: AccessId,
    other: AccessId,
    distance: Option<Vec<i64>>,
}

/// An access of a copy of an unrolled body.
struct Touched {
    storage: StorageId,
    coordinates: Vec<Sym>,
    copy: usize,
    id: AccessId,
    write: bool,
}

/// The most distances along one axis that are looked at.
const FEW: i64 = 8;

impl Binder<'_> {
    /// Reports what an order would change.
    pub(super) fn keep_dependences(&mut self, reordered: &Reordered<'_>, looping: &ExprForLoop) {
        if self.carries(reordered.attribute, looping, reordered.leaves) {
            return;
        }
        if let Some(broken) = self.broken_dependence(reordered) {
            self.reject_dependence(reordered.attribute, broken);
        }
    }

    /// The same of the copies of an unrolled body, which begin with the context `first` and are in this sequence.
    pub(super) fn keep_sequence(
        &mut self,
        attribute: &syn::Attribute,
        looping: &ExprForLoop,
        sequence: &[usize],
        first: ContextId,
        leaves: bool,
    ) {
        if self.carries(attribute, looping, leaves) {
            return;
        }
        if let Some(broken) = self.broken_sequence(sequence, first) {
            self.reject_dependence(attribute, broken);
        }
    }

    /// Reports effects, and scalars, that keep the iterations of a loop in sequence; says whether there are some.
    fn carries(&mut self, attribute: &syn::Attribute, looping: &ExprForLoop, leaves: bool) -> bool {
        if leaves {
            self.diagnostics.error_in_call(
                attribute,
                "the order of a loop whose body may leave it, or calls what may have an effect",
                "`return`, `break`, `continue`, `?`, unknown functions and macros happen in the order of the iterations: remove them \
                 or the attribute",
            );
            return true;
        }
        let is_tensor = |expr: &Expr| self.is_tensor(expr);
        let is_integer = |name: &Ident| {
            let name: Expr = syn::parse_quote!(#name);
            matches!(self.number(&name), Some(Number::Known(_)))
        };
        let Some(Carried { name, tokens }) = carried::carried(looping, &is_tensor, &is_integer) else {
            return false;
        };
        self.diagnostics.error_in_call(
            tokens,
            format!("`{name}` carries a value from one iteration to the next"),
            "sums and bit sets (`+=`, `|=`, `&=`, `^=`) of a local whose integer type is written, as in `let mut sum: u32 = 0`, \
             may be carried in any order if nothing else in the loop reads them",
        );
        true
    }

    fn reject_dependence(&mut self, attribute: &syn::Attribute, broken: Broken) {
        let Broken { write, other, distance } = broken;
        let same = write == other;
        let tokens = |id: AccessId| readable(&self.program.accesses[id].tokens);
        let (write, other) = (tokens(write), tokens(other));
        let message = if same {
            format!("this order does not keep the sequence in which iterations write `{write}`")
        } else {
            format!("this order does not keep the dependence between `{write}` and `{other}`")
        };
        let help = match distance {
            Some(distance) => {
                format!("the iterations that touch one element are {distance:?} apart, and their sequence changes")
            }
            None => "it is not known which iterations touch one element: write at the indices of the loop, plus constants, \
                     and read what is written there as well"
                .to_owned(),
        };
        self.diagnostics.error_in_call(attribute, message, help);
    }

    /// Two accesses of copies that may touch one element, one of them by writing it, and whose sequence changed.
    fn broken_sequence(&self, sequence: &[usize], first: ContextId) -> Option<Broken> {
        let program = &self.program;
        // The copies' own contexts, in the order in which they were bound.
        let parent = |context: ContextId| program.contexts[context].parent.map(|parent| parent.context);
        let copies: Vec<ContextId> =
            program.contexts.ids().filter(|context| parent(*context) == Some(first)).collect();
        let copy_of = |context: ContextId| copies.iter().position(|copy| program.within(context, *copy));
        let accesses: Vec<(AccessId, &Access)> = program.accesses.enumerated().collect();
        let outside = |storage: StorageId| copy_of(program.storages[storage].bound.context).is_none();
        let writes = accesses.iter().filter(|(_, access)| access.kind.writes());
        let writes = writes
            .filter(|(_, access)| copy_of(access.position.context).is_some() && outside(access.view.storage));
        let written: BTreeMap<StorageId, AccessId> =
            writes.map(|(id, access)| (access.view.storage, *id)).collect();
        let pointer = |storage: StorageId| matches!(program.storages[storage].memory, Memory::Pointer);
        // Elements by their block and coordinates, with the copies that touch them.
        let mut touched: Vec<Touched> = Vec::new();
        for (id, access) in accesses {
            let copy = copy_of(access.position.context);
            let in_closure = self.in_closure_body(access.position.context);
            if copy.is_none() && !in_closure || access.kind == AccessKind::Prefetch {
                continue;
            }
            let unknown = |write: AccessId| Some(Broken { write, other: id, distance: None });
            let Ok(candidates) = locate::candidates(program, access) else { return unknown(id) };
            for Candidate { storage, coordinates, .. } in candidates {
                if let Some((_, write)) = written
                    .iter()
                    .find(|(other, _)| **other != storage && pointer(**other) && pointer(storage))
                {
                    return unknown(*write);
                }
                let Some(write) = written.get(&storage) else { continue };
                let folds = access.view.boundary.as_ref().is_some_and(Boundary::folds);
                match copy {
                    Some(copy) if !folds && !in_closure => {
                        let write = access.kind.writes();
                        touched.push(Touched { storage, coordinates, copy, id, write });
                    }
                    _ => return unknown(*write),
                }
            }
        }
        let changed = |a: usize, b: usize| (a < b) != (sequence[a] < sequence[b]);
        touched.sort_by(|a, b| (a.storage, &a.coordinates).cmp(&(b.storage, &b.coordinates)));
        let elements: Vec<&[Touched]> =
            touched.chunk_by(|a, b| a.storage == b.storage && a.coordinates == b.coordinates).collect();
        for (at, element) in elements.iter().enumerate() {
            for other in &elements[at..] {
                let (a, b) = (&element[0], &other[0]);
                if a.storage != b.storage || certainly_apart(&a.coordinates, &b.coordinates) {
                    continue;
                }
                for a in *element {
                    for b in *other {
                        if a.copy != b.copy && (a.write || b.write) && changed(a.copy, b.copy) {
                            let (write, other) = if a.write { (a.id, b.id) } else { (b.id, a.id) };
                            return Some(Broken { write, other, distance: None });
                        }
                    }
                }
            }
        }
        None
    }

    /// A write and another access whose sequence an order may change, and the distance of their iterations.
    fn broken_dependence(&self, reordered: &Reordered<'_>) -> Option<Broken> {
        let program = &self.program;
        let inside = |context: ContextId| program.within(context, reordered.body);
        let accesses: Vec<(AccessId, &Access)> = program.accesses.enumerated().collect();
        let writes =
            accesses.iter().filter(|(_, access)| access.kind.writes() && inside(access.position.context));
        for (write, writing) in writes {
            let storage = writing.view.storage;
            // Memory of an iteration's own.
            if inside(program.storages[storage].bound.context) {
                continue;
            }
            let Some(written) = locate::candidates(program, writing).ok().and_then(|mut all| all.pop())
            else {
                return Some(Broken { write: *write, other: *write, distance: None });
            };
            let pointer = |memory: &Memory| matches!(memory, Memory::Pointer);
            for (other, access) in &accesses {
                let in_closure = self.in_closure_body(access.position.context);
                if !(inside(access.position.context) || in_closure) || access.kind == AccessKind::Prefetch {
                    continue;
                }
                let Ok(candidates) = locate::candidates(program, access) else {
                    return Some(Broken { write: *write, other: *other, distance: None });
                };
                for candidate in &candidates {
                    let overlaps = candidate.storage != storage
                        && pointer(&program.storages[storage].memory)
                        && pointer(&program.storages[candidate.storage].memory);
                    if overlaps {
                        return Some(Broken { write: *write, other: *other, distance: None });
                    }
                    if candidate.storage != storage {
                        continue;
                    }
                    let folds = access.view.boundary.as_ref().is_some_and(Boundary::folds);
                    let distances = if in_closure || folds {
                        Distances::Unknown
                    } else {
                        self.distances(&written, candidate, reordered)
                    };
                    match distances {
                        Distances::Of(all) => {
                            let broken =
                                all.into_iter().find(|distance| !reordered.order.preserves(distance));
                            if let Some(distance) = broken {
                                return Some(Broken {
                                    write: *write,
                                    other: *other,
                                    distance: Some(distance),
                                });
                            }
                        }
                        Distances::Unknown => {
                            return Some(Broken { write: *write, other: *other, distance: None });
                        }
                    }
                }
            }
        }
        None
    }

    /// Whether a context is, or is in, the body of a closure.
    fn in_closure_body(&self, context: ContextId) -> bool {
        let mut at = Some(context);
        while let Some(context) = at {
            if self.program.contexts[context].kind == ContextKind::Closure {
                return true;
            }
            at = self.program.contexts[context].parent.map(|parent| parent.context);
        }
        false
    }

    fn distances(&self, write: &Candidate, other: &Candidate, reordered: &Reordered<'_>) -> Distances {
        let mut axes: Vec<Option<RangeInclusive<i64>>> = vec![None; reordered.values.len()];
        let mut used = vec![false; write.coordinates.len()];
        for (axis, value) in reordered.values.iter().enumerate() {
            if reordered.extents[axis].as_constant() == Some(1) {
                axes[axis] = Some(0..=0);
                continue;
            }
            for (k, (written, touched)) in write.coordinates.iter().zip(&other.coordinates).enumerate() {
                if used[k] {
                    continue;
                }
                let cell = self.cell(written, value, reordered);
                let step = |coordinate: &Sym| coordinate.floor_div(cell).ok()?.sub(value).ok();
                if let (Some(from), Some(to)) = (step(written), step(touched))
                    && let Some(apart) = self.apart(&from, &to, reordered)
                {
                    (axes[axis], used[k]) = (Some(apart), true);
                    break;
                }
            }
        }
        let fixed = |sym: &Sym| !self.varies(sym, reordered);
        for (k, (written, touched)) in write.coordinates.iter().zip(&other.coordinates).enumerate() {
            let apart = || written.sub(touched).ok()?.as_constant();
            if !used[k] && fixed(written) && fixed(touched) && apart().is_some_and(|apart| apart != 0) {
                return Distances::Of(Vec::new());
            }
        }
        let Some(axes) = axes.into_iter().collect::<Option<Vec<_>>>() else { return Distances::Unknown };
        let mut all = vec![Vec::new()];
        for axis in axes {
            let longer = |prefix: &Vec<i64>| {
                axis.clone().map(|last| [&prefix[..], &[last]].concat()).collect::<Vec<_>>()
            };
            all = all.iter().flat_map(longer).collect();
        }
        Distances::Of(all)
    }

    /// How many indices of the loop the other access of an element is after the write, given how far each access is from the
    /// loop's own index.
    fn apart(&self, from: &Sym, to: &Sym, reordered: &Reordered<'_>) -> Option<RangeInclusive<i64>> {
        let follows_loop =
            |sym: &Sym| reordered.values.iter().flat_map(Sym::symbols).any(|symbol| sym.mentions(&symbol));
        if follows_loop(from) || follows_loop(to) {
            return None;
        }
        if !self.varies(from, reordered) && !self.varies(to, reordered) {
            let apart = from.sub(to).ok()?.as_constant()?;
            return Some(apart..=apart);
        }
        // A variable of the body takes its values in each iteration anew.
        let bounds = |sym: &Sym| Some((sym.range().lo?, sym.range().hi?));
        let (from, to) = (bounds(from)?, bounds(to)?);
        let (least, most) = (from.0.checked_sub(to.1)?, from.1.checked_sub(to.0)?);
        (most.checked_sub(least)? < FEW).then_some(least..=most)
    }

    /// The number of coordinates for one index of the loop: `m` of `m * y + i`.
    fn cell(&self, coordinate: &Sym, value: &Sym, reordered: &Reordered<'_>) -> i64 {
        let factor = |sym: &Sym, symbol| sym.coefficient(symbol)?.as_constant();
        let symbols = value.symbols();
        let moving = symbols.iter().find(|symbol| self.varies(&Sym::symbol(symbol), reordered));
        let ratio = moving.and_then(|symbol| {
            let (across, along) = (factor(coordinate, symbol)?, factor(value, symbol)?);
            (along != 0 && across % along == 0).then(|| across / along)
        });
        ratio.filter(|ratio| *ratio > 1).unwrap_or(1)
    }

    /// Whether a value may be another one in another iteration.
    fn varies(&self, sym: &Sym, reordered: &Reordered<'_>) -> bool {
        sym.symbols().iter().any(|symbol| {
            let info = self.program.symbol(symbol);
            match info.source {
                Source::Loop(id) => id >= reordered.first_loop,
                _ => self.program.within(info.defined.context, reordered.body),
            }
        })
    }
}

/// Whether two coordinates differ, whatever the values in them.
fn certainly_apart(a: &[Sym], b: &[Sym]) -> bool {
    a.iter().zip(b).any(|(a, b)| {
        let range = a.sub(b).map(|apart| apart.range());
        range.is_ok_and(|range| range.lo.is_some_and(|lo| lo > 0) || range.hi.is_some_and(|hi| hi < 0))
    })
}

/// An access on one line.
fn readable(tokens: &impl ToTokens) -> String {
    let text = tokens.to_token_stream().to_string();
    text.replace(" [[", "[[").replace(" [", "[").replace("[ ", "[").replace(" ]", "]").replace(" ,", ",")
}
