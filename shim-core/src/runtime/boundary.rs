//! Rules for reads where no memory is.

use alloc::vec::Vec;

use crate::runtime::AccessError;
use crate::{Fold, Integer, Space};

/// What a read finds outside its nearest block, when walking up found nothing (section 5.2.6 of the thesis leaves
/// the choice to the implementation).
///
/// A rule concerns reads alone. It applies at the extents of the nearest block of the tensor it was given to, on
/// each axis by itself.
#[derive(Clone, Copy, Debug)]
pub enum Boundary<T> {
    /// The nearest element: coordinate -2 is 0.
    Clamp,
    /// The mirror image, with the edge repeated: -1 is 0, -2 is 1; folded as often as needed. NumPy calls it
    /// `symmetric`.
    Mirror,
    /// The mirror image without the edge: -1 is 1, -2 is 2; folded as often as needed. NumPy calls it `reflect`.
    Reflect,
    /// The other end: -1 is the last.
    Wrap,
    /// This value.
    Fill(T),
    /// The coordinate that the function gives for a coordinate outside the axis and the axis's extent.
    By(fn(isize, isize) -> isize),
}

impl<T> Boundary<T> {
    /// How the rule folds a coordinate; `None` for `Fill`, which reads no element, and for `By`.
    pub fn rule(&self) -> Option<Fold> {
        match self {
            Self::Clamp => Some(Fold::Clamp),
            Self::Mirror => Some(Fold::Mirror),
            Self::Reflect => Some(Fold::Reflect),
            Self::Wrap => Some(Fold::Wrap),
            Self::Fill(_) | Self::By(_) => None,
        }
    }

    /// The coordinate of axis `axis`, of the given extent, that the rule takes `at` to. `at` is outside, and the rule
    /// is not `Fill`.
    fn fold(&self, at: i64, axis: usize, extent: i64) -> Result<i64, AccessError> {
        if extent < 1 {
            return Err(AccessError::EmptyAxis { axis });
        }
        if let Some(rule) = self.rule() {
            return Ok(at.fold(rule, &extent)?);
        }
        let found = match self {
            Self::By(rule) => rule(at as isize, extent as isize) as i64,
            _ => at,
        };
        if (0..extent).contains(&found) {
            return Ok(found);
        }
        Err(AccessError::Rule { axis, coordinate: at, found, extent })
    }
}

/// The argument of [`boundary`](crate::TensorOps::boundary) for a tensor of `N` axes: one rule for all of them, or a
/// list with one for each. In a list, an axis of the nearest block that the tensor lacks has no rule.
pub trait BoundaryRules<T, const N: usize>: sealed::OnAxes<T, N> {}

impl<T: Clone, const N: usize> BoundaryRules<T, N> for Boundary<T> {}
impl<T: Clone, const N: usize> BoundaryRules<T, N> for [Boundary<T>; N] {}

/// A rule for each axis of a nearest block.
#[derive(Clone, Debug)]
pub struct Rules<T> {
    axes: Vec<Option<Boundary<T>>>,
    /// The rule on axes that the block has dropped.
    dropped: Option<Boundary<T>>,
}

mod sealed {
    use super::Rules;
    use crate::Space;

    pub trait OnAxes<T, const N: usize> {
        /// The rules on the axes of `block`, for a tensor in `space`.
        fn on_axes(self, space: &Space<i64>, block: &Space<i64>) -> Rules<T>;
    }
}

impl<T: Clone, const N: usize> sealed::OnAxes<T, N> for Boundary<T> {
    fn on_axes(self, _: &Space<i64>, block: &Space<i64>) -> Rules<T> {
        Rules { axes: alloc::vec![Some(self.clone()); block.rank()], dropped: Some(self) }
    }
}

impl<T: Clone, const N: usize> sealed::OnAxes<T, N> for [Boundary<T>; N] {
    fn on_axes(self, space: &Space<i64>, block: &Space<i64>) -> Rules<T> {
        let axes = Space::axes(space, block).expect("a view is in the trie of its nearest block");
        let rule = |axis: Option<usize>| Some(self[axis?].clone());
        Rules { axes: axes.into_iter().map(rule).collect(), dropped: None }
    }
}

/// The result of applying rules to a coordinate outside a block.
pub(super) enum Ruled<'r, T> {
    /// A value.
    Value(&'r T),
    /// A coordinate inside, on the axes of the block.
    At(Vec<i64>),
    /// Nothing: the coordinate is outside on an axis without a rule.
    Nothing,
}

impl<T> Rules<T> {
    /// The rules of a tensor in `space` whose nearest block is in `block`.
    pub(super) fn of<const N: usize>(
        rules: impl BoundaryRules<T, N>,
        space: &Space<i64>,
        block: &Space<i64>,
    ) -> Self {
        rules.on_axes(space, block)
    }

    /// Applies the rules to a coordinate on axes of the given extents that is `apart` from the block on axes that it
    /// has dropped. A value to fill with takes precedence over the other rules.
    pub(super) fn apply(
        &self,
        coordinate: &[i64],
        extents: &[i64],
        apart: &[i64],
    ) -> Result<Ruled<'_, T>, AccessError> {
        let own =
            coordinate.iter().zip(extents).zip(&self.axes).map(|((&at, &extent), rule)| (at, extent, rule));
        let dropped = apart.iter().map(|&at| (at, 1, &self.dropped));
        let outside = own.clone().chain(dropped).filter(|(at, extent, _)| !(0..*extent).contains(at));
        let mut without_rule = false;
        for (_, _, rule) in outside {
            match rule {
                Some(Boundary::Fill(value)) => return Ok(Ruled::Value(value)),
                Some(_) => {}
                None => without_rule = true,
            }
        }
        if without_rule {
            return Ok(Ruled::Nothing);
        }
        let folded = own.enumerate().map(|(axis, (at, extent, rule))| match rule {
            Some(rule) if !(0..extent).contains(&at) => rule.fold(at, axis, extent),
            _ => Ok(at),
        });
        Ok(Ruled::At(folded.collect::<Result<_, _>>()?))
    }
}
