//! Encoding of many images with the same settings.

use alloc::vec::Vec;

use crate::encoder::{Encoder, append_to};
use crate::pipeline::lossless;
use crate::session::Session;
use crate::settings::Process;
use crate::{Error, Image};

/// An encoder that reuses its memory from one image to the next, for thumbnails, tiles and video frames.
///
/// Single-scan sequential files without [optimized](Encoder::optimized) Huffman tables, on one thread, are encoded
/// without any allocation if the previous image had the same width, height and pixel format and `file` has enough
/// capacity. Other files are encoded too, but allocate as [`Encoder::encode`] does. Files are identical to those of
/// [`Encoder::encode`].
///
/// ```
/// use shim_jpeg::{Encoder, Image};
///
/// let mut compressor = Encoder::new().quality(80).compressor();
/// let mut file = Vec::new();
/// for brightness in [0, 100, 200] {
///     let pixels = [brightness; 64 * 64 * 3];
///     compressor.encode_into(&Image::rgb(&pixels, 64, 64)?, &mut file)?;
///     assert!(file.ends_with(&[0xff, 0xd9]));
/// }
/// # Ok::<(), shim_jpeg::Error>(())
/// ```
pub struct Compressor {
    encoder: Encoder,
    session: Option<Session>,
}

impl Encoder {
    /// An encoder with these settings that reuses its memory.
    #[must_use]
    pub fn compressor(&self) -> Compressor {
        Compressor { encoder: self.clone(), session: None }
    }
}

impl Compressor {
    /// The settings.
    pub fn encoder(&self) -> &Encoder {
        &self.encoder
    }

    /// Encodes an image into `file`: replaces its contents and reuses its memory.
    ///
    /// # Errors
    ///
    /// The errors of [`Encoder::encode`]. `file` is then empty, and the next image can be encoded.
    pub fn encode_into(&mut self, image: &Image<'_>, file: &mut Vec<u8>) -> Result<(), Error> {
        file.clear();
        let result = self.append(image, file);
        if result.is_err() {
            file.clear();
        }
        result
    }

    fn append(&mut self, image: &Image<'_>, file: &mut Vec<u8>) -> Result<(), Error> {
        if matches!(self.encoder.settings.process, Process::Lossless { .. }) {
            lossless::check(image)?;
        }
        Session::encode(&mut self.session, &self.encoder.settings, image, &mut append_to(file))
    }
}

impl core::fmt::Debug for Compressor {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Compressor").field("encoder", &self.encoder).finish_non_exhaustive()
    }
}
