//! The encoder: frames in, packets out.

use alloc::collections::VecDeque;
use alloc::vec::Vec;

use crate::bitstream::{BitWriter, avcc, nal};
use crate::color::Color;
use crate::config::Config;
use crate::decide::{ByCost, Decisions};
use crate::error::Error;
use crate::frame::Frame;
use crate::gop::Gop;
use crate::headers::{pic_parameter_set, seq_parameter_set};
use crate::level::Level;
use crate::macroblock::Quantizers;
use crate::picture::Reference;
use crate::plan::Planner;
use crate::queue::Queue;
use crate::rate::{self, Rate, Statistics};
use crate::slot::Slot;
use crate::strip::{Worker, unit};
use crate::syntax::Checker;
use crate::syntax::nal::{NalUnitHeader, NalUnitType};
use crate::syntax::pps::PicParameterSet;
use crate::syntax::sps::SeqParameterSet;
use shim_codec::pool::Pool;

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
    pub(crate) decisions: D,
    pub(crate) sps: SeqParameterSet,
    pub(crate) pps: PicParameterSet,
    pub(crate) max_vmv_r: i16,
    pub(crate) most_vectors: usize,
    pub(crate) intra_quantizers: Quantizers,
    pub(crate) inter_quantizers: Quantizers,
    /// The frames that are not coded yet; the first one is the source of the picture that is coded.
    pub(crate) queue: Queue,
    /// The pictures that are coded at once: the one that was coded last, and that of the last packet.
    pub(crate) slots: Vec<Slot<D>>,
    pub(crate) last: usize,
    shown: usize,
    /// Packets that wait for their turn, and the slots of their pictures.
    pub(crate) ready: VecDeque<(usize, Packet)>,
    /// Reference pictures, the most recent first, of which the first one that is coded has `held`. Behind them is memory
    /// for others.
    pub(crate) references: Vec<Reference>,
    pub(crate) held: usize,
    pub(crate) bits: BitWriter,
    pub(crate) pool: Pool,
    /// One for each strip or picture that can be encoded at the same time.
    pub(crate) workers: Vec<Worker>,
    pub(crate) planner: Planner,
    pub(crate) rate: Rate,
    /// Whether a keyframe was requested for the next frame.
    pub(crate) keyframe_forced: bool,
    /// Whether the parameter sets were read or written, and so are final.
    stated: bool,
    pub(crate) frames: u64,
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
            planner: Planner::new(&config, Gop::new(&config, sps.frame_num_bits()), sps.max_num_ref_frames),
            rate,
            // Half of MaxMvsPer2Mb: no macroblock depends on the vectors of the one before.
            most_vectors: usize::from(level.max_mvs_per_2mb / 2),
            config,
            level,
            decisions,
            sps,
            pps,
            queue: Queue::default(),
            slots: alloc::vec![Slot::new(mbs)],
            last: 0,
            shown: 0,
            ready: VecDeque::new(),
            references: Vec::new(),
            held: 0,
            bits: BitWriter::default(),
            pool,
            workers: Vec::new(),
            keyframe_forced: false,
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

    /// Takes a frame, and gives the packet of the first one that has none if there are enough after it.
    fn take(&mut self, frame: &Frame<'_>) -> Result<Option<Packet>, Error> {
        let waiting = self.queue.next(self.config.mbs());
        waiting.source.take(frame, &self.pool);
        (waiting.pts, waiting.user_data) = (frame.pts(), frame.user_data());
        waiting.keyframe = core::mem::take(&mut self.keyframe_forced);
        waiting.looked = None;
        self.queue.push();
        let is_due = self.queue.len() + self.ready.len() > self.config.delay();
        if is_due { self.next_packet(self.config.frames_ahead()) } else { Ok(None) }
    }

    /// The next packet; codes frames if there is none yet, of those that have so many behind them.
    fn next_packet(&mut self, ahead: usize) -> Result<Option<Packet>, Error> {
        if self.ready.is_empty() {
            let (waiting, most) = (self.queue.len().saturating_sub(ahead), self.config.frames_at_once());
            let count = waiting.min(most);
            self.code(count, (waiting - count).min(most))?;
        }
        let Some((slot, packet)) = self.ready.pop_front() else { return Ok(None) };
        self.shown = slot;
        Ok(Some(packet))
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
        pool.run(|| self.next_packet(0))
    }

    /// The frame of the last packet as a decoder outputs it, with an odd width or height rounded up to the next even number.
    #[must_use]
    pub fn reconstruction(&self) -> Frame<'_> {
        let [width, height] = self.config.shown_size();
        self.slots[self.shown].picture.samples.frame(width, height)
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
    pub(crate) fn each_parameter_set(&mut self, mut with: impl FnMut(&mut Self, &NalUnitHeader)) {
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
    pub(crate) fn unit(&mut self, bytes: &mut Vec<u8>, header: &NalUnitHeader) {
        unit(bytes, header, self.bits.bytes(), self.config.format);
    }
}
