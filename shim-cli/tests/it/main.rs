//! The command as a user runs it.

#[path = "../common/mod.rs"]
mod common;

mod examples;
mod expand;
mod files;
mod front_ends;
mod h264;
mod jpeg;
mod many;
mod mutated;
mod options;
mod reported;
mod reports;
mod signals;
