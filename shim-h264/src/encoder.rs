//! The encoder: frames in, packets out.

use alloc::vec::Vec;
use core::slice;

use crate::bitstream::{BitWriter, avcc, nal};
use crate::color::Color;
use crate::config::{Config, Format};
use crate::decide::{ByCost, Decisions};
use crate::error::Error;
use crate::frame::Frame;
use crate::gop::{Gop, Picture, Wanted};
use crate::headers::{pic_parameter_set, seq_parameter_set, timing};
use crate::kernels::deblock::SliceFilter;
use crate::kernels::picture;
use crate::level::Level;
use crate::lookahead::{Costs, Later, Lookahead};
use crate::macroblock::Quantizers;
use crate::picture::{Reference, Referred};
use crate::queue::{Queue, Waiting};
use crate::rate::{self, Encode, Rate, Statistics};
use crate::strip::{Common, SliceUnits, Strip, Worker, rows_of, unit};
use crate::syntax::Checker;
use crate::syntax::nal::{AccessUnitDelimiter, NalUnitHeader, NalUnitType};
use crate::syntax::pps::PicParameterSet;
use crate::syntax::slice::{SliceHeader, slice_type};
use crate::syntax::sps::SeqParameterSet;
use shim_codec::pool::Pool;

/// By how much QP is lower for each doubling of what depends on a macroblock.
const TREE: f32 = 1.5;

/// A coded frame: an access unit (7.4.1.2.3).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Packet {
    /// NAL units of the access unit, framed according to [`Config::format`].
    pub bytes: Vec<u8>,
    /// Whether the frame is a keyframe (IDR picture), at which decoding can start.
    pub keyframe: bool,
    /// Frame number in output order, from 0.
    pub number: u64,
    /// Presentation timestamp of the frame ([`Frame::with_pts`]).
    pub pts: i64,
    /// User data of the frame ([`Frame::with_user_data`]).
    pub user_data: u64,
    /// Picture type, QP, size and buffer occupancy.
    pub statistics: Statistics,
}

/// An H.264 encoder for frames of one size.
///
/// [`encode`](Self::encode) takes a frame and returns packets in input order. After the last frame, call
/// [`flush`](Self::flush) until it returns `None`.
///
/// ```
/// use shim_h264::{Config, Encoder, Frame};
///
/// let mut encoder = Encoder::new(Config::new(32, 16))?;
/// let mut stream = Vec::new();
/// for n in 0..3 {
///     let samples = [90 + n; 32 * 16 * 3 / 2];
///     let frame = Frame::i420(32, 16, &samples)?.with_pts(40 * i64::from(n));
///     if let Some(packet) = encoder.encode(&frame)? {
///         stream.extend(packet.bytes);
///     }
/// }
/// while let Some(packet) = encoder.flush()? {
///     stream.extend(packet.bytes);
/// }
/// assert!(stream.starts_with(&[0, 0, 0, 1]));
/// # Ok::<(), shim_h264::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Encoder<D = ByCost> {
    pub(crate) config: Config,
    pub(crate) level: Level,
    decisions: D,
    sps: SeqParameterSet,
    pps: PicParameterSet,
    max_vmv_r: i16,
    most_vectors: usize,
    intra_quantizers: Quantizers,
    inter_quantizers: Quantizers,
    /// The frames that are not coded yet; the first one is the source of the picture that is coded.
    queue: Queue,
    /// The picture that is coded.
    picture: picture::Picture,
    /// Reference pictures, the most recent first, of which the first `held` are in use.
    references: Vec<Reference>,
    held: usize,
    /// Deblocking parameters by slice number; number 0 is no slice.
    filters: Vec<SliceFilter>,
    bits: BitWriter,
    pool: Pool,
    /// One for each strip that can be encoded at the same time.
    workers: Vec<Worker>,
    /// Decisions of each slice, and results of each strip.
    for_slices: Vec<D>,
    coded: Vec<SliceUnits>,
    pub(crate) gop: Gop,
    lookahead: Lookahead,
    pub(crate) rate: Rate,
    /// Whether a keyframe was requested for the next frame.
    pub(crate) keyframe_forced: bool,
    /// Whether a keyframe was requested for a frame that is coded, and waits for room in the buffer.
    keyframe_pending: bool,
    /// Whether the parameter sets were read or written, and so are final.
    stated: bool,
    frames: u64,
}

impl Encoder {
    /// An encoder with the mode decision of the preset, [`ByCost`].
    ///
    /// # Errors
    ///
    /// When a setting is out of range, or the frame size, frame rate, bit rate or references exceed the limits of the
    /// level, or of the highest one if none is set.
    pub fn new(config: Config) -> Result<Self, Error> {
        Self::with_decisions(config, ByCost)
    }
}

impl<D: Decisions> Encoder<D> {
    /// An encoder with custom mode decision.
    ///
    /// # Errors
    ///
    /// As [`new`](Encoder::new).
    pub fn with_decisions(config: Config, decisions: D) -> Result<Self, Error> {
        let level = rate::check(&config)?;
        let rate = Rate::new(&config, &level)?;
        let mut sps = seq_parameter_set(&config, level, rate.buffer());
        let mut pps = pic_parameter_set(&config);
        sps.walk(&mut Checker)?;
        pps.walk(&mut Checker)?;
        let mbs = config.mbs();
        #[cfg(feature = "rayon")]
        let pool = Pool::new(config.threads).map_err(|error| Error::Threads(error.0))?;
        #[cfg(not(feature = "rayon"))]
        let pool = Pool::one();
        Ok(Self {
            intra_quantizers: Quantizers::new(3, config.chroma_qp_index_offset),
            inter_quantizers: Quantizers::new(6, config.chroma_qp_index_offset),
            max_vmv_r: level.max_vmv_r,
            gop: Gop::new(&config, sps.frame_num_bits()),
            lookahead: Lookahead::new(mbs, config.preset.lowres_level(), sps.max_num_ref_frames),
            rate,
            // Half of MaxMvsPer2Mb: no macroblock depends on the vectors of the one before.
            most_vectors: usize::from(level.max_mvs_per_2mb / 2),
            config,
            level,
            decisions,
            sps,
            pps,
            queue: Queue::default(),
            picture: picture::Picture::new(mbs),
            references: Vec::new(),
            held: 0,
            filters: Vec::new(),
            bits: BitWriter::default(),
            pool,
            workers: Vec::new(),
            for_slices: Vec::new(),
            coded: Vec::new(),
            keyframe_forced: false,
            keyframe_pending: false,
            stated: false,
            frames: 0,
        })
    }

    /// Encodes a frame and returns the next packet, if one is ready.
    ///
    /// The first [`Config::delay`] frames yield no packet, and each frame after them yields that of the frame so many
    /// before it. Without a delay, each frame yields its packet at once.
    ///
    /// # Errors
    ///
    /// [`Error::FrameSize`] when the frame size differs from the configured one, and [`Error::FrameColor`] when the frame
    /// was converted by another color than the stream states; the stream can continue with another frame.
    pub fn encode(&mut self, frame: &Frame<'_>) -> Result<Option<Packet>, Error> {
        let (given, wanted) = ((frame.width(), frame.height()), (self.config.width, self.config.height));
        if given != wanted {
            return Err(Error::FrameSize { given, wanted });
        }
        if let Some(color) = frame.color() {
            self.state_color(color)?;
        }
        self.stated = true;
        let pool = self.pool.clone();
        pool.run(|| self.take(frame))
    }

    /// Has the stream state the color of its first frame, unless the parameter sets say something else already.
    fn state_color(&mut self, color: Color) -> Result<(), Error> {
        let stated = self.config.color;
        let range = self.config.full_range.is_none_or(|full_range| full_range == color.full_range);
        match stated {
            Some(stated) if stated == color => Ok(()),
            None if !self.stated && range => {
                self.config.color = Some(color);
                self.sps = seq_parameter_set(&self.config, self.level, self.rate.buffer());
                Ok(self.sps.walk(&mut Checker)?)
            }
            _ => Err(Error::FrameColor { converted: color, stated }),
        }
    }

    /// Takes a frame, and codes the first one that waits if there are enough after it.
    fn take(&mut self, frame: &Frame<'_>) -> Result<Option<Packet>, Error> {
        let (keyint, delay, aq) = (self.config.keyint, self.config.delay(), self.config.aq());
        let wants_costs = delay > 0 || self.rate.wants_costs(&self.config);
        let waiting = self.queue.next(self.config.mbs());
        waiting.source.take(frame, &self.pool);
        (waiting.pts, waiting.user_data) = (frame.pts(), frame.user_data());
        waiting.keyframe = core::mem::take(&mut self.keyframe_forced);
        waiting.looked = keyint > 1 || wants_costs || aq > 0.0;
        if waiting.looked {
            self.lookahead.look(&waiting.source, aq);
        }
        waiting.costs =
            if wants_costs { self.lookahead.costs(self.config.has_tree()) } else { Costs::default() };
        self.queue.push();
        if self.queue.len() > delay { self.code_first() } else { Ok(None) }
    }

    /// Codes the first frame that waits, if there is one.
    fn code_first(&mut self) -> Result<Option<Packet>, Error> {
        let Some(first) = self.queue.first() else { return Ok(None) };
        let (pts, user_data, costs) = (first.pts, first.user_data, first.costs);
        let keyframe = first.keyframe || self.keyframe_pending;
        if first.looked {
            self.lookahead.advance();
        }
        let packet = self.code(costs, keyframe);
        self.queue.pop();
        packet.map(|packet| Some(Packet { pts, user_data, ..packet }))
    }

    /// Codes the source, whose costs are known.
    fn code(&mut self, costs: Costs, keyframe: bool) -> Result<Packet, Error> {
        let new_scene = self.rate.look(costs) && self.config.scene_cut;
        let wanted = Wanted { scene_cut: new_scene, keyframe };
        let picture = self.gop.next(wanted, self.rate.idr_fits());
        if picture.idr {
            self.held = 0;
        } else {
            self.push_reference();
        }
        self.lookahead.look_farther(self.held);
        let later = self.later(picture);
        let ratio = self.find_offsets(&later);
        let mut encode = self.rate.plan(picture, ratio, &later);
        // References are what they were, whatever was tried.
        let (bytes, slices) = loop {
            let (bytes, slices) = self.picture(picture, encode)?;
            match self.rate.reencode(picture, encode, 8 * bytes.len() as u64) {
                Some(next) => encode = next,
                None => break (bytes, slices),
            }
        };
        let statistics = self.rate.coded(picture, encode, 8 * bytes.len() as u64, slices);
        self.gop.coded(picture);
        self.keyframe_pending = picture.keyframe_pending;
        let number = self.frames;
        self.frames += 1;
        Ok(Packet { bytes, keyframe: picture.idr, number, pts: 0, user_data: 0, statistics })
    }

    /// The pictures that are coded after this one.
    fn later(&self, picture: Picture) -> Vec<Later> {
        let mut gop = self.gop.clone();
        gop.coded(picture);
        let later = self.queue.later().map(|&Waiting { keyframe, costs, .. }| {
            let picture =
                gop.next(Wanted { scene_cut: self.config.scene_cut && costs.new_scene(), keyframe }, true);
            gop.coded(picture);
            Later { idr: picture.idr, costs }
        });
        later.collect()
    }

    /// Finds the offsets of QP of the macroblocks of a picture that comes before `later` ones. Returns by how much they
    /// enlarge it if it is an IDR picture.
    fn find_offsets(&mut self, later: &[Later]) -> f64 {
        let tree = if self.config.has_tree() { TREE } else { 0.0 };
        if tree == 0.0 && self.config.aq() == 0.0 {
            self.lookahead.without_offsets();
            return 1.0;
        }
        self.lookahead.find_offsets(tree, later, self.rate.last_qp())
    }

    /// Encodes the source as a picture, and returns its access unit and number of slices.
    fn picture(&mut self, picture: Picture, encode: Encode) -> Result<(Vec<u8>, u32), Error> {
        let idr = picture.idr;
        self.picture.tables.begin(idr);
        let mut bytes = Vec::new();
        if self.config.access_unit_delimiters {
            self.bits.clear();
            let Ok(()) = AccessUnitDelimiter { primary_pic_type: u8::from(!idr) }.walk(&mut self.bits);
            self.bits.trailing_bits();
            self.unit(&mut bytes, &NalUnitHeader::new(0, NalUnitType::AccessUnitDelimiter));
        }
        if idr && self.config.format == Format::AnnexB {
            self.each_parameter_set(|encoder, header| encoder.unit(&mut bytes, header));
        }
        if let Some(buffer) = self.rate.buffer() {
            self.bits.clear();
            for mut message in timing(picture, buffer, &self.sps) {
                message.walk(&mut Checker, &self.sps)?;
                let Ok(()) = message.walk(&mut self.bits, &self.sps);
            }
            self.bits.trailing_bits();
            self.unit(&mut bytes, &NalUnitHeader::new(0, NalUnitType::Sei));
        }
        let slices = self.slices(picture, encode, &mut bytes)?;
        let offset = self.config.chroma_qp_index_offset;
        let rows = 0..self.config.mbs()[0];
        self.picture.deblock(rows, &self.filters, offset, &self.pool);
        Ok((bytes, slices))
    }

    /// Adds the last picture to the reference pictures, and drops the oldest if there are too many (8.2.5.3).
    fn push_reference(&mut self) {
        self.held = (self.held + 1).min(usize::from(self.sps.max_num_ref_frames));
        if self.references.len() < self.held {
            self.references.push(Reference::new(self.config.mbs()));
        }
        // List 0 has the last picture first (8.2.4.2.1).
        self.references[..self.held].rotate_right(1);
        self.references[0].take(&self.picture, &self.pool);
    }

    /// Returns the next delayed packet, or `None` if there is none. Call it until `None` at the end of the stream.
    ///
    /// Encoding may continue after a flush.
    ///
    /// # Errors
    ///
    /// As [`encode`](Self::encode), but for those of the frame.
    pub fn flush(&mut self) -> Result<Option<Packet>, Error> {
        let pool = self.pool.clone();
        pool.run(|| self.code_first())
    }

    /// The frame of the last packet as a decoder outputs it, with an odd width or height rounded up to the next even number.
    #[must_use]
    pub fn reconstruction(&self) -> Frame<'_> {
        let [width, height] = self.config.shown_size();
        self.picture.samples.frame(width, height)
    }

    /// The sequence parameter set.
    #[must_use]
    pub const fn sps(&self) -> &SeqParameterSet {
        &self.sps
    }

    /// The picture parameter set.
    #[must_use]
    pub const fn pps(&self) -> &PicParameterSet {
        &self.pps
    }

    /// The sequence and picture parameter sets, as NAL units without start code or length prefix.
    ///
    /// They are final from then on: set [`Config::color`] before if frames are converted from RGB.
    pub fn parameter_sets(&mut self) -> [Vec<u8>; 2] {
        self.stated = true;
        let mut sets = Vec::new();
        self.each_parameter_set(|encoder, header| {
            let mut bytes = Vec::new();
            nal::append(&mut bytes, header, encoder.bits.bytes());
            sets.push(bytes.split_off(nal::PREFIX));
        });
        let (pps, sps) = (sets.pop().unwrap_or_default(), sets.pop().unwrap_or_default());
        [sps, pps]
    }

    /// The `AVCDecoderConfigurationRecord`: the contents of the `avcC` box of MP4 files.
    pub fn configuration_record(&mut self) -> Vec<u8> {
        let [sps, pps] = self.parameter_sets();
        avcc::configuration_record(&[&sps], &[&pps])
    }

    /// Writes each parameter set and passes it to `with`.
    fn each_parameter_set(&mut self, mut with: impl FnMut(&mut Self, &NalUnitHeader)) {
        self.bits.clear();
        let Ok(()) = self.sps.walk(&mut self.bits);
        self.bits.trailing_bits();
        with(self, &NalUnitHeader::new(3, NalUnitType::Sps));
        self.bits.clear();
        let Ok(()) = self.pps.walk(&mut self.bits);
        self.bits.trailing_bits();
        with(self, &NalUnitHeader::new(3, NalUnitType::Pps));
    }

    /// Appends a unit of the bits that there are.
    fn unit(&mut self, bytes: &mut Vec<u8>, header: &NalUnitHeader) {
        unit(bytes, header, self.bits.bytes(), self.config.format);
    }

    /// Codes the slices of the picture, each by itself where it is known before where they end; says how many they are.
    fn slices(&mut self, picture: Picture, encode: Encode, bytes: &mut Vec<u8>) -> Result<u32, Error> {
        let idr = picture.idr;
        let nal = if idr {
            NalUnitHeader::new(3, NalUnitType::IdrSlice)
        } else {
            NalUnitHeader::new(2, NalUnitType::Slice)
        };
        let default = self.pps.num_ref_idx_l0_default_active_minus1;
        let active = if idr { default } else { self.held as u8 - 1 };
        let deblocking = self.config.deblocking;
        let filtered = deblocking.edges.idc() != 1;
        let mut header = SliceHeader {
            slice_type: if idr { slice_type::I } else { slice_type::P },
            frame_num: picture.frame_num,
            idr_pic_id: picture.idr_pic_id,
            num_ref_idx_active_override_flag: active != default,
            num_ref_idx_l0_active_minus1: active,
            slice_qp_delta: encode.qp as i8 - 26 - self.pps.pic_init_qp_minus26,
            disable_deblocking_filter_idc: deblocking.edges.idc(),
            slice_alpha_c0_offset_div2: if filtered { deblocking.alpha } else { 0 },
            slice_beta_offset_div2: if filtered { deblocking.beta } else { 0 },
            ..SliceHeader::default()
        };
        header.walk(&mut Checker, &self.sps, &self.pps, &nal)?;
        let filter = SliceFilter {
            disable_deblocking_filter_idc: header.disable_deblocking_filter_idc,
            filter_offset_a: 2 * header.slice_alpha_c0_offset_div2,
            filter_offset_b: 2 * header.slice_beta_offset_div2,
        };
        let [rows, slices] = [self.config.mbs()[0], self.config.slices];
        self.for_slices.clear();
        self.for_slices.extend((0..slices).map_while(|_| self.decisions.for_slice()));
        let divided = self.for_slices.len() == slices;
        let (decisions, strips) = if divided {
            (&mut self.for_slices[..], slices)
        } else {
            (slice::from_mut(&mut self.decisions), 1)
        };
        let mut held = self.references.iter().take(self.held).map(Reference::rows);
        let held: [_; 16] = core::array::from_fn(|_| held.next());
        let references: Vec<_> = held.iter().flatten().map(|rows| Referred::Whole(rows.view())).collect();
        let common = Common {
            config: &self.config,
            sps: &self.sps,
            pps: &self.pps,
            nal,
            header,
            intra_quantizers: &self.intra_quantizers,
            inter_quantizers: &self.inter_quantizers,
            references: &references,
            lookahead: &self.lookahead,
            max_vmv_r: self.max_vmv_r,
            most_vectors: self.most_vectors,
            divided,
            dropped: encode.dropped,
        };
        self.coded.resize_with(strips, SliceUnits::default);
        let mut rest = Some(self.picture.rows(0..rows));
        let Some(source) = self.queue.first().map(|first| first.source.view()) else { return Ok(0) };
        let limited = self.config.max_slice_size.is_some();
        let wide = self.config.mbs()[1];
        let strips_of_picture =
            decisions.iter_mut().zip(&mut self.coded).enumerate().map_while(|(strip, (decisions, coded))| {
                let rows = rows_of(strip, strips, rows);
                let (picture, others) = rest.take()?.split_at_row(rows.end);
                rest = Some(others);
                // Where their size is limited it is not known yet how many slices the strips before have: at most as
                // many as macroblocks.
                let before = if limited { rows.start * wide } else { strip };
                Some(Strip { number: 1 + before as u16, source, picture, decisions, coded })
            });
        let preset = self.config.preset;
        self.workers.resize_with(self.pool.threads().min(strips), || Worker::new(preset));
        self.pool.each(&mut self.workers, strips_of_picture, |worker, strip| worker.code(&common, strip));
        self.filters.clear();
        self.filters.push(SliceFilter::default());
        bytes.reserve_exact(self.coded.iter().map(|strip| strip.units.len()).sum());
        let mut slices = 0;
        for SliceUnits { units, slices: of_strip, next_number } in &self.coded {
            bytes.extend(units);
            slices += of_strip;
            self.filters.resize((*next_number).into(), filter);
        }
        Ok(slices)
    }
}
