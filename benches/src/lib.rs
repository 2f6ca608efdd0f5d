//! The kernel suite: small kernels of codecs and image programs, each in three versions that compute the same.
//!
//! | version | what it is |
//! |---|---|
//! | staged | a `#[shim::kernel]`, written like the formula |
//! | hand | careful plain Rust: one range assertion, then unchecked access, in the order of loops that LLVM likes |
//! | library | the same views and formula on the runtime library, [`shim_core`] |
//!
//! `cargo bench -p shim-benches --bench kernels` measures them side by side and prints ratios, `--bench criterion` each
//! by itself, with baselines; `cargo test -p shim-benches` checks that they agree. [`kernels`] holds the suite,
//! [`case`] what a kernel gives to be tested and measured, [`measure`] the measuring. [`ablation`] is the JPEG encoder
//! on the runtime library, whole.
#![allow(clippy::inline_always, reason = "the hand-written versions are inlined as their authors would")]
#![allow(clippy::cast_precision_loss, reason = "samples are far below 2^23")]
#![allow(clippy::struct_field_names, reason = "the fields are named by the standard's words")]

pub mod ablation;
pub mod algebra;
pub mod arguments;
pub mod bd_rate;
pub mod case;
pub mod clip;
pub mod kernels;
pub mod measure;
pub mod papers;
pub mod picture;
