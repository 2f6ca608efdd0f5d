//! Evidence that names and types mean what the macro took them for.
//!
//! A macro of the user's that stands as a statement, or a glob import in a block, may give a name of the kernel another
//! meaning, and the attribute macro cannot look inside. So the expansion binds the names it relies on to values of
//! [`Name`] before, and asks for values of that type after: rustc finds the types to differ where a name was taken.

use shim_core::{Block, Boundary};

use crate::prelude::{Iter, Stage};

use super::Runtime;
use super::rows::Row;

/// A function of an index.
type Element = fn([i32; 1]);

/// The type that `Block` has to be.
pub trait BlockName: sealed::Sealed {}

mod sealed {
    pub trait Sealed {}
}

impl<T, const N: usize> sealed::Sealed for Block<T, N> {}
impl<T, const N: usize> BlockName for Block<T, N> {}

/// What a name that must keep its meaning is bound to.
#[derive(Debug, Clone, Copy)]
pub struct Name(());

/// Evidence that the prelude is in scope: rustc finds [`Import`] there for the call `Prelude.mentioned()`, and takes
/// the import for used. Without it the method is the type's own. It is not a [`Runtime`], which a method of a user's
/// trait must not receive.
#[derive(Debug, Clone, Copy)]
pub struct Prelude;

impl Prelude {
    /// Does nothing, where the prelude is not in scope.
    #[inline(always)]
    pub fn mentioned(&self) {}
}

/// The trait by which the prelude is mentioned.
pub trait Import {
    /// Does nothing.
    fn mentioned(self);
}

// A method that takes the value comes before one that takes a reference.
impl Import for Prelude {
    #[inline(always)]
    fn mentioned(self) {}
}

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
    /// That `Block` is shim's.
    #[inline(always)]
    pub fn block<T: BlockName>(self) {}

    /// That `iters` is shim's.
    #[inline(always)]
    pub fn iters(self, _: fn() -> [Iter; 1]) {}

    /// That `stage` is shim's.
    #[inline(always)]
    pub fn stage(self, _: fn(Element) -> Stage<(), 1>) {}

    /// That a macro in a template does not leave it: a `return` among what it expands to is of another type. The
    /// closure is never called.
    #[inline(always)]
    pub fn stays(self, _: impl FnOnce() -> Name) {}

    /// What follows such a macro.
    #[inline(always)]
    pub fn stayed(self) -> Name {
        Name(())
    }

    /// That a method of integers is that of `Ord`, or one of floats their own.
    #[inline(always)]
    pub fn method(self, name: &str, is_known: bool) {
        assert!(is_known, "shim: `{name}` is not the method of std here");
    }

    /// That a name is the boundary rule it is taken for.
    #[inline(always)]
    pub fn rule(self, named: Boundary<()>, taken_for: &str) {
        let is = match named {
            Boundary::Clamp => "Clamp",
            Boundary::Mirror => "Mirror",
            Boundary::Reflect => "Reflect",
            Boundary::Wrap => "Wrap",
            Boundary::Fill(()) => "Fill",
            Boundary::By(_) => "By",
        };
        assert!(is == taken_for, "shim: `{taken_for}` names the boundary rule `{is}` here");
    }

    /// The same for the rule that fills.
    #[inline(always)]
    pub fn filling_rule(self, named: fn(()) -> Boundary<()>, taken_for: &str) {
        self.rule(named(()), taken_for);
    }

    /// The same for the rule that calls a function.
    #[inline(always)]
    pub fn function_rule(self, named: impl Fn(fn(isize, isize) -> isize) -> Boundary<()>, taken_for: &str) {
        self.rule(named(|at, _| at), taken_for);
    }

    /// That the elements of a tensor are of the type that a template takes.
    #[inline(always)]
    pub fn elements<T>(self, _: &[T]) {}

    /// The same for a slice of rows.
    #[inline(always)]
    pub fn row_elements<T, R: Row<Element = T>>(self, _: &[R]) {}
}

/// What a call of a template without a tensor among its parameters asks for outside of the kernels that import it.
/// Nothing implements it.
#[diagnostic::on_unimplemented(
    message = "a template is called outside of a kernel, or in one that does not import it under `#[staged]`",
    label = "no argument shows that this is the call of a template",
    note = "a template without a tensor among its parameters is imported in the body of the kernel, as in \
            `#[staged] use crate::part_of;`"
)]
pub trait StagedImport<'a> {}
