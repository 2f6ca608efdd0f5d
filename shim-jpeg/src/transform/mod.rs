//! From pixels to quantized coefficients, by the kernels.

pub(crate) mod band;
pub(crate) mod plane;
pub(crate) mod sample;
pub(crate) mod segment;
pub(crate) mod trellis;
