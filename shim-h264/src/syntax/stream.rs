//! A parser of whole streams, NAL unit by NAL unit, for tests and inspection.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use super::check::SyntaxError;
use super::coder::{Both, Coder};
use super::macroblock::{SliceContext, SliceDataIteration};
use super::nal::{AccessUnitDelimiter, NalUnitHeader};
use super::pps::PicParameterSet;
use super::read::Reader;
use super::residual::{NeighborTables, Neighbors};
use super::sei::SeiMessage;
use super::slice::{SliceHeader, slice_type};
use super::sps::SeqParameterSet;
use super::trace::Trace;
use crate::bitstream::nal;
use crate::kernels::picture::Tables;

/// Contents of a NAL unit.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unit {
    /// Slice.
    Slice {
        /// Slice header.
        header: SliceHeader,
        /// Macroblocks.
        rounds: Vec<SliceDataIteration>,
    },
    /// Supplemental enhancement information (SEI) messages.
    Sei(Vec<SeiMessage>),
    /// Sequence parameter set.
    Sps(SeqParameterSet),
    /// Picture parameter set.
    Pps(PicParameterSet),
    /// Access unit delimiter.
    Delimiter(AccessUnitDelimiter),
    /// Other NAL unit, of which only the header is parsed.
    Other(NalUnitHeader),
}

/// A parser of the NAL units of a stream that also prints their elements.
///
/// ```
/// use shim_h264::bitstream::annex_b;
/// use shim_h264::syntax::stream::StreamReader;
/// use shim_h264::{Config, Encoder, Frame};
///
/// let mut encoder = Encoder::new(Config::new(16, 16))?;
/// encoder.encode(&Frame::i420(16, 16, &[90; 384])?)?;
/// let packet = encoder.flush()?.ok_or("there is no frame")?;
/// let mut reader = StreamReader::default();
/// for unit in annex_b::units(&packet.bytes) {
///     reader.read(unit)?;
/// }
/// let trace = reader.trace.take();
/// assert!(trace.lines().any(|line| line.starts_with("@8") && line.contains("profile_idc") && line.ends_with("(66)")));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct StreamReader {
    /// Text printed so far.
    pub trace: Trace,
    sps: BTreeMap<u8, SeqParameterSet>,
    pps: BTreeMap<u8, PicParameterSet>,
    tables: Tables,
    number: u16,
}

impl StreamReader {
    /// Parses a NAL unit without its start code or length prefix.
    ///
    /// # Errors
    ///
    /// When the unit violates the syntax, refers to a missing parameter set, or uses an unsupported feature.
    pub fn read(&mut self, unit: &[u8]) -> Result<Unit, SyntaxError> {
        let mut header = NalUnitHeader::default();
        // Positions are those of the unit's bits, without emulation prevention.
        let rbsp = [&unit[..unit.len().min(1)], &nal::rbsp(unit)].concat();
        let mut trace = core::mem::take(&mut self.trace);
        trace.restart();
        let mut coder = Both(Reader::new(&rbsp), trace);
        let read = header.walk(&mut coder).and_then(|()| self.payload(&header, &mut coder));
        self.trace = coder.1;
        read
    }

    fn payload(
        &mut self,
        header: &NalUnitHeader,
        coder: &mut Both<Reader<'_>, Trace>,
    ) -> Result<Unit, SyntaxError> {
        Ok(match header.nal_unit_type {
            1 | 5 => self.slice(header, coder)?,
            6 => {
                let mut messages = Vec::new();
                // Delays are as long as the one parameter set there usually is says.
                let sps = self.sps.values().next().cloned().unwrap_or_default();
                while coder.more_rbsp_data(true)? {
                    let mut message = SeiMessage::default();
                    message.walk(coder, &sps)?;
                    messages.push(message);
                }
                Unit::Sei(messages)
            }
            7 => {
                let mut sps = SeqParameterSet::default();
                sps.walk(coder)?;
                self.sps.insert(sps.seq_parameter_set_id, sps.clone());
                Unit::Sps(sps)
            }
            8 => {
                let mut pps = PicParameterSet::default();
                pps.walk(coder)?;
                self.pps.insert(pps.pic_parameter_set_id, pps.clone());
                Unit::Pps(pps)
            }
            9 => {
                let mut delimiter = AccessUnitDelimiter::default();
                delimiter.walk(coder)?;
                Unit::Delimiter(delimiter)
            }
            _ => Unit::Other(header.clone()),
        })
    }

    fn slice(
        &mut self,
        nal: &NalUnitHeader,
        coder: &mut Both<Reader<'_>, Trace>,
    ) -> Result<Unit, SyntaxError> {
        // The number of the set comes behind two other elements.
        let mut ahead = coder.0.clone();
        let name = "pic_parameter_set_id";
        let mut number = || ahead.0.ue().map_err(|at| SyntaxError::Bits { name, at });
        let id = (number()?, number()?, number()?).2;
        let missing = SyntaxError::Required { name, why: "the parameter sets must precede it (7.4.1.2.1)" };
        let pps = u8::try_from(id).ok().and_then(|id| self.pps.get(&id)).ok_or(missing.clone())?;
        let sps = self.sps.get(&pps.seq_parameter_set_id).ok_or(missing)?;
        coder.require(
            "slice_data",
            !pps.entropy_coding_mode_flag && !pps.transform_8x8_mode_flag && sps.frame_mbs_only_flag,
            "CABAC, the 8x8 transform and fields are not supported",
        )?;
        let mut header = SliceHeader::default();
        header.walk(coder, sps, pps, nal)?;
        coder.require("slice_type", header.kind() != slice_type::B, "B slices are not supported")?;

        let [high, wide] = [sps.frame_height_in_mbs(), sps.pic_width_in_mbs()];
        if [self.tables.mbs_high, self.tables.mbs_wide] != [high, wide] {
            self.tables = Tables::new([high, wide]);
        }
        let address = header.first_mb_in_slice as usize;
        coder.require("first_mb_in_slice", address < high * wide, "the address is outside the picture")?;
        // Without arbitrary order a picture begins with its first macroblock.
        if address == 0 {
            self.tables.slice.fill(0);
            self.number = 0;
        }
        self.number = self.number.saturating_add(1);
        let context = SliceContext {
            slice_type: header.kind(),
            num_ref_idx_l0_active_minus1: header.num_ref_idx_l0_active_minus1,
        };
        let tables = NeighborTables::Update(self.tables.rows(0..high));
        let mut neighbors = Neighbors { tables, mbs_wide: wide, number: self.number, address };
        let mut rounds = Vec::new();
        loop {
            let mut round = SliceDataIteration::default();
            round.walk(coder, context, &mut neighbors)?;
            rounds.push(round);
            if !coder.more_rbsp_data(true)? {
                return Ok(Unit::Slice { header, rounds });
            }
        }
    }
}
