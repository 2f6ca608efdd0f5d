//! The MCUs that are transformed together, and their coefficients.

use alloc::boxed::Box;
use alloc::vec::Vec;

use crate::format::frame::{Frame, MAX_COMPONENTS, SEGMENT};
use crate::format::quality::QuantizationTable;
use crate::kernels::pieces::{copy_first_tiles, last_dc};
use crate::kernels::tile::{Blocks, Coefficients, LANES};
use crate::transform::band::Band;
use crate::transform::sample::Sample;
use crate::transform::trellis::Trellis;

/// Quantized coefficients of neighboring MCUs of a row.
#[derive(Clone, Debug)]
pub(crate) struct Segment {
    /// Number of MCUs.
    pub(crate) mcus: usize,
    /// The blocks of each component.
    pub(crate) blocks: [Blocks; MAX_COMPONENTS],
    pub(crate) coefficients: Coefficients,
}

impl Segment {
    /// Memory for a segment of a frame.
    pub(crate) fn new(frame: &Frame) -> Self {
        let mcus = SEGMENT.min(frame.mcus_wide());
        let (mut rows, mut tiles) = ([0; MAX_COMPONENTS], [0; MAX_COMPONENTS]);
        for (c, component) in frame.components.iter().enumerate() {
            (rows[c], tiles[c]) = (component.v, (mcus * component.h).div_ceil(LANES));
        }
        let blocks = core::array::from_fn(|component| Blocks { component, ..Blocks::default() });
        Self { mcus: 0, blocks, coefficients: Coefficients::new(rows, tiles) }
    }

    /// Its first MCU, as a segment of its own.
    pub(crate) fn opening(&self, frame: &Frame) -> Self {
        let mut blocks = self.blocks;
        for (own, component) in blocks.iter_mut().zip(&frame.components) {
            own.wide = component.h.min(own.wide);
        }
        let mut coefficients = Coefficients::new(blocks.map(|own| own.high), [1; MAX_COMPONENTS]);
        copy_first_tiles(&self.coefficients, &mut coefficients);
        Self { mcus: 1, blocks, coefficients }
    }

    /// DC of the last block of each of so many components.
    pub(crate) fn predictions(&self, components: usize) -> Vec<i32> {
        self.blocks[..components].iter().map(|&own| last_dc(&self.coefficients, own)).collect()
    }

    /// Memory for a row of MCUs of a frame.
    pub(crate) fn row(frame: &Frame) -> Vec<Self> {
        (0..frame.mcus_wide().div_ceil(SEGMENT)).map(|_| Self::new(frame)).collect()
    }
}

/// The transforms of a frame's components.
pub(crate) struct Transformer<T: Sample> {
    /// For luminance and chrominance.
    transforms: [T::Transform; 2],
    scratch: Box<T::Scratch>,
    trellis: Option<Trellis>,
}

impl<T: Sample> Transformer<T> {
    pub(crate) fn new(tables: &[QuantizationTable; 2], exact: bool) -> Self {
        let transforms = tables.each_ref().map(|table| T::transform_for(table, exact));
        Self { transforms, scratch: Box::default(), trellis: None }
    }

    /// The same with values chosen by a trellis, of samples of so many bits.
    pub(crate) fn with_trellis(tables: &[QuantizationTable; 2], bits: u8) -> Self {
        Self { trellis: Some(Trellis::new(tables, bits)), ..Self::new(tables, true) }
    }

    /// Transforms the MCUs of row `index`, whose samples are in `band`, from `mcu` on that make a segment.
    pub(crate) fn segment(
        &mut self,
        frame: &Frame,
        band: &Band<T>,
        index: usize,
        mcu: usize,
        segment: &mut Segment,
    ) {
        let Segment { mcus, blocks, coefficients } = segment;
        *mcus = SEGMENT.min(frame.mcus_wide() - mcu);
        for ((own, component), plane) in blocks.iter_mut().zip(&frame.components).zip(band.planes()) {
            let (h, v) = (component.h, component.v);
            own.left = mcu * h / LANES;
            own.high = v.min(component.blocks_high - index * v);
            own.wide = (SEGMENT * h).min(component.blocks_wide.saturating_sub(mcu * h));
            if let Some(trellis) = &mut self.trellis {
                trellis.blocks(plane, *own, component.table, coefficients);
                continue;
            }
            let by = &self.transforms[usize::from(component.table)];
            T::transform(by, plane, *own, &mut self.scratch, coefficients);
        }
    }
}
