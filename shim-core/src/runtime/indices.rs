//! Loops over an index space.

/// The indices of a tensor in row-major order, the last dimension fastest. Made by
/// [`Located::indices`](crate::Located::indices).
#[derive(Clone, Debug)]
pub struct Indices<const N: usize> {
    extents: [usize; N],
    next: Option<[isize; N]>,
}

impl<const N: usize> Indices<N> {
    pub(super) fn new(extents: [usize; N]) -> Self {
        Self { extents, next: (!extents.contains(&0)).then_some([0; N]) }
    }
}

impl<const N: usize> Iterator for Indices<N> {
    type Item = [isize; N];

    fn next(&mut self) -> Option<[isize; N]> {
        let current = self.next?;
        let mut index = current;
        // Counts like an odometer: the first dimension from the right that is not at its end moves on.
        self.next = (0..N).rev().find_map(|axis| {
            index[axis] += 1;
            if index[axis].unsigned_abs() < self.extents[axis] {
                return Some(index);
            }
            index[axis] = 0;
            None
        });
        Some(current)
    }
}
