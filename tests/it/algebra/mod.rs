//! The operations of the Mathematics of Arrays: L. Mullin, A Mathematics of Arrays (1988), by the values of its examples
//! and of those in chapter 2 of the thesis.
#![allow(clippy::cast_precision_loss, reason = "the numbers of the tests are small")]

mod golden;
mod laws;
mod library;
mod nothing_is_copied;
