//! Samples of 8 bits and of more, as kernels see them.

/// A sample in memory, of up to 8 bits or of up to 16.
pub trait Element: Copy + Default + Ord + Into<i32> {
    /// The low bits of a number that fits.
    fn narrow(number: u32) -> Self;
}

impl Element for u8 {
    #[inline]
    fn narrow(number: u32) -> Self {
        number as Self
    }
}

impl Element for u16 {
    #[inline]
    fn narrow(number: u32) -> Self {
        number as Self
    }
}
