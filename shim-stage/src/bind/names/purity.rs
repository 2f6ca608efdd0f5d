//! Which operations of plain Rust neither leave the kernel nor have an effect of their own.
//!
//! An access that runs unconditionally may be asserted before its nest only if nothing that runs before it could
//! have stopped the kernel or done something that the panic would then forestall (DESIGN, "Assertions"). Plain
//! arithmetic, and indexing of plain Rust arrays, panic only where the program is wrong anyway; they do not count.

use syn::{Expr, ExprCall, ExprPath};

use crate::static_eval::methods;

/// Functions that only compute, by their last two segments.
const FUNCTIONS: &[(&str, &str)] = &[("cmp", "min"), ("cmp", "max"), ("mem", "size_of")];

/// Constructors of std that only build a value.
const CONSTRUCTORS: &[&str] = &["Some", "Ok", "Err", "None", "Wrapping", "Saturating"];

/// Whether a method with this name only computes.
pub(in crate::bind) fn method(name: &syn::Ident) -> bool {
    methods::is_pure(&name.to_string())
}

/// Whether a call of `path` only computes: `i32::from`, `u8::max`, `core::cmp::min`, `Some`.
pub(in crate::bind) fn function(call: &ExprCall) -> bool {
    let Expr::Path(ExprPath { path, .. }) = crate::surface::strip_parens(&call.func) else { return false };
    let Some(last) = path.segments.last().map(|segment| segment.ident.to_string()) else { return false };
    let Some(before) = path.segments.len().checked_sub(2).map(|at| path.segments[at].ident.to_string())
    else {
        return CONSTRUCTORS.contains(&last.as_str());
    };
    let number = crate::static_eval::IntType::parse(&before).is_some() || before == "f32" || before == "f64";
    (number && (last == "from" || methods::is_pure(&last)))
        || FUNCTIONS.contains(&(before.as_str(), last.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use syn::parse_quote;

    #[test]
    fn numbers_compute_and_the_rest_is_unknown() {
        assert!(function(&parse_quote!(i32::from(x))));
        assert!(function(&parse_quote!(core::cmp::min(a, b))));
        assert!(function(&parse_quote!(Some(3))));
        assert!(!function(&parse_quote!(foo(x))));
        assert!(!function(&parse_quote!(Foo::from(x))));
    }
}
