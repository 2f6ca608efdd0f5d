//! Memory is asked for once for each frame, however many macroblocks it has.

mod common;

use allocation_counter::measure;
use common::picture;
use shim_h264::{Config, Encoder, Frame};

/// Allocations for a frame, when one was coded before.
fn allocations(width: usize, height: usize) -> u64 {
    let mut encoder = Encoder::new(Config::new(width, height)).unwrap();
    let samples = picture(width, height, 3);
    let frame = Frame::i420(width, height, &samples).unwrap();
    encoder.encode(&frame).unwrap();
    measure(|| drop(encoder.encode(&frame).unwrap())).count_total
}

#[test]
fn no_macroblock_allocates() {
    let (small, large) = (allocations(32, 32), allocations(320, 320));
    // What grows with a packet does so a few times.
    assert!(large <= small + 6 && large < 20, "{small} for 4 macroblocks, {large} for 400");
}
