//! Mappings of point sets, exactly as the thesis defines them (Defs. 4.3.1 to 4.3.5), for plain integers.
//!
//! The sets are spelled out point by point, so that these functions are slow, grow with the product of the
//! factors, and serve as the reference that everything faster is tested against.

use alloc::collections::BTreeSet;
use alloc::vec::Vec;

use crate::space::check_length;
use crate::{Integer, Link, LocationError, Space};

/// A finite set of points of one space.
pub type PointSet = BTreeSet<Vec<i64>>;

/// The partial permutation matrix `P` of Def. 4.3.1: `N` rows, `M` columns, and a single one in each row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartialPermutation {
    /// For each row, the column of its one.
    ones: Vec<usize>,
    columns: usize,
}

impl PartialPermutation {
    /// The matrix of the permutation vector `p`, for a parent of rank `columns`.
    ///
    /// # Errors
    /// [`LocationError::RankRises`], [`LocationError::Axis`] or [`LocationError::RepeatedAxis`] when `p` names
    /// too many dimensions, one that the parent lacks, or one twice.
    pub fn new(p: &[usize], columns: usize) -> Result<Self, LocationError> {
        // A link checks the same, and would have the same matrix.
        let rank = p.len();
        let factors = Link::<i64>::identity(rank);
        Space::root(columns).child(Link {
            permutation: p.to_vec(),
            origin: alloc::vec![0; columns],
            ..factors
        })?;
        Ok(Self { ones: p.to_vec(), columns })
    }

    /// The entry `P[i, j]`: whether axis `i` of the child is axis `j` of the parent.
    pub fn entry(&self, i: usize, j: usize) -> bool {
        self.ones.get(i) == Some(&j)
    }

    /// `P x`: a parent's point projected to the child's axes.
    ///
    /// # Errors
    /// [`LocationError::Length`] when `x` does not have an entry per column.
    pub fn apply(&self, x: &[i64]) -> Result<Vec<i64>, LocationError> {
        check_length(self.columns, x.len())?;
        Ok(self.ones.iter().map(|&column| x[column]).collect())
    }

    /// `P^T y`: a child's point on the parent's axes, zero on those that the child lacks.
    ///
    /// # Errors
    /// [`LocationError::Length`] when `y` does not have an entry per row.
    pub fn apply_transposed(&self, y: &[i64]) -> Result<Vec<i64>, LocationError> {
        check_length(self.ones.len(), y.len())?;
        let mut x = alloc::vec![0; self.columns];
        for (&column, &value) in self.ones.iter().zip(y) {
            x[column] = value;
        }
        Ok(x)
    }
}

/// The upstream mapping `φ↑` (Def. 4.3.2): the points of the parent that the set in `child` stands for. The set
/// itself when `child` is a root.
///
/// # Errors
/// [`LocationError::Length`] when a point is not of the child's rank, [`LocationError::Overflow`] when a
/// coordinate does not fit.
pub fn up_set(child: &Space<i64>, points: &PointSet) -> Result<PointSet, LocationError> {
    let Some((parent, link)) = child.step() else { return checked(child, points) };
    let matrix = PartialPermutation::new(&link.permutation, parent.rank())?;
    let mut mapped = PointSet::new();
    for x in points {
        check_length(child.rank(), x.len())?;
        for i in points_of(&link.coarsening) {
            let axes = 0..child.rank();
            let moved: Result<Vec<_>, _> = axes
                .map(|j| x[j].scale(link.coarsening[j])?.floor_div(link.refinement[j])?.add(&i[j]))
                .collect();
            mapped.insert(added(&matrix.apply_transposed(&moved?)?, &link.origin)?);
        }
    }
    Ok(mapped)
}

/// The downstream hull `δ↓` (Def. 4.3.4): the points of `child` that the set in its parent projects to, whether
/// or not the projection is sound. The set itself when `child` is a root.
///
/// # Errors
/// [`LocationError::Length`] when a point is not of the parent's rank, [`LocationError::Overflow`] when a
/// coordinate does not fit.
pub fn down_hull(child: &Space<i64>, points: &PointSet) -> Result<PointSet, LocationError> {
    let Some((parent, link)) = child.step() else { return checked(child, points) };
    let matrix = PartialPermutation::new(&link.permutation, parent.rank())?;
    let mut mapped = PointSet::new();
    for x in points {
        check_length(parent.rank(), x.len())?;
        let moved: Result<Vec<_>, _> = x.iter().zip(&link.origin).map(|(x, o)| x.sub(o)).collect();
        let t = matrix.apply(&moved?)?;
        for i in points_of(&link.refinement) {
            let axes = 0..child.rank();
            let point = axes
                .map(|j| t[j].scale(link.refinement[j])?.floor_div(link.coarsening[j])?.add(&i[j]))
                .collect::<Result<_, _>>()?;
            mapped.insert(point);
        }
    }
    Ok(mapped)
}

/// The spatial intersection `∩s` (Def. 4.3.3): the locations that the two sets share, as points of the root.
///
/// # Errors
/// [`LocationError::DifferentRoots`] when there is no common root; otherwise as for [`up_set`].
pub fn spatial_intersection(
    x_space: &Space<i64>,
    x: &PointSet,
    y_space: &Space<i64>,
    y: &PointSet,
) -> Result<PointSet, LocationError> {
    Space::common_ancestor(x_space, y_space)?;
    let (x, y) = (to_root(x_space, x)?, to_root(y_space, y)?);
    Ok(x.intersection(&y).cloned().collect())
}

/// The downstream mapping `φ↓` (Def. 4.3.5): the points of `child` that share a location with the set in its
/// parent. A point whose projection would move it has none there. The set itself when `child` is a root.
///
/// # Errors
/// As for [`down_hull`].
pub fn down_set(child: &Space<i64>, points: &PointSet) -> Result<PointSet, LocationError> {
    let Some(parent) = child.parent() else { return checked(child, points) };
    let hull = down_hull(child, points)?;
    let shared = spatial_intersection(child, &hull, parent, points)?;
    from_root(child, &shared)
}

/// `Φ↑`, the upstream mapping applied up to the root.
///
/// # Errors
/// As for [`up_set`].
pub fn to_root(space: &Space<i64>, points: &PointSet) -> Result<PointSet, LocationError> {
    let mut points = checked(space, points)?;
    let mut space = space;
    while let Some(parent) = space.parent() {
        points = up_set(space, &points)?;
        space = parent;
    }
    Ok(points)
}

/// `Δ↓`, the downstream hull applied from the root down to `space`.
///
/// # Errors
/// As for [`down_hull`].
pub fn from_root(space: &Space<i64>, points: &PointSet) -> Result<PointSet, LocationError> {
    let chain: Vec<_> = core::iter::successors(Some(space), |space| space.parent()).collect();
    chain.into_iter().rev().try_fold(points.clone(), |points, space| down_hull(space, &points))
}

/// The set, when all of its points are of the space's rank.
fn checked(space: &Space<i64>, points: &PointSet) -> Result<PointSet, LocationError> {
    points.iter().try_for_each(|point| check_length(space.rank(), point.len()))?;
    Ok(points.clone())
}

/// The sum of two points.
fn added(a: &[i64], b: &[i64]) -> Result<Vec<i64>, LocationError> {
    a.iter().zip(b).map(|(a, b)| a.add(b)).collect()
}

/// All vectors `i` with `0 <= i[j] < bounds[j]`, in row-major order.
pub fn points_of(bounds: &[i64]) -> Vec<Vec<i64>> {
    bounds.iter().fold(alloc::vec![Vec::new()], |prefixes, &bound| {
        let extend = |prefix: &Vec<i64>, i: i64| prefix.iter().copied().chain([i]).collect();
        prefixes.iter().flat_map(|prefix| (0..bound).map(move |i| extend(prefix, i))).collect()
    })
}
