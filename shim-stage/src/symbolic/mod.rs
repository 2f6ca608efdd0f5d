//! Symbolic integers: values known at run time that take part in locations and index arithmetic.
//!
//! A [`SymInt`] is kept in normal form, a constant plus a sum of coefficient times monomial, so that equal expressions
//! compare equal and parts that cancel are gone. [`SymInt::range`] bounds it, [`Facts`] prove inequalities between
//! expressions whose bounds are symbols themselves, and [`SymInt::form`] gives the cheapest tree for emission.
//!
//! ```
//! use shim_stage::symbolic::{Range, SymInt, SymError, Symbol};
//!
//! let y = SymInt::symbol(&Symbol::new(0, "y", Range::new(0, 15)));
//! let m = SymInt::symbol(&Symbol::new(1, "m", Range::UNKNOWN));
//! // The macroblock of the y-th row of macroblock m is m itself.
//! let row = m.scale(16)?.add(&y)?;
//! assert_eq!(row.floor_div(16)?, m);
//! assert_eq!(row.modulo(16)?, y);
//! # Ok::<(), SymError>(())
//! ```

mod arith;
mod bits;
mod cost;
mod division;
mod error;
mod eval;
mod extract;
mod form;
mod integer;
mod interval;
mod monotone;
mod normal;
mod order;
mod origin;
mod prove;
mod quotient;
mod range;
mod slack;
mod strength;
mod symbol;
mod table;
#[cfg(test)]
mod tests;
mod tree;

pub use error::SymError;
pub use form::Form;
pub(crate) use interval::Interval;
pub use interval::Range;
pub(crate) use monotone::{at_most, extreme, keep_extreme, keep_strongest, without_remainders};
pub use normal::{Atom, BinaryOp, SymInt};
pub use prove::Facts;
pub use slack::slack;
pub use symbol::Symbol;
pub use table::ConstTable;
