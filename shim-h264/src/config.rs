//! What a user chooses.

use crate::Error;
use crate::color::Color;
use crate::decide::Preset;
use crate::frame::positive;
use crate::level::{Demands, Level};
use crate::rate::{RateControl, Vbv};

/// Primaries, a transfer or a matrix that nothing is known of (Tables E-3 to E-5).
pub(crate) const UNSPECIFIED: u8 = 2;

/// How NAL units are told apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// A start code before each, and parameter sets before each IDR picture (Annex B): what files `.264` are.
    #[default]
    AnnexB,
    /// Its length before each, and parameter sets apart, in [`configuration_record`](crate::Encoder::configuration_record):
    /// what is in MP4 files.
    Avcc,
}

/// How edges between blocks are filtered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deblocking {
    /// Which edges are.
    pub edges: Edges,
    /// `slice_alpha_c0_offset_div2`, -6 to 6: more filters stronger.
    pub alpha: i8,
    /// `slice_beta_offset_div2`, -6 to 6: more filters more edges.
    pub beta: i8,
}

impl Default for Deblocking {
    fn default() -> Self {
        Self { edges: Edges::All, alpha: 0, beta: 0 }
    }
}

/// Which edges are filtered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edges {
    /// All of them.
    All,
    /// Those within slices.
    WithinSlices,
    /// None.
    None,
}

impl Edges {
    /// `disable_deblocking_filter_idc`.
    #[must_use]
    pub const fn idc(self) -> u8 {
        match self {
            Self::All => 0,
            Self::None => 1,
            Self::WithinSlices => 2,
        }
    }
}

/// What a stream is to be.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
#[expect(clippy::struct_excessive_bools, reason = "each is a setting of its own")]
pub struct Config {
    /// Samples of a row. Chroma of 4:2:0, and with it what a stream can show, has even sides: a frame of an odd width is padded by a
    /// column that repeats the last one, and [`reconstruction`](crate::Encoder::reconstruction) and decoders show it. To crop a
    /// column instead, configure the width less 1, and give frames of that width with the stride that they have.
    pub width: usize,
    /// Rows, to which the same applies.
    pub height: usize,
    /// Frames a second, over a denominator.
    pub frame_rate: (u32, u32),
    /// Whether the frame rate may change between frames ([`Encoder::set_frame_rate`](crate::Encoder::set_frame_rate)): the stream then
    /// does not promise that frames are equally far apart (`fixed_frame_rate_flag`). Not with a VBV, which needs that promise.
    pub variable_frame_rate: bool,
    /// How QP is chosen.
    pub rate: RateControl,
    /// Number of frames of the stream, if known: an average bit rate is then met at the end of a short stream too, not only in the long
    /// run. The stream may turn out shorter or longer.
    pub expected_frames: Option<u64>,
    /// The buffer that a decoder has, if it is not to run out. It is described in the stream, with when each picture leaves it
    /// (Annexes C and D); a picture that is too large for it is coded again at a higher QP, whatever `rate` is.
    pub vbv: Option<Vbv>,
    /// What QP of chroma is more, before Table 8-15: -12 to 12.
    pub chroma_qp_index_offset: i8,
    /// How much work decisions are worth.
    pub preset: Preset,
    /// Frames from one IDR picture to the next, at most: with 1 all are.
    pub keyint: u32,
    /// Whether a frame that has little to do with the one before is an IDR picture, too.
    pub scene_cut: bool,
    /// Frames from one IDR picture to such a one, at least; if none is given, a tenth of `keyint`, or those of a second if they
    /// are fewer.
    pub min_keyint: Option<u32>,
    /// `max_num_ref_frames`: pictures that a P slice can be predicted from, 1 to 16. [`Preset::references`] says how many are worth their
    /// time.
    pub references: u8,
    /// Whether Intra macroblocks are predicted from Intra macroblocks alone, so that what is lost of other pictures does not
    /// spread to them.
    pub constrained_intra_pred: bool,
    /// Slices of a frame, each of whole rows of macroblocks; more where [`max_slice_size`](Self::max_slice_size) divides them.
    pub slices: usize,
    /// Maximum size of a slice's NAL unit in bytes, with its header and emulation prevention, without the start code or length
    /// before it: what fits a packet of a network. At least [`MIN_SLICE_SIZE`](Self::MIN_SLICE_SIZE). A macroblock that alone exceeds
    /// it is coded at a higher QP. Parameter sets and SEI messages, which are small, are not bounded.
    pub max_slice_size: Option<usize>,
    /// Threads that work on a frame, with the one that asks: 1 if nothing is said, and with 0 as many as the pool that the caller
    /// runs in, which is one for each core if it runs in none. The stream is the same for any number. It is slices that
    /// are divided among them.
    #[cfg(feature = "rayon")]
    pub threads: usize,
    /// How edges are filtered.
    pub deblocking: Deblocking,
    /// Ten times the number of the level, and 9 for 1b; the lowest that fits if none is given.
    pub level: Option<u8>,
    /// What luma and chroma mean, if the stream is to say it. [`Conversion`](crate::Conversion) makes them so; frames that come as luma
    /// and chroma stay what they are.
    pub color: Option<Color>,
    /// `video_full_range_flag`, where `color` does not say it: whether samples use all values, or luma those from 16 to 235 and
    /// chroma those from 16 to 240. If nothing is said of either, decoders assume the latter.
    pub full_range: Option<bool>,
    /// `colour_primaries` (Table E-3); 2, which is unspecified, by default.
    pub primaries: u8,
    /// `transfer_characteristics` (Table E-4); 2, which is unspecified, by default.
    pub transfer: u8,
    /// Sample aspect ratio: width over height of a sample, if the stream is to give it.
    #[doc(alias = "SAR")]
    pub sample_aspect_ratio: Option<(u16, u16)>,
    /// How NAL units are told apart.
    pub format: Format,
    /// Whether an access unit delimiter is put before each frame.
    pub access_unit_delimiters: bool,
}

impl Config {
    /// The least [`max_slice_size`](Self::max_slice_size), in bytes: any slice header and a macroblock without levels fit.
    pub const MIN_SLICE_SIZE: usize = 64;

    /// A stream of frames of this size, and defaults for all else: 30 frames a second, constant quality (CRF) 23, a keyframe in 250
    /// frames and at scene cuts and P pictures between, preset `medium`, one reference picture, one slice.
    #[must_use]
    pub fn new(width: usize, height: usize) -> Self {
        Self {
            width,
            height,
            frame_rate: (30, 1),
            variable_frame_rate: false,
            rate: RateControl::ConstantQuality(23.0),
            expected_frames: None,
            vbv: None,
            preset: Preset::default(),
            chroma_qp_index_offset: 0,
            keyint: 250,
            scene_cut: true,
            min_keyint: None,
            references: 1,
            constrained_intra_pred: false,
            slices: 1,
            max_slice_size: None,
            #[cfg(feature = "rayon")]
            threads: 1,
            deblocking: Deblocking::default(),
            level: None,
            color: None,
            full_range: None,
            primaries: UNSPECIFIED,
            transfer: UNSPECIFIED,
            sample_aspect_ratio: None,
            format: Format::default(),
            access_unit_delimiters: false,
        }
    }

    /// Width and height as decoders show them.
    pub(crate) const fn shown_size(&self) -> [usize; 2] {
        [self.width.next_multiple_of(2), self.height.next_multiple_of(2)]
    }

    /// Rows and columns of macroblocks.
    pub(crate) const fn mbs(&self) -> [usize; 2] {
        [self.height.div_ceil(16), self.width.div_ceil(16)]
    }

    /// The level, if all settings but those of the rate are valid; [`rate::check`](crate::rate::check) checks these as well.
    pub(crate) fn check(&self) -> Result<Level, Error> {
        let Self { width, height, frame_rate, slices, references, .. } = *self;
        positive(width, height)?;
        if frame_rate.0 == 0 || frame_rate.1 == 0 || frame_rate.0 > u32::MAX / 2 {
            return Err(Error::FrameRate(frame_rate.0, frame_rate.1));
        }
        if self.variable_frame_rate && self.vbv.is_some() {
            return Err(Error::VariableFrameRate);
        }
        if self.keyint == 0 {
            return Err(Error::Keyint);
        }
        if let Some((width, height)) = self.sample_aspect_ratio.filter(|&(w, h)| w == 0 || h == 0) {
            return Err(Error::SampleAspectRatio(width, height));
        }
        if let Some(given) = self.min_keyint.filter(|&given| given == 0 || given > self.keyint) {
            return Err(Error::MinKeyint { given, keyint: self.keyint });
        }
        if references == 0 || references > 16 {
            return Err(Error::References(references));
        }
        let offset = |name, value: i8, most: i8| {
            let within = (-most..=most).contains(&value);
            if within { Ok(()) } else { Err(Error::Offset { name, value, least: -most, greatest: most }) }
        };
        offset("chroma_qp_index_offset", self.chroma_qp_index_offset, 12)?;
        offset("slice_alpha_c0_offset_div2", self.deblocking.alpha, 6)?;
        offset("slice_beta_offset_div2", self.deblocking.beta, 6)?;
        let [mbs_high, mbs_wide] = self.mbs();
        let average = match self.rate {
            RateControl::AverageBitRate(bits) => Some(bits),
            _ => None,
        };
        let bit_rate = self.vbv.map_or(average, |vbv| Some(vbv.max_bits_per_second));
        let cpb_size = self.vbv.map(|vbv| vbv.buffer_bits);
        let demands = Demands { mbs_wide, mbs_high, frame_rate, bit_rate, cpb_size, references };
        let level = match self.level {
            Some(number) => Level::of(number).ok_or(Error::NoLevel(number))?,
            None => Level::lowest(&demands)?,
        };
        level.check(&demands)?;
        if slices == 0 || slices > mbs_high {
            return Err(Error::Slices { slices, rows: mbs_high });
        }
        if let Some(given) = self.max_slice_size.filter(|&given| given < Self::MIN_SLICE_SIZE) {
            return Err(Error::SliceSize { given, least: Self::MIN_SLICE_SIZE });
        }
        Ok(level)
    }

    /// Frames from one IDR picture to one where a scene begins, at least.
    pub(crate) fn min_keyint(&self) -> u32 {
        let second = self.frame_rate.0.div_ceil(self.frame_rate.1);
        self.min_keyint.unwrap_or((self.keyint / 10).min(second)).max(1)
    }
}
