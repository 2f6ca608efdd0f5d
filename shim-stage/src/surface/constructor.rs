//! The constructors of blocks.

use syn::{Expr, ExprCall};

use super::form::strip_parens;
use super::table::names;

names! {
    /// A constructor of blocks, an associated function of `Block`.
    Constructor;
    External "external" "write `Block::external(memory, [h, w])`"
        "memory that exists: a slice, an array, a `Vec`, or a pointer in an `unsafe fn`";
    Rows "rows" "write `Block::rows(rows, [h, w])`"
        "memory that exists, a slice of rows";
    Grown "grown" "write `Block::grown(vec, [n])`"
        "a `&mut Vec`, made longer by zeros where it has fewer elements";
    Heap "heap" "write `Block::heap::<i32>([h, w])`"
        "zeroed memory of the kernel's own";
    Stack "stack" "write `Block::stack::<i32>([4, 4])`"
        "zeroed memory of the kernel's own on the stack, of static extents";
}

impl Constructor {
    /// Whether the memory is the kernel's, so that the type of the elements is given, and no place expression.
    pub const fn allocates(self) -> bool {
        matches!(self, Constructor::Heap | Constructor::Stack)
    }

    /// The constructor that a call's path ends in: `Block::external`, `shim::Block::heap::<T>`.
    pub fn called(call: &ExprCall) -> Option<(Self, &syn::ExprPath)> {
        let Expr::Path(path) = strip_parens(&call.func) else { return None };
        let count = path.path.segments.len();
        let block = &path.path.segments[count.checked_sub(2)?];
        let name = &path.path.segments[count - 1].ident;
        let known = Self::of(name)?;
        (path.qself.is_none() && block.ident == "Block").then_some((known, path))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use syn::parse_quote;

    #[test]
    fn constructors_are_recognized_by_their_path() {
        let of = |call: ExprCall| Constructor::called(&call).map(|(constructor, _)| constructor);
        assert_eq!(of(parse_quote!(Block::external(v, [4]))), Some(Constructor::External));
        assert_eq!(of(parse_quote!(shim::Block::heap::<i32>([4]))), Some(Constructor::Heap));
        assert_eq!(of(parse_quote!(Block::new(4))), None);
        assert_eq!(of(parse_quote!(external(v, [4]))), None);
    }
}
