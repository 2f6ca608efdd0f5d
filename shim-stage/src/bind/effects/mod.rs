//! What operations may do besides computing a value, noted in the log of the walk.

pub(super) mod assigned;
mod evaluation;
mod known;
