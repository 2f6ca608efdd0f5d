//! Twenty-five programs of other fields, written from the documentation alone.

#![allow(clippy::cast_precision_loss, clippy::manual_midpoint)]

pub(crate) mod cases;
pub(crate) mod matrices;
pub(crate) mod pictures;
pub(crate) mod plain;
pub(crate) mod signals;
