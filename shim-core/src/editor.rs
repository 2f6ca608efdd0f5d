//! Types of a kernel's tensors for rust-analyzer.
//!
//! A macro sees no types, and so a kernel's tensors have none. While a kernel has an error, its expansion in
//! rust-analyzer is the function as it was written, and here are the types that completion, hover and go-to-definition
//! then find. rustc never compiles this.

use core::ops::{Index, IndexMut, Range};

use crate::{Block, BoundaryRules};

/// A tensor of a kernel: a block or a view of one, with `N` axes and elements of type `T`.
#[derive(Clone, Debug)]
pub struct Tensor<T, const N: usize>(core::marker::PhantomData<T>);

fn only_in_an_editor() -> ! {
    unreachable!("kernels are staged")
}

impl<T, const N: usize> Block<T, N> {
    /// A block over memory that exists: a slice, an array, a `Vec`, or a pointer in an `unsafe fn`.
    pub fn external<M: ?Sized + Memory<T>>(_memory: &M, _extents: [usize; N]) -> Tensor<T, N> {
        only_in_an_editor()
    }

    /// A block over memory that exists, a slice of rows.
    pub fn rows<R: Memory<T>>(_rows: &[R], _extents: [usize; N]) -> Tensor<T, N> {
        only_in_an_editor()
    }

    /// A block over a `Vec` that is made longer by zeros where it has fewer elements.
    pub fn grown<V: AsMut<[T]>>(_memory: &mut V, _extents: [usize; N]) -> Tensor<T, N> {
        only_in_an_editor()
    }
}

/// Constructors that are told the type of the elements.
impl Block<(), 0> {
    /// A block of zeroed memory of the kernel's own.
    pub fn heap<T, const N: usize>(_extents: [usize; N]) -> Tensor<T, N> {
        only_in_an_editor()
    }

    /// A block of zeroed memory of the kernel's own on the stack, of static extents.
    pub fn stack<T, const N: usize>(_extents: [usize; N]) -> Tensor<T, N> {
        only_in_an_editor()
    }
}

/// Memory of elements `T`.
pub trait Memory<T> {}

impl<T> Memory<T> for [T] {}
impl<T, const L: usize> Memory<T> for [T; L] {}
impl<T> Memory<T> for alloc::vec::Vec<T> {}
impl<T, M: ?Sized + Memory<T>> Memory<T> for &M {}
impl<T, M: ?Sized + Memory<T>> Memory<T> for &mut M {}

macro_rules! methods {
    ($($(#[$doc:meta])* $name:ident $generics:tt ($($argument:ident: $ty:ty),*) -> $result:ty;)*) => {
        impl<T, const N: usize> Tensor<T, N> {
            $(methods!(@ $(#[$doc])* $name $generics ($($argument: $ty),*) -> $result);)*
        }
    };
    (@ $(#[$doc:meta])* $name:ident [$($generic:tt)*] ($($argument:ident: $ty:ty),*) -> $result:ty) => {
        $(#[$doc])*
        pub fn $name<$($generic)*>(&self $(, $argument: $ty)*) -> $result {
            $(let _ = $argument;)*
            only_in_an_editor()
        }
    };
}

methods! {
    /// The view with the axes in another order, an axis of the tensor for each axis of the view.
    permute[](axes: [usize; N]) -> Tensor<T, N>;
    /// The view with `n` indices for one element along each axis.
    refine[](factors: [usize; N]) -> Tensor<T, N>;
    /// The view with one index for `n` elements along each axis, of which it accesses the first.
    coarsen[](factors: [usize; N]) -> Tensor<T, N>;
    /// The elements of one index of an axis, which the view lacks.
    slice[const M: usize](axis: usize, index: isize) -> Tensor<T, M>;
    /// The place of another tensor, in the indices of this one.
    footprint[U, const M: usize](of: &Tensor<U, M>) -> Tensor<T, N>;
    /// The elements that share one element of another tensor with the element at a point of this one.
    coverage[U, const M: usize](point: [isize; N], with: &Tensor<U, M>) -> Tensor<T, N>;
    /// The view of the same extents, moved by so many indices along each axis.
    shifted[](by: [isize; N]) -> Tensor<T, N>;
    /// The view with the indices of the box around a shape.
    dense[]() -> Tensor<T, N>;
    /// The view with so many indices along each axis.
    shaped[S](extents: S) -> Tensor<T, N>;
    /// The tensor with the elements of another one in the places where it has none.
    or[](other: &Tensor<T, N>) -> Tensor<T, N>;
    /// The box of the root space that the tensor covers.
    place[]() -> crate::Place<N>;
    /// The place, moved as little as possible to lie within what the tensor covers.
    clamped[U](within: &Tensor<U, N>) -> crate::Place<N>;
    /// The elements converted by `as` when they are read and when they are written.
    cast[U]() -> Tensor<U, N>;
    /// The tensor with a rule for reads outside every block, or a list of rules, one for each axis.
    boundary[](rules: impl BoundaryRules<T, N>) -> Tensor<T, N>;
    /// The elements for which the condition holds.
    within[](condition: fn([isize; N]) -> bool) -> Tensor<T, N>;
    /// A zeroed heap block in the place of the tensor.
    to_block[]() -> Tensor<T, N>;
    /// A zeroed stack block in the place of the tensor, whose extents are static.
    to_stack[]() -> Tensor<T, N>;
    /// The new block with the elements of the tensor that it was made of.
    copied[]() -> Tensor<T, N>;
    /// A stack block of these extents, whose elements are those of the tensor at the static places that the closure
    /// gives.
    select[const M: usize](extents: [usize; M], places: fn([usize; M]) -> [isize; N]) -> Tensor<T, M>;
    /// The elements of a block in the order of its rows, as a tensor of these extents.
    reshape[const M: usize](extents: [usize; M]) -> Tensor<T, M>;
    /// The elements in row-major order, as a tensor of one axis.
    ravel[]() -> Tensor<T, 1>;
    /// The elements in row-major order, again and again, as a tensor of these extents.
    cycled[const M: usize](extents: [usize; M]) -> Tensor<T, M>;
    /// The elements from the last one to the first along an axis.
    rev[](axis: usize) -> Tensor<T, N>;
    /// The elements moved that far towards the first index of each axis, those at the front to the end.
    rotate[](by: [isize; N]) -> Tensor<T, N>;
    /// The elements, and behind them along an axis those of another tensor.
    cat[](axis: usize, other: &Tensor<T, N>) -> Tensor<T, N>;
    /// The elements at the indices in a list along an axis.
    gather[I: Number](axis: usize, list: &[I]) -> Tensor<T, N>;
    /// For each index the box of elements that begins there, as further axes.
    windows[const M: usize](extents: [usize; N]) -> Tensor<T, M>;
    /// So many elements from the first one along each of the first axes, or the last ones where the number is negative.
    take[const M: usize](counts: [isize; M]) -> Tensor<T, N>;
    /// The elements behind so many along each of the first axes, or before the last ones where the number is negative.
    drop[const M: usize](counts: [isize; M]) -> Tensor<T, N>;
    /// The elements at an index of the first axes.
    psi[const K: usize, const M: usize](index: [isize; K]) -> Tensor<T, M>;
    /// The block with this origin in the root space.
    at[](origin: [isize; N]) -> Tensor<T, N>;
    /// The block with a density higher than the root's.
    refined[](factors: [usize; N]) -> Tensor<T, N>;
    /// The block with a density lower than the root's.
    coarsened[](factors: [usize; N]) -> Tensor<T, N>;
    /// The block with axes in another order than the root's.
    permuted[](axes: [usize; N]) -> Tensor<T, N>;
    /// The block on these axes of the root.
    on_axes[](axes: [usize; N]) -> Tensor<T, N>;
    /// The block with elements at given distances in memory.
    strided[](strides: [usize; N]) -> Tensor<T, N>;
    /// The block with elements in another order than row-major.
    stored[O](order: O) -> Tensor<T, N>;
    /// The number of indices of an axis.
    extent[](axis: usize) -> usize;
    /// The root coordinate of the first index.
    origin[](axis: usize) -> isize;
    /// The index in another tensor of the first element of this one.
    origin_in[U, const M: usize](other: &Tensor<U, M>, axis: usize) -> isize;
    /// Whether a read there finds memory.
    contains[I](index: [I; N]) -> bool;
    /// The element there, or `None` where a read would find no memory.
    get[I](index: [I; N]) -> Option<T>;
    /// The number of the element in the memory of its block.
    offset[I](index: [I; N]) -> usize;
    /// Hints that the element is needed soon.
    prefetch[I](index: [I; N]) -> ();
    /// An empty list over a block of rank 1, whose extent is the capacity.
    list[]() -> Tensor<T, N>;
    /// A list of the first `count` elements of a block of rank 1.
    list_from[](count: usize) -> Tensor<T, N>;
    /// Appends an element to a list.
    push[](value: T) -> ();
    /// Writes an element after the last one of a list, and keeps it if the condition holds.
    push_if[](condition: bool, value: T) -> ();
    /// Appends the elements to a list.
    extend[](values: impl Iterator<Item = T>) -> ();
    /// Keeps the first `count` elements of a list, or all if there are fewer.
    truncate[](count: usize) -> ();
    /// The number of elements in a list.
    len[]() -> usize;
    /// The points of the index space, row by row.
    indices[]() -> alloc::vec::IntoIter<[i32; N]>;
    /// The indices of all elements, in an order that is part of the meaning.
    scan[O](order: O) -> alloc::vec::IntoIter<[i32; N]>;
    /// The tiles of these extents, each a view.
    tiles[](extents: [usize; N]) -> alloc::vec::IntoIter<Tensor<T, N>>;
}

/// A number that indexes one element.
pub trait Number {}

macro_rules! numbers {
    ($($number:ty)*) => { $(impl Number for $number {})* };
}

numbers!(i8 i16 i32 i64 isize u8 u16 u32 u64 usize);

impl<T, I: Number, const N: usize, const K: usize> Index<[I; K]> for Tensor<T, N> {
    type Output = T;

    fn index(&self, _: [I; K]) -> &T {
        only_in_an_editor()
    }
}

impl<T, I: Number, const N: usize, const K: usize> IndexMut<[I; K]> for Tensor<T, N> {
    fn index_mut(&mut self, _: [I; K]) -> &mut T {
        only_in_an_editor()
    }
}

impl<T, I: Number, const N: usize, const K: usize> Index<[Range<I>; K]> for Tensor<T, N> {
    type Output = Tensor<T, K>;

    fn index(&self, _: [Range<I>; K]) -> &Tensor<T, K> {
        only_in_an_editor()
    }
}
