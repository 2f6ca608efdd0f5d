//! Requests: settings by their names, and bytes.

use std::str::FromStr;

/// A request that is being read.
pub(crate) struct Request<'r> {
    lines: std::str::Lines<'r>,
    bytes: &'r [u8],
}

impl<'r> Request<'r> {
    pub(crate) fn new(text: &'r str, bytes: &'r [u8]) -> Self {
        Self { lines: text.lines(), bytes }
    }

    /// The bytes of the entry that was read last.
    ///
    /// # Errors
    /// If the request has fewer.
    pub(crate) fn bytes(&mut self, length: &str) -> Result<&'r [u8], String> {
        let length = number(length)?;
        let (taken, rest) =
            self.bytes.split_at_checked(length).ok_or_else(|| format!("{length} bytes are announced"))?;
        self.bytes = rest;
        Ok(taken)
    }
}

impl<'r> Iterator for Request<'r> {
    /// A name and its value.
    type Item = (&'r str, &'r str);

    fn next(&mut self) -> Option<Self::Item> {
        self.lines.next().map(|line| line.split_once('=').unwrap_or((line, "")))
    }
}

/// A value that a type reads from text.
///
/// # Errors
/// With the text, if it cannot.
pub(crate) fn number<T: FromStr>(text: &str) -> Result<T, String> {
    text.parse().map_err(|_| format!("`{text}` is out of range"))
}
