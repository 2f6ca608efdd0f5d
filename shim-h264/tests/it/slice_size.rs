//! Slices of a maximum size: no NAL unit of a slice is larger, and what decoders find is what was reconstructed.

use crate::common::{Rng, encode, exact, i420, intra, picture};
use shim_h264::bitstream::{annex_b, avcc};
use shim_h264::decide::{ByCost, Decisions, Random};
use shim_h264::{Config, Deblocking, Edges, Encoder, Error, Format, Frame, Preset, RateControl, Vbv};

/// The sizes of the NAL units of slices in a byte stream.
fn slice_sizes(stream: &[u8]) -> Vec<usize> {
    annex_b::units(stream).filter(|unit| matches!(unit[0] & 31, 1 | 5)).map(<[u8]>::len).collect()
}

/// Codes frames, and checks sizes and reconstructions; gives the sizes.
fn check<D: Decisions>(config: &Config, decisions: D, frames: &[Vec<u8>], what: &str) -> Vec<usize> {
    let (stream, recon) = encode(config, decisions, frames);
    let sizes = slice_sizes(&stream);
    let most = config.max_slice_size.expect("a limit");
    assert!(sizes.iter().all(|&size| size <= most), "{what}: {most}, {sizes:?}");
    exact(&stream, &recon, most.is_multiple_of(7), what);
    sizes
}

/// Noise, of which no macroblock is small, and zeros in `I_PCM`, which emulation prevention makes larger.
fn hostile_frames(width: usize, height: usize) -> Vec<Vec<u8>> {
    let mut rng = Rng(9);
    let samples = width * height * 3 / 2;
    let noise = |rng: &mut Rng| (0..samples).map(|_| rng.next() as u8).collect::<Vec<u8>>();
    vec![noise(&mut rng), noise(&mut rng), vec![0; samples], noise(&mut rng)]
}

#[test]
fn no_slice_is_larger_at_any_limit() {
    let frames = hostile_frames(48, 32);
    for (i, most) in [64, 65, 67, 100, 128, 255, 399, 577, 1400, 100_000].into_iter().enumerate() {
        for keyint in [1, 9] {
            let mut config = intra(48, 32);
            (config.keyint, config.max_slice_size, config.scene_cut) = (keyint, Some(most), Some(false));
            config.rate = RateControl::ConstantQp([0, 4, 20, 51][i % 4]);
            config.slices = 1 + i % 2;
            config.constrained_intra_pred = i % 5 == 0;
            config.deblocking.edges = Some([Edges::All, Edges::WithinSlices][i % 2]);
            check(&config, ByCost, &frames, &format!("at most {most}, keyint {keyint}"));
            check(
                &config,
                Random::new(i as u64),
                &frames,
                &format!("at most {most}, keyint {keyint}, random"),
            );
        }
    }
}

#[test]
fn random_streams_keep_the_limit() {
    for seed in 0..60 {
        let mut rng = Rng(seed);
        let (width, height) = (2 + 2 * rng.below(48), 2 + 2 * rng.below(40));
        let mut config = intra(width, height);
        config.rate = RateControl::ConstantQp(rng.below(52) as u8);
        config.keyint = 1 + rng.below(6) as u32;
        config.references = Some(1 + rng.below(4) as u8);
        config.slices = 1 + rng.below(height.div_ceil(16));
        config.max_slice_size = Some(64 + rng.below(600));
        config.constrained_intra_pred = rng.below(3) == 0;
        config.access_unit_delimiters = rng.below(2) == 0;
        let edges = [Edges::All, Edges::WithinSlices, Edges::None][rng.below(3)];
        config.deblocking =
            Deblocking { edges: Some(edges), alpha: rng.below(13) as i8 - 6, beta: rng.below(13) as i8 - 6 };
        let frames: Vec<_> = (0..3).map(|i| picture(width, height, seed + i / 2)).collect();
        let what = format!("seed {seed}, {config:?}");
        if seed % 3 == 0 {
            config.preset = Preset::ALL[rng.below(Preset::ALL.len())];
            check(&config, ByCost, &frames, &what);
        } else {
            check(&config, Random::new(rng.next()), &frames, &what);
        }
    }
}

/// A new slice begins only where the next macroblock does not fit: no macroblock is larger than 400 bytes and what
/// emulation prevention adds, so that all slices but the last of a picture are nearly full.
#[test]
fn slices_are_full() {
    let mut config = intra(160, 128);
    (config.keyint, config.max_slice_size) = (1, Some(1200));
    config.rate = RateControl::ConstantQp(20);
    let frames = [hostile_frames(160, 128)[0].clone()];
    let sizes = check(&config, ByCost, &frames, "full slices");
    let (_, all_but_last) = sizes.split_last().unwrap();
    assert!(all_but_last.len() > 3, "{sizes:?}");
    assert!(all_but_last.iter().all(|&size| size > 1200 - 420), "{sizes:?}");
    // One that holds the whole picture changes nothing.
    config.max_slice_size = Some(1 << 20);
    let limited = encode(&config, ByCost, &frames).0;
    config.max_slice_size = None;
    assert!(limited == encode(&config, ByCost, &frames).0);
}

#[test]
fn the_limit_holds_with_lengths_and_buffers() {
    let mut config = intra(96, 80);
    (config.keyint, config.max_slice_size, config.format) = (4, Some(200), Format::Avcc);
    config.rate = RateControl::AverageBitRate(300_000);
    config.vbv = Some(Vbv::new(400_000, 40_000));
    let mut encoder = Encoder::new(config).unwrap();
    for frame in hostile_frames(96, 80).iter().cycle().take(12) {
        let packet = encoder.encode(&Frame::i420(96, 80, frame).unwrap()).unwrap().unwrap();
        let slices: Vec<usize> = avcc::units(&packet.bytes)
            .filter(|unit| matches!(unit[0] & 31, 1 | 5))
            .map(<[u8]>::len)
            .collect();
        assert!(slices.iter().all(|&size| size <= 200), "{slices:?}");
        assert_eq!(packet.statistics.slices as usize, slices.len());
        assert!(i420(&encoder.reconstruction()).len() == frame.len());
    }
}

#[test]
fn limits_that_no_slice_keeps_are_refused() {
    for given in [0, 1, 63] {
        let mut config = intra(32, 32);
        config.max_slice_size = Some(given);
        let error = Encoder::new(config).unwrap_err();
        assert_eq!(error, Error::SliceSize { given, least: 64 });
    }
}

/// More slices than `SliceRate` allows are said to be.
#[test]
fn too_many_slices_for_the_level_are_reported() {
    // MaxMBPS of level 3 over 240 pictures a second and a SliceRate of 22.
    let mut config = intra(96, 80);
    (config.frame_rate, config.level, config.keyint) = ((240, 1), Some(30), 1);
    config.rate = RateControl::ConstantQp(30);
    let frame = &hostile_frames(96, 80)[0];
    let frame = Frame::i420(96, 80, frame).unwrap();
    let second = |config: &Config| {
        let mut encoder = Encoder::new(config.clone()).unwrap();
        [(); 2].map(|()| encoder.encode(&frame).unwrap().unwrap().statistics)[1]
    };
    let few = second(&config);
    assert!(few.slices == 1 && !few.beyond_level);
    config.max_slice_size = Some(200);
    let many = second(&config);
    assert!(many.slices > 7 && many.beyond_level, "{many:?}");
}
