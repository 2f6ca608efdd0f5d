//! Symbolic integers: values known at run time that take part in locations and index arithmetic.
//!
//! A [`Sym`] is kept in normal form, a constant plus a sum of coefficient times monomial, so that equal expressions
//! compare equal and parts that cancel are gone. [`Sym::range`] bounds it, [`Facts`] prove inequalities between
//! expressions whose bounds are symbols themselves, and [`Sym::form`] gives the cheapest tree for emission.
//!
//! ```
//! use shim_stage::symbolic::{Range, Sym, SymError, Symbol};
//!
//! let y = Sym::symbol(&Symbol::new(0, "y", Range::new(0, 15)));
//! let m = Sym::symbol(&Symbol::new(1, "m", Range::UNKNOWN));
//! // The macroblock of the y-th row of macroblock m is m itself.
//! let row = m.scale(16)?.add(&y)?;
//! assert_eq!(row.floor_div(16)?, m);
//! assert_eq!(row.modulo(16)?, y);
//! # Ok::<(), SymError>(())
//! ```

mod arith;
mod bits;
mod choose;
mod cost;
mod division;
mod error;
mod eval;
mod form;
mod integer;
mod interval;
mod normal;
mod order;
mod origin;
mod plan;
mod prove;
mod quotient;
mod range;
mod recover;
mod slack;
mod symbol;
mod table;
#[cfg(test)]
mod tests;

pub use error::SymError;
pub use form::Form;
pub(crate) use interval::Interval;
pub use interval::Range;
pub use normal::{Atom, BinaryOp, Sym};
pub use prove::Facts;
pub use slack::slack;
pub use symbol::Symbol;
pub use table::Table;
