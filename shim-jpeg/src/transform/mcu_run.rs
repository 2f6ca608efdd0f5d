//! The MCUs that are transformed together, and their coefficients.

use alloc::boxed::Box;

use crate::format::frame::{Frame, MAX_COMPONENTS, RUN};
use crate::format::quality::QuantizationTable;
use crate::kernels::mcu::Columns;
use crate::kernels::partial::copy_first_mcu;
use crate::kernels::tile::{Blocks, Coefficients, LANES};
use crate::transform::mcu_row::McuRow;
use crate::transform::sample::Sample;
use crate::transform::trellis::Trellis;

/// Quantized coefficients of consecutive MCUs.
#[derive(Clone, Debug)]
pub(crate) struct McuRun {
    /// Number of MCUs.
    pub(crate) mcus: usize,
    /// Their columns in the image.
    pub(crate) columns: Columns,
    /// The blocks of each component.
    pub(crate) blocks: [Blocks; MAX_COMPONENTS],
    pub(crate) coefficients: Coefficients,
}

impl McuRun {
    /// Memory for a run of up to `mcus` MCUs of a frame.
    pub(crate) fn new(frame: &Frame, mcus: usize) -> Self {
        let mcus = mcus.min(RUN);
        let (mut rows, mut tiles) = ([0; MAX_COMPONENTS], [0; MAX_COMPONENTS]);
        for (c, component) in frame.components.iter().enumerate() {
            (rows[c], tiles[c]) = (component.v, (mcus * component.h).div_ceil(LANES));
        }
        let blocks = core::array::from_fn(|component| Blocks { component, ..Blocks::default() });
        Self { mcus: 0, columns: Columns::default(), blocks, coefficients: Coefficients::new(rows, tiles) }
    }

    /// Its first MCU, as a run of its own.
    pub(crate) fn first_mcu(&self) -> Self {
        let mut coefficients = Coefficients::new(self.blocks.map(|own| own.high), [1; MAX_COMPONENTS]);
        copy_first_mcu(&self.coefficients, &mut coefficients);
        Self { mcus: 1, coefficients, ..*self }
    }
}

/// The MCU rows of a frame.
#[derive(Clone, Copy)]
pub(crate) struct StoredRows<'r> {
    runs: &'r [McuRun],
    /// Runs of MCUs in a row.
    each: usize,
}

impl<'r> StoredRows<'r> {
    /// The rows of a frame, whose runs are `runs`.
    pub(crate) fn new(frame: &Frame, runs: &'r [McuRun]) -> Self {
        Self { runs, each: frame.mcus_wide().div_ceil(RUN) }
    }

    /// The rows, from the first to the last.
    pub(crate) fn iter(self) -> impl ExactSizeIterator<Item = &'r [McuRun]> {
        self.runs.chunks(self.each)
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
    pub(crate) fn new(tables: &[QuantizationTable; 2], as_libjpeg: bool) -> Self {
        let transforms = tables.each_ref().map(|table| T::transform_for(table, as_libjpeg));
        Self { transforms, scratch: Box::default(), trellis: None }
    }

    /// The same with values chosen by a trellis, of samples of so many bits.
    pub(crate) fn with_trellis(tables: &[QuantizationTable; 2], bits: u8) -> Self {
        Self { trellis: Some(Trellis::new(tables, bits)), ..Self::new(tables, true) }
    }

    /// Transforms the MCUs of `row` from `mcu` on, the first row of which is row `index` of the frame.
    pub(crate) fn run(&mut self, frame: &Frame, row: &McuRow<T>, index: usize, mcu: usize, run: &mut McuRun) {
        let McuRun { mcus, columns, blocks, coefficients } = run;
        let (taken, wide) = (row.taken(), frame.mcus_wide());
        *mcus = RUN.min(taken * wide - mcu);
        *columns = Columns { before: mcu, wide };
        for ((own, component), plane) in blocks.iter_mut().zip(&frame.components).zip(row.planes()) {
            let (h, v) = (component.h, component.v);
            own.left = mcu * h / LANES;
            own.high = v.min(component.blocks_high - index * v);
            // Blocks that complete an MCU are not transformed, unless others follow them.
            own.wide =
                (RUN * h).min(((taken - 1) * wide * h + component.blocks_wide).saturating_sub(mcu * h));
            if let Some(trellis) = &mut self.trellis {
                trellis.blocks(plane, *own, component.table, coefficients);
                continue;
            }
            let by = &self.transforms[usize::from(component.table)];
            T::transform(by, plane, *own, &mut self.scratch, coefficients);
        }
    }
}
