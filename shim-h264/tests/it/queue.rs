//! Frames that wait until the ones after them are known, and what that is good for.

#![expect(clippy::cast_precision_loss, reason = "numbers are small, and set as they are compared")]

use crate::clips::Clip;
use crate::common::{encode, exact, intra, next};
use shim_h264::decide::ByCost;
use shim_h264::{
    Config, Deblocking, Encoder, Error, FirstPass, Frame, Packet, PictureKind, RateControl, Tune, Vbv,
};

const SIZE: [usize; 2] = [96, 80];

/// Frames that move.
fn frames(count: usize) -> Vec<Vec<u8>> {
    Clip::Pan.frames(SIZE[0], SIZE[1], count)
}

fn config(lookahead: usize) -> Config {
    let mut config = Config::new(SIZE[0], SIZE[1]);
    (config.lookahead, config.aq_strength) = (Some(lookahead), Some(0.0));
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
    for (rate, tools) in [(RateControl::ConstantQp(30), true), (RateControl::ConstantQuality(25.0), false)] {
        let coded = |lookahead| {
            let mut config = config(lookahead);
            // They have no effect where QP is constant.
            (config.mb_tree, config.aq_strength) = (tools, Some(f32::from(u8::from(tools))));
            (config.rate, config.references) = (rate, Some(3));
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
            (config.aq_strength, config.vbv, config.slices) = (Some(aq_strength), vbv, 2);
            let (stream, recon) = encode(&config, ByCost, &frames);
            exact(&stream, &recon, true, &format!("{config:?}"));
            config.lookahead = Some(0);
            config.aq_strength = Some(0.0);
            assert_ne!(encode(&config, ByCost, &frames).0, stream);
        }
    }
}

#[test]
fn intra_pictures_have_adaptive_quantization() {
    let frames = frames(2);
    let mut config = intra(SIZE[0], SIZE[1]);
    (config.rate, config.aq_strength) = (RateControl::ConstantQuality(26.0), Some(0.0));
    let plain = encode(&config, ByCost, &frames).0;
    config.aq_strength = Some(1.0);
    let (stream, recon) = encode(&config, ByCost, &frames);
    exact(&stream, &recon, true, "intra");
    assert!(stream != plain);
}

#[test]
fn what_is_out_of_range_is_an_error() {
    let with = |change: fn(&mut Config)| {
        let mut config = config(0);
        change(&mut config);
        Encoder::new(config).map(drop)
    };
    assert!(matches!(
        with(|config| config.lookahead = Some(251)),
        Err(Error::Lookahead { given: 251, most: Config::MAX_LOOKAHEAD })
    ));
    for strength in [-0.1, 3.1, f32::NAN] {
        let mut config = config(0);
        config.aq_strength = Some(strength);
        assert!(matches!(Encoder::new(config), Err(Error::AqStrength { .. })), "{strength}");
    }
    assert!(with(|config| config.lookahead = Some(250)).is_ok());
    let mut encoder = Encoder::new(config(3)).unwrap();
    assert!(next(&mut encoder, &mut [].iter()).is_none(), "there is nothing to flush");
}

#[test]
fn a_second_pass_has_the_bit_rate_and_one_qp_throughout() {
    // An easy opening, in which nothing moves.
    let mut frames = vec![Clip::Shake.frames(SIZE[0], SIZE[1], 1).remove(0); 20];
    frames.extend(Clip::Shake.frames(SIZE[0], SIZE[1], 40));
    for lookahead in [0, 10] {
        for bits in [150_000, 400_000] {
            let mut config = config(lookahead);
            (config.rate, config.expected_frames) = (RateControl::AverageBitRate(bits), Some(60));
            let mut first = FirstPass::default();
            first.extend(packets(&config, &frames).iter().map(|packet| packet.statistics));
            config.first_pass = Some(first.to_string().parse().unwrap());
            let second = packets(&config, &frames);
            let total: u64 = second.iter().map(|packet| packet.statistics.bits).sum();
            let missed = total as f64 / (2 * bits) as f64 - 1.0;
            // The last pictures take anything from 0.5 to 20 kbit.
            assert!(missed.abs() < 0.05, "{missed} at {bits}, {lookahead} ahead");
            // The last ones make up for what others took more or less.
            let qps = || second[1..50].iter().map(|packet| packet.statistics.qp);
            let spread = qps().max().unwrap() - qps().min().unwrap();
            assert!(spread <= 8, "{spread} at {bits}, {lookahead} ahead");
        }
    }
    // A stream may be longer than the first pass, and statistics may be those of another one.
    let mut config = config(0);
    config.rate = RateControl::AverageBitRate(60_000);
    for text in ["", "I 0 1\n", "P 51 99999999999\nI 30 0\n"] {
        config.first_pass = Some(format!("shim-h264 first pass 1\n{text}").parse().unwrap());
        assert_eq!(packets(&config, &frames).len(), 60);
    }
}

#[test]
fn a_tune_sets_what_it_says() {
    for tune in Tune::ALL {
        assert_eq!(tune.name().parse::<Tune>().unwrap(), tune);
        let (mut tuned, usual) = (config(8), config(8));
        tuned.aq_strength = Some(1.0);
        tuned.tune(tune);
        let Deblocking { edges, alpha, .. } = tuned.deblocking;
        let found = edges.is_none().then_some(alpha);
        let wanted = match tune {
            Tune::Film => (Some(-1), 1.0, 8),
            Tune::Animation => (Some(1), 0.6, 8),
            Tune::Grain => (Some(-2), 0.5, 8),
            Tune::Stillimage => (Some(-3), 1.2, 8),
            Tune::Fastdecode => (None, 1.0, 8),
            Tune::Zerolatency => (Some(0), 1.0, 0),
            Tune::Psnr => (Some(0), 0.0, 8),
            Tune::Ssim => (Some(0), 1.3, 8),
            _ => panic!("what does {tune} set?"),
        };
        assert_eq!(
            (found, tuned.aq_strength.unwrap(), tuned.lookahead.unwrap()),
            wanted,
            "{tune}: {}",
            tune.summary()
        );
        (tuned.deblocking, tuned.aq_strength, tuned.lookahead) =
            (usual.deblocking, usual.aq_strength, usual.lookahead);
        assert_eq!(tuned, usual);
    }
    assert!("ssim2".parse::<Tune>().is_err());
}

/// The packets of frames.
fn packets(config: &Config, frames: &[Vec<u8>]) -> Vec<Packet> {
    let (mut encoder, mut given) = (Encoder::new(config.clone()).unwrap(), frames.iter());
    std::iter::from_fn(|| next(&mut encoder, &mut given)).collect()
}
