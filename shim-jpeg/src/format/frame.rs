//! The geometry of a frame: components, blocks and MCUs (T.81 A.1.1, A.2).

use alloc::vec::Vec;

use crate::error::Error;
use crate::input::color::ColorSpace;

/// Block size in samples.
pub(crate) const BLOCK: usize = 8;

/// The MCUs of a row that are transformed and coded together, few enough for their coefficients to stay in a cache. A
/// component has as many times its factor blocks in a row of theirs: whole tiles.
pub(crate) const RUN: usize = 64;

/// Maximum number of components that this crate supports. T.81 allows more, without defining their meaning.
pub(crate) const MAX_COMPONENTS: usize = 4;

/// A component of the frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Component {
    /// C: identifier.
    pub(crate) id: u8,
    /// H: blocks per MCU, horizontally.
    pub(crate) h: usize,
    /// V: blocks per MCU, vertically.
    pub(crate) v: usize,
    /// Table destination (Tq, Td and Ta): 0 for luminance, 1 for chrominance.
    pub(crate) table: u8,
    /// Blocks in a row that hold samples of the image: `ceil(x / 8)`, x being the component's width (A.1.1).
    pub(crate) blocks_wide: usize,
    /// Rows of blocks that hold samples of the image.
    pub(crate) blocks_high: usize,
}

/// A frame whose components may be coded in one scan.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    /// X: samples per row.
    pub(crate) width: usize,
    /// Y: number of rows.
    pub(crate) height: usize,
    /// P: sample precision.
    pub(crate) bits: u8,
    /// Color space of the components.
    pub(crate) space: ColorSpace,
    /// The components, one to four.
    pub(crate) components: Vec<Component>,
    /// Hmax.
    pub(crate) h_max: usize,
    /// Vmax.
    pub(crate) v_max: usize,
}

impl Frame {
    /// The frame of an image of `[width, height]` pixels, whose components have the factors `[H, V]` given.
    ///
    /// # Errors
    ///
    /// [`Error::Sampling`] unless there are as many factors as components, 1 to 4 each, that divide the greatest.
    pub(crate) fn new(
        [width, height]: [usize; 2],
        bits: u8,
        space: ColorSpace,
        factors: &[[u8; 2]],
    ) -> Result<Self, Error> {
        let identifiers = space.identifiers();
        // With one component, an MCU is one block whatever H and V say (A.2.2), so they are 1.
        let factors = if identifiers.len() == 1 && !factors.is_empty() { &[[1, 1]] } else { factors };
        let most = |axis: usize| factors.iter().map(|f| f[axis]).max().unwrap_or(0);
        let (h_max, v_max) = (most(0), most(1));
        let legal =
            |[h, v]: &[u8; 2]| (1..=4).contains(h) && (1..=4).contains(v) && h_max % h == 0 && v_max % v == 0;
        if factors.len() != identifiers.len() || !factors.iter().all(legal) {
            return Err(Error::Sampling);
        }
        let (h_max, v_max) = (usize::from(h_max), usize::from(v_max));
        let component = |(c, (&id, factor)): (usize, (&u8, &[u8; 2]))| {
            let [h, v] = factor.map(usize::from);
            let blocks = |side: usize, own: usize, most: usize| (side * own).div_ceil(most).div_ceil(BLOCK);
            let (blocks_wide, blocks_high) = (blocks(width, h, h_max), blocks(height, v, v_max));
            Component { id, h, v, table: space.is_chrominance(c).into(), blocks_wide, blocks_high }
        };
        let components = identifiers.iter().zip(factors).enumerate().map(component).collect();
        Ok(Self { width, height, bits, space, components, h_max, v_max })
    }

    /// MCU width in pixels.
    pub(crate) fn mcu_width(&self) -> usize {
        BLOCK * self.h_max
    }

    /// MCU height in pixels.
    pub(crate) fn mcu_height(&self) -> usize {
        BLOCK * self.v_max
    }

    /// MCUs per row.
    pub(crate) fn mcus_wide(&self) -> usize {
        self.width.div_ceil(self.mcu_width())
    }

    /// Number of MCU rows.
    pub(crate) fn mcus_high(&self) -> usize {
        self.height.div_ceil(self.mcu_height())
    }

    /// Blocks per MCU, over all components.
    pub(crate) fn blocks_per_mcu(&self) -> usize {
        self.components.iter().map(|c| c.h * c.v).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(size: [usize; 2], luminance: [u8; 2]) -> Frame {
        Frame::new(size, 8, ColorSpace::YCbCr, &[luminance, [1, 1], [1, 1]]).unwrap()
    }

    fn blocks(frame: &Frame) -> Vec<(usize, usize)> {
        frame.components.iter().map(|c| (c.blocks_wide, c.blocks_high)).collect()
    }

    #[test]
    fn a_gray_frame_is_not_interleaved() {
        let frame = Frame::new([17, 8], 8, ColorSpace::Gray, &[[2, 2]]).unwrap();
        assert_eq!((frame.mcus_wide(), frame.mcus_high(), frame.blocks_per_mcu()), (3, 1, 1));
        assert_eq!(blocks(&frame), [(3, 1)]);
    }

    #[test]
    fn luminance_need_not_fill_the_last_mcu() {
        // 227 = 14 * 16 + 3: 15 MCUs have 30 columns of luminance blocks, of which the last lies outside the image.
        let frame = frame([227, 149], [2, 2]);
        assert_eq!((frame.mcus_wide(), frame.mcus_high(), frame.blocks_per_mcu()), (15, 10, 6));
        assert_eq!(blocks(&frame), [(29, 19), (15, 10), (15, 10)]);
    }

    #[test]
    fn chrominance_of_odd_sides_is_rounded_up() {
        assert_eq!(blocks(&frame([33, 1], [2, 2])), [(5, 1), (3, 1), (3, 1)]);
        assert_eq!(blocks(&frame([33, 9], [1, 1])), [(5, 2); 3]);
        assert_eq!(blocks(&frame([33, 9], [4, 1])), [(5, 2), (2, 2), (2, 2)]);
    }

    #[test]
    fn the_largest_frame() {
        let frame = frame([65_535, 65_535], [2, 2]);
        assert_eq!((frame.mcus_wide(), frame.mcus_high()), (4096, 4096));
    }

    #[test]
    fn factors_are_1_to_4_and_divide_the_greatest() {
        let new = |factors: &[[u8; 2]]| Frame::new([9, 9], 8, ColorSpace::YCbCr, factors);
        assert!(new(&[[4, 4], [2, 1], [1, 4]]).is_ok());
        assert!(new(&[[1, 1], [2, 2], [2, 1]]).is_ok());
        for refused in [
            &[][..],
            &[[1, 1]],
            &[[1, 1]; 4],
            &[[0, 1], [1, 1], [1, 1]],
            &[[5, 1], [1, 1], [1, 1]],
            &[[3, 1], [2, 1], [1, 1]],
        ] {
            assert!(matches!(new(refused), Err(Error::Sampling)), "{refused:?}");
        }
    }
}
