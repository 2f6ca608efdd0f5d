//! What the tests of the command share.

#![allow(dead_code, reason = "each test file uses some of it")]

use std::fs;
use std::path::{Path, PathBuf};

use assert_cmd::Command;
use tempfile::TempDir;

/// A folder for one test's files.
pub(crate) struct Folder(pub(crate) TempDir);

impl Folder {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn with(&self, name: &str, contents: &[u8]) -> PathBuf {
        let path = self.path(name);
        fs::write(&path, contents).unwrap();
        path
    }

    /// The names of all files in it.
    pub(crate) fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.0.path()).unwrap();
        let mut names = entries.map(|e| e.unwrap().file_name().into_string().unwrap()).collect::<Vec<_>>();
        names.sort();
        names
    }
}

pub(crate) fn media(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../media").join(name)
}

/// `shim jpeg input output`.
pub(crate) fn jpeg(input: &Path, output: &Path) -> Command {
    let mut command = Command::cargo_bin("shim").unwrap();
    command.arg("jpeg").arg(input).arg(output);
    command
}

/// `shim jpeg` and arguments.
pub(crate) fn shim<A: AsRef<std::ffi::OsStr>>(arguments: impl IntoIterator<Item = A>) -> Command {
    let mut command = Command::cargo_bin("shim").unwrap();
    command.arg("jpeg").args(arguments);
    command
}

/// A PNG file of the given color type and depth.
pub(crate) fn png(
    width: u32,
    height: u32,
    color: png::ColorType,
    depth: png::BitDepth,
    data: &[u8],
) -> Vec<u8> {
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, width, height);
    encoder.set_color(color);
    encoder.set_depth(depth);
    if color == png::ColorType::Indexed {
        encoder.set_palette(vec![255, 0, 0, 0, 0, 255]);
        encoder.set_trns(vec![255, 0]);
    }
    encoder.write_header().unwrap().write_image_data(data).unwrap();
    file
}

/// The samples of a JPEG file, as zune-jpeg decodes it.
pub(crate) fn pixels(path: &Path) -> Vec<u8> {
    let file = fs::read(path).unwrap();
    zune_jpeg::JpegDecoder::new(zune_jpeg::zune_core::bytestream::ZCursor::new(file)).decode().unwrap()
}

/// The segments of a JPEG file: markers, and what is in them.
pub(crate) fn segments(file: &[u8]) -> Vec<(u8, Vec<u8>)> {
    let mut found = Vec::new();
    let mut at = 2;
    while file[at + 1] != 0xd9 {
        let length = usize::from(u16::from_be_bytes([file[at + 2], file[at + 3]]));
        found.push((file[at + 1], file[at + 4..at + 2 + length].to_vec()));
        at += 2 + length;
        if found.last().unwrap().0 == 0xda {
            let coded = &file[at..];
            let marker = |pair: &[u8]| pair[0] == 0xff && !matches!(pair[1], 0 | 0xd0..=0xd7);
            at += coded.windows(2).position(marker).unwrap();
        }
    }
    found
}

/// The contents of all segments with a marker.
pub(crate) fn with_marker(file: &[u8], marker: u8) -> Vec<Vec<u8>> {
    segments(file).into_iter().filter(|(m, _)| *m == marker).map(|(_, contents)| contents).collect()
}

/// The frame header of a file: its marker, and what is in it.
pub(crate) fn frame(file: &[u8]) -> (u8, Vec<u8>) {
    let is_frame = |marker: &u8| matches!(marker, 0xc0..=0xcf) && ![0xc4, 0xc8, 0xcc].contains(marker);
    segments(file).into_iter().find(|(marker, _)| is_frame(marker)).unwrap()
}

/// The ICC profile of a file.
pub(crate) fn icc(file: &[u8]) -> Vec<u8> {
    let parts = with_marker(file, 0xe2).into_iter().filter(|part| part.starts_with(b"ICC_PROFILE\0"));
    parts.flat_map(|part| part[14..].to_vec()).collect()
}

/// As many bytes as an ICC profile that describes such colors: its header.
pub(crate) fn profile(colors: [u8; 4], length: usize) -> Vec<u8> {
    let mut profile: Vec<u8> = (0..length).map(|i| (i % 251) as u8).collect();
    profile[..4].copy_from_slice(&(length as u32).to_be_bytes());
    profile[16..20].copy_from_slice(&colors);
    profile[36..40].copy_from_slice(b"acsp");
    profile
}

/// Exif data with one entry, the orientation.
pub(crate) fn exif(orientation: u8) -> Vec<u8> {
    let mut data = b"MM\0\x2a\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0".to_vec();
    data.extend([orientation, 0, 0, 0, 0, 0, 0]);
    data
}
