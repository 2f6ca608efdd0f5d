//! Index arithmetic: the expressions inside `t[[..]]` and in locations, as symbolic integers.
//!
//! Literals, paths, fields, parentheses, the operators of integers, and `min` and `max` of a loop variable are arithmetic
//! on `isize` after each operand is converted; anything else is one operand, evaluated once in its own type.

use syn::{BinOp, Expr, ExprMethodCall, Ident, Type, UnOp};

use crate::ir::{Loop, LoopKind, Operand, RegionKind, SymbolSource};
use crate::static_eval::{self, IntType, Value};
use crate::surface::{self, TensorMethod};
use crate::symbolic::{Range, SymError, SymInt};

use crate::bind::{Binder, Binding, IntTy};

/// What is known of an expression as index arithmetic.
pub(in crate::bind) struct IndexExpr {
    /// Its value.
    pub(in crate::bind) value: Result<SymInt, Unknown>,
    /// Whether a loop variable is an operand of the arithmetic.
    pub(in crate::bind) varies: bool,
    /// Whether its operands are loop variables and static values alone.
    pub(in crate::bind) only: bool,
    /// Whether it has the same value in Rust, where arithmetic on loop variables is done in `i32`.
    pub(in crate::bind) exact: bool,
}

/// Why there is no value: part of the expression is evaluated in place, or does not fit.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::bind) struct Unknown {
    error: Option<SymError>,
}

impl Unknown {
    fn wrong(error: SymError) -> Self {
        Unknown { error: Some(error) }
    }
}

impl IndexExpr {
    /// An expression that is an operand as a whole.
    fn opaque(value: Result<SymInt, Unknown>) -> Self {
        IndexExpr { value, varies: false, only: false, exact: true }
    }

    /// Index arithmetic that is exact only if its value fits the type that Rust computes it in.
    fn within_i32(self) -> Self {
        let i32 = IntTy::Known(IntType::I32);
        let fits = self.value.as_ref().is_ok_and(|value| i32.holds(value.range()));
        IndexExpr { exact: !self.varies || self.exact && fits, ..self }
    }
}

impl Binder<'_> {
    /// `expr` as index arithmetic; operands that are evaluated in place are added to `operands`.
    pub(in crate::bind) fn index(&mut self, expr: &Expr, operands: &mut Vec<Operand>) -> SymInt {
        match self.index_expr(expr, Some(operands)).value {
            Ok(sym) => sym,
            Err(unknown) => {
                let error = unknown.error.unwrap_or(SymError::Overflow);
                let help = "what is known of an index at expansion must fit in 64 bits; compute part of it in a `let`";
                self.diagnostics.error(expr, error, help);
                SymInt::constant(0)
            }
        }
    }

    /// What one walk over `expr` tells of it as index arithmetic. Without `operands`, what is evaluated in place is
    /// unknown.
    pub(in crate::bind) fn index_expr(
        &mut self,
        expr: &Expr,
        mut operands: Option<&mut Vec<Operand>>,
    ) -> IndexExpr {
        let expr = self.strip_deref(expr);
        match static_eval::eval(expr, &self.scopes) {
            Ok(Some(Value::Int(int))) => {
                let value = i64::try_from(int.value).map(SymInt::constant).map_err(|_| SymError::Overflow);
                return IndexExpr {
                    value: value.map_err(Unknown::wrong),
                    varies: false,
                    only: true,
                    exact: true,
                };
            }
            Ok(Some(_)) if operands.is_none() => return IndexExpr::opaque(Err(Unknown::default())),
            _ => {}
        }
        match expr {
            Expr::Unary(unary) if matches!(unary.op, UnOp::Neg(_)) => {
                let IndexExpr { value, varies, only, exact } = self.index_expr(&unary.expr, operands);
                let value = value.and_then(|value| value.scale(-1).map_err(Unknown::wrong));
                IndexExpr { value, varies, only, exact }.within_i32()
            }
            Expr::Binary(binary) if is_arithmetic(&binary.op) => {
                let left = self.index_expr(&binary.left, operands.as_deref_mut());
                let right = self.index_expr(&binary.right, operands);
                // Rust's shift by another number is an overflow.
                let by = right.value.as_ref().ok().filter(|_| !right.varies).and_then(SymInt::as_constant);
                let shift = matches!(binary.op, BinOp::Shl(_) | BinOp::Shr(_));
                let exact =
                    left.exact && right.exact && (!shift || by.is_some_and(|by| (0..32).contains(&by)));
                let (varies, only) = (left.varies || right.varies, left.only && right.only);
                let both = left.value.and_then(|left| Ok((left, right.value?)));
                let value = both.and_then(|(left, right)| {
                    self.applied(&binary.op, &left, &right).map_err(Unknown::wrong)
                });
                IndexExpr { value, varies, only, exact }.within_i32()
            }
            Expr::Path(path) if path.qself.is_none() => {
                self.index_path(expr, path.path.get_ident(), operands)
            }
            Expr::Cast(cast)
                if operands.is_some()
                    && let Some(variable) = self.as_i32(cast) =>
            {
                IndexExpr::opaque(Ok(variable))
            }
            Expr::Cast(cast) if operands.is_some() => {
                // A cast that cannot change the value is not a separate operand.
                if let Some(inner) = self.pure_index(&cast.expr)
                    && fits(inner.range(), &cast.ty)
                {
                    if let Some(IntTy::Known(ty)) = IntTy::of_type(&cast.ty) {
                        static_eval::Scope::relies_on(&self.scopes, ty);
                    }
                    return IndexExpr::opaque(Ok(inner));
                }
                self.unknown(expr, operands)
            }
            Expr::Index(index) => match self.coordinate(index) {
                Some(variable) => {
                    let known = self.index_expr(&variable, operands);
                    IndexExpr { only: known.varies, ..known }
                }
                None => self.unknown(expr, operands),
            },
            Expr::MethodCall(call) if let Some((name, argument)) = self.bounds_index(call) => {
                static_eval::Scope::relies_on_method(&self.scopes, name);
                let left = self.index_expr(&call.receiver, operands.as_deref_mut());
                let right = self.index_expr(argument, operands);
                let both = left.value.and_then(|left| Ok((left, right.value?)));
                let value = both.and_then(|(left, right)| {
                    let bound = if name == "min" { SymInt::min } else { SymInt::max };
                    bound(&left, &right).map_err(Unknown::wrong)
                });
                let (only, exact) = (left.only && right.only, left.exact && right.exact);
                IndexExpr { value, varies: true, only, exact }.within_i32()
            }
            Expr::MethodCall(call) => {
                let asks = match (self.tensor_method(call), &operands) {
                    (Some(_), Some(_)) => self.may_be_early(expr),
                    (Some(TensorMethod::Extent | TensorMethod::Origin), None) => {
                        self.is_stable(&call.receiver)
                    }
                    _ => false,
                };
                // `min`, `max` and `saturating_sub` of values that do not overflow.
                match asks.then(|| self.query_value(call)).flatten().or_else(|| self.exact(expr)) {
                    Some(sym) => IndexExpr::opaque(Ok(sym)),
                    None => self.unknown(expr, operands),
                }
            }
            _ => self.unknown(expr, operands),
        }
    }

    /// The method and the argument of `i.min(a)` and `i.max(a)`, where a loop variable is an operand of `i`.
    fn bounds_index<'e>(&mut self, call: &'e ExprMethodCall) -> Option<(&'static str, &'e Expr)> {
        let name = ["max", "min"].into_iter().find(|name| call.method == *name)?;
        let (Some(argument), 1, None) = (call.args.first(), call.args.len(), &call.turbofish) else {
            return None;
        };
        self.mentions_index(&call.receiver).then_some((name, argument))
    }

    /// The result of an operator, simplified by the facts that hold here.
    fn applied(&self, op: &BinOp, left: &SymInt, right: &SymInt) -> Result<SymInt, SymError> {
        match op {
            BinOp::Div(_) => self.facts().trunc_div(left, right),
            BinOp::Rem(_) => self.facts().trunc_rem(left, right),
            BinOp::Add(_) => left.add(right),
            BinOp::Sub(_) => left.sub(right),
            BinOp::Mul(_) => left.mul(right),
            BinOp::Shl(_) => left.shl(right),
            BinOp::Shr(_) => left.shr(right),
            BinOp::BitAnd(_) => left.bit_and(right),
            BinOp::BitOr(_) => left.bit_or(right),
            _ => left.bit_xor(right),
        }
    }

    /// A path in index arithmetic.
    fn index_path(
        &mut self,
        expr: &Expr,
        name: Option<&Ident>,
        operands: Option<&mut Vec<Operand>>,
    ) -> IndexExpr {
        let binding = name.and_then(|name| self.scopes.get(name));
        let varies = matches!(binding, Some(Binding::Index { .. }));
        let exact = !varies || matches!(binding, Some(Binding::Index { exact: true, .. }));
        let fixed = matches!(binding, Some(Binding::Local(local)) if local.is_unchanging());
        let only = varies || self.counts_in_i32(expr);
        let value = match (name, operands) {
            (Some(name), Some(operands)) => Ok(self.named(name, expr, operands)),
            (Some(name), None) if varies || fixed => Ok(self.named(name, expr, &mut Vec::new())),
            (None, Some(_)) => Ok(self.constant_path(expr)),
            (_, None) => Err(Unknown::default()),
        };
        IndexExpr { value, varies, only, exact }
    }

    /// The variable of a loop in `t[[x as i32]]`: the loop panics before it begins where one of its values is no `i32`, which
    /// would be another index.
    fn as_i32(&mut self, cast: &syn::ExprCast) -> Option<SymInt> {
        if IntTy::of_type(&cast.ty)? != IntTy::Known(IntType::I32) {
            return None;
        }
        let name = surface::ident(&cast.expr)?;
        let Some(Binding::Local(local)) = self.scopes.get(name) else { return None };
        let symbol = local.symbol.clone().filter(|_| local.is_unchanging())?;
        let SymbolSource::Loop(id) = self.program.symbol(&symbol).source else { return None };
        let Loop { nest, first, kind, .. } = &self.program.loops[id];
        let rises = matches!(kind, LoopKind::Range { step: 1.., .. });
        if !rises || first.range().lo.is_none_or(|lo| lo < 0) {
            return None;
        }
        let kind = RegionKind::Nest(*nest);
        let body =
            self.program.ancestors(self.walk.region).find(|at| self.program.regions[*at].kind == kind)?;
        static_eval::Scope::relies_on(&self.scopes, IntType::I32);
        let value = SymInt::symbol(&symbol);
        if !std::mem::replace(&mut self.program.loops[id].is_i32, true) {
            let room = SymInt::constant(i64::from(i32::MAX)).sub(&value).ok()?;
            self.program.assume(body, room);
        }
        Some(value)
    }

    /// Operands that are evaluated in place.
    fn unknown(&mut self, expr: &Expr, operands: Option<&mut Vec<Operand>>) -> IndexExpr {
        IndexExpr::opaque(match operands {
            Some(operands) => Ok(self.operand(expr, operands)),
            None => Err(Unknown::default()),
        })
    }

    /// `y` of `*y`, where `y` is a reference to a loop variable: a number, whichever way it is spelled.
    pub(in crate::bind) fn strip_deref<'e>(&self, expr: &'e Expr) -> &'e Expr {
        let expr = surface::strip_parens(expr);
        match expr {
            Expr::Unary(unary) if matches!(unary.op, UnOp::Deref(_)) => match surface::ident(&unary.expr) {
                Some(name)
                    if matches!(self.scopes.get(name), Some(Binding::Index { reference: true, .. })) =>
                {
                    surface::strip_parens(&unary.expr)
                }
                _ => expr,
            },
            _ => expr,
        }
    }

    /// `expr` as index arithmetic without operands of its own and without a message: for conditions.
    pub(in crate::bind) fn pure_index(&mut self, expr: &Expr) -> Option<SymInt> {
        self.index_expr(expr, None).value.ok()
    }

    /// Whether a loop variable is an operand of the arithmetic in `expr`.
    pub(in crate::bind) fn mentions_index(&mut self, expr: &Expr) -> bool {
        self.index_expr(expr, None).varies
    }

    /// Whether `expr` is the variable of a plain range, and an `i32` where it meets one.
    fn counts_in_i32(&self, expr: &Expr) -> bool {
        let Some(Binding::Local(local)) = surface::ident(expr).and_then(|name| self.scopes.get(name)) else {
            return false;
        };
        matches!(local.number, Some(IntTy::Infer | IntTy::Known(IntType::I32)))
            && self.is_loop_variable(local)
    }
}

/// The operators of index arithmetic.
fn is_arithmetic(op: &BinOp) -> bool {
    matches!(
        op,
        BinOp::Add(_)
            | BinOp::Sub(_)
            | BinOp::Mul(_)
            | BinOp::Div(_)
            | BinOp::Rem(_)
            | BinOp::Shl(_)
            | BinOp::Shr(_)
            | BinOp::BitAnd(_)
            | BinOp::BitOr(_)
            | BinOp::BitXor(_)
    )
}

/// Whether a cast to `ty` keeps every value of `range`.
fn fits(range: Range, ty: &Type) -> bool {
    match IntTy::of_type(ty) {
        Some(IntTy::Known(IntType::Isize | IntType::I64 | IntType::I128)) => true,
        Some(IntTy::Known(IntType::Usize | IntType::U64 | IntType::U128)) => {
            range.lo.is_some_and(|lo| lo >= 0)
        }
        Some(number) => number.holds(range),
        None => false,
    }
}
