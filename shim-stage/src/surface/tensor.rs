//! Tensor expressions.

use syn::{Expr, ExprCall, ExprIndex, ExprMethodCall, ExprPath, ExprReference, Ident};

use super::form::{self, Entry, strip_parens};
use super::{Constructor, MethodKind, TensorMethod};

/// An expression that makes or names a tensor, by its outermost form.
#[derive(Debug, Clone)]
pub enum TensorExpr<'a> {
    /// A name that is bound to a tensor.
    Name(&'a Ident),
    /// `&t`, which is an error, about a tensor.
    Reference(&'a ExprReference),
    /// `Block::external(..)` and the like.
    Block(Constructor, &'a ExprCall, &'a ExprPath),
    /// `t.slice(0, k)`: a method that gives a tensor.
    Method(TensorMethod, &'a ExprMethodCall),
    /// `t[[a..b, k]]`: a list with a range.
    Partition(&'a ExprIndex, Vec<Entry<'a>>),
    /// `t[u]`.
    Colocation(&'a ExprIndex),
    /// `transposed(t)`: a template that returns a tensor.
    Call(&'a ExprCall),
}

/// What an expression is to tensors, by its outermost form.
#[derive(Debug, Clone)]
pub enum TensorForm<'a> {
    /// A tensor.
    Tensor(TensorExpr<'a>),
    /// `t[[y, x]]`, or an index that stands for a list, as a point does: an element.
    Element(&'a ExprIndex),
    /// Something else.
    Other,
}

/// What decides whether an expression is a tensor beside its form.
pub trait TensorNames {
    /// Whether a name is bound to a tensor.
    fn is_tensor(&self, name: &Ident) -> bool;

    /// Whether a call is one of a template that returns a tensor.
    fn gives_tensor(&self, call: &ExprCall) -> bool;
}

/// Whether a tensor expression is a place, which has no elements, where `is_place` tells the names of places.
pub fn is_place(expr: &Expr, is_place: &dyn Fn(&Ident) -> bool) -> bool {
    match strip_parens(expr) {
        Expr::Path(path) => path.path.get_ident().is_some_and(is_place),
        Expr::MethodCall(call) => match TensorMethod::of(&call.method) {
            Some(TensorMethod::Place) => true,
            Some(method) if method.kind() == MethodKind::View => self::is_place(&call.receiver, is_place),
            _ => false,
        },
        Expr::Index(index) => self::is_place(&index.expr, is_place),
        Expr::Reference(reference) => self::is_place(&reference.expr, is_place),
        _ => false,
    }
}

impl<'a> TensorForm<'a> {
    /// What `expr` is.
    pub fn of(expr: &'a Expr, names: &dyn TensorNames) -> Self {
        let inner = |expr: &'a Expr| TensorExpr::of(expr, names).is_some();
        let tensor = match strip_parens(expr) {
            Expr::Path(path) => {
                let name = path.path.get_ident().filter(|name| path.qself.is_none() && names.is_tensor(name));
                name.map(TensorExpr::Name)
            }
            Expr::MethodCall(call) => {
                let method = TensorMethod::of(&call.method).filter(|method| method.makes_tensor());
                method.filter(|_| inner(&call.receiver)).map(|method| TensorExpr::Method(method, call))
            }
            Expr::Index(index) => return Self::of_index(index, names),
            Expr::Call(call) => match Constructor::called(call) {
                Some((constructor, path)) => Some(TensorExpr::Block(constructor, call, path)),
                None => names.gives_tensor(call).then_some(TensorExpr::Call(call)),
            },
            Expr::Reference(reference) => inner(&reference.expr).then_some(TensorExpr::Reference(reference)),
            _ => None,
        };
        tensor.map_or(TensorForm::Other, TensorForm::Tensor)
    }

    /// What an index is.
    pub fn of_index(index: &'a ExprIndex, names: &dyn TensorNames) -> Self {
        if TensorExpr::of(&index.expr, names).is_none() {
            return TensorForm::Other;
        }
        match form::index_list(index) {
            Some(entries) if entries.iter().any(|entry| matches!(entry, Entry::Range(_))) => {
                TensorForm::Tensor(TensorExpr::Partition(index, entries))
            }
            None if TensorExpr::of(&index.index, names).is_some() => {
                TensorForm::Tensor(TensorExpr::Colocation(index))
            }
            _ => TensorForm::Element(index),
        }
    }
}

impl<'a> TensorExpr<'a> {
    /// The tensor expression that `expr` is.
    pub fn of(expr: &'a Expr, names: &dyn TensorNames) -> Option<Self> {
        match TensorForm::of(expr, names) {
            TensorForm::Tensor(tensor) => Some(tensor),
            TensorForm::Element(_) | TensorForm::Other => None,
        }
    }
}
