//! From pixels to quantized coefficients, by the kernels.

pub(crate) mod mcu_row;
pub(crate) mod mcu_run;
pub(crate) mod sample;
pub(crate) mod trellis;
