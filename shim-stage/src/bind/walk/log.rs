//! The effects of what is bound, recorded in the order of the source while names resolve.
//!
//! Each question about a statement, a loop or a closure is one about the log between two marks.

use proc_macro2::{Ident, TokenStream};

use crate::ir::{Epoch, ReductionOp, RegionId};

/// What was bound so far, by its effects.
#[derive(Debug, Default)]
pub(in crate::bind) struct EffectLog {
    epoch: Epoch,
    /// Expressions that may change something.
    acts: u64,
    /// Operations in loops with an order, and in closures, whose effects are not known.
    unknown: Vec<TokenStream>,
    assigned: Vec<Assigned>,
}

/// A point of the log.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(in crate::bind) struct Mark {
    epoch: Epoch,
    acts: u64,
    unknown: usize,
    assigned: usize,
}

/// An assignment to a variable, or to a place that is reached from one.
#[derive(Debug, Clone)]
pub(in crate::bind) struct Assigned {
    /// The variable as the user calls it, or the place.
    pub(in crate::bind) name: String,
    /// Its local in emitted code, or the end of a list, if it is known.
    pub(in crate::bind) local: Option<Ident>,
    /// Whether it is the number of elements in a list.
    pub(in crate::bind) is_list: bool,
    /// The region that declares it.
    pub(in crate::bind) region: Option<RegionId>,
    /// Whether what is assigned is certainly in the variable's own value.
    pub(in crate::bind) is_own: bool,
    /// Whether the place may be behind a reference.
    pub(in crate::bind) through: bool,
    /// The reduction that it may be a step of.
    pub(in crate::bind) reduced: Option<Reduced>,
    /// What the variable is.
    pub(in crate::bind) scalar: Scalar,
    /// The user's tokens.
    pub(in crate::bind) tokens: TokenStream,
}

/// The type of a variable that is assigned, as far as reductions ask for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::bind) enum Scalar {
    /// An integer or a `bool`.
    Integer,
    /// An integer if what is added to it is one.
    Infer,
    Float,
    Unknown,
}

/// `s += operand` or `m = m.max(operand)`.
#[derive(Debug, Clone)]
pub(in crate::bind) struct Reduced {
    pub(in crate::bind) operator: ReductionOp,
    /// How often it mentions the variable.
    pub(in crate::bind) mentions: usize,
    /// Whether the operand is an integer whose type is known.
    pub(in crate::bind) is_number: bool,
}

impl Assigned {
    /// An assignment to what may be anything.
    pub(in crate::bind) fn of_anything(tokens: TokenStream) -> Self {
        Assigned {
            name: String::new(),
            local: None,
            is_list: false,
            region: None,
            is_own: false,
            through: true,
            reduced: None,
            scalar: Scalar::Unknown,
            tokens,
        }
    }
}

impl EffectLog {
    /// The current epoch.
    pub(in crate::bind) fn epoch(&self) -> Epoch {
        self.epoch
    }

    /// The end of the log.
    pub(in crate::bind) fn mark(&self) -> Mark {
        Mark {
            epoch: self.epoch,
            acts: self.acts,
            unknown: self.unknown.len(),
            assigned: self.assigned.len(),
        }
    }

    /// Records that what follows runs only if something unknown returns.
    pub(in crate::bind) fn opaque(&mut self) {
        self.epoch.opaque += 1;
        self.acts += 1;
    }

    /// Records a jump out of a loop.
    pub(in crate::bind) fn jump(&mut self) {
        self.epoch.jumps += 1;
    }

    /// Records an expression that may change something.
    pub(in crate::bind) fn acts(&mut self) {
        self.acts += 1;
    }

    /// Records an operation whose effect is not known.
    pub(in crate::bind) fn unknown(&mut self, tokens: TokenStream) {
        self.unknown.push(tokens);
    }

    /// Records an assignment.
    pub(in crate::bind) fn assign(&mut self, assigned: Assigned) {
        self.assigned.push(assigned);
    }

    /// The assignments since `mark`.
    pub(in crate::bind) fn assigned_since(&self, mark: Mark) -> &[Assigned] {
        &self.assigned[mark.assigned..]
    }

    /// Whether everything since `mark` returns to what follows it.
    pub(in crate::bind) fn is_transparent_since(&self, mark: Mark) -> bool {
        self.epoch == mark.epoch
    }

    /// Whether nothing since `mark` may change anything.
    pub(in crate::bind) fn is_quiet_since(&self, mark: Mark) -> bool {
        self.acts == mark.acts
    }

    /// The first operation since `mark` whose effect is not known.
    pub(in crate::bind) fn unknown_since(&self, mark: Mark) -> Option<&TokenStream> {
        self.unknown.get(mark.unknown)
    }

    /// Takes back all since `mark`, which never runs.
    pub(in crate::bind) fn forget(&mut self, mark: Mark) {
        let Mark { epoch, acts, unknown, assigned } = mark;
        (self.epoch, self.acts) = (epoch, acts);
        self.unknown.truncate(unknown);
        self.assigned.truncate(assigned);
    }

    /// Takes back what the body of a closure does: it happens where the closure is called. Its unknown operations stay
    /// where the `order` of the iterations around it matters.
    pub(in crate::bind) fn make_closure(&mut self, mark: Mark, order: bool) {
        self.epoch = mark.epoch;
        if !order {
            self.unknown.truncate(mark.unknown);
        }
    }
}
