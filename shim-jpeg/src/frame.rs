//! The geometry of a frame: components, blocks and MCUs (T.81 A.1.1, A.2).

/// How the density of chrominance compares with that of luminance.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Subsampling {
    /// 4:2:0, half the density on both axes: the usual choice for photographs.
    #[default]
    S420,
    /// 4:4:4, full density: for screenshots, drawings and text, where coloured edges are sharp.
    S444,
}

impl Subsampling {
    /// H and V of luminance, where chrominance has 1.
    fn factor(self) -> usize {
        match self {
            Self::S420 => 2,
            Self::S444 => 1,
        }
    }
}

/// Samples along a side of a block.
pub(crate) const BLOCK: usize = 8;

/// The MCUs of a row that are transformed and coded together, few enough for their coefficients to stay in a cache. A
/// component has as many times its factor blocks in a row of theirs: whole tiles.
pub(crate) const SEGMENT: usize = 64;

/// One component of the frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Component {
    /// C, the identifier: 1, 2, 3 for Y, Cb, Cr (JFIF).
    pub(crate) id: u8,
    /// H and V, which are the same in the subsamplings offered: blocks along a side of the MCU.
    pub(crate) factor: usize,
    /// The destination of its tables (Tq, Td and Ta): 0 for luminance, 1 for chrominance.
    pub(crate) table: u8,
    /// Blocks in a row that hold samples of the image: `ceil(x / 8)`, x being the component's width (A.1.1).
    pub(crate) blocks_wide: usize,
    /// Rows of blocks that hold samples of the image.
    pub(crate) blocks_high: usize,
}

/// A frame of one or three components, coded in one scan.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    /// X, the samples of a row.
    pub(crate) width: usize,
    /// Y, the rows.
    pub(crate) height: usize,
    /// Y, Cb and Cr, or Y alone.
    pub(crate) components: Vec<Component>,
    /// Hmax and Vmax.
    pub(crate) factor: usize,
}

impl Frame {
    /// The frame of an image of `width` by `height` pixels.
    pub(crate) fn new(width: usize, height: usize, grey: bool, subsampling: Subsampling) -> Self {
        // With one component, an MCU is one block whatever H and V say (A.2.2), so they are 1.
        let factor = if grey { 1 } else { subsampling.factor() };
        let component = |id, own: usize, table| {
            let blocks = |side: usize| (side * own).div_ceil(factor).div_ceil(BLOCK);
            let (blocks_wide, blocks_high) = (blocks(width), blocks(height));
            Component { id, factor: own, table, blocks_wide, blocks_high }
        };
        let mut components = vec![component(1, factor, 0)];
        if !grey {
            components.extend([component(2, 1, 1), component(3, 1, 1)]);
        }
        Self { width, height, components, factor }
    }

    /// Pixels along a side of an MCU.
    pub(crate) fn mcu_side(&self) -> usize {
        BLOCK * self.factor
    }

    /// MCUs in a row.
    pub(crate) fn mcus_wide(&self) -> usize {
        self.width.div_ceil(self.mcu_side())
    }

    /// Rows of MCUs.
    pub(crate) fn mcus_high(&self) -> usize {
        self.height.div_ceil(self.mcu_side())
    }

    /// Blocks of all components in one MCU.
    pub(crate) fn blocks_per_mcu(&self) -> usize {
        self.components.iter().map(|c| c.factor * c.factor).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_grey_frame_is_not_interleaved() {
        let frame = Frame::new(17, 8, true, Subsampling::S420);
        assert_eq!((frame.mcus_wide(), frame.mcus_high(), frame.blocks_per_mcu()), (3, 1, 1));
        assert_eq!((frame.components[0].blocks_wide, frame.components[0].blocks_high), (3, 1));
    }

    #[test]
    fn luminance_need_not_fill_the_last_mcu() {
        // 227 = 14 * 16 + 3: 15 MCUs have 30 columns of luminance blocks, of which the last lies outside the image.
        let frame = Frame::new(227, 149, false, Subsampling::S420);
        assert_eq!((frame.mcus_wide(), frame.mcus_high(), frame.blocks_per_mcu()), (15, 10, 6));
        let blocks = frame.components.iter().map(|c| (c.blocks_wide, c.blocks_high)).collect::<Vec<_>>();
        assert_eq!(blocks, [(29, 19), (15, 10), (15, 10)]);
    }

    #[test]
    fn chrominance_of_odd_sides_is_rounded_up() {
        let frame = Frame::new(33, 1, false, Subsampling::S420);
        let blocks = frame.components.iter().map(|c| (c.blocks_wide, c.blocks_high)).collect::<Vec<_>>();
        assert_eq!(blocks, [(5, 1), (3, 1), (3, 1)]);
        let frame = Frame::new(33, 9, false, Subsampling::S444);
        assert!(frame.components.iter().all(|c| (c.blocks_wide, c.blocks_high) == (5, 2)));
    }

    #[test]
    fn the_largest_frame() {
        let frame = Frame::new(65_535, 65_535, false, Subsampling::S420);
        assert_eq!((frame.mcus_wide(), frame.mcus_high()), (4096, 4096));
    }
}
