//! Which integer type an expression has, found without evaluating it.
//!
//! In `(1 << 40) + k` with `k: u64`, the `1` is a `u64` before anything is shifted. So the type is looked for first
//! and handed down as the expectation; what is not found here adopts a type from the value it meets.

use syn::{Expr, ExprMatch, Ident, LitInt, Pat};

use crate::hygiene::PatternNames;
use crate::syntax::visit::Visit;

use super::eval::Evaluator;
use super::methods::{Shape, shape};
use super::number::associated;
use super::value::int_type;
use super::{IntType, Scope, Value};

impl Evaluator<'_> {
    /// The type of the numbers in `expr`, where its syntax and the static names tell.
    pub(super) fn infer(self, expr: &Expr) -> Option<IntType> {
        self.infer_within(expr, 64)
    }

    /// The type of what a `match` examines, which patterns and an arm that returns it can say as well.
    pub(super) fn infer_scrutinee(self, choice: &ExprMatch, result: Option<IntType>) -> Option<IntType> {
        let returned = || if returns_whole(choice) { result } else { None };
        let compared = || {
            let mut suffixes = Suffixes(None);
            choice.arms.iter().for_each(|arm| suffixes.visit_pat(pattern(&arm.pat)));
            suffixes.0
        };
        self.infer(&choice.expr).or_else(compared).or_else(returned)
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
                let operator = super::int::IntOp::of(&binary.op)?;
                let right = || if operator.is_shift() { None } else { infer(&binary.right) };
                infer(&binary.left).or_else(right)
            }
            Expr::Cast(cast) => int_type(&cast.ty),
            Expr::If(branch) => {
                let hidden = Shadowed::by(self.scope, |names| names.visit_expr(&branch.cond));
                let then = self.within(&hidden);
                let other = || branch.else_branch.as_ref().and_then(|(_, other)| infer(other));
                tail(&branch.then_branch).and_then(|tail| then.infer_within(tail, fuel)).or_else(other)
            }
            Expr::Match(choice) => {
                let arm = choice.arms.iter().find_map(|arm| {
                    let hidden = Shadowed::by(self.scope, |names| names.visit_pat(&arm.pat));
                    self.within(&hidden).infer_within(&arm.body, fuel)
                });
                arm.or_else(|| if returns_whole(choice) { infer(&choice.expr) } else { None })
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
                Shape::Truth | Shape::Kept | Shape::Other => None,
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

/// A scope without the names that a pattern binds: their values are not known yet, and they shadow.
struct Shadowed<'a> {
    below: &'a dyn Scope,
    names: Vec<Ident>,
}

impl<'a> Shadowed<'a> {
    fn by(below: &'a dyn Scope, visit: impl FnOnce(&mut PatternNames)) -> Self {
        Self { below, names: PatternNames::of(visit) }
    }
}

impl Scope for Shadowed<'_> {
    fn lookup(&self, name: &Ident) -> Option<Value> {
        if self.names.contains(name) { None } else { self.below.lookup(name) }
    }

    fn is_constant(&self, name: &Ident) -> bool {
        self.below.is_constant(name)
    }
}

/// A pattern without its guard.
fn pattern(pat: &Pat) -> &Pat {
    if let Pat::Guard(guarded) = pat { &guarded.pat } else { pat }
}

/// Whether an arm gives what is examined, as `n => n` does.
fn returns_whole(choice: &ExprMatch) -> bool {
    choice.arms.iter().any(|arm| whole(&arm.pat).is_some_and(|name| is_name(&arm.body, name)))
}

/// The name that a pattern gives to all it matches.
fn whole(pat: &Pat) -> Option<&Ident> {
    if let Pat::Ident(name) = pattern(pat) { Some(&name.ident) } else { None }
}

fn is_name(expr: &Expr, name: &Ident) -> bool {
    match expr {
        Expr::Path(path) => path.path.is_ident(name),
        Expr::Paren(inner) => is_name(&inner.expr, name),
        Expr::Group(inner) => is_name(&inner.expr, name),
        _ => false,
    }
}

/// The first suffix of a number in a pattern.
struct Suffixes(Option<IntType>);

impl<'ast> Visit<'ast> for Suffixes {
    fn visit_lit_int(&mut self, number: &'ast LitInt) {
        self.0 = self.0.or_else(|| IntType::parse(number.suffix()));
    }
}
