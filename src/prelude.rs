//! What a module with kernels imports.

pub use crate::{Block, Boundary, View, ViewMut};

/// A tensor as a parameter: it makes the kernel a template, which is staged into each caller.
///
/// `T` is the type of its elements, `N` the number of its axes. Nothing implements it: tensors exist only while
/// kernels are staged.
pub trait Tensor<T, const N: usize> {}

/// Elementwise iterators: `let [y, x] = iters(); out[[y, x]] = a[[x, y]];` in a kernel.
///
/// # Panics
/// Outside of a kernel, where it has no meaning.
#[must_use]
pub fn iters<const N: usize>() -> [i32; N] {
    panic!("`iters` has a meaning in kernels alone")
}
