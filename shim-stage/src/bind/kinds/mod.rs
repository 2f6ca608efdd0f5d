//! The kinds of syntax nodes: questions that every room asks, answered without writing statements.

mod accumulated;
mod closure;
mod known;
mod primitive;
pub(super) mod template;
pub(super) mod tensor;
