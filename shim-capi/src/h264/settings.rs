//! H.264 settings, with one setter for each field of the configuration.

use std::ffi::c_int;

use shim_h264::{Color, Deblocking, Edges, Format, Matrix, Preset, RateControl, Tune, Vbv};

use super::{H264Encoder, fitting};
use crate::handle::call;
use crate::memory::bytes;
use crate::status::{Failure, SHIM_ERROR_VALUE, Status};

/// Trade-off between speed and compression: one of `SHIM_H264_PRESET_*`.
pub type H264Preset = u32;

/// Fastest.
pub const SHIM_H264_PRESET_ULTRAFAST: H264Preset = 0;
/// Slower than ultrafast, faster than veryfast.
pub const SHIM_H264_PRESET_SUPERFAST: H264Preset = 1;
/// Slower than superfast, faster than fast.
pub const SHIM_H264_PRESET_VERYFAST: H264Preset = 2;
/// Faster than medium.
pub const SHIM_H264_PRESET_FAST: H264Preset = 3;
/// Default.
pub const SHIM_H264_PRESET_MEDIUM: H264Preset = 4;
/// Smaller streams than medium.
pub const SHIM_H264_PRESET_SLOW: H264Preset = 5;
/// Smaller streams than slow.
pub const SHIM_H264_PRESET_SLOWER: H264Preset = 6;
/// Smallest streams.
pub const SHIM_H264_PRESET_VERYSLOW: H264Preset = 7;

/// Kind of content or use: one of `SHIM_H264_TUNE_*`.
pub type H264Tune = u32;
/// PSNR: no adaptive quantization.
pub const SHIM_H264_TUNE_PSNR: H264Tune = 0;
/// SSIM: adaptive quantization of strength 1.3.
pub const SHIM_H264_TUNE_SSIM: H264Tune = 1;
/// Film: deblocking -1:-1.
pub const SHIM_H264_TUNE_FILM: H264Tune = 2;
/// Animation: deblocking 1:1, adaptive quantization of strength 0.6.
pub const SHIM_H264_TUNE_ANIMATION: H264Tune = 3;
/// Film grain: deblocking -2:-2, adaptive quantization of strength 0.5.
pub const SHIM_H264_TUNE_GRAIN: H264Tune = 4;
/// Slideshow: deblocking -3:-3, adaptive quantization of strength 1.2.
pub const SHIM_H264_TUNE_STILLIMAGE: H264Tune = 5;
/// Fast decoding: no deblocking.
pub const SHIM_H264_TUNE_FASTDECODE: H264Tune = 6;
/// Low latency: no look-ahead.
pub const SHIM_H264_TUNE_ZEROLATENCY: H264Tune = 7;

/// Edges that the deblocking filter processes: one of `SHIM_H264_DEBLOCKING_*`.
pub type H264Deblocking = u32;

/// All edges.
pub const SHIM_H264_DEBLOCKING_ALL: H264Deblocking = 0;
/// Edges within slices.
pub const SHIM_H264_DEBLOCKING_WITHIN_SLICES: H264Deblocking = 1;
/// No edges.
pub const SHIM_H264_DEBLOCKING_NONE: H264Deblocking = 2;

/// Framing of NAL units: one of `SHIM_H264_FORMAT_*`.
pub type H264Format = u32;

/// Byte stream: a start code before each NAL unit, and parameter sets before each keyframe. The format of `.264` files.
pub const SHIM_H264_FORMAT_ANNEX_B: H264Format = 0;
/// Length-prefixed NAL units, with four-byte lengths and separate parameter sets. The format of MP4 files.
pub const SHIM_H264_FORMAT_AVCC: H264Format = 1;

/// Matrix coefficients: one of `SHIM_H264_MATRIX_*`.
pub type H264Matrix = u32;

/// BT.601, 525 lines (SMPTE 170M).
pub const SHIM_H264_MATRIX_BT601: H264Matrix = 0;
/// BT.709.
pub const SHIM_H264_MATRIX_BT709: H264Matrix = 1;
/// BT.601, 625 lines (BT.470 B/G).
pub const SHIM_H264_MATRIX_BT470BG: H264Matrix = 2;
/// SMPTE 240M.
pub const SHIM_H264_MATRIX_SMPTE240M: H264Matrix = 3;
/// BT.2020, non-constant luminance.
pub const SHIM_H264_MATRIX_BT2020: H264Matrix = 4;

/// Sets the frame rate in frames per second, as a fraction. 30/1 by default. With a variable frame rate it can change
/// between frames, for rate control; the stream keeps stating the first one.
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

/// Whether (not 0) the frame rate may change between frames. The stream then does not declare a fixed frame rate, and
/// cannot have a VBV. Off by default.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn shim_h264_encoder_set_variable_frame_rate(
    encoder: *mut H264Encoder,
    variable: c_int,
) -> Status {
    let variable = variable != 0;
    // SAFETY: an encoder that was not freed, or null, by the rules of the library.
    unsafe { call(encoder, |encoder| encoder.change(|config| config.variable_frame_rate = variable)) }
}

/// Selects constant QP, 0 (best) to 51 (smallest stream). Of this, the quality and the bit rate, the last one set takes
/// effect; the default is quality 23. All three can change between frames.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn shim_h264_encoder_set_qp(encoder: *mut H264Encoder, qp: u32) -> Status {
    let action = |encoder: &H264Encoder| {
        let qp = fitting("qp", qp)?;
        encoder.set_rate_control(RateControl::ConstantQp(qp))
    };
    // SAFETY: an encoder that was not freed, or null, by the rules of the library.
    unsafe { call(encoder, action) }
}

/// Selects constant quality (CRF), 0 (best) to 51 (smallest stream), on the scale of QP.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn shim_h264_encoder_set_quality(encoder: *mut H264Encoder, quality: f32) -> Status {
    let rate = RateControl::ConstantQuality(quality);
    // SAFETY: an encoder that was not freed, or null, by the rules of the library.
    unsafe { call(encoder, |encoder| encoder.set_rate_control(rate)) }
}

/// Selects an average bit rate (ABR), in bit/s. `shim_h264_missed_bit_rate` reports whether the stream misses it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn shim_h264_encoder_set_bit_rate(
    encoder: *mut H264Encoder,
    bits_per_second: u64,
) -> Status {
    let rate = RateControl::AverageBitRate(bits_per_second);
    // SAFETY: an encoder that was not freed, or null, by the rules of the library.
    unsafe { call(encoder, |encoder| encoder.set_rate_control(rate)) }
}

/// Sets the number of frames of the stream, if known: a short stream then also meets its average bit rate at its end. A
/// hint: the stream may have more or fewer frames. 0, the default, is unknown.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn shim_h264_encoder_set_expected_frames(
    encoder: *mut H264Encoder,
    frames: u64,
) -> Status {
    let frames = (frames != 0).then_some(frames);
    // SAFETY: an encoder that was not freed, or null, by the rules of the library.
    unsafe { call(encoder, |encoder| encoder.change(|config| config.expected_frames = frames)) }
}

/// Sets an offset of -51 to 51 for the QP of the following frames, under any rate control method; 0 removes it. It can
/// change between frames.
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

/// Makes the next frame a keyframe, at which decoding can start. With a VBV, the keyframe waits for the first frame at
/// which it fits the buffer.
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

/// Sets the maximum size of a slice NAL unit in bytes, at least 64, including header and emulation prevention, but not
/// the start code or length prefix. Frames get more slices where needed. 0, the default, is no limit.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn shim_h264_encoder_set_max_slice_size(
    encoder: *mut H264Encoder,
    bytes: usize,
) -> Status {
    let most = (bytes != 0).then_some(bytes);
    // SAFETY: an encoder that was not freed, or null, by the rules of the library.
    unsafe { call(encoder, |encoder| encoder.change(|config| config.max_slice_size = most)) }
}

/// Sets the VBV, the buffer of the decoder that must not underflow: maximum bit rate in bit/s, and buffer size in bits.
/// Both 0, the default, is no VBV.
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

/// Whether (not 0) to insert keyframes at scene cuts. On by default, except for `ultrafast`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn shim_h264_encoder_set_scene_cut(
    encoder: *mut H264Encoder,
    scene_cut: c_int,
) -> Status {
    let scene_cut = scene_cut != 0;
    // SAFETY: an encoder that was not freed, or null, by the rules of the library.
    unsafe { call(encoder, |encoder| encoder.change(|config| config.scene_cut = Some(scene_cut))) }
}

/// Sets the minimum interval before a scene-cut keyframe, in frames. 0, the default, is a tenth of the maximum keyframe
/// interval, or the frames of one second if they are fewer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn shim_h264_encoder_set_min_keyint(encoder: *mut H264Encoder, frames: u32) -> Status {
    let frames = (frames != 0).then_some(frames);
    // SAFETY: an encoder that was not freed, or null, by the rules of the library.
    unsafe { call(encoder, |encoder| encoder.change(|config| config.min_keyint = frames)) }
}

/// Sets the offset of the chroma QP, -12 to 12. 0 by default.
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

/// Sets the trade-off between speed and compression. Medium by default.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn shim_h264_encoder_set_preset(
    encoder: *mut H264Encoder,
    preset: H264Preset,
) -> Status {
    let action = |encoder: &H264Encoder| {
        let known = match preset {
            SHIM_H264_PRESET_ULTRAFAST => Preset::Ultrafast,
            SHIM_H264_PRESET_SUPERFAST => Preset::Superfast,
            SHIM_H264_PRESET_VERYFAST => Preset::Veryfast,
            SHIM_H264_PRESET_FAST => Preset::Fast,
            SHIM_H264_PRESET_MEDIUM => Preset::Medium,
            SHIM_H264_PRESET_SLOW => Preset::Slow,
            SHIM_H264_PRESET_SLOWER => Preset::Slower,
            SHIM_H264_PRESET_VERYSLOW => Preset::Veryslow,
            _ => return Err(Failure::unknown("preset", preset)),
        };
        encoder.change(|config| config.preset = known)
    };
    // SAFETY: an encoder that was not freed, or null, by the rules of the library.
    unsafe { call(encoder, action) }
}

/// Sets the sizes of the pictures in a first pass over the same frames with the same settings, as
/// `shim_h264_first_pass` returns them (also of another run): the bit rate is then met with the same quality
/// throughout. No bytes discard them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn shim_h264_encoder_set_first_pass(
    encoder: *mut H264Encoder,
    text: *const u8,
    size: usize,
) -> Status {
    let action = |encoder: &H264Encoder| {
        // SAFETY: that many bytes, or null, by the rules of the library.
        let text = unsafe { bytes(text.cast(), size, "text") }?;
        let pass = match std::str::from_utf8(text) {
            Ok("") => None,
            Ok(text) => Some(text.parse::<shim_h264::FirstPass>()?),
            Err(_) => return Err(Failure::new(SHIM_ERROR_VALUE, "`text` is not that of a first pass")),
        };
        encoder.change(|config| config.first_pass = pass)
    };
    // SAFETY: an encoder that was not freed, or null, by the rules of the library.
    unsafe { call(encoder, action) }
}

/// Sets the maximum keyframe interval, in frames (1: intra only). 250 by default.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn shim_h264_encoder_set_keyint(encoder: *mut H264Encoder, frames: u32) -> Status {
    // SAFETY: an encoder that was not freed, or null, by the rules of the library.
    unsafe { call(encoder, |encoder| encoder.change(|config| config.keyint = frames)) }
}

/// Sets the number of frames that the encoder takes before it encodes the first of them, at most 250: the packet of a
/// frame comes so many frames later, unless QP is constant. 0 has no latency. That of the preset by default: 0 for
/// `ultrafast` and `superfast`, 20 for the others.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn shim_h264_encoder_set_lookahead(encoder: *mut H264Encoder, frames: u32) -> Status {
    // SAFETY: an encoder that was not freed, or null, by the rules of the library.
    unsafe { call(encoder, |encoder| encoder.change(|config| config.lookahead = Some(frames as usize))) }
}

/// Sets whether the QP of a macroblock is lower the more of later frames depends on it, as far as the look-ahead sees.
/// On (1) by default.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn shim_h264_encoder_set_mb_tree(encoder: *mut H264Encoder, mb_tree: c_int) -> Status {
    let mb_tree = mb_tree != 0;
    // SAFETY: an encoder that was not freed, or null, by the rules of the library.
    unsafe { call(encoder, |encoder| encoder.change(|config| config.mb_tree = mb_tree)) }
}

/// Sets the strength of adaptive quantization, 0 to 3: smooth macroblocks get a lower QP than busy ones. 0 disables it.
/// That of the preset by default: 0 for `ultrafast` and `superfast`, 1 for the others.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn shim_h264_encoder_set_aq_strength(
    encoder: *mut H264Encoder,
    strength: f32,
) -> Status {
    // SAFETY: an encoder that was not freed, or null, by the rules of the library.
    unsafe { call(encoder, |encoder| encoder.change(|config| config.aq_strength = Some(strength))) }
}

/// Sets what belongs to a kind of content or a use (`SHIM_H264_TUNE_*`). Settings that are changed afterwards take
/// precedence.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn shim_h264_encoder_set_tune(encoder: *mut H264Encoder, tune: H264Tune) -> Status {
    let action = |encoder: &H264Encoder| {
        let known = *Tune::ALL.get(tune as usize).ok_or_else(|| Failure::unknown("tune", tune))?;
        encoder.change(|config| config.tune(known))
    };
    // SAFETY: an encoder that was not freed, or null, by the rules of the library.
    unsafe { call(encoder, action) }
}

/// Sets the number of reference frames, 1 to 16. 0, the default, is that of the preset.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn shim_h264_encoder_set_references(
    encoder: *mut H264Encoder,
    references: u32,
) -> Status {
    let action = |encoder: &H264Encoder| {
        let references = fitting("references", references)?;
        encoder.change(|config| config.references = (references != 0).then_some(references))
    };
    // SAFETY: an encoder that was not freed, or null, by the rules of the library.
    unsafe { call(encoder, action) }
}

/// Whether (not 0) to predict Intra macroblocks only from Intra macroblocks. Off by default.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn shim_h264_encoder_set_constrained_intra(
    encoder: *mut H264Encoder,
    constrained: c_int,
) -> Status {
    let constrained = constrained != 0;
    // SAFETY: an encoder that was not freed, or null, by the rules of the library.
    unsafe { call(encoder, |encoder| encoder.change(|config| config.constrained_intra_pred = constrained)) }
}

/// Sets the number of slices per frame, each of whole macroblock rows: 1, the default, to the number of macroblock
/// rows. Threads encode slices in parallel.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn shim_h264_encoder_set_slices(encoder: *mut H264Encoder, slices: usize) -> Status {
    // SAFETY: an encoder that was not freed, or null, by the rules of the library.
    unsafe { call(encoder, |encoder| encoder.change(|config| config.slices = slices)) }
}

/// Sets the number of threads; 0 is one per core. 1 by default. The stream does not depend on it.
///
/// With one slice per frame, constant quality or QP, no VBV and a look-ahead, several frames are encoded at once, which
/// adds four frames per thread to the delay of packets. Otherwise each slice of a frame gets a thread.
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

/// Sets the edges that the deblocking filter processes, and its offsets `alpha` and `beta`, -6 to 6: higher values
/// filter more strongly. By default all, and none with `ultrafast`.
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
        encoder.change(|config| config.deblocking = Deblocking { edges: Some(known), alpha, beta })
    };
    // SAFETY: an encoder that was not freed, or null, by the rules of the library.
    unsafe { call(encoder, action) }
}

/// Sets the level times ten, such as 31 for level 3.1; 9 is level 1b. 0, the default, is the lowest that fits.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn shim_h264_encoder_set_level(encoder: *mut H264Encoder, level: u32) -> Status {
    let action = |encoder: &H264Encoder| {
        let level: u8 = fitting("level", level)?;
        encoder.change(|config| config.level = (level != 0).then_some(level))
    };
    // SAFETY: an encoder that was not freed, or null, by the rules of the library.
    unsafe { call(encoder, action) }
}

/// Sets the framing of NAL units. Annex B by default.
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

/// Whether (not 0) to begin each access unit with an access unit delimiter. Off by default.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn shim_h264_encoder_set_access_unit_delimiters(
    encoder: *mut H264Encoder,
    delimiters: c_int,
) -> Status {
    let delimiters = delimiters != 0;
    // SAFETY: an encoder that was not freed, or null, by the rules of the library.
    unsafe { call(encoder, |encoder| encoder.change(|config| config.access_unit_delimiters = delimiters)) }
}

/// Sets `idr_pic_id` of the first IDR picture, 0 to 255; those that follow alternate between it and the next number. 0
/// by default. Streams that are joined need different ones, such as 0 and 2 in turn.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn shim_h264_encoder_set_first_idr_pic_id(
    encoder: *mut H264Encoder,
    first: u8,
) -> Status {
    // SAFETY: an encoder that was not freed, or null, by the rules of the library.
    unsafe { call(encoder, |encoder| encoder.change(|config| config.first_idr_pic_id = first)) }
}

/// Sets the matrix coefficients and range of the samples, which the stream states. RGB frames are converted
/// accordingly, or if this is not set before the stream starts, by BT.709 from 720 rows on and by BT.601 below, which the stream then
/// states.
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

/// Sets the sample aspect ratio, width and height of a sample, each 1 to 65535, which the stream states.
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

/// Sets whether (not 0) samples have full range, which the stream states if no color is set.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn shim_h264_encoder_set_full_range(
    encoder: *mut H264Encoder,
    full_range: c_int,
) -> Status {
    // SAFETY: an encoder that was not freed, or null, by the rules of the library.
    unsafe { call(encoder, |encoder| encoder.change(|config| config.full_range = Some(full_range != 0))) }
}

/// Sets color primaries and transfer characteristics, which the stream states: code points of Tables E-3 and E-4 of
/// H.264, 2 if unspecified.
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
