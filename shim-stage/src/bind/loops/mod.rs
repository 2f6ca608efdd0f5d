//! Loops, unrolled loops, elementwise assignments and reductions, and the attributes that order them.

pub(super) mod chain;
pub(super) mod chain_words;
pub(super) mod copies;
mod counted;
pub(super) mod elementwise;
mod expanded;
pub(super) mod list;
mod partial_sums;
mod ranges;
pub(super) mod reduction;
mod scan;
pub(super) mod stages;
pub(super) mod tabulate;
pub(super) mod tiles;
mod unchanged;
pub(super) mod unroll;
pub(super) mod words;
