//! The parameters of trellis quantization for a file.

use alloc::boxed::Box;

use crate::format::quality::QuantizationTable;
use crate::kernels::planes::Plane;
use crate::kernels::spectra::{Inverses, Spectra};
use crate::kernels::tables::{CHROMINANCE_AC, LUMINANCE_AC};
use crate::kernels::tile::{Blocks, Coefficients};
use crate::kernels::transform::WideScratch;
use crate::kernels::trellis::{Costs, trellis};
use crate::kernels::zigzag::zigzag_table;
use crate::transform::sample::Sample;

/// What an error of Q counts in bits where Q is the mean of those of the low frequencies, in luminance and in
/// chrominance.
///
/// Found by trial for the least size at the same PSNR of RGB pixels, to which a sample of chrominance at half the
/// resolution contributes more than one of luminance.
const WEIGHTS: [f32; 2] = [10.0, 15.0];

/// Number of AC coefficients of low frequencies.
const LOW: u8 = 19;

/// The bits of a value that has no code.
const NO_CODE: f32 = 18.0;

/// The trellis of a file's two quantization tables.
pub(crate) struct Trellis {
    inverses: [Inverses; 2],
    costs: [Costs; 2],
    scratch: Box<WideScratch>,
    spectra: Spectra,
}

impl Trellis {
    /// The trellis for tables, of samples of so many bits.
    ///
    /// Symbols cost the same as with the standard codes. Costs by the symbols of the image itself make files smaller by
    /// 0.1 to 0.5 %, but the image would have to be known before its first row is coded.
    pub(crate) fn new(tables: &[QuantizationTable; 2], bits: u8) -> Self {
        // Ten bits in baseline, and four more for samples of 12 bits (F.1.2.2.1).
        let most = if bits == 8 { 1023 } else { 16_383 };
        let costs = |c: usize| {
            let codes = [&LUMINANCE_AC, &CHROMINANCE_AC][c].codes();
            let lengths = codes.ehufsi.map(|size| if size == 0 { NO_CODE } else { f32::from(size) });
            Costs::new(&lengths, &weights(&tables[c], WEIGHTS[c]), most)
        };
        Self {
            inverses: tables.each_ref().map(Inverses::new),
            costs: [costs(0), costs(1)],
            scratch: Box::default(),
            spectra: Spectra::default(),
        }
    }

    /// Transforms and quantizes blocks of a plane, by table 0 or 1.
    pub(crate) fn blocks<T: Sample>(
        &mut self,
        plane: &Plane<T>,
        blocks: Blocks,
        table: u8,
        out: &mut Coefficients,
    ) {
        self.spectra.lay_out_as(out);
        let table = usize::from(table);
        T::spectra(&self.inverses[table], plane, blocks, &mut self.scratch, &mut self.spectra);
        trellis(&self.spectra, &self.costs[table], blocks, out);
    }
}

/// What an error of Q counts in bits, for each coefficient in the zigzag sequence: half-way between errors of pixels,
/// which grow as the square of Q, and what the table says of their visibility, by which all errors of Q are equal.
fn weights(table: &QuantizationTable, low: f32) -> [f32; 64] {
    let mut zz = [0; 64];
    zigzag_table(table, &mut zz);
    let logarithms = zz[1..].iter().take(LOW.into()).map(|&q| libm::logf(f32::from(q))).sum::<f32>();
    let mean = libm::expf(logarithms / f32::from(LOW));
    zz.map(|q| low * f32::from(q) / mean)
}
