//! Tables of shapes: extents by the index on an axis, and where rows of any length start.

use super::{Runtime, ToIndex};

impl Runtime {
    /// The extents of a shape by the index on an axis, or the numbers of elements before each index.
    ///
    /// # Panics
    /// If one is negative.
    #[track_caller]
    #[inline(always)]
    pub fn table<const N: usize>(self, kernel: &str, entries: [isize; N]) -> [isize; N] {
        if let Some(entry) = entries.iter().find(|entry| **entry < 0) {
            negative(kernel, *entry);
        }
        entries
    }

    /// Where each of so many rows starts, and where the last one ends.
    ///
    /// # Panics
    /// If the memory has too few entries, or they do not begin with zero, fall, or do not fit `isize`.
    #[track_caller]
    #[inline(always)]
    pub fn starts<'a, T: ToIndex + Copy>(self, kernel: &str, starts: &'a [T], rows: isize) -> &'a [T] {
        match checked_starts(starts, rows) {
            Ok(starts) => starts,
            Err(error) => no_starts(kernel, error),
        }
    }

    /// A list of indices of an axis.
    ///
    /// # Panics
    /// If one of them is not below the extent of the axis.
    #[track_caller]
    #[inline(always)]
    pub fn indices_below<'a, T: ToIndex + Copy>(
        self,
        kernel: &str,
        indices: &'a [T],
        extent: isize,
    ) -> &'a [T] {
        let is_outside = |index: &T| !index.to_index().is_some_and(|index| (0..extent).contains(&index));
        if let Some(number) = indices.iter().position(is_outside) {
            no_index(kernel, number, indices[number].to_index(), extent);
        }
        indices
    }

    /// The entry at an index, or zero if there is none.
    #[inline(always)]
    pub fn table_entry<T: ToIndex + Copy>(self, table: &[T], at: isize) -> isize {
        // A negative index is behind the end. Entries fit: they were checked.
        table.get(at.cast_unsigned()).and_then(ToIndex::to_index).unwrap_or(0)
    }

    /// `a` times two to the power of `b`, or zero where that does not fit.
    #[inline(always)]
    pub fn power(self, a: isize, b: isize) -> isize {
        let shifted = u32::try_from(b).ok().and_then(|bits| a.checked_shl(bits).map(|value| (value, bits)));
        match shifted {
            Some((value, bits)) if value >> bits == a => value,
            _ => 0,
        }
    }
}

/// Why a table of starts is none.
enum StartsError {
    /// The memory has too few entries.
    Length { rows: isize, found: usize },
    /// The first row does not start at zero.
    First,
    /// A row has less than no elements, or starts where no `isize` says.
    Row(usize),
}

/// The entries that say where `rows` rows start and the last one ends.
fn checked_starts<T: ToIndex + Copy>(starts: &[T], rows: isize) -> Result<&[T], StartsError> {
    let length = usize::try_from(rows).ok().and_then(|rows| rows.checked_add(1));
    let too_short = StartsError::Length { rows, found: starts.len() };
    let starts = length.and_then(|length| starts.get(..length)).ok_or(too_short)?;
    let mut before = 0;
    for (row, start) in starts.iter().enumerate() {
        match start.to_index() {
            Some(start) if row == 0 && start != 0 => return Err(StartsError::First),
            Some(start) if start >= before => before = start,
            _ => return Err(StartsError::Row(row.saturating_sub(1))),
        }
    }
    Ok(starts)
}

#[cold]
#[track_caller]
#[inline(never)]
fn negative(kernel: &str, extent: isize) -> ! {
    panic!("shim: `{kernel}`: an extent of a shape is {extent}")
}

#[cold]
#[track_caller]
#[inline(never)]
fn no_index(kernel: &str, number: usize, index: Option<isize>, extent: isize) -> ! {
    match index {
        Some(index) => {
            panic!(
                "shim: `{kernel}`: entry {number} of a list is index {index} of an axis of extent {extent}"
            )
        }
        None => panic!("shim: `{kernel}`: entry {number} of a list does not fit `isize`"),
    }
}

#[cold]
#[track_caller]
#[inline(never)]
fn no_starts(kernel: &str, error: StartsError) -> ! {
    match error {
        StartsError::Length { rows, found } => {
            panic!(
                "shim: `{kernel}`: {rows} rows need {rows} starts and an end, but there are {found} entries"
            )
        }
        StartsError::First => panic!("shim: `{kernel}`: row 0 does not start at 0"),
        StartsError::Row(row) => panic!("shim: `{kernel}`: row {row} ends before it starts"),
    }
}
