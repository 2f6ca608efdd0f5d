//! The format of an output, by its extension.

use std::fs;
use std::path::Path;

use crate::failure::{Failure, Reason};
use crate::standard::is_standard;

/// JPEG files.
pub(crate) const JPEG: &[&str] = &["jpg", "jpeg", "jpe", "jfif"];

/// Byte streams of H.264 (Annex B).
pub(crate) const BYTE_STREAM: &[&str] = &["264", "h264", "avc", "26l"];

/// MP4 files, and `mov` files.
pub(crate) const MP4: &[&str] = &["mp4", "m4v", "mov"];

/// Whether a path ends in one of the extensions.
pub(crate) fn has(path: &Path, extensions: &[&str]) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    extensions.iter().any(|known| extension.eq_ignore_ascii_case(known))
}

/// Refuses an output with the extension of something else. What has none can be anything, and so can devices and pipes.
pub(crate) fn check(path: &Path, supported: &[&[&str]]) -> Result<(), Failure> {
    let Some(extension) = path.extension() else { return Ok(()) };
    let known = supported.iter().any(|extensions| has(path, extensions));
    if known || is_standard(path) || fs::metadata(path).is_ok_and(|there| !there.is_file() && !there.is_dir())
    {
        return Ok(());
    }
    let supported: Vec<_> = supported.concat().iter().map(|extension| format!(".{extension}")).collect();
    let extension = extension.to_string_lossy().into_owned();
    Err(Failure::output(path, Reason::Extension { extension, supported: supported.join(" ") }))
}
