//! What statements do besides accessing elements.

use std::collections::HashMap;

use proc_macro2::{Ident, TokenStream};

use super::walk::Use;
use super::{Program, RegionId};
use crate::hygiene;

/// How much had happened, in source order, before a program point. Two points of one epoch are control-equivalent.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Epoch {
    /// The opaque operations: what follows one runs only if it returns.
    pub opaque: u64,
    /// The jumps out of loops, each of which is opaque as well.
    pub jumps: u64,
}

/// What a call of a closure does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum CallEffect {
    /// Anything.
    Unknown,
    /// Nothing that leaves the kernel or has an effect of its own, as far as names tell.
    Transparent,
    /// Nothing but computing its value: all operations are known, and it assigns nothing.
    Compute,
}

impl CallEffect {
    /// Whether a call returns to what follows it.
    pub fn is_transparent(self) -> bool {
        self >= Self::Transparent
    }

    /// Whether calls may change their order.
    pub fn computes(self) -> bool {
        self == Self::Compute
    }
}

/// The scalars that the body of a nest changes, and the names in it.
#[derive(Debug, Clone, Default)]
pub struct Effects {
    /// The variables and the lists of the code around the nest that its body changes.
    pub changes: Vec<Change>,
    /// An operation that may have any effect.
    pub unknown: Option<TokenStream>,
    /// Locals mentioned in the body.
    pub mentioned: Mentions,
}

/// How often the identifiers of emitted code are mentioned, including those in strings, which a macro may read as
/// names. The element of a list mentions the end of the list.
#[derive(Debug, Clone, Default)]
pub struct Mentions(HashMap<String, usize>);

impl Mentions {
    /// Those in a region.
    pub fn of(program: &Program, region: RegionId) -> Self {
        let mut found = Self::default();
        program.walk(region, &mut |own, _| match own {
            Use::Rust(tokens) => hygiene::words(tokens.to_token_stream(), &mut |word| found.add(word)),
            Use::Access(id) => {
                if let Some(list) = program.accesses[*id].view.list {
                    found.add(hygiene::text(&program.lists[list].end));
                }
            }
            _ => {}
        });
        found
    }

    fn add(&mut self, word: String) {
        *self.0.entry(word).or_default() += 1;
    }

    /// How often a name is mentioned.
    pub fn count(&self, name: &str) -> usize {
        self.0.get(name).copied().unwrap_or(0)
    }
}

/// A change of a scalar, or of the number of elements in a list.
#[derive(Debug, Clone)]
pub struct Change {
    /// The variable.
    pub name: String,
    /// Its local in emitted code, or the end of the list, if it is known.
    pub local: Option<String>,
    /// Whether it is the number of elements in a list.
    pub is_list: bool,
    /// Whether it may be any variable: the assignment is through a reference, or to what is not understood.
    pub any: bool,
    /// The reduction, if its result does not depend on the order of the values: they are integers or `bool`s, and the
    /// body mentions the variable nowhere else.
    pub reduction: Option<Reduction>,
    /// Whether it is a sum or a product of floats, whose value depends on the order.
    pub rounds: bool,
    /// The user's tokens, for errors.
    pub tokens: TokenStream,
}

/// `s += value` and the like.
#[derive(Debug, Clone)]
pub struct Reduction {
    /// The variable in emitted code.
    pub local: Ident,
    /// The operator or the method.
    pub operator: ReductionOp,
}

/// An operator whose result does not depend on the order of the operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReductionOp {
    /// `+=`
    Add,
    /// `*=`
    Mul,
    /// `|=`
    Or,
    /// `&=`
    And,
    /// `^=`
    Xor,
    /// `m = m.max(value)`
    Max,
    /// `m = m.min(value)`
    Min,
}

impl ReductionOp {
    /// As it is written.
    pub const fn name(self) -> &'static str {
        match self {
            ReductionOp::Add => "+=",
            ReductionOp::Mul => "*=",
            ReductionOp::Or => "|=",
            ReductionOp::And => "&=",
            ReductionOp::Xor => "^=",
            ReductionOp::Max => "max",
            ReductionOp::Min => "min",
        }
    }
}

impl Effects {
    /// A change that keeps the iterations in sequence.
    pub fn carried(&self) -> Option<&Change> {
        self.changes.iter().find(|change| change.reduction.is_none())
    }

    /// A variable that one of two bodies changes and the other mentions.
    pub fn shared<'e>(&'e self, other: &'e Effects) -> Option<&'e Change> {
        let of = |own: &'e Effects, other: &'e Effects| {
            own.changes.iter().find(|change| {
                change.any || other.mentioned.count(change.local.as_ref().unwrap_or(&change.name)) > 0
            })
        };
        of(self, other).or_else(|| of(other, self))
    }

    /// Adds the effects of a body that runs in the same iterations.
    pub fn join(&mut self, other: Effects) {
        self.changes.extend(other.changes);
        self.unknown = self.unknown.take().or(other.unknown);
        other
            .mentioned
            .0
            .into_iter()
            .for_each(|(word, count)| *self.mentioned.0.entry(word).or_default() += count);
    }
}
