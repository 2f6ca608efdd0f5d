//! The one value through which an expansion reaches everything here.

/// What generated code calls its functions on.
///
/// An expansion makes one in an `unsafe` block and keeps it in a local that nobody else can name. Whoever writes no
/// `unsafe` cannot make one, so a module that stands in for shim (`crate = path`, `extern crate other as shim`)
/// cannot hand out some of these functions and replace others: a type of its own has safe functions alone, and the
/// `unsafe` blocks of the expansion then surround nothing that could do harm.
#[derive(Debug, Clone, Copy)]
pub struct Runtime(());

/// For unit tests of the functions.
#[cfg(test)]
pub(super) const RUNTIME: Runtime = Runtime(());

#[allow(unsafe_code, reason = "this is what makes the functions an expansion's own")]
impl Runtime {
    /// The runtime of one kernel. The values are those of environment variables that decided what was emitted: to
    /// mention them makes Cargo build the kernel again when they change.
    ///
    /// # Safety
    /// Only expansions of `#[shim::kernel]` may call it: they alone call the functions below with elements that lie in
    /// their memory.
    #[inline(always)]
    pub const unsafe fn new<const N: usize>(_environment: [Option<&str>; N]) -> Self {
        Runtime(())
    }

    /// The runtime of the functions that check the fields of located structs.
    #[inline(always)]
    pub(super) const fn for_fields() -> Self {
        Runtime(())
    }
}
