//! `-`, which stands for stdin and stdout.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use crate::failure::{Failure, Reason};

pub(crate) use shim_files::is_standard;

/// The name of an input in messages.
pub(crate) fn input_name(path: &Path) -> String {
    if is_standard(path) { "<stdin>".to_owned() } else { shown(path) }
}

/// The name of an output in messages.
pub(crate) fn output_name(path: &Path) -> String {
    if is_standard(path) { "<stdout>".to_owned() } else { shown(path) }
}

/// A path without control characters, which would be a terminal's to obey.
fn shown(path: &Path) -> String {
    let text = path.display().to_string();
    let quoted = |c: char| if c.is_control() { c.escape_default().to_string() } else { c.to_string() };
    if text.contains(char::is_control) { text.chars().map(quoted).collect() } else { text }
}

/// Opens a file or stdin.
pub(crate) fn open(path: &Path) -> io::Result<Box<dyn Read + Send>> {
    Ok(if is_standard(path) { Box::new(io::stdin()) } else { Box::new(File::open(path)?) })
}

/// All bytes of a file or of stdin.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    let read = if is_standard(path) {
        let mut bytes = Vec::new();
        io::stdin().lock().read_to_end(&mut bytes).map(|_| bytes)
    } else {
        fs::read(path)
    };
    read.map_err(|error| Failure::input(path, Reason::Read(error)))
}

/// As [`read`], of a file that has to be text.
pub(crate) fn read_text(path: &Path) -> Result<String, Failure> {
    String::from_utf8(read(path)?)
        .map_err(|_| Failure::input(path, Reason::Syntax("not text in UTF-8".to_owned())))
}
