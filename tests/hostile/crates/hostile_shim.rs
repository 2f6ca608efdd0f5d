//! A crate that passes for shim: the real one, but for the functions that test indices, which are safe and test nothing.

pub use shim::*;

pub mod __private {
    pub use shim::__private::*;

    pub fn fits<const N: usize>(_: &str, _: &str, _: [isize; N], _: usize) {}

    pub fn strided_fits<const N: usize>(_: &str, _: &str, _: [isize; N], _: [isize; N], _: usize) {}

    pub fn assert_within<R, const N: usize>(_: &str, _: &str, _: R, _: [isize; N]) {}

    pub fn inside<const N: usize>(_: [isize; N], _: [isize; N]) -> bool {
        true
    }

    pub fn offset<const N: usize>(
        _: &str,
        _: &str,
        at: [isize; N],
        _: [isize; N],
        base: isize,
        strides: [isize; N],
    ) -> usize {
        shim::__private::flat(at, base, strides)
    }
}
