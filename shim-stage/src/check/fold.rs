//! Boundary rules as arithmetic: a read whose rule gives an element of the block, whatever the index, needs no test.
//!
//! Clamp, Mirror and Wrap fold a coordinate into the axis. The folded coordinate is an expression as any other, so
//! that a row is folded once where it changes, not at each of its elements.

use shim_core::Integer;

use crate::ir::{Access, Assertion, Boundary, Candidate, FoldedAccess, Program, ProgramPoint, Rule};
use crate::symbolic::{Facts, SymInt, slack};

use super::hoist;

/// The element by the rules of `boundary`, and what has to be asserted for it: that the axes are not empty, that
/// nothing overflows, and that an axis without a rule needs none. `None` where a rule is no arithmetic.
pub(super) fn fold(
    program: &Program,
    access: &Access,
    candidate: &Candidate,
    boundary: &Boundary,
    facts: &Facts,
) -> Option<(FoldedAccess, Option<(ProgramPoint, Assertion)>)> {
    let extents = candidate.extents(program);
    let mut axes = Vec::new();
    let mut inside = Vec::new();
    let mut sure = true;
    for (axis, (coordinate, extent)) in candidate.coordinates.iter().zip(&extents).enumerate() {
        let (below, above) = slack(coordinate, extent)?;
        if facts.proves_nonneg(&below) && facts.proves_nonneg(&above) {
            continue;
        }
        let rule = match boundary.rule(axis) {
            Some(Rule::Fold(rule)) => *rule,
            Some(Rule::Fill(_) | Rule::By { .. }) => return None,
            None => {
                inside.push(axis);
                continue;
            }
        };
        let last = extent.sub(&SymInt::constant(1)).ok()?;
        sure &= facts.proves_nonneg(&last) && coordinate.fits();
        axes.push((axis, coordinate.fold(rule, extent).ok()?));
    }
    let folded = FoldedAccess { candidate: candidate.clone(), axes };
    if sure && inside.is_empty() {
        return Some((folded, None));
    }
    let axes: Vec<usize> = folded.axes.iter().map(|(axis, _)| *axis).collect();
    let assertion = hoist::folding(program, access, candidate, [&axes, &inside])?;
    Some((folded, Some(assertion)))
}
