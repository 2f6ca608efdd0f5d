//! Orders of elements as they are written: `tile([8, 8]).inner(column_major)`.

use syn::Expr;

use super::{LayoutWord, bare};

/// The lists and numbers in an order, without its words, which are not names. Whatever is no order is given as it is.
pub fn order_lists(order: &Expr) -> Vec<&Expr> {
    let (receiver, arguments) = match bare(order) {
        Expr::Path(path) if path.path.get_ident().and_then(LayoutWord::of).is_some() => return Vec::new(),
        Expr::Call(call) => (None, &call.args),
        Expr::MethodCall(call) => (Some(&*call.receiver), &call.args),
        other => return vec![other],
    };
    receiver.into_iter().chain(arguments).flat_map(order_lists).collect()
}
