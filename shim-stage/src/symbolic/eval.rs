//! Evaluation, substitution, and what an expression is made of.

use std::collections::BTreeSet;

use super::normal::Term;
use super::{Atom, BinaryOp, SymError, SymInt, Symbol};

/// The truth about an operator, or `None` where it has no value.
pub(super) fn apply(op: BinaryOp, a: i128, b: i128) -> Option<i128> {
    let amount = || u32::try_from(b).ok().filter(|&by| by < 64);
    match op {
        BinaryOp::Div => a.checked_div(b),
        BinaryOp::Rem => a.checked_rem(b),
        BinaryOp::Shl => a.checked_mul(1 << amount()?),
        BinaryOp::Shr => Some(a >> amount()?),
        BinaryOp::And => Some(a & b),
        BinaryOp::Or => Some(a | b),
        BinaryOp::Xor => Some(a ^ b),
        BinaryOp::Fold(rule) => Some(rule.apply(a, b)),
        BinaryOp::Entry(table) => table.get(a).map(i128::from),
        // What the memory holds is not known.
        BinaryOp::Load => None,
        BinaryOp::Power => Some(power(a, b)),
    }
}

/// `a * 2^b`, or zero.
fn power(a: i128, b: i128) -> i128 {
    let power = u32::try_from(b).ok().filter(|&b| b < 63).map(|b| a << b);
    power.filter(|&power| i64::try_from(power).is_ok()).unwrap_or(0)
}

impl SymInt {
    /// Its value, given the values of the symbols; `None` when it does not fit, or a divisor is zero, or a shift amount
    /// outside `0..=63`.
    pub fn eval(&self, value: &dyn Fn(&Symbol) -> i64) -> Option<i64> {
        i64::try_from(self.eval_wide(value)?).ok()
    }

    /// The value in twice the width, so that sums whose parts cancel have one.
    fn eval_wide(&self, value: &dyn Fn(&Symbol) -> i64) -> Option<i128> {
        let mut sum = i128::from(self.constant_part());
        for term in self.term_slice() {
            let mut product = i128::from(term.coefficient);
            for atom in &*term.monomial {
                product = product.checked_mul(atom.eval_wide(value)?)?;
            }
            sum = sum.checked_add(product)?;
        }
        Some(sum)
    }

    /// The symbols it is made of.
    pub fn symbols(&self) -> BTreeSet<Symbol> {
        let mut symbols = BTreeSet::new();
        self.visit(&mut |symbol| {
            symbols.insert(symbol.clone());
        });
        symbols
    }

    /// Whether it is made of this symbol among others.
    pub fn mentions(&self, symbol: &Symbol) -> bool {
        self.term_slice().iter().flat_map(|term| &*term.monomial).any(|atom| atom.mentions(symbol))
    }

    /// Whether an entry of a table is among its parts.
    pub fn has_entry(&self) -> bool {
        self.term_slice().iter().flat_map(|term| &*term.monomial).any(|atom| {
            matches!(atom, Atom::Op(BinaryOp::Entry(_), ..))
                || atom.operands().into_iter().flatten().any(SymInt::has_entry)
        })
    }

    fn visit(&self, each: &mut dyn FnMut(&Symbol)) {
        for atom in self.term_slice().iter().flat_map(|term| &*term.monomial) {
            atom.visit(each);
        }
    }

    /// The expression with some symbols replaced; those for which `replacement` answers `None` stay.
    ///
    /// # Errors
    /// Whatever the operations that rebuild it answer.
    pub fn substitute(&self, replacement: &dyn Fn(&Symbol) -> Option<Self>) -> Result<Self, SymError> {
        Ok(self.substituted(replacement)?.unwrap_or_else(|| self.clone()))
    }

    /// `None` when no symbol is replaced.
    fn substituted(&self, replacement: &dyn Fn(&Symbol) -> Option<Self>) -> Result<Option<Self>, SymError> {
        let mut sum: Option<Self> = None;
        let mut kept = Vec::new();
        for term in self.term_slice() {
            let mut product: Option<Self> = None;
            let mut factors = Vec::new();
            for atom in &*term.monomial {
                match atom.substituted(replacement)? {
                    Some(new) => {
                        product = Some(match product {
                            Some(old) => old.mul(&new)?,
                            None => new,
                        });
                    }
                    None => factors.push(atom.clone()),
                }
            }
            let Some(product) = product else {
                kept.push(term.clone());
                continue;
            };
            let product = if factors.is_empty() {
                product.scale(term.coefficient)?
            } else {
                let rest = Term { coefficient: term.coefficient, monomial: factors.into() };
                product.mul(&Self::from_sorted(0, vec![rest])?)?
            };
            sum = Some(match sum {
                Some(old) => old.add(&product)?,
                None => product,
            });
        }
        match sum {
            Some(sum) => Ok(Some(Self::from_sorted(self.constant_part(), kept)?.add(&sum)?)),
            None => Ok(None),
        }
    }

    /// The coefficient of a symbol in which the expression is affine: the symbol stands in no atom and in no power.
    pub fn coefficient(&self, symbol: &Symbol) -> Option<Self> {
        let mut constant = 0;
        let mut terms = Vec::new();
        for term in self.term_slice() {
            let mut rest = Vec::with_capacity(term.monomial.len());
            for atom in &*term.monomial {
                match atom {
                    Atom::Symbol(other) if other == symbol => {}
                    atom if atom.mentions(symbol) => return None,
                    atom => rest.push(atom.clone()),
                }
            }
            match term.monomial.len() - rest.len() {
                0 => {}
                1 if rest.is_empty() => constant = term.coefficient,
                1 => terms.push(Term { coefficient: term.coefficient, monomial: rest.into() }),
                _ => return None,
            }
        }
        Self::from_terms(constant, terms).ok()
    }

    /// The terms whose symbols satisfy a predicate, and the rest. The constant is a term without symbols.
    #[must_use]
    pub fn partition_terms(&self, keep: &dyn Fn(&BTreeSet<Symbol>) -> bool) -> (Self, Self) {
        let (mut kept, mut rest) = (Vec::new(), Vec::new());
        for term in self.term_slice() {
            let mut symbols = BTreeSet::new();
            for atom in &*term.monomial {
                atom.visit(&mut |symbol| {
                    symbols.insert(symbol.clone());
                });
            }
            if keep(&symbols) { &mut kept } else { &mut rest }.push(term.clone());
        }
        let constant = self.constant_part();
        let (first, second) = if keep(&BTreeSet::new()) { (constant, 0) } else { (0, constant) };
        (self.part(first, kept), self.part(second, rest))
    }

    /// Some of its own terms, which cannot exceed a cap that the whole keeps.
    fn part(&self, constant: i64, terms: Vec<Term>) -> Self {
        if terms.len() == self.term_slice().len() && constant == self.constant_part() {
            return self.clone();
        }
        Self::from_sorted(constant, terms).unwrap_or_else(|_| self.clone())
    }
}

impl Atom {
    fn eval_wide(&self, value: &dyn Fn(&Symbol) -> i64) -> Option<i128> {
        Some(match self {
            Self::Symbol(symbol) => i128::from(value(symbol)),
            Self::FloorDiv(a, k) => a.eval_wide(value)?.div_euclid(i128::from(*k)),
            Self::Mod(a, k) => a.eval_wide(value)?.rem_euclid(i128::from(*k)),
            Self::Min(a, b) => a.eval_wide(value)?.min(b.eval_wide(value)?),
            Self::Max(a, b) => a.eval_wide(value)?.max(b.eval_wide(value)?),
            Self::Op(op, a, b) => apply(*op, a.eval_wide(value)?, b.eval_wide(value)?)?,
        })
    }

    /// Whether it is made of this symbol among others.
    pub fn mentions(&self, symbol: &Symbol) -> bool {
        match self {
            Self::Symbol(own) => own == symbol,
            other => other.operands().into_iter().flatten().any(|operand| operand.mentions(symbol)),
        }
    }

    fn visit(&self, each: &mut dyn FnMut(&Symbol)) {
        match self {
            Self::Symbol(symbol) => each(symbol),
            other => {
                for operand in other.operands().into_iter().flatten() {
                    operand.visit(each);
                }
            }
        }
    }

    /// The atom with symbols replaced, `None` when none is.
    fn substituted(
        &self,
        replacement: &dyn Fn(&Symbol) -> Option<SymInt>,
    ) -> Result<Option<SymInt>, SymError> {
        if let Self::Symbol(symbol) = self {
            return Ok(replacement(symbol));
        }
        let [first, second] = self.operands();
        let replaced = |operand: Option<&SymInt>| match operand {
            Some(operand) => operand.substituted(replacement),
            None => Ok(None),
        };
        let (new_first, new_second) = (replaced(first)?, replaced(second)?);
        if new_first.is_none() && new_second.is_none() {
            return Ok(None);
        }
        let a = new_first.as_ref().or(first).cloned().unwrap_or_else(|| SymInt::constant(0));
        let b = new_second.as_ref().or(second).cloned().unwrap_or_else(|| SymInt::constant(0));
        Ok(Some(match self {
            Self::Symbol(_) => return Ok(None),
            Self::FloorDiv(_, k) => a.floor_div(*k)?,
            Self::Mod(_, k) => a.modulo(*k)?,
            Self::Min(..) => SymInt::min(&a, &b)?,
            Self::Max(..) => SymInt::max(&a, &b)?,
            Self::Op(op, ..) => a.apply(*op, &b)?,
        }))
    }
}

impl SymInt {
    /// One of Rust's operators on `isize`.
    ///
    /// # Errors
    /// As the method of that operator.
    pub fn apply(&self, op: BinaryOp, rhs: &Self) -> Result<Self, SymError> {
        match op {
            BinaryOp::Div => self.trunc_div(rhs),
            BinaryOp::Rem => self.trunc_rem(rhs),
            BinaryOp::Shl => self.shl(rhs),
            BinaryOp::Shr => self.shr(rhs),
            BinaryOp::And => self.bit_and(rhs),
            BinaryOp::Or => self.bit_or(rhs),
            BinaryOp::Xor => self.bit_xor(rhs),
            BinaryOp::Fold(rule) => self.folded(rule, rhs),
            BinaryOp::Entry(table) => self.entry(table),
            BinaryOp::Load | BinaryOp::Power => self.total(op, rhs),
        }
    }
}
