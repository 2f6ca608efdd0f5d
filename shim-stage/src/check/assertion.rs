//! Range assertions before a nest.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use crate::ir::{Position, StorageId};
use crate::symbolic::Sym;

/// The least and greatest coordinates that a nest reaches on an axis, as far as they need a test.
#[derive(Debug, Clone, Default)]
pub struct Bound {
    /// Each must be at least zero.
    pub least: Vec<Sym>,
    /// Each must be below the extent.
    pub greatest: Vec<Sym>,
}

/// That a nest stays inside a block.
#[derive(Debug, Clone)]
pub struct Assertion {
    /// The block.
    pub storage: StorageId,
    /// The tensor's name, for the panic.
    pub tensor: String,
    /// The nest runs at all when each of these is at least zero.
    pub guards: Vec<Sym>,
    /// Per axis of the block.
    pub bounds: Vec<Bound>,
    /// What a boundary rule folds must fit `isize`.
    pub folds: Vec<Sym>,
    /// The extents of axes on which it folds: an empty one has no index to fold to.
    pub filled: Vec<Sym>,
    /// The first statement before which it may stand as well.
    pub earliest: Position,
}

/// Joins the assertions that concern the same block under the same guards and may stand at the same place, and drops
/// what another part already says.
pub(super) fn merge(assertions: &mut BTreeMap<Position, Vec<Assertion>>) {
    gather(assertions);
    for list in assertions.values_mut() {
        let mut merged: Vec<Assertion> = Vec::new();
        for assertion in list.drain(..) {
            let same = merged
                .iter_mut()
                .find(|known| known.storage == assertion.storage && known.guards == assertion.guards);
            match same {
                Some(known) => {
                    if known.tensor != assertion.tensor {
                        // Which of the views it is would take a test for each: the block is what they share.
                        let block = known.tensor.split('`').next().unwrap_or_default().to_owned();
                        known.tensor = block;
                    }
                    for (known, new) in known.bounds.iter_mut().zip(assertion.bounds) {
                        known.least.extend(new.least);
                        known.greatest.extend(new.greatest);
                    }
                    known.folds.extend(assertion.folds);
                    known.filled.extend(assertion.filled);
                }
                None => merged.push(assertion),
            }
        }
        for assertion in &mut merged {
            for bound in &mut assertion.bounds {
                keep_extreme(&mut bound.least, Ordering::Less);
                keep_extreme(&mut bound.greatest, Ordering::Greater);
            }
            keep_first(&mut assertion.folds);
            keep_first(&mut assertion.filled);
        }
        *list = merged;
    }
}

/// Moves each assertion to the first of its context that it may join.
fn gather(assertions: &mut BTreeMap<Position, Vec<Assertion>>) {
    let all = std::mem::take(assertions);
    for (position, list) in all {
        for assertion in list {
            let from = Position { statement: assertion.earliest.statement, ..position };
            let joined = assertions.range_mut(from..position).find(|(_, list)| {
                list.iter()
                    .any(|known| known.storage == assertion.storage && known.guards == assertion.guards)
            });
            match joined {
                Some((_, list)) => list.push(assertion),
                None => assertions.entry(position).or_default().push(assertion),
            }
        }
    }
}

/// Keeps of values that can be compared only the one that is `wanted` than the others.
pub(super) fn keep_extreme(values: &mut Vec<Sym>, wanted: Ordering) {
    let mut kept: Vec<Sym> = Vec::new();
    for value in values.drain(..) {
        let mut dominated = false;
        kept.retain(|known| match value.compare(known) {
            Some(Ordering::Equal) => {
                dominated = true;
                true
            }
            Some(order) if order == wanted => false,
            Some(_) => {
                dominated = true;
                true
            }
            None => true,
        });
        if !dominated {
            kept.push(value);
        }
    }
    *values = kept;
}

/// Keeps of equal values one.
fn keep_first(values: &mut Vec<Sym>) {
    let mut kept: Vec<Sym> = Vec::new();
    for value in values.drain(..) {
        if !kept.contains(&value) {
            kept.push(value);
        }
    }
    *values = kept;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::symbolic::{Range, Symbol};

    #[test]
    fn only_the_extremes_are_tested() {
        let r = Sym::symbol(&Symbol::new(0, "r", Range { lo: None, hi: None }));
        let at = |offset: i64| r.add(&Sym::constant(offset)).expect("small");
        let mut least = vec![at(-1), at(0), at(3)];
        keep_extreme(&mut least, Ordering::Less);
        assert_eq!(least, [at(-1)]);
        let mut greatest = vec![at(-1), at(0), at(3), Sym::constant(7)];
        keep_extreme(&mut greatest, Ordering::Greater);
        assert_eq!(greatest, [at(3), Sym::constant(7)]);
    }
}
