//! Names of integers that are known at run time.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

use super::Range;

/// An integer known at run time, with what is known of its value at expansion.
///
/// Its identity is its number alone: two symbols of one number are the same symbol, whatever they are called. Numbers
/// order the symbols in sums and products, so hand them out in the order of first mention.
#[derive(Clone)]
pub struct Symbol(Rc<Data>);

struct Data {
    id: u32,
    name: String,
    range: Range,
}

impl Symbol {
    /// The symbol of number `id`, called `name`, whose value lies in `range`.
    #[must_use]
    pub fn new(id: u32, name: impl Into<String>, range: Range) -> Self {
        Self(Rc::new(Data { id, name: name.into(), range }))
    }

    /// The number that is its identity.
    pub fn id(&self) -> u32 {
        self.0.id
    }

    /// What it is called.
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// The values it may have.
    pub fn range(&self) -> Range {
        self.0.range
    }
}

impl PartialEq for Symbol {
    fn eq(&self, other: &Self) -> bool {
        self.id() == other.id()
    }
}

impl Eq for Symbol {}

impl PartialOrd for Symbol {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Symbol {
    fn cmp(&self, other: &Self) -> Ordering {
        self.id().cmp(&other.id())
    }
}

impl Hash for Symbol {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.id().hash(state);
    }
}

impl fmt::Debug for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}#{}", self.name(), self.id())
    }
}

impl fmt::Display for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
