//! The staging compiler of shim.
