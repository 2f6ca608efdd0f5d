//! The operations of the Mathematics of Arrays that compute. Those that only give elements other indices are methods of
//! [`View`].
//!
//! `L. Mullin, A Mathematics of Arrays (1988)`. An operation reads elements in row-major order and makes a new block.
//!
//! ```
//! use shim_core::{Block, algebra};
//!
//! let t = Block::from_vec([2, 3], vec![1, 2, 3, 4, 5, 6])?;
//! let sums: Block<i32, 1> = algebra::reduce(0, |a, b| a + b, 0, &t.view())?;
//! assert_eq!(sums.as_slice(), [5, 7, 9]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use alloc::vec::Vec;
use core::array;
use core::cmp::Ordering;

use crate::runtime::{AccessError, Block, Located, View};
use crate::{LocationError, runtime::Indices};

/// `op` of all elements, from `first`.
///
/// # Errors
/// Those of [`View::read`].
pub fn fold<T: Copy, const N: usize>(
    op: impl Fn(T, T) -> T,
    first: T,
    t: &View<'_, T, N>,
) -> Result<T, AccessError> {
    t.indices().try_fold(first, |total, at| Ok(op(total, t.read(at)?)))
}

/// `op` of the elements along an axis, from `first`; `M` is `N - 1`.
///
/// # Errors
/// [`LocationError::Axis`] when there is no such axis, and those of [`View::read`].
pub fn reduce<T: Copy + Default, const N: usize, const M: usize>(
    axis: usize,
    op: impl Fn(T, T) -> T,
    first: T,
    t: &View<'_, T, N>,
) -> Result<Block<T, M>, AccessError> {
    const { assert!(M + 1 == N, "a reduction has one axis less than its tensor") };
    check_axis::<N>(axis)?;
    let extents = t.extents();
    let mut out = Block::filled(array::from_fn(|at| extents[at + usize::from(at >= axis)]), first);
    for p in t.indices() {
        let q: [isize; M] = array::from_fn(|at| p[at + usize::from(at >= axis)]);
        let total = op(out.read(q)?, t.read(p)?);
        out.set(q, total)?;
    }
    Ok(out)
}

/// `op` of the elements up to each one along an axis, from `first`.
///
/// # Errors
/// [`LocationError::Axis`] when there is no such axis, and those of [`View::read`].
pub fn scan<T: Copy + Default, const N: usize>(
    axis: usize,
    op: impl Fn(T, T) -> T,
    first: T,
    t: &View<'_, T, N>,
) -> Result<Block<T, N>, AccessError> {
    check_axis::<N>(axis)?;
    let mut out = Block::new(t.extents());
    for p in t.indices() {
        let mut before = p;
        before[axis] -= 1;
        let total = if p[axis] == 0 { first } else { out.read(before)? };
        out.set(p, op(total, t.read(p)?))?;
    }
    Ok(out)
}

/// The elements of those indices of an axis where `mask` is true.
///
/// # Errors
/// [`LocationError::Length`] when the mask has another length than the axis, and those of [`View::gather`] and
/// [`View::read`].
pub fn compress<T: Copy + Default, const N: usize>(
    axis: usize,
    mask: &[bool],
    t: &View<'_, T, N>,
) -> Result<Block<T, N>, AccessError> {
    check_mask(axis, mask, t)?;
    let kept: Vec<usize> = (0..mask.len()).filter(|k| mask[*k]).collect();
    let mut extents = t.extents();
    extents[axis] = kept.len();
    element_wise(extents, |mut at| {
        at[axis] = kept[at[axis] as usize] as isize;
        t.read(at)
    })
}

/// The elements at those indices of an axis where `mask` is true, and `fill` at the others.
///
/// # Errors
/// [`LocationError::Length`] when another number of entries is true than the axis has indices, and those of
/// [`View::read`].
pub fn expand<T: Copy + Default, const N: usize>(
    axis: usize,
    mask: &[bool],
    fill: T,
    t: &View<'_, T, N>,
) -> Result<Block<T, N>, AccessError> {
    check_axis::<N>(axis)?;
    let found = mask.iter().filter(|own| **own).count();
    let mut extents = t.extents();
    if found != extents[axis] {
        return Err(LocationError::Length { expected: extents[axis], found }.into());
    }
    extents[axis] = mask.len();
    element_wise(extents, |mut at| {
        let k = at[axis] as usize;
        at[axis] = mask[..k].iter().filter(|own| **own).count() as isize;
        if mask[k] { t.read(at) } else { Ok(fill) }
    })
}

/// `op` of each pair of an element of `a` and one of `b`; `R` is `N + M`.
///
/// # Errors
/// Those of [`View::read`].
pub fn outer<A: Copy, B: Copy, C: Copy + Default, const N: usize, const M: usize, const R: usize>(
    op: impl Fn(A, B) -> C,
    a: &View<'_, A, N>,
    b: &View<'_, B, M>,
) -> Result<Block<C, R>, AccessError> {
    const { assert!(N + M == R, "an outer product has the axes of both tensors") };
    let extents = join(a.extents(), b.extents());
    element_wise(extents, |at: [isize; R]| {
        Ok(op(
            a.read(array::from_fn::<_, N, _>(|axis| at[axis]))?,
            b.read(array::from_fn::<_, M, _>(|axis| at[N + axis]))?,
        ))
    })
}

/// `sum` of `product` of the elements along the last axis of `a` and the first of `b`, from `first`; `R` is
/// `N + M - 2`.
///
/// # Errors
/// [`LocationError::Length`] when these axes have different extents, and those of [`View::read`].
pub fn inner<A: Copy, B: Copy, C: Copy + Default, const N: usize, const M: usize, const R: usize>(
    sum: impl Fn(C, C) -> C,
    product: impl Fn(A, B) -> C,
    first: C,
    a: &View<'_, A, N>,
    b: &View<'_, B, M>,
) -> Result<Block<C, R>, AccessError> {
    const { assert!(N + M == R + 2, "an inner product has the axes of both tensors but for two") };
    let count = a.extents()[N - 1];
    if count != b.extents()[0] {
        return Err(LocationError::Length { expected: count, found: b.extents()[0] }.into());
    }
    let extents =
        array::from_fn(|axis| if axis < N - 1 { a.extents()[axis] } else { b.extents()[axis + 2 - N] });
    element_wise(extents, |at: [isize; R]| {
        (0..count as isize).try_fold(first, |total, k| {
            let own = array::from_fn::<_, N, _>(|axis| if axis == N - 1 { k } else { at[axis] });
            let other = array::from_fn::<_, M, _>(|axis| if axis == 0 { k } else { at[N + axis - 2] });
            Ok(sum(total, product(a.read(own)?, b.read(other)?)))
        })
    })
}

/// `op` of cells of `a` of the first rank and cells of `b` of the second, element by element. A frame or a cell that has
/// fewer axes than the other one stands for the last axes of that.
///
/// # Errors
/// [`LocationError::Length`] when `R` is not the rank of the longer frame and the cell of the higher rank,
/// and those of [`View::read`].
pub fn omega<A: Copy, B: Copy, C: Copy + Default, const N: usize, const M: usize, const R: usize>(
    cells: [usize; 2],
    op: impl Fn(A, B) -> C,
    a: &View<'_, A, N>,
    b: &View<'_, B, M>,
) -> Result<Block<C, R>, AccessError> {
    let (frames, cell) = ([N.saturating_sub(cells[0]), M.saturating_sub(cells[1])], cells[0].max(cells[1]));
    let frame = frames[0].max(frames[1]);
    if frame + cell != R {
        return Err(LocationError::Length { expected: frame + cell, found: R }.into());
    }
    // The axis of the result for an axis of one of the two.
    let axis = |which: usize, axis: usize| match axis.checked_sub(frames[which]) {
        None => frame - frames[which] + axis,
        Some(axis) => frame + cell - cells[which] + axis,
    };
    let mut extents = [0; R];
    (0..N).for_each(|own| extents[axis(0, own)] = a.extents()[own]);
    (0..M).for_each(|own| extents[axis(1, own)] = b.extents()[own]);
    element_wise(extents, |at: [isize; R]| {
        let own = array::from_fn::<_, N, _>(|own| at[axis(0, own)]);
        let other = array::from_fn::<_, M, _>(|own| at[axis(1, own)]);
        Ok(op(a.read(own)?, b.read(other)?))
    })
}

/// The indices of a list in the order of its elements, the least first; equal ones keep their order.
///
/// # Errors
/// Those of [`View::read`].
pub fn grade_up<T: Copy + PartialOrd>(keys: &View<'_, T, 1>) -> Result<Vec<usize>, AccessError> {
    grade(keys, T::partial_cmp)
}

/// The indices of a list in the order of its elements, the greatest first; equal ones keep their order.
///
/// # Errors
/// Those of [`View::read`].
pub fn grade_down<T: Copy + PartialOrd>(keys: &View<'_, T, 1>) -> Result<Vec<usize>, AccessError> {
    grade(keys, |a, b| b.partial_cmp(a))
}

fn grade<T: Copy>(
    keys: &View<'_, T, 1>,
    order: impl Fn(&T, &T) -> Option<Ordering>,
) -> Result<Vec<usize>, AccessError> {
    let elements: Vec<T> = keys.indices().map(|at| keys.read(at)).collect::<Result<_, _>>()?;
    let mut indices: Vec<usize> = (0..elements.len()).collect();
    indices.sort_by(|a, b| order(&elements[*a], &elements[*b]).unwrap_or(Ordering::Equal));
    Ok(indices)
}

/// Tensors of the same extents as the items of one with a further axis; `M` is `N + 1`.
///
/// # Errors
/// [`LocationError::Axis`] when there is no such axis, [`LocationError::Length`] when extents differ, and those of
/// [`View::read`].
pub fn pack<T: Copy + Default, const N: usize, const M: usize>(
    axis: usize,
    items: &[View<'_, T, N>],
) -> Result<Block<T, M>, AccessError> {
    const { assert!(M == N + 1, "a pack has one axis more than its items") };
    check_axis::<M>(axis)?;
    let own = items.first().map_or([0; N], View::extents);
    if let Some(other) = items.iter().find(|item| item.extents() != own) {
        let found = other.extents().iter().product();
        return Err(LocationError::Length { expected: own.iter().product(), found }.into());
    }
    let extents = array::from_fn(|at| match at.cmp(&axis) {
        Ordering::Less => own[at],
        Ordering::Equal => items.len(),
        Ordering::Greater => own[at - 1],
    });
    element_wise(extents, |at: [isize; M]| {
        items[at[axis] as usize].read(array::from_fn::<_, N, _>(|own| at[own + usize::from(own >= axis)]))
    })
}

/// The block of what `element` gives at each index.
fn element_wise<T: Copy + Default, const N: usize>(
    extents: [usize; N],
    mut element: impl FnMut([isize; N]) -> Result<T, AccessError>,
) -> Result<Block<T, N>, AccessError> {
    let mut out = Block::new(extents);
    for at in Indices::new(extents) {
        out.set(at, element(at)?)?;
    }
    Ok(out)
}

fn join<const N: usize, const M: usize, const R: usize>(a: [usize; N], b: [usize; M]) -> [usize; R] {
    array::from_fn(|axis| if axis < N { a[axis] } else { b[axis - N] })
}

fn check_axis<const N: usize>(axis: usize) -> Result<(), LocationError> {
    if axis < N { Ok(()) } else { Err(LocationError::Axis { axis, rank: N }) }
}

fn check_mask<T: Clone, const N: usize>(
    axis: usize,
    mask: &[bool],
    t: &View<'_, T, N>,
) -> Result<(), LocationError> {
    check_axis::<N>(axis)?;
    let expected = t.extents()[axis];
    if mask.len() == expected { Ok(()) } else { Err(LocationError::Length { expected, found: mask.len() }) }
}
