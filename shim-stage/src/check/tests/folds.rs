//! Boundary rules that need no test.

use shim_core::Fold;

use super::execute::checked;
use super::kernels::{bounded, kernel};
use crate::ir::{Element, Rule};

/// One step at a time, as the rule is told.
fn folded(rule: Option<&Rule>, at: i64, extent: i64) -> i64 {
    let mut at = at;
    while !(0..extent).contains(&at) {
        at = match rule {
            Some(Rule::Fold(Fold::Clamp)) => at + if at < 0 { 1 } else { -1 },
            Some(Rule::Fold(Fold::Mirror)) if at < 0 => -1 - at,
            Some(Rule::Fold(Fold::Mirror)) => 2 * extent - 1 - at,
            Some(Rule::Fold(Fold::Reflect)) if extent == 1 => 0,
            Some(Rule::Fold(Fold::Reflect)) if at < 0 => -at,
            Some(Rule::Fold(Fold::Reflect)) => 2 * (extent - 1) - at,
            _ => at + if at < 0 { extent } else { -extent },
        };
    }
    at
}

/// Wherever a kernel runs past its assertions, the element is the one that the rule says, and an assertion stops it
/// only if it would fold to an element of an empty axis.
#[test]
fn folded_coordinates_are_those_of_the_rule() {
    let mut folds = 0;
    for body in bounded() {
        let staged = checked(&kernel(&body));
        for values in staged.assignments(&[-3, -1, 0, 1, 2, 3, 5]) {
            let stops = staged.stops(&values);
            let mut folds_empty = false;
            for (id, access, element) in staged.accesses() {
                let (at_last, boundary) = match element {
                    Element::Inside(candidate) => (candidate.clone(), None),
                    Element::Folded(folded) => (folded.element(), access.view.boundary.as_ref()),
                    Element::Unchecked | Element::Tested(_) | Element::At(..) => panic!("{body} is tested"),
                };
                let extents = staged.extents(&at_last, &values);
                if let Element::Folded(folded) = element {
                    folds_empty |= folded.axes.iter().any(|(axis, _)| extents[*axis] < 1);
                }
                if stops || extents.contains(&0) {
                    continue;
                }
                for at in staged.entries(access.position.region, &values) {
                    let truth = staged.coordinates(&staged.truth(id), &at);
                    let wanted: Vec<i64> = match boundary {
                        Some(boundary) => {
                            let axes = truth.iter().zip(&extents).enumerate();
                            axes.map(|(axis, (at, e))| folded(boundary.rule(axis), *at, *e)).collect()
                        }
                        None => truth,
                    };
                    assert_eq!(staged.coordinates(&at_last, &at), wanted, "{at:?} in {body}");
                    assert!(staged.holds(&at_last, &at), "{at:?} in {body}");
                    folds += usize::from(boundary.is_some());
                }
            }
            assert!(!stops || folds_empty, "{values:?} in {body}");
        }
    }
    assert!(folds > 1000, "{folds} elements");
}
