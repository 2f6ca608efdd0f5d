//! Forty-three programs in the form in which a Rust author writes them first, against plain Rust.
//! `cargo bench -p shim-benches --bench natural` compares the times of the first eighteen.

#![allow(
    clippy::cast_precision_loss,
    clippy::float_cmp,
    clippy::many_single_char_names,
    clippy::manual_midpoint
)]

mod cases;
mod kernels;
mod matrices;
mod pictures;
mod plain;
mod signals;

use cases::{By, cases};

use crate::common::noise;

/// Small and odd extents.
const SIZES: [[usize; 2]; 8] = [[0, 3], [1, 1], [1, 4], [2, 2], [3, 5], [6, 8], [9, 7], [13, 18]];

fn bytes(count: usize) -> Vec<u8> {
    noise(count, 256)
}

fn floats(count: usize) -> Vec<f32> {
    noise::<u16>(count, 1000).into_iter().map(|value| f32::from(value) / 100.0 - 4.0).collect()
}

/// The nearest sample of a picture.
fn at<T: Copy>(picture: &[T], [h, w]: [usize; 2], y: i32, x: i32) -> T {
    let [y, x] = [(y, h), (x, w)].map(|(at, extent)| at.clamp(0, extent as i32 - 1) as usize);
    picture[y * w + x]
}

#[test]
fn programs_in_their_natural_form() {
    for scale in [0, 1, 3] {
        for mut case in cases(scale) {
            let [kernel, plain] = [By::Kernel, By::Plain].map(|by| (case.run)(by, true));
            assert!(kernel == plain, "{} at scale {scale}", case.name);
        }
    }
}
