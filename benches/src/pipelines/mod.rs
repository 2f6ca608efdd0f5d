//! Pipelines of images in stages, after the papers on Halide.

pub mod bilateral;
pub mod blur;
pub mod camera;
pub mod laplacian;
pub mod unsharp;
