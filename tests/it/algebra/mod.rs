//! The operations of the Mathematics of Arrays: L. Mullin, A Mathematics of Arrays (1988), by the values of its examples
//! and of those in chapter 2 of the thesis.

mod golden;
mod laws;
mod library;
mod nothing_is_copied;
