//! Where the encoder cuts a frame: what is needed to call the kernels as it does.

use shim_benches::picture::Picture;
use shim_jpeg::kernels::tile::{Blocks, Coefficients, LANES};

/// MCUs that are transformed and coded together.
pub(crate) const RUN: usize = 64;

/// The frame of a color picture at 4:4:4 or 4:2:0.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    pub(crate) width: usize,
    pub(crate) height: usize,
    /// H and V of luminance, where chrominance has 1.
    pub(crate) factor: usize,
}

impl Frame {
    pub(crate) fn new(picture: &Picture, factor: usize) -> Self {
        Self { width: picture.width, height: picture.height, factor }
    }

    /// Pixels along a side of an MCU.
    pub(crate) fn mcu(&self) -> usize {
        8 * self.factor
    }

    pub(crate) fn mcus_wide(&self) -> usize {
        self.width.div_ceil(self.mcu())
    }

    pub(crate) fn mcus_high(&self) -> usize {
        self.height.div_ceil(self.mcu())
    }

    /// The first row of pixels of a row of MCUs, and how many there are.
    pub(crate) fn rows(&self, index: usize) -> (usize, usize) {
        let first = index * self.mcu();
        (first, self.mcu().min(self.height - first))
    }

    /// H and V of each component.
    pub(crate) fn factors(&self) -> [usize; 3] {
        [self.factor, 1, 1]
    }

    /// The blocks along a side of a component with so many in an MCU.
    pub(crate) fn blocks(&self, side: usize, factor: usize) -> usize {
        side.div_ceil(self.factor / factor).div_ceil(8)
    }

    /// The first MCU of each run of a row.
    pub(crate) fn runs(&self) -> impl Iterator<Item = usize> + use<> {
        (0..self.mcus_wide()).step_by(RUN)
    }
}

/// MCUs of a row that are transformed together.
#[derive(Clone, Debug)]
pub(crate) struct McuRun {
    pub(crate) mcus: usize,
    pub(crate) blocks: [Blocks; 3],
    pub(crate) coefficients: Coefficients,
}

impl McuRun {
    /// Memory for a run.
    pub(crate) fn new(frame: &Frame) -> Self {
        let mcus = RUN.min(frame.mcus_wide());
        let (mut rows, mut tiles) = ([0; 4], [0; 4]);
        for (c, factor) in frame.factors().into_iter().enumerate() {
            (rows[c], tiles[c]) = (factor, (mcus * factor).div_ceil(LANES));
        }
        let blocks = core::array::from_fn(|component| Blocks { component, ..Blocks::default() });
        Self { mcus: 0, blocks, coefficients: Coefficients::new(rows, tiles) }
    }

    /// Takes the place of the MCUs of row `index` from `mcu` on.
    pub(crate) fn move_to(&mut self, frame: &Frame, index: usize, mcu: usize) {
        self.mcus = RUN.min(frame.mcus_wide() - mcu);
        for (own, factor) in self.blocks.iter_mut().zip(frame.factors()) {
            own.left = mcu * factor / LANES;
            own.high = factor.min(frame.blocks(frame.height, factor) - index * factor);
            own.wide = (RUN * factor).min(frame.blocks(frame.width, factor).saturating_sub(mcu * factor));
        }
    }
}
