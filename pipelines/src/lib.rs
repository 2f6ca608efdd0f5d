//! Pipelines of images in stages, most of them after the papers on Halide. Each module has a kernel, some in several
//! schedules, and `plain`, the same as it is written without a library.
#![allow(clippy::cast_precision_loss, reason = "samples are far below 2^23")]

pub mod bilateral;
pub mod blur;
pub mod boxes;
pub mod camera;
pub mod equalize;
pub mod flips;
pub mod gauss;
pub mod interpolate;
pub mod laplacian;
pub mod masks;
pub mod morphology;
pub mod snake;
pub mod unsharp;
pub mod video;
