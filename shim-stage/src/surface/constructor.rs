//! The constructors of blocks.

use syn::{Expr, ExprCall};

use super::form::bare;

/// A constructor of blocks, an associated function of `Block`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Constructor {
    /// `Block::external(memory, [h, w])`: a slice, an array, a `Vec`, or a pointer in an `unsafe fn`.
    External,
    /// `Block::rows(rows, [h, w])`: a slice of rows.
    Rows,
    /// `Block::heap::<T>([h, w])`: zeroed memory of its own.
    Heap,
    /// `Block::stack::<T>([4, 4])`: zeroed memory of its own, of static extents.
    Stack,
}

impl Constructor {
    /// All constructors, in the order of the documentation.
    pub const ALL: &'static [Constructor] =
        &[Constructor::External, Constructor::Rows, Constructor::Heap, Constructor::Stack];

    /// The name in Rust.
    pub const fn name(self) -> &'static str {
        match self {
            Constructor::External => "external",
            Constructor::Rows => "rows",
            Constructor::Heap => "heap",
            Constructor::Stack => "stack",
        }
    }

    /// How it is written, for the help of an error.
    pub const fn usage(self) -> &'static str {
        match self {
            Constructor::External => "write `Block::external(memory, [h, w])`",
            Constructor::Rows => "write `Block::rows(rows, [h, w])`",
            Constructor::Heap => "write `Block::heap::<i32>([h, w])`",
            Constructor::Stack => "write `Block::stack::<i32>([4, 4])`",
        }
    }

    /// What it means, in one line.
    pub const fn meaning(self) -> &'static str {
        match self {
            Constructor::External => {
                "memory that exists: a slice, an array, a `Vec`, or a pointer in an `unsafe fn`"
            }
            Constructor::Rows => "memory that exists, a slice of rows",
            Constructor::Heap => "zeroed memory of the kernel's own",
            Constructor::Stack => "zeroed memory of the kernel's own on the stack, of static extents",
        }
    }

    /// Whether the memory is the kernel's, so that the type of the elements is given, and no place expression.
    pub const fn allocates(self) -> bool {
        matches!(self, Constructor::Heap | Constructor::Stack)
    }

    /// The constructor that a call's path ends in: `Block::external`, `shim::Block::heap::<T>`.
    pub fn of(call: &ExprCall) -> Option<(Self, &syn::ExprPath)> {
        let Expr::Path(path) = bare(&call.func) else { return None };
        let count = path.path.segments.len();
        let block = &path.path.segments[count.checked_sub(2)?];
        let name = &path.path.segments[count - 1].ident;
        let known = Self::ALL.iter().copied().find(|known| name == known.name())?;
        (path.qself.is_none() && block.ident == "Block").then_some((known, path))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use syn::parse_quote;

    #[test]
    fn constructors_are_recognized_by_their_path() {
        let of = |call: ExprCall| Constructor::of(&call).map(|(constructor, _)| constructor);
        assert_eq!(of(parse_quote!(Block::external(v, [4]))), Some(Constructor::External));
        assert_eq!(of(parse_quote!(shim::Block::heap::<i32>([4]))), Some(Constructor::Heap));
        assert_eq!(of(parse_quote!(Block::new(4))), None);
        assert_eq!(of(parse_quote!(external(v, [4]))), None);
    }
}
