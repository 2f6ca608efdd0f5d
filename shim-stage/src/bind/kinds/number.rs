//! The integer types of plain numbers, where the kernel shows them.

use syn::{BinOp, Expr, UnOp};

use crate::parse::signature::element;
use crate::static_eval::{self, IntType, Value};
use crate::surface::{self, TensorMethod};
use crate::symbolic::Symbol;

use crate::bind::types::IntTy;
use crate::bind::{Binder, Binding};

impl Binder<'_> {
    /// The type of `expr`, if it is certainly a plain integer of the language's own types: what it says is relied on
    /// by the conversion to `isize`, which takes no other type.
    pub(in crate::bind) fn number(&self, expr: &Expr) -> Option<IntTy> {
        let expr = surface::strip_parens(expr);
        // The operands of an operator tell as much, each looked at once.
        if !matches!(expr, Expr::Binary(_))
            && let Ok(Some(Value::Int(int))) = static_eval::eval(expr, &self.scopes)
        {
            return Some(int.ty.map_or(IntTy::Infer, IntTy::Known));
        }
        match expr {
            Expr::Path(path) if path.qself.is_none() => match self.scopes.get(path.path.get_ident()?)? {
                Binding::Local(local) => local.number,
                Binding::Index { reference: false, .. } => Some(IntTy::Known(IntType::I32)),
                _ => None,
            },
            Expr::Unary(unary) if matches!(unary.op, UnOp::Neg(_)) => self.number(&unary.expr),
            Expr::Binary(binary) => match binary.op {
                BinOp::Add(_)
                | BinOp::Sub(_)
                | BinOp::Mul(_)
                | BinOp::Div(_)
                | BinOp::Rem(_)
                | BinOp::BitAnd(_)
                | BinOp::BitOr(_)
                | BinOp::BitXor(_) => self.number(&binary.left)?.with(self.number(&binary.right)?),
                BinOp::Shl(_) | BinOp::Shr(_) => {
                    self.number(&binary.right)?;
                    self.number(&binary.left)
                }
                _ => None,
            },
            Expr::Cast(cast) => IntTy::of_type(&cast.ty),
            Expr::Index(index) if let Some(variable) = self.coordinate(index) => self.number(&variable),
            Expr::Index(index) if self.is_access(index) => {
                self.number_in(self.named_view(&index.expr)?).map(IntTy::Known)
            }
            Expr::Block(block) if block.label.is_none() => self.number(tail(&block.block)?),
            Expr::If(choice) => {
                let (_, otherwise) = choice.else_branch.as_ref()?;
                self.number(tail(&choice.then_branch)?)?.with(self.number(otherwise)?)
            }
            Expr::Call(call) => IntTy::of_type(self.template_output(call)?),
            Expr::MethodCall(call) if self.tensor_method(call) == Some(TensorMethod::Extent) => {
                Some(IntTy::Known(IntType::Usize))
            }
            Expr::MethodCall(call) if call.method == "len" && call.args.is_empty() => {
                let Some(Binding::Local(local)) =
                    surface::ident(&call.receiver).and_then(|name| self.scopes.get(name))
                else {
                    return None;
                };
                // A slice, an array or a `Vec`: these have no other `len`.
                element(local.ty.as_ref()?).map(|_| IntTy::Known(IntType::Usize))
            }
            Expr::MethodCall(call) if static_eval::methods::keeps_type(&call.method.to_string()) => {
                match self.number(&call.receiver)? {
                    known @ IntTy::Known(_) => Some(known),
                    IntTy::Infer => None,
                }
            }
            _ => None,
        }
    }

    /// The symbol of a local that `expr` names.
    pub(in crate::bind) fn known_symbol(&self, expr: &Expr) -> Option<Symbol> {
        match self.scopes.get(surface::ident(expr)?)? {
            Binding::Local(local) if local.is_unchanging() => local.symbol.clone(),
            _ => None,
        }
    }
}

/// The value of a block that does nothing but have one.
pub(in crate::bind) fn tail(block: &syn::Block) -> Option<&Expr> {
    match block.stmts.as_slice() {
        [syn::Stmt::Expr(value, None)] => Some(value),
        _ => None,
    }
}
