//! What rustc checks of the closures of stages. None of these functions runs.

use core::marker::PhantomData;

use super::Runtime;
use super::shared::Shared;

/// The type of the elements of some memory.
pub struct ElementType<T>(PhantomData<fn() -> T>);

impl<T> Clone for ElementType<T> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for ElementType<T> {}

impl Runtime {
    /// The type `T`.
    #[inline(always)]
    pub fn element_type<T>(self) -> ElementType<T> {
        ElementType(PhantomData)
    }

    /// The type of the elements of a slice.
    #[inline(always)]
    pub fn element_type_of<'m, T: 'm>(self, _: impl FnOnce() -> &'m [T]) -> ElementType<T> {
        ElementType(PhantomData)
    }

    /// The type of the elements of memory that tasks share.
    #[inline(always)]
    pub fn element_type_of_shared<T>(self, _: &Shared<'_, T>) -> ElementType<T> {
        ElementType(PhantomData)
    }

    /// Takes the closure of a stage: a function of an index that may be called any number of times.
    #[inline(always)]
    pub fn is_stage<T, const N: usize>(self, _: &impl Fn([i32; N]) -> T) {}

    /// Some element.
    pub fn element<'m, T: 'm>(self, _: ElementType<T>) -> &'m T {
        self.any()
    }

    /// Some element that is written.
    pub fn element_mut<'m, T: 'm>(self, _: ElementType<T>) -> &'m mut T {
        self.any()
    }

    /// The place that a closure ends in, after the values on the way to it.
    pub fn place_of<'m, T: 'm>(self, _: impl FnOnce() -> &'m mut T) -> &'m mut T {
        self.any()
    }

    /// Some value.
    ///
    /// # Panics
    /// If it is called: nothing does.
    pub fn any<T>(self) -> T {
        unreachable!("the closure of a stage is never called")
    }
}
