//! Ordinary Rust: statements, expressions and patterns, and where they may leave.

pub(super) mod assigned;
mod branch;
pub(super) mod call;
pub(super) mod conditional;
pub(super) mod dispatch;
pub(super) mod evaluation;
pub(super) mod exits;
pub(super) mod expression;
pub(super) mod inlined;
pub(super) mod jump;
pub(in crate::bind) mod known;
pub(super) mod local;
pub(super) mod macros;
pub(super) mod pattern;
pub(in crate::bind) mod primitive;
pub(super) mod purity;
pub(super) mod scrutinee;
pub(super) mod statement;
