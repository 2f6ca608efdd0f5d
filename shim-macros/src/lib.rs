//! The proc-macro shell of shim: everything is in `shim-stage`, which is an ordinary library.

use proc_macro::TokenStream;

/// Stages a function at compile time: its tensors become slices, its views vanish, its loops are flat.
///
/// The facade crate `shim` documents the language.
#[proc_macro_attribute]
pub fn kernel(attribute: TokenStream, item: TokenStream) -> TokenStream {
    shim_stage::kernel(attribute.into(), item.into()).into()
}

/// Goes on with a function once the templates it calls are known. Written by expansions only.
#[doc(hidden)]
#[proc_macro]
pub fn __resume(input: TokenStream) -> TokenStream {
    shim_stage::resume(input.into()).into()
}
