//! Image files as [`shim_jpeg`] takes them: PNG, PNM and JPEG, and with the feature `formats` BMP, GIF, TIFF and WebP.
//!
//! [`Picture::decode`] reads a file whole, and [`rows::open`] one that can be encoded while it is read. Both carry out
//! the orientation of Exif data, lay transparent pixels over a background, and hand over the metadata that an encoder
//! may keep. Damage that leaves all of the image is reported in [`Metadata::damage`]; any other is an error.
//!
//! All front ends read their images here, so that a file has the same pixels in each.

#![forbid(unsafe_code)]

mod bitmap;
mod embed;
mod error;
pub mod folder;
mod foreign;
pub mod jpeg;
mod limits;
pub mod metadata;
pub mod metrics;
mod orientation;
mod others;
mod picture;
mod png;
mod pnm;
mod progress;
mod resample;
pub mod rows;

pub use bitmap::{Background, Bitmap, Channels, MAX_MEMORY, Samples};
pub use embed::{Embedding, Part};
pub use error::Error;
pub use limits::{Limits, check_pixels};
pub use metadata::Metadata;
pub use orientation::Orientation;
pub use picture::{Kind, Options, Picture, Scaled};
pub use progress::Progress;
pub use resample::{Filter, Fit};
