//! A picture, and both encoders of it.

use std::path::Path;

use shim_benches::ablation;
use shim_benches::ablation::headers::Headers;
use shim_benches::picture::Picture;
use shim_core::Block;
use shim_jpeg::{Encoder, Image};

/// The sides of the pictures.
pub(crate) const SIDES: [usize; 3] = [64, 256, 1024];
/// What both are told, at 4:2:0.
pub(crate) const QUALITY: u8 = 75;

/// A square picture.
pub(crate) struct Subject {
    pub(crate) side: usize,
    pixels: Vec<u8>,
    encoder: Encoder,
    headers: Headers,
    block: Block<u8, 3>,
}

impl Subject {
    /// A part of a photograph, or the whole of it and its mirror images.
    pub(crate) fn new(side: usize) -> Self {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../media/coffee.png");
        let photograph = Picture::open(&file).expect("a picture of the repository");
        let pixels = photograph.repeated(side, side).pixels;
        let encoder = Encoder::new().libjpeg_compatible(true).quality(QUALITY);
        let file = encoder.encode(&Image::rgb(&pixels, side, side).expect("a valid image")).expect("a file");
        let headers = Headers::of(&file).expect("a baseline file");
        let block = Block::from_vec([side, side, 3], pixels.clone()).expect("as many as the extents say");
        Self { side, pixels, encoder, headers, block }
    }

    /// The file of the staged encoder.
    pub(crate) fn staged(&self) -> Vec<u8> {
        let image = Image::rgb(&self.pixels, self.side, self.side).expect("a valid image");
        self.encoder.encode(&image).expect("memory does not fail")
    }

    /// The file of the encoder on the runtime library.
    pub(crate) fn library(&self) -> Vec<u8> {
        ablation::encode(&self.headers, &self.block).expect("headers of the picture")
    }

    pub(crate) fn pixels(&self) -> f64 {
        (self.side * self.side) as f64
    }
}
