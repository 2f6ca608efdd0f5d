//! `?` inside a template, which leaves the template and not the kernel.

use super::Runtime;
use core::convert::Infallible;
use core::ops::ControlFlow;

/// What `?` can be applied to.
pub trait Branch {
    /// The value when it goes on.
    type Output;
    /// What it leaves with.
    type Residual;

    /// Goes on or leaves.
    fn branch(self) -> ControlFlow<Self::Residual, Self::Output>;
}

/// What a template with `?` can return.
pub trait FromResidual<R> {
    /// The returned value.
    fn from_residual(residual: R) -> Self;
}

impl<T> Branch for Option<T> {
    type Output = T;
    type Residual = Option<Infallible>;

    #[inline(always)]
    fn branch(self) -> ControlFlow<Self::Residual, T> {
        match self {
            Some(value) => ControlFlow::Continue(value),
            None => ControlFlow::Break(None),
        }
    }
}

impl<T> FromResidual<Option<Infallible>> for Option<T> {
    #[inline(always)]
    fn from_residual(_: Option<Infallible>) -> Self {
        None
    }
}

impl<T, E> Branch for Result<T, E> {
    type Output = T;
    type Residual = Result<Infallible, E>;

    #[inline(always)]
    fn branch(self) -> ControlFlow<Self::Residual, T> {
        match self {
            Ok(value) => ControlFlow::Continue(value),
            Err(error) => ControlFlow::Break(Err(error)),
        }
    }
}

impl<T, E, F: From<E>> FromResidual<Result<Infallible, E>> for Result<T, F> {
    #[inline(always)]
    fn from_residual(residual: Result<Infallible, E>) -> Self {
        match residual {
            Err(error) => Err(F::from(error)),
            Ok(never) => match never {},
        }
    }
}

impl Runtime {
    /// `value` taken apart as `?` does.
    #[inline(always)]
    pub fn branch<B: Branch>(self, value: B) -> ControlFlow<B::Residual, B::Output> {
        value.branch()
    }

    /// What a template returns early.
    #[inline(always)]
    pub fn from_residual<T: FromResidual<R>, R>(self, residual: R) -> T {
        T::from_residual(residual)
    }
}
