//! How an expression was written.

use super::plan::Weight;
use super::{BinaryOp, Form, Sym, cost};

/// The last operation of an expression as it was written, over its operands as they were written.
///
/// The normal form multiplies products out, and the search for the cheapest form need not find the way back. The way it
/// was written bounds the cost: what is emitted never costs more than its parts.
pub(super) struct Origin {
    operation: Operation,
    /// Operations on the longest way to a symbol; a longer chain forgets its start, so that no recursion is deep.
    depth: u32,
}

enum Operation {
    Add(Sym, Sym),
    Sub(Sym, Sym),
    Mul(Sym, Sym),
    Scale(Sym, i64),
    FloorDiv(Sym, i64),
    Mod(Sym, i64),
    Min(Sym, Sym),
    Max(Sym, Sym),
    Op(BinaryOp, Sym, Sym),
}

/// Where a chain forgets its start.
const MAX_DEPTH: u32 = 96;

impl Origin {
    fn new(operands: [&Sym; 2], operation: impl FnOnce(Sym, Sym) -> Operation) -> Self {
        let depth = |sym: &Sym| sym.origin().map_or(0, |origin| origin.depth);
        let depth_of_both = depth(operands[0]).max(depth(operands[1])) + 1;
        if depth_of_both <= MAX_DEPTH {
            let [a, b] = operands;
            return Self { operation: operation(a.clone(), b.clone()), depth: depth_of_both };
        }
        let [a, b] = operands.map(Sym::forget_origin);
        Self { operation: operation(a, b), depth: 1 }
    }

    pub(super) fn add(a: &Sym, b: &Sym) -> Self {
        Self::new([a, b], Operation::Add)
    }

    pub(super) fn sub(a: &Sym, b: &Sym) -> Self {
        Self::new([a, b], Operation::Sub)
    }

    pub(super) fn mul(a: &Sym, b: &Sym) -> Self {
        Self::new([a, b], Operation::Mul)
    }

    pub(super) fn scale(a: &Sym, factor: i64) -> Self {
        Self::new([a, a], |a, _| Operation::Scale(a, factor))
    }

    pub(super) fn floor_div(a: &Sym, divisor: i64) -> Self {
        Self::new([a, a], |a, _| Operation::FloorDiv(a, divisor))
    }

    pub(super) fn modulo(a: &Sym, divisor: i64) -> Self {
        Self::new([a, a], |a, _| Operation::Mod(a, divisor))
    }

    pub(super) fn min(a: &Sym, b: &Sym) -> Self {
        Self::new([a, b], Operation::Min)
    }

    pub(super) fn max(a: &Sym, b: &Sym) -> Self {
        Self::new([a, b], Operation::Max)
    }

    pub(super) fn op(op: BinaryOp, a: &Sym, b: &Sym) -> Self {
        Self::new([a, b], |a, b| Operation::Op(op, a, b))
    }

    /// The form that computes it as it was written, the operands in their cheapest forms.
    pub(super) fn form(&self) -> Form {
        let form = |sym: &Sym| Box::new(sym.form());
        match &self.operation {
            Operation::Add(a, b) => Form::Add(form(a), form(b)),
            Operation::Sub(a, b) => Form::Sub(form(a), form(b)),
            Operation::Mul(a, b) => Form::Mul(form(a), form(b)),
            Operation::Scale(a, -1) => Form::Neg(form(a)),
            Operation::Scale(a, factor) => Form::Mul(Box::new(Form::Constant(*factor)), form(a)),
            Operation::FloorDiv(a, k) => Form::FloorDiv(form(a), *k, a.range().is_nonnegative()),
            Operation::Mod(a, k) => Form::Mod(form(a), *k, a.range().is_nonnegative()),
            Operation::Min(a, b) => Form::Min(form(a), form(b)),
            Operation::Max(a, b) => Form::Max(form(a), form(b)),
            Operation::Op(op, a, b) => Form::Op(*op, form(a), form(b)),
        }
    }

    /// What that form weighs.
    pub(super) fn weight(&self) -> Weight {
        let of = |sym: &Sym| sym.choice().weight;
        let both = |a: &Sym, b: &Sym| of(a).and(of(b));
        match &self.operation {
            Operation::Add(a, b) | Operation::Sub(a, b) => both(a, b).plus(cost::ADD),
            Operation::Mul(a, b) => both(a, b).plus(cost::MUL),
            Operation::Scale(a, -1) => of(a).plus(cost::ADD),
            Operation::Scale(a, factor) => of(a).plus(cost::scale(*factor)),
            Operation::FloorDiv(a, k) | Operation::Mod(a, k) => {
                of(a).plus(cost::division(*k, a.range().is_nonnegative()))
            }
            Operation::Min(a, b) | Operation::Max(a, b) => both(a, b).plus(cost::MIN),
            Operation::Op(op, a, b) => both(a, b).plus(cost::op(*op)),
        }
    }
}
