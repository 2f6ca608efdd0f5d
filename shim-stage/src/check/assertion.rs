//! Range assertions before a nest.

use std::collections::BTreeMap;

use crate::ir::{Assertion, BoundsCheck, Program, ProgramPoint};
use crate::symbolic::{SymInt, at_most, keep_strongest};

/// Joins the assertions that concern the same block under the same guards and may stand at the same place, and drops
/// what another part already says.
pub(super) fn merge(program: &Program, assertions: &mut BTreeMap<ProgramPoint, Vec<Assertion>>) {
    gather(assertions);
    for list in assertions.values_mut() {
        let mut merged: Vec<Assertion> = Vec::new();
        for assertion in list.drain(..) {
            let same = merged.iter_mut().find(|known| may_join(known, &assertion));
            match same {
                Some(known) => {
                    if known.tensor != assertion.tensor {
                        // Which of the views it is would take a test for each: the block is what they share.
                        let block = known.tensor.split('`').next().unwrap_or_default().to_owned();
                        known.tensor = block;
                    }
                    known.checks.extend(assertion.checks);
                    known.folds.extend(assertion.folds);
                    known.filled.extend(assertion.filled);
                }
                None => merged.push(assertion),
            }
        }
        for assertion in &mut merged {
            keep_strongest(&mut assertion.checks, implies);
            keep_strongest(&mut assertion.folds, SymInt::eq);
            keep_strongest(&mut assertion.filled, SymInt::eq);
        }
        *list = merged;
    }
    drop_repeated(program, assertions);
}

/// How many assertions before one are looked at for what they say already.
const LOOK_BACK: usize = 64;

/// Drops bounds implied by a dominating assertion: the values that they compare do not change.
fn drop_repeated(program: &Program, assertions: &mut BTreeMap<ProgramPoint, Vec<Assertion>>) {
    let mut kept: BTreeMap<ProgramPoint, Vec<Assertion>> = BTreeMap::new();
    for (position, list) in std::mem::take(assertions) {
        for mut assertion in list {
            let mut left = LOOK_BACK;
            for at in program.outwards(position) {
                let from = ProgramPoint { statement: 0, ..at };
                for known in kept.range(from..=at).rev().flat_map(|(_, list)| list).take(left) {
                    left -= 1;
                    drop_known(&mut assertion, known);
                }
                if left == 0 {
                    break;
                }
            }
            if !assertion.is_empty() {
                kept.entry(position).or_default().push(assertion);
            }
        }
    }
    *assertions = kept;
}

/// Drops of `assertion` what `known` says.
fn drop_known(assertion: &mut Assertion, known: &Assertion) {
    let runs = known.guards.iter().all(|guard| assertion.guards.contains(guard));
    if known.buffer != assertion.buffer || !runs {
        return;
    }
    assertion.checks.retain(|check| !known.checks.iter().any(|known| implies(known, check)));
    assertion.folds.retain(|fold| !known.folds.contains(fold));
    assertion.filled.retain(|extent| !known.filled.contains(extent));
}

/// Whether two assertions compare with the same extents, under the same conditions.
fn may_join(known: &Assertion, other: &Assertion) -> bool {
    let same = known.buffer == other.buffer && (known.buffer.is_some() || known.tensor == other.tensor);
    same && known.extents == other.extents && known.guards == other.guards
}

/// Moves each assertion to the first of its region that it may join.
fn gather(assertions: &mut BTreeMap<ProgramPoint, Vec<Assertion>>) {
    let all = std::mem::take(assertions);
    for (position, list) in all {
        for assertion in list {
            let from = ProgramPoint { statement: assertion.earliest.statement, ..position };
            let joined = assertions
                .range_mut(from..position)
                .find(|(_, list)| list.iter().any(|known| may_join(known, &assertion)));
            match joined {
                Some((_, list)) => list.push(assertion),
                None => assertions.entry(position).or_default().push(assertion),
            }
        }
    }
}

/// Whether one check holds only if another one does, which is of the same side of the same axis: a panic then names a
/// coordinate that is outside.
fn implies(check: &BoundsCheck, other: &BoundsCheck) -> bool {
    check.axis == other.axis && check.side == other.side && at_most(&check.slack, &other.slack)
}

#[cfg(test)]
mod tests {
    use proc_macro2::TokenStream;
    use quote::quote;

    /// How many assertions a body has over `t: &[i32]` of extents `[h, w]`; `stop` keeps them from being joined.
    fn assertions(body: &TokenStream) -> usize {
        let kernel = quote! {
            fn kernel(t: &[i32], h: usize, w: usize, r: usize, flip: bool) -> i32 {
                let t = Block::external(t, [h, w]);
                let mut s = 0;
                #body
                s
            }
        };
        let expansion = crate::kernel(TokenStream::new(), kernel).to_string();
        assert!(!expansion.contains("compile_error"), "{expansion}");
        expansion.matches("assert_within").count()
    }

    #[test]
    fn what_was_asserted_is_not_asserted_again() {
        assert_eq!(assertions(&quote!(s += t[[r, 3]]; stop(); s += t[[r, 3]];)), 1);
        assert_eq!(assertions(&quote!(s += t[[r, 3]]; stop(); s += t[[r, 2]];)), 1);
        assert_eq!(assertions(&quote!(s += t[[r, 3]]; stop(); if flip { s += t[[r, 1]]; })), 1);
        assert_eq!(assertions(&quote!(s += t[[r, 3]]; stop(); let f = || t[[r, 3]];)), 1);
        assert_eq!(
            assertions(&quote!(for i in 0..9 {
                s += t[[r, i]];
                stop();
                s += t[[r, i]];
            })),
            1
        );
    }

    #[test]
    fn what_may_not_have_been_asserted_is() {
        assert_eq!(assertions(&quote!(s += t[[r, 2]]; stop(); s += t[[r, 3]];)), 2);
        assert_eq!(assertions(&quote!(if flip { s += t[[r, 3]]; } stop(); s += t[[r, 3]];)), 2);
        assert_eq!(assertions(&quote!(let f = || t[[r, 3]]; stop(); s += t[[r, 3]];)), 2);
        // The loop may not run.
        assert_eq!(assertions(&quote!(for i in 0..w { s += t[[r, i]]; } stop(); s += t[[r, 0]];)), 2);
        assert_eq!(assertions(&quote!(s += t[[r, 3]]; stop(); let r = r + 1; s += t[[r, 3]];)), 2);
    }
}
