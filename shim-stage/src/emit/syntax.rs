//! Syntax trees of what is emitted.

use proc_macro2::{Ident, TokenStream};
use syn::{Expr, Stmt};

use crate::ir::ValueType;

/// A number of a type, with the suffix that says so; a negative one stands in parentheses, for a method may follow.
pub(super) fn constant(rt: &Ident, value: i64, ty: ValueType) -> TokenStream {
    use proc_macro2::Literal;
    let literal = match (ty, usize::try_from(value), i32::try_from(value.unsigned_abs())) {
        // Every `isize` and `usize` has the values of an `i32` that is not negative.
        (ValueType::Usize, Ok(small), Ok(_)) => Literal::usize_suffixed(small),
        (ValueType::Isize, _, Ok(small)) => Literal::isize_suffixed(small as isize),
        _ => {
            let literal = Literal::i64_suffixed(value);
            return match ty {
                ValueType::Usize => hygienic!(#rt.usize(#literal)),
                ValueType::Isize => hygienic!(#rt.isize(#literal)),
            };
        }
    };
    if value < 0 { hygienic!((-#literal)) } else { hygienic!(#literal) }
}

/// Tokens as a statement with its semicolon.
pub(super) fn statement(tokens: TokenStream) -> Stmt {
    Stmt::Expr(Expr::Verbatim(tokens), Some(syn::token::Semi::default()))
}

/// Tokens as an expression with its structure, so that it is put into parentheses where it needs them.
pub(super) fn parsed(tokens: TokenStream) -> Expr {
    syn::parse2(tokens.clone()).unwrap_or_else(|_| Expr::Verbatim(hygienic!((#tokens))))
}

pub(super) fn block(statements: Vec<Stmt>) -> syn::Block {
    syn::Block { brace_token: syn::token::Brace::default(), stmts: statements }
}

/// The one expression that statements are, or a block of them.
pub(super) fn expression_of(mut statements: Vec<Stmt>) -> Expr {
    match statements.pop() {
        Some(Stmt::Expr(expr, None)) if statements.is_empty() => expr,
        last => {
            statements.extend(last);
            block_of(statements)
        }
    }
}

/// The expression that statements are, in which a place at the end stays a place: the block ends in a reference to it.
pub(super) fn place_of(mut statements: Vec<Stmt>) -> Expr {
    if let [_, .., Stmt::Expr(Expr::Paren(paren), None)] = statements.as_slice()
        && let Expr::Unary(unary) = &*paren.expr
        && matches!(unary.op, syn::UnOp::Deref(_))
    {
        let reference = (*unary.expr).clone();
        statements.pop();
        statements.push(Stmt::Expr(reference, None));
        let block = block_of(statements);
        return parsed(hygienic!((*#block)));
    }
    expression_of(statements)
}

pub(super) fn block_of(statements: Vec<Stmt>) -> Expr {
    Expr::Block(syn::ExprBlock { attrs: Vec::new(), label: None, block: block(statements) })
}

pub(super) fn is_block_like(expr: &Expr) -> bool {
    matches!(
        expr,
        Expr::Block(_)
            | Expr::If(_)
            | Expr::Match(_)
            | Expr::ForLoop(_)
            | Expr::While(_)
            | Expr::Loop(_)
            | Expr::Unsafe(_)
    )
}
