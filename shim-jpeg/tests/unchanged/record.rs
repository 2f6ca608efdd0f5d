//! The record of the corpus: hashes of files.

use crate::corpus::{Case, Goal};
use crate::picture::Picture;

const RECORDED: &str = include_str!("../reference/unchanged.tsv");

/// The lines of the record, one for each case.
pub(crate) fn recorded() -> Vec<&'static str> {
    RECORDED.lines().filter(|line| !line.starts_with('#')).collect()
}

/// FNV-1a.
#[derive(Clone, Copy)]
struct Hash(u64);

impl Hash {
    const EMPTY: Self = Self(0xcbf2_9ce4_8422_2325);

    fn add(&mut self, bytes: &[u8]) {
        let step = |hash: u64, &byte: &u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        self.0 = bytes.iter().fold(self.0, step);
    }
}

impl Case {
    fn pictures(&self) -> Vec<Picture> {
        if self.sizes.is_empty() {
            return vec![Picture::photograph()];
        }
        self.sizes.iter().map(|&size| Picture::new(size, self.format)).collect()
    }

    /// The sizes as the record names them.
    fn size(&self) -> String {
        match self.sizes[..] {
            [] => "photograph".to_owned(),
            [[width, height]] => format!("{width}x{height}"),
            _ => format!("{} sizes", self.sizes.len()),
        }
    }

    fn encode(&self, picture: &Picture) -> Vec<u8> {
        let image = &picture.image();
        match self.goal {
            Goal::Settings => self.encoder.encode(image),
            Goal::Within(bytes) => self.encoder.encode_within(image, bytes).map(|fitted| fitted.file),
            Goal::Reaching(psnr) => self.encoder.encode_reaching(image, psnr).map(|fitted| fitted.file),
        }
        .unwrap_or_else(|error| panic!("{}: {error}", self.name))
    }

    /// The line of the record.
    pub(crate) fn line(&self) -> String {
        self.line_of(|picture| self.encode(picture))
    }

    /// The line, of files that are made otherwise.
    pub(crate) fn line_of(&self, file: impl Fn(&Picture) -> Vec<u8>) -> String {
        let mut hash = Hash::EMPTY;
        self.pictures().iter().for_each(|picture| hash.add(&file(picture)));
        format!("{}\t{}\t{:016x}", self.name, self.size(), hash.0)
    }
}
