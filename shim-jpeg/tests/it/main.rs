//! Files against third-party decoders and encoders.

#[path = "../common/mod.rs"]
mod common;

mod any;
mod api;
mod cjpeg;
mod decoders;
mod layers;
mod libjpeg_turbo;
mod lossless;
mod matrix;
mod threads;
mod trellis;
