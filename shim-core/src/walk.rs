//! Walking up (section 5.2.6 of the thesis): the blocks that may hold an element, nearest first.

use alloc::vec::Vec;

use crate::{Integer, LocationError, Space};

/// A block, and the tensor that a read outside it goes on to.
pub trait Level<I>: Sized {
    /// The block's own space.
    fn space(&self) -> &Space<I>;

    /// The nearest block of the tensor above; `None` where there is none, or where the access does not walk up.
    fn above(&self) -> Option<Self>;
}

/// A block that may hold an element.
#[derive(Clone, Debug)]
pub struct Reached<L, I> {
    /// The block.
    pub level: L,
    /// The element's coordinate on each axis of the block.
    pub coordinate: Vec<I>,
    /// How far the element is from the block on axes that the block has dropped: see [`Space::apart`].
    pub apart: Vec<I>,
}

/// The blocks from `nearest` upwards, each with the coordinate that `index` in the space `place` has there.
///
/// The items are errors where a location does not fit its integer or has no path to the block.
pub fn walk_up<I: Integer, L: Level<I>>(
    place: &Space<I>,
    index: &[I],
    nearest: L,
) -> impl Iterator<Item = Result<Reached<L, I>, LocationError>> {
    core::iter::successors(Some(nearest), L::above).map(move |level| {
        let coordinate = Space::map(place, level.space(), index)?;
        let apart = Space::apart(place, level.space(), index)?;
        Ok(Reached { level, coordinate, apart })
    })
}
