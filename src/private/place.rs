//! Places at a kernel's entry, and those that a kernel makes.

use super::Runtime;
use shim_core::Place;

impl Runtime {
    /// The origin and extents of a place.
    ///
    /// # Panics
    /// If an extent does not fit `isize`.
    #[track_caller]
    #[inline(always)]
    pub fn place<const N: usize>(
        self,
        kernel: &str,
        name: &str,
        place: Place<N>,
    ) -> ([isize; N], [isize; N]) {
        let mut extents = [0; N];
        // `map` over the array is not inlined.
        for (fitting, extent) in extents.iter_mut().zip(place.extents()) {
            match isize::try_from(extent) {
                Ok(extent) => *fitting = extent,
                Err(_) => refuse(kernel, name, extent),
            }
        }
        (place.origin(), extents)
    }

    /// The place of these coordinates.
    #[inline(always)]
    pub const fn make_place<const N: usize>(self, origin: [isize; N], extents: [usize; N]) -> Place<N> {
        Place::new(origin, extents)
    }

    /// The coordinate between `first` and `last` that is nearest to `at`; `first` where none is between them.
    #[inline(always)]
    pub fn clamped_to(self, at: isize, first: isize, last: isize) -> isize {
        at.min(last).max(first)
    }
}

#[cold]
#[track_caller]
#[inline(never)]
fn refuse(kernel: &str, name: &str, extent: usize) -> ! {
    panic!("shim: `{kernel}` cannot take `{name}`: its extent {extent} does not fit `isize`")
}
