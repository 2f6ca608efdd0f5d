//! The settings of an encoding.

use alloc::vec::Vec;

use crate::error::Error;
use crate::format::metadata::{Density, Metadata};
use crate::format::restart::Restart;
use crate::format::script::ScanSpec;
use crate::input::color::{ColorSpace, Subsampling};
use crate::pool::Threads;

/// The settings of an [`Encoder`](crate::Encoder).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Settings {
    pub(crate) quality: u8,
    pub(crate) sampling: Sampling,
    pub(crate) exact: bool,
    pub(crate) baseline: bool,
    /// Each process has its own habit.
    pub(crate) optimized: Option<bool>,
    pub(crate) trellis: bool,
    pub(crate) process: Process,
    pub(crate) restart: Restart,
    pub(crate) space: Option<ColorSpace>,
    pub(crate) tables: Option<[[u16; 64]; 2]>,
    pub(crate) metadata: Metadata,
    pub(crate) threads: Threads,
}

impl Settings {
    /// The quality where nothing is said.
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
            sampling: Sampling::Usual(Subsampling::S420),
            exact: false,
            baseline: false,
            optimized: None,
            trellis: false,
            process: Process::Sequential,
            restart: Restart::Never,
            space: None,
            tables: None,
            metadata,
            threads: Threads::ONE,
        }
    }
}

/// The factors of the components.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Sampling {
    Usual(Subsampling),
    Factors(Vec<[u8; 2]>),
}

/// The process by which an image is coded (T.81 4.11).
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Process {
    /// Sequential: baseline (SOF0), or extended (SOF1) for samples of 12 bits and for quantization tables with elements above 255.
    #[default]
    Sequential,
    /// Progressive (SOF2), by the scans that libjpeg takes: a viewer can show the image coarsely before all of it has arrived, and the
    /// file is smaller. The image is kept in memory as coefficients.
    Progressive,
    /// By these scans: progressive (SOF2), or sequential if all of them are of whole coefficients (0 to 63, all bits). Scans that
    /// break the rules of T.81 are an error when an image is encoded.
    Scans(Vec<ScanSpec>),
    /// Lossless (SOF3, Annex H): decoded, the file is the image itself, of any number of bits, or with a `point_transform` above 0
    /// the image without so many of the lowest bits, which become 0.
    ///
    /// Colors are written as they are, RGB as RGB, unless [`Encoder::color_space`](crate::Encoder::color_space) asks for a conversion, which rounds. Components
    /// have full density, whatever [`Encoder::subsampling`](crate::Encoder::subsampling) says; quality and quantization tables have no meaning. Huffman tables
    /// fit the image unless [`Encoder::optimized`](crate::Encoder::optimized) says otherwise. [`Restart::Mcus`] must be whole rows of pixels.
    ///
    /// A point transform that leaves no bit, and a sample of more bits than the image is said to have, are an error when an
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
        /// By what a sample is predicted.
        predictor: Predictor,
        /// Pt: how many of the lowest bits are left out, fewer than a sample has.
        point_transform: u8,
    },
}

impl Process {
    /// The lossless process without a point transform: decoded, the file is the image itself.
    pub const fn lossless(predictor: Predictor) -> Self {
        Self::Lossless { predictor, point_transform: 0 }
    }
}

/// By what a sample is predicted in the lossless process (T.81 Table H.1): its neighbors to the left (Ra), above (Rb), and
/// above to the left (Rc). The numbers are those of the standard.
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
    /// (Ra + Rb) / 2, on photographs mostly the one of the smallest file.
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
