//! Memory is asked for once for each frame, however many macroblocks it has.

mod common;

use allocation_counter::measure;
use common::picture;
use shim_h264::{Config, Encoder, Frame};

/// Allocations for a frame, when some were coded before.
fn allocations(config: &Config) -> u64 {
    let mut encoder = Encoder::new(config.clone()).unwrap();
    let samples = picture(config.width, config.height, 3);
    let frame = Frame::i420(config.width, config.height, &samples).unwrap();
    for _ in 0..2 {
        encoder.encode(&frame).unwrap();
    }
    measure(|| drop(encoder.encode(&frame).unwrap())).count_total
}

#[test]
fn no_macroblock_allocates() {
    for (keyint, slices) in [(1, 1), (1, 2), (250, 1), (250, 2)] {
        let [small, large] = [(32, 32), (160, 160)].map(|(width, height)| {
            let mut config = Config::new(width, height);
            (config.keyint, config.slices) = (keyint, slices);
            allocations(&config)
        });
        // The packet, and what is asked for anew for it: what it is put together from stays.
        assert!(large <= small + 1 && large <= 2, "{small} for 4 macroblocks, {large} for 100");
    }
}
