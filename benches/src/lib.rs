//! The kernel suite: small kernels of codecs and image programs, each in three versions that compute the same.
//!
//! | version | what it is |
//! |---|---|
//! | staged | a `#[shim::kernel]`, written like the formula |
//! | hand | careful plain Rust: one range assertion, then unchecked access, in the order of loops that LLVM likes |
//! | library | the same views and formula on the runtime library, [`shim_core`] |
//!
//! `cargo bench -p shim-benches --bench kernels` measures them side by side and prints ratios; `cargo test -p
//! shim-benches` checks that they agree. [`kernels`] holds the suite, [`case`] what a kernel gives to be tested and
//! measured, [`measure`] the measuring.

pub mod case;
pub mod kernels;
pub mod measure;
