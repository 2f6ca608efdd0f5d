//! The proc-macro shell of shim: everything is in `shim-stage`, which is an ordinary library.
//!
//! Without the feature `compiler`, each macro finds its expansion in a file that `shim expand --store` has written for
//! the crate that calls it.

mod key;
#[cfg(feature = "compiler")]
mod store;
#[cfg(not(feature = "compiler"))]
mod stored;
mod text;

use proc_macro::TokenStream;

/// One of the macros below.
#[derive(Clone, Copy)]
enum Macro {
    Kernel,
    Located,
    Constant,
    Layout,
    Resume,
}

impl Macro {
    const fn name(self) -> &'static str {
        match self {
            Macro::Kernel => "kernel",
            Macro::Located => "located",
            Macro::Constant => "constant",
            Macro::Layout => "layout",
            Macro::Resume => "resume",
        }
    }

    /// The expansion, by the compiler.
    #[cfg(feature = "compiler")]
    fn expand(self, attribute: TokenStream, item: TokenStream) -> TokenStream {
        let call = store::is_wanted().then(|| (attribute.clone(), item.clone()));
        let (attribute, item) = (attribute.into(), item.into());
        let expansion: TokenStream = match self {
            Macro::Kernel => shim_stage::kernel(attribute, item),
            Macro::Located => shim_stage::located(attribute, item),
            Macro::Constant => shim_stage::constant(attribute, item),
            Macro::Layout => shim_stage::layout(attribute, item),
            Macro::Resume => shim_stage::resume(item),
        }
        .into();
        let Some((attribute, item)) = call else { return expansion };
        match store::record(self, &attribute, &item, &expansion) {
            Ok(()) => expansion,
            Err(error) => text::error(&error),
        }
    }

    /// The expansion that the crate has stored.
    #[cfg(not(feature = "compiler"))]
    fn expand(self, attribute: TokenStream, item: TokenStream) -> TokenStream {
        stored::find(self, &attribute, &item).unwrap_or_else(|error| text::error(&error))
    }
}

/// Stages a function at compile time: its tensors become slices, its views vanish, its loops are flat.
///
/// It stands on free functions, methods, generic functions and `extern "C"` functions. A function with a parameter
/// `impl Tensor<T, N>` becomes a template.
///
/// Options, separated by commas: `simd` emits versions for instruction sets beside the baseline, `checks = "hoisted"`
/// forbids tests in loops, `checks = "every"` adds one to each access, `crate = path` says where `shim` is found.
#[proc_macro_attribute]
pub fn kernel(attribute: TokenStream, item: TokenStream) -> TokenStream {
    Macro::Kernel.expand(attribute, item)
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
    Macro::Located.expand(attribute, item)
}

/// Makes a constant static in the kernels that import it.
///
/// A kernel or a template of any module or crate imports it in its body, as in `#[staged] use crate::scan::ZIGZAG;`. It
/// is an integer, a `bool`, or an array or a tuple of these, of literals and arithmetic on them. The constant itself
/// stays as it is written.
#[proc_macro_attribute]
pub fn constant(attribute: TokenStream, item: TokenStream) -> TokenStream {
    Macro::Constant.expand(attribute, item)
}

/// Names an order of elements, for the kernels that import it.
///
/// It goes on a function that returns an `Order`, whose body is an order as kernels write it and whose parameters are
/// of type `usize`. A kernel or a template of any module or crate imports it in its body, as in `#[staged] use
/// crate::layouts::blocks;`, and calls it with numbers that are static. The function itself can be called as well.
#[proc_macro_attribute]
pub fn layout(attribute: TokenStream, item: TokenStream) -> TokenStream {
    Macro::Layout.expand(attribute, item)
}

/// Goes on with a function once the templates it calls are known. Written by expansions only.
#[doc(hidden)]
#[proc_macro]
pub fn __resume(input: TokenStream) -> TokenStream {
    Macro::Resume.expand(TokenStream::new(), input)
}
