//! The deblocking filter (8.7): how strong each edge is filtered ([`strength`]), and the filter itself ([`luma`],
//! [`chroma`]), over macroblocks in the order of their addresses, or as a wavefront on threads.
//!
//! An edge of a 4x4 block has a strength bS of its own. Those of the left edges of all blocks are one table, those of
//! the upper edges another, both as dense as the blocks. What keeps an edge from being filtered (the edge of the
//! picture, `disable_deblocking_filter_idc`, the edge of a slice) has become a bS of 0 there.

pub mod chroma;
mod edge;
pub mod luma;
pub mod strength;

#[cfg(test)]
mod tests;

/// The filter parameters of a slice (7.4.3).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SliceFilter {
    /// `disable_deblocking_filter_idc`: 0 filters every edge, 1 none, 2 those within the slice.
    pub disable_deblocking_filter_idc: u8,
    /// `FilterOffsetA`, `slice_alpha_c0_offset_div2 << 1`.
    pub filter_offset_a: i8,
    /// `FilterOffsetB`, `slice_beta_offset_div2 << 1`.
    pub filter_offset_b: i8,
}

impl SliceFilter {
    /// Whether no edge is filtered.
    #[must_use]
    pub const fn is_off(self) -> bool {
        self.disable_deblocking_filter_idc == 1
    }
}

/// The thresholds of an edge (8.7.2.2).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Thresholds {
    pub(crate) alpha: i16,
    pub(crate) beta: i16,
    /// `tC0` by bS; -1, where nothing is filtered, for a bS of 0. Those of more than 3 are not used.
    pub(crate) tc0: [i16; 8],
}

impl Thresholds {
    /// The thresholds for an average quantization parameter `qPav` (8-461 to 8-467).
    #[inline]
    pub(crate) fn new(qpav: u8, filter: SliceFilter) -> Self {
        let index = |offset: i8| usize::from((qpav as i8 + offset).clamp(0, 51) as u8);
        let (index_a, index_b) = (index(filter.filter_offset_a), index(filter.filter_offset_b));
        Self { beta: i16::from(BETA[index_b]), ..BY_INDEX_A[index_a] }
    }

    /// Whether samples can be near enough to be filtered at all.
    #[inline]
    pub(crate) const fn filter(&self) -> bool {
        self.alpha != 0 && self.beta != 0
    }
}

/// The thresholds by indexA, `beta` aside: one load has them.
const BY_INDEX_A: [Thresholds; 52] = {
    let mut all = [Thresholds { alpha: 0, beta: 0, tc0: [0; 8] }; 52];
    let mut i = 0;
    while i < all.len() {
        let [one, two, three] = TC0[i];
        all[i].alpha = ALPHA[i] as i16;
        all[i].tc0 = [-1, one as i16, two as i16, three as i16, 0, 0, 0, 0];
        i += 1;
    }
    all
};

/// `alpha'` (Table 8-16).
#[rustfmt::skip]
const ALPHA: [u8; 52] = [
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 4, 5, 6, 7, 8, 9, 10, 12, 13, 15, 17, 20, 22, 25, 28,
    32, 36, 40, 45, 50, 56, 63, 71, 80, 90, 101, 113, 127, 144, 162, 182, 203, 226, 255, 255,
];

/// `beta'` (Table 8-16).
#[rustfmt::skip]
const BETA: [u8; 52] = [
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 6, 6, 7, 7, 8, 8,
    9, 9, 10, 10, 11, 11, 12, 12, 13, 13, 14, 14, 15, 15, 16, 16, 17, 17, 18, 18,
];

/// `t'C0` (Table 8-17), for a bS of 1, 2 and 3.
#[rustfmt::skip]
const TC0: [[u8; 3]; 52] = [
    [0, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0],
    [0, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 1],
    [0, 0, 1], [0, 0, 1], [0, 0, 1], [0, 1, 1], [0, 1, 1], [1, 1, 1], [1, 1, 1], [1, 1, 1], [1, 1, 1],
    [1, 1, 2], [1, 1, 2], [1, 1, 2], [1, 1, 2], [1, 2, 3], [1, 2, 3], [2, 2, 3], [2, 2, 4], [2, 3, 4],
    [2, 3, 4], [3, 3, 5], [3, 4, 6], [3, 4, 6], [4, 5, 7], [4, 5, 8], [4, 6, 9], [5, 7, 10], [6, 8, 11],
    [6, 8, 13], [7, 10, 14], [8, 11, 16], [9, 12, 18], [10, 13, 20], [11, 15, 23], [13, 17, 25],
];
