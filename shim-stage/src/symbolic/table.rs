//! Tables of constants that expressions index.

use std::cell::RefCell;
use std::collections::HashSet;
use std::fmt;

/// Integers by their index, known when a kernel is expanded. Tables of the same entries are equal.
///
/// Entries are interned and live as long as the compiler does, so that an operator with a table can be copied as the
/// others are.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ConstTable(&'static [i64]);

thread_local! {
    static TABLES: RefCell<HashSet<&'static [i64]>> = RefCell::new(HashSet::new());
}

impl ConstTable {
    /// The most entries.
    const MAX_LENGTH: usize = 4096;

    /// The table with these entries.
    pub(super) fn of(entries: &[i64]) -> Self {
        TABLES.with_borrow_mut(|tables| {
            if let Some(known) = tables.get(entries) {
                return Self(known);
            }
            let own: &'static [i64] = Box::leak(entries.into());
            tables.insert(own);
            Self(own)
        })
    }

    /// Whether it is short enough to be emitted, and its entries fit `i16` and are not negative.
    pub(super) fn is_small(self) -> bool {
        let (least, greatest) = self.bounds();
        self.0.len() <= Self::MAX_LENGTH && least >= 0 && greatest <= i64::from(i16::MAX)
    }

    /// The entries, at least one.
    pub fn entries(self) -> &'static [i64] {
        self.0
    }

    pub(super) fn get(self, index: i128) -> Option<i64> {
        self.0.get(usize::try_from(index).ok()?).copied()
    }

    /// The least and the greatest entry.
    pub(crate) fn bounds(self) -> (i64, i64) {
        let least = self.0.iter().min().copied().unwrap_or(0);
        (least, self.0.iter().max().copied().unwrap_or(0))
    }
}

impl fmt::Debug for ConstTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            [first, second, third, _, ..] => write!(f, "[{first}, {second}, {third}, ..; {}]", self.0.len()),
            few => write!(f, "{few:?}"),
        }
    }
}
