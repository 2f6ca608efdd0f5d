//! Which operations of plain Rust neither leave the kernel nor have an effect of their own.
//!
//! An access that runs unconditionally may be asserted before its nest only if nothing that runs before it could
//! have stopped the kernel or done something that the panic would then forestall (DESIGN, "Assertions"). Plain
//! arithmetic, and indexing of plain Rust arrays, panic only where the program is wrong anyway; they do not count.

use syn::{Expr, ExprCall, ExprPath};

/// Methods of numbers and booleans that only compute.
const METHODS: &[&str] = &[
    "abs",
    "abs_diff",
    "cast_signed",
    "cast_unsigned",
    "ceil",
    "checked_add",
    "checked_div",
    "checked_mul",
    "checked_neg",
    "checked_shl",
    "checked_shr",
    "checked_sub",
    "clamp",
    "clone",
    "copysign",
    "count_ones",
    "count_zeros",
    "div_ceil",
    "div_euclid",
    "eq",
    "floor",
    "fract",
    "ge",
    "get",
    "gt",
    "ilog10",
    "ilog2",
    "into",
    "is_empty",
    "is_negative",
    "is_none",
    "is_positive",
    "is_power_of_two",
    "is_some",
    "isqrt",
    "le",
    "leading_ones",
    "leading_zeros",
    "len",
    "lt",
    "max",
    "midpoint",
    "min",
    "mul_add",
    "ne",
    "next_multiple_of",
    "next_power_of_two",
    "overflowing_add",
    "overflowing_mul",
    "overflowing_sub",
    "pow",
    "powi",
    "recip",
    "rem_euclid",
    "reverse_bits",
    "rotate_left",
    "rotate_right",
    "round",
    "round_ties_even",
    "saturating_add",
    "saturating_mul",
    "saturating_sub",
    "signum",
    "sqrt",
    "swap_bytes",
    "to_be",
    "to_be_bytes",
    "to_bits",
    "to_le",
    "to_le_bytes",
    "to_ne_bytes",
    "trailing_ones",
    "trailing_zeros",
    "trunc",
    "unsigned_abs",
    "unwrap_or",
    "wrapping_add",
    "wrapping_add_signed",
    "wrapping_div",
    "wrapping_mul",
    "wrapping_neg",
    "wrapping_rem",
    "wrapping_shl",
    "wrapping_shr",
    "wrapping_sub",
];

/// Functions that only compute, by their last two segments.
const FUNCTIONS: &[(&str, &str)] = &[("cmp", "min"), ("cmp", "max"), ("mem", "size_of")];

/// Constructors of std that only build a value.
const CONSTRUCTORS: &[&str] = &["Some", "Ok", "Err", "None", "Wrapping", "Saturating"];

/// Whether a method with this name only computes.
pub(in crate::bind) fn method(name: &syn::Ident) -> bool {
    METHODS.binary_search(&name.to_string().as_str()).is_ok()
}

/// Whether a call of `path` only computes: `i32::from`, `u8::max`, `core::cmp::min`, `Some`.
pub(in crate::bind) fn function(call: &ExprCall) -> bool {
    let Expr::Path(ExprPath { path, .. }) = crate::surface::bare(&call.func) else { return false };
    let Some(last) = path.segments.last().map(|segment| segment.ident.to_string()) else { return false };
    let Some(before) = path.segments.len().checked_sub(2).map(|at| path.segments[at].ident.to_string())
    else {
        return CONSTRUCTORS.contains(&last.as_str());
    };
    let number = crate::fixed::IntType::parse(&before).is_some() || before == "f32" || before == "f64";
    (number && (last == "from" || METHODS.contains(&last.as_str())))
        || FUNCTIONS.contains(&(before.as_str(), last.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use syn::parse_quote;

    #[test]
    fn the_list_is_sorted() {
        assert!(METHODS.is_sorted());
    }

    #[test]
    fn numbers_compute_and_the_rest_is_unknown() {
        assert!(function(&parse_quote!(i32::from(x))));
        assert!(function(&parse_quote!(core::cmp::min(a, b))));
        assert!(function(&parse_quote!(Some(3))));
        assert!(!function(&parse_quote!(foo(x))));
        assert!(!function(&parse_quote!(Foo::from(x))));
    }
}
