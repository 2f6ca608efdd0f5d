//! Boundary rules: an index outside of an axis becomes one inside.

use shim_core::Fold;

use super::Runtime;

impl Runtime {
    /// The nearest index of the axis.
    ///
    /// # Panics
    /// If the axis is empty.
    #[track_caller]
    #[inline(always)]
    pub fn clamp(self, kernel: &str, tensor: &str, at: isize, extent: isize) -> isize {
        self.clamped(at, filled(kernel, tensor, extent))
    }

    /// Folded back at the edges, which are repeated: -1 is 0, as often as needed.
    ///
    /// # Panics
    /// If the axis is empty.
    #[track_caller]
    #[inline(always)]
    pub fn mirror(self, kernel: &str, tensor: &str, at: isize, extent: isize) -> isize {
        self.mirrored(at, filled(kernel, tensor, extent))
    }

    /// Folded back at the edges, which are not repeated: -1 is 1, as often as needed.
    ///
    /// # Panics
    /// If the axis is empty.
    #[track_caller]
    #[inline(always)]
    pub fn reflect(self, kernel: &str, tensor: &str, at: isize, extent: isize) -> isize {
        self.reflected(at, filled(kernel, tensor, extent))
    }

    /// From the other side.
    ///
    /// # Panics
    /// If the axis is empty.
    #[track_caller]
    #[inline(always)]
    pub fn wrap(self, kernel: &str, tensor: &str, at: isize, extent: isize) -> isize {
        self.wrapped(at, filled(kernel, tensor, extent))
    }

    /// [`clamp`] on an axis that is not empty where the index is used; on an empty one it has no meaning.
    #[inline(always)]
    pub fn clamped(self, at: isize, extent: isize) -> isize {
        Fold::Clamp.apply(at, extent)
    }

    /// [`mirror`] on an axis that is not empty where the index is used; on an empty one it has no meaning.
    #[inline(always)]
    pub fn mirrored(self, at: isize, extent: isize) -> isize {
        Fold::Mirror.apply(at, extent)
    }

    /// [`reflect`] on an axis that is not empty where the index is used; on an empty one it has no meaning.
    #[inline(always)]
    pub fn reflected(self, at: isize, extent: isize) -> isize {
        Fold::Reflect.apply(at, extent)
    }

    /// [`wrap`] on an axis that is not empty where the index is used; on an empty one it has no meaning.
    #[inline(always)]
    pub fn wrapped(self, at: isize, extent: isize) -> isize {
        Fold::Wrap.apply(at, extent)
    }

    /// The function of a `By` rule.
    #[inline(always)]
    pub fn by<F: Fn(isize, isize) -> isize>(self, rule: F) -> F {
        rule
    }

    /// What such a function gives for `at`; an index that is inside is left as it is.
    ///
    /// # Panics
    /// If that is outside as well.
    #[track_caller]
    #[inline(always)]
    pub fn ruled(
        self,
        kernel: &str,
        tensor: &str,
        rule: &impl Fn(isize, isize) -> isize,
        at: isize,
        extent: isize,
    ) -> isize {
        if (0..extent).contains(&at) {
            return at;
        }
        let found = rule(at, filled(kernel, tensor, extent));
        if !(0..extent).contains(&found) {
            misruled(kernel, tensor, [at, found], extent);
        }
        found
    }

    /// That what a nest folds by a boundary rule fits `isize`, which evaluating `_folds` shows, on axes that are not
    /// empty.
    ///
    /// # Panics
    /// If one is.
    #[track_caller]
    #[inline(always)]
    pub fn assert_foldable<const F: usize, const E: usize>(
        self,
        kernel: &str,
        tensor: &str,
        _folds: [isize; F],
        extents: [isize; E],
    ) {
        for extent in extents {
            filled(kernel, tensor, extent);
        }
    }
}

#[track_caller]
#[inline(always)]
fn filled(kernel: &str, tensor: &str, extent: isize) -> isize {
    if extent <= 0 {
        empty(kernel, tensor);
    }
    extent
}

#[cold]
#[track_caller]
#[inline(never)]
fn empty(kernel: &str, tensor: &str) -> ! {
    panic!("shim: `{kernel}` reads `{tensor}` by a boundary rule, and it is empty")
}

#[cold]
#[track_caller]
#[inline(never)]
fn misruled(kernel: &str, tensor: &str, [at, found]: [isize; 2], extent: isize) -> ! {
    panic!(
        "shim: the boundary rule of `{tensor}` in `{kernel}` takes {at} to {found}, and the extent is {extent}"
    )
}

#[cfg(test)]
mod tests {
    use super::super::runtime::RUNTIME;

    #[test]
    fn mirrors_fold_as_often_as_needed() {
        let folded: Vec<isize> = (-7..8).map(|at| RUNTIME.mirror("k", "t", at, 3)).collect();
        assert_eq!(folded, [0, 0, 1, 2, 2, 1, 0, 0, 1, 2, 2, 1, 0, 0, 1]);
        // -1 is 0, so -MAX is MAX - 1, the last; one further it is repeated.
        assert_eq!(RUNTIME.mirror("k", "t", isize::MIN, isize::MAX), isize::MAX - 1);
        assert_eq!(RUNTIME.mirror("k", "t", -5, 1), 0);
    }

    #[test]
    fn reflections_leave_out_the_edge() {
        let folded: Vec<isize> = (-7..8).map(|at| RUNTIME.reflect("k", "t", at, 3)).collect();
        assert_eq!(folded, [1, 2, 1, 0, 1, 2, 1, 0, 1, 2, 1, 0, 1, 2, 1]);
        assert_eq!([-2, -1, 0, 1, 2].map(|at| RUNTIME.reflect("k", "t", at, 1)), [0; 5]);
        assert_eq!([-2, -1, 0, 1, 2].map(|at| RUNTIME.reflect("k", "t", at, 2)), [0, 1, 0, 1, 0]);
        // -MAX is MAX, one further than the last, and so the last but one. The next is one less.
        assert_eq!(RUNTIME.reflect("k", "t", isize::MIN, isize::MAX), isize::MAX - 3);
    }

    #[test]
    fn wraps_and_clamps() {
        assert_eq!(
            (-3..6).map(|at| RUNTIME.wrap("k", "t", at, 3)).collect::<Vec<_>>(),
            [0, 1, 2, 0, 1, 2, 0, 1, 2]
        );
        assert_eq!(
            (-2..5).map(|at| RUNTIME.clamp("k", "t", at, 3)).collect::<Vec<_>>(),
            [0, 0, 0, 1, 2, 2, 2]
        );
    }
}
