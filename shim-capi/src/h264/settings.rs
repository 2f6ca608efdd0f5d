//! The setters, one for each of the configuration's fields.

use std::ffi::c_int;

use shim_h264::{Color, Deblocking, Edges, Format, Matrix, Preset, RateControl, Vbv};

use super::{H264Encoder, fitting};
use crate::handle::call;
use crate::status::{Failure, SHIM_ERROR_VALUE, Status};

/// How much work decisions are worth: one of `SHIM_H264_PRESET_*`.
pub type H264Preset = u32;

/// The fastest.
pub const SHIM_H264_PRESET_ULTRAFAST: H264Preset = 0;
/// Between it and the next.
pub const SHIM_H264_PRESET_VERYFAST: H264Preset = 1;
/// Faster than the usual one.
pub const SHIM_H264_PRESET_FAST: H264Preset = 2;
/// The usual one.
pub const SHIM_H264_PRESET_MEDIUM: H264Preset = 3;
/// Smaller streams than the usual one's.
pub const SHIM_H264_PRESET_SLOW: H264Preset = 4;
/// The smallest streams.
pub const SHIM_H264_PRESET_VERYSLOW: H264Preset = 5;

/// Which edges of blocks are filtered: one of `SHIM_H264_DEBLOCKING_*`.
pub type H264Deblocking = u32;

/// All of them.
pub const SHIM_H264_DEBLOCKING_ALL: H264Deblocking = 0;
/// Those within slices.
pub const SHIM_H264_DEBLOCKING_WITHIN_SLICES: H264Deblocking = 1;
/// None.
pub const SHIM_H264_DEBLOCKING_NONE: H264Deblocking = 2;

/// How NAL units are told apart: one of `SHIM_H264_FORMAT_*`.
pub type H264Format = u32;

/// A start code before each, and parameter sets before each key frame: what files `.264` are.
pub const SHIM_H264_FORMAT_ANNEX_B: H264Format = 0;
/// Its length in four bytes before each, and parameter sets apart: what is in MP4 files.
pub const SHIM_H264_FORMAT_AVCC: H264Format = 1;

/// How much red, green and blue count for in luma: one of `SHIM_H264_MATRIX_*`.
pub type H264Matrix = u32;

/// BT.601, by its name of 525 lines (SMPTE 170M).
pub const SHIM_H264_MATRIX_BT601: H264Matrix = 0;
/// BT.709.
pub const SHIM_H264_MATRIX_BT709: H264Matrix = 1;
/// BT.601, by its name of 625 lines (BT.470 B/G).
pub const SHIM_H264_MATRIX_BT470BG: H264Matrix = 2;
/// SMPTE 240M.
pub const SHIM_H264_MATRIX_SMPTE240M: H264Matrix = 3;
/// BT.2020, non-constant luminance.
pub const SHIM_H264_MATRIX_BT2020: H264Matrix = 4;

/// Sets how many frames there are in a second, over a denominator. It is 30 over 1 if not set. With a variable frame rate it changes
/// between frames, for rate control; the stream goes on stating the first one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn shim_h264_encoder_set_frame_rate(
    encoder: *mut H264Encoder,
    frames: u32,
    denominator: u32,
) -> Status {
    // SAFETY: an encoder that was not freed, or null, by the rules of the library.
    unsafe {
        call(encoder, |encoder| {
            encoder.control(
                |encoder| encoder.set_frame_rate((frames, denominator)),
                |state| state.config.frame_rate = (frames, denominator),
            )
        })
    }
}

/// Sets, if not 0, that the frame rate may change between frames: the stream does not promise a fixed one then, and cannot have a
/// buffer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn shim_h264_encoder_set_variable_frame_rate(
    encoder: *mut H264Encoder,
    variable: c_int,
) -> Status {
    let variable = variable != 0;
    // SAFETY: an encoder that was not freed, or null, by the rules of the library.
    unsafe { call(encoder, |encoder| encoder.change(|config| config.variable_frame_rate = variable)) }
}

/// Sets the same quantization parameter for all frames, 0 (nearest to the source) to 51 (smallest stream). Of this, a quality and a bit
/// rate the last that is set counts; if none is set, the quality is 23. All three change between frames.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn shim_h264_encoder_set_qp(encoder: *mut H264Encoder, qp: u32) -> Status {
    let action = |encoder: &H264Encoder| {
        let qp = fitting("qp", qp)?;
        encoder.set_rate_control(RateControl::ConstantQp(qp))
    };
    // SAFETY: an encoder that was not freed, or null, by the rules of the library.
    unsafe { call(encoder, action) }
}

/// Sets a quality that frames have about the same of to the eye, on the scale of the quantization parameter, 0 to 51.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn shim_h264_encoder_set_quality(encoder: *mut H264Encoder, quality: f32) -> Status {
    let rate = RateControl::ConstantQuality(quality);
    // SAFETY: an encoder that was not freed, or null, by the rules of the library.
    unsafe { call(encoder, |encoder| encoder.set_rate_control(rate)) }
}

/// Sets the average bit rate of the stream, in bits per second. `shim_h264_missed_bit_rate` tells if the stream misses it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn shim_h264_encoder_set_bit_rate(
    encoder: *mut H264Encoder,
    bits_per_second: u64,
) -> Status {
    let rate = RateControl::AverageBitRate(bits_per_second);
    // SAFETY: an encoder that was not freed, or null, by the rules of the library.
    unsafe { call(encoder, |encoder| encoder.set_rate_control(rate)) }
}

/// Sets the number of frames of the stream, if it is known: an average bit rate is then met at the end of a short stream too. The
/// stream may turn out shorter or longer. With 0, as if not set, it is not known.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn shim_h264_encoder_set_expected_frames(
    encoder: *mut H264Encoder,
    frames: u64,
) -> Status {
    let frames = (frames != 0).then_some(frames);
    // SAFETY: an encoder that was not freed, or null, by the rules of the library.
    unsafe { call(encoder, |encoder| encoder.change(|config| config.expected_frames = frames)) }
}

/// Adds an offset, -51 to 51, to the quantization parameter of the frames that follow, whatever that is set by; 0 takes it back. It
/// changes between frames.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn shim_h264_encoder_set_qp_offset(encoder: *mut H264Encoder, offset: f32) -> Status {
    let action = |encoder: &H264Encoder| {
        if !(-51.0..=51.0).contains(&offset) {
            return Err(shim_h264::Error::QpOffset(offset).into());
        }
        encoder.control(|encoder| encoder.set_qp_offset(offset), |state| state.qp_offset = offset)
    };
    // SAFETY: an encoder that was not freed, or null, by the rules of the library.
    unsafe { call(encoder, action) }
}

/// Makes the next frame a key frame, at which decoding can begin. With a buffer it is the first frame at which one fits.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn shim_h264_encoder_force_keyframe(encoder: *mut H264Encoder) -> Status {
    let force = |encoder: &mut shim_h264::Encoder| {
        encoder.force_keyframe();
        Ok(())
    };
    // The first frame is one anyway.
    // SAFETY: an encoder that was not freed, or null, by the rules of the library.
    unsafe { call(encoder, |encoder| encoder.control(force, |_| ())) }
}

/// Sets the maximum size in bytes, at least 64, of a NAL unit of a slice, with its header and emulation prevention, without the start
/// code or length before it; frames get more slices where needed. With 0, as if not set, there is none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn shim_h264_encoder_set_max_slice_size(
    encoder: *mut H264Encoder,
    bytes: usize,
) -> Status {
    let most = (bytes != 0).then_some(bytes);
    // SAFETY: an encoder that was not freed, or null, by the rules of the library.
    unsafe { call(encoder, |encoder| encoder.change(|config| config.max_slice_size = most)) }
}

/// Sets the buffer of a decoder, which is never to run out: how many bits a second come into it at most, and for how many there is room.
/// With both 0, as if not set, there is none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn shim_h264_encoder_set_buffer(
    encoder: *mut H264Encoder,
    max_bits_per_second: u64,
    buffer_bits: u64,
) -> Status {
    let vbv =
        (max_bits_per_second != 0 || buffer_bits != 0).then(|| Vbv::new(max_bits_per_second, buffer_bits));
    // SAFETY: an encoder that was not freed, or null, by the rules of the library.
    unsafe { call(encoder, |encoder| encoder.change(|config| config.vbv = vbv)) }
}

/// Sets, if not 0, that decoding can begin also at a frame that has little to do with the one before. It is so if not set.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn shim_h264_encoder_set_scene_cut(
    encoder: *mut H264Encoder,
    scene_cut: c_int,
) -> Status {
    let scene_cut = scene_cut != 0;
    // SAFETY: an encoder that was not freed, or null, by the rules of the library.
    unsafe { call(encoder, |encoder| encoder.change(|config| config.scene_cut = scene_cut)) }
}

/// Sets how many frames there are to such a one at least from another at which decoding can begin; with 0, as if not set, a tenth of
/// the most, or those of a second if they are fewer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn shim_h264_encoder_set_min_keyint(encoder: *mut H264Encoder, frames: u32) -> Status {
    let frames = (frames != 0).then_some(frames);
    // SAFETY: an encoder that was not freed, or null, by the rules of the library.
    unsafe { call(encoder, |encoder| encoder.change(|config| config.min_keyint = frames)) }
}

/// Sets what QP of chroma is more, -12 to 12.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn shim_h264_encoder_set_chroma_qp_offset(
    encoder: *mut H264Encoder,
    offset: c_int,
) -> Status {
    let action = |encoder: &H264Encoder| {
        let offset = signed("offset", offset)?;
        encoder.change(|config| config.chroma_qp_index_offset = offset)
    };
    // SAFETY: an encoder that was not freed, or null, by the rules of the library.
    unsafe { call(encoder, action) }
}

/// Sets how much work decisions are worth.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn shim_h264_encoder_set_preset(
    encoder: *mut H264Encoder,
    preset: H264Preset,
) -> Status {
    let action = |encoder: &H264Encoder| {
        let known = match preset {
            SHIM_H264_PRESET_ULTRAFAST => Preset::Ultrafast,
            SHIM_H264_PRESET_VERYFAST => Preset::Veryfast,
            SHIM_H264_PRESET_FAST => Preset::Fast,
            SHIM_H264_PRESET_MEDIUM => Preset::Medium,
            SHIM_H264_PRESET_SLOW => Preset::Slow,
            SHIM_H264_PRESET_VERYSLOW => Preset::Veryslow,
            _ => return Err(Failure::unknown("preset", preset)),
        };
        encoder.change(|config| config.preset = known)
    };
    // SAFETY: an encoder that was not freed, or null, by the rules of the library.
    unsafe { call(encoder, action) }
}

/// Sets the maximum distance between key frames, at which decoding can begin, in frames: with 1 all are such. It is 250 if not set.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn shim_h264_encoder_set_keyint(encoder: *mut H264Encoder, frames: u32) -> Status {
    // SAFETY: an encoder that was not freed, or null, by the rules of the library.
    unsafe { call(encoder, |encoder| encoder.change(|config| config.keyint = frames)) }
}

/// Sets how many frames one is predicted from, 1 to 16.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn shim_h264_encoder_set_references(
    encoder: *mut H264Encoder,
    references: u32,
) -> Status {
    let action = |encoder: &H264Encoder| {
        let references = fitting("references", references)?;
        encoder.change(|config| config.references = references)
    };
    // SAFETY: an encoder that was not freed, or null, by the rules of the library.
    unsafe { call(encoder, action) }
}

/// Sets, if not 0, that what stands by itself in a frame is not predicted from what comes of others.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn shim_h264_encoder_set_constrained_intra(
    encoder: *mut H264Encoder,
    constrained: c_int,
) -> Status {
    let constrained = constrained != 0;
    // SAFETY: an encoder that was not freed, or null, by the rules of the library.
    unsafe { call(encoder, |encoder| encoder.change(|config| config.constrained_intra_pred = constrained)) }
}

/// Sets how many slices a frame has, each of whole rows of macroblocks: 1 to a sixteenth of its height, rounded up. It is slices
/// that are divided among threads.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn shim_h264_encoder_set_slices(encoder: *mut H264Encoder, slices: usize) -> Status {
    // SAFETY: an encoder that was not freed, or null, by the rules of the library.
    unsafe { call(encoder, |encoder| encoder.change(|config| config.slices = slices)) }
}

/// Sets how many threads work on a frame; 0 are as many as there are cores. The stream is the same for any number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn shim_h264_encoder_set_threads(encoder: *mut H264Encoder, threads: usize) -> Status {
    let action = |encoder: &H264Encoder| {
        // A mistake rather than a wish.
        if threads > 1024 {
            return Err(Failure::new(SHIM_ERROR_VALUE, format!("{threads} threads are not 0 to 1024")));
        }
        encoder.change(|config| config.threads = threads)
    };
    // SAFETY: an encoder that was not freed, or null, by the rules of the library.
    unsafe { call(encoder, action) }
}

/// Sets which edges of blocks are filtered, and how: `alpha` and `beta` are -6 to 6, the more the stronger.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn shim_h264_encoder_set_deblocking(
    encoder: *mut H264Encoder,
    edges: H264Deblocking,
    alpha: c_int,
    beta: c_int,
) -> Status {
    let action = |encoder: &H264Encoder| {
        let known = match edges {
            SHIM_H264_DEBLOCKING_ALL => Edges::All,
            SHIM_H264_DEBLOCKING_WITHIN_SLICES => Edges::WithinSlices,
            SHIM_H264_DEBLOCKING_NONE => Edges::None,
            _ => return Err(Failure::unknown("edges", edges)),
        };
        let (alpha, beta) = (signed("alpha", alpha)?, signed("beta", beta)?);
        encoder.change(|config| config.deblocking = Deblocking { edges: known, alpha, beta })
    };
    // SAFETY: an encoder that was not freed, or null, by the rules of the library.
    unsafe { call(encoder, action) }
}

/// Sets the level, ten times its number, and 9 for 1b; with 0, as if not set, it is the lowest that fits.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn shim_h264_encoder_set_level(encoder: *mut H264Encoder, level: u32) -> Status {
    let action = |encoder: &H264Encoder| {
        let level: u8 = fitting("level", level)?;
        encoder.change(|config| config.level = (level != 0).then_some(level))
    };
    // SAFETY: an encoder that was not freed, or null, by the rules of the library.
    unsafe { call(encoder, action) }
}

/// Sets how NAL units are told apart.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn shim_h264_encoder_set_format(
    encoder: *mut H264Encoder,
    format: H264Format,
) -> Status {
    let action = |encoder: &H264Encoder| {
        let known = match format {
            SHIM_H264_FORMAT_ANNEX_B => Format::AnnexB,
            SHIM_H264_FORMAT_AVCC => Format::Avcc,
            _ => return Err(Failure::unknown("format", format)),
        };
        encoder.change(|config| config.format = known)
    };
    // SAFETY: an encoder that was not freed, or null, by the rules of the library.
    unsafe { call(encoder, action) }
}

/// Sets, if not 0, that an access unit delimiter is put before each frame.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn shim_h264_encoder_set_access_unit_delimiters(
    encoder: *mut H264Encoder,
    delimiters: c_int,
) -> Status {
    let delimiters = delimiters != 0;
    // SAFETY: an encoder that was not freed, or null, by the rules of the library.
    unsafe { call(encoder, |encoder| encoder.change(|config| config.access_unit_delimiters = delimiters)) }
}

/// Sets what luma and chroma mean, which is written into the stream: the matrix, and whether samples use all values. Frames of
/// red, green and blue are converted accordingly, and by BT.709 in the limited range if nothing was set before the stream began.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn shim_h264_encoder_set_color(
    encoder: *mut H264Encoder,
    matrix: H264Matrix,
    full_range: c_int,
) -> Status {
    let action = |encoder: &H264Encoder| {
        let matrix = match matrix {
            SHIM_H264_MATRIX_BT601 => Matrix::Bt601,
            SHIM_H264_MATRIX_BT709 => Matrix::Bt709,
            SHIM_H264_MATRIX_BT470BG => Matrix::Bt470bg,
            SHIM_H264_MATRIX_SMPTE240M => Matrix::Smpte240m,
            SHIM_H264_MATRIX_BT2020 => Matrix::Bt2020,
            _ => return Err(Failure::unknown("matrix", matrix)),
        };
        encoder.change(|config| config.color = Some(Color { matrix, full_range: full_range != 0 }))
    };
    // SAFETY: an encoder that was not freed, or null, by the rules of the library.
    unsafe { call(encoder, action) }
}

/// Sets the sample aspect ratio, width over height of a sample, which is written into the stream: each 1 to 65535.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn shim_h264_encoder_set_sample_aspect_ratio(
    encoder: *mut H264Encoder,
    width: u32,
    height: u32,
) -> Status {
    let action = |encoder: &H264Encoder| {
        let ratio: (u16, u16) = (fitting("width", width)?, fitting("height", height)?);
        if ratio.0 == 0 || ratio.1 == 0 {
            return Err(shim_h264::Error::SampleAspectRatio(ratio.0, ratio.1).into());
        }
        encoder.change(|config| config.sample_aspect_ratio = Some(ratio))
    };
    // SAFETY: an encoder that was not freed, or null, by the rules of the library.
    unsafe { call(encoder, action) }
}

/// Sets whether (not 0) samples use all values, which is written into the stream where no color is set.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn shim_h264_encoder_set_full_range(
    encoder: *mut H264Encoder,
    full_range: c_int,
) -> Status {
    // SAFETY: an encoder that was not freed, or null, by the rules of the library.
    unsafe { call(encoder, |encoder| encoder.change(|config| config.full_range = Some(full_range != 0))) }
}

/// Sets color primaries and transfer characteristics, which are written into the stream: code points of Tables E-3 and E-4 of
/// H.264, 2 where unspecified.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn shim_h264_encoder_set_color_description(
    encoder: *mut H264Encoder,
    primaries: u32,
    transfer: u32,
) -> Status {
    let action = |encoder: &H264Encoder| {
        let codes = (fitting("primaries", primaries)?, fitting("transfer", transfer)?);
        encoder.change(|config| (config.primaries, config.transfer) = codes)
    };
    // SAFETY: an encoder that was not freed, or null, by the rules of the library.
    unsafe { call(encoder, action) }
}

impl H264Encoder {
    /// Sets what the quantization parameter follows, also between frames.
    fn set_rate_control(&self, rate: RateControl) -> Result<(), Failure> {
        self.control(|encoder| encoder.set_rate_control(rate), |state| state.config.rate = rate)
    }
}

/// A number that may be negative, and is small.
fn signed(name: &str, value: c_int) -> Result<i8, Failure> {
    i8::try_from(value).map_err(|_| Failure::new(SHIM_ERROR_VALUE, format!("`{name}` is {value}")))
}
