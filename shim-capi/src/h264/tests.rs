use super::*;
use crate::*;
use shim_h264::{Color, Config, Deblocking, Edges, Encoder, Format, Frame, Matrix, Preset, RateControl, Vbv};
use std::ptr::null;

const WIDTH: usize = 48;
const HEIGHT: usize = 34;

/// Frames of noise that fades, I420.
fn frames() -> Vec<Vec<u8>> {
    (0..3)
        .map(|n| (0..WIDTH * HEIGHT * 3 / 2).map(|i: usize| (i * i / 7 % (256 - 80 * n)) as u8).collect())
        .collect()
}

fn described(samples: &[u8], pixels: H264Pixels) -> H264Frame {
    let mut frame = H264Frame { width: WIDTH as u32, height: HEIGHT as u32, pixels, ..H264Frame::EMPTY };
    let planes = if pixels == SHIM_H264_PIXELS_I420 {
        let (luma, chroma) = samples.split_at(WIDTH * HEIGHT);
        let (cb, cr) = chroma.split_at(chroma.len() / 2);
        [luma, cb, cr]
    } else if pixels == SHIM_H264_PIXELS_NV12 {
        let (luma, chroma) = samples.split_at(WIDTH * HEIGHT);
        [luma, chroma, &[]]
    } else {
        [samples, &[], &[]]
    };
    frame.planes = planes.map(<[u8]>::as_ptr);
    frame.plane_sizes = planes.map(<[u8]>::len);
    frame
}

/// The packets of an encoder.
fn packets(encoder: *mut H264Encoder, frames: &[Vec<u8>], pixels: H264Pixels) -> Vec<Vec<u8>> {
    let mut packet = H264Packet::NONE;
    let mut packets = Vec::new();
    let mut push = |packet: &H264Packet| {
        if packet.data.is_null() {
            return false;
        }
        assert_eq!(packet.number, packets.len() as u64);
        // SAFETY: the bytes of a packet are valid until the next call.
        packets.push(unsafe { std::slice::from_raw_parts(packet.data, packet.size) }.to_vec());
        true
    };
    for samples in frames {
        let frame = described(samples, pixels);
        // SAFETY: all objects are live.
        let status = unsafe { shim_h264_encode(encoder, &raw const frame, &raw mut packet) };
        assert_eq!(status, SHIM_OK, "{}", message(encoder));
        push(&packet);
    }
    loop {
        // SAFETY: as above.
        assert_eq!(unsafe { shim_h264_flush(encoder, &raw mut packet) }, SHIM_OK);
        if !push(&packet) {
            break;
        }
    }
    assert_eq!(packet.size, 0);
    packets
}

fn message(encoder: *mut H264Encoder) -> String {
    // SAFETY: a live encoder; the text is read at once.
    unsafe { CStr::from_ptr(shim_h264_error_message(encoder)) }.to_str().unwrap().to_owned()
}

fn wanted(config: &Config) -> Vec<Vec<u8>> {
    let mut encoder = Encoder::new(config.clone()).unwrap();
    let frames = frames();
    let mut packets: Vec<_> = frames
        .iter()
        .filter_map(|samples| encoder.encode(&Frame::i420(WIDTH, HEIGHT, samples).unwrap()).unwrap())
        .collect();
    packets.extend(std::iter::from_fn(|| encoder.flush().unwrap()));
    packets.into_iter().map(|packet| packet.bytes).collect()
}

/// That `set` succeeds, on an encoder whose packets are then those of the configuration that `change` makes, and that
/// it is `later` once frames were coded.
macro_rules! succeeds {
    ($later:expr, $set:ident($($argument:expr),*), $change:expr) => {
        let mut config = Config::new(WIDTH, HEIGHT);
        let change: fn(&mut Config) = $change;
        change(&mut config);
        let encoder = shim_h264_encoder_new(WIDTH as u32, HEIGHT as u32);
        // SAFETY: the encoder is live, and freed last.
        unsafe {
            assert_eq!($set(encoder $(, $argument)*), SHIM_OK);
            assert!(packets(encoder, &frames(), SHIM_H264_PIXELS_I420) == wanted(&config), "{config:?}");
            assert_eq!($set(encoder $(, $argument)*), $later, "{}", message(encoder));
            assert_eq!($set(null_mut() $(, $argument)*), SHIM_ERROR_NULL);
            shim_h264_encoder_free(encoder);
        }
    };
}

/// [`succeeds`] for what is settled before the first frame.
macro_rules! sets {
    ($($call:tt)*) => { succeeds!(SHIM_ERROR_STARTED, $($call)*) };
}

/// [`succeeds`] for what changes between frames, too.
macro_rules! controls {
    ($($call:tt)*) => { succeeds!(SHIM_OK, $($call)*) };
}

/// That `set` is refused at once, and says why.
macro_rules! refuses {
    ($set:ident($($argument:expr),*)) => {
        let encoder = shim_h264_encoder_new(WIDTH as u32, HEIGHT as u32);
        // SAFETY: the encoder is live, and freed last.
        unsafe {
            assert_eq!($set(encoder $(, $argument)*), SHIM_ERROR_VALUE);
            assert_ne!(message(encoder), "");
            assert!(packets(encoder, &frames(), SHIM_H264_PIXELS_I420) == wanted(&Config::new(WIDTH, HEIGHT)));
            shim_h264_encoder_free(encoder);
        }
    };
}

#[test]
fn every_setter_is_a_field() {
    controls!(shim_h264_encoder_set_qp(40), |config| config.rate = RateControl::ConstantQp(40));
    controls!(shim_h264_encoder_set_quality(31.5), |config| config.rate = RateControl::ConstantQuality(31.5));
    controls!(shim_h264_encoder_set_qp_offset(0.0), |_| {});
    controls!(shim_h264_encoder_force_keyframe(), |_| {});
    sets!(shim_h264_encoder_set_max_slice_size(100), |config| config.max_slice_size = Some(100));
    sets!(shim_h264_encoder_set_max_slice_size(0), |_| {});
    sets!(shim_h264_encoder_set_variable_frame_rate(1), |config| config.variable_frame_rate = true);
    controls!(shim_h264_encoder_set_bit_rate(90_000), |config| config.rate =
        RateControl::AverageBitRate(90_000));
    sets!(shim_h264_encoder_set_buffer(4_000_000, 2_000_000), |config| {
        config.vbv = Some(Vbv::new(4_000_000, 2_000_000));
    });
    sets!(shim_h264_encoder_set_buffer(0, 0), |_| {});
    sets!(shim_h264_encoder_set_scene_cut(0), |config| config.scene_cut = Some(false));
    sets!(shim_h264_encoder_set_min_keyint(1), |config| config.min_keyint = Some(1));
    sets!(shim_h264_encoder_set_min_keyint(0), |_| {});
    controls!(shim_h264_encoder_set_frame_rate(24000, 1001), |config| config.frame_rate = (24000, 1001));
    sets!(shim_h264_encoder_set_chroma_qp_offset(-5), |config| config.chroma_qp_index_offset = -5);
    sets!(shim_h264_encoder_set_preset(SHIM_H264_PRESET_ULTRAFAST), |config| config.preset =
        Preset::Ultrafast);
    sets!(shim_h264_encoder_set_preset(SHIM_H264_PRESET_SUPERFAST), |config| config.preset =
        Preset::Superfast);
    sets!(shim_h264_encoder_set_preset(SHIM_H264_PRESET_SLOWER), |config| config.preset = Preset::Slower);
    sets!(shim_h264_encoder_set_preset(SHIM_H264_PRESET_SLOW), |config| config.preset = Preset::Slow);
    sets!(shim_h264_encoder_set_preset(SHIM_H264_PRESET_VERYSLOW), |config| config.preset = Preset::Veryslow);
    sets!(shim_h264_encoder_set_keyint(9), |config| config.keyint = 9);
    sets!(shim_h264_encoder_set_lookahead(2), |config| config.lookahead = Some(2));
    sets!(shim_h264_encoder_set_mb_tree(0), |config| config.mb_tree = false);
    sets!(shim_h264_encoder_set_aq_strength(2.0), |config| config.aq_strength = Some(2.0));
    sets!(shim_h264_encoder_set_tune(SHIM_H264_TUNE_FILM), |config| config.tune(shim_h264::Tune::Film));
    refuses!(shim_h264_encoder_set_tune(8));
    sets!(shim_h264_encoder_set_references(3), |config| config.references = Some(3));
    sets!(shim_h264_encoder_set_constrained_intra(7), |config| config.constrained_intra_pred = true);
    sets!(shim_h264_encoder_set_slices(3), |config| config.slices = 3);
    sets!(shim_h264_encoder_set_threads(3), |_| {});
    sets!(shim_h264_encoder_set_threads(0), |_| {});
    sets!(shim_h264_encoder_set_deblocking(SHIM_H264_DEBLOCKING_WITHIN_SLICES, -2, 3), |config| {
        config.deblocking = Deblocking { edges: Some(Edges::WithinSlices), alpha: -2, beta: 3 };
    });
    sets!(shim_h264_encoder_set_deblocking(SHIM_H264_DEBLOCKING_NONE, 0, 0), |config| {
        config.deblocking.edges = Some(Edges::None);
    });
    sets!(shim_h264_encoder_set_level(40), |config| config.level = Some(40));
    sets!(shim_h264_encoder_set_format(SHIM_H264_FORMAT_AVCC), |config| config.format = Format::Avcc);
    sets!(shim_h264_encoder_set_first_idr_pic_id(2), |config| config.first_idr_pic_id = 2);
    sets!(shim_h264_encoder_set_access_unit_delimiters(1), |config| config.access_unit_delimiters = true);
    sets!(shim_h264_encoder_set_color(SHIM_H264_MATRIX_BT601, 1), |config| {
        config.color = Some(Color { matrix: Matrix::Bt601, full_range: true });
    });
    sets!(shim_h264_encoder_set_color(SHIM_H264_MATRIX_BT709, 0), |config| {
        config.color = Some(Color { matrix: Matrix::Bt709, full_range: false });
    });
    sets!(shim_h264_encoder_set_color(SHIM_H264_MATRIX_BT470BG, 0), |config| {
        config.color = Some(Color { matrix: Matrix::Bt470bg, full_range: false });
    });
    sets!(shim_h264_encoder_set_color(SHIM_H264_MATRIX_SMPTE240M, 0), |config| {
        config.color = Some(Color { matrix: Matrix::Smpte240m, full_range: false });
    });
    sets!(shim_h264_encoder_set_color(SHIM_H264_MATRIX_BT2020, 0), |config| {
        config.color = Some(Color { matrix: Matrix::Bt2020, full_range: false });
    });
    sets!(shim_h264_encoder_set_expected_frames(7), |config| config.expected_frames = Some(7));
    sets!(shim_h264_encoder_set_expected_frames(0), |_| {});
    sets!(shim_h264_encoder_set_sample_aspect_ratio(4, 3), |config| config.sample_aspect_ratio =
        Some((4, 3)));
    sets!(shim_h264_encoder_set_full_range(1), |config| config.full_range = Some(true));
    sets!(shim_h264_encoder_set_color_description(9, 16), |config| {
        (config.primaries, config.transfer) = (9, 16);
    });
}

#[test]
fn what_no_setting_can_be_is_refused() {
    refuses!(shim_h264_encoder_set_qp(256));
    refuses!(shim_h264_encoder_set_qp_offset(51.5));
    refuses!(shim_h264_encoder_set_qp_offset(f32::NAN));
    refuses!(shim_h264_encoder_set_chroma_qp_offset(-129));
    refuses!(shim_h264_encoder_set_preset(8));
    refuses!(shim_h264_encoder_set_references(u32::MAX));
    refuses!(shim_h264_encoder_set_threads(usize::MAX));
    refuses!(shim_h264_encoder_set_deblocking(3, 0, 0));
    refuses!(shim_h264_encoder_set_deblocking(0, 1000, 0));
    refuses!(shim_h264_encoder_set_level(300));
    refuses!(shim_h264_encoder_set_format(2));
    refuses!(shim_h264_encoder_set_color(5, 0));
    refuses!(shim_h264_encoder_set_sample_aspect_ratio(0, 1));
    refuses!(shim_h264_encoder_set_sample_aspect_ratio(1, 65_536));
    refuses!(shim_h264_encoder_set_color_description(256, 2));
}

/// Calls between frames have the same effect in C and in Rust.
#[test]
fn control_between_frames_is_that_of_the_encoder() {
    let mut config = Config::new(WIDTH, HEIGHT);
    (config.variable_frame_rate, config.level, config.scene_cut) = (true, Some(30), Some(false));
    config.lookahead = Some(0);
    let mut coder = Encoder::new(config).unwrap();
    let encoder = shim_h264_encoder_new(WIDTH as u32, HEIGHT as u32);
    let mut packet = H264Packet::NONE;
    // SAFETY: all objects are live, what is shown is read before the next call, and the encoder is freed last.
    unsafe {
        assert_eq!(shim_h264_encoder_set_variable_frame_rate(encoder, 1), SHIM_OK);
        assert_eq!(shim_h264_encoder_set_level(encoder, 30), SHIM_OK);
        assert_eq!(shim_h264_encoder_set_scene_cut(encoder, 0), SHIM_OK);
        assert_eq!(shim_h264_encoder_set_lookahead(encoder, 0), SHIM_OK);
        let mut keyframes = Vec::new();
        for (n, samples) in frames().iter().cycle().take(9).enumerate() {
            let (pts, user_data) = (-3 * n as i64, u64::MAX - n as u64);
            let statuses = match n {
                1 => {
                    coder.set_rate_control(RateControl::AverageBitRate(60_000)).unwrap();
                    [shim_h264_encoder_set_bit_rate(encoder, 60_000), SHIM_OK]
                }
                2 => {
                    coder.force_keyframe();
                    coder.set_frame_rate((15, 1)).unwrap();
                    [
                        shim_h264_encoder_force_keyframe(encoder),
                        shim_h264_encoder_set_frame_rate(encoder, 15, 1),
                    ]
                }
                4 => {
                    coder.set_qp_offset(4.5).unwrap();
                    coder.set_rate_control(RateControl::ConstantQuality(30.0)).unwrap();
                    [
                        shim_h264_encoder_set_qp_offset(encoder, 4.5),
                        shim_h264_encoder_set_quality(encoder, 30.0),
                    ]
                }
                6 => {
                    coder.set_rate_control(RateControl::ConstantQp(20)).unwrap();
                    [shim_h264_encoder_set_qp(encoder, 20), SHIM_OK]
                }
                _ => [SHIM_OK; 2],
            };
            assert_eq!(statuses, [SHIM_OK; 2], "{}", message(encoder));
            if n > 0 {
                // A refused call changes nothing.
                assert_eq!(shim_h264_encoder_set_qp(encoder, 52), SHIM_ERROR_VALUE);
                assert_eq!(shim_h264_encoder_set_bit_rate(encoder, 1 << 40), SHIM_ERROR_LEVEL);
                assert_eq!(shim_h264_encoder_set_frame_rate(encoder, 0, 1), SHIM_ERROR_VALUE);
                assert_eq!(shim_h264_encoder_set_qp_offset(encoder, -60.0), SHIM_ERROR_VALUE);
                assert_eq!(shim_h264_encoder_set_max_slice_size(encoder, 100), SHIM_ERROR_STARTED);
            }
            let frame = H264Frame { pts, user_data, ..described(samples, SHIM_H264_PIXELS_I420) };
            assert_eq!(shim_h264_encode(encoder, &raw const frame, &raw mut packet), SHIM_OK);
            let given = Frame::i420(WIDTH, HEIGHT, samples).unwrap();
            let wanted = coder.encode(&given).unwrap().unwrap();
            assert!(std::slice::from_raw_parts(packet.data, packet.size) == wanted.bytes, "frame {n}");
            assert_eq!((packet.pts, packet.user_data), (pts, user_data));
            keyframes.extend((packet.keyframe == 1).then_some(n));
        }
        assert_eq!(keyframes, [0, 2]);
        shim_h264_encoder_free(encoder);
    }
}

/// A second pass is the same as in Rust.
#[test]
fn two_passes_are_those_of_the_encoder() {
    let mut config = Config::new(WIDTH, HEIGHT);
    config.rate = RateControl::AverageBitRate(200_000);
    let passes = |config: &Config, first: Option<&[u8]>| {
        let encoder = shim_h264_encoder_new(WIDTH as u32, HEIGHT as u32);
        let mut text = H264Bytes { data: null(), size: 0 };
        // SAFETY: all objects are live, what is shown is read before the next call, and the encoder is freed last.
        unsafe {
            assert_eq!(shim_h264_encoder_set_bit_rate(encoder, 200_000), SHIM_OK);
            let (data, size) = first.map_or((null(), 0), |text| (text.as_ptr(), text.len()));
            assert_eq!(
                shim_h264_encoder_set_first_pass(encoder, data, size),
                SHIM_OK,
                "{}",
                message(encoder)
            );
            assert!(packets(encoder, &frames(), SHIM_H264_PIXELS_I420) == wanted(config));
            assert_eq!(shim_h264_first_pass(encoder, &raw mut text), SHIM_OK);
            let text = std::slice::from_raw_parts(text.data, text.size).to_vec();
            assert_eq!(
                shim_h264_encoder_set_first_pass(encoder, text.as_ptr(), text.len()),
                SHIM_ERROR_STARTED
            );
            shim_h264_encoder_free(encoder);
            text
        }
    };
    let first = passes(&config, None);
    config.first_pass = Some(std::str::from_utf8(&first).unwrap().parse().unwrap());
    passes(&config, Some(&first));
    let encoder = shim_h264_encoder_new(WIDTH as u32, HEIGHT as u32);
    for wrong in [&b"I 20 100"[..], b"\xff", &first[1..]] {
        // SAFETY: the encoder is live, and freed last.
        let status = unsafe { shim_h264_encoder_set_first_pass(encoder, wrong.as_ptr(), wrong.len()) };
        assert_eq!(status, SHIM_ERROR_VALUE);
    }
    // SAFETY: as above.
    unsafe {
        assert_eq!(shim_h264_encoder_set_first_pass(encoder, null(), 3), SHIM_ERROR_NULL);
        assert_eq!(shim_h264_first_pass(encoder, null_mut()), SHIM_ERROR_NULL);
        shim_h264_encoder_free(encoder);
    }
}

/// The length of a stream counts for its bit rate, and a rate that is missed is told as in Rust.
#[test]
fn bit_rates_are_met_and_missed_as_in_the_encoder() {
    const FRAMES: u64 = 9;
    for (target, missed) in [(1_000, true), (100_000_000, true), (60_000, false)] {
        let mut config = Config::new(WIDTH, HEIGHT);
        (config.rate, config.frame_rate) = (RateControl::AverageBitRate(target), (4, 1));
        (config.expected_frames, config.lookahead, config.aq_strength) = (Some(FRAMES), Some(0), Some(0.0));
        let mut coder = Encoder::new(config).unwrap();
        let encoder = shim_h264_encoder_new(WIDTH as u32, HEIGHT as u32);
        let (mut packet, mut rate) = (H264Packet::NONE, H264BitRate::NOT_MISSED);
        // SAFETY: all objects are live, what is shown is read before the next call, and the encoder is freed last.
        unsafe {
            assert_eq!(shim_h264_encoder_set_bit_rate(encoder, target), SHIM_OK);
            assert_eq!(shim_h264_encoder_set_frame_rate(encoder, 4, 1), SHIM_OK);
            assert_eq!(shim_h264_encoder_set_expected_frames(encoder, FRAMES), SHIM_OK);
            assert_eq!(shim_h264_encoder_set_lookahead(encoder, 0), SHIM_OK);
            assert_eq!(shim_h264_encoder_set_aq_strength(encoder, 0.0), SHIM_OK);
            (rate.missed, rate.target, rate.actual) = (7, 7, 7.0);
            assert_eq!(shim_h264_missed_bit_rate(encoder, &raw mut rate), SHIM_OK);
            assert_eq!((rate.missed, rate.target, rate.actual), (0, 0, 0.0), "before the stream begins");
            for samples in frames().iter().cycle().take(FRAMES as usize) {
                let frame = described(samples, SHIM_H264_PIXELS_I420);
                assert_eq!(shim_h264_encode(encoder, &raw const frame, &raw mut packet), SHIM_OK);
                let coded = coder.encode(&Frame::i420(WIDTH, HEIGHT, samples).unwrap()).unwrap().unwrap();
                assert!(std::slice::from_raw_parts(packet.data, packet.size) == coded.bytes);
                assert_eq!(shim_h264_missed_bit_rate(encoder, &raw mut rate), SHIM_OK);
                let told = (rate.missed == 1)
                    .then(|| (rate.target, rate.actual.to_bits(), u32::from(rate.at_qp_limit == 1)));
                let known = coder.missed_bit_rate();
                let known = known.map(|it| (it.target, it.actual.to_bits(), it.at_qp_limit.into()));
                assert_eq!(told, known);
            }
            assert_eq!(rate.missed == 1, missed, "{target}");
            shim_h264_encoder_free(encoder);
        }
    }
}

#[test]
fn a_first_frame_that_is_refused_leaves_the_settings_open() {
    let encoder = shim_h264_encoder_new(WIDTH as u32, HEIGHT as u32);
    let samples = vec![0; (WIDTH + 2) * HEIGHT * 4];
    let mut packet = H264Packet::NONE;
    // SAFETY: all objects are live, and the encoder is freed last.
    unsafe {
        for pixels in [SHIM_H264_PIXELS_I420, SHIM_H264_PIXELS_RGBA] {
            let mut frame = described(&samples, pixels);
            frame.width += 2;
            frame.plane_sizes = if pixels == SHIM_H264_PIXELS_I420 {
                frame.planes = [samples.as_ptr(); 3];
                [samples.len(); 3]
            } else {
                [samples.len(), 0, 0]
            };
            assert_eq!(shim_h264_encode(encoder, &raw const frame, &raw mut packet), SHIM_ERROR_DIMENSIONS);
            assert_eq!(shim_h264_encoder_set_qp(encoder, 40), SHIM_OK, "{}", message(encoder));
        }
    }
    let mut config = Config::new(WIDTH, HEIGHT);
    config.rate = RateControl::ConstantQp(40);
    assert!(packets(encoder, &frames(), SHIM_H264_PIXELS_I420) == wanted(&config));
    // SAFETY: as above.
    unsafe { shim_h264_encoder_free(encoder) };
}

/// Pairs of chroma are the same frame as planes.
#[test]
fn nv12_frames_are_those_of_planes() {
    let pairs: Vec<Vec<u8>> = frames()
        .into_iter()
        .map(|samples| {
            let (luma, chroma) = samples.split_at(WIDTH * HEIGHT);
            let (cb, cr) = chroma.split_at(chroma.len() / 2);
            [luma, &cb.iter().zip(cr).flat_map(|(&cb, &cr)| [cb, cr]).collect::<Vec<u8>>()].concat()
        })
        .collect();
    let encoder = shim_h264_encoder_new(WIDTH as u32, HEIGHT as u32);
    assert!(packets(encoder, &pairs, SHIM_H264_PIXELS_NV12) == wanted(&Config::new(WIDTH, HEIGHT)));
    // SAFETY: the encoder is live, and freed last.
    unsafe { shim_h264_encoder_free(encoder) };
}

#[test]
fn pixels_are_converted_as_the_stream_says() {
    let samples: Vec<Vec<u8>> =
        (0..2).map(|n| (0..WIDTH * HEIGHT * 4).map(|i| (i * (3 + n)) as u8).collect()).collect();
    for (pixels, known) in [
        (SHIM_H264_PIXELS_RGB, shim_h264::Pixels::Rgb),
        (SHIM_H264_PIXELS_BGR, shim_h264::Pixels::Bgr),
        (SHIM_H264_PIXELS_RGBA, shim_h264::Pixels::Rgba),
        (SHIM_H264_PIXELS_BGRA, shim_h264::Pixels::Bgra),
        (SHIM_H264_PIXELS_GRAY, shim_h264::Pixels::Gray),
    ] {
        let mut config = Config::new(WIDTH, HEIGHT);
        (config.color, config.lookahead) = (Some(Color::SD), Some(0));
        let mut coder = Encoder::new(config).unwrap();
        let mut conversion = shim_h264::Conversion::new(WIDTH, HEIGHT, known, Color::SD).unwrap();
        let wanted: Vec<Vec<u8>> = samples
            .iter()
            .map(|samples| {
                let frame = conversion.frame(samples, known.bytes() * WIDTH).unwrap();
                coder.encode(&frame).unwrap().unwrap().bytes
            })
            .collect();
        let encoder = shim_h264_encoder_new(WIDTH as u32, HEIGHT as u32);
        // SAFETY: the encoder is live.
        assert_eq!(unsafe { shim_h264_encoder_set_lookahead(encoder, 0) }, SHIM_OK);
        assert!(packets(encoder, &samples, pixels) == wanted, "{known:?}");
        // SAFETY: the encoder is live, and freed last.
        unsafe { shim_h264_encoder_free(encoder) };
    }
    // A stream that has begun as one of luma and chroma says nothing of a matrix.
    let encoder = shim_h264_encoder_new(WIDTH as u32, HEIGHT as u32);
    packets(encoder, &frames(), SHIM_H264_PIXELS_I420);
    let (frame, mut packet) = (described(&samples[0], SHIM_H264_PIXELS_RGB), H264Packet::NONE);
    // SAFETY: the encoder is live, and freed last.
    unsafe {
        assert_eq!(shim_h264_encode(encoder, &raw const frame, &raw mut packet), SHIM_ERROR_STARTED);
        assert!(packet.data.is_null());
        shim_h264_encoder_free(encoder);
    }
}

#[test]
fn parameter_sets_and_reconstructions_are_shown() {
    let mut coder = Encoder::new(Config::new(WIDTH, HEIGHT)).unwrap();
    let encoder = shim_h264_encoder_new(WIDTH as u32, HEIGHT as u32);
    // SAFETY: all objects are live, what is shown is read before the next call, and the encoder is freed last.
    unsafe {
        let (mut sps, mut pps) = (H264Bytes { data: null(), size: 0 }, H264Bytes { data: null(), size: 0 });
        assert_eq!(shim_h264_parameter_sets(encoder, &raw mut sps, &raw mut pps), SHIM_OK);
        let of = |bytes: H264Bytes| std::slice::from_raw_parts(bytes.data, bytes.size).to_vec();
        assert_eq!([of(sps), of(pps)], coder.parameter_sets());
        assert_eq!(shim_h264_configuration_record(encoder, &raw mut sps), SHIM_OK);
        assert_eq!(of(sps), coder.configuration_record());
        assert_eq!(shim_h264_encoder_set_keyint(encoder, 3), SHIM_ERROR_STARTED);

        packets(encoder, &frames()[..1], SHIM_H264_PIXELS_I420);
        coder.encode(&Frame::i420(WIDTH, HEIGHT, &frames()[0]).unwrap()).unwrap();
        coder.flush().unwrap().unwrap();
        let mut shown = H264Frame::EMPTY;
        assert_eq!(shim_h264_reconstruction(encoder, &raw mut shown), SHIM_OK);
        assert_eq!((shown.width as usize, shown.height as usize), (WIDTH, HEIGHT));
        for (i, plane) in coder.reconstruction().planes().iter().enumerate() {
            let samples = std::slice::from_raw_parts(shown.planes[i], shown.plane_sizes[i]);
            assert!(samples == plane.samples() && shown.strides[i] == plane.stride());
        }
        shim_h264_encoder_free(encoder);
    }
}

#[test]
fn an_encoder_in_which_a_panic_was_is_lost() {
    let encoder = shim_h264_encoder_new(WIDTH as u32, HEIGHT as u32);
    // SAFETY: all objects are live, and the encoder is freed last.
    unsafe {
        let action =
            |encoder: &H264Encoder| encoder.with_state(|state| state.step::<()>(|_, _| panic!("a test")));
        assert_eq!(crate::handle::call(encoder, action), SHIM_ERROR_INTERNAL);
        let (frame, mut packet) = (described(&frames()[0], SHIM_H264_PIXELS_I420), H264Packet::NONE);
        assert_eq!(shim_h264_encode(encoder, &raw const frame, &raw mut packet), SHIM_ERROR_INTERNAL);
        assert!(message(encoder).contains("lost"));
        let mut rate = H264BitRate::NOT_MISSED;
        assert_eq!(shim_h264_missed_bit_rate(encoder, &raw mut rate), SHIM_ERROR_INTERNAL);
        shim_h264_encoder_free(encoder);
    }
}

#[test]
fn tunes_are_those_of_the_crate() {
    let tunes = [
        (SHIM_H264_TUNE_PSNR, "psnr"),
        (SHIM_H264_TUNE_SSIM, "ssim"),
        (SHIM_H264_TUNE_FILM, "film"),
        (SHIM_H264_TUNE_ANIMATION, "animation"),
        (SHIM_H264_TUNE_GRAIN, "grain"),
        (SHIM_H264_TUNE_STILLIMAGE, "stillimage"),
        (SHIM_H264_TUNE_FASTDECODE, "fastdecode"),
        (SHIM_H264_TUNE_ZEROLATENCY, "zerolatency"),
    ];
    assert_eq!(tunes.map(|(_, name)| name), shim_h264::Tune::ALL.map(shim_h264::Tune::name));
    assert!((0..).zip(tunes).all(|(n, (tune, _))| tune == n));
}
