//! What an encoding will do, found out before its first byte, and the order in which it does it.

use crate::band::{Band, Conversion};
use crate::direct::{DirectScan, Sink};
use crate::encoder::{Encoder, Sampling, Scans};
use crate::frame::{ColourSpace, Frame, SEGMENT};
use crate::marker::{self, END_OF_IMAGE, Process};
use crate::quality::{Quality, QuantisationTable};
use crate::restart::Restart;
use crate::sample::Sample;
use crate::script::{self, ScanSpec};
use crate::segment::{Segment, Transformer};
use crate::symbolic::SymbolicScan;
use crate::{Error, Image};

/// The most blocks of an MCU (T.81 B.2.3).
const MAX_BLOCKS: usize = 10;

/// A frame and its scans.
pub(crate) struct Plan {
    frame: Frame,
    conversion: Conversion,
    tables: [QuantisationTable; 2],
    exact: bool,
    optimised: bool,
    restart: Restart,
    scans: Vec<ScanSpec>,
    headers: Vec<u8>,
}

impl Plan {
    /// The plan for an image.
    ///
    /// # Errors
    ///
    /// All that the settings and the image can be at fault with.
    pub(crate) fn new(encoder: &Encoder, image: &Image<'_>) -> Result<Self, Error> {
        let (bits, pixels) = (image.bits(), image.pixels());
        if bits != 8 && bits != 12 {
            return Err(Error::Bits(bits));
        }
        let space = encoder.space.unwrap_or(ColourSpace::of(pixels));
        let conversion = Conversion::new(pixels, space)?;
        let tables = tables(encoder, bits)?;
        let frame = Frame::new([image.width(), image.height()], bits, space, &factors(encoder, space))?;
        let all: Vec<u8> = (0..frame.components.len() as u8).collect();
        let scans = match &encoder.scans {
            Scans::Sequential if frame.blocks_per_mcu() <= MAX_BLOCKS => vec![ScanSpec::whole(all)],
            Scans::Sequential => all.into_iter().map(|c| ScanSpec::whole(vec![c])).collect(),
            Scans::Progressive => script::usual(space),
            Scans::Script(scans) => scans.clone(),
        };
        let progressive = encoder.scans != Scans::Sequential;
        if progressive {
            let blocks = frame.components.iter().map(|c| c.h * c.v).collect::<Vec<_>>();
            script::validate(&scans, &blocks)?;
        }
        let process = match (progressive, bits) {
            (true, _) => Process::Progressive,
            (false, 8) => Process::Baseline,
            (false, _) => Process::Extended,
        };
        let headers = marker::headers(&frame, process, &tables, &encoder.metadata)?;
        Ok(Self {
            frame,
            conversion,
            tables,
            exact: encoder.exact,
            // The typical tables lack values of progressive scans, and those of more than 8 bits.
            optimised: encoder.optimised || progressive || bits > 8,
            restart: encoder.restart,
            scans,
            headers,
        })
    }

    /// Encodes the image that the plan was made for.
    pub(crate) fn encode(
        &self,
        image: &Image<'_>,
        sink: &mut Sink<'_>,
        progress: &mut dyn FnMut(usize, usize),
    ) -> Result<(), Error> {
        if image.is_bytes() {
            self.encode_samples::<u8>(image, sink, progress)
        } else {
            self.encode_samples::<u16>(image, sink, progress)
        }
    }

    fn encode_samples<T: Sample>(
        &self,
        image: &Image<'_>,
        sink: &mut Sink<'_>,
        progress: &mut dyn FnMut(usize, usize),
    ) -> Result<(), Error> {
        sink(&self.headers)?;
        let rows = Rows::<T>::new(self, image);
        match &self.scans[..] {
            [_] if !self.optimised => self.direct(rows, sink, progress)?,
            [scan] => self.optimised(rows, scan, sink, progress)?,
            scans => self.stored(rows, scans, sink, progress)?,
        }
        sink(&END_OF_IMAGE)
    }

    /// One scan, coded as the image is read.
    fn direct<T: Sample>(
        &self,
        mut rows: Rows<'_, T>,
        sink: &mut Sink<'_>,
        progress: &mut dyn FnMut(usize, usize),
    ) -> Result<(), Error> {
        let frame = &self.frame;
        let interval = self.restart.interval(frame.mcus_wide());
        let mut header = Vec::new();
        marker::typical_tables(&mut header, frame);
        if interval > 0 {
            marker::restart_interval(&mut header, interval);
        }
        marker::start_of_scan(&mut header, frame, &self.scans[0]);
        sink(&header)?;
        let mut scan = DirectScan::new(frame, interval);
        let mut segment = Segment::new(frame);
        for index in 0..frame.mcus_high() {
            rows.fill(index);
            for mcu in (0..frame.mcus_wide()).step_by(SEGMENT) {
                rows.segment(index, mcu, &mut segment);
                scan.code(&segment, sink)?;
            }
            scan.end_row(sink)?;
            progress(self.done(index + 1), frame.height);
        }
        scan.end(sink)
    }

    /// One scan, whose symbols are kept.
    fn optimised<T: Sample>(
        &self,
        mut rows: Rows<'_, T>,
        scan: &ScanSpec,
        sink: &mut Sink<'_>,
        progress: &mut dyn FnMut(usize, usize),
    ) -> Result<(), Error> {
        let frame = &self.frame;
        let mut scan = SymbolicScan::new(frame, scan, self.restart);
        let mut segment = [Segment::new(frame)];
        for index in 0..frame.mcus_high() {
            rows.fill(index);
            for mcu in (0..frame.mcus_wide()).step_by(SEGMENT) {
                rows.segment(index, mcu, &mut segment[0]);
                scan.row(&segment);
            }
            progress(self.done(index + 1) / 2, frame.height);
        }
        scan.write(self.optimised, &mut 0, sink)?;
        progress(frame.height, frame.height);
        Ok(())
    }

    /// Several scans of coefficients that are kept.
    fn stored<T: Sample>(
        &self,
        mut rows: Rows<'_, T>,
        scans: &[ScanSpec],
        sink: &mut Sink<'_>,
        progress: &mut dyn FnMut(usize, usize),
    ) -> Result<(), Error> {
        let frame = &self.frame;
        let parts = scans.len() + 1;
        let mut image = Vec::with_capacity(frame.mcus_high());
        for index in 0..frame.mcus_high() {
            rows.fill(index);
            let segments = (0..frame.mcus_wide()).step_by(SEGMENT).map(|mcu| {
                let mut segment = Segment::new(frame);
                rows.segment(index, mcu, &mut segment);
                segment
            });
            image.push(segments.collect::<Vec<_>>());
            progress(self.done(index + 1) / parts, frame.height);
        }
        let mut interval = 0;
        for (index, spec) in scans.iter().enumerate() {
            let mut scan = SymbolicScan::new(frame, spec, self.restart);
            for row in &image {
                scan.row(row);
            }
            scan.write(self.optimised, &mut interval, sink)?;
            progress(frame.height * (index + 2) / parts, frame.height);
        }
        Ok(())
    }

    /// Rows of pixels in so many rows of MCUs.
    fn done(&self, rows: usize) -> usize {
        self.frame.height.min(rows * self.frame.mcu_height())
    }
}

/// The rows of MCUs of an image, one after the other.
struct Rows<'a, T: Sample> {
    frame: &'a Frame,
    image: &'a Image<'a>,
    transformer: Transformer<T>,
    band: Band<T>,
}

impl<'a, T: Sample> Rows<'a, T> {
    fn new(plan: &'a Plan, image: &'a Image<'a>) -> Self {
        let transformer = Transformer::new(&plan.tables, plan.exact);
        let band = Band::new(&plan.frame, plan.conversion, !transformer.is_fast());
        Self { frame: &plan.frame, image, transformer, band }
    }

    /// Takes row `index` from the image.
    fn fill(&mut self, index: usize) {
        self.band.fill(self.image, 0, index);
    }

    /// Transforms the MCUs from `mcu` on of that row.
    fn segment(&mut self, index: usize, mcu: usize, segment: &mut Segment) {
        self.transformer.segment(self.frame, &self.band, index, mcu, segment);
    }
}

/// The tables that the encoder was given or its quality gives.
fn tables(encoder: &Encoder, bits: u8) -> Result<[QuantisationTable; 2], Error> {
    let Some(tables) = encoder.tables else { return Ok(Quality::new(encoder.quality)?.tables()) };
    let most = if bits == 8 { 255 } else { u16::MAX };
    match tables.iter().flatten().find(|q| !(1..=most).contains(q)) {
        Some(&q) => Err(Error::QuantisationTable(q)),
        None => Ok(tables),
    }
}

/// The factors of each component.
fn factors(encoder: &Encoder, space: ColourSpace) -> Vec<[u8; 2]> {
    match &encoder.sampling {
        Sampling::Factors(factors) => factors.clone(),
        Sampling::Usual(subsampling) => {
            let any = space.has_chrominance();
            let own = |c| if any && !space.is_chrominance(c) { subsampling.luminance() } else { [1, 1] };
            (0..space.identifiers().len()).map(own).collect()
        }
    }
}
