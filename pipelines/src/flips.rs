//! Images that are mirrored and turned: views, which a kernel copies.

use shim::prelude::*;

/// Copies of views.
macro_rules! flips {
    ($($(#[doc = $doc:literal])* $name:ident |$src:ident, $h:ident, $w:ident| $view:expr;)*) => {$(
        $(#[doc = $doc])*
        #[shim::kernel(simd)]
        pub fn $name(#[shape($h, $w)] $src: &[u8], [$h, $w]: [usize; 2], dst: &mut [u8]) {
            let from = $view;
            let dst = Block::external(dst, [from.extent(0), from.extent(1)]);
            for p in dst.indices() {
                dst[p] = from[p];
            }
        }
    )*};
}

flips! {
    /// Left becomes right.
    horizontal |src, h, w| src.rev(1);
    /// Top becomes bottom.
    vertical |src, h, w| src.rev(0);
    /// A half turn.
    turned |src, h, w| src.rev(0).rev(1);
    /// Rows become columns.
    transposed |src, h, w| src.permute([1, 0]);
    /// The quarters change places, so that the middle is at the corners.
    quartered |src, h, w| src.rotate([h / 2, w / 2]);
}
