//! Evidence that names and types mean what the macro took them for.
//!
//! A macro of the user's that stands as a statement, or a glob import in a block, may give a name of the kernel another
//! meaning, and the attribute macro cannot look inside. So the expansion binds the names it relies on to values of
//! [`Name`] before, and asks for values of that type after: rustc finds the types to differ where a name was taken.

use super::Runtime;
use super::rows::Row;

/// What a name that must keep its meaning is bound to.
#[derive(Debug, Clone, Copy)]
pub struct Name(());

impl Runtime {
    /// For names that must keep their meaning.
    #[inline(always)]
    pub fn names<const N: usize>(self) -> [Name; N] {
        [Name(()); N]
    }

    /// That the names have kept it.
    #[inline(always)]
    pub fn unchanged<const N: usize>(self, _: [Name; N]) {}
}

impl Runtime {
    /// That the elements of a tensor are of the type that a template takes.
    #[inline(always)]
    pub fn elements<T>(self, _: &[T]) {}

    /// The same for a slice of rows.
    #[inline(always)]
    pub fn row_elements<T, R: Row<Element = T>>(self, _: &[R]) {}
}
