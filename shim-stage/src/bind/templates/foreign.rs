//! Methods and macros of a template that may be others where the template is staged.
//!
//! The tokens of a template are written into its callers, and rustc looks for the methods of traits that are in scope
//! there. A method that is not its type's own may be another one in another module, and so may a macro that is called
//! by a plain name. Where the type of the receiver is written, rustc confirms that the method is the type's own; where
//! it is not, the call is an error unless std has methods of that name.

use proc_macro2::{Ident, Span};
use syn::{ExprMethodCall, Macro, Type};

use crate::hygiene;
use crate::surface::TensorMethod;

use crate::bind::Binder;
use crate::bind::names::purity;

/// Methods of the types and traits of std's prelude, beside those that [only compute](purity).
const METHODS: &[&str] = &[
    "acos",
    "acosh",
    "all",
    "and",
    "and_then",
    "any",
    "append",
    "array_chunks",
    "as_bytes",
    "as_chunks",
    "as_chunks_mut",
    "as_deref",
    "as_deref_mut",
    "as_mut",
    "as_mut_ptr",
    "as_mut_slice",
    "as_ptr",
    "as_ref",
    "as_slice",
    "as_str",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "binary_search",
    "borrow",
    "borrow_mut",
    "by_ref",
    "bytes",
    "capacity",
    "carrying_add",
    "cbrt",
    "chain",
    "chars",
    "checked_pow",
    "checked_rem",
    "chunk_by",
    "chunks",
    "chunks_exact",
    "chunks_exact_mut",
    "chunks_mut",
    "clear",
    "clone_from",
    "cloned",
    "cmp",
    "collect",
    "concat",
    "contains",
    "contains_key",
    "copied",
    "copy_from_slice",
    "copy_within",
    "cos",
    "cosh",
    "count",
    "cycle",
    "dedup",
    "drain",
    "ends_with",
    "entry",
    "enumerate",
    "eq_ignore_ascii_case",
    "err",
    "exp",
    "exp2",
    "exp_m1",
    "expect",
    "expect_err",
    "extend",
    "extend_from_slice",
    "fill",
    "filter",
    "filter_map",
    "find",
    "find_map",
    "first",
    "first_chunk",
    "first_mut",
    "flat_map",
    "flatten",
    "fold",
    "for_each",
    "fuse",
    "get_mut",
    "get_or_insert",
    "get_or_insert_with",
    "hypot",
    "insert",
    "inspect",
    "into_boxed_slice",
    "into_inner",
    "into_iter",
    "into_vec",
    "is_ascii",
    "is_err",
    "is_finite",
    "is_infinite",
    "is_nan",
    "is_none_or",
    "is_ok",
    "is_sign_negative",
    "is_sign_positive",
    "is_some_and",
    "is_sorted",
    "is_sorted_by",
    "iter",
    "iter_mut",
    "join",
    "keys",
    "last",
    "last_chunk",
    "last_mut",
    "leading_zeros",
    "lines",
    "ln",
    "ln_1p",
    "log",
    "log10",
    "log2",
    "lt",
    "map",
    "map_err",
    "map_or",
    "map_or_else",
    "map_while",
    "max_by",
    "max_by_key",
    "min_by",
    "min_by_key",
    "ne",
    "next",
    "next_back",
    "nth",
    "ok",
    "ok_or",
    "ok_or_else",
    "or",
    "or_else",
    "overflowing_neg",
    "parse",
    "partial_cmp",
    "partition",
    "peek",
    "peekable",
    "pop",
    "position",
    "powf",
    "product",
    "push",
    "push_str",
    "rchunks",
    "reduce",
    "remove",
    "repeat",
    "replace",
    "reserve",
    "resize",
    "retain",
    "rev",
    "reverse",
    "rfind",
    "rfold",
    "rotate_left",
    "rposition",
    "saturating_neg",
    "saturating_pow",
    "scan",
    "set",
    "shrink_to_fit",
    "sin",
    "sin_cos",
    "sinh",
    "skip",
    "skip_while",
    "sort",
    "sort_by",
    "sort_by_key",
    "sort_unstable",
    "sort_unstable_by_key",
    "split",
    "split_at",
    "split_at_mut",
    "split_first",
    "split_first_mut",
    "split_last",
    "split_off",
    "starts_with",
    "step_by",
    "sum",
    "swap",
    "swap_remove",
    "take",
    "take_while",
    "tan",
    "tanh",
    "then",
    "then_some",
    "to_ascii_lowercase",
    "to_ascii_uppercase",
    "to_degrees",
    "to_lowercase",
    "to_owned",
    "to_radians",
    "to_string",
    "to_uppercase",
    "to_vec",
    "total_cmp",
    "trim",
    "truncate",
    "try_fold",
    "try_for_each",
    "try_from",
    "try_into",
    "unwrap",
    "unwrap_err",
    "unwrap_or_default",
    "unwrap_or_else",
    "unzip",
    "update",
    "values",
    "windows",
    "with_capacity",
    "wrapping_abs",
    "wrapping_pow",
    "write",
    "xor",
    "zip",
];

impl Binder<'_> {
    /// Whether what is bound are the tokens of a template, where it is used or where it is defined.
    fn writes_template(&self) -> bool {
        self.templates.in_template || self.diagnostics.is_of_definition()
    }

    /// Confirms that a method which a template calls is the type's own, or reports it.
    pub(in crate::bind) fn method_of_template(&mut self, call: &ExprMethodCall) {
        let name = hygiene::text(&call.method);
        // At a definition the tensors that templates give are not known as such.
        let of_tensors = TensorMethod::of(&call.method).is_some();
        let known =
            of_tensors || purity::method(&call.method) || METHODS.binary_search(&name.as_str()).is_ok();
        if !self.writes_template() || known || hygiene::is_reserved(&call.method) {
            return;
        }
        // A number has no method of its own that std does not have: a bound says which trait's it is. At the definition rustc
        // finds that.
        let of_bound = self.templates.bounded
            && (self.diagnostics.is_of_definition() || self.primitive(&call.receiver).is_some());
        if of_bound {
            return;
        }
        match self.type_written(&call.receiver) {
            Some(ty) => self.confirm_own_method(&ty, &call.method),
            None => self.report_foreign(
                call,
                format!("`{name}` may be a method of another trait where the template is used"),
                "if it is the type's own, write the type, as in `let u: U = ..`; call a trait's by its path, as in `crate::Area::area(u)`",
            ),
        }
    }

    /// Lets rustc find that a type has a method of its own: one of a trait alone is ambiguous beside that of another
    /// trait.
    fn confirm_own_method(&mut self, ty: &Type, method: &Ident) {
        // At the user's call rustc would offer to replace what follows it.
        let method = Ident::new(&hygiene::text(method), Span::mixed_site());
        self.push(syn::parse_quote! {
            {
                trait NotAMethodOfTheTypeItself {
                    fn #method() {}
                }
                impl<T: ?Sized> NotAMethodOfTheTypeItself for T {}
                let _ = || { <#ty>::#method; };
            }
        });
    }

    /// Reports a macro that a template calls by a plain name and that is not std's.
    pub(in crate::bind) fn macro_of_template(&mut self, mac: &Macro) {
        let Some(name) = mac.path.get_ident().filter(|_| self.writes_template()) else { return };
        if self.scopes.source().macros.contains(&hygiene::text(name)) {
            return;
        }
        self.report_foreign(
            mac,
            format!("`{name}!` may be another macro where the template is used"),
            "write its path, as in `crate::check!(..)`, or define it in the template",
        );
    }

    /// Reports what depends on where a template is used: at its definition, and where it is used if that is in error by
    /// itself.
    fn report_foreign(&mut self, tokens: impl quote::ToTokens, message: String, help: &str) {
        if self.templates.in_template {
            self.diagnostics.error_in_call(tokens, message, help);
        } else {
            self.diagnostics.error(tokens, message, help);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::METHODS;

    #[test]
    fn the_list_is_sorted() {
        assert!(METHODS.is_sorted());
    }
}
