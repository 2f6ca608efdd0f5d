//! What can go wrong while a symbolic expression is built.

use std::fmt;

/// Why an operation on symbolic integers has no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SymError {
    /// A constant or a coefficient does not fit `i64`.
    Overflow,
    /// A division or remainder by the constant zero.
    DivisionByZero,
    /// A shift by a constant that is negative or above 63.
    ShiftAmount,
    /// The normal form would grow past the cap on its size; bind a part of it to a variable of its own.
    TooLarge,
}

impl fmt::Display for SymError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Overflow => "the index arithmetic overflows 64 bits",
            Self::DivisionByZero => "the index arithmetic divides by zero",
            Self::ShiftAmount => "the index arithmetic shifts by less than zero or more than 63 bits",
            Self::TooLarge => "the index arithmetic is too large to be kept in symbolic form",
        })
    }
}

impl std::error::Error for SymError {}
