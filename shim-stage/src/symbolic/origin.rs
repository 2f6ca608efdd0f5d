//! How an expression was written.

use super::tree::Weight;
use super::{BinaryOp, Form, SymInt, cost};

/// The last operation of an expression as it was written, over its operands as they were written.
///
/// The normal form multiplies products out, and the search for the cheapest form need not find the way back. The way it
/// was written bounds the cost: what is emitted never costs more than its parts.
pub(super) struct WrittenForm {
    operation: WrittenOp,
    /// Operations on the longest way to a symbol; a longer chain forgets its start, so that no recursion is deep.
    depth: u32,
}

enum WrittenOp {
    Add(SymInt, SymInt),
    Sub(SymInt, SymInt),
    Mul(SymInt, SymInt),
    Scale(SymInt, i64),
    FloorDiv(SymInt, i64),
    Mod(SymInt, i64),
    Min(SymInt, SymInt),
    Max(SymInt, SymInt),
    Op(BinaryOp, SymInt, SymInt),
}

/// Where a chain forgets its start.
const MAX_DEPTH: u32 = 96;

impl WrittenForm {
    fn new(operands: [&SymInt; 2], operation: impl FnOnce(SymInt, SymInt) -> WrittenOp) -> Self {
        let depth = |sym: &SymInt| sym.origin().map_or(0, |origin| origin.depth);
        let depth_of_both = depth(operands[0]).max(depth(operands[1])) + 1;
        if depth_of_both <= MAX_DEPTH {
            let [a, b] = operands;
            return Self { operation: operation(a.clone(), b.clone()), depth: depth_of_both };
        }
        let [a, b] = operands.map(SymInt::forget_origin);
        Self { operation: operation(a, b), depth: 1 }
    }

    pub(super) fn add(a: &SymInt, b: &SymInt) -> Self {
        Self::new([a, b], WrittenOp::Add)
    }

    pub(super) fn sub(a: &SymInt, b: &SymInt) -> Self {
        Self::new([a, b], WrittenOp::Sub)
    }

    pub(super) fn mul(a: &SymInt, b: &SymInt) -> Self {
        Self::new([a, b], WrittenOp::Mul)
    }

    pub(super) fn scale(a: &SymInt, factor: i64) -> Self {
        Self::new([a, a], |a, _| WrittenOp::Scale(a, factor))
    }

    pub(super) fn floor_div(a: &SymInt, divisor: i64) -> Self {
        Self::new([a, a], |a, _| WrittenOp::FloorDiv(a, divisor))
    }

    pub(super) fn modulo(a: &SymInt, divisor: i64) -> Self {
        Self::new([a, a], |a, _| WrittenOp::Mod(a, divisor))
    }

    pub(super) fn min(a: &SymInt, b: &SymInt) -> Self {
        Self::new([a, b], WrittenOp::Min)
    }

    pub(super) fn max(a: &SymInt, b: &SymInt) -> Self {
        Self::new([a, b], WrittenOp::Max)
    }

    pub(super) fn op(op: BinaryOp, a: &SymInt, b: &SymInt) -> Self {
        Self::new([a, b], |a, b| WrittenOp::Op(op, a, b))
    }

    /// The form that computes it as it was written, the operands in their cheapest forms.
    pub(super) fn form(&self) -> Form {
        let form = |sym: &SymInt| Box::new(sym.form());
        match &self.operation {
            WrittenOp::Add(a, b) => Form::Add(form(a), form(b)),
            WrittenOp::Sub(a, b) => Form::Sub(form(a), form(b)),
            WrittenOp::Mul(a, b) => Form::Mul(form(a), form(b)),
            WrittenOp::Scale(a, -1) => Form::Neg(form(a)),
            WrittenOp::Scale(a, factor) => Form::Mul(Box::new(Form::Constant(*factor)), form(a)),
            WrittenOp::FloorDiv(a, k) => Form::FloorDiv(form(a), *k, a.range().is_nonnegative()),
            WrittenOp::Mod(a, k) => Form::Mod(form(a), *k, a.range().is_nonnegative()),
            WrittenOp::Min(a, b) => Form::Min(form(a), form(b)),
            WrittenOp::Max(a, b) => Form::Max(form(a), form(b)),
            WrittenOp::Op(op, a, b) => Form::Op(*op, form(a), form(b)),
        }
    }

    /// What that form weighs.
    pub(super) fn weight(&self) -> Weight {
        let of = |sym: &SymInt| sym.extracted().weight;
        let both = |a: &SymInt, b: &SymInt| of(a).and(of(b));
        match &self.operation {
            WrittenOp::Add(a, b) | WrittenOp::Sub(a, b) => both(a, b).plus(cost::ADD),
            WrittenOp::Mul(a, b) => both(a, b).plus(cost::MUL),
            WrittenOp::Scale(a, -1) => of(a).plus(cost::ADD),
            WrittenOp::Scale(a, factor) => of(a).plus(cost::scale(*factor)),
            WrittenOp::FloorDiv(a, k) | WrittenOp::Mod(a, k) => {
                of(a).plus(cost::division(*k, a.range().is_nonnegative()))
            }
            WrittenOp::Min(a, b) | WrittenOp::Max(a, b) => both(a, b).plus(cost::MIN),
            WrittenOp::Op(op, a, b) => both(a, b).plus(cost::op(*op)),
        }
    }
}
