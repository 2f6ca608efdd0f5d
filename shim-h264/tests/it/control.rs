//! What changes between frames: keyframes on demand, bit rate, quality and frame rate, and what comes back with a
//! packet.

#![expect(clippy::cast_precision_loss, reason = "all numbers are small")]

use crate::common::{Rng, exact, i420, picture};
use shim_h264::bitstream::annex_b;
use shim_h264::{Config, Encoder, Error, Frame, Packet, PictureKind, Preset, RateControl, Vbv};

/// A gradient and blocks that move, I420: something to code in every frame.
fn moving(width: usize, height: usize, n: usize) -> Vec<u8> {
    let mut rng = Rng(5);
    let texture: Vec<u8> = (0..64 * 64).map(|_| rng.next() as u8).collect();
    let mut samples = Vec::new();
    for (w, h, by) in [(width, height, 2), (width / 2, height / 2, 1), (width / 2, height / 2, 1)] {
        for y in 0..h {
            for x in 0..w {
                let detail = usize::from(texture[(y / 3 + n * by) % 64 * 64 + (x / 3 + 2 * n * by) % 64]);
                samples.push((60 + detail / 3 + (x + y + 3 * n) % 64) as u8);
            }
        }
    }
    samples
}

/// An encoder whose stream is kept.
struct Stream {
    encoder: Encoder,
    size: (usize, usize),
    packets: Vec<Packet>,
    recon: Vec<Vec<u8>>,
}

impl Stream {
    fn new(config: Config) -> Self {
        let size = (config.width, config.height);
        let encoder = Encoder::new(config).expect("a legal configuration");
        Self { encoder, size, packets: Vec::new(), recon: Vec::new() }
    }

    fn encode(&mut self, samples: &[u8]) -> &Packet {
        let frame = Frame::i420(self.size.0, self.size.1, samples).unwrap();
        self.packets.push(self.encoder.encode(&frame).unwrap().expect("its packet comes at once"));
        self.recon.push(i420(&self.encoder.reconstruction()));
        &self.packets[self.packets.len() - 1]
    }

    /// Codes so many frames of what moves.
    fn run(&mut self, frames: usize) -> &mut Self {
        for _ in 0..frames {
            let samples = moving(self.size.0, self.size.1, self.packets.len());
            self.encode(&samples);
        }
        self
    }

    fn keyframes(&self) -> Vec<u64> {
        self.packets.iter().filter(|packet| packet.keyframe).map(|packet| packet.number).collect()
    }

    fn kilobits(&self, frames: std::ops::Range<usize>) -> f64 {
        self.packets[frames].iter().map(|packet| packet.statistics.bits).sum::<u64>() as f64 / 1000.0
    }

    /// That decoders find what was reconstructed.
    fn exact(&self, what: &str) {
        let stream: Vec<u8> = self.packets.iter().flat_map(|packet| &packet.bytes).copied().collect();
        exact(&stream, &self.recon, true, what);
    }
}

fn config(keyint: u32) -> Config {
    let mut config = Config::new(48, 32);
    (config.keyint, config.scene_cut, config.preset) = (keyint, Some(false), Preset::Superfast);
    config.rate = RateControl::ConstantQuality(28.0);
    config
}

#[test]
fn forced_keyframes_are_idr_pictures_with_parameter_sets() {
    let mut config = config(9);
    (config.min_keyint, config.references) = (Some(9), Some(2));
    let mut stream = Stream::new(config);
    stream.run(3);
    stream.encoder.force_keyframe();
    // Asked for twice, it comes once.
    stream.encoder.force_keyframe();
    stream.run(2);
    stream.encoder.force_keyframe();
    stream.run(1);
    stream.encoder.force_keyframe();
    stream.run(14);
    // From each the longest distance is counted anew.
    assert_eq!(stream.keyframes(), [0, 3, 5, 6, 15]);
    for packet in &stream.packets {
        let kind = packet.statistics.kind;
        assert_eq!(kind == PictureKind::Forced, [3, 5, 6].contains(&packet.number), "{}", packet.number);
        let kinds: Vec<u8> = annex_b::units(&packet.bytes).map(|unit| unit[0] & 31).collect();
        assert_eq!(kinds, if packet.keyframe { vec![7, 8, 5] } else { vec![1] });
    }
    stream.exact("forced keyframes");
    // What is forced before the first frame, or where one is due, is not forced twice.
    let mut stream = Stream::new(self::config(4));
    stream.encoder.force_keyframe();
    stream.run(4);
    stream.encoder.force_keyframe();
    stream.run(3);
    assert_eq!(stream.keyframes(), [0, 4]);
}

/// A frame that is refused takes no forced keyframe with it.
#[test]
fn a_keyframe_is_forced_until_it_comes() {
    let mut stream = Stream::new(config(250));
    stream.run(2).encoder.force_keyframe();
    let other = picture(32, 32, 1);
    stream.encoder.encode(&Frame::i420(32, 32, &other).unwrap()).unwrap_err();
    stream.run(2);
    assert_eq!(stream.keyframes(), [0, 2]);
}

/// A keyframe that does not fit the buffer comes as soon as it does, and no picture is late.
#[test]
fn a_forced_keyframe_waits_for_the_buffer() {
    let mut waited = 0;
    for seed in 0..8 {
        let mut rng = Rng(seed);
        let mut config = config(250);
        config.rate = RateControl::AverageBitRate(16_000 + 500 * seed);
        config.vbv = Some(Vbv::new(16_000 + 500 * seed, 3000 + 200 * seed));
        let mut stream = Stream::new(config);
        for _ in 0..16 {
            let forced = rng.below(3) == 0;
            if forced {
                stream.encoder.force_keyframe();
            }
            // Much that is new, so that the buffer is empty often.
            let samples = picture(48, 32, rng.next() % 3);
            let packet = stream.encode(&samples);
            waited += usize::from(forced && !packet.keyframe);
            let buffer = packet.statistics.buffer.unwrap();
            assert_eq!(buffer.before - buffer.after, packet.statistics.bits);
        }
        // The last one that was asked for has come, too.
        stream.encoder.force_keyframe();
        stream.run(8);
        let forced = |packet: &&Packet| packet.statistics.kind == PictureKind::Forced;
        assert!(stream.packets[16..].iter().filter(forced).count() > 0, "{seed}");
        stream.exact(&format!("keyframes in a buffer, seed {seed}"));
    }
    assert!(waited > 0);
}

#[test]
fn timestamps_and_user_data_come_back() {
    let samples = picture(48, 32, 1);
    let mut encoder = Encoder::new(config(3)).unwrap();
    for (pts, user_data) in [(0, 0), (-7, u64::MAX), (i64::MAX, 1), (i64::MIN, 2), (40, 3)] {
        let frame = Frame::i420(48, 32, &samples).unwrap().with_pts(pts).with_user_data(user_data);
        assert_eq!((frame.pts(), frame.user_data()), (pts, user_data));
        let packet = encoder.encode(&frame).unwrap().unwrap();
        assert_eq!((packet.pts, packet.user_data), (pts, user_data));
    }
    let packet = encoder.encode(&Frame::i420(48, 32, &samples).unwrap()).unwrap().unwrap();
    assert_eq!((packet.pts, packet.user_data, packet.number), (0, 0, 5));
    // Nothing is left, again and again, and the stream may go on.
    assert_eq!((encoder.flush(), encoder.flush()), (Ok(None), Ok(None)));
    assert_eq!(encoder.encode(&Frame::i420(48, 32, &samples).unwrap()).unwrap().unwrap().number, 6);
}

#[test]
fn a_bit_rate_is_kept_from_where_it_changes() {
    let mut config = Config::new(64, 48);
    (config.keyint, config.frame_rate, config.preset) = (250, (25, 1), Preset::Superfast);
    (config.scene_cut, config.level) = (Some(false), Some(20));
    config.rate = RateControl::AverageBitRate(150_000);
    let mut stream = Stream::new(config);
    stream.run(50);
    let changes = [30_000, 120_000, 60_000];
    for (n, bits) in changes.into_iter().enumerate() {
        stream.encoder.set_rate_control(RateControl::AverageBitRate(bits)).unwrap();
        assert_eq!(stream.encoder.config().rate, RateControl::AverageBitRate(bits));
        stream.run(50);
        let (found, wanted) = (stream.kilobits(50 + 50 * n..100 + 50 * n) / 2.0, bits as f64 / 1000.0);
        assert!((0.85 * wanted..1.15 * wanted).contains(&found), "{found} for {wanted} kbit/s");
    }
    assert_eq!(stream.keyframes(), [0]);
    stream.exact("bit rates");
}

#[test]
fn quality_qp_and_its_offset_change_with_the_next_frame() {
    let mut stream = Stream::new(config(250));
    let qps = |stream: &Stream, from: usize| -> Vec<u8> {
        stream.packets[from..].iter().map(|packet| packet.statistics.qp).collect()
    };
    stream.run(3).encoder.set_rate_control(RateControl::ConstantQp(40)).unwrap();
    stream.run(2).encoder.set_qp_offset(-5.4).unwrap();
    stream.run(2).encoder.set_qp_offset(51.0).unwrap();
    stream.run(1).encoder.set_qp_offset(-51.0).unwrap();
    stream.run(1).encoder.set_qp_offset(0.0).unwrap();
    stream.run(1);
    assert_eq!(qps(&stream, 3), [40, 40, 35, 35, 51, 0, 40]);
    stream.encoder.set_rate_control(RateControl::ConstantQuality(20.0)).unwrap();
    stream.run(2).encoder.set_rate_control(RateControl::ConstantQuality(44.0)).unwrap();
    stream.run(2);
    let found = qps(&stream, 10);
    assert!(found[1].abs_diff(20) <= 4 && found[3].abs_diff(44) <= 4, "{found:?}");
    assert_eq!(stream.keyframes(), [0]);
    stream.exact("qualities");
    // From a constant QP, which looks at nothing before it codes.
    let mut config = config(250);
    config.rate = RateControl::ConstantQp(30);
    let mut stream = Stream::new(config);
    stream.run(4).encoder.set_rate_control(RateControl::AverageBitRate(40_000)).unwrap();
    stream.run(60);
    let found = stream.kilobits(4..64) / 2.0;
    assert!((32.0..48.0).contains(&found), "{found}");
    stream.exact("a bit rate after a QP");
}

/// Half as many frames a second have twice the bits each.
#[test]
fn rate_control_goes_by_the_frame_rate() {
    let mut config = config(250);
    (config.frame_rate, config.variable_frame_rate, config.level) = ((30, 1), true, Some(30));
    config.rate = RateControl::AverageBitRate(60_000);
    let mut stream = Stream::new(config);
    assert!(!stream.encoder.sps().vui.fixed_frame_rate_flag);
    stream.run(60);
    stream.encoder.set_frame_rate((10, 1)).unwrap();
    stream.run(30);
    let found = stream.kilobits(60..90) / 3.0;
    assert!((50.0..70.0).contains(&found), "{found} of 60 kbit/s");
    stream.encoder.set_frame_rate((60_000, 1001)).unwrap();
    stream.run(120);
    let found = stream.kilobits(90..210) / 2.0;
    assert!((50.0..70.0).contains(&found), "{found} of 60 kbit/s");
    stream.exact("frame rates");
}

#[test]
fn what_is_refused_changes_nothing() {
    let code = |refuse: fn(&mut Encoder)| {
        let mut config = config(250);
        (config.rate, config.vbv) = (RateControl::AverageBitRate(50_000), Some(Vbv::new(100_000, 50_000)));
        let mut stream = Stream::new(config);
        stream.run(3);
        refuse(&mut stream.encoder);
        stream.run(3);
        stream.packets
    };
    let untouched = code(|_| ());
    let refused = code(|encoder| {
        let before = encoder.config().clone();
        let rate = |encoder: &mut Encoder, rate| encoder.set_rate_control(rate).unwrap_err();
        assert_eq!(rate(encoder, RateControl::ConstantQp(52)), Error::Qp(52));
        assert_eq!(rate(encoder, RateControl::ConstantQuality(-0.5)), Error::Quality(-0.5));
        assert!(matches!(rate(encoder, RateControl::ConstantQuality(f32::NAN)), Error::Quality(_)));
        assert_eq!(rate(encoder, RateControl::AverageBitRate(0)), Error::BitRate);
        let above = Error::MeanBitRate { mean: 100_001, most: 100_000 };
        assert_eq!(rate(encoder, RateControl::AverageBitRate(100_001)), above);
        for offset in [-51.5, 52.0, f32::NAN, f32::INFINITY] {
            assert!(matches!(encoder.set_qp_offset(offset), Err(Error::QpOffset(_))), "{offset}");
        }
        assert_eq!(encoder.set_frame_rate((15, 1)), Err(Error::FixedFrameRate));
        assert_eq!(encoder.config(), &before);
    });
    assert_eq!(untouched, refused);
    let mut config = config(250);
    (config.level, config.variable_frame_rate) = (Some(10), true);
    let mut encoder = Encoder::new(config.clone()).unwrap();
    // Level 1 has 64 kbit/s, times 1.2 with headers, and 1485 macroblocks a second.
    let error = encoder.set_rate_control(RateControl::AverageBitRate(76_801)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "bit rate (MaxBR) exceeds the limit of level 1.0 of the stream: set a higher Config::level (`level`) before the first frame"
    );
    encoder.set_rate_control(RateControl::AverageBitRate(76_800)).unwrap();
    for (frame_rate, message) in [
        ((0, 1), "frame rate 0/1 is out of range: both numbers must be positive, the first below 2^31"),
        ((1, 0), "frame rate 1/0 is out of range: both numbers must be positive, the first below 2^31"),
        (
            (1 << 31, 1),
            "frame rate 2147483648/1 is out of range: both numbers must be positive, the first below 2^31",
        ),
        (
            (248, 1),
            "macroblock rate (MaxMBPS) exceeds the limit of level 1.0 of the stream: set a higher Config::level (`level`) before the first frame",
        ),
    ] {
        assert_eq!(encoder.set_frame_rate(frame_rate).unwrap_err().to_string(), message);
    }
    encoder.set_frame_rate((247, 1)).unwrap();
    config.vbv = Some(Vbv::new(60_000, 60_000));
    assert_eq!(Encoder::new(config).unwrap_err(), Error::VariableFrameRate);
}

/// The delay changes with the rate control: frames that wait are coded one by one where it ends, and new ones wait where
/// it begins.
#[test]
fn rate_control_changes_while_frames_wait() {
    const QP: RateControl = RateControl::ConstantQp(30);
    const QUALITY: RateControl = RateControl::ConstantQuality(28.0);
    for (first, rest) in [(QUALITY, [QP, QUALITY]), (QP, [QUALITY, QP])] {
        let mut config = Config::new(48, 32);
        (config.rate, config.lookahead) = (first, Some(5));
        let mut encoder = Encoder::new(config).unwrap();
        let (mut packets, mut recon) = (Vec::new(), Vec::new());
        for n in 0..40 {
            match n {
                12 => encoder.set_rate_control(rest[0]).unwrap(),
                20 => encoder.force_keyframe(),
                25 => encoder.set_rate_control(rest[1]).unwrap(),
                33 => encoder.set_rate_control(RateControl::AverageBitRate(60_000)).unwrap(),
                _ => {}
            }
            let frame = moving(48, 32, n);
            let frame = Frame::i420(48, 32, &frame).unwrap().with_pts(n as i64);
            if let Some(packet) = encoder.encode(&frame).unwrap() {
                packets.push(packet);
                recon.push(i420(&encoder.reconstruction()));
            }
        }
        while let Some(packet) = encoder.flush().unwrap() {
            packets.push(packet);
            recon.push(i420(&encoder.reconstruction()));
        }
        assert!(packets.iter().map(|packet| packet.pts).eq(0..40));
        assert!(packets[20].keyframe);
        let stream: Vec<u8> = packets.iter().flat_map(|packet| &packet.bytes).copied().collect();
        exact(&stream, &recon, true, "changes while frames wait");
    }
}
