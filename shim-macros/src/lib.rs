//! The proc-macro shell of shim.
