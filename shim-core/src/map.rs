//! Maps of points and intervals between reference spaces (section 4.3 of the thesis).
//!
//! Sets of points as the thesis defines them are in [`points`](crate::points), for plain integers. Here are the
//! two forms that a compiler can compute with: the *base point* of a map, which is the point that an access
//! touches, and the *interval*, which holds all points of the map. Along each axis the points of a map are
//! contiguous, so the interval is exact, not an estimate.

use alloc::vec::Vec;

use crate::space::check_length;
use crate::{Integer, Interval, Link, LocationError, Space};

/// How an axis of one space stands to an axis of another: `(axis, num, den)`, where one point of `axis` of the
/// first spans `num / den` points of the other. The fraction is reduced. See [`Space::density`].
pub type Density = (usize, i64, i64);

/// How a space lies on an axis of its root.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum OnAxis {
    /// It has an axis there.
    Along,
    /// It has dropped the axis, and lies at one coordinate.
    AtOne,
    /// It has no place there, and is met at any coordinate.
    Nowhere,
}

impl<I: Integer> Space<I> {
    /// The base point in the parent of the child's point `x`, the least point of the upstream mapping
    /// (Def. 4.3.2): `y[p[j]] = floor(c[j] * x[j] / r[j]) + o[p[j]]`, and the origin's value on a dropped axis.
    /// At a root, the point itself.
    ///
    /// # Errors
    /// [`LocationError::Length`] when `x` is not of this rank, [`LocationError::Overflow`] when the result does
    /// not fit.
    pub fn up(&self, x: &[I]) -> Result<Vec<I>, LocationError> {
        check_length(self.rank(), x.len())?;
        let Some(link) = self.link() else { return Ok(x.to_vec()) };
        let mut y = link.origin.clone();
        for (j, at) in x.iter().enumerate() {
            let base = rescale(at, link.coarsening[j], link.refinement[j])?;
            let axis = link.permutation[j];
            y[axis] = base.add(&y[axis])?;
        }
        Ok(y)
    }

    /// The base point in this space of the parent's point `y`, the least point of the downstream hull
    /// (Def. 4.3.4): `x[j] = floor((y[p[j]] - o[p[j]]) * r[j] / c[j])`. At a root, the point itself.
    ///
    /// It is a hull: whether the point lies in this space on the axes that the space has dropped is not asked.
    /// [`down_set`](crate::points::down_set) asks that, and [`apart`](Self::apart) measures it.
    ///
    /// # Errors
    /// [`LocationError::Length`] when `y` is not of the parent's rank, [`LocationError::Overflow`] when the
    /// result does not fit.
    pub fn down(&self, y: &[I]) -> Result<Vec<I>, LocationError> {
        let Some(link) = self.link() else {
            check_length(self.rank(), y.len())?;
            return Ok(y.to_vec());
        };
        check_length(link.origin.len(), y.len())?;
        let axes = link.permutation.iter().enumerate();
        axes.map(|(j, &axis)| {
            rescale(&y[axis].sub(&link.origin[axis])?, link.refinement[j], link.coarsening[j])
        })
        .collect()
    }

    /// All points of the parent that the box `x` of this space stands for (Def. 4.3.2), as a box: `c` points for
    /// each point of a coarsened axis, the one coordinate of the origin on a dropped one.
    ///
    /// # Errors
    /// As for [`up`](Self::up).
    pub fn up_interval(&self, x: &[Interval<I>]) -> Result<Vec<Interval<I>>, LocationError> {
        check_length(self.rank(), x.len())?;
        let Some(link) = self.link() else { return Ok(x.to_vec()) };
        let points = link.origin.iter().cloned().map(Interval::point);
        let mut y = points.collect::<Result<Vec<_>, _>>()?;
        for (j, interval) in x.iter().enumerate() {
            let axis = link.permutation[j];
            y[axis] = interval.spread(link.coarsening[j], link.refinement[j])?.shift(&link.origin[axis])?;
        }
        Ok(y)
    }

    /// The downstream hull (Def. 4.3.4) of the parent's box `y`, as a box: `r` points for each point of a
    /// refined axis.
    ///
    /// # Errors
    /// As for [`down`](Self::down).
    pub fn down_interval(&self, y: &[Interval<I>]) -> Result<Vec<Interval<I>>, LocationError> {
        let Some(link) = self.link() else {
            check_length(self.rank(), y.len())?;
            return Ok(y.to_vec());
        };
        check_length(link.origin.len(), y.len())?;
        let axes = link.permutation.iter().enumerate();
        axes.map(|(j, &axis)| {
            y[axis].unshift(&link.origin[axis])?.spread(link.refinement[j], link.coarsening[j])
        })
        .collect()
    }

    /// The base point in `to` of the point `x` of `from`: up to the common ancestor, then down.
    ///
    /// # Errors
    /// [`LocationError::DifferentRoots`] when there is no common ancestor; otherwise as for [`up`](Self::up).
    pub fn map(from: &Space<I>, to: &Space<I>, x: &[I]) -> Result<Vec<I>, LocationError> {
        check_length(from.rank(), x.len())?;
        through(from, to, x.to_vec(), |space, x| space.up(x), |space, y| space.down(y))
    }

    /// How far the point `x` of `from` is from `to` on each axis that a space on the way down to `to` has dropped, in
    /// points of that space's parent. The point projects to its [`map`](Self::map) in `to` (Def. 4.3.5) if all are
    /// zero, and has no location there otherwise. Axes on which the point or the space has no place do not count
    /// ([`Link::everywhere`](crate::Link::everywhere)).
    ///
    /// # Errors
    /// As for [`map`](Self::map).
    pub fn apart(from: &Space<I>, to: &Space<I>, x: &[I]) -> Result<Vec<I>, LocationError> {
        let ancestor = Space::common_ancestor(from, to)?;
        let below: Vec<_> = path(to, &ancestor).collect();
        let mut apart = Vec::new();
        if !below.iter().filter_map(|space| space.link()).any(Link::pins) {
            return Ok(apart);
        }
        let mut at = x.to_vec();
        let mut placed = alloc::vec![true; x.len()];
        for space in path(from, &ancestor) {
            at = space.up(&at)?;
            if let Some(link) = space.link() {
                let mut above = alloc::vec![!link.everywhere; link.origin.len()];
                link.permutation.iter().zip(placed).for_each(|(&axis, placed)| above[axis] = placed);
                placed = above;
            }
        }
        for space in below.into_iter().rev() {
            if let Some(link) = space.link() {
                for (axis, origin) in link.origin.iter().enumerate() {
                    if link.pins() && placed[axis] && !link.permutation.contains(&axis) {
                        apart.push(at[axis].sub(origin)?);
                    }
                }
                placed = link.permutation.iter().map(|&axis| placed[axis]).collect();
            }
            at = space.down(&at)?;
        }
        Ok(apart)
    }

    /// `space` with the coordinates of `by` on each axis of the root on which `by` lies at one coordinate and `space`
    /// has no place: a plane at the index of another tensor's slice. Without such an axis, `space` itself.
    ///
    /// # Errors
    /// As for [`map`](Self::map).
    pub fn pinned_by(space: &Space<I>, by: &Space<I>) -> Result<Space<I>, LocationError> {
        let root = Space::common_ancestor(space, by)?.tree_root();
        let at_one: Vec<bool> = by.on_root_axes().into_iter().map(|on| on == OnAxis::AtOne).collect();
        let zero = alloc::vec![I::constant(0); by.rank()];
        // From the root down; each space with the axis of the root that each of its axes lies on.
        let (mut made, mut changed) = (root.clone(), false);
        let mut axes: Vec<usize> = (0..root.rank()).collect();
        let below: Vec<_> = path(space, &root).collect();
        for own in below.into_iter().rev() {
            let (Some(link), Some(parent)) = (own.link(), own.parent()) else { continue };
            let mut link = link.clone();
            let on_axes = link.permutation.iter().map(|&axis| axes[axis]).collect();
            if link.everywhere {
                let coordinates = Space::map(by, parent, &zero)?;
                for axis in (0..link.origin.len()).rev() {
                    if !at_one[axes[axis]] || link.permutation.contains(&axis) {
                        continue;
                    }
                    made = made.slice(axis, coordinates[axis].clone())?;
                    link.origin.remove(axis);
                    link.permutation.iter_mut().filter(|kept| **kept > axis).for_each(|kept| *kept -= 1);
                    changed = true;
                }
            }
            axes = on_axes;
            made = if changed { made.child(link)? } else { own.clone() };
        }
        Ok(made)
    }

    /// How the space lies on each axis of the root.
    pub(crate) fn on_root_axes(&self) -> Vec<OnAxis> {
        let mut on = alloc::vec![OnAxis::Along; self.rank()];
        for space in path(self, &self.tree_root()) {
            let Some(link) = space.link() else { continue };
            let dropped = if link.everywhere { OnAxis::Nowhere } else { OnAxis::AtOne };
            let mut above = alloc::vec![dropped; link.origin.len()];
            link.permutation.iter().zip(on).for_each(|(&axis, on)| above[axis] = on);
            on = above;
        }
        on
    }

    /// All points of `to` that share a location with the box `x` of `from`, as a box: up to the common ancestor,
    /// then down.
    ///
    /// # Errors
    /// As for [`map`](Self::map).
    pub fn map_interval(
        from: &Space<I>,
        to: &Space<I>,
        x: &[Interval<I>],
    ) -> Result<Vec<Interval<I>>, LocationError> {
        check_length(from.rank(), x.len())?;
        through(from, to, x.to_vec(), |space, x| space.up_interval(x), |space, y| space.down_interval(y))
    }

    /// For each axis of `to`, the axis of `from` on the same axis of the root; `None` where `from` has none.
    ///
    /// # Errors
    /// [`LocationError::DifferentRoots`] when the spaces have no common ancestor.
    pub fn axes(from: &Space<I>, to: &Space<I>) -> Result<Vec<Option<usize>>, LocationError> {
        Space::follow(from, to, Some, |axis, _, _| Ok(axis))
    }

    /// For each axis of `to`, `(axis, num, den)`: the axis of `from` that stands on the same root axis, and as a
    /// reduced fraction how many points of `to` one point of `from` spans there, which is the product of `c / r`
    /// on the way up and of `r / c` on the way down. `None` where `from` has dropped the axis.
    ///
    /// # Errors
    /// [`LocationError::DifferentRoots`] when the spaces have no common ancestor, [`LocationError::Overflow`]
    /// when a product of factors does not fit.
    pub fn density(from: &Space<I>, to: &Space<I>) -> Result<Vec<Option<Density>>, LocationError> {
        Space::follow(from, to, |axis| Some((axis, 1, 1)), times)
    }

    /// For each axis of the ancestor `to`, whether the axis of `from` there is refined by some links on the way and
    /// coarsened by others; `None` where `from` has no such axis.
    pub(crate) fn mixed(from: &Space<I>, to: &Space<I>) -> Result<Vec<Option<bool>>, LocationError> {
        let scaled = |of: Option<(bool, bool)>, multiply, divide| {
            Ok(of.map(|(coarsened, refined)| (coarsened || multiply > 1, refined || divide > 1)))
        };
        let factors = Space::follow(from, to, |_| Some((false, false)), scaled)?;
        Ok(factors.into_iter().map(|of| of.map(|(coarsened, refined)| coarsened && refined)).collect())
    }

    /// What `own` gives for each axis of `from`, carried to the axes of `to`: `scale` gets the factors of each link on
    /// the way, those that multiply and those that divide. `None` where `from` has no such axis.
    fn follow<V: Copy>(
        from: &Space<I>,
        to: &Space<I>,
        own: impl Fn(usize) -> Option<V>,
        scale: impl Fn(Option<V>, i64, i64) -> Result<Option<V>, LocationError>,
    ) -> Result<Vec<Option<V>>, LocationError> {
        let up = |space: &Space<I>, of: &Vec<Option<V>>| {
            let Some(link) = space.link() else { return Ok(of.clone()) };
            let mut above = alloc::vec![None; link.origin.len()];
            for (j, &axis) in link.permutation.iter().enumerate() {
                above[axis] = scale(of[j], link.coarsening[j], link.refinement[j])?;
            }
            Ok(above)
        };
        let down = |space: &Space<I>, of: &Vec<Option<V>>| {
            let Some(link) = space.link() else { return Ok(of.clone()) };
            let axes = link.permutation.iter().enumerate();
            axes.map(|(j, &axis)| scale(of[axis], link.refinement[j], link.coarsening[j])).collect()
        };
        through(from, to, (0..from.rank()).map(own).collect(), up, down)
    }
}

/// A density times `multiply / divide`, reduced before it is multiplied out, so that it overflows only when the
/// reduced fraction does.
fn times(density: Option<Density>, multiply: i64, divide: i64) -> Result<Option<Density>, LocationError> {
    let Some((axis, num, den)) = density else { return Ok(None) };
    let (left, right) = (gcd(num, divide), gcd(multiply, den));
    let product = |a: i64, b: i64| a.checked_mul(b).ok_or(LocationError::Overflow);
    Ok(Some((axis, product(num / left, multiply / right)?, product(den / right, divide / left)?)))
}

/// The greatest common divisor of two positive integers.
fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// `floor(x * multiply / divide)`; a factor of one costs nothing, so that a symbolic integer stays small.
pub(crate) fn rescale<I: Integer>(x: &I, multiply: i64, divide: i64) -> Result<I, LocationError> {
    let scaled = if multiply == 1 { x.clone() } else { x.scale(multiply)? };
    if divide == 1 { Ok(scaled) } else { scaled.floor_div(divide) }
}

/// Carries a value from one space to another: `up` at each space that is left, `down` at each that is entered.
fn through<I: Integer, V>(
    from: &Space<I>,
    to: &Space<I>,
    value: V,
    up: impl Fn(&Space<I>, &V) -> Result<V, LocationError>,
    down: impl Fn(&Space<I>, &V) -> Result<V, LocationError>,
) -> Result<V, LocationError> {
    let ancestor = Space::common_ancestor(from, to)?;
    let mut value = value;
    for space in path(from, &ancestor) {
        value = up(space, &value)?;
    }
    let below: Vec<_> = path(to, &ancestor).collect();
    for space in below.into_iter().rev() {
        value = down(space, &value)?;
    }
    Ok(value)
}

/// The spaces from `space` up to its ancestor, without the ancestor.
pub(crate) fn path<'a, I: Integer>(
    space: &'a Space<I>,
    ancestor: &'a Space<I>,
) -> impl Iterator<Item = &'a Space<I>> {
    core::iter::successors(Some(space), |space| space.parent()).take_while(|space| !space.same(ancestor))
}
