//! What changes between frames: keyframes on demand, bit rate, quality and frame rate, and what comes back with a packet.

#![expect(clippy::cast_precision_loss, reason = "all numbers are small")]

mod common;

use common::{Rng, exact, i420, picture};
use shim_h264::bitstream::annex_b;
use shim_h264::{Config, Encoder, Frame, Packet, PictureKind, Preset, RateControl, Vbv};

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

    #[allow(dead_code, reason = "of the next commit")]
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
    (config.keyint, config.scene_cut, config.preset) = (keyint, false, Preset::Ultrafast);
    config.rate = RateControl::ConstantQuality(28.0);
    config
}

#[test]
fn forced_keyframes_are_idr_pictures_with_parameter_sets() {
    let mut config = config(9);
    (config.min_keyint, config.references) = (Some(9), 2);
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
