//! Orders of elements as they are written: `tile([8, 8]).inner(column_major)`.

use syn::{Expr, Pat};

use super::{LayoutWord, list, strip_parens};

/// The lists and numbers in an order, without its words, which are not names. Whatever is no order is given as it is.
pub fn order_lists(order: &Expr) -> Vec<&Expr> {
    let (receiver, arguments) = match strip_parens(order) {
        Expr::Path(path) if path.path.get_ident().and_then(LayoutWord::of).is_some() => return Vec::new(),
        Expr::Call(call) => (None, &call.args),
        Expr::MethodCall(call) => (Some(&*call.receiver), &call.args),
        other => return vec![other],
    };
    receiver.into_iter().chain(arguments).flat_map(order_lists).collect()
}

/// The number of axes that an order is of, where it says.
pub fn order_rank(order: &Expr) -> Option<usize> {
    match strip_parens(order) {
        Expr::Path(path) => match LayoutWord::of(path.path.get_ident()?)? {
            LayoutWord::Antidiagonal | LayoutWord::Zigzag | LayoutWord::Hilbert => Some(2),
            _ => None,
        },
        Expr::Call(call) => match strip_parens(call.args.first()?) {
            Expr::Closure(closure) => match closure.inputs.first()? {
                Pat::Slice(index) => Some(index.elems.len()),
                _ => None,
            },
            extents => Some(list(extents)?.len()),
        },
        Expr::MethodCall(call) => order_rank(&call.receiver),
        _ => None,
    }
}
