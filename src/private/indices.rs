//! `t.indices()` as an iterator, for adaptors that are not staged.

/// Every index of a box, the last axis running fastest.
#[inline]
pub fn indices<const N: usize>(extents: [usize; N]) -> Indices<N> {
    for extent in extents {
        assert!(i32::try_from(extent).is_ok(), "shim: an extent of {extent} does not fit `i32`");
    }
    let empty = extents.contains(&0);
    Indices { next: if empty { None } else { Some([0; N]) }, extents }
}

/// The iterator of [`indices`].
#[derive(Debug, Clone)]
pub struct Indices<const N: usize> {
    next: Option<[i32; N]>,
    extents: [usize; N],
}

impl<const N: usize> Iterator for Indices<N> {
    type Item = [i32; N];

    #[inline]
    fn next(&mut self) -> Option<[i32; N]> {
        let current = self.next?;
        let mut following = current;
        self.next = None;
        for axis in (0..N).rev() {
            following[axis] += 1;
            if (following[axis] as usize) < self.extents[axis] {
                self.next = Some(following);
                break;
            }
            following[axis] = 0;
        }
        Some(current)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_axis_runs_fastest() {
        assert_eq!(indices([2, 2]).collect::<Vec<_>>(), [[0, 0], [0, 1], [1, 0], [1, 1]]);
        assert_eq!(indices([3, 0]).count(), 0);
    }
}
