//! Tests of the pass against execution: kernels run over small integers, and every claim is held against what runs.

pub(crate) mod execute;
pub(crate) mod kernels;

mod assertions;
mod folds;
pub(crate) mod interiors;
mod lets;
