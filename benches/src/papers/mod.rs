//! Programs of the papers, staged under several layouts and orders, beside hand-written code.
//!
//! `cargo bench -p shim-benches --bench papers` prints how long they take next to one another; the papers' own ratios
//! are of other machines.

pub mod alignment;
pub mod memory;
pub mod modes;
pub mod packed;
pub mod product;
pub mod shapes;
pub mod tables;
pub mod transpose;
pub mod triangle;
