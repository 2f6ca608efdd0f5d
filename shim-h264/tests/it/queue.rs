//! Frames that wait until the ones after them are known.

use crate::clips::Clip;
use crate::common::{encode, exact, intra, next};
use shim_h264::decide::ByCost;
use shim_h264::{Config, Encoder, Error, Frame, Packet, PictureKind, RateControl, Vbv};

const SIZE: [usize; 2] = [96, 80];

/// Frames that move.
fn frames(count: usize) -> Vec<Vec<u8>> {
    Clip::Pan.frames(SIZE[0], SIZE[1], count)
}

fn config(lookahead: usize) -> Config {
    let mut config = Config::new(SIZE[0], SIZE[1]);
    config.lookahead = lookahead;
    config
}

#[test]
fn each_frame_has_its_packet_after_so_many_others() {
    let frames = frames(9);
    for lookahead in [0, 1, 3, 8, 9, 30] {
        let mut encoder = Encoder::new(config(lookahead)).unwrap();
        let mut packets: Vec<Packet> = Vec::new();
        for (n, samples) in (0..).zip(&frames) {
            let frame =
                Frame::i420(SIZE[0], SIZE[1], samples).unwrap().with_pts(40 * n).with_user_data(n as u64);
            let packet = encoder.encode(&frame).unwrap();
            assert_eq!(packet.is_some(), n >= lookahead as i64, "{lookahead}: {n}");
            packets.extend(packet);
        }
        while let Some(packet) = encoder.flush().unwrap() {
            packets.push(packet);
        }
        // It goes on after a flush, with what the new frames refer to.
        let frame = Frame::i420(SIZE[0], SIZE[1], &frames[0]).unwrap().with_pts(360).with_user_data(9);
        packets.extend(encoder.encode(&frame).unwrap());
        packets.extend(encoder.flush().unwrap());
        assert_eq!(packets.len(), 10);
        for (n, packet) in (0..).zip(&packets) {
            assert_eq!((packet.number, packet.pts, packet.user_data), (n, 40 * n as i64, n));
            assert_eq!(packet.keyframe, n == 0);
        }
    }
}

#[test]
fn without_tools_the_stream_does_not_depend_on_the_look_ahead() {
    let frames = frames(12);
    for rate in [RateControl::ConstantQp(30), RateControl::ConstantQuality(25.0)] {
        let coded = |lookahead| {
            let mut config = config(lookahead);
            (config.rate, config.mb_tree, config.references) = (rate, false, Some(3));
            encode(&config, ByCost, &frames)
        };
        let at_once = coded(0);
        assert!([1, 5, 40].iter().all(|&lookahead| coded(lookahead) == at_once), "{rate:?}");
    }
}

#[test]
fn a_requested_keyframe_is_the_next_frame_that_is_given() {
    let frames = frames(8);
    let mut encoder = Encoder::new(config(4)).unwrap();
    let mut kinds = Vec::new();
    for (n, samples) in frames.iter().enumerate() {
        if n == 3 {
            encoder.force_keyframe();
        }
        kinds.extend(encoder.encode(&Frame::i420(SIZE[0], SIZE[1], samples).unwrap()).unwrap());
    }
    while let Some(packet) = encoder.flush().unwrap() {
        kinds.push(packet);
    }
    let kinds: Vec<_> = kinds.iter().map(|packet| packet.statistics.kind).collect();
    let wanted = |n| match n {
        0 => PictureKind::Idr,
        3 => PictureKind::Forced,
        _ => PictureKind::P,
    };
    assert_eq!(kinds, (0..8).map(wanted).collect::<Vec<_>>());
}

#[test]
fn macroblocks_have_a_qp_of_their_own_and_decoders_find_it() {
    let frames = frames(10);
    for (lookahead, aq_strength) in [(0, 1.0), (4, 0.0), (4, 1.0), (20, 3.0)] {
        for vbv in [None, Some(Vbv::new(200_000, 100_000))] {
            let mut config = config(lookahead);
            (config.aq_strength, config.vbv, config.slices) = (aq_strength, vbv, 2);
            let (stream, recon) = encode(&config, ByCost, &frames);
            exact(&stream, &recon, true, &format!("{config:?}"));
            config.lookahead = 0;
            config.aq_strength = 0.0;
            assert_ne!(encode(&config, ByCost, &frames).0, stream);
        }
    }
}

#[test]
fn intra_pictures_have_adaptive_quantization() {
    let frames = frames(2);
    let mut config = intra(SIZE[0], SIZE[1]);
    let plain = encode(&config, ByCost, &frames).0;
    config.aq_strength = 1.0;
    let (stream, recon) = encode(&config, ByCost, &frames);
    exact(&stream, &recon, true, "intra");
    assert_ne!(stream, plain);
}

#[test]
fn what_is_out_of_range_is_an_error() {
    let with = |change: fn(&mut Config)| {
        let mut config = config(0);
        change(&mut config);
        Encoder::new(config).map(drop)
    };
    assert!(matches!(
        with(|config| config.lookahead = 251),
        Err(Error::Lookahead { given: 251, most: Config::MAX_LOOKAHEAD })
    ));
    for strength in [-0.1, 3.1, f32::NAN] {
        let mut config = config(0);
        config.aq_strength = strength;
        assert!(matches!(Encoder::new(config), Err(Error::AqStrength { .. })), "{strength}");
    }
    assert!(with(|config| config.lookahead = 250).is_ok());
    let mut encoder = Encoder::new(config(3)).unwrap();
    assert!(next(&mut encoder, &mut [].iter()).is_none(), "there is nothing to flush");
}
