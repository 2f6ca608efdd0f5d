//! Numbers: index arithmetic, conditions, and the plain integers that both are made of.

pub(super) mod compare;
pub(super) mod index;
pub(super) mod number;
pub(super) mod operator;
pub(super) mod underflow;
