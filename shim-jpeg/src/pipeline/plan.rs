//! The plan of an encoding, made before its first byte.

use alloc::vec;
use alloc::vec::Vec;

use crate::Error;
use crate::format::frame::Frame;
use crate::format::marker::{self, FrameKind};
use crate::format::quality::{BASELINE, EXTENDED, Quality, QuantizationTable};
use crate::format::restart::Restart;
use crate::format::script::{self, ScanSpec};
use crate::input::color::ColorSpace;
use crate::input::image::Shape;
use crate::settings::{Process, Sampling, Settings};
use crate::threads::Threads;
use crate::transform::mcu_row::Conversion;

/// The most blocks of an MCU (T.81 B.2.3).
pub(crate) const MAX_BLOCKS: usize = 10;

/// A frame and its scans.
#[expect(clippy::struct_excessive_bools, reason = "each is a choice by itself")]
pub(crate) struct Plan {
    pub(crate) frame: Frame,
    pub(crate) conversion: Conversion,
    pub(crate) tables: [QuantizationTable; 2],
    pub(crate) libjpeg_compatible: bool,
    pub(crate) optimized: bool,
    /// Whether scans are coded arithmetically, without Huffman tables.
    pub(crate) arithmetic: bool,
    pub(crate) trellis: bool,
    /// Whether scans are searched for that fit the image, in the place of those here.
    pub(crate) search: bool,
    pub(crate) restart: Restart,
    pub(crate) scans: Vec<ScanSpec>,
    pub(crate) headers: Vec<u8>,
    pub(crate) threads: Threads,
    /// Whether samples are bytes.
    pub(crate) bytes: bool,
}

impl Plan {
    /// The plan for images of a shape.
    ///
    /// # Errors
    ///
    /// All that the settings and the image can be at fault with.
    pub(crate) fn new(settings: &Settings, shape: Shape) -> Result<Self, Error> {
        let Shape { width, height, pixels, bits, .. } = shape;
        if bits != 8 && bits != 12 {
            return Err(Error::Bits(bits));
        }
        let space = settings.space.unwrap_or(ColorSpace::of(pixels));
        let factors = factors(settings, space);
        let conversion = match shape.subsampling {
            None => Conversion::new(pixels, space)?,
            Some(_) if space != ColorSpace::YCbCr => return Err(Error::Color { pixels, space }),
            Some(own) if factors != [own.luminance(), [1, 1], [1, 1]] => return Err(Error::Sampling),
            Some(_) => Conversion::Planes,
        };
        let frame = Frame::new([width, height], bits, space, &factors)?;
        let tables = tables(settings, &frame)?;
        let all: Vec<u8> = (0..frame.components.len() as u8).collect();
        let scans = match &settings.process {
            Process::Sequential if frame.blocks_per_mcu() <= MAX_BLOCKS => vec![ScanSpec::whole(all)],
            // The lossless process has a plan of its own.
            Process::Sequential | Process::Lossless { .. } => {
                all.into_iter().map(|c| ScanSpec::whole(vec![c])).collect()
            }
            Process::Progressive => script::default_script(space),
            Process::Scans(scans) => scans.clone(),
        };
        let progressive = !scans.iter().all(ScanSpec::is_whole);
        if settings.process != Process::Sequential {
            let blocks = frame.components.iter().map(|c| c.h * c.v).collect::<Vec<_>>();
            let validate = if progressive { script::validate } else { script::validate_sequential };
            validate(&scans, &blocks)?;
        }
        // Baseline tables have elements of 8 bits.
        let used = if frame.components.iter().any(|c| c.table == 1) { 2 } else { 1 };
        let wide = tables[..used].iter().flatten().any(|&q| q > BASELINE);
        let kind = match (progressive, settings.arithmetic, bits) {
            (true, true, _) => FrameKind::ProgressiveArithmetic,
            (true, false, _) => FrameKind::Progressive,
            (false, true, _) => FrameKind::ExtendedArithmetic,
            (false, false, 8) if !wide => FrameKind::Baseline,
            (false, false, _) => FrameKind::Extended,
        };
        let headers = marker::headers(&frame, kind, &tables, &settings.metadata)?;
        Ok(Self {
            frame,
            conversion,
            tables,
            libjpeg_compatible: settings.libjpeg_compatible,
            // The standard tables lack values of progressive scans, and those of more than 8 bits.
            optimized: settings.optimized.unwrap_or(false) || progressive || bits > 8,
            arithmetic: settings.arithmetic,
            trellis: settings.trellis,
            search: settings.trellis && settings.process == Process::Progressive && !settings.arithmetic,
            restart: settings.restart,
            scans,
            headers,
            threads: settings.threads.clone(),
            bytes: shape.bytes,
        })
    }

    /// Number of passes over the image or its coefficients.
    pub(crate) fn passes(&self) -> usize {
        if self.optimized { 1 + self.scans.len() } else { self.scans.len() }
    }
}

/// The tables that the encoder was given or its quality gives.
fn tables(settings: &Settings, frame: &Frame) -> Result<[QuantizationTable; 2], Error> {
    let Some(tables) = settings.tables else {
        let quality = Quality::new(settings.quality)?;
        let dense = frame.components.iter().any(|c| c.table == 1 && (c.h, c.v) == (frame.h_max, frame.v_max));
        let most = if settings.libjpeg_compatible && !settings.baseline { EXTENDED } else { BASELINE };
        return Ok(if settings.trellis { quality.even_tables(dense) } else { quality.tables(most) });
    };
    let most = match (frame.bits, settings.libjpeg_compatible && !settings.baseline) {
        (8, false) => BASELINE,
        (8, true) => EXTENDED,
        _ => u16::MAX,
    };
    match tables.iter().flatten().find(|q| !(1..=most).contains(q)) {
        Some(&q) => Err(Error::QuantizationTable(q)),
        None => Ok(tables),
    }
}

/// The factors of each component.
fn factors(settings: &Settings, space: ColorSpace) -> Vec<[u8; 2]> {
    match &settings.sampling {
        Sampling::Factors(factors) => factors.clone(),
        Sampling::Ratio(subsampling) => {
            let any = space.has_chrominance();
            let own = |c| if any && !space.is_chrominance(c) { subsampling.luminance() } else { [1, 1] };
            (0..space.identifiers().len()).map(own).collect()
        }
    }
}
