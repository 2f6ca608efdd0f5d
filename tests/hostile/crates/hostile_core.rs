//! A crate that passes for core: least and greatest are exchanged, and slices are empty.

pub use core::*;

pub mod cmp {
    pub use core::cmp::*;

    pub trait Ord {
        fn min(self, other: isize) -> isize;
        fn max(self, other: isize) -> isize;
    }

    impl Ord for isize {
        fn min(self, other: isize) -> isize {
            if self > other { self } else { other }
        }

        fn max(self, other: isize) -> isize {
            if self > other { other } else { self }
        }
    }
}
