//! Configuration of an encoder.

use crate::Error;
use crate::color::Color;
use crate::decide::Preset;
use crate::frame::positive;
use crate::level::{Demands, Level};
use crate::rate::passes::FirstPass;
use crate::rate::settings::{RateControl, Vbv};
use crate::tune::Tune;

/// Unspecified color primaries, transfer characteristics or matrix coefficients (Tables E-3 to E-5).
pub(crate) const UNSPECIFIED: u8 = 2;

/// Framing of NAL units.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// Byte stream (Annex B): a start code before each NAL unit, and parameter sets before each IDR picture. The format
    /// of `.264` files.
    #[default]
    AnnexB,
    /// Length-prefixed NAL units, with the parameter sets in
    /// [`configuration_record`](crate::Encoder::configuration_record). The format of MP4 files.
    Avcc,
}

/// Deblocking filter settings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Deblocking {
    /// Edges to filter. By default all, or none if the preset does without ([`Preset::deblocks`]).
    pub edges: Option<Edges>,
    /// `slice_alpha_c0_offset_div2`, -6 to 6: higher values filter more strongly. 0 by default.
    pub alpha: i8,
    /// `slice_beta_offset_div2`, -6 to 6: higher values filter more edges. 0 by default.
    pub beta: i8,
}

/// Edges that the deblocking filter processes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edges {
    /// All edges.
    All,
    /// Edges within slices, but not those between slices.
    WithinSlices,
    /// No edges.
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

/// Configuration of an [`Encoder`](crate::Encoder).
///
/// [`Config::new`] sets the defaults; change fields from there.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
#[expect(clippy::struct_excessive_bools, reason = "each is a setting of its own")]
pub struct Config {
    /// Width in luma samples.
    ///
    /// 4:2:0 video has even dimensions, so that an odd width is padded with a copy of the last column, which decoders
    /// and
    /// [`reconstruction`](crate::Encoder::reconstruction) show. To crop the column instead, configure the width less 1
    /// and pass frames of that width with the original stride.
    pub width: usize,
    /// Height in luma samples. An odd height is padded as an odd [`width`](Self::width) is.
    pub height: usize,
    /// Frames per second, as a fraction of numerator and denominator. 30/1 by default.
    pub frame_rate: (u32, u32),
    /// Whether the frame rate may change between frames ([`Encoder::set_frame_rate`](crate::Encoder::set_frame_rate)).
    /// The stream then has `fixed_frame_rate_flag` 0. Incompatible with [`vbv`](Self::vbv), which requires a fixed
    /// frame rate. Off by default.
    pub variable_frame_rate: bool,
    /// Rate control method. Constant quality (CRF) 23 by default.
    pub rate: RateControl,
    /// Number of frames of the stream, if known: a short stream then also meets its average bit rate at its end, not
    /// only in the long run. A hint: the stream may have more or fewer frames.
    pub expected_frames: Option<u64>,
    /// Sizes of the pictures in a first pass. An average bit rate is then met with the same quality throughout; the
    /// frames and the other settings have to be those of the first pass. It has no effect under other rate control
    /// methods. None by default.
    pub first_pass: Option<FirstPass>,
    /// Number of frames that the encoder takes before it codes the first of them, up to
    /// [`MAX_LOOKAHEAD`](Self::MAX_LOOKAHEAD): the frames after it decide on the quality of a picture. The packet of a frame
    /// comes so many frames later ([`delay`](Self::delay)). 0 has no latency. By default that of the preset
    /// ([`Preset::lookahead`]).
    ///
    /// Each takes about 1.9 bytes for each luma sample of the frame.
    pub lookahead: Option<usize>,
    /// Whether the offset of a macroblock's QP follows from what later pictures take from it, as far as the
    /// [look-ahead](Self::lookahead) sees. On by default; it has no effect without a look-ahead or with a constant QP.
    pub mb_tree: bool,
    /// Strength of adaptive quantization, 0 to 3: smooth macroblocks get a lower QP than busy ones. 0 disables it. By
    /// default that of the preset ([`Preset::aq_strength`]); it has no effect with a constant QP.
    pub aq_strength: Option<f32>,
    /// Video buffering verifier: the coded picture buffer (CPB) of the decoder, which must not underflow. The stream
    /// carries its HRD parameters, buffering period and picture timing SEI messages (Annexes C and D). A picture too
    /// large for the buffer is encoded again at a higher QP, whatever [`rate`](Self::rate) is. None by default.
    pub vbv: Option<Vbv>,
    /// `chroma_qp_index_offset`: the offset added to the luma QP before Table 8-15 maps it to the chroma QP, -12 to 12.
    /// 0 by default.
    pub chroma_qp_index_offset: i8,
    /// Trade-off between speed and compression. [`Preset::Medium`] by default.
    pub preset: Preset,
    /// Maximum keyframe interval, in frames (1: intra only). Keyframes are IDR pictures. 250 by default.
    pub keyint: u32,
    /// Whether to insert keyframes at scene cuts. By default that of the preset ([`Preset::detects_scene_cuts`]).
    pub scene_cut: Option<bool>,
    /// Minimum interval between a keyframe and a scene-cut keyframe after it, in frames, 1 to [`keyint`](Self::keyint).
    /// By default a tenth of `keyint`, or the frames of one second if they are fewer.
    pub min_keyint: Option<u32>,
    /// `max_num_ref_frames`: reference frames of P slices, 1 to 16. By default those of the preset
    /// ([`Preset::references`]), limited by the level.
    pub references: Option<u8>,
    /// `constrained_intra_pred_flag`: whether to predict Intra macroblocks only from Intra macroblocks, so that errors
    /// from lost reference pictures do not spread to them. Off by default.
    pub constrained_intra_pred: bool,
    /// Slices per frame, each of whole macroblock rows, 1 to the number of rows.
    /// [`max_slice_size`](Self::max_slice_size) may split them further. 1 by default.
    pub slices: usize,
    /// Maximum size of a slice NAL unit in bytes, such as the payload of a network packet. At least
    /// [`MIN_SLICE_SIZE`](Self::MIN_SLICE_SIZE); no limit by default.
    ///
    /// The size includes the NAL unit header and emulation prevention bytes, but not the start code or length prefix. A
    /// macroblock that exceeds it alone is encoded at a higher QP. Parameter sets and SEI messages, which are small,
    /// are not limited.
    pub max_slice_size: Option<usize>,
    /// Threads; 0 uses those of the current rayon pool, or one per core outside a pool. 1 by default, the calling thread.
    /// Several start with the encoder, and the calling thread waits for them. The stream does not depend on their number.
    ///
    /// With one [slice](Self::slices) per frame, and constant quality or QP without a [VBV](Self::vbv), several frames
    /// are encoded at once, each a few rows behind the one before, unless [`lookahead`](Self::lookahead) is set to 0. That
    /// takes memory for two frames per thread, and adds about four frames per thread to the [delay](Self::delay). Settings
    /// that change between frames apply from the next frame that is not planned yet, which depends on the number of threads.
    ///
    /// Otherwise each slice of a frame gets a thread, and so do parts of the deblocking filter and of the preparation of
    /// pictures.
    #[cfg(feature = "rayon")]
    pub threads: usize,
    /// Deblocking filter settings.
    pub deblocking: Deblocking,
    /// Level times ten, such as 31 for level 3.1; 9 is level 1b. The lowest level that fits by default.
    pub level: Option<u8>,
    /// Matrix coefficients and range of the samples, written to the VUI. By default those by which a
    /// [`Conversion`](crate::Conversion) has made the first frame, or nothing: frames that are given as luma and chroma
    /// are not converted.
    pub color: Option<Color>,
    /// `video_full_range_flag`, if [`color`](Self::color) is not set: full range (0 to 255), or limited range (16 to
    /// 235 for luma, 16 to 240 for chroma). If neither is set, decoders assume limited range.
    pub full_range: Option<bool>,
    /// `colour_primaries` (Table E-3). 2 (unspecified) by default.
    pub primaries: u8,
    /// `transfer_characteristics` (Table E-4). 2 (unspecified) by default.
    pub transfer: u8,
    /// Sample aspect ratio (SAR), as width and height of a sample, written to the VUI. Not written by default.
    #[doc(alias = "SAR")]
    pub sample_aspect_ratio: Option<(u16, u16)>,
    /// Framing of NAL units. [`Format::AnnexB`] by default.
    pub format: Format,
    /// `idr_pic_id` of the first IDR picture; those that follow alternate between it and the next number. 0 by default.
    ///
    /// Streams that are joined need different ones, such as 0 and 2 in turn: if one ends in an IDR picture, the first
    /// of the next has to have another number (7.4.3).
    pub first_idr_pic_id: u8,
    /// Whether to begin each access unit with an access unit delimiter. Off by default.
    pub access_unit_delimiters: bool,
}

impl Config {
    /// Smallest [`max_slice_size`](Self::max_slice_size), in bytes: room for any slice header and a macroblock without
    /// residual.
    pub const MIN_SLICE_SIZE: usize = 64;

    /// Maximum [`lookahead`](Self::lookahead), in frames.
    pub const MAX_LOOKAHEAD: usize = 250;

    /// Maximum [`aq_strength`](Self::aq_strength).
    pub const MAX_AQ_STRENGTH: f32 = 3.0;

    /// The default configuration for frames of `width` by `height` luma samples: 30 frames per second, constant quality
    /// (CRF) 23, a keyframe at scene cuts and at least every 250 frames, preset `medium` with its reference frames,
    /// look-ahead and adaptive quantization, one slice.
    #[must_use]
    pub fn new(width: usize, height: usize) -> Self {
        Self {
            width,
            height,
            frame_rate: (30, 1),
            variable_frame_rate: false,
            rate: RateControl::ConstantQuality(23.0),
            expected_frames: None,
            first_pass: None,
            lookahead: None,
            mb_tree: true,
            aq_strength: None,
            vbv: None,
            preset: Preset::default(),
            chroma_qp_index_offset: 0,
            keyint: 250,
            scene_cut: None,
            min_keyint: None,
            references: None,
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
            first_idr_pic_id: 0,
            access_unit_delimiters: false,
        }
    }

    /// Sets what belongs to a kind of content or a use. Settings that are changed afterwards take precedence.
    pub fn tune(&mut self, tune: Tune) {
        let filter = |offset| Deblocking { alpha: offset, beta: offset, ..self.deblocking };
        match tune {
            Tune::Psnr => self.aq_strength = Some(0.0),
            Tune::Ssim => self.aq_strength = Some(1.3),
            Tune::Film => self.deblocking = filter(-1),
            Tune::Animation => (self.deblocking, self.aq_strength) = (filter(1), Some(0.6)),
            Tune::Grain => (self.deblocking, self.aq_strength) = (filter(-2), Some(0.5)),
            Tune::Stillimage => (self.deblocking, self.aq_strength) = (filter(-3), Some(1.2)),
            Tune::Fastdecode => self.deblocking.edges = Some(Edges::None),
            Tune::Zerolatency => self.lookahead = Some(0),
        }
    }

    /// Number of frames by which packets come later than their frames: the [look-ahead](Self::lookahead), which is 0 with a
    /// constant QP, and the frames that `threads` encode at once.
    #[must_use]
    pub const fn delay(&self) -> usize {
        let at_once = self.frames_at_once();
        // While some are encoded, as many are planned.
        self.frames_ahead() + if at_once == 1 { 0 } else { 2 * at_once - 1 }
    }

    /// Whether several frames are encoded at once, on `threads`.
    #[must_use]
    pub const fn encodes_frames_at_once(&self) -> bool {
        self.frames_at_once() > 1
    }

    /// Number of frames that are encoded at once.
    pub(crate) const fn frames_at_once(&self) -> usize {
        /// Frames at once where the number of threads is that of a pool.
        const OF_POOL: usize = 8;
        /// Most frames at once.
        const MOST: usize = 32;
        // Rate control by sizes needs that of each frame before the next one begins.
        let any_rate = matches!(self.rate, RateControl::AverageBitRate(_)) || self.vbv.is_some();
        if any_rate || self.slices != 1 || matches!(self.lookahead, Some(0)) {
            return 1;
        }
        #[cfg(feature = "rayon")]
        let threads = self.threads;
        #[cfg(not(feature = "rayon"))]
        let threads = 1;
        match threads {
            0 => OF_POOL,
            1 => 1,
            threads if threads < MOST / 2 => 2 * threads,
            _ => MOST,
        }
    }

    /// Number of frames that are known after the one that is planned.
    pub(crate) const fn frames_ahead(&self) -> usize {
        match (self.rate, self.lookahead) {
            (RateControl::ConstantQp(_), _) => 0,
            (_, Some(lookahead)) => lookahead,
            (_, None) => self.preset.lookahead(),
        }
    }

    /// Whether scene cuts become keyframes.
    pub(crate) const fn detects_scene_cuts(&self) -> bool {
        match self.scene_cut {
            Some(scene_cut) => scene_cut,
            None => self.preset.detects_scene_cuts(),
        }
    }

    /// Edges that the deblocking filter processes.
    pub(crate) const fn edges(&self) -> Edges {
        match self.deblocking.edges {
            Some(edges) => edges,
            None if self.preset.deblocks() => Edges::All,
            None => Edges::None,
        }
    }

    /// Whether macroblocks have offsets of QP by what depends on them.
    pub(crate) const fn has_tree(&self) -> bool {
        self.mb_tree && self.frames_ahead() > 0
    }

    /// Strength of adaptive quantization.
    pub(crate) const fn aq(&self) -> f32 {
        match (self.rate, self.aq_strength) {
            (RateControl::ConstantQp(_), _) => 0.0,
            (_, Some(strength)) => strength,
            (_, None) => self.preset.aq_strength(),
        }
    }

    /// Width and height of the decoded video: rounded up to even numbers.
    pub(crate) const fn shown_size(&self) -> [usize; 2] {
        [self.width.next_multiple_of(2), self.height.next_multiple_of(2)]
    }

    /// Rows and columns of macroblocks.
    pub(crate) const fn mbs(&self) -> [usize; 2] {
        [self.height.div_ceil(16), self.width.div_ceil(16)]
    }

    /// Checks all settings except those of rate control, and returns the level; [`rate::check`](crate::rate::check)
    /// checks those as well.
    pub(crate) fn check(&self) -> Result<Level, Error> {
        let Self { width, height, frame_rate, slices, .. } = *self;
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
        if let Some(given) = self.lookahead.filter(|&lookahead| lookahead > Self::MAX_LOOKAHEAD) {
            return Err(Error::Lookahead { given, most: Self::MAX_LOOKAHEAD });
        }
        let legal = 0.0..=Self::MAX_AQ_STRENGTH;
        if let Some(given) = self.aq_strength.filter(|strength| !legal.contains(strength)) {
            return Err(Error::AqStrength { given, most: Self::MAX_AQ_STRENGTH });
        }
        if let Some((width, height)) = self.sample_aspect_ratio.filter(|&(w, h)| w == 0 || h == 0) {
            return Err(Error::SampleAspectRatio(width, height));
        }
        if let Some(given) = self.min_keyint.filter(|&given| given == 0 || given > self.keyint) {
            return Err(Error::MinKeyint { given, keyint: self.keyint });
        }
        if let Some(references) = self.references.filter(|references| !(1..=16).contains(references)) {
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
        let demands =
            Demands { mbs_wide, mbs_high, frame_rate, bit_rate, cpb_size, references: self.references() };
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

    /// The color by which frames of red, green and blue, or gray, are converted for this stream: [`color`](Self::color),
    /// or what players assume of video of this size ([`Color::usual`]), in the range of
    /// [`full_range`](Self::full_range).
    #[must_use]
    pub fn rgb_color(&self) -> Color {
        let usual = Color::usual(self.height);
        self.color.unwrap_or(Color { full_range: self.full_range.unwrap_or(usual.full_range), ..usual })
    }

    /// Reference frames: as set, or those of the preset, limited by the level.
    pub(crate) fn references(&self) -> u8 {
        let [mbs_high, mbs_wide] = self.mbs();
        let [.., highest] = Level::ALL;
        let level = self.level.and_then(Level::of).unwrap_or(highest);
        let room = level.max_dpb_frames(mbs_high.saturating_mul(mbs_wide).max(1)).max(1);
        self.references.unwrap_or(self.preset.references().min(room))
    }

    /// Minimum interval before a scene-cut keyframe, in frames.
    pub(crate) fn min_keyint(&self) -> u32 {
        let second = self.frame_rate.0.div_ceil(self.frame_rate.1);
        self.min_keyint.unwrap_or((self.keyint / 10).min(second)).max(1)
    }
}
