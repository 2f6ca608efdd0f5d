//! Progress of decoding.

/// Watches how far the decoding of a file has come.
pub trait Progress {
    /// Decoding of a file of so many bytes begins.
    fn start(&mut self, bytes: usize);

    /// So many bytes have been read.
    fn reach(&mut self, bytes: usize);
}

/// Ignores progress.
impl Progress for () {
    fn start(&mut self, _bytes: usize) {}

    fn reach(&mut self, _bytes: usize) {}
}
