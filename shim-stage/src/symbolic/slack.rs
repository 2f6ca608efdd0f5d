//! The distances of a coordinate from the ends of its axis.

use super::SymInt;

/// How far a coordinate is above the first index of its axis and below the last: neither is negative when it is inside.
/// `None` if they overflow.
pub fn slack(coordinate: &SymInt, extent: &SymInt) -> Option<(SymInt, SymInt)> {
    let above = extent.sub(coordinate).and_then(|room| room.sub(&SymInt::constant(1))).ok()?;
    Some((coordinate.clone(), above))
}
