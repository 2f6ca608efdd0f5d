//! What a module with kernels imports.

#[doc(hidden)]
pub use crate::__private::Import as _;
pub use crate::Boundary::{By, Clamp, Fill, Mirror, Reflect, Wrap};
pub use crate::{Block, Boundary, Order, Place, View, ViewMut};

/// A tensor as a parameter: it makes the kernel a [template](crate::language::templates), which is staged into each
/// caller. As a return type it is a view of an argument, or a block that the template allocates.
///
/// `T` is the type of its elements, `N` the number of its axes. Nothing implements it: tensors exist only while
/// kernels are staged.
#[diagnostic::on_unimplemented(
    message = "a template is called outside of a kernel",
    label = "no tensor exists here",
    note = "functions that take `impl Tensor` are called in `#[shim::kernel]` functions, with tensors made there"
)]
#[cfg(not(rust_analyzer))]
pub trait Tensor<T, const N: usize> {}

/// A tensor as a parameter: it makes the kernel a [template](crate::language::templates), which is staged into each
/// caller. As a return type it is a view of an argument, or a block that the template allocates.
///
/// `T` is the type of its elements, `N` the number of its axes.
// The methods of a tensor, for completion in a template that is being typed.
#[cfg(rust_analyzer)]
pub trait Tensor<T, const N: usize>: core::ops::DerefMut<Target = shim_core::editor::Tensor<T, N>> {}

/// A [template](crate::language::templates) as a parameter of a template, which calls it by the parameter's name.
///
/// Nothing implements it: a template is named where it is passed, and staged where it is called.
#[diagnostic::on_unimplemented(
    message = "a template is called outside of a kernel",
    note = "functions that take `impl Template` are called in `#[shim::kernel]` functions"
)]
pub trait Template {}

/// An elementwise iterator of a kernel, see [`iters`].
#[derive(Debug, Clone, Copy)]
pub struct Iter(());

/// Elementwise iterators: `let [y, x] = iters(); out[[y, x]] = a[[x, y]];` in a kernel.
///
/// See [the page on iteration](crate::language::iteration#elementwise).
///
/// # Panics
/// Outside of a kernel, where it has no meaning.
#[must_use]
pub fn iters<const N: usize>() -> [Iter; N] {
    panic!("`iters` has a meaning in kernels alone")
}

/// A function of an index that a kernel reads like a tensor, see [`stage`].
#[derive(Debug, Clone, Copy)]
pub struct Stage<T, const N: usize>(core::marker::PhantomData<T>);

impl<T, const N: usize> core::ops::Index<[i32; N]> for Stage<T, N> {
    type Output = T;

    fn index(&self, _: [i32; N]) -> &T {
        panic!("stages have a meaning in kernels alone")
    }
}

/// A stage: `let across = stage(|[y, x]| ..);` is a function of an index that is read like a tensor in a kernel.
/// `#[compute_at(..)]` before the `let` says where its elements are computed; without it, that is where they are read.
///
/// See [the page on stages](crate::language::stages).
///
/// # Panics
/// Outside of a kernel, where it has no meaning.
#[must_use]
pub fn stage<T, const N: usize>(_function: impl Fn([i32; N]) -> T) -> Stage<T, N> {
    panic!("`stage` has a meaning in kernels alone")
}
