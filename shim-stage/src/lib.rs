//! The staging compiler of shim.

pub mod fixed;
pub mod link;
