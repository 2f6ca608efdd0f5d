//! What the caller's pointers lead to, and the end of a panic.

use std::ffi::c_void;
use std::mem::MaybeUninit;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::status::{Failure, SHIM_ERROR_INTERNAL, SHIM_ERROR_STRUCT_SIZE, SHIM_ERROR_VALUE};

/// What `pointer` points to.
///
/// # Safety
///
/// If `pointer` is not null, it points to a `T` that lives for `'a`, and that nobody writes to but through a cell.
pub(crate) unsafe fn borrow<'a, T>(pointer: *const T, name: &str) -> Result<&'a T, Failure> {
    // SAFETY: the caller's promise; null is told apart.
    unsafe { pointer.as_ref() }.ok_or_else(|| Failure::null(name))
}

/// The `size` bytes at `pointer`. None of them may be anywhere.
///
/// # Safety
///
/// If `pointer` is not null, `size` bytes lie there for `'a`, and nobody writes to them.
pub(crate) unsafe fn bytes<'a>(pointer: *const c_void, size: usize, name: &str) -> Result<&'a [u8], Failure> {
    if size == 0 {
        return Ok(&[]);
    }
    if pointer.is_null() {
        return Err(Failure::null(name));
    }
    // Rust has no slices that are longer, or that go beyond the last address.
    if isize::try_from(size).is_err() || pointer.addr().checked_add(size).is_none() {
        return Err(Failure::new(SHIM_ERROR_VALUE, format!("`{name}` of {size} bytes is in no memory")));
    }
    // SAFETY: the caller's promise; null, and what no memory can hold, was told apart, and bytes are aligned anywhere.
    Ok(unsafe { std::slice::from_raw_parts(pointer.cast(), size) })
}

/// A copy of the value at `pointer`, which need not be aligned.
///
/// # Safety
///
/// If `pointer` is not null, a `T` lies there.
pub(crate) unsafe fn read<T: Copy>(pointer: *const T, name: &str) -> Result<T, Failure> {
    if pointer.is_null() {
        return Err(Failure::null(name));
    }
    // SAFETY: the caller's promise; null is told apart, and a read that needs no alignment has no other condition.
    Ok(unsafe { pointer.read_unaligned() })
}

/// A copy of the structure at `pointer`, whose first field is its size: that of this version, or one of the `earlier`
/// versions, whose missing fields are 0.
///
/// # Safety
///
/// If `pointer` is not null, a structure of the size lies there that its first field says. Zeros are a `T`, which has
/// no memory between its fields where an earlier version ends.
pub(crate) unsafe fn sized<T: Copy>(pointer: *const T, earlier: &[usize], name: &str) -> Result<T, Failure> {
    // SAFETY: the caller's promise; the size is the first field of all versions.
    let (size, known) = (unsafe { read(pointer.cast::<usize>(), name) }?, size_of::<T>());
    if size == known {
        // SAFETY: the caller's promise, now that the size is known.
        return unsafe { read(pointer, name) };
    }
    if !earlier.contains(&size) {
        let message = format!("`struct_size` of `{name}` is {size}, where the library has {known}");
        return Err(Failure::new(SHIM_ERROR_STRUCT_SIZE, message));
    }
    let mut value = MaybeUninit::<T>::zeroed();
    let most = size.min(known);
    // SAFETY: the caller's promise: so many bytes lie at `pointer`, which is not null, and no more than `value` has.
    // They are those of its first fields, and zeros the others.
    unsafe {
        value.as_mut_ptr().cast::<u8>().copy_from_nonoverlapping(pointer.cast(), most);
        Ok(value.assume_init())
    }
}

/// What `action` comes to; a panic is a failure like others.
///
/// Nothing that a panic could leave half done is looked at again: settings are replaced as a whole, and the memory of
/// an encoding is gone.
pub(crate) fn caught<T>(action: impl FnOnce() -> Result<T, Failure>) -> Result<T, Failure> {
    catch_unwind(AssertUnwindSafe(action)).unwrap_or_else(|payload| {
        let reason = match (payload.downcast_ref::<&str>(), payload.downcast_ref::<String>()) {
            (Some(text), _) => text,
            (_, Some(text)) => text.as_str(),
            _ => "no reason was given",
        };
        let message = format!("a mistake in the library: {reason}");
        // Dropping a payload may panic once more.
        std::mem::forget(payload);
        Err(Failure::new(SHIM_ERROR_INTERNAL, message))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::status::SHIM_ERROR_NULL;
    use std::ptr::null;

    #[test]
    fn null_has_no_bytes_but_for_none() {
        // SAFETY: null is always allowed.
        let (none, some) = unsafe { (bytes(null(), 0, "x"), bytes(null(), 1, "x")) };
        assert!(none.unwrap().is_empty());
        assert_eq!(some.unwrap_err().status, SHIM_ERROR_NULL);
    }

    #[test]
    fn sizes_that_no_memory_has_are_refused() {
        let byte = 7_u8;
        for size in [usize::MAX, isize::MAX as usize + 1, usize::MAX - (&raw const byte).addr() + 1] {
            // SAFETY: not so, but the function sees that, and reads nothing.
            let refused = unsafe { bytes((&raw const byte).cast(), size, "x") };
            assert_eq!(refused.unwrap_err().status, SHIM_ERROR_VALUE);
        }
    }

    #[test]
    fn values_need_no_alignment() {
        let memory = [0_u8, 0x34, 0x12, 0, 0, 0];
        // SAFETY: four bytes lie there.
        let value = unsafe { read::<[u16; 2]>(memory[1..].as_ptr().cast(), "x") };
        assert_eq!(value.unwrap(), [u16::from_ne_bytes([0x34, 0x12]), 0]);
    }

    #[test]
    fn structures_are_of_this_version_or_an_earlier_one() {
        let field = size_of::<usize>();
        // SAFETY: what is said to be there is, and arrays of numbers may be zeros.
        let read = |memory: &[usize], earlier: &[usize]| unsafe {
            sized(memory.as_ptr().cast::<[usize; 3]>(), earlier, "x").map_err(|failure| failure.status)
        };
        assert_eq!(read(&[3 * field, 5, 6], &[]), Ok([3 * field, 5, 6]));
        // Exactly as long, so that tools that watch memory see a read beyond it.
        assert_eq!(read(&*Box::new([2 * field, 5]), &[field, 2 * field]), Ok([2 * field, 5, 0]));
        for size in [0, field, 4 * field, usize::MAX] {
            assert_eq!(read(&[size, 5, 6], &[2 * field]), Err(SHIM_ERROR_STRUCT_SIZE));
        }
        // SAFETY: null is always allowed.
        assert!(unsafe { sized(null::<[usize; 3]>(), &[field], "x") }.is_err());
    }

    struct Bomb;

    impl Drop for Bomb {
        fn drop(&mut self) {
            panic!("again");
        }
    }

    #[test]
    fn a_panic_is_a_failure_with_its_reason() {
        let text = caught::<()>(|| panic!("here")).unwrap_err();
        assert_eq!((text.status, &text.message[..]), (SHIM_ERROR_INTERNAL, "a mistake in the library: here"));
        let formatted = caught::<()>(|| panic!("{}", 7)).unwrap_err();
        assert_eq!(formatted.message, "a mistake in the library: 7");
        let other = caught::<()>(|| std::panic::panic_any(Bomb)).unwrap_err();
        assert_eq!(other.message, "a mistake in the library: no reason was given");
    }
}
