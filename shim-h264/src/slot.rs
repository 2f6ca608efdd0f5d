//! A picture that is coded, and the memory for that.

use alloc::vec::Vec;

use crate::kernels::deblock::SliceFilter;
use crate::kernels::picture::Picture;
use crate::lookahead::Guide;
use crate::plan::Task;
use crate::strip::SliceUnits;

/// A picture that is coded, and the memory for that.
#[derive(Clone, Debug)]
pub(crate) struct Slot<D> {
    pub(crate) picture: Picture,
    /// Its plan, once there is one.
    pub(crate) task: Option<Task>,
    pub(crate) guide: Guide,
    /// Deblocking parameters by slice number; number 0 is no slice.
    pub(crate) filters: Vec<SliceFilter>,
    /// Decisions of each slice, and results of each strip.
    pub(crate) for_slices: Vec<D>,
    pub(crate) coded: Vec<SliceUnits>,
}

impl<D> Slot<D> {
    /// Memory for a picture of so many rows and columns of macroblocks.
    pub(crate) fn new(mbs: [usize; 2]) -> Self {
        Self {
            picture: Picture::new(mbs),
            task: None,
            guide: Guide::new(mbs),
            filters: Vec::new(),
            for_slices: Vec::new(),
            coded: Vec::new(),
        }
    }
}
