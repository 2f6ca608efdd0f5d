//! Views of elements under other indices than those of their tensor's space: the operations of the Mathematics of
//! Arrays that move no element. They are at the origin of the root space, and have no elements outside.

use alloc::sync::Arc;
use alloc::vec::Vec;
use core::array;

use crate::runtime::access::{Ancestry, Stored};
use crate::runtime::{Located, TensorOps, View};
use crate::{Layout, LocationError, Part, Placement, Space, Table, TensorSpace};

impl<'a, T: Clone, const N: usize> View<'a, T, N> {
    /// The elements from the last one to the first along an axis.
    ///
    /// # Errors
    /// [`LocationError::Axis`] when there is no such axis, and those of a tensor that takes a copy:
    /// [`LocationError::NoClosedForm`] when its elements are not at constant distances in one block,
    /// [`LocationError::Outside`] when it reaches outside the block.
    pub fn rev(&self, axis: usize) -> Result<View<'a, T, N>, LocationError> {
        if axis >= N {
            return Err(LocationError::Axis { axis, rank: N });
        }
        let extents = self.lengths();
        self.over(&self.root(N), [0; N], extents, |mut at| {
            at[axis] = extents[axis] - 1 - at[axis];
            at
        })
    }

    /// So many elements from the first one along each axis, or the last ones where the number is negative.
    ///
    /// # Errors
    /// [`LocationError::Overflow`] when an index does not fit.
    pub fn take(&self, counts: [isize; N]) -> Result<View<'a, T, N>, LocationError> {
        self.parted(counts, |count, extent| if count < 0 { (extent + count, extent) } else { (0, count) })
    }

    /// The elements behind so many along each axis, or before the last ones where the number is negative.
    ///
    /// # Errors
    /// [`LocationError::Overflow`] when an index does not fit.
    pub fn drop(&self, counts: [isize; N]) -> Result<View<'a, T, N>, LocationError> {
        self.parted(counts, |count, extent| if count < 0 { (0, extent + count) } else { (count, extent) })
    }

    fn parted(
        &self,
        counts: [isize; N],
        range: impl Fn(i64, i64) -> (i64, i64),
    ) -> Result<View<'a, T, N>, LocationError> {
        let parts = counts.iter().zip(self.lengths()).map(|(count, extent)| {
            let (start, end) = range(*count as i64, extent);
            Part::Range { start, end, step: 1 }
        });
        self.partition(&parts.collect::<Vec<_>>())
    }

    /// The elements at an index of the first axes; `M` is the number of the others.
    ///
    /// # Errors
    /// [`LocationError::Length`] when there are not `N - M` entries.
    pub fn psi<const M: usize>(&self, index: &[isize]) -> Result<View<'a, T, M>, LocationError> {
        let mut parts: Vec<Part<i64>> = index.iter().map(|at| Part::Index(*at as i64)).collect();
        parts.resize(N.max(parts.len()), Part::Full);
        self.partition(&parts)
    }

    /// The elements moved towards the first index along each axis, those at the front to the end.
    ///
    /// # Errors
    /// Those of [`rev`](Self::rev).
    pub fn rotate(&self, by: [isize; N]) -> Result<View<'a, T, N>, LocationError> {
        let extents = self.lengths();
        let cuts: [i64; N] = array::from_fn(|axis| (by[axis] as i64).rem_euclid(extents[axis].max(1)));
        let root = self.root(N);
        let mut pieces = Vec::new();
        for corner in 0..1_usize << N {
            let is_front = |axis: usize| corner >> axis & 1 == 1;
            let origin = array::from_fn(|axis| if is_front(axis) { extents[axis] - cuts[axis] } else { 0 });
            let from: [i64; N] = array::from_fn(|axis| if is_front(axis) { 0 } else { cuts[axis] });
            let box_of = |axis: usize| if is_front(axis) { cuts[axis] } else { extents[axis] - cuts[axis] };
            pieces.push(self.over(&root, origin, array::from_fn(box_of), |at| {
                array::from_fn(|axis| at[axis] + from[axis])
            })?);
        }
        Self::joined(&root, extents, pieces)
    }

    /// The elements, and behind them along an axis those of another tensor.
    ///
    /// # Errors
    /// [`LocationError::Length`] when the extents along another axis differ, and those of [`rev`](Self::rev).
    pub fn cat(&self, axis: usize, other: &View<'a, T, N>) -> Result<View<'a, T, N>, LocationError> {
        let (mut extents, others) = (self.lengths(), other.lengths());
        if axis >= N {
            return Err(LocationError::Axis { axis, rank: N });
        }
        for (along, (own, others)) in extents.iter().zip(&others).enumerate() {
            if along != axis && own != others {
                return Err(LocationError::Length { expected: *own as usize, found: *others as usize });
            }
        }
        let root = self.root(N);
        let mut origin = [0; N];
        let first = self.over(&root, origin, extents, |at| at)?;
        origin[axis] = extents[axis];
        let second = other.over(&root, origin, others, |at| at)?;
        extents[axis] = extents[axis].checked_add(others[axis]).ok_or(LocationError::Overflow)?;
        Self::joined(&root, extents, alloc::vec![first, second])
    }

    /// The elements in row-major order as a tensor of other extents.
    ///
    /// # Errors
    /// [`LocationError::Length`] when these have another number of elements, and those of [`rev`](Self::rev).
    pub fn reshape<const M: usize>(&self, extents: [usize; M]) -> Result<View<'a, T, M>, LocationError> {
        let counts = [self.extents().iter().product::<usize>(), extents.iter().product()];
        if counts[0] != counts[1] {
            return Err(LocationError::Length { expected: counts[0], found: counts[1] });
        }
        let to = extents.map(|extent| extent as i64);
        self.laid_out(to, |layout, from| layout.reshaped(from, &to))
    }

    /// The elements in row-major order.
    ///
    /// # Errors
    /// Those of [`rev`](Self::rev).
    pub fn ravel(&self) -> Result<View<'a, T, 1>, LocationError> {
        self.reshape([self.extents().iter().product()])
    }

    /// The elements in row-major order, again and again, as a tensor of other extents.
    ///
    /// # Errors
    /// [`LocationError::Length`] when there is no element to repeat, and those of [`rev`](Self::rev).
    pub fn cycled<const M: usize>(&self, extents: [usize; M]) -> Result<View<'a, T, M>, LocationError> {
        if self.extents().contains(&0) && !extents.contains(&0) {
            return Err(LocationError::Length { expected: extents.iter().product(), found: 0 });
        }
        let to = extents.map(|extent| extent as i64);
        self.laid_out(to, |layout, from| layout.cycled(from, &to))
    }

    /// For each index the box of elements that begins there, as further axes; `M` is twice the rank.
    ///
    /// # Errors
    /// Those of [`rev`](Self::rev).
    pub fn windows<const M: usize>(&self, window: [usize; N]) -> Result<View<'a, T, M>, LocationError> {
        const { assert!(M == 2 * N, "a window has as many axes as its tensor") };
        let whole = self.lengths();
        let extents = array::from_fn(|axis| match axis.checked_sub(N) {
            Some(axis) => window[axis] as i64,
            None => (whole[axis] - window[axis] as i64 + 1).max(0),
        });
        self.over(&self.root(M), [0; M], extents, |at| array::from_fn(|axis| at[axis] + at[N + axis]))
    }

    /// The elements at the indices in a list along an axis.
    ///
    /// # Errors
    /// [`LocationError::Outside`] for an index that the axis does not have, and those of [`rev`](Self::rev).
    pub fn gather(&self, axis: usize, list: &[usize]) -> Result<View<'a, T, N>, LocationError> {
        let mut extents = self.lengths();
        let length = *extents.get(axis).ok_or(LocationError::Axis { axis, rank: N })?;
        let indices: Vec<i64> = list.iter().map(|at| *at as i64).collect();
        if indices.iter().any(|at| *at >= length) {
            return Err(LocationError::Outside);
        }
        extents[axis] = indices.len() as i64;
        self.laid_out(extents, |layout, _| layout.listed(axis, Table::new(indices)))
    }

    /// The root space that a tensor of a rank is put into: that of this tensor, if it has as many axes.
    fn root(&self, rank: usize) -> Space<i64> {
        let root = self.location().space.tree_root();
        if root.rank() >= rank { root } else { Space::root(rank) }
    }

    fn lengths(&self) -> [i64; N] {
        self.extents().map(|extent| extent as i64)
    }

    /// The view of a layout that is made of that of the elements, whose extents are given.
    fn laid_out<const M: usize>(
        &self,
        extents: [i64; M],
        layout: impl FnOnce(&Layout<i64>, &[i64]) -> Result<Layout<i64>, LocationError>,
    ) -> Result<View<'a, T, M>, LocationError> {
        let own = self.lengths();
        let whole = self.over(&self.root(N), [0; N], own, |at| at)?;
        let layout = layout(&whole.level().block.layout, &own)?;
        self.stored(&self.root(M), [0; M], extents, layout)
    }

    /// The elements at the indices that `index` gives for those of a box, whose place in a root space is `origin`.
    fn over<const M: usize>(
        &self,
        root: &Space<i64>,
        origin: [i64; M],
        extents: [i64; M],
        index: impl Fn([i64; M]) -> [i64; N],
    ) -> Result<View<'a, T, M>, LocationError> {
        let block = &self.level().block;
        if self.level().parent.is_some() || self.level().rules.is_some() {
            return Err(LocationError::NoClosedForm);
        }
        let offset = |at: [i64; M]| {
            let space = &self.location().space;
            let coordinate = Space::map(space, &block.space.space, &index(at))?;
            let apart = Space::apart(space, &block.space.space, &index(at))?;
            let inside = coordinate.iter().zip(&block.space.extents).all(|(at, end)| (0..*end).contains(at));
            if !inside || apart.iter().any(|apart| *apart != 0) {
                return Err(LocationError::Outside);
            }
            block.layout.offset(&coordinate)
        };
        let mut layout = Layout::strided(alloc::vec![0; M]);
        if !extents.contains(&0) {
            let base = offset([0; M])?;
            let mut strides = [0; M];
            for axis in 0..M {
                let next = array::from_fn(|other| i64::from(other == axis));
                strides[axis] = if extents[axis] > 1 { offset(next)? - base } else { 0 };
            }
            layout = Layout::strided(strides.to_vec()).based(base);
            // Along each axis, and at each corner: an affine map is the same everywhere.
            let last = extents.map(|extent| extent - 1);
            let along = (0..M).flat_map(|axis| {
                (0..extents[axis]).map(move |k| array::from_fn(|other| if other == axis { k } else { 0 }))
            });
            let corners = (0..1_usize << M)
                .map(|corner| array::from_fn(|axis| if corner >> axis & 1 == 1 { last[axis] } else { 0 }));
            for at in along.chain(corners) {
                if offset(at)? != layout.offset(&at)? {
                    return Err(LocationError::NoClosedForm);
                }
            }
        }
        self.stored(root, origin, extents, layout)
    }

    /// The view of a box of the memory.
    fn stored<const M: usize>(
        &self,
        root: &Space<i64>,
        origin: [i64; M],
        extents: [i64; M],
        layout: Layout<i64>,
    ) -> Result<View<'a, T, M>, LocationError> {
        let space =
            TensorSpace { space: Placement::new(M).at(&origin).place_in(root)?, extents: extents.to_vec() };
        Ok(View::whole(self.level().memory, &Stored { space, layout }))
    }

    /// The tensor of pieces that are in a root space.
    fn joined(
        root: &Space<i64>,
        extents: [i64; N],
        pieces: Vec<View<'a, T, N>>,
    ) -> Result<View<'a, T, N>, LocationError> {
        let place =
            TensorSpace { space: Placement::new(N).at(&[0; N]).place_in(root)?, extents: extents.to_vec() };
        let mut parent: Option<Arc<Ancestry<'a, T>>> = None;
        for piece in pieces.into_iter().rev() {
            let Ancestry { memory, block, .. } = &**piece.level();
            parent = Some(Arc::new(Ancestry { memory, block: block.clone(), rules: None, parent }));
        }
        let level = parent.ok_or(LocationError::NoClosedForm)?;
        Ok(View::on(level, place))
    }
}
