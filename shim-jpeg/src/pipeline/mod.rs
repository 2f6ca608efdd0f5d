//! The processes: how rows of MCUs go through the stages, and what is planned before the first of them.

pub(crate) mod direct;
pub(crate) mod fold;
pub(crate) mod lossless;
pub(crate) mod optimized;
pub(crate) mod plan;
pub(crate) mod process;
pub(crate) mod runs;
pub(crate) mod search;
pub(crate) mod stored;
pub(crate) mod symbolic;
