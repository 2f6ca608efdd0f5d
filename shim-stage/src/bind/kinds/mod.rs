//! What a syntax node is: questions that every room asks, answered without writing anything.

mod number;
mod primitive;
pub(super) mod template;
pub(super) mod tensor;
