//! Minima and maxima.

use std::cmp::Ordering;

use super::origin::WrittenForm;
use super::{Atom, SymError, SymInt};

/// The most operands among which the dominated ones are looked for.
const MAX_OPERANDS: usize = 8;

impl SymInt {
    /// The smaller of the two.
    ///
    /// # Errors
    /// [`SymError::TooLarge`] past the cap on size.
    pub fn min(&self, rhs: &Self) -> Result<Self, SymError> {
        Ok(extremum(self, rhs, Ordering::Less)?.written_as(WrittenForm::min(self, rhs)))
    }

    /// The larger of the two.
    ///
    /// # Errors
    /// [`SymError::TooLarge`] past the cap on size.
    pub fn max(&self, rhs: &Self) -> Result<Self, SymError> {
        Ok(extremum(self, rhs, Ordering::Greater)?.written_as(WrittenForm::max(self, rhs)))
    }

    /// `e` of `max(0, e)`: where a loop of that many iterations runs at all, there are `e`.
    pub fn positive_part(&self) -> Option<Self> {
        match self.as_atom()? {
            Atom::Max(a, b) if a.is_zero() => Some(b.clone()),
            Atom::Max(a, b) if b.is_zero() => Some(a.clone()),
            _ => None,
        }
    }

    /// How the two compare for every value of the symbols; `None` when that is not known or not always the same.
    pub fn compare(&self, rhs: &Self) -> Option<Ordering> {
        let range = self.add_scaled(rhs, -1).ok()?.range();
        match (range.lo, range.hi) {
            (Some(1..), _) => Some(Ordering::Greater),
            (_, Some(..0)) => Some(Ordering::Less),
            (Some(0), Some(0)) => Some(Ordering::Equal),
            _ => None,
        }
    }
}

/// The minimum (`Less`) or the maximum (`Greater`): all operands of nested ones, sorted, none that another decides.
fn extremum(a: &SymInt, b: &SymInt, wanted: Ordering) -> Result<SymInt, SymError> {
    let mut operands: Vec<SymInt> = Vec::new();
    for sym in [a, b] {
        flatten(sym, wanted, &mut operands);
    }
    operands.sort();
    operands.dedup();
    if operands.len() <= MAX_OPERANDS {
        let mut i = 0;
        while i < operands.len() {
            let beaten = (0..operands.len()).any(|j| i != j && beats(&operands[j], &operands[i], wanted));
            if beaten {
                operands.remove(i);
            } else {
                i += 1;
            }
        }
    }
    let mut operands = operands.into_iter().rev();
    let last = operands.next().unwrap_or_else(|| a.clone());
    operands.try_fold(last, |tail, head| {
        SymInt::atom(match wanted {
            Ordering::Less => Atom::Min(head, tail),
            _ => Atom::Max(head, tail),
        })
    })
}

fn flatten(sym: &SymInt, wanted: Ordering, operands: &mut Vec<SymInt>) {
    match (sym.as_atom(), wanted) {
        (Some(Atom::Min(a, b)), Ordering::Less) | (Some(Atom::Max(a, b)), Ordering::Greater) => {
            flatten(a, wanted, operands);
            flatten(b, wanted, operands);
        }
        _ => operands.push(sym.clone()),
    }
}

/// Whether `winner` is never worse than `loser`: then the loser decides nothing.
fn beats(winner: &SymInt, loser: &SymInt, wanted: Ordering) -> bool {
    let (less, more) = if wanted == Ordering::Less { (winner, loser) } else { (loser, winner) };
    more.add_scaled(less, -1).is_ok_and(|difference| difference.range().is_nonnegative())
}
