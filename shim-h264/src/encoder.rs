//! What an application sees: frames in, packets out.

use alloc::boxed::Box;
use alloc::vec::Vec;

use crate::bitstream::{BitWriter, annex_b, avcc, nal};
use crate::config::{Config, Format};
use crate::decide::{ByCost, Decisions};
use crate::error::Error;
use crate::frame::Frame;
use crate::headers::{pic_parameter_set, seq_parameter_set};
use crate::kernels::deblock::SliceFilter;
use crate::macroblock::{MacroblockCoder, Quantisers, Slice};
use crate::picture::{Reference, Samples, Tables};
use crate::syntax::Checker;
use crate::syntax::macroblock::SliceContext;
use crate::syntax::nal::{AccessUnitDelimiter, NalUnitHeader, NalUnitType};
use crate::syntax::pps::PicParameterSet;
use crate::syntax::slice::{SliceHeader, slice_type};
use crate::syntax::sps::SeqParameterSet;

/// A coded frame: an access unit (7.4.1.2.3).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Packet {
    /// Its NAL units, as [`Format`] says.
    pub bytes: Vec<u8>,
    /// Whether decoding can begin with it.
    pub keyframe: bool,
    /// The number of the frame, from 0, in the order of their being shown.
    pub number: u64,
}

/// Codes frames of one size.
///
/// ```
/// use shim_h264::{Config, Encoder, Frame};
///
/// let mut encoder = Encoder::new(Config::new(32, 16))?;
/// let samples = [90; 32 * 16 * 3 / 2];
/// let packet = encoder.encode(&Frame::i420(32, 16, &samples)?)?;
/// assert!(packet.keyframe && packet.bytes.starts_with(&[0, 0, 0, 1]));
/// # Ok::<(), shim_h264::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Encoder<D = ByCost> {
    config: Config,
    decisions: D,
    sps: SeqParameterSet,
    pps: PicParameterSet,
    max_vmv_r: i16,
    most_vectors: usize,
    quantisers: Quantisers,
    inter_quantisers: Quantisers,
    source: Samples,
    recon: Samples,
    tables: Tables,
    /// Pictures that can be referred to, the last first, of which so many are.
    references: Vec<Reference>,
    held: usize,
    /// How each slice of the picture is filtered; the first is none.
    filters: Vec<SliceFilter>,
    bits: BitWriter,
    macroblock: Box<MacroblockCoder>,
    frames: u64,
}

impl Encoder {
    /// An encoder that decides by [`ByCost`], as the preset says.
    ///
    /// # Errors
    ///
    /// When something of the configuration is out of range, or no level has room for the frames.
    pub fn new(config: Config) -> Result<Self, Error> {
        let decisions = ByCost::new(config.preset);
        Self::with_decisions(config, decisions)
    }
}

impl<D: Decisions> Encoder<D> {
    /// An encoder with other decisions.
    ///
    /// # Errors
    ///
    /// As [`new`](Encoder::new).
    pub fn with_decisions(config: Config, decisions: D) -> Result<Self, Error> {
        let level = config.check()?;
        let mut sps = seq_parameter_set(&config, level);
        let mut pps = pic_parameter_set(&config);
        sps.walk(&mut Checker)?;
        pps.walk(&mut Checker)?;
        let mbs = config.mbs();
        Ok(Self {
            quantisers: Quantisers::new(3, config.chroma_qp_index_offset),
            inter_quantisers: Quantisers::new(6, config.chroma_qp_index_offset),
            max_vmv_r: level.max_vmv_r,
            // Half of what two may have, so that none has to know of the one before.
            most_vectors: usize::from(level.max_mvs_per_2mb / 2),
            config,
            decisions,
            sps,
            pps,
            source: Samples::new(mbs),
            recon: Samples::new(mbs),
            tables: Tables::new(mbs),
            references: Vec::new(),
            held: 0,
            filters: Vec::new(),
            bits: BitWriter::default(),
            macroblock: Box::default(),
            frames: 0,
        })
    }

    /// Codes a frame.
    ///
    /// # Errors
    ///
    /// When it has another size than was configured.
    pub fn encode(&mut self, frame: &Frame<'_>) -> Result<Packet, Error> {
        let (given, wanted) = ((frame.width(), frame.height()), (self.config.width, self.config.height));
        if given != wanted {
            return Err(Error::FrameSize { given, wanted });
        }
        let keyint = u64::from(self.config.keyint);
        let idr = self.frames.is_multiple_of(keyint);
        if idr {
            self.held = 0;
        }
        self.source.take(frame);
        self.tables.begin(idr);
        self.filters.clear();
        self.filters.push(SliceFilter::default());
        let mut bytes = Vec::new();
        if self.config.access_unit_delimiters {
            self.bits.clear();
            let Ok(()) = AccessUnitDelimiter { primary_pic_type: u8::from(!idr) }.walk(&mut self.bits);
            self.unit(&mut bytes, &NalUnitHeader::new(0, NalUnitType::AccessUnitDelimiter));
        }
        if idr && self.config.format == Format::AnnexB {
            self.parameter_sets(|encoder, header| encoder.unit(&mut bytes, header));
        }
        let mbs = self.tables.slice.len();
        let mut first = 0;
        while first < mbs {
            first = self.slice(first, idr, &mut bytes)?;
        }
        self.tables.deblock(&mut self.recon, &self.filters, self.config.chroma_qp_index_offset);
        let number = self.frames;
        self.frames += 1;
        if !self.frames.is_multiple_of(keyint) {
            self.refer();
        }
        Ok(Packet { bytes, keyframe: idr, number })
    }

    /// The picture can be referred to; the oldest no longer, if there are too many (8.2.5.3).
    fn refer(&mut self) {
        self.held = (self.held + 1).min(usize::from(self.sps.max_num_ref_frames));
        if self.references.len() < self.held {
            self.references.push(Reference::new(&self.recon));
        }
        // List 0 has the last picture first (8.2.4.2.1).
        self.references[..self.held].rotate_right(1);
        self.references[0].take(&self.recon);
    }

    /// Gives the frames that are still on their way: there are none, since each is coded as it comes.
    ///
    /// # Errors
    ///
    /// As [`encode`](Self::encode).
    pub fn flush(&mut self) -> Result<Option<Packet>, Error> {
        Ok(None)
    }

    /// The last frame as a decoder shows it.
    #[must_use]
    pub fn reconstruction(&self) -> Frame<'_> {
        self.recon.frame(self.config.width, self.config.height)
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

    /// `AVCDecoderConfigurationRecord`, which MP4 files have in their box `avcC`.
    pub fn configuration_record(&mut self) -> Vec<u8> {
        let mut sets = Vec::new();
        self.parameter_sets(|encoder, header| {
            let mut bytes = Vec::new();
            nal::append(&mut bytes, header, encoder.bits.bytes());
            sets.push(bytes.split_off(nal::PREFIX));
        });
        avcc::configuration_record(&[&sets[0]], &[&sets[1]])
    }

    /// Makes the bits of each parameter set, for something to be done with them.
    fn parameter_sets(&mut self, mut with: impl FnMut(&mut Self, &NalUnitHeader)) {
        self.bits.clear();
        let Ok(()) = self.sps.walk(&mut self.bits);
        self.bits.trailing_bits();
        with(self, &NalUnitHeader::new(3, NalUnitType::Sps));
        self.bits.clear();
        let Ok(()) = self.pps.walk(&mut self.bits);
        self.bits.trailing_bits();
        with(self, &NalUnitHeader::new(3, NalUnitType::Pps));
    }

    /// Appends a unit of the bits that there are, which are completed.
    fn unit(&mut self, bytes: &mut Vec<u8>, header: &NalUnitHeader) {
        if !self.bits.bits().is_multiple_of(8) {
            self.bits.trailing_bits();
        }
        let start = bytes.len();
        let length = nal::append(bytes, header, self.bits.bytes());
        let prefix = match self.config.format {
            Format::AnnexB => annex_b::START_CODE,
            Format::Avcc => avcc::length_prefix(length),
        };
        bytes[start..start + nal::PREFIX].copy_from_slice(&prefix);
    }

    /// Codes the slice that begins with a macroblock, and says where the next begins.
    fn slice(&mut self, first: usize, idr: bool, bytes: &mut Vec<u8>) -> Result<usize, Error> {
        let number = self.filters.len() as u16;
        let nal = if idr {
            NalUnitHeader::new(3, NalUnitType::IdrSlice)
        } else {
            NalUnitHeader::new(2, NalUnitType::Slice)
        };
        let keyint = u64::from(self.config.keyint);
        let default = self.pps.num_ref_idx_l0_default_active_minus1;
        let active = if idr { default } else { self.held as u8 - 1 };
        let deblocking = self.config.deblocking;
        let filtered = deblocking.edges.idc() != 1;
        let mut header = SliceHeader {
            first_mb_in_slice: first as u32,
            slice_type: if idr { slice_type::I } else { slice_type::P },
            frame_num: (self.frames % keyint % (1 << self.sps.frame_num_bits())) as u16,
            // Two IDR pictures in a row have different ones (7.4.3).
            idr_pic_id: if idr { (self.frames / keyint % 2) as u16 } else { 0 },
            num_ref_idx_active_override_flag: active != default,
            num_ref_idx_l0_active_minus1: active,
            slice_qp_delta: self.config.qp as i8 - 26 - self.pps.pic_init_qp_minus26,
            disable_deblocking_filter_idc: deblocking.edges.idc(),
            slice_alpha_c0_offset_div2: if filtered { deblocking.alpha } else { 0 },
            slice_beta_offset_div2: if filtered { deblocking.beta } else { 0 },
            ..SliceHeader::default()
        };
        header.walk(&mut Checker, &self.sps, &self.pps, &nal)?;
        self.filters.push(SliceFilter {
            disable_deblocking_filter_idc: header.disable_deblocking_filter_idc,
            filter_offset_a: 2 * header.slice_alpha_c0_offset_div2,
            filter_offset_b: 2 * header.slice_beta_offset_div2,
        });
        self.bits.clear();
        let Ok(()) = header.walk(&mut self.bits, &self.sps, &self.pps, &nal);
        let context = SliceContext { slice_type: header.kind(), num_ref_idx_l0_active_minus1: active };
        let qp = header.qp(&self.pps) as u8;
        let mut slice = Slice {
            source: &self.source,
            recon: &mut self.recon,
            tables: &mut self.tables,
            bits: &mut self.bits,
            quantisers: &self.quantisers,
            inter_quantisers: &self.inter_quantisers,
            constrained_intra_pred: self.config.constrained_intra_pred,
            references: &self.references[..self.held],
            max_vmv_r: self.max_vmv_r,
            most_vectors: self.most_vectors,
            context,
            number,
            qp,
            wanted_qp: self.config.qp,
        };
        let [rows, wide] = slice.tables.mbs;
        let mut address = first;
        loop {
            self.macroblock.code(&mut slice, address, &mut self.decisions);
            address += 1;
            if address == rows * wide {
                break;
            }
            // Slices have nearly as many rows as one another.
            let row = address / wide;
            let configured = address.is_multiple_of(wide)
                && row * self.config.slices / rows > (row - 1) * self.config.slices / rows;
            // There are as many numbers for slices as a picture is ever given.
            if number < u16::MAX - 1 && self.decisions.ends_slice(address - 1, configured) {
                break;
            }
        }
        self.macroblock.end(&mut slice, address);
        self.bits.trailing_bits();
        self.unit(bytes, &nal);
        Ok(address)
    }
}
