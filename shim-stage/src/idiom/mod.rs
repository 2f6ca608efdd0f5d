//! Idioms: what the runtime does in vectors, recognized in the loops and selections of the source.

pub(crate) mod gather;
pub(crate) mod transpose;
