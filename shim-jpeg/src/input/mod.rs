//! The image that is encoded, and what its pixels are.

pub(crate) mod color;
pub(crate) mod image;
pub(crate) mod pixels;
pub(crate) mod raster;
