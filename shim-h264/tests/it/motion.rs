//! Which picture a picture is predicted from, seen by the bytes that it takes.

use shim_h264::{Config, Encoder, Frame, Preset, RateControl};

const SIDE: usize = 96;

/// Samples that no prediction within a picture finds.
fn texture(seed: u32, size: usize) -> Vec<u8> {
    let mut state = seed;
    (0..size * size)
        .map(|_| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 24) as u8 / 4 + 96
        })
        .collect()
}

/// Bytes of each picture.
fn bytes(preset: Preset, references: u8, frames: &[[&[u8]; 3]]) -> Vec<usize> {
    let mut config = Config::new(SIDE, SIDE);
    config.rate = RateControl::ConstantQp(26);
    (config.preset, config.references, config.scene_cut) = (preset, Some(references), Some(false));
    config.keyint = 100;
    let mut encoder = Encoder::new(config).unwrap();
    let code = |planes: &[&[u8]; 3]| {
        let frame = Frame::i420(SIDE, SIDE, &planes.concat())
            .map(|frame| encoder.encode(&frame).unwrap().unwrap().bytes.len());
        frame.unwrap()
    };
    frames.iter().map(code).collect()
}

#[test]
fn chroma_says_which_picture_is_the_better_one() {
    let luma = texture(1, SIDE);
    let [chroma, other] = [2, 3].map(|seed| texture(seed, SIDE / 2));
    // The luma of both is the same.
    let frames = [[&luma[..], &chroma, &chroma], [&luma, &other, &other], [&luma, &chroma, &chroma]];
    for preset in [Preset::Medium, Preset::Slower, Preset::Veryslow] {
        let (one, two) = (bytes(preset, 1, &frames), bytes(preset, 2, &frames));
        assert!(10 * two[2] < one[2], "{preset}: {two:?} beside {one:?}");
    }
}
