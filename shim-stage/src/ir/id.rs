//! Numbers of the things a program is made of, one type for each kind of thing.

use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

/// A number that [`Table`]s of one kind are indexed by.
pub trait Id: Copy {
    /// The `index`-th of a table.
    fn new(index: usize) -> Self;
    /// Its index.
    fn index(self) -> usize;
}

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident)*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(u32);

        impl Id for $name {
            fn new(index: usize) -> Self {
                Self(u32::try_from(index).expect("fewer of a kernel's parts than 32 bits count"))
            }

            fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}

ids! {
    /// Number of a hole in [`super::Program::holes`].
    HoleId
    /// Number of a loop in [`super::Program::loops`].
    LoopId
    /// Number of a nest in [`super::Program::nests`].
    NestId
    /// Number of a block in [`super::Program::buffers`].
    BufferId
    /// Number of a list in [`super::Program::lists`].
    ListId
    /// Number of an access in [`super::Program::accesses`].
    AccessId
    /// Number of a region in [`super::Program::regions`].
    RegionId
}

impl RegionId {
    /// The function's body.
    pub const BODY: Self = Self(0);
}

/// A vector indexed by the numbers of one kind.
#[derive(Debug, Clone)]
pub struct Table<I, T> {
    entries: Vec<T>,
    of: PhantomData<I>,
}

impl<I, T> Default for Table<I, T> {
    fn default() -> Self {
        Table { entries: Vec::new(), of: PhantomData }
    }
}

impl<I: Id, T> Table<I, T> {
    /// The number of the next entry.
    pub fn next_id(&self) -> I {
        I::new(self.entries.len())
    }

    /// Adds an entry.
    pub fn push(&mut self, entry: T) -> I {
        let id = self.next_id();
        self.entries.push(entry);
        id
    }

    /// The number of its entries.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether it has no entry.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The numbers of its entries.
    pub fn ids(&self) -> impl Iterator<Item = I> + use<I, T> {
        (0..self.entries.len()).map(I::new)
    }

    /// Its entries.
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.entries.iter()
    }

    /// Its entries with their numbers.
    pub fn enumerated(&self) -> impl Iterator<Item = (I, &T)> {
        self.entries.iter().enumerate().map(|(index, entry)| (I::new(index), entry))
    }

    /// A table with an entry for each of this one's.
    pub fn map<U>(&self, entry: impl FnMut(&T) -> U) -> Table<I, U> {
        Table { entries: self.entries.iter().map(entry).collect(), of: PhantomData }
    }
}

impl<'t, I: Id, T> IntoIterator for &'t Table<I, T> {
    type Item = &'t T;
    type IntoIter = std::slice::Iter<'t, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<I: Id, T> Index<I> for Table<I, T> {
    type Output = T;

    fn index(&self, id: I) -> &T {
        &self.entries[id.index()]
    }
}

impl<I: Id, T> IndexMut<I> for Table<I, T> {
    fn index_mut(&mut self, id: I) -> &mut T {
        &mut self.entries[id.index()]
    }
}
