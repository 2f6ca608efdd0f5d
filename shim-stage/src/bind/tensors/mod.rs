//! Tensors: blocks, views, accesses and questions.

pub(super) mod access;
pub(super) mod arguments;
pub(super) mod block;
pub(super) mod choice;
pub(super) mod copy;
mod counted;
pub(super) mod expression;
mod extent;
pub(super) mod layout;
pub(super) mod list;
mod memory;
pub(super) mod nest;
mod over;
mod packed;
mod pieces;
pub(super) mod place;
pub(super) mod placement;
pub(super) mod query;
pub(super) mod runtime;
pub(super) mod select;
pub(super) mod shape;
pub(super) mod tables;
pub(super) mod view;
pub(super) mod within;
