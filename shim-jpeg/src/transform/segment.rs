//! The MCUs that are transformed together, and their coefficients.

use alloc::boxed::Box;
use alloc::vec::Vec;

use crate::format::frame::{Frame, MAX_COMPONENTS, SEGMENT};
use crate::format::quality::QuantizationTable;
use crate::kernels::pieces::{copy_tile, last_dc};
use crate::kernels::tile::{Coefficients, LANES, Part};
use crate::transform::band::Band;
use crate::transform::sample::Sample;
use crate::transform::trellis::Trellis;

/// Quantized coefficients of MCUs that stand beside one another.
#[derive(Clone, Debug)]
pub(crate) struct Segment {
    /// Number of MCUs.
    pub(crate) mcus: usize,
    /// The blocks of each component.
    pub(crate) parts: [Part; MAX_COMPONENTS],
    pub(crate) coefficients: Coefficients,
}

impl Segment {
    /// Memory for a segment of a frame.
    pub(crate) fn new(frame: &Frame) -> Self {
        let mcus = SEGMENT.min(frame.mcus_wide());
        let mut parts = [Part::default(); MAX_COMPONENTS];
        let mut tiles = 0;
        for (part, component) in parts.iter_mut().zip(&frame.components) {
            *part = Part { first: tiles, tiles: (mcus * component.h).div_ceil(LANES), ..Part::default() };
            tiles += component.v * part.tiles;
        }
        Self { mcus: 0, parts, coefficients: Coefficients::new(tiles) }
    }

    /// Its first MCU, as a segment of its own.
    pub(crate) fn opening(&self, frame: &Frame) -> Self {
        let mut parts = self.parts;
        let mut tiles = 0;
        for (part, component) in parts.iter_mut().zip(&frame.components) {
            *part = Part { first: tiles, tiles: 1, blocks_wide: component.h.min(part.blocks_wide), ..*part };
            tiles += part.blocks_high;
        }
        let mut coefficients = Coefficients::new(tiles);
        for (from, to) in self.parts.iter().zip(&parts[..frame.components.len()]) {
            for row in 0..to.blocks_high {
                let place = from.first + row * from.tiles;
                copy_tile(&self.coefficients, place, &mut coefficients, to.first + row);
            }
        }
        Self { mcus: 1, parts, coefficients }
    }

    /// DC of the last block of each of so many components.
    pub(crate) fn predictions(&self, components: usize) -> Vec<i32> {
        self.parts[..components].iter().map(|&part| last_dc(&self.coefficients, part)).collect()
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
        let Segment { mcus, parts, coefficients } = segment;
        *mcus = SEGMENT.min(frame.mcus_wide() - mcu);
        for ((part, component), plane) in parts.iter_mut().zip(&frame.components).zip(band.planes()) {
            let (h, v) = (component.h, component.v);
            part.left = mcu * h / LANES;
            part.blocks_high = v.min(component.blocks_high - index * v);
            part.blocks_wide = (SEGMENT * h).min(component.blocks_wide.saturating_sub(mcu * h));
            if let Some(trellis) = &mut self.trellis {
                trellis.blocks(plane, *part, component.table, coefficients);
                continue;
            }
            let by = &self.transforms[usize::from(component.table)];
            T::transform(by, plane, *part, &mut self.scratch, coefficients);
        }
    }
}
