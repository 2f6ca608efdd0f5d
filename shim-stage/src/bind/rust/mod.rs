//! Ordinary Rust: statements, expressions and patterns, and where they may leave.

mod branch;
pub(super) mod call;
pub(super) mod conditional;
pub(super) mod dispatch;
pub(super) mod expression;
pub(super) mod inlined;
pub(super) mod jump;
pub(super) mod local;
pub(super) mod macros;
pub(super) mod operator;
pub(super) mod pattern;
mod point;
pub(super) mod scrutinee;
pub(super) mod statement;
