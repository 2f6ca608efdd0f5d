//! Located structs whose lengths are checked once: views of them, and their rows.

use core::ops::{Add, Div, Mul, Range, Rem, Sub};

use super::Runtime;

/// The fields of a located struct whose lengths fit their shapes, as the declaration of this key says.
///
/// Whoever writes no `unsafe` gets one from the expansion of that declaration alone, so that kernels trust the lengths.
#[derive(Clone, Copy, Debug)]
pub struct Checked<F, const KEY: u64>(F);

/// The fields of a located struct.
///
/// # Safety
/// `fits` returns only if each memory among the fields has as many elements as the shape says that the declaration of
/// this key has for it.
#[allow(unsafe_code, reason = "kernels trust what it finds")]
pub unsafe trait Fields<const KEY: u64>: Sized {
    /// Compares lengths with shapes.
    ///
    /// # Panics
    /// When a field is shorter than its shape.
    fn fits(&self, shim: Runtime);
}

/// The fields of some rows of a located struct.
///
/// # Safety
/// The parts that `reborrow` and `split` give of fields that fit their shapes fit them too.
#[allow(unsafe_code, reason = "kernels trust what it gives")]
pub unsafe trait RowFields<const KEY: u64>: Fields<KEY> {
    /// The fields for a shorter time.
    type Reborrowed<'s>: RowFields<KEY>
    where
        Self: 's;

    /// The rows, in the whole struct.
    fn rows(&self) -> Range<usize>;

    /// The fields for a shorter time.
    fn reborrow(&mut self) -> Self::Reborrowed<'_>;

    /// The first `count` rows, of which there are as many, and the others.
    fn split(self, count: usize, shim: Runtime) -> (Self, Self);
}

/// A located struct that has a view.
pub trait Viewed {
    /// The view.
    type View<'v>
    where
        Self: 'v;

    /// All of it, to be read.
    ///
    /// # Panics
    /// When a field is shorter than its shape.
    fn view_all(&self) -> Self::View<'_>;
}

/// A located struct that is cut into rows.
pub trait Located {
    /// Some of its rows.
    type Rows<'r>: LocatedRows
    where
        Self: 'r;

    /// All of its rows.
    ///
    /// # Panics
    /// When a field is shorter than its shape.
    fn all_rows(&mut self) -> Self::Rows<'_>;
}

/// Rows of a located struct among the fields of another.
pub trait LocatedRows: Sized {
    /// They for a shorter time.
    type Reborrowed<'s>
    where
        Self: 's;

    /// The rows, in the whole struct.
    fn range(&self) -> Range<usize>;

    /// They for a shorter time.
    fn reborrow(&mut self) -> Self::Reborrowed<'_>;

    /// The first `count` rows, and the others.
    ///
    /// # Panics
    /// When there are fewer.
    fn split(self, count: usize) -> (Self, Self);
}

impl<F: Fields<KEY>, const KEY: u64> Checked<F, KEY> {
    /// Fields that kernels trust.
    ///
    /// # Panics
    /// When a field is shorter than its shape.
    #[inline]
    pub fn new(fields: F) -> Self {
        fields.fits(Runtime::for_fields());
        Self(fields)
    }

    /// The fields.
    #[inline(always)]
    pub const fn fields(&self) -> &F {
        &self.0
    }

    /// The fields, which nothing puts together again.
    #[inline(always)]
    pub fn into_fields(self) -> F {
        self.0
    }
}

impl<F: RowFields<KEY>, const KEY: u64> Checked<F, KEY> {
    /// The rows, in the whole struct.
    #[inline(always)]
    pub fn range(&self) -> Range<usize> {
        self.0.rows()
    }

    /// The fields for a shorter time.
    #[inline(always)]
    pub fn reborrow(&mut self) -> Checked<F::Reborrowed<'_>, KEY> {
        Checked(self.0.reborrow())
    }

    /// The first `count` rows, and the others.
    ///
    /// # Panics
    /// When there are fewer.
    #[track_caller]
    #[inline]
    pub fn split(self, count: usize) -> (Self, Self) {
        let rows = self.0.rows().len();
        assert!(count <= rows, "shim: {count} rows are split off, and there are {rows}");
        let (first, rest) = self.0.split(count, Runtime::for_fields());
        (Self(first), Self(rest))
    }

    /// The rows before one of them, and it with those after it, as they are numbered in the whole struct.
    ///
    /// # Panics
    /// When it is not among these rows, nor the one after the last.
    #[track_caller]
    #[inline]
    pub fn split_at_row(self, row: usize) -> (Self, Self) {
        let all = self.0.rows();
        assert!(
            all.start <= row && row <= all.end,
            "shim: rows are split at row {row}, and there are rows {all:?}"
        );
        self.split(row - all.start)
    }

    /// Some of the rows, as they are numbered in the whole struct.
    ///
    /// # Panics
    /// When some of them are not among these rows.
    #[must_use]
    #[track_caller]
    #[inline]
    pub fn part(self, rows: Range<usize>) -> Self {
        let all = self.0.rows();
        assert!(
            all.start <= rows.start && rows.start <= rows.end && rows.end <= all.end,
            "shim: rows {rows:?} are asked for, and there are rows {all:?}"
        );
        let (_, rest) = self.split(rows.start - all.start);
        rest.split(rows.len()).0
    }
}

impl Runtime {
    /// The fields of a located struct.
    #[inline(always)]
    pub fn fields<F, const KEY: u64>(self, checked: Checked<F, KEY>) -> F {
        checked.0
    }

    /// The fields of a located struct that is shared.
    #[inline(always)]
    pub const fn shared_fields<F, const KEY: u64>(self, checked: &Checked<F, KEY>) -> &F {
        &checked.0
    }
}

/// An extent whose arithmetic panics where it overflows.
#[derive(Clone, Copy, Debug)]
pub struct Extent(usize);

impl Runtime {
    /// An extent.
    #[inline(always)]
    pub const fn extent(self, extent: usize) -> Extent {
        Extent(extent)
    }

    /// The number of elements of memory with these extents.
    #[inline(always)]
    pub fn size_of_field<const N: usize>(self, extents: [Extent; N]) -> usize {
        extents.into_iter().fold(Extent(1), Mul::mul).0
    }

    /// That a field has as many elements as its extents say.
    ///
    /// # Panics
    /// When it has fewer, or an extent overflows.
    #[track_caller]
    #[inline]
    pub fn assert_field_fits<const N: usize>(
        self,
        of: &str,
        field: &str,
        extents: [Extent; N],
        length: usize,
    ) {
        self.assert_fits(of, field, extents.map(|extent| self.from_usize(extent.0)), length);
    }

    /// That a located struct among the fields has the rows of the whole.
    ///
    /// # Panics
    /// When it has others.
    #[track_caller]
    #[inline]
    pub fn assert_field_rows(self, of: &str, field: &str, wanted: Range<usize>, found: Range<usize>) {
        assert!(
            wanted == found,
            "shim: `{of}`: `{field}` has rows {found:?}, and the struct around it {wanted:?}"
        );
    }
}

#[cold]
#[track_caller]
#[inline(never)]
fn overflows() -> ! {
    panic!("shim: an extent of a located struct overflows")
}

/// The operators of extents.
macro_rules! arithmetic {
    ($($name:ident $method:ident $checked:ident;)*) => {$(
        impl $name for Extent {
            type Output = Self;

            #[track_caller]
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                Self(self.0.$checked(other.0).unwrap_or_else(|| overflows()))
            }
        }
    )*};
}

arithmetic! {
    Add add checked_add;
    Sub sub checked_sub;
    Mul mul checked_mul;
    Div div checked_div;
    Rem rem checked_rem;
}

#[allow(
    missing_docs,
    clippy::missing_docs_in_private_items,
    clippy::missing_panics_doc,
    reason = "they are those of `usize`"
)]
impl Extent {
    #[inline(always)]
    pub const fn div_ceil(self, other: Self) -> Self {
        Self(self.0.div_ceil(other.0))
    }

    #[inline(always)]
    pub fn max(self, other: Self) -> Self {
        Self(self.0.max(other.0))
    }

    #[inline(always)]
    pub fn min(self, other: Self) -> Self {
        Self(self.0.min(other.0))
    }

    #[track_caller]
    #[inline(always)]
    pub fn next_multiple_of(self, other: Self) -> Self {
        Self(self.0.checked_next_multiple_of(other.0).unwrap_or_else(|| overflows()))
    }

    #[inline(always)]
    pub const fn saturating_sub(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }
}
