//! The bytes of a scan: from bits to the file.

use alloc::vec;
use alloc::vec::Vec;

use crate::Error;
use crate::kernels::bits::{BitPosition, SLACK, finish, stuff};
use crate::kernels::pieces::append;

/// Where the bytes of a file go.
pub(crate) type Sink<'s> = dyn FnMut(&[u8]) -> Result<(), Error> + 's;

/// Raw bytes that are stuffed and given away at a time.
pub(crate) const CHUNK: usize = 1 << 13;

/// Raw bits, until their bytes are complete.
#[derive(Clone, Debug)]
pub(crate) struct Bits {
    pub(crate) raw: Vec<u8>,
    pub(crate) position: BitPosition,
    stuffed: Vec<u8>,
}

/// Pieces under way: what was coded since the beginning, divided by restarts.
#[derive(Debug, Default)]
pub(crate) struct Pieces {
    done: Vec<Piece>,
    /// The marker of the last restart.
    marker: Option<[u8; 2]>,
    /// The whole bytes after it.
    raw: Vec<u8>,
}

/// Bits that were coded by themselves, as the bits of a scan from its beginning or from a restart on.
#[derive(Clone, Debug)]
pub(crate) struct Piece {
    /// The marker of the restart before it.
    pub(crate) marker: Option<[u8; 2]>,
    raw: Vec<u8>,
    end: BitPosition,
}

impl Pieces {
    /// Takes complete bytes of `bits`; pending bits stay there, unless a restart follows, whose marker ends the piece.
    pub(crate) fn add(&mut self, bits: &mut Bits, restart: Option<[u8; 2]>) {
        bits.drain(&mut self.raw);
        if restart.is_some() {
            let ended = core::mem::replace(&mut self.marker, restart);
            self.done.push(bits.take(ended, core::mem::take(&mut self.raw)));
        }
    }

    /// All pieces, the last with what `bits` holds.
    pub(crate) fn take(&mut self, bits: &mut Bits) -> Vec<Piece> {
        self.done.push(bits.take(self.marker.take(), core::mem::take(&mut self.raw)));
        core::mem::take(&mut self.done)
    }
}

impl Bits {
    /// Memory for so many bytes between one [`flush`](Self::flush) and the next.
    pub(crate) fn new(longest: usize) -> Self {
        let longest = longest + SLACK;
        Self { raw: vec![0; longest], position: BitPosition::default(), stuffed: Vec::new() }
    }

    /// Gives complete bytes away; pending bits stay.
    pub(crate) fn flush(&mut self, sink: &mut Sink<'_>) -> Result<(), Error> {
        let chunk = CHUNK.min(self.raw.len());
        if self.stuffed.len() < 2 * chunk {
            self.stuffed.resize(2 * chunk, 0);
        }
        for raw in self.raw[..self.position.bytes].chunks(CHUNK) {
            let length = stuff(raw, raw.len(), &mut self.stuffed);
            sink(&self.stuffed[..length])?;
        }
        self.position.bytes = 0;
        Ok(())
    }

    /// Gives complete bytes away once they fill a chunk.
    pub(crate) fn flush_chunks(&mut self, sink: &mut Sink<'_>) -> Result<(), Error> {
        if self.position.bytes < CHUNK { Ok(()) } else { self.flush(sink) }
    }

    /// Forgets all bits.
    pub(crate) fn clear(&mut self) {
        self.position = BitPosition::default();
    }

    /// Completes the last byte, and gives all away.
    pub(crate) fn finish(&mut self, sink: &mut Sink<'_>) -> Result<(), Error> {
        finish(&mut self.raw, &mut self.position);
        self.flush(sink)
    }

    /// Ends an interval (E.1.4).
    pub(crate) fn restart(&mut self, marker: [u8; 2], sink: &mut Sink<'_>) -> Result<(), Error> {
        self.finish(sink)?;
        sink(&marker)
    }

    /// Moves complete bytes to the end of others; pending bits stay.
    fn drain(&mut self, to: &mut Vec<u8>) {
        to.extend_from_slice(&self.raw[..self.position.bytes]);
        self.position.bytes = 0;
    }

    /// Takes the bits that are there and those that were drained to `raw`, as a piece.
    pub(crate) fn take(&mut self, marker: Option<[u8; 2]>, mut raw: Vec<u8>) -> Piece {
        self.drain(&mut raw);
        let end = BitPosition { bytes: raw.len(), ..core::mem::take(&mut self.position) };
        Piece { marker, raw, end }
    }

    /// Adds a piece, and gives complete bytes away.
    pub(crate) fn add(&mut self, piece: &Piece, sink: &mut Sink<'_>) -> Result<(), Error> {
        if let Some(marker) = piece.marker {
            self.restart(marker, sink)?;
        }
        let needed = piece.raw.len() + SLACK;
        if self.raw.len() < needed {
            self.raw.resize(needed, 0);
        }
        append(&piece.raw, piece.end, &mut self.raw, &mut self.position);
        self.flush(sink)
    }
}
