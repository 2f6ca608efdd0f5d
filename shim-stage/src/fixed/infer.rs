//! Which integer type an expression has, found without evaluating it.
//!
//! In `(1 << 40) + k` with `k: u64`, the `1` is a `u64` before anything is shifted. So the type is looked for first
//! and handed down as the expectation; what is not found here adopts a type from the value it meets.

use syn::Expr;

use super::eval::{Evaluator, associated};
use super::methods::{Shape, shape};
use super::value::int_type;
use super::{IntType, Value};

impl Evaluator<'_> {
    /// The type of the numbers in `expr`, where its syntax and the static names tell.
    pub(super) fn infer(self, expr: &Expr) -> Option<IntType> {
        self.infer_within(expr, 64)
    }

    fn infer_within(self, expr: &Expr, fuel: usize) -> Option<IntType> {
        let fuel = fuel.checked_sub(1)?;
        let infer = |expr: &Expr| self.infer_within(expr, fuel);
        match expr {
            Expr::Lit(lit) => match &lit.lit {
                syn::Lit::Int(lit) => IntType::parse(lit.suffix()),
                syn::Lit::Byte(_) => Some(IntType::U8),
                _ => None,
            },
            Expr::Path(path) => match path.path.get_ident() {
                Some(name) if path.qself.is_none() => self.scope.lookup(name)?.int_type(),
                _ => associated(path).map(|(ty, name)| if name == "BITS" { IntType::U32 } else { ty }),
            },
            Expr::Paren(inner) => infer(&inner.expr),
            Expr::Group(inner) => infer(&inner.expr),
            Expr::Block(block) => tail(&block.block).and_then(infer),
            Expr::Const(block) => tail(&block.block).and_then(infer),
            Expr::Unary(unary) => infer(&unary.expr),
            Expr::Binary(binary) => {
                let operator = super::int::Operator::of(&binary.op)?;
                let right = || if operator.is_shift() { None } else { infer(&binary.right) };
                infer(&binary.left).or_else(right)
            }
            Expr::Cast(cast) => int_type(&cast.ty),
            // The bindings of an `if let` or a `match` are not known yet, and may shadow.
            Expr::If(branch) if !matches!(*branch.cond, Expr::Let(_) | Expr::Binary(_)) => {
                let other = || branch.else_branch.as_ref().and_then(|(_, other)| infer(other));
                tail(&branch.then_branch).and_then(infer).or_else(other)
            }
            Expr::Index(index) => infer(&index.expr),
            Expr::Array(array) => array.elems.iter().find_map(infer),
            Expr::Repeat(repeat) => infer(&repeat.expr),
            Expr::Field(field) => match (&*field.base, &field.member) {
                (Expr::Path(path), syn::Member::Unnamed(member)) => {
                    match self.scope.lookup(path.path.get_ident()?)? {
                        Value::Tuple(elements) => elements.get(member.index as usize)?.int_type(),
                        _ => None,
                    }
                }
                _ => None,
            },
            Expr::MethodCall(call) => match shape(&call.method.to_string())? {
                Shape::Same => infer(&call.receiver).or_else(|| call.args.iter().find_map(infer)),
                Shape::Counted => infer(&call.receiver),
                Shape::Unsigned => infer(&call.receiver).map(IntType::unsigned),
                Shape::Bits => Some(IntType::U32),
                Shape::Truth => None,
                Shape::Length => Some(IntType::Usize),
            },
            Expr::Call(call) => match &*call.func {
                Expr::Path(path) => {
                    associated(path).and_then(|(ty, name)| if name == "from" { Some(ty) } else { None })
                }
                _ => None,
            },
            _ => None,
        }
    }
}

fn tail(block: &syn::Block) -> Option<&Expr> {
    if let [syn::Stmt::Expr(tail, None)] = &block.stmts[..] { Some(tail) } else { None }
}
