//! Values of a specialized parameter that no version of a kernel takes.

use core::fmt::Display;

use super::Runtime;

impl Runtime {
    /// Panics: `kernel` has versions for `values` of its parameter `name` alone.
    #[cold]
    #[track_caller]
    #[inline(never)]
    pub fn no_version<T: Display>(self, kernel: &str, name: &str, value: T, values: &str) -> ! {
        panic!("shim: `{kernel}` is specialized for `{name}` of {values}, and it is {value}")
    }
}
