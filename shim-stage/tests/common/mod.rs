//! What the tests of the whole compiler share, and the fuzz targets in `fuzz/` with them.
#![allow(dead_code, reason = "each test and fuzz target uses a part of it")]

pub(crate) mod chains;
pub(crate) mod clock;
pub(crate) mod fixtures;
pub(crate) mod generate;
pub(crate) mod mutate;
pub(crate) mod survive;
pub(crate) mod views;
pub(crate) mod world;
