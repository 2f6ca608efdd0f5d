//! Encoder settings.

use alloc::vec::Vec;

use crate::error::Error;
use crate::format::metadata::{Density, Metadata};
use crate::format::restart::Restart;
use crate::format::script::ScanSpec;
use crate::input::color::{ColorSpace, Subsampling};
use crate::threads::Threads;

/// The settings of an [`Encoder`](crate::Encoder).
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a choice by itself")]
pub(crate) struct Settings {
    pub(crate) quality: u8,
    pub(crate) sampling: Sampling,
    pub(crate) libjpeg_compatible: bool,
    pub(crate) baseline: bool,
    /// `None` is the default of the process.
    pub(crate) optimized: Option<bool>,
    pub(crate) arithmetic: bool,
    pub(crate) trellis: bool,
    pub(crate) process: Process,
    pub(crate) restart: Restart,
    pub(crate) space: Option<ColorSpace>,
    pub(crate) tables: Option<[[u16; 64]; 2]>,
    pub(crate) metadata: Metadata,
    pub(crate) threads: Threads,
}

impl Settings {
    /// Default quality.
    pub(crate) const DEFAULT_QUALITY: u8 = 90;

    pub(crate) const fn new() -> Self {
        let metadata = Metadata {
            density: Density::Aspect(1, 1),
            exif: None,
            xmp: None,
            icc: None,
            application: Vec::new(),
            comments: Vec::new(),
        };
        Self {
            quality: Self::DEFAULT_QUALITY,
            sampling: Sampling::Ratio(Subsampling::S420),
            libjpeg_compatible: false,
            baseline: false,
            optimized: None,
            arithmetic: false,
            trellis: false,
            process: Process::Sequential,
            restart: Restart::Never,
            space: None,
            tables: None,
            metadata,
            threads: Threads::ONE,
        }
    }

    /// Checks that the quality has an effect.
    pub(crate) fn has_quality(&self) -> Result<(), Error> {
        let lossless = matches!(self.process, Process::Lossless { .. });
        if self.tables.is_some() || lossless { Err(Error::NoQuality) } else { Ok(()) }
    }
}

/// Sampling factors of the components.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Sampling {
    Ratio(Subsampling),
    Factors(Vec<[u8; 2]>),
}

/// Coding process (T.81 4.11).
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Process {
    /// Sequential: baseline (SOF0), or extended (SOF1) for 12-bit samples and for quantization tables with elements
    /// above 255.
    #[default]
    Sequential,
    /// Progressive (SOF2), with the default scan script of libjpeg: a viewer can show a coarse image before all of the
    /// file has arrived, and the file is smaller. The encoder buffers the coefficients of the whole image.
    Progressive,
    /// Custom scan script: progressive (SOF2), or sequential if every scan has whole coefficients (0 to 63, all bits).
    /// A script that violates T.81 is an error when an image is encoded.
    Scans(Vec<ScanSpec>),
    /// Lossless (SOF3, Annex H), for samples of 2 to 16 bits. A `point_transform` above 0 drops that many low bits,
    /// which decode as 0.
    ///
    /// Colors are not converted (RGB is written as RGB), unless [`Encoder::color_space`](crate::Encoder::color_space)
    /// requests a conversion, which rounds. Components are not subsampled, whatever
    /// [`Encoder::subsampling`](crate::Encoder::subsampling) is; quality and quantization tables have no effect.
    /// Huffman tables are optimized unless
    /// [`Encoder::optimized`](crate::Encoder::optimized) is `false`. [`Restart::Mcus`] must be a multiple of whole
    /// pixel rows.
    ///
    /// A point transform that leaves no bits, or a sample that exceeds the bit depth of the image, is an error when an
    /// image is encoded.
    ///
    /// ```
    /// use shim_jpeg::{Encoder, Image, Pixels, Predictor, Process};
    ///
    /// let depths = vec![5_000; 32 * 16];
    /// let image = Image::interleaved16(&depths, 16, Pixels::Gray, 32, 16, 32)?;
    /// let lossless = Process::Lossless { predictor: Predictor::Average, point_transform: 0 };
    /// let file = Encoder::new().process(lossless).encode(&image)?;
    /// assert!(file.len() < 200);
    /// # Ok::<(), shim_jpeg::Error>(())
    /// ```
    Lossless {
        /// Predictor of samples.
        predictor: Predictor,
        /// Pt: the number of low bits to drop, less than the sample precision.
        point_transform: u8,
    },
}

impl Process {
    /// The lossless process without a point transform.
    pub const fn lossless(predictor: Predictor) -> Self {
        Self::Lossless { predictor, point_transform: 0 }
    }
}

/// Predictor of the lossless process (T.81 Table H.1), from the samples to the left (Ra), above (Rb) and above left
/// (Rc). Values are the selection values of the standard.
///
/// ```
/// use shim_jpeg::Predictor;
///
/// assert_eq!(Predictor::try_from(7)?, Predictor::Average);
/// assert!(Predictor::try_from(8).is_err());
/// # Ok::<(), shim_jpeg::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Predictor {
    /// Ra.
    #[default]
    Left = 1,
    /// Rb.
    Above = 2,
    /// Rc.
    AboveLeft = 3,
    /// Ra + Rb - Rc.
    Plane = 4,
    /// Ra + (Rb - Rc) / 2.
    LeftPlane = 5,
    /// Rb + (Ra - Rc) / 2.
    AbovePlane = 6,
    /// (Ra + Rb) / 2, which mostly makes the smallest files of photographs.
    Average = 7,
}

impl TryFrom<u8> for Predictor {
    type Error = Error;

    fn try_from(number: u8) -> Result<Self, Error> {
        let all = [
            Self::Left,
            Self::Above,
            Self::AboveLeft,
            Self::Plane,
            Self::LeftPlane,
            Self::AbovePlane,
            Self::Average,
        ];
        all.into_iter().find(|&p| p as u8 == number).ok_or(Error::Predictor(number))
    }
}
