//! Streams against third-party decoders, and records of them.

#[path = "../clips/mod.rs"]
mod clips;
#[path = "../common/mod.rs"]
mod common;

mod any;
mod control;
mod exact;
mod input;
mod layers;
mod motion;
mod queue;
mod rate;
mod slice_size;
mod threads;
mod unchanged;
