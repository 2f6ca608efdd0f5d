//! Ten programs that were written after the compiler was tuned, and that it was not tuned with.

pub(crate) mod cases;
pub(crate) mod kernels;
pub(crate) mod plain;
