//! Assertions before a nest, and accesses that need none.

use super::execute::{Staged, staged};
use super::kernels::{kernel, unconditional};
use crate::check::Verdict;

const CHOICES: &[i64] = &[-2, -1, 0, 1, 2, 3, 4, 6];

/// Whether an access that nothing tests where it runs is outside of its block for some point.
fn reaches_out(staged: &Staged, values: &super::execute::Values) -> bool {
    staged.accesses().any(|(id, access, verdict)| {
        let truth = staged.truth(id);
        matches!(verdict, Verdict::Inside(_))
            && staged.entries(access.position.context, values).iter().any(|at| !staged.holds(&truth, at))
    })
}

/// A kernel stops before its first element exactly when it would reach an element that is not there.
#[test]
fn assertions_fire_exactly_when_an_element_is_outside() {
    for body in unconditional() {
        let staged = staged(&kernel(&body));
        for values in staged.assignments(CHOICES) {
            assert_eq!(staged.stops(&values), reaches_out(&staged, &values), "{values:?} in {body}");
        }
    }
}

/// Each claim is about the element that the access says.
#[test]
fn what_is_inside_is_the_element_that_was_written() {
    for body in unconditional() {
        let staged = staged(&kernel(&body));
        for values in staged.assignments(&[-1, 0, 2, 5]) {
            for (id, access, verdict) in staged.accesses() {
                let Verdict::Inside(candidate) = verdict else { continue };
                for at in staged.entries(access.position.context, &values) {
                    let truth = staged.coordinates(&staged.truth(id), &at);
                    assert_eq!(staged.coordinates(candidate, &at), truth, "{at:?} in {body}");
                }
            }
        }
    }
}
