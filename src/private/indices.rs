//! `t.indices()` as an iterator, for adaptors that are not staged.

use super::Runtime;

impl Runtime {
    /// Every index of a box, the last axis running fastest.
    #[inline]
    pub fn indices<const N: usize>(self, extents: [usize; N]) -> Indices<N> {
        for extent in extents {
            assert!(i32::try_from(extent).is_ok(), "shim: an extent of {extent} does not fit `i32`");
        }
        // Elements without a size may be more than can be counted; a kernel that meets them all ends in no lifetime.
        let left = extents.iter().fold(1usize, |count, extent| count.saturating_mul(*extent));
        Indices { first: [0; N], last: extents.map(|extent| extent.saturating_sub(1) as i32), extents, left }
    }
}

/// The iterator of [`indices`].
#[derive(Debug, Clone)]
pub struct Indices<const N: usize> {
    /// The next from the front.
    first: [i32; N],
    /// The next from the back.
    last: [i32; N],
    extents: [usize; N],
    /// How many are left between them.
    left: usize,
}

impl<const N: usize> Iterator for Indices<N> {
    type Item = [i32; N];

    #[inline]
    fn next(&mut self) -> Option<[i32; N]> {
        self.left = self.left.checked_sub(1)?;
        let current = self.first;
        for axis in (0..N).rev() {
            self.first[axis] += 1;
            if (self.first[axis] as usize) < self.extents[axis] {
                break;
            }
            self.first[axis] = 0;
        }
        Some(current)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl<const N: usize> DoubleEndedIterator for Indices<N> {
    #[inline]
    fn next_back(&mut self) -> Option<[i32; N]> {
        self.left = self.left.checked_sub(1)?;
        let current = self.last;
        for axis in (0..N).rev() {
            if self.last[axis] > 0 {
                self.last[axis] -= 1;
                break;
            }
            self.last[axis] = (self.extents[axis] - 1) as i32;
        }
        Some(current)
    }
}

impl<const N: usize> ExactSizeIterator for Indices<N> {}
impl<const N: usize> core::iter::FusedIterator for Indices<N> {}

#[cfg(test)]
mod tests {
    use super::super::runtime::RUNTIME;

    #[test]
    fn the_last_axis_runs_fastest() {
        assert_eq!(RUNTIME.indices([2, 2]).collect::<Vec<_>>(), [[0, 0], [0, 1], [1, 0], [1, 1]]);
        assert_eq!(RUNTIME.indices([3, 0]).count(), 0);
        assert_eq!(RUNTIME.indices([0, 3]).rev().count(), 0);
    }

    #[test]
    fn both_ends_meet() {
        let all: Vec<_> = RUNTIME.indices([2, 3]).collect();
        assert_eq!(
            RUNTIME.indices([2, 3]).rev().collect::<Vec<_>>(),
            all.iter().rev().copied().collect::<Vec<_>>()
        );
        let mut both = RUNTIME.indices([2, 3]);
        assert_eq!((both.next(), both.next_back(), both.len()), (Some([0, 0]), Some([1, 2]), 4));
        assert_eq!(both.collect::<Vec<_>>(), all[1..5]);
    }
}
