//! Tests of the symbolic integer: every rule alone, and all of them against evaluation of random trees.

mod bounds;
mod exact;
mod facts;
mod forms;
mod proofs;
mod quotients;
mod random;
mod rules;
mod spelling;

use proptest::prelude::ProptestConfig;

use shim_core::Fold;

use super::normal::BinaryOp;
use super::{Range, SymError, SymInt, Symbol};

/// Every operator of two numbers.
const OPERATORS: [BinaryOp; 11] = [
    BinaryOp::Div,
    BinaryOp::Rem,
    BinaryOp::Shl,
    BinaryOp::Shr,
    BinaryOp::And,
    BinaryOp::Or,
    BinaryOp::Xor,
    BinaryOp::Fold(Fold::Clamp),
    BinaryOp::Fold(Fold::Mirror),
    BinaryOp::Fold(Fold::Reflect),
    BinaryOp::Fold(Fold::Wrap),
];

/// What a test returns that computes with `?`.
type TestResult = Result<(), SymError>;

/// A symbol of unknown value.
fn free(id: u32, name: &str) -> SymInt {
    SymInt::symbol(&Symbol::new(id, name, Range::UNKNOWN))
}

/// A symbol between two bounds.
fn within(id: u32, name: &str, lo: i64, hi: i64) -> SymInt {
    SymInt::symbol(&Symbol::new(id, name, Range::new(lo, hi)))
}

/// A symbol that is an extent: zero or more.
fn extent(id: u32, name: &str) -> SymInt {
    SymInt::symbol(&Symbol::new(id, name, Range::NONNEGATIVE))
}

fn int(value: i64) -> SymInt {
    SymInt::constant(value)
}

/// The number of random cases of each property, more of which `PROPTEST_CASES` asks for. A failure is worth a test
/// with a name, not a file of seeds.
fn config() -> ProptestConfig {
    let cases = std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(384);
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}
