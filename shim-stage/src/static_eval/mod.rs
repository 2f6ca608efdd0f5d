//! Values known at expansion: the "static" binding time.
//!
//! Literals, constants, unrolled loop variables and whatever is computed from these alone are folded while the macro
//! runs, so that `if` and `match` on them can be decided and factors that must be static can be read. The folding
//! follows Rust to the letter, since a folded expression replaces one that rustc would have evaluated:
//!
//! - an integer without a suffix adopts the type of the operand it meets, or the type that is expected of it, and
//!   otherwise folds as `i32`; it stays without a type until then, as an inference variable of rustc does;
//! - overflow, a division by zero, a shift by too many bits and an index outside a static array are errors on the
//!   exact tokens, never a wrapped value; `as` wraps;
//! - what is not static is `Ok(None)` and is left to rustc as written. This is so for everything this module does not
//!   know: macros, closures, floats, strings, foreign paths, and `u128` values above `i128::MAX`.
//!
//! An `if` or `match` is static only if its condition is: two static branches under a condition known at run time are
//! not a static value. The branch that is not taken may be anything.
//!
//! `usize` and `isize` fold with 64 bits, and literals carry their suffix when they are put back, so that a 32-bit
//! target rejects what does not fit it. `usize::MAX`, `usize::BITS` and the like stay run-time values, since the
//! macro cannot know the target.

mod eval;
mod infer;
mod int;
pub mod methods;
mod number;
mod pattern;
#[cfg(test)]
mod tests;
mod value;
mod values;

pub use eval::{eval, eval_as};
pub use int::{Int, IntType};
pub use pattern::{MatchBindings, matches};
pub use value::{Value, convert, int_type, literal};
pub use values::Values;

/// The static names an expression may use.
pub trait Scope {
    /// The value of `name`, if it is static here. A name that a run-time binding shadows gives `None`.
    fn lookup(&self, name: &syn::Ident) -> Option<Value>;

    /// The extent of a tensor on an axis, if it is static.
    fn extent(&self, _tensor: &syn::Ident, _axis: usize) -> Option<i64> {
        None
    }

    /// Notes that the value of an expression rests on the name of `ty` being that of the primitive type.
    fn relies_on(&self, _ty: IntType) {}

    /// Notes that the value of an expression rests on `name` being the method of `Ord`.
    fn relies_on_method(&self, _name: &'static str) {}

    /// Whether `name`, alone in a pattern, means a constant rather than a new binding.
    ///
    /// Syntax cannot tell; rustc asks name resolution. The default goes by Rust's naming convention, which the
    /// `non_upper_case_globals` and `non_snake_case` lints enforce in user code.
    fn is_constant(&self, name: &syn::Ident) -> bool {
        name.to_string().trim_start_matches(['r', '#', '_']).starts_with(char::is_uppercase)
    }
}

/// The value of `expr` where `names` have these values.
///
/// # Errors
///
/// As [`eval`].
pub fn eval_with(
    expr: &syn::Expr,
    names: &[(syn::Ident, Value)],
    scope: &dyn Scope,
) -> syn::Result<Option<Value>> {
    eval(expr, &Layer { below: scope, names })
}

/// Whether `value` matches a pattern where `names` have these values, as [`matches`](fn@matches) answers.
///
/// # Errors
///
/// As [`matches`](fn@matches).
#[allow(clippy::option_option, reason = "three answers, as those of `matches`")]
pub fn matches_with(
    pattern: &syn::Pat,
    value: &Value,
    names: &[(syn::Ident, Value)],
    scope: &dyn Scope,
) -> syn::Result<Option<Option<MatchBindings>>> {
    matches(pattern, value, &Layer { below: scope, names })
}

/// A scope without names.
pub struct NoNames;

impl Scope for NoNames {
    fn lookup(&self, _: &syn::Ident) -> Option<Value> {
        None
    }
}

/// An error on exactly these tokens, with its help line.
fn wrong(tokens: impl quote::ToTokens, message: &str, help: &str) -> syn::Error {
    syn::Error::new_spanned(tokens, format!("{message}\nhelp: {help}"))
}

/// A scope with the bindings of a pattern laid over it.
struct Layer<'a> {
    below: &'a dyn Scope,
    names: &'a [(syn::Ident, Value)],
}

impl Scope for Layer<'_> {
    fn lookup(&self, name: &syn::Ident) -> Option<Value> {
        let own = self.names.iter().rev().find(|(bound, _)| crate::hygiene::same(bound, name));
        own.map(|(_, value)| value.clone()).or_else(|| self.below.lookup(name))
    }

    fn extent(&self, tensor: &syn::Ident, axis: usize) -> Option<i64> {
        let hidden = self.names.iter().any(|(bound, _)| crate::hygiene::same(bound, tensor));
        if hidden { None } else { self.below.extent(tensor, axis) }
    }

    fn relies_on(&self, ty: IntType) {
        self.below.relies_on(ty);
    }

    fn relies_on_method(&self, name: &'static str) {
        self.below.relies_on_method(name);
    }

    fn is_constant(&self, name: &syn::Ident) -> bool {
        self.below.is_constant(name)
    }
}
