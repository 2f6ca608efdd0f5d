//! Many images by the same settings.

use alloc::vec::Vec;

use crate::encoder::Encoder;
use crate::entropy::bits::Sink;
use crate::pipeline::lossless;
use crate::session::Session;
use crate::settings::Process;
use crate::{Error, Image};

/// An encoder that keeps its memory from one image to the next, for thumbnails, tiles and frames of video.
///
/// Sequential files of one scan whose Huffman tables are not [optimized](Encoder::optimized), by one thread, are encoded without
/// any allocation if the image before had the same width, height and pixels, and `file` the capacity. Everything else is
/// encoded as well, but allocates as [`Encoder::encode`] does. Files are the same as those of [`Encoder::encode`].
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
    /// An encoder of these settings that keeps its memory from one image to the next.
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

    /// Encodes an image in place of what `file` holds, whose memory is used again.
    ///
    /// # Errors
    ///
    /// Those of [`Encoder::encode`], after which `file` is empty and the next image may be encoded.
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
        let sink: &mut Sink<'_> = &mut |bytes| {
            file.extend_from_slice(bytes);
            Ok(())
        };
        Session::encode(&mut self.session, &self.encoder.settings, image, sink)
    }
}

impl core::fmt::Debug for Compressor {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Compressor").field("encoder", &self.encoder).finish_non_exhaustive()
    }
}
