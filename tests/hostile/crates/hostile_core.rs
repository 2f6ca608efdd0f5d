//! A crate that passes for core: least and greatest are exchanged, slices are empty, and an `isize` has 8 bits.

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

pub mod primitive {
    pub use core::primitive::*;

    #[allow(non_camel_case_types)]
    pub type isize = i8;
}
