//! Supplemental enhancement information (7.3.2.3, D.1).

use alloc::vec::Vec;

use super::coder::{Coder, Descriptor, Element};
use super::sps::SeqParameterSet;
use super::vui::HrdParameters;

syntax! {
    /// `buffering_period` (D.1.1): payload type 0.
    pub struct BufferingPeriod as s, sps: &SeqParameterSet {
        /// Identifier of the sequence parameter set.
        seq_parameter_set_id: u8 = ue in 0..=31;
        let vui = &sps.vui;
        if (vui.nal_hrd_parameters_present_flag) {
            /// Delays of each buffer of the NAL HRD.
            nal: Vec<InitialCpbRemovalDelay> =
                structures i in (u32::from(vui.nal_hrd.cpb_cnt_minus1) + 1) with (&vui.nal_hrd);
        }
        if (vui.vcl_hrd_parameters_present_flag) {
            /// Delays of each buffer of the VCL HRD.
            vcl: Vec<InitialCpbRemovalDelay> =
                structures i in (u32::from(vui.vcl_hrd.cpb_cnt_minus1) + 1) with (&vui.vcl_hrd);
        }
    }
}

syntax! {
    /// Initial removal delay of one coded picture buffer.
    pub struct InitialCpbRemovalDelay as s, hrd: &HrdParameters {
        /// Time from the arrival of the first bit of the access unit to its removal, in units of 1/90000 s.
        initial_cpb_removal_delay: u32 = u(hrd.initial_cpb_removal_delay_length_minus1 + 1) in 1..=u32::MAX;
        /// Offset of the initial arrival time (D.2.1), in units of 1/90000 s.
        initial_cpb_removal_delay_offset: u32 = u(hrd.initial_cpb_removal_delay_length_minus1 + 1);
    }
}

/// HRD parameters that give the lengths of the delays in a picture timing message, if present.
fn delays(sps: &SeqParameterSet) -> Option<&HrdParameters> {
    let vui = &sps.vui;
    if vui.nal_hrd_parameters_present_flag {
        Some(&vui.nal_hrd)
    } else {
        vui.vcl_hrd_parameters_present_flag.then_some(&vui.vcl_hrd)
    }
}

/// `NumClockTS` (Table D-1).
const fn num_clock_ts(pic_struct: u8) -> u8 {
    match pic_struct {
        0..=2 => 1,
        3 | 4 | 7 => 2,
        _ => 3,
    }
}

syntax! {
    /// `pic_timing` (D.1.2): payload type 1.
    pub struct PicTiming as s, sps: &SeqParameterSet {
        let hrd = delays(sps);
        if (hrd.is_some()) {
            /// Clock ticks from the last buffering period to the removal of this picture from the CPB.
            cpb_removal_delay: u32 = u(hrd.map_or(0, |hrd| hrd.cpb_removal_delay_length_minus1) + 1);
            /// Clock ticks from the removal to the output of the picture.
            dpb_output_delay: u32 = u(hrd.map_or(0, |hrd| hrd.dpb_output_delay_length_minus1) + 1);
        }
        if (sps.vui.pic_struct_present_flag) {
            /// Picture structure (Table D-1): 0 is a frame.
            pic_struct: u8 = u(4) in 0..=8;
            /// Clock timestamps of the fields or frames.
            clock_timestamp: Vec<ClockTimestamp> = structures i in (num_clock_ts(s.pic_struct))
                with (hrd.map_or(24, |hrd| hrd.time_offset_length));
        }
    }
}

syntax! {
    /// Clock timestamp of `pic_timing`.
    pub struct ClockTimestamp as s, time_offset_length: u8 {
        /// Whether the timestamp is present.
        clock_timestamp_flag: bool = u(1);
        if (s.clock_timestamp_flag) {
            /// Scan type: 0 progressive, 1 interlaced, 2 unknown.
            ct_type: u8 = u(2) in 0..=2;
            /// Whether the clock counts fields.
            nuit_field_based_flag: bool = u(1);
            /// Counting method of dropped frame numbers (Table D-3).
            counting_type: u8 = u(5) in 0..=6;
            /// Whether seconds, minutes and hours all follow.
            full_timestamp_flag: bool = u(1);
            /// Whether the timestamp is discontinuous with the one before.
            discontinuity_flag: bool = u(1);
            /// Whether counts were dropped.
            cnt_dropped_flag: bool = u(1);
            /// Frame count.
            n_frames: u8 = u(8);
            if (s.full_timestamp_flag) {
                /// Seconds, minutes and hours.
                full: FullTimestamp = structure();
            } else {
                /// Whether seconds follow.
                seconds_flag: bool = u(1);
                if (s.seconds_flag) {
                    /// Seconds.
                    seconds_value: u8 = u(6) in 0..=59;
                    /// Whether minutes follow.
                    minutes_flag: bool = u(1);
                    if (s.minutes_flag) {
                        /// Minutes.
                        minutes_value: u8 = u(6) in 0..=59;
                        /// Whether hours follow.
                        hours_flag: bool = u(1);
                        if (s.hours_flag) {
                            /// Hours.
                            hours_value: u8 = u(5) in 0..=23;
                        }
                    }
                }
            }
            if (time_offset_length > 0) {
                /// Offset of the time, in units of the clock.
                time_offset: i32 = i(time_offset_length);
            }
        }
    }
}

syntax! {
    /// Full timestamp.
    pub struct FullTimestamp as s {
        /// Seconds.
        seconds_value: u8 = u(6) in 0..=59;
        /// Minutes.
        minutes_value: u8 = u(6) in 0..=59;
        /// Hours.
        hours_value: u8 = u(5) in 0..=23;
    }
}

syntax! {
    /// `user_data_unregistered` (D.1.7): payload type 5, with a payload of `payload_size` bytes.
    pub struct UserDataUnregistered as s, payload_size: usize {
        /// UUID that identifies the type of the data.
        uuid_iso_iec_11578: [u8; 16] = bytes(16);
        /// User data.
        user_data_payload_byte: Vec<u8> = bytes(payload_size.saturating_sub(16));
    }
}

/// Payload of an SEI message (D.1).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SeiPayload {
    /// Initial CPB removal delays, at the start of a buffering period.
    BufferingPeriod(BufferingPeriod),
    /// CPB removal and DPB output times of the picture.
    PicTiming(PicTiming),
    /// User data identified by a UUID.
    UserDataUnregistered(UserDataUnregistered),
    /// Other message: payload type and payload bytes.
    Other(u32, Vec<u8>),
}

impl Default for SeiPayload {
    fn default() -> Self {
        Self::Other(255, Vec::new())
    }
}

impl SeiPayload {
    /// `payloadType`.
    #[must_use]
    pub const fn payload_type(&self) -> u32 {
        match self {
            Self::BufferingPeriod(_) => 0,
            Self::PicTiming(_) => 1,
            Self::UserDataUnregistered(_) => 5,
            Self::Other(payload_type, _) => *payload_type,
        }
    }

    /// Memory for a message of this type.
    fn of(payload_type: u32) -> Self {
        match payload_type {
            0 => Self::BufferingPeriod(BufferingPeriod::default()),
            1 => Self::PicTiming(PicTiming::default()),
            5 => Self::UserDataUnregistered(UserDataUnregistered::default()),
            other => Self::Other(other, Vec::new()),
        }
    }
}

/// `sei_message` (7.3.2.3.1). The payload size has to be known before a walk; [`measure`](Self::measure) determines it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SeiMessage {
    /// Payload size, in bytes.
    pub payload_size: u32,
    /// Payload.
    pub payload: SeiPayload,
}

impl SeiMessage {
    /// A message with its size.
    #[must_use]
    pub fn measure(mut payload: SeiPayload, sps: &SeqParameterSet) -> Self {
        let payload_size = match &mut payload {
            SeiPayload::UserDataUnregistered(data) => 16 + data.user_data_payload_byte.len(),
            SeiPayload::Other(_, bytes) => bytes.len(),
            other => {
                let mut bits = crate::bitstream::BitWriter::default();
                let Ok(()) = payload_walk(other, &mut bits, sps, 0);
                bits.bits().div_ceil(8)
            }
        };
        Self { payload_size: payload_size as u32, payload }
    }

    /// Walks the elements in syntax order, and passes each to the coder.
    ///
    /// # Errors
    ///
    /// Errors of the coder.
    pub fn walk<C: Coder>(&mut self, coder: &mut C, sps: &SeqParameterSet) -> Result<(), C::Error> {
        coder.structure("SeiMessage");
        let mut payload_type = self.payload.payload_type();
        number(coder, "payload_type_byte", &mut payload_type)?;
        if payload_type != self.payload.payload_type() {
            self.payload = SeiPayload::of(payload_type);
        }
        number(coder, "payload_size_byte", &mut self.payload_size)?;
        payload_walk(&mut self.payload, coder, sps, self.payload_size as usize)?;
        // `sei_payload` (D.1) ends with a one and zeros where it does not end with a byte.
        let mut bit = 1_u8;
        while !coder.byte_aligned() {
            let range = i64::from(bit)..=i64::from(bit);
            let name = if bit == 1 { "bit_equal_to_one" } else { "bit_equal_to_zero" };
            let element = Element { name, index: None, descriptor: Descriptor::U(1), range };
            coder.element(&element, &mut bit)?;
            bit = 0;
        }
        Ok(())
    }
}

/// Walks `sei_payload`, without the bits that fill the last byte.
fn payload_walk<C: Coder>(
    payload: &mut SeiPayload,
    coder: &mut C,
    sps: &SeqParameterSet,
    size: usize,
) -> Result<(), C::Error> {
    match payload {
        SeiPayload::BufferingPeriod(period) => period.walk(coder, sps),
        SeiPayload::PicTiming(timing) => timing.walk(coder, sps),
        SeiPayload::UserDataUnregistered(data) => data.walk(coder, size),
        SeiPayload::Other(_, bytes) => {
            coder.length("reserved_sei_message_payload_byte", bytes, size)?;
            coder.bytes("reserved_sei_message_payload_byte", bytes)
        }
    }
}

/// A number as `ff_byte`s and a last byte below 255.
fn number<C: Coder>(coder: &mut C, name: &'static str, value: &mut u32) -> Result<(), C::Error> {
    let (mut left, mut found) = (*value, 0_u32);
    loop {
        let mut byte = left.min(255) as u8;
        coder.element(
            &Element { name, index: None, descriptor: Descriptor::U(8), range: 0..=255 },
            &mut byte,
        )?;
        found = found.saturating_add(u32::from(byte));
        left = left.saturating_sub(255);
        if byte < 255 {
            break;
        }
    }
    *value = found;
    Ok(())
}
