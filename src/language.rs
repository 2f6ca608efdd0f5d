//! The language of kernels. These pages hold no items: they are to be read.
//!
//! A kernel is a function under [`#[shim::kernel]`](macro@crate::kernel). All of Rust that does not touch a tensor
//! passes through as written: control flow, structs, methods, closures, generics, `impl` blocks, `extern "C"`; only
//! `async` is not part of it. What does touch a tensor is staged: the macro works out where each index lies in memory,
//! and emits loops over slices.
//!
//! **A negative index is the neighbor outside the view, never "from the end"**: see [`access`].
//!
//! | page | what it is about |
//! |---|---|
//! | [`first`] | a first kernel in five minutes |
//! | [`porting`] | from a loop to a kernel, in three examples |
//! | [`tensors`] | memory, and where it stands |
//! | [`layouts`] | the order of a block's elements in memory |
//! | [`shapes`] | extents that depend on indices, and tensors of several pieces |
//! | [`views`] | other ways to see a tensor, and questions about its place |
//! | [`algebra`] | the operations of the Mathematics of Arrays |
//! | [`access`] | indices, negative ones first |
//! | [`iteration`] | loops, elementwise assignments, reductions |
//! | [`orders`] | loops in tiles, fronts and other orders |
//! | [`stages`] | functions of an index, and when they are computed |
//! | [`pipelines`] | one kernel from its formula to threads, with times |
//! | [`modes`] | how a loop computes its points: tables of a few expressions |
//! | [`templates`] | functions that take tensors, return them, and take other templates |
//! | [`codec`] | a small codec, from prediction to a decoder |
//! | [`binding`] | what is known when; versions for values of the run time |
//! | [`output`] | what comes out, how to look at it, the options of the attribute |
//! | [`why`] | why a kernel is slow, and why it is refused |
//! | [`errors`] | errors, panics, and traps of the surface syntax |
//! | [`rulings`] | what holds where two readings are possible |
//! | [`reference`](mod@reference) | each name of the language, in tables |

/// A page is a file in `docs/language/`, so that it can be read there as well.
macro_rules! pages {
    ($($name:ident, $title:literal;)*) => {$(
        #[doc = $title]
        #[doc = ""]
        #[doc = include_str!(concat!("../docs/language/", stringify!($name), ".md"))]
        pub mod $name {}
    )*};
}

pages! {
    first, "A first kernel in five minutes.";
    porting, "From a loop to a kernel.";
    tensors, "Tensors: memory, and where it stands.";
    layouts, "Layouts: the order of a block's elements in memory.";
    shapes, "Shapes: extents that depend on indices, and tensors of several pieces.";
    views, "Views: other ways to see a tensor.";
    algebra, "Algebra: the operations of the Mathematics of Arrays.";
    access, "Access: indices, negative ones first.";
    iteration, "Iteration: loops, elementwise assignments, reductions.";
    orders, "Orders: loops in tiles, fronts and other orders.";
    stages, "Stages: functions of an index, and when they are computed.";
    pipelines, "From a formula to a fast pipeline.";
    modes, "Modes: how a loop computes its points.";
    templates, "Templates: functions that take and return tensors.";
    codec, "A picture codec in an afternoon.";
    binding, "Binding times: what is known when, and versions for values of the run time.";
    output, "Output: what a kernel becomes, and the options of the attribute.";
    why, "Why is it slow, why is it refused.";
    errors, "Errors, panics, and traps of the surface syntax.";
    rulings, "Rulings: what holds where two readings are possible.";
    reference, "Reference: each name of the language.";
}
