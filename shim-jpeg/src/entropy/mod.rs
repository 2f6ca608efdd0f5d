//! From codes to the bytes of a scan.

pub(crate) mod bits;
pub(crate) mod optimal;
