//! The proc-macro shell of shim: everything is in `shim-stage`, which is an ordinary library.

use proc_macro::TokenStream;

/// Stages a function at compile time: its tensors become slices, its views vanish, its loops are flat.
///
/// It stands on free functions, methods, generic functions and `extern "C"` functions. A function with a parameter
/// `impl Tensor<T, N>` becomes a template.
///
/// Options, separated by commas: `simd` emits versions for instruction sets beside the baseline, `checks = "every"`
/// adds a check to each access, `crate = path` says where `shim` is found.
#[proc_macro_attribute]
pub fn kernel(attribute: TokenStream, item: TokenStream) -> TokenStream {
    shim_stage::kernel(attribute.into(), item.into()).into()
}

/// Declares where the fields of a struct are, for the kernels that take it.
///
/// A field under `#[shape(..)]`, and placements such as `#[coarsened(2, 2)]`, is a tensor in kernels that take the
/// struct as `#[located] picture: &Picture`. Extents are arithmetic of literals, of fields of type `usize`, and of
/// constants written from the root of their crate. The struct itself stays as it is written. A field under `#[located]`
/// is a located struct too.
///
/// `rows(h) as PictureRows` declares a second struct: some rows of this one, of which `h` counts all, borrowed mutably.
/// `view as PictureView` declares one that has all of it, to be read.
/// `crate = path` says where `shim` is found.
#[proc_macro_attribute]
pub fn located(attribute: TokenStream, item: TokenStream) -> TokenStream {
    shim_stage::located(attribute.into(), item.into()).into()
}

/// Makes a constant static in the kernels that import it.
///
/// A kernel or a template of any module or crate imports it in its body, as in `#[staged] use crate::scan::ZIGZAG;`. It
/// is an integer, a `bool`, or an array or a tuple of these, of literals and arithmetic on them. The constant itself
/// stays as it is written.
#[proc_macro_attribute]
pub fn constant(attribute: TokenStream, item: TokenStream) -> TokenStream {
    shim_stage::constant(attribute.into(), item.into()).into()
}

/// Names an order of elements, for the kernels that import it.
///
/// It goes on a function that returns an `Order`, whose body is an order as kernels write it and whose parameters are
/// of type `usize`. A kernel or a template of any module or crate imports it in its body, as in `#[staged] use
/// crate::layouts::blocks;`, and calls it with numbers that are static. The function itself can be called as well.
#[proc_macro_attribute]
pub fn layout(attribute: TokenStream, item: TokenStream) -> TokenStream {
    shim_stage::layout(attribute.into(), item.into()).into()
}

/// Goes on with a function once the templates it calls are known. Written by expansions only.
#[doc(hidden)]
#[proc_macro]
pub fn __resume(input: TokenStream) -> TokenStream {
    shim_stage::resume(input.into()).into()
}
