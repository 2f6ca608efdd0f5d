//! The effects of operations, noted in the log of the walk.

pub(super) mod assigned;
mod evaluation;
mod known;
