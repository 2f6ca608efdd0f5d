//! The effects of what is bound, recorded in the order of the source while names resolve.
//!
//! Each question about a statement, a loop or a closure is one about the log between two marks.

use proc_macro2::TokenStream;

use crate::ir::Epoch;

/// What was bound so far, by its effects.
#[derive(Debug, Default)]
pub(super) struct EffectLog {
    epoch: Epoch,
    /// Expressions that may change something.
    acts: u64,
    /// Operations in loops with an order, and in closures, whose effects are not known.
    unknown: Vec<TokenStream>,
}

/// A point of the log.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Mark {
    epoch: Epoch,
    acts: u64,
    unknown: usize,
}

impl EffectLog {
    /// The current epoch.
    pub(super) fn epoch(&self) -> Epoch {
        self.epoch
    }

    /// The end of the log.
    pub(super) fn mark(&self) -> Mark {
        Mark { epoch: self.epoch, acts: self.acts, unknown: self.unknown.len() }
    }

    /// Records that what follows runs only if something unknown returns.
    pub(super) fn opaque(&mut self) {
        self.epoch.opaque += 1;
        self.acts += 1;
    }

    /// Records a jump out of a loop.
    pub(super) fn jump(&mut self) {
        self.epoch.jumps += 1;
    }

    /// Records an expression that may change something.
    pub(super) fn acts(&mut self) {
        self.acts += 1;
    }

    /// Records an operation whose effect is not known.
    pub(super) fn unknown(&mut self, tokens: TokenStream) {
        self.unknown.push(tokens);
    }

    /// Whether everything since `mark` returns to what follows it.
    pub(super) fn is_transparent_since(&self, mark: Mark) -> bool {
        self.epoch == mark.epoch
    }

    /// Whether nothing since `mark` may change anything.
    pub(super) fn is_quiet_since(&self, mark: Mark) -> bool {
        self.acts == mark.acts
    }

    /// The first operation since `mark` whose effect is not known.
    pub(super) fn unknown_since(&self, mark: Mark) -> Option<&TokenStream> {
        self.unknown.get(mark.unknown)
    }

    /// Takes back what the body of a closure does: it happens where the closure is called. Its unknown operations stay
    /// where the `order` of the iterations around it matters.
    pub(super) fn make_closure(&mut self, mark: Mark, order: bool) {
        self.epoch = mark.epoch;
        if !order {
            self.unknown.truncate(mark.unknown);
        }
    }
}
