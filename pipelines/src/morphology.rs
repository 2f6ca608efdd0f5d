//! Dilation, erosion, opening and closing by a square of 3x3; samples outside the image do not count.

use shim::prelude::*;

/// The extreme of a neighborhood, first along rows and then along columns.
macro_rules! extremes {
    ($($(#[doc = $doc:literal])* $name:ident $op:ident $outside:literal;)*) => {$(
        $(#[doc = $doc])*
        #[shim::kernel(simd)]
        pub fn $name(#[shape(h, w)] src: &[u8], [h, w]: [usize; 2], #[shape(h, w)] dst: &mut [u8]) {
            let src = src.boundary(Fill($outside));
            let across = stage::<u8>(|[y, x]| src[[y, x - 1]].$op(src[[y, x]]).$op(src[[y, x + 1]]));
            for [y, x] in dst.indices() {
                dst[[y, x]] = across[[y - 1, x]].$op(across[[y, x]]).$op(across[[y + 1, x]]);
            }
        }
    )*};
}

extremes! {
    /// The greatest sample of each neighborhood.
    dilate max 0;
    /// The least sample of each neighborhood.
    erode min 255;
}

/// Dilation of the erosion: thin bright shapes vanish.
pub fn open(src: &[u8], size: [usize; 2], dst: &mut [u8]) {
    let mut eroded = vec![0; src.len()];
    erode(src, size, &mut eroded);
    dilate(&eroded, size, dst);
}

/// Erosion of the dilation: thin dark shapes vanish.
pub fn close(src: &[u8], size: [usize; 2], dst: &mut [u8]) {
    let mut dilated = vec![0; src.len()];
    dilate(src, size, &mut dilated);
    erode(&dilated, size, dst);
}

/// The extreme of each neighborhood, as it is written without a library.
pub fn plain(src: &[u8], [h, w]: [usize; 2], op: impl Fn(u8, u8) -> u8, dst: &mut [u8]) {
    for (at, dst) in dst.iter_mut().enumerate() {
        let (y, x) = (at / w, at % w);
        let rows = y.saturating_sub(1)..(y + 2).min(h);
        let near = rows.flat_map(|y| (x.saturating_sub(1)..(x + 2).min(w)).map(move |x| src[y * w + x]));
        *dst = near.fold(src[at], &op);
    }
}
