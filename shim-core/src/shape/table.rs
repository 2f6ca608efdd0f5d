//! Tables: integers by the index on an axis.

use alloc::vec::Vec;

use crate::{Integer, LocationError};

/// Integers by the index on an axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Table<I> {
    entries: Vec<I>,
    name: Option<I>,
}

impl<I: Integer> Table<I> {
    /// The table with these entries.
    pub fn new(entries: Vec<I>) -> Self {
        Self { entries, name: None }
    }

    /// A table of which as many entries are known as are given. Entries at other indices, and at indices that are not
    /// known, are [loaded](Integer::load) from the memory that `name` stands for.
    pub fn named(entries: Vec<I>, name: I) -> Self {
        Self { entries, name: Some(name) }
    }

    /// The entries that are known.
    pub fn entries(&self) -> &[I] {
        &self.entries
    }

    /// The entries, if there are no others.
    pub(super) fn all(&self) -> Option<&[I]> {
        self.name.is_none().then_some(&self.entries)
    }

    /// The entry at an index.
    ///
    /// # Errors
    /// [`LocationError::NoGroup`] for an index that the table does not have, [`LocationError::Dynamic`] for one that is
    /// not known, where the table has no name and an entry is not known either.
    pub fn at(&self, index: &I) -> Result<I, LocationError> {
        let known = index.as_constant();
        if let Some(entry) = known.and_then(|index| self.entries.get(usize::try_from(index).ok()?)) {
            return Ok(entry.clone());
        }
        match (&self.name, known) {
            (Some(name), _) => index.load(name),
            (None, Some(index)) => Err(LocationError::NoGroup { index, groups: self.entries.len() }),
            (None, None) => index.entry(&constants(&self.entries)?),
        }
    }

    /// The table of the number of tiles of so many indices.
    pub(super) fn tiled(&self, tile: i64) -> Result<Self, LocationError> {
        if self.name.is_some() {
            return Err(LocationError::NoClosedForm);
        }
        Ok(Self::new(self.entries.iter().map(|entry| entry.ceil_div(tile)).collect::<Result<_, _>>()?))
    }

    pub(crate) fn map<J>(&self, to: &impl Fn(&I) -> J) -> Table<J> {
        Table { entries: self.entries.iter().map(to).collect(), name: self.name.as_ref().map(to) }
    }
}

/// The values of integers that are all known.
pub(super) fn constants<I: Integer>(entries: &[I]) -> Result<Vec<i64>, LocationError> {
    entries.iter().map(|entry| entry.as_constant().ok_or(LocationError::Dynamic)).collect()
}
