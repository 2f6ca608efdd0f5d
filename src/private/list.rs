//! Lists over blocks.

use super::Runtime;

impl Runtime {
    /// The number of elements that a list has at first.
    ///
    /// # Panics
    /// If its block has fewer.
    #[track_caller]
    #[inline(always)]
    pub fn list_of(self, kernel: &str, list: &str, count: usize, capacity: usize) -> usize {
        if count > capacity {
            beyond_capacity(kernel, list, count, capacity);
        }
        count
    }

    /// The number of elements in a list of which `count` are kept.
    #[inline(always)]
    pub fn shorter(self, length: usize, count: usize) -> usize {
        if count < length { count } else { length }
    }
}

#[cold]
#[track_caller]
#[inline(never)]
fn beyond_capacity(kernel: &str, list: &str, count: usize, capacity: usize) -> ! {
    panic!("shim: `{kernel}`: `{list}` cannot have {count} elements at first: its capacity is {capacity}")
}
