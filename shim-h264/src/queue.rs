//! The frames that were given and are not coded yet.

use alloc::vec::Vec;

use crate::kernels::picture::Samples;
use crate::lookahead::Costs;

/// A frame that waits to be coded.
#[derive(Clone, Debug)]
pub(crate) struct Waiting {
    pub(crate) source: Samples,
    /// Presentation timestamp and user data of the frame.
    pub(crate) pts: i64,
    pub(crate) user_data: u64,
    /// Whether a keyframe was requested for it.
    pub(crate) keyframe: bool,
    /// Whether the look-ahead has looked at it, once it is known whether it has to.
    pub(crate) looked: Option<bool>,
    pub(crate) costs: Costs,
}

/// Frames in the order in which they are coded, the first one first. The memory of those that are coded is used again.
#[derive(Clone, Debug, Default)]
pub(crate) struct Queue {
    frames: Vec<Waiting>,
    /// Number of frames that wait; the others are memory.
    waiting: usize,
}

impl Queue {
    /// Number of frames that wait.
    pub(crate) const fn len(&self) -> usize {
        self.waiting
    }

    /// The memory of the next frame, of so many rows and columns of macroblocks, which [`push`](Self::push) adds.
    pub(crate) fn next(&mut self, mbs: [usize; 2]) -> &mut Waiting {
        if self.waiting == self.frames.len() {
            self.frames.push(Waiting {
                source: Samples::new(mbs),
                pts: 0,
                user_data: 0,
                keyframe: false,
                looked: None,
                costs: Costs::default(),
            });
        }
        &mut self.frames[self.waiting]
    }

    /// Adds the frame whose memory was [`next`](Self::next).
    pub(crate) const fn push(&mut self) {
        self.waiting += 1;
    }

    /// The frames that wait.
    pub(crate) fn waiting(&mut self) -> &mut [Waiting] {
        &mut self.frames[..self.waiting]
    }

    /// Removes so many frames, the first ones.
    pub(crate) fn pop(&mut self, count: usize) {
        self.frames.rotate_left(count);
        self.waiting -= count;
    }
}
