//! The plan of a lossless file.

use alloc::vec;
use alloc::vec::Vec;

use crate::error::Error;
use crate::format::frame::{Frame, MAX_COMPONENTS};
use crate::format::marker::{self, FrameKind};
use crate::format::restart::Restart;
use crate::input::color::ColorSpace;
use crate::input::image::Shape;
use crate::input::pixels::Pixels;
use crate::kernels::tables::{HuffmanSpecification, default_differences};
use crate::settings::{Predictor, Sampling, Settings};
use crate::threads::Threads;
use crate::transform::mcu_row::Conversion;

/// A frame of the lossless process, and how its scan is coded.
pub(crate) struct LosslessPlan {
    pub(crate) frame: Frame,
    pub(crate) headers: Vec<u8>,
    pub(super) conversion: Conversion,
    pub(super) predictor: Predictor,
    pub(super) point_transform: u8,
    pub(super) optimized: bool,
    /// Ri.
    pub(super) interval: u16,
    pub(super) threads: Threads,
}

impl LosslessPlan {
    /// The plan for images of a shape.
    ///
    /// # Errors
    ///
    /// All that the settings and the shape can be at fault with.
    pub(crate) fn new(
        settings: &Settings,
        predictor: Predictor,
        point_transform: u8,
        shape: Shape,
    ) -> Result<Self, Error> {
        if shape.subsampling.is_some() {
            return Err(Error::Sampling);
        }
        if settings.arithmetic {
            return Err(Error::Arithmetic);
        }
        let Shape { width, height, bits, pixels, .. } = shape;
        if point_transform >= bits {
            return Err(Error::PointTransform { point_transform, bits });
        }
        let own = match ColorSpace::of(pixels) {
            // Luminance and chrominance would be rounded.
            ColorSpace::YCbCr if pixels != Pixels::YCbCr => ColorSpace::Rgb,
            own => own,
        };
        let space = settings.space.unwrap_or(own);
        let conversion = Conversion::new(pixels, space)?;
        let factors = vec![[1, 1]; space.identifiers().len()];
        if matches!(&settings.sampling, Sampling::Factors(given) if *given != factors) {
            return Err(Error::Sampling);
        }
        let frame = Frame::new([width, height], bits, space, &factors)?;
        let interval = interval(settings.restart, frame.width)?;
        let headers = marker::headers(&frame, FrameKind::Lossless, &[], &settings.metadata)?;
        let optimized = settings.optimized.unwrap_or(true);
        let threads = settings.threads.clone();
        Ok(Self { frame, headers, conversion, predictor, point_transform, optimized, interval, threads })
    }

    /// Samples in a line of the scan.
    pub(super) fn line_length(&self) -> usize {
        self.frame.components.len() * self.frame.width
    }

    /// The tables of an image that is not known yet.
    pub(super) fn default_tables(&self) -> [HuffmanSpecification; 2] {
        [(); 2].map(|()| default_differences(self.frame.bits))
    }

    /// Td of each component.
    pub(super) fn destinations(&self) -> [usize; MAX_COMPONENTS] {
        core::array::from_fn(|c| self.frame.components.get(c).map_or(0, |component| component.table.into()))
    }

    /// Everything between the frame header and the coded data.
    pub(super) fn scan_header(&self, tables: &[HuffmanSpecification; 2]) -> Vec<u8> {
        let mut header = Vec::new();
        let used = if self.destinations().contains(&1) { 2 } else { 1 };
        for (destination, table) in (0..).zip(&tables[..used]) {
            marker::huffman_table(&mut header, 0, destination, table);
        }
        if self.interval > 0 {
            marker::restart_interval(&mut header, self.interval);
        }
        marker::start_of_lossless_scan(&mut header, &self.frame, self.predictor as u8, self.point_transform);
        header
    }
}

/// Ri of a scan of so many pixels in a row: whole rows (H.1.1).
fn interval(restart: Restart, row: usize) -> Result<u16, Error> {
    match restart {
        Restart::Mcus(interval) if usize::from(interval) % row != 0 => Err(Error::Restart { interval, row }),
        Restart::Rows(rows) => {
            let most = usize::from(u16::MAX) / row;
            Ok((usize::from(rows).min(most) * row) as u16)
        }
        other => Ok(other.interval(row)),
    }
}
