//! Pipelines of images in stages, after the papers on Halide.

pub mod blur;
