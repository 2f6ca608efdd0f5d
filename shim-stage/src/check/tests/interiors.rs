//! Interiors of split loops.

use quote::quote;

use super::execute::{Staged, Values, checked};
use super::kernels::{blocks, bounded, kernel, tested, whole};
use crate::ir::{Element, Id, Interior, LoopId, ProgramPoint};

/// Whether the interior of a loop holds what its variable is in `values`.
pub(crate) fn is_interior(staged: &Staged, id: LoopId, interior: &Interior, values: &Values) -> bool {
    let at = values[&staged.program.loops[id].symbol.id()];
    interior.guards.iter().all(|guard| staged.eval(guard, values) >= 0)
        && interior.starts.iter().all(|start| at >= staged.eval(start, values))
        && interior.ends.iter().all(|end| at < staged.eval(end, values))
}

/// The values of the variables of a loop and of those around it.
pub(crate) fn turns(staged: &Staged, id: LoopId, values: &Values) -> Vec<Values> {
    let nest = &staged.program.nests[staged.program.loops[id].nest];
    let around = staged.program.regions[nest.body]
        .parent
        .map_or_else(|| vec![values.clone()], |ProgramPoint { region, .. }| staged.entries(region, values));
    let depth = nest.loops.iter().position(|other| *other == id).expect("a loop of its nest");
    around.iter().flat_map(|values| staged.iterations(&nest.loops[..=depth], values)).collect()
}

/// The interior of a loop is the turns in which every test of the accesses that it is split for succeeds, whatever the
/// loops within it do: fewer would test where it is of no use, more would read what is not there. That of a block is
/// all of its turns or none.
#[test]
fn interiors_are_the_turns_in_which_every_test_succeeds() {
    let mut interior_turns = 0;
    for body in tested().into_iter().chain(bounded()).chain(blocks()) {
        let staged = checked(&kernel(&body));
        let splits = matches!(staged.program.accesses[Id::new(0)].element, Element::Tested(_));
        assert!(!splits || staged.interiors().next().is_some(), "no loop is split in {body}");
        for values in staged.assignments(&[-2, 0, 1, 2, 3, 5, 6]) {
            for (id, interior) in staged.interiors() {
                let turns = turns(&staged, id, &values);
                let succeeds = |turn: &Values| {
                    // An empty block is stopped before the loop, or has no element in the interior either.
                    interior.accesses.iter().all(|(access, axes)| {
                        let truth = staged.truth(*access);
                        let region = staged.program.accesses[*access].position.region;
                        staged.entries(region, turn).iter().all(|at| {
                            let (found, extents) =
                                (staged.coordinates(&truth, at), staged.extents(&truth, at));
                            axes.iter().all(|axis| (0..extents[*axis]).contains(&found[*axis]))
                        })
                    })
                };
                let own = staged.program.loops[id].symbol.id();
                let whole = interior.starts.is_empty() && interior.ends.is_empty();
                // The turns of the loop at one turn of those around it.
                let around = |turn: &Values| {
                    turn.iter().filter(|(id, _)| **id != own).map(|(id, at)| (*id, *at)).collect::<Values>()
                };
                for turn in &turns {
                    let interior = is_interior(&staged, id, interior, turn);
                    let wanted = if whole {
                        turns.iter().filter(|other| around(other) == around(turn)).all(succeeds)
                    } else {
                        succeeds(turn)
                    };
                    assert_eq!(interior, wanted, "{turn:?} in {body}");
                    interior_turns += usize::from(interior);
                }
            }
        }
    }
    assert!(interior_turns > 1000, "{interior_turns} turns");
}

/// In an interior nothing is left to test: each coordinate is inside, by the rule where it is folded.
#[test]
fn elements_of_an_interior_are_inside() {
    for body in tested().into_iter().chain(bounded()).chain(blocks()) {
        let staged = checked(&kernel(&body));
        for values in staged.assignments(&[-2, 0, 1, 2, 3, 5]) {
            if staged.stops(&values) {
                continue;
            }
            for (id, interior) in staged.interiors() {
                let turns = turns(&staged, id, &values);
                for turn in turns.iter().filter(|turn| is_interior(&staged, id, interior, turn)) {
                    for (access, axes) in &interior.accesses {
                        let access = &staged.program.accesses[*access];
                        let element = access.element.inside_on(axes).expect("an element in the interior");
                        let region = access.position.region;
                        let entries = staged.entries(region, turn);
                        assert!(entries.iter().all(|at| staged.holds(&element, at)), "{turn:?} in {body}");
                    }
                }
            }
        }
    }
}

#[test]
fn blocks_are_tested_as_a_whole() {
    for body in blocks() {
        let staged = checked(&kernel(&body));
        assert!(
            staged
                .interiors()
                .next()
                .is_some_and(|(_, interior)| interior.starts.is_empty() && interior.ends.is_empty()),
            "{body}"
        );
    }
}

#[test]
fn loops_that_cannot_be_split_are_not() {
    for body in whole() {
        let staged = checked(&kernel(&body));
        assert!(matches!(staged.program.accesses[Id::new(0)].element, Element::Tested(_)), "{body}");
        assert!(staged.interiors().next().is_none(), "{body}");
    }
}

/// A coordinate that is folded once for a row stays folded; the interior is that of the axis along the row.
#[test]
fn an_interior_is_of_the_axes_that_change_in_the_loop() {
    let body = quote! {
        let t = Block::external(t, [h, w]).boundary(Clamp);
        for [y, x] in t.indices() {
            s += t[[y - 1, x + 1]];
        }
    };
    let staged = checked(&kernel(&body));
    let interiors: Vec<_> = staged.interiors().collect();
    let [(id, interior)] = interiors[..] else { panic!("{interiors:?}") };
    assert_eq!(staged.program.loops[id].name, "x");
    assert_eq!(interior.accesses.values().collect::<Vec<_>>(), [&[1]]);
}
