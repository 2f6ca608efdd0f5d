//! Warns of lanes whose elements are apart in memory.
//!
//! The points of a front are a row down and some columns back from one another. In row-major memory each lane loads and
//! stores by itself, which takes longer than the loop without words.

use crate::ir::{Addressing, NestId, Program, Schedule};
use crate::symbolic::{SymInt, Symbol};

use super::lanes::Group;
use super::order::{DimWalk, LoopOrder};

/// Warns if lanes hold elements of a front that are neither one nor adjacent.
pub(super) fn warn(
    program: &mut Program,
    nest: NestId,
    order: &LoopOrder,
    held: &[Group],
    schedule: &Schedule,
) {
    // Another file's tokens are not the place of a warning of this kernel.
    if !schedule.calls.is_empty() {
        return;
    }
    let in_front = order.stages.last().and_then(|stage| stage.dims.last()).and_then(|dim| match dim.walk {
        DimWalk::Row { slope, lanes: Some(_), .. } => Some(slope),
        _ => None,
    });
    let Some(slope) = in_front else { return };
    let Some(apart) = held.iter().find(|group| is_strided(program, nest, slope, group)) else { return };
    let name = &program.accesses[apart.always].view.name;
    let note = format!(
        "the lanes of this front access elements of `{name}` that are apart in memory, which is slower than the loop without `lanes`: \
         store them by antidiagonals, as in `Block::external(..).stored(antidiagonal)`"
    );
    let span = schedule.attribute.clone().into_iter().next().map(|token| token.span());
    program.notes.extend(span.map(|span| (span, note)));
}

/// Whether the elements of two points that follow each other on a front are apart in memory.
fn is_strided(program: &Program, nest: NestId, slope: i64, group: &Group) -> bool {
    let step = || -> Option<SymInt> {
        let candidate = program.accesses[group.always].element.candidates().first()?;
        let Addressing::Flat(layout) = &program.buffers[candidate.buffer].addressing else { return None };
        let [row, column] = program.nests[nest].loops[..] else { return None };
        let [row, column] = [row, column].map(|id| &program.loops[id].symbol);
        let next = |symbol: &Symbol| {
            let by = if symbol == row {
                1
            } else if symbol == column {
                -slope
            } else {
                return None;
            };
            SymInt::symbol(symbol).add(&SymInt::constant(by)).ok()
        };
        let steps = candidate.coordinates.iter().zip(layout.strides()?).map(|(coordinate, stride)| {
            coordinate.substitute(&next).ok()?.sub(coordinate).ok()?.mul(&stride).ok()
        });
        steps.into_iter().try_fold(SymInt::constant(0), |sum, step| sum.add(&step?).ok())
    };
    step().is_some_and(|step| step.as_constant().is_none_or(|step| step.abs() > 1))
}
