//! The bytes of a scan: from bits to the file.

use alloc::vec;
use alloc::vec::Vec;

use crate::Error;
use crate::kernels::bits::{BitPosition, SLACK, finish, stuff};
use crate::kernels::partial::append;

/// Where the bytes of a file go.
pub(crate) type Sink<'s> = dyn FnMut(&[u8]) -> Result<(), Error> + 's;

/// Raw bytes that are stuffed and written at a time.
pub(crate) const CHUNK: usize = 1 << 13;

/// Bits of a scan, until their bytes are complete.
#[derive(Clone, Debug)]
pub(crate) struct Bits {
    pub(crate) raw: Vec<u8>,
    pub(crate) position: BitPosition,
    stuffed: Vec<u8>,
    /// The bits that wait for those before them.
    parts: PartialSegments,
}

/// Partial segments under way: what was coded since the beginning, divided by restarts.
#[derive(Clone, Debug, Default)]
struct PartialSegments {
    done: Vec<PartialSegment>,
    /// The marker of the last restart.
    marker: Option<[u8; 2]>,
    /// Complete bytes since then.
    raw: Vec<u8>,
}

/// A partial entropy-coded segment: bits of a scan that were coded without those before them, up to a restart at most.
#[derive(Clone, Debug)]
pub(crate) struct PartialSegment {
    /// The restart marker before it.
    marker: Option<[u8; 2]>,
    raw: Vec<u8>,
    end: BitPosition,
}

impl Bits {
    /// Memory for so many bytes between two calls of [`emit`](Self::emit).
    pub(crate) fn new(longest: usize) -> Self {
        let raw = vec![0; longest + SLACK];
        Self { raw, position: BitPosition::default(), stuffed: Vec::new(), parts: PartialSegments::default() }
    }

    /// Hands bits on, to `sink` if there is one, or else to the next [partial segment](Self::take_parts): before a
    /// restart, whose marker is given, all of them (E.1.4), otherwise complete bytes once they fill a chunk.
    pub(crate) fn emit(
        &mut self,
        restart: Option<[u8; 2]>,
        sink: Option<&mut Sink<'_>>,
    ) -> Result<(), Error> {
        match (sink, restart) {
            (Some(sink), Some(marker)) => {
                self.finish(sink)?;
                sink(&marker)
            }
            (Some(sink), None) if self.position.bytes >= CHUNK => self.flush(sink),
            (Some(_), None) => Ok(()),
            (None, restart) => {
                self.drain();
                if restart.is_some() {
                    self.end_part(restart);
                }
                Ok(())
            }
        }
    }

    /// Writes complete bytes; pending bits stay.
    pub(crate) fn flush(&mut self, sink: &mut Sink<'_>) -> Result<(), Error> {
        for (raw, start) in self.raw.chunks(CHUNK).zip((0..self.position.bytes).step_by(CHUNK)) {
            let length = stuff(raw, raw.len().min(self.position.bytes - start), &mut self.stuffed);
            sink(&self.stuffed[..length])?;
        }
        self.position.bytes = 0;
        Ok(())
    }

    /// Forgets all bits.
    pub(crate) fn clear(&mut self) {
        self.position = BitPosition::default();
        self.parts = PartialSegments::default();
    }

    /// Completes the last byte, and writes all.
    pub(crate) fn finish(&mut self, sink: &mut Sink<'_>) -> Result<(), Error> {
        finish(&mut self.raw, &mut self.position);
        self.flush(sink)
    }

    /// Moves complete bytes to the partial segment under way; pending bits stay.
    fn drain(&mut self) {
        self.parts.raw.extend_from_slice(&self.raw[..self.position.bytes]);
        self.position.bytes = 0;
    }

    /// Ends the partial segment under way; the next one follows the restart marker, if one is given.
    fn end_part(&mut self, restart: Option<[u8; 2]>) {
        let raw = core::mem::take(&mut self.parts.raw);
        let end = BitPosition { bytes: raw.len(), ..core::mem::take(&mut self.position) };
        let marker = core::mem::replace(&mut self.parts.marker, restart);
        self.parts.done.push(PartialSegment { marker, raw, end });
    }

    /// All partial segments, the last with the pending bits.
    pub(crate) fn take_parts(&mut self) -> Vec<PartialSegment> {
        self.drain();
        self.end_part(None);
        core::mem::take(&mut self.parts.done)
    }

    /// Appends partial segments, and writes complete bytes.
    pub(crate) fn append(&mut self, parts: &[PartialSegment], sink: &mut Sink<'_>) -> Result<(), Error> {
        for part in parts {
            if part.marker.is_some() {
                self.emit(part.marker, Some(sink))?;
            }
            append(&part.raw, part.end, &mut self.raw, &mut self.position);
            self.flush(sink)?;
        }
        Ok(())
    }
}
