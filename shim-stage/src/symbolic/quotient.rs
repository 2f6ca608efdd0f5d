//! Quotients and remainders by expressions that are not constants: the five rules of LEGO (table 1), whose side
//! conditions facts prove.
//!
//! | expression | result | condition |
//! |---|---|---|
//! | `(d * q + r) mod d` | `r mod d` | `d >= 1` |
//! | `a * (x / a) + x mod a` | `x` | `a >= 1` |
//! | `x / a` | `0` | `0 <= x < a` |
//! | `x mod a` | `x` | `0 <= x < a` |
//! | `(d * q + r) / d` | `q` | `0 <= r < d` |
//!
//! Division and remainder are Rust's, so that the dividends are not negative either.

use super::normal::{Atom, BinaryOp, Monomial, Term};
use super::strength::cofactor;
use super::{Facts, SymError, SymInt};

impl Facts {
    /// `a / b`, truncated as Rust does.
    ///
    /// # Errors
    /// As [`SymInt::trunc_div`].
    pub fn trunc_div(&self, a: &SymInt, b: &SymInt) -> Result<SymInt, SymError> {
        let plain = a.trunc_div(b)?;
        match self.split(a, b, &plain) {
            Some((quotient, rest)) if self.proves_lt(&rest, b) => Ok(quotient),
            Some((quotient, rest)) if !quotient.is_zero() => quotient.add(&rest.trunc_div(b)?),
            _ => Ok(plain),
        }
    }

    /// `a % b`, the remainder of [`trunc_div`](Self::trunc_div).
    ///
    /// # Errors
    /// As [`SymInt::trunc_rem`].
    pub fn trunc_rem(&self, a: &SymInt, b: &SymInt) -> Result<SymInt, SymError> {
        let plain = a.trunc_rem(b)?;
        match self.split(a, b, &plain) {
            Some((_, rest)) if self.proves_lt(&rest, b) => Ok(rest),
            Some((quotient, rest)) if !quotient.is_zero() => rest.trunc_rem(b),
            _ => Ok(plain),
        }
    }

    /// `a` as `b * quotient + rest`, where `b >= 1` and neither `a` nor the rest is negative. None where the operation
    /// needs no rule.
    fn split(&self, a: &SymInt, b: &SymInt, plain: &SymInt) -> Option<(SymInt, SymInt)> {
        let is_open = matches!(plain.as_atom(), Some(Atom::Op(..))) && b.as_constant().is_none();
        if !is_open || !self.proves_positive(b) || !self.proves_nonneg(a) {
            return None;
        }
        let (mut quotient, mut rest) = (SymInt::constant(0), a.clone());
        if let ([Term { coefficient, monomial }], 0) = (b.term_slice(), b.constant_part()) {
            for term in a.term_slice().iter().filter(|term| term.coefficient % coefficient == 0) {
                let Some(factor) = cofactor(&term.monomial, monomial) else { continue };
                let part = product(term.coefficient / coefficient, factor)?;
                quotient = quotient.add(&part).ok()?;
                rest = rest.sub(&part.mul(b).ok()?).ok()?;
            }
        }
        self.proves_nonneg(&rest).then_some((quotient, rest))
    }

    /// Whether `sym >= 1` follows; `false` is no statement.
    pub fn proves_positive(&self, sym: &SymInt) -> bool {
        if self.proves_lt(&SymInt::constant(0), sym) {
            return true;
        }
        // Where the terms of a fact that are multiples of it make up for the others, it is not zero.
        let Some(atom) = sym.as_atom().filter(|_| sym.range().is_nonnegative()) else { return false };
        self.iter().any(|fact| {
            let others = fact.term_slice().iter().filter(|term| !term.monomial.contains(atom)).cloned();
            let others = SymInt::from_sorted(fact.constant_part(), others.collect());
            others.is_ok_and(|others| self.proves_lt(&others, &SymInt::constant(0)))
        })
    }
}

impl SymInt {
    /// The sum with `x` in the place of `a * (x / a) + x % a`, where that is cheaper and `a` is `positive`.
    ///
    /// # Errors
    /// As [`SymInt::add`].
    pub fn joined(&self, positive: &dyn Fn(&SymInt) -> bool) -> Result<Self, SymError> {
        let mut best = self.clone();
        for term in self.term_slice() {
            for atom in &*term.monomial {
                let Atom::Op(BinaryOp::Rem, x, a) = atom else { continue };
                let Some(factor) = cofactor(&term.monomial, std::slice::from_ref(atom)) else { continue };
                let Some(factor) = product(term.coefficient, factor) else { continue };
                let quotient = SymInt::atom(Atom::Op(BinaryOp::Div, x.clone(), a.clone()))?;
                let remainder = SymInt::atom(atom.clone())?;
                let apart = a.mul(&quotient)?.add(&remainder)?.sub(x)?.mul(&factor)?;
                let joined = best.sub(&apart)?;
                if joined.cost() < best.cost() && positive(a) {
                    best = joined;
                }
            }
        }
        Ok(best)
    }
}

/// A coefficient times a product of atoms.
fn product(coefficient: i64, atoms: Vec<Atom>) -> Option<SymInt> {
    if atoms.is_empty() {
        return Some(SymInt::constant(coefficient));
    }
    SymInt::from_sorted(0, vec![Term { coefficient, monomial: Monomial::from(atoms) }]).ok()
}
