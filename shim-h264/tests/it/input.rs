//! What is wrong with configurations and frames is said, and never makes a broken stream.

use crate::common::{encode, exact, i420, intra, picture};
use shim_h264::bitstream::{annex_b, avcc};
use shim_h264::decide::{ByCost, Random};
use shim_h264::syntax::stream::{StreamReader, Unit};
use shim_h264::{Config, Encoder, Error, Format, Frame, RateControl, Vbv};

fn refused(change: impl FnOnce(&mut Config)) -> Error {
    let mut config = intra(64, 64);
    change(&mut config);
    Encoder::new(config).expect_err("it is refused")
}

#[test]
fn sizes_and_ranges() {
    for (width, height) in [(0, 16), (16, 0), (0, 0)] {
        let error = refused(|c| (c.width, c.height) = (width, height));
        assert_eq!(error, Error::Dimensions { width, height });
    }
    for (width, height) in [(16_384, 16), (16, 16_384), (16_384, 16_384), (usize::MAX - 1, usize::MAX - 1)] {
        assert!(matches!(refused(|c| (c.width, c.height) = (width, height)), Error::Level { level: 52, .. }));
    }
    assert_eq!(refused(|c| c.rate = RateControl::ConstantQp(52)), Error::Qp(52));
    assert_eq!(refused(|c| c.rate = RateControl::ConstantQp(255)), Error::Qp(255));
    for quality in [-0.1, 51.1, f32::INFINITY] {
        assert_eq!(refused(|c| c.rate = RateControl::ConstantQuality(quality)), Error::Quality(quality));
    }
    assert!(matches!(refused(|c| c.rate = RateControl::ConstantQuality(f32::NAN)), Error::Quality(_)));
    assert_eq!(refused(|c| c.rate = RateControl::AverageBitRate(0)), Error::BitRate);
    let limit = "bit rate (MaxBR)";
    assert_eq!(
        refused(|c| c.rate = RateControl::AverageBitRate(u64::MAX)),
        Error::Level { level: 52, limit }
    );
    assert_eq!(refused(|c| c.vbv = Some(Vbv::new(u64::MAX, 1))), Error::Level { level: 52, limit });
    let limit = "CPB size (MaxCPB)";
    assert_eq!(refused(|c| c.vbv = Some(Vbv::new(1, u64::MAX))), Error::Level { level: 52, limit });
    assert_eq!(refused(|c| c.vbv = Some(Vbv::new(0, 0))), Error::BufferTime { rate: 0, bits: 0 });
    let rate = |rate, vbv| refused(|c| (c.rate, c.vbv) = (RateControl::AverageBitRate(rate), Some(vbv)));
    let (mean, most) = (500_001, 500_000);
    assert_eq!(rate(mean, Vbv::new(most, 1_000_000)), Error::MeanBitRate { mean, most });
    assert!(matches!(rate(1000, Vbv::new(3000, 1_000_000)), Error::BufferRate { given: 2944, .. }));
    assert!(matches!(rate(1000, Vbv::new(1_000_000, 1000)), Error::Buffer { bits: 880..=900, .. }));
    for part in [0.0, -1.0, 1.1, f32::NAN] {
        let vbv = |c: &mut Config| {
            let vbv = c.vbv.insert(Vbv::new(1_000_000, 1_000_000));
            vbv.initial_fullness = part;
        };
        assert!(matches!(refused(vbv), Error::Fullness(_)), "{part}");
    }
    for given in [0, 9] {
        let keyints = |c: &mut Config| (c.keyint, c.min_keyint) = (8, Some(given));
        assert_eq!(refused(keyints), Error::MinKeyint { given, keyint: 8 });
    }
    assert_eq!(refused(|c| c.slices = 0), Error::Slices { slices: 0, rows: 4 });
    assert_eq!(refused(|c| c.slices = 5), Error::Slices { slices: 5, rows: 4 });
    assert_eq!(refused(|c| c.frame_rate = (0, 1)), Error::FrameRate(0, 1));
    assert_eq!(refused(|c| c.frame_rate = (1, 0)), Error::FrameRate(1, 0));
    assert_eq!(refused(|c| c.level = Some(14)), Error::NoLevel(14));
    assert_eq!(refused(|c| c.keyint = 0), Error::Keyint);
    assert_eq!(refused(|c| c.sample_aspect_ratio = Some((4, 0))), Error::SampleAspectRatio(4, 0));
    assert_eq!(refused(|c| c.references = Some(0)), Error::References(0));
    assert_eq!(refused(|c| c.references = Some(17)), Error::References(17));
    let error = refused(|c| (c.width, c.height, c.references, c.level) = (1920, 1080, Some(5), Some(40)));
    assert_eq!(error.to_string(), "DPB size (MaxDpbFrames) exceeds the limit of level 4.0");
    let error = refused(|c| (c.width, c.level) = (1280, Some(10)));
    assert_eq!(error.to_string(), "frame size (MaxFS) exceeds the limit of level 1.0");
    let error = refused(|c| c.frame_rate = (1_000_000, 1));
    assert!(matches!(error, Error::Level { level: 52, limit: "macroblock rate (MaxMBPS)" }), "{error}");
    for (error, name) in [
        (refused(|c| c.chroma_qp_index_offset = 13), "chroma_qp_index_offset"),
        (refused(|c| c.deblocking.alpha = -7), "slice_alpha_c0_offset_div2"),
        (refused(|c| c.deblocking.beta = i8::MIN), "slice_beta_offset_div2"),
    ] {
        assert!(matches!(error, Error::Offset { name: found, .. } if found == name), "{error}");
    }
}

#[test]
fn a_frame_of_another_size_leaves_the_stream_whole() {
    let config = intra(32, 32);
    let mut encoder = Encoder::new(config.clone()).unwrap();
    let (fits, other) = (picture(32, 32, 1), picture(48, 32, 1));
    let mut stream = encoder.encode(&Frame::i420(32, 32, &fits).unwrap()).unwrap().unwrap().bytes;
    let error = encoder.encode(&Frame::i420(48, 32, &other).unwrap()).unwrap_err();
    assert_eq!(error, Error::FrameSize { given: (48, 32), wanted: (32, 32) });
    let packet = encoder.encode(&Frame::i420(32, 32, &fits).unwrap()).unwrap().unwrap();
    assert_eq!(packet.number, 1);
    stream.extend(packet.bytes);
    let recon = i420(&encoder.reconstruction());
    exact(&stream, &[recon.clone(), recon], false, "a frame left out");
    assert_eq!(encoder.flush(), Ok(None));
}

/// A decoder shows an odd size with its last row and column repeated.
#[test]
fn odd_sizes_are_padded() {
    for (i, (width, height)) in
        [(1, 1), (15, 16), (16, 15), (17, 33), (31, 1), (47, 35)].into_iter().enumerate()
    {
        let mut config = intra(width, height);
        (config.keyint, config.rate) = (9, RateControl::ConstantQp(0));
        let frames = [picture(width, height, i as u64), picture(width, height, 50 + i as u64)];
        let (stream, recon) = encode(&config, ByCost, &frames);
        exact(&stream, &recon, true, &format!("{width}x{height}"));
        let [wide, high] = [width, height].map(|side| side.next_multiple_of(2));
        for (frame, recon) in frames.iter().zip(&recon) {
            assert_eq!(recon.len(), wide * high * 3 / 2);
            for y in 0..high {
                for x in 0..wide {
                    let given = frame[y.min(height - 1) * width + x.min(width - 1)];
                    assert!(recon[y * wide + x].abs_diff(given) <= 2, "{width}x{height}: ({y}, {x})");
                }
            }
        }
        let sps = Encoder::new(config).unwrap().sps().clone();
        let shown = 16 * sps.pic_width_in_mbs() - 2 * usize::from(sps.frame_crop_right_offset);
        assert_eq!(shown, wide);
    }
}

/// Pairs of chroma are the same frame as planes, of odd sizes, too, and cropped by their strides.
#[test]
fn nv12_is_the_same_frame() {
    for (width, height) in [(40, 24), (33, 17), (1, 1)] {
        let samples = picture(width, height, 7);
        let (luma, chroma) = samples.split_at(width * height);
        let (cb, cr) = chroma.split_at(chroma.len() / 2);
        let wide = width.div_ceil(2);
        let pairs: Vec<u8> = cb
            .chunks(wide)
            .zip(cr.chunks(wide))
            .flat_map(|(cb, cr)| cb.iter().zip(cr).flat_map(|(&cb, &cr)| [cb, cr]).chain([9; 3]))
            .collect();
        let frame = Frame::nv12(width, height, (luma, width), (&pairs, 2 * wide + 3)).unwrap();
        let mut encoders = [(); 2].map(|()| Encoder::new(intra(width, height)).unwrap());
        let packet = encoders[0].encode(&frame).unwrap();
        assert_eq!(packet, encoders[1].encode(&Frame::i420(width, height, &samples).unwrap()).unwrap());
        assert_eq!(i420(&encoders[0].reconstruction()), i420(&encoders[1].reconstruction()));
    }
}

#[test]
fn rows_apart_are_the_same_frame() {
    let samples = picture(40, 24, 7);
    let (luma, chroma) = samples.split_at(40 * 24);
    let apart = |plane: &[u8], width: usize| -> Vec<u8> {
        plane.chunks(width).flat_map(|row| row.iter().copied().chain([99; 5])).collect()
    };
    let (y, u, v) = (apart(luma, 40), apart(&chroma[..240], 20), apart(&chroma[240..], 20));
    let frame = Frame::new(40, 24, (&y, 45), (&u, 25), (&v[..v.len() - 5], 25)).unwrap();
    let mut encoders = [(); 2].map(|()| Encoder::new(intra(40, 24)).unwrap());
    let packet = encoders[0].encode(&frame).unwrap();
    assert_eq!(packet, encoders[1].encode(&Frame::i420(40, 24, &samples).unwrap()).unwrap());
}

/// The same units stand behind start codes and behind lengths.
#[test]
fn formats() {
    let mut config = intra(64, 48);
    config.slices = 2;
    let samples = picture(64, 48, 3);
    let frame = Frame::i420(64, 48, &samples).unwrap();
    let stream = Encoder::new(config.clone()).unwrap().encode(&frame).unwrap().unwrap().bytes;
    config.format = Format::Avcc;
    let mut encoder = Encoder::new(config).unwrap();
    let packet = encoder.encode(&frame).unwrap().unwrap().bytes;
    let record = encoder.configuration_record();
    let mut units = annex_b::units(&stream);
    let (sps, pps) = (units.next().unwrap(), units.next().unwrap());
    assert_eq!(record, avcc::configuration_record(&[sps], &[pps]));
    assert!(units.eq(avcc::units(&packet)));
}

/// What is read from a stream is what its configuration says.
#[test]
fn streams_are_read() {
    let mut config = intra(90, 50);
    config.access_unit_delimiters = true;
    (config.slices, config.frame_rate) = (3, (30_000, 1001));
    let frames = [picture(90, 50, 1), picture(90, 50, 2)];
    let (stream, _) = encode(&config, ByCost, &frames);
    let mut reader = StreamReader::default();
    let units: Vec<Unit> = annex_b::units(&stream).map(|unit| reader.read(unit).unwrap()).collect();
    assert_eq!(units.len(), 2 * 6);
    let Unit::Sps(sps) = &units[1] else { panic!("{:?}", units[1]) };
    assert_eq!((sps.frame_crop_right_offset, sps.frame_crop_bottom_offset), (3, 7));
    assert_eq!((sps.vui.num_units_in_tick, sps.vui.time_scale), (1001, 60_000));
    let firsts: Vec<(u32, u16)> = units
        .iter()
        .filter_map(|unit| match unit {
            Unit::Slice { header, rounds } => {
                assert!(!rounds.is_empty());
                Some((header.first_mb_in_slice, header.idr_pic_id))
            }
            _ => None,
        })
        .collect();
    assert_eq!(firsts, [(0, 0), (12, 0), (18, 0), (0, 1), (12, 1), (18, 1)]);
}

/// A stream that is cut or whose bits are wrong gives an error at most.
#[test]
fn broken_streams_are_read() {
    let config = intra(64, 48);
    let (stream, _) = encode(&config, Random::new(5), &[picture(64, 48, 2)]);
    let mut rng = crate::common::Rng(1);
    for _ in 0..300 {
        let mut broken = stream.clone();
        for _ in 0..=rng.below(3) {
            let place = rng.below(broken.len());
            broken[place] ^= 1 << rng.below(8);
        }
        broken.truncate(1 + rng.below(broken.len()));
        let mut reader = StreamReader::default();
        for unit in annex_b::units(&broken) {
            let _ = reader.read(unit);
        }
    }
}

/// P pictures of constant quality, unless told otherwise.
#[test]
fn defaults() {
    let config = Config::new(64, 48);
    assert_eq!((config.rate, config.keyint), (RateControl::ConstantQuality(23.0), 250));
    let frames = [picture(64, 48, 4), picture(64, 48, 4)];
    let (stream, recon) = encode(&config, ByCost, &frames);
    let kinds: Vec<u8> = annex_b::units(&stream).map(|unit| unit[0] & 31).collect();
    assert_eq!(kinds, [7, 8, 5, 1]);
    exact(&stream, &recon, true, "defaults");
}

/// What is said of the samples' meaning and shape is in the VUI (E.1.1).
#[test]
fn the_video_usability_information() {
    let vui = |change: fn(&mut Config)| {
        let mut config = intra(32, 32);
        change(&mut config);
        Encoder::new(config).unwrap().sps().vui.clone()
    };
    let usual = vui(|_| ());
    assert!(!usual.aspect_ratio_info_present_flag && !usual.video_signal_type_present_flag);

    // Table E-1 has the usual ratios, in lowest terms.
    let sar = |ratio: (u16, u16)| {
        let mut config = intra(32, 32);
        config.sample_aspect_ratio = Some(ratio);
        let vui = Encoder::new(config).unwrap().sps().vui.clone();
        assert!(vui.aspect_ratio_info_present_flag);
        (vui.aspect_ratio_idc, vui.sar_width, vui.sar_height)
    };
    assert_eq!(
        [sar((1, 1)).0, sar((7, 7)).0, sar((12, 11)).0, sar((64, 48)).0, sar((2, 1)).0],
        [1, 1, 2, 14, 16]
    );
    assert_eq!(sar((3000, 2002)), (255, 1500, 1001));

    let range = vui(|c| c.full_range = Some(true));
    assert!(range.video_signal_type_present_flag && range.video_full_range_flag);
    assert!(!range.colour_description_present_flag);
    let range = vui(|c| c.full_range = Some(false));
    assert!(range.video_signal_type_present_flag && !range.video_full_range_flag);
    let both = vui(|c| (c.full_range, c.color) = (Some(true), Some(shim_h264::Color::HD)));
    assert!(!both.video_full_range_flag && both.colour_description_present_flag, "the color says it");

    let described = vui(|c| (c.primaries, c.transfer) = (9, 16));
    assert!(described.colour_description_present_flag && !described.video_full_range_flag);
    let codes =
        [described.colour_primaries, described.transfer_characteristics, described.matrix_coefficients];
    assert_eq!((codes, described.video_format), ([9, 16, 2], 5));
}

/// Converted frames have the color that the stream states, and a stream whose parameter sets are open states theirs.
#[test]
fn frames_and_stream_have_one_color() {
    use shim_h264::{Color, Conversion, Matrix, Pixels};
    let pixels = vec![120; 3 * 720 * 16];
    let encode = |encoder: &mut Encoder, [width, height]: [usize; 2], color: Color| {
        let mut conversion = Conversion::new(width, height, Pixels::Rgb, color).unwrap();
        encoder.encode(&conversion.frame(&pixels, 3 * width).unwrap()).map(drop)
    };
    let full = Color { matrix: Matrix::Bt601, full_range: true };
    for (size, usual) in [([16, 720], Color::HD), ([16, 704], Color::SD)] {
        let config = Config::new(size[0], size[1]);
        assert_eq!(config.rgb_color(), usual);
        for color in [usual, Color::HD, full] {
            let mut encoder = Encoder::new(config.clone()).unwrap();
            encode(&mut encoder, size, color).unwrap();
            let vui = &encoder.sps().vui;
            assert_eq!(encoder.config().color, Some(color));
            assert_eq!(vui.video_full_range_flag, color.full_range);
            let code = if color.matrix == Matrix::Bt709 { 1 } else { 6 };
            assert_eq!(vui.matrix_coefficients, code);
            assert!(encode(&mut encoder, size, Color { matrix: Matrix::Bt2020, ..color }).is_err());
            encode(&mut encoder, size, color).unwrap();
        }
    }
    let size = [16, 16];
    let refused = |encoder: &mut Encoder, converted: Color, stated: Option<Color>| {
        assert_eq!(encode(encoder, size, converted), Err(Error::FrameColor { converted, stated }));
    };
    let mut config = Config::new(16, 16);
    // Parameter sets that were read, or written with frames of luma and chroma, are final.
    let mut encoder = Encoder::new(config.clone()).unwrap();
    encoder.parameter_sets();
    refused(&mut encoder, Color::SD, None);
    let mut encoder = Encoder::new(config.clone()).unwrap();
    encoder.encode(&Frame::i420(16, 16, &[9; 384]).unwrap()).unwrap();
    refused(&mut encoder, Color::SD, None);
    let message = Error::FrameColor { converted: full, stated: Some(Color::HD) }.to_string();
    assert!(message.starts_with(
        "the frame was converted by BT.601 in full range, and the stream states BT.709 in limited range: convert by"
    ));
    config.full_range = Some(true);
    assert_eq!(config.rgb_color(), full);
    refused(&mut Encoder::new(config.clone()).unwrap(), Color::SD, None);
    config.color = Some(Color::HD);
    assert_eq!(config.rgb_color(), Color::HD);
    refused(&mut Encoder::new(config).unwrap(), Color::SD, Some(Color::HD));
}

/// References are those of the preset, limited by the level.
#[test]
fn references_follow_the_preset() {
    use shim_h264::Preset;
    let references = |width, height, preset, level| {
        let mut config = Config::new(width, height);
        (config.preset, config.level, config.frame_rate) = (preset, level, (1, 1));
        Encoder::new(config).unwrap().sps().max_num_ref_frames
    };
    for preset in Preset::ALL {
        assert_eq!(references(32, 32, preset, None), preset.references(), "{preset}");
    }
    assert_eq!(references(176, 144, Preset::Veryslow, Some(10)), 4);
    assert_eq!(references(4096, 2304, Preset::Veryslow, None), 5);
    assert_eq!(references(1920, 1080, Preset::Medium, Some(40)), 3);
}
