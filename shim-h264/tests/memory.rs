//! Memory is asked for once for each frame, however many macroblocks it has.

mod common;

use allocation_counter::measure;
use common::{intra, picture};
use shim_h264::{Config, Encoder, Frame, RateControl, Vbv};

/// Allocations for a frame, when some were coded before.
fn allocations(config: &Config) -> u64 {
    let (width, height) = (config.width, config.height);
    let mut encoder = Encoder::new(config.clone()).unwrap();
    let [samples, other] = [3, 4].map(|seed| picture(width, height, seed));
    let [frame, other] = [&samples, &other].map(|samples| Frame::i420(width, height, samples).unwrap());
    for frame in [&frame, &other, &frame, &other] {
        encoder.encode(frame).unwrap();
    }
    measure(|| drop(encoder.encode(&frame).unwrap())).count_total
}

#[test]
fn no_macroblock_allocates() {
    for (keyint, slices) in [(1, 1), (1, 2), (250, 1), (250, 2)] {
        let [small, large] = [32, 160].map(|side| {
            let mut config = intra(side, side);
            (config.keyint, config.slices, config.scene_cut) = (keyint, slices, Some(false));
            allocations(&config)
        });
        // The packet, and what is asked for anew for it: what it is put together from stays.
        assert!(large <= small + 1 && large <= 2, "{small} for 4 macroblocks, {large} for 100");
    }
    let [small, large] = [32, 320].map(|side| {
        let mut config = intra(side, side);
        config.rate = RateControl::ConstantQuality(30.0);
        (config.keyint, config.min_keyint) = (9, Some(9));
        config.vbv = Some(Vbv::new(1_000_000, 1_000_000));
        allocations(&config)
    });
    assert!(large <= small + 6 && large < 30, "{small} for 4 macroblocks, {large} for 400, of a rate");
}
