//! Index lists, ranges and literals of lists.

use syn::{BinOp, Expr, ExprIndex, RangeLimits};

/// One entry of an index list `t[[..]]`.
#[derive(Debug, Clone)]
pub enum Entry<'a> {
    /// `a..b`, `..`, `(a..b).step_by(z)` and their halves.
    Range(RangeEntry<'a>),
    /// Anything else: an index.
    Index(&'a Expr),
}

/// A range in an index list or under `for`.
#[derive(Debug, Clone, Copy)]
pub struct RangeEntry<'a> {
    /// The start, zero when missing.
    pub start: Option<&'a Expr>,
    /// The end, the extent when missing.
    pub end: Option<&'a Expr>,
    /// `..=`.
    pub inclusive: bool,
    /// The argument of `.step_by(..)`.
    pub step: Option<&'a Expr>,
    /// `.rev()`.
    pub reversed: bool,
}

/// `expr` without the parentheses and invisible groups around it.
pub fn strip_parens(expr: &Expr) -> &Expr {
    match expr {
        Expr::Paren(inner) => strip_parens(&inner.expr),
        Expr::Group(inner) => strip_parens(&inner.expr),
        _ => expr,
    }
}

/// The expressions that a condition chooses from, or `expr` itself. A block with statements is one of them: its names
/// are its own.
pub fn branches(expr: &Expr) -> Vec<&Expr> {
    fn block(block: &syn::Block) -> Option<Vec<&Expr>> {
        match block.stmts.as_slice() {
            [syn::Stmt::Expr(value, None)] => Some(branches(value)),
            _ => None,
        }
    }
    match strip_parens(expr) {
        Expr::Block(inner) if inner.label.is_none() => block(&inner.block).unwrap_or_else(|| vec![expr]),
        Expr::If(branch) => {
            let mut found = block(&branch.then_branch).unwrap_or_default();
            if let Some((_, other)) = &branch.else_branch {
                found.extend(branches(other));
            }
            found
        }
        Expr::Match(choice) => choice.arms.iter().flat_map(|arm| branches(&arm.body)).collect(),
        value => vec![value],
    }
}

/// The range that `expr` spells, with `.step_by(..)` and `.rev()` read off it.
pub fn range(expr: &Expr) -> Option<RangeEntry<'_>> {
    match strip_parens(expr) {
        Expr::Range(range) => Some(RangeEntry {
            start: range.start.as_deref(),
            end: range.end.as_deref(),
            inclusive: matches!(range.limits, RangeLimits::Closed(_)),
            step: None,
            reversed: false,
        }),
        Expr::MethodCall(call)
            if call.method == "step_by" && call.args.len() == 1 && call.turbofish.is_none() =>
        {
            let inner = range(&call.receiver)?;
            // The step of a reversed range counts from its end: no plain arithmetic progression of ours.
            if inner.step.is_some() || inner.reversed {
                return None;
            }
            Some(RangeEntry { step: call.args.first(), ..inner })
        }
        Expr::MethodCall(call)
            if call.method == "rev" && call.args.is_empty() && call.turbofish.is_none() =>
        {
            let inner = range(&call.receiver)?;
            Some(RangeEntry { reversed: !inner.reversed, ..inner })
        }
        _ => None,
    }
}

/// The index list of `t[[..]]`, if the index is a list.
pub fn index_list(index: &ExprIndex) -> Option<Vec<Entry<'_>>> {
    let Expr::Array(list) = strip_parens(&index.index) else { return None };
    Some(
        list.elems
            .iter()
            .map(|entry| match range(entry) {
                Some(range) if !range.reversed => Entry::Range(range),
                _ => Entry::Index(entry),
            })
            .collect(),
    )
}

/// The elements of an array literal, as `[2, 0, 1]` in `permute([2, 0, 1])`.
pub fn list(expr: &Expr) -> Option<Vec<&Expr>> {
    match strip_parens(expr) {
        Expr::Array(array) => Some(array.elems.iter().collect()),
        _ => None,
    }
}

/// The single identifier that `expr` is.
pub fn ident(expr: &Expr) -> Option<&syn::Ident> {
    match strip_parens(expr) {
        Expr::Path(path) if path.qself.is_none() => path.path.get_ident(),
        _ => None,
    }
}

/// `+=` and the like.
pub const fn is_assigning(op: &BinOp) -> bool {
    matches!(
        op,
        BinOp::AddAssign(_)
            | BinOp::SubAssign(_)
            | BinOp::MulAssign(_)
            | BinOp::DivAssign(_)
            | BinOp::RemAssign(_)
            | BinOp::BitXorAssign(_)
            | BinOp::BitAndAssign(_)
            | BinOp::BitOrAssign(_)
            | BinOp::ShlAssign(_)
            | BinOp::ShrAssign(_)
    )
}

/// Whether an operand of a condition is a `let`.
pub fn contains_let(expr: &Expr) -> bool {
    match expr {
        Expr::Let(_) => true,
        Expr::Binary(binary) => contains_let(&binary.left) || contains_let(&binary.right),
        Expr::Paren(inner) => contains_let(&inner.expr),
        Expr::Group(inner) => contains_let(&inner.expr),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use syn::parse_quote;

    #[test]
    fn index_lists_are_read() {
        let index: ExprIndex = parse_quote!(t[[(0..16).step_by(2), .., -1, a + 1, ..=5]]);
        let entries = index_list(&index).expect("a list");
        assert!(matches!(&entries[0], Entry::Range(r) if r.step.is_some()));
        assert!(matches!(&entries[1], Entry::Range(r) if r.start.is_none() && r.end.is_none()));
        assert!(matches!(&entries[2], Entry::Index(_)));
        assert!(matches!(&entries[3], Entry::Index(_)));
        assert!(matches!(&entries[4], Entry::Range(r) if r.inclusive));
        let plain: ExprIndex = parse_quote!(t[3]);
        assert!(index_list(&plain).is_none());
    }
}
