//! Where the walk of a kernel is, and what was bound on its way.

pub(in crate::bind) mod exits;
pub(in crate::bind) mod log;
mod mentions;

use proc_macro2::TokenStream;
use syn::Attribute;

use crate::ir::{CallEffect, NestId, ProgramPoint, RegionId};

use exits::Exits;
use log::{EffectLog, Mark};

/// The words before a statement: `#[unroll]`, or orders of loops.
#[derive(Clone)]
pub(in crate::bind) struct ChainWords {
    pub(in crate::bind) words: Vec<Attribute>,
    /// Whether the statement has a chain that they apply to.
    pub(in crate::bind) used: bool,
}

/// The closure that is bound.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::bind) enum InClosure {
    /// No closure.
    None,
    /// One of the user's.
    Own,
    /// That of a stage, for rustc to check, or one in it.
    Stage,
}

/// The state of the walk.
pub(in crate::bind) struct Walk {
    /// The region that is being filled.
    pub(in crate::bind) region: RegionId,
    /// What was bound so far, by its effects.
    pub(in crate::bind) effects: EffectLog,
    /// Where the statement being bound begins.
    pub(in crate::bind) statement_start: Mark,
    /// What a call of the closure bound last does.
    pub(in crate::bind) closure_calls: CallEffect,
    /// The jumps that leave what is being bound.
    pub(in crate::bind) exits: Exits,
    /// The closure that is bound, if any.
    pub(in crate::bind) closure: InClosure,
    /// Whether what is bound may run several times where its statement runs once: the condition of a `while`, or a
    /// guard.
    pub(in crate::bind) repeats: bool,
    /// Whether the statement being bound is fused with the one before it.
    pub(in crate::bind) follows_fused: bool,
    /// Where the outermost loop with an order is: rustc confirms the operands of operators in it.
    pub(in crate::bind) confirms: Option<ProgramPoint>,
    /// The functions and methods that loops around name pure.
    pub(in crate::bind) pure: Vec<String>,
    /// The words before the statement being bound, which apply to its reductions.
    pub(in crate::bind) chain_words: Option<ChainWords>,
    /// The innermost nest of the loop that was bound last.
    pub(in crate::bind) innermost_nest: Option<NestId>,
    /// What may panic by itself, if that is asked.
    pub(in crate::bind) totality: Option<Totality>,
    /// How often the statement being bound is written out by the unrolled loops around it.
    pub(in crate::bind) copies: i128,
}

/// What was bound since it was asked whether that may panic by itself.
#[derive(Default)]
pub(in crate::bind) struct Totality {
    /// What may do so first.
    pub(in crate::bind) panics: Option<TokenStream>,
    /// Whether operations on integers may wrap instead.
    pub(in crate::bind) wraps: bool,
}

impl Default for Walk {
    fn default() -> Self {
        Walk {
            region: RegionId::BODY,
            effects: EffectLog::default(),
            statement_start: Mark::default(),
            closure_calls: CallEffect::Unknown,
            exits: Exits::default(),
            closure: InClosure::None,
            repeats: false,
            follows_fused: false,
            confirms: None,
            pure: Vec::new(),
            chain_words: None,
            innermost_nest: None,
            totality: None,
            copies: 1,
        }
    }
}

impl Walk {
    /// Goes into a closure of the user's; gives the one around it.
    pub(in crate::bind) fn enter_closure(&mut self) -> InClosure {
        let outer = self.closure;
        if outer == InClosure::None {
            self.closure = InClosure::Own;
        }
        outer
    }

    /// Whether the closure of a stage is bound for rustc to check: nothing is computed there.
    pub(in crate::bind) fn is_checked(&self) -> bool {
        self.closure == InClosure::Stage
    }

    /// Whether nothing in front of what is being bound, in its statement, may change anything.
    pub(in crate::bind) fn is_statement_quiet(&self) -> bool {
        self.effects.is_quiet_since(self.statement_start)
    }

    /// Whether the effects of operations matter here: in loops with an order, and in closures, which such loops may
    /// call.
    pub(in crate::bind) fn tracks(&self) -> bool {
        self.confirms.is_some() || self.closure != InClosure::None
    }
}
