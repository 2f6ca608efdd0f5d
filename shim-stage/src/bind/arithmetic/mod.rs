//! Numbers: index arithmetic, conditions, and the plain integers that both are made of.

pub(super) mod compare;
pub(super) mod exact;
pub(super) mod index;
pub(super) mod let_def;
pub(super) mod operand;
pub(super) mod point;
pub(super) mod statics;
pub(super) mod total;
pub(super) mod underflow;
