//! Tensors of the runtime library at a kernel's entry.

use super::Runtime;
use shim_core::{
    Block, DeclaredAxis, Located, OriginError, Parts, PartsError, PartsMut, Space, View, ViewMut,
    declared_origin,
};

/// A runtime tensor that a kernel reads.
pub trait Readable<T, const N: usize> {
    /// Its memory, base, extents and strides.
    fn read_parts(&self) -> Result<Parts<'_, T, N>, PartsError>;
}

/// A runtime tensor that a kernel writes.
pub trait Writable<T, const N: usize> {
    /// Its memory, base, extents and strides.
    fn write_parts(&mut self) -> Result<PartsMut<'_, T, N>, PartsError>;
}

impl<T, const N: usize> Readable<T, N> for Block<T, N> {
    fn read_parts(&self) -> Result<Parts<'_, T, N>, PartsError> {
        self.__parts()
    }
}

impl<T, const N: usize> Readable<T, N> for View<'_, T, N> {
    fn read_parts(&self) -> Result<Parts<'_, T, N>, PartsError> {
        self.__parts()
    }
}

impl<T, const N: usize> Writable<T, N> for Block<T, N> {
    fn write_parts(&mut self) -> Result<PartsMut<'_, T, N>, PartsError> {
        self.__parts_mut()
    }
}

impl<T, const N: usize> Writable<T, N> for ViewMut<'_, T, N> {
    fn write_parts(&mut self) -> Result<PartsMut<'_, T, N>, PartsError> {
        self.__parts_mut()
    }
}

impl Runtime {
    /// A tensor taken apart to be read.
    ///
    /// # Panics
    /// If a factor of it is not one, or it reaches outside its memory.
    #[track_caller]
    #[inline]
    pub fn parts<'t, T: 't, const N: usize>(
        self,
        kernel: &str,
        tensor: &str,
        value: &'t impl Readable<T, N>,
    ) -> (&'t [T], isize, [isize; N], [isize; N]) {
        match value.read_parts() {
            Ok(parts) => {
                (parts.memory, parts.base, parts.extents.map(|extent| extent as isize), parts.strides)
            }
            Err(error) => refuse(kernel, tensor, &error),
        }
    }

    /// A tensor taken apart to be written.
    ///
    /// # Panics
    /// If a factor of it is not one, or it reaches outside its memory.
    #[track_caller]
    #[inline]
    pub fn parts_mut<'t, T: 't, const N: usize>(
        self,
        kernel: &str,
        tensor: &str,
        value: &'t mut impl Writable<T, N>,
    ) -> (&'t mut [T], isize, [isize; N], [isize; N]) {
        match value.write_parts() {
            Ok(parts) => {
                (parts.memory, parts.base, parts.extents.map(|extent| extent as isize), parts.strides)
            }
            Err(error) => refuse(kernel, tensor, &error),
        }
    }

    /// Where a tensor begins in the root space, which lies there as declared.
    ///
    /// # Panics
    /// If it does not.
    #[track_caller]
    #[inline]
    pub fn origin<const N: usize>(
        self,
        kernel: &str,
        tensor: &str,
        value: &impl Located<N>,
        declared: [DeclaredAxis; N],
    ) -> [isize; N] {
        match declared_origin(value, declared) {
            Ok(origin) => origin,
            Err(error) => refuse_location(kernel, tensor, &error),
        }
    }

    /// That two tensors are in one root space.
    ///
    /// # Panics
    /// If they are not.
    #[track_caller]
    #[inline]
    pub fn assert_one_root<const N: usize, const M: usize>(
        self,
        kernel: &str,
        [first, second]: [&str; 2],
        one: &impl Located<N>,
        other: &impl Located<M>,
    ) {
        let [one, other] = [&one.location().space, &other.location().space].map(Space::tree_root);
        if !one.same(&other) {
            refuse_roots(kernel, first, second);
        }
    }
}

#[cold]
#[track_caller]
#[inline(never)]
fn refuse(kernel: &str, tensor: &str, error: &PartsError) -> ! {
    panic!("shim: `{kernel}` cannot take `{tensor}`: {error}")
}

#[cold]
#[track_caller]
#[inline(never)]
fn refuse_location(kernel: &str, tensor: &str, error: &OriginError) -> ! {
    panic!("shim: `{kernel}` cannot locate `{tensor}`: {error}")
}

#[cold]
#[track_caller]
#[inline(never)]
fn refuse_roots(kernel: &str, first: &str, second: &str) -> ! {
    panic!(
        "shim: `{kernel}` cannot locate `{first}` and `{second}`: they are in different root spaces; make both with `in_space(&root)`"
    )
}
