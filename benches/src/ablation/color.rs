//! Color conversion (T.871): a picture to planes of Y, Cb and Cr.

use shim_core::{Block, Located, LocationError, Space};

use crate::kernels::color;

/// The planes of a picture of red, green and blue, `[h, w, 3]`, in a space that they share.
///
/// # Errors
///
/// When the space has not two dimensions.
pub fn ycbcr(rgb: &Block<u8, 3>, root: &Space<i64>) -> Result<[Block<u8, 2>; 3], LocationError> {
    let [h, w, _] = rgb.extents();
    let plane = || Block::new([h, w]).in_space(root);
    let (mut luminance, mut blue, mut red) = (plane()?, plane()?, plane()?);
    color::library(rgb, &mut luminance, &mut blue, &mut red);
    Ok([luminance, blue, red])
}

/// The plane of a gray picture, `[h, w, 1]`.
///
/// # Errors
///
/// As for [`ycbcr`].
pub fn gray(picture: &Block<u8, 3>, root: &Space<i64>) -> Result<Block<u8, 2>, LocationError> {
    let [h, w, _] = picture.extents();
    let mut plane = Block::new([h, w]).in_space(root)?;
    for [y, x] in plane.indices() {
        plane[[y, x]] = picture[[y, x, 0]];
    }
    Ok(plane)
}
