//! Whether the stream has the bit rate asked for.

use shim_h264::MissedBitRate;

use super::{H264Encoder, Stage, lost};
use crate::handle::call;
use crate::memory::sized;
use crate::status::Status;

/// An average bit rate that a stream may miss. Begin with one of zeros (`shim_h264_bit_rate rate = {0};`) but for the
/// size.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct H264BitRate {
    /// `sizeof(shim_h264_bit_rate)`: says which version of the structure it is.
    pub struct_size: usize,
    /// Bit rate asked for, in bits per second; 0 if it is not missed.
    pub target: u64,
    /// Bit rate of the stream so far, in bits per second; 0 if the target is not missed.
    pub actual: f64,
    /// 1 if the stream misses the target by a tenth or more, and 0 otherwise.
    pub missed: u32,
    /// 1 if QP is at its limit (51 above the target, 0 below it) and cannot do more, and 0 otherwise.
    pub at_qp_limit: u32,
}

impl H264BitRate {
    pub(super) const NOT_MISSED: Self =
        Self { struct_size: size_of::<Self>(), target: 0, actual: 0.0, missed: 0, at_qp_limit: 0 };
}

impl From<MissedBitRate> for H264BitRate {
    fn from(missed: MissedBitRate) -> Self {
        Self {
            target: missed.target,
            actual: missed.actual,
            missed: 1,
            at_qp_limit: missed.at_qp_limit.into(),
            ..Self::NOT_MISSED
        }
    }
}

/// Gets whether the stream misses its average bit rate by a tenth or more, since it began or since the last change of a
/// setting between frames, and by how much. Streams of less than two seconds, and those without a bit rate, miss
/// nothing. Of `*rate` only `struct_size` is read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn shim_h264_missed_bit_rate(
    encoder: *mut H264Encoder,
    rate: *mut H264BitRate,
) -> Status {
    let action = |encoder: &H264Encoder| {
        // SAFETY: a structure whose first field says its size, or null, by the rules of the library.
        unsafe { sized(rate.cast_const(), &[], "rate") }?;
        let missed = encoder.with_state(|state| match &state.stage {
            Stage::Settings => Ok(None),
            Stage::Frames(encoder) => Ok(encoder.missed_bit_rate()),
            Stage::Lost => Err(lost()),
        });
        let found = missed.as_ref().ok().copied().flatten().map_or(H264BitRate::NOT_MISSED, Into::into);
        // SAFETY: a structure of this size, by the rules of the library; it is not null, and no alignment is needed.
        unsafe { rate.write_unaligned(found) };
        missed.map(|_| ())
    };
    // SAFETY: an encoder that was not freed, or null, by the rules of the library.
    unsafe { call(encoder, action) }
}
