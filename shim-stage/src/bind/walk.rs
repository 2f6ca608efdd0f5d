//! Where the walk of a kernel is, and what was bound on its way.

use crate::ir::{CallEffect, ProgramPoint, RegionId};

use super::effects::{EffectLog, Mark};
use super::loops::chain_words::ChainWords;
use super::rust::exits::Exits;

/// The state of the walk.
pub(super) struct Walk {
    /// The region that is being filled.
    pub(super) region: RegionId,
    /// What was bound so far, by its effects.
    pub(super) effects: EffectLog,
    /// Where the statement being bound begins.
    pub(super) statement_start: Mark,
    /// What a call of the closure bound last does.
    pub(super) closure_calls: CallEffect,
    /// The jumps that leave what is being bound.
    pub(super) exits: Exits,
    /// Whether the body of a closure is bound.
    pub(super) in_closure: bool,
    /// Whether what is bound may run several times where its statement runs once: the condition of a `while`, or a
    /// guard.
    pub(super) repeats: bool,
    /// Whether the statement being bound is fused with the one before it.
    pub(super) follows_fused: bool,
    /// Where the outermost loop with an order is: rustc confirms the operands of operators in it.
    pub(super) confirms: Option<ProgramPoint>,
    /// The functions and methods that loops around name pure.
    pub(super) pure: Vec<String>,
    /// The words before the statement being bound, which apply to its reductions.
    pub(super) chain_words: Option<ChainWords>,
    /// How often the statement being bound is written out by the unrolled loops around it.
    pub(super) copies: i128,
}

impl Default for Walk {
    fn default() -> Self {
        Walk {
            region: RegionId::BODY,
            effects: EffectLog::default(),
            statement_start: Mark::default(),
            closure_calls: CallEffect::Unknown,
            exits: Exits::default(),
            in_closure: false,
            repeats: false,
            follows_fused: false,
            confirms: None,
            pure: Vec::new(),
            chain_words: None,
            copies: 1,
        }
    }
}

impl Walk {
    /// Whether nothing in front of what is being bound, in its statement, may change anything.
    pub(super) fn is_statement_quiet(&self) -> bool {
        self.effects.is_quiet_since(self.statement_start)
    }

    /// Whether the effects of operations matter here: in loops with an order, and in closures, which such loops may
    /// call.
    pub(super) fn tracks(&self) -> bool {
        self.confirms.is_some() || self.in_closure
    }
}
