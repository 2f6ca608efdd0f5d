//! What the operations of emitted code cost, in additions.

use shim_core::Fold;

use super::BinaryOp;

/// An addition, a subtraction or a negation.
pub(super) const ADD: u32 = 1;
/// A multiplication by anything but a power of two.
pub(super) const MUL: u32 = 2;
/// A minimum or maximum.
pub(super) const MIN: u32 = 1;
/// A division whose numerator may be negative takes a correction beside the division itself.
const FLOOR_CORRECTION: u32 = 2;
const DIVISION: u32 = 4;
/// A load from a table.
const ENTRY: u32 = 4;

/// A multiplication by a constant.
pub(super) fn scale(factor: i64) -> u32 {
    if factor == -1 || is_shift(factor) { ADD } else { MUL }
}

/// A floor division by `divisor`, or its remainder.
pub(super) fn division(divisor: i64, nonneg: bool) -> u32 {
    if is_shift(divisor) {
        ADD
    } else if nonneg {
        DIVISION
    } else {
        DIVISION + FLOOR_CORRECTION
    }
}

/// One of Rust's operators.
pub(super) fn op(op: BinaryOp) -> u32 {
    match op {
        BinaryOp::Div | BinaryOp::Rem | BinaryOp::Fold(Fold::Mirror | Fold::Reflect | Fold::Wrap) => DIVISION,
        BinaryOp::Shl | BinaryOp::Shr | BinaryOp::And | BinaryOp::Or | BinaryOp::Xor => ADD,
        BinaryOp::Fold(Fold::Clamp) => 2 * MIN,
        BinaryOp::Entry(_) | BinaryOp::Load => ENTRY,
        BinaryOp::Power => ADD + MIN,
    }
}

fn is_shift(factor: i64) -> bool {
    factor > 0 && factor.count_ones() == 1
}
