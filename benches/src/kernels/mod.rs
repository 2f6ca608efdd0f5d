//! The suite.
//!
//! Each module has one kernel, or a few that belong together, as `#[shim::kernel]`s (`staged`), as plain Rust
//! (`hand`) and on the runtime library (`library`), and the [`Case`](crate::case::Case)s that measure and test them.

pub mod chroma;
pub mod color;
pub mod dct;
pub mod flags;
pub mod half_pel;
pub mod plane;
pub mod residual;
pub mod sad;
pub mod stencil;
pub mod transpose;
pub mod vertical_right;

/// Calls a macro with the list of all cases: the one list of the suite, in the order of the table.
#[macro_export]
macro_rules! for_each_case {
    ($run:ident) => {
        $run! {
            $crate::kernels::color::Color,
            $crate::kernels::dct::Rows,
            $crate::kernels::dct::Columns,
            $crate::kernels::vertical_right::VerticalRight,
            $crate::kernels::plane::Plane,
            $crate::kernels::residual::Residual,
            $crate::kernels::sad::Search,
            $crate::kernels::half_pel::Horizontal,
            $crate::kernels::half_pel::Vertical,
            $crate::kernels::half_pel::Center,
            $crate::kernels::flags::Strength,
            $crate::kernels::chroma::Subsample,
            $crate::kernels::stencil::Smooth3,
            $crate::kernels::stencil::Mean9,
            $crate::kernels::transpose::Transpose,
            $crate::kernels::transpose::Tiles,
        }
    };
}

/// Whether memory of `len` elements holds a block of `h` rows of `w`, for the assertions of the hand-written versions.
#[inline(always)]
fn holds(len: usize, h: usize, w: usize) -> bool {
    h.checked_mul(w).is_some_and(|count| count <= len)
}

/// Whether `count` elements from `start` on lie in `0..extent`, for the same.
#[inline(always)]
fn within(start: usize, count: usize, extent: usize) -> bool {
    extent.checked_sub(count).is_some_and(|last| start <= last)
}

#[cfg(test)]
mod tests {
    macro_rules! agreement {
        ($($case:ty,)*) => {
            #[test]
            fn versions_agree() {
                $(crate::case::assert_agreement::<$case>();)*
            }
        };
    }
    for_each_case!(agreement);
}
