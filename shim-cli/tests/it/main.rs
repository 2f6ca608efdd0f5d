//! The command as a user runs it.

#[path = "../common/mod.rs"]
mod common;

mod examples;
mod expand;
mod files;
mod h264;
mod jpeg;
mod many;
mod options;
mod reported;
mod reports;
mod signals;
