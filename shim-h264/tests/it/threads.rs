//! A stream is the same whatever number of threads made it.

#![cfg(feature = "rayon")]

use crate::common::{Rng, encode, exact, intra, picture};
use shim_h264::decide::{ByCost, Decisions, Random};
use shim_h264::{Config, Deblocking, Edges, Encoder, Frame, Preset, RateControl};

/// Some frames, the later ones as the one before but for a few places.
fn frames(width: usize, height: usize, seed: u64) -> Vec<Vec<u8>> {
    let mut rng = Rng(seed);
    let mut frames = vec![picture(width, height, seed)];
    for _ in 0..2 {
        let mut frame = frames[frames.len() - 1].clone();
        // Moved by a sample, and some others.
        frame[..width * height].rotate_right(rng.below(3));
        for _ in 0..rng.below(40) {
            let place = rng.below(frame.len());
            frame[place] ^= 64;
        }
        frames.push(frame);
    }
    frames
}

/// That all numbers of threads give the stream of one, which decoders find right.
fn the_same<D: Decisions>(config: &Config, frames: &[Vec<u8>], decisions: impl Fn() -> D) {
    let (stream, recon) = encode(config, decisions(), frames);
    exact(&stream, &recon, false, &format!("{config:?}"));
    for threads in [2, 3, 8] {
        let mut config = config.clone();
        config.threads = threads;
        let (found, found_recon) = encode(&config, decisions(), frames);
        assert!(found == stream && found_recon == recon, "{config:?}");
    }
}

#[test]
fn streams_are_those_of_one_thread() {
    for (i, (width, height)) in [(2, 2), (18, 34), (48, 80), (98, 66)].into_iter().enumerate() {
        let rows = usize::div_ceil(height, 16);
        for slices in 1..=rows {
            let mut config = intra(width, height);
            (config.slices, config.keyint, config.references) = (slices, 250, Some(1 + slices as u8 % 3));
            config.constrained_intra_pred = slices % 2 == 0;
            config.max_slice_size = (slices % 3 == 1).then_some(90);
            config.preset = [Preset::Superfast, Preset::Medium, Preset::Slower][(i + slices) % 3];
            let edges = [Edges::All, Edges::All, Edges::WithinSlices, Edges::None][(slices + i) % 4];
            config.deblocking = Deblocking { edges: Some(edges), ..Deblocking::default() };
            the_same(&config, &frames(width, height, (i + slices) as u64), || ByCost);
        }
    }
}

/// Frames at once: references that grow while they are read, IDR pictures between them, and a rest at the end.
#[test]
fn frames_at_once_are_those_of_one_thread() {
    for (i, preset) in Preset::ALL.into_iter().enumerate() {
        for (round, rate) in
            [RateControl::ConstantQp(30), RateControl::ConstantQuality(28.0)].into_iter().enumerate()
        {
            let (width, height) = [(64, 192), (18, 34), (176, 144)][(i + round) % 3];
            let mut config = Config::new(width, height);
            (config.preset, config.rate) = (preset, rate);
            config.keyint = [250, 5, 1][(i + round) % 3];
            config.lookahead = [None, Some(2)][i % 2];
            config.max_slice_size = (i == 3).then_some(120);
            let mut rng = Rng(7 + i as u64);
            let still = picture(width, height + 64, i as u64);
            let frames: Vec<Vec<u8>> = (0..19)
                .map(|n| {
                    // Moved up and down by many rows.
                    let from = [0, 1, 40, 7, 60, 3][n % 6] * width;
                    let mut frame = still[from..][..width * height].to_vec();
                    frame.extend(vec![128; 2 * width.div_ceil(2) * height.div_ceil(2)]);
                    for _ in 0..rng.below(40) {
                        let place = rng.below(frame.len());
                        frame[place] ^= 64;
                    }
                    frame
                })
                .collect();
            the_same(&config, &frames, || ByCost);
        }
    }
}

/// A picture beyond the size that its level allows is coded again, and so are those after it.
#[test]
fn frames_at_once_are_coded_again() {
    let mut config = Config::new(64, 48);
    config.rate = RateControl::ConstantQuality(1.0);
    (config.level, config.frame_rate, config.preset) = (Some(10), (120, 1), Preset::Superfast);
    let mut rng = Rng(3);
    let frames: Vec<Vec<u8>> = (0..11)
        .map(|n| (0..64 * 48 * 3 / 2).map(|_| if n % 4 == 2 { rng.below(256) as u8 } else { 90 }).collect())
        .collect();
    the_same(&config, &frames, || ByCost);
    config.threads = 2;
    let mut encoder = Encoder::new(config).unwrap();
    let mut attempts = Vec::new();
    for frame in &frames {
        let packet = encoder.encode(&Frame::i420(64, 48, frame).unwrap()).unwrap();
        attempts.extend(packet.map(|packet| packet.statistics.attempts));
    }
    while let Some(packet) = encoder.flush().unwrap() {
        attempts.push(packet.statistics.attempts);
    }
    assert!(attempts.len() == 11 && attempts.iter().any(|&attempts| attempts > 1), "{attempts:?}");
}

#[test]
fn decisions_at_random_are_those_of_one_thread() {
    for seed in 0..24 {
        let mut rng = Rng(seed);
        let (width, height) = (2 + 2 * rng.below(32), 2 + 2 * rng.below(48));
        let mut config = intra(width, height);
        config.slices = 1 + rng.below(height.div_ceil(16));
        config.keyint = 1 + rng.below(4) as u32;
        config.references = Some(1 + rng.below(3) as u8);
        let edges = [Edges::All, Edges::All, Edges::WithinSlices][rng.below(3)];
        config.deblocking = Deblocking { edges: Some(edges), ..Deblocking::default() };
        the_same(&config, &frames(width, height, seed), || Random::new(seed));
    }
}

/// Also when they are those of a pool around, or are shared with a copy, which goes on where the encoder was.
#[test]
fn threads_of_others() {
    let mut config = intra(64, 96);
    (config.slices, config.keyint) = (5, 250);
    let frames = frames(64, 96, 7);
    let (stream, _) = encode(&config, ByCost, &frames);
    config.threads = 0;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
    assert!(pool.install(|| encode(&config, ByCost, &frames)).0 == stream);
    assert!(encode(&config, ByCost, &frames).0 == stream);
    config.threads = 2;
    let mut encoder = Encoder::new(config).unwrap();
    let code = |encoder: &mut Encoder, frames: &[Vec<u8>]| {
        let packets =
            frames.iter().map(|frame| encoder.encode(&Frame::i420(64, 96, frame).unwrap()).unwrap());
        packets.flat_map(|packet| packet.unwrap().bytes).collect::<Vec<u8>>()
    };
    let first = code(&mut encoder, &frames[..2]);
    let mut copy = encoder.clone();
    std::thread::scope(|scope| {
        let other = scope.spawn(|| code(&mut copy, &frames[2..]));
        let rest = code(&mut encoder, &frames[2..]);
        assert!(other.join().unwrap() == rest);
        assert!([first, rest].concat() == stream);
    });
}
