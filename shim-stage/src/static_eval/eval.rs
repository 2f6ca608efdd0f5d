//! Folding of expressions.

use std::cmp::Ordering;

use syn::{BinOp, Block, Expr, ExprBinary, ExprPath, Lit, Result, Stmt, Type, UnOp};

use super::int::IntOp;
use super::number::{adopt, associated, common, compare, in_type, outcome, scalar};
use super::pattern::Decision;
use super::value::int_type;
use super::{Int, IntType, Layer, Scope, Value, convert, wrong};

/// Beyond this nesting an expression is left to rustc: it protects the stack of the macro.
const MAX_DEPTH: usize = 96;
/// Arrays `[v; n]` of more numbers are left to rustc.
const MAX_REPEAT: usize = 1 << 16;

/// The value of `expr`, if it is static.
///
/// # Errors
///
/// If it is static but has no value: overflow, division by zero, a shift by too many bits, an index outside a static
/// array, operands of two types.
pub fn eval(expr: &Expr, scope: &dyn Scope) -> Result<Option<Value>> {
    Evaluator { scope, depth: 0 }.value(expr, None)
}

/// The value of `expr` where a `ty` is expected, as in `let x: u64 = 1 << 40`: numbers without a suffix adopt it.
///
/// # Errors
///
/// As [`eval`], and if the value does not fit the type.
pub fn eval_as(expr: &Expr, ty: &Type, scope: &dyn Scope) -> Result<Option<Value>> {
    // Elements of a tuple adopt a type each.
    let elements = |elements: Vec<(&Expr, &Type)>| -> Result<Option<Vec<Value>>> {
        elements.into_iter().map(|(element, ty)| eval_as(element, ty, scope)).collect()
    };
    match (expr, ty) {
        (Expr::Tuple(tuple), Type::Tuple(types)) if tuple.elems.len() == types.elems.len() => {
            return Ok(elements(tuple.elems.iter().zip(&types.elems).collect())?.map(Value::Tuple));
        }
        (Expr::Array(array), Type::Array(of)) if leaf_type(&of.elem).is_none() => {
            let of_elements = array.elems.iter().map(|element| (element, &*of.elem));
            let value = elements(of_elements.collect())?.map(Value::Array);
            return Ok(value.and_then(|value| convert(&value, ty)));
        }
        _ => {}
    }
    let value = Evaluator { scope, depth: 0 }.value(expr, leaf_type(ty))?;
    if let (Some(_), Some(ty)) = (&value, leaf_type(ty)) {
        scope.relies_on(ty);
    }
    // A value of another type is rustc's to report; only numbers that do not fit are reported in `value`.
    Ok(value.and_then(|value| convert(&value, ty)))
}

/// The integer type that every number in a `ty` has.
fn leaf_type(ty: &Type) -> Option<IntType> {
    match ty {
        Type::Array(array) => leaf_type(&array.elem),
        other => int_type(other),
    }
}

/// One expression's folding.
#[derive(Clone, Copy)]
pub(super) struct Evaluator<'a> {
    pub(super) scope: &'a dyn Scope,
    depth: usize,
}

impl<'a> Evaluator<'a> {
    pub(super) fn new(scope: &'a dyn Scope) -> Self {
        Self { scope, depth: 0 }
    }

    /// The same one in another scope.
    pub(super) fn within(self, scope: &dyn Scope) -> Evaluator<'_> {
        Evaluator { scope, depth: self.depth }
    }

    /// The value of `expr`, whose numbers without a suffix adopt `expected`.
    pub(super) fn value(self, expr: &Expr, expected: Option<IntType>) -> Result<Option<Value>> {
        if self.depth >= MAX_DEPTH {
            return Ok(None);
        }
        let this = Self { depth: self.depth + 1, ..self };
        // A branch that is not taken, and an element behind this one, may say what type all of them have.
        let joins = matches!(expr, Expr::If(_) | Expr::Match(_) | Expr::Array(_));
        let expected = expected.or_else(|| if joins { self.infer(expr) } else { None });
        match expr {
            Expr::Lit(lit) => scalar(&lit.lit, false, expr, expected),
            Expr::Path(path) => this.path(path, expected),
            Expr::Paren(inner) => this.value(&inner.expr, expected),
            Expr::Group(inner) => this.value(&inner.expr, expected),
            Expr::Block(block) if block.label.is_none() => this.block(&block.block, expected),
            Expr::Const(block) => this.block(&block.block, expected),
            Expr::Unary(unary) => this.unary(unary, expected),
            Expr::Binary(binary) => this.binary(binary, expected),
            Expr::Cast(cast) => this.cast(cast),
            Expr::If(branch) => this.branch(branch, expected),
            Expr::Match(choice) => this.choice(choice, expected),
            Expr::Index(index) => this.index(index, expected),
            Expr::Field(field) => this.field(field, expected),
            Expr::MethodCall(call) => this.method_call(call, expected),
            Expr::Call(call) => this.conversion(call),
            Expr::Array(array) => Ok(this.values(&array.elems, expected)?.map(Value::Array)),
            Expr::Tuple(tuple) => Ok(this.values(&tuple.elems, None)?.map(Value::Tuple)),
            Expr::Repeat(repeat) => this.repeat(repeat, expected),
            _ => Ok(None),
        }
    }

    fn branch(self, branch: &syn::ExprIf, expected: Option<IntType>) -> Result<Option<Value>> {
        match self.condition(&branch.cond)? {
            Decision::Unknown => Ok(None),
            Decision::No => match &branch.else_branch {
                Some((_, other)) => self.value(other, expected),
                None => Ok(None),
            },
            Decision::Yes(names) => {
                let layer = Layer { below: self.scope, names: &names };
                self.within(&layer).block(&branch.then_branch, expected)
            }
        }
    }

    fn field(self, field: &syn::ExprField, expected: Option<IntType>) -> Result<Option<Value>> {
        let syn::Member::Unnamed(member) = &field.member else { return Ok(None) };
        let Some(Value::Tuple(elements)) = self.value(&field.base, None)? else { return Ok(None) };
        let element = elements.into_iter().nth(member.index as usize);
        element.map(|element| adopt(element, expected, field)).transpose()
    }

    fn repeat(self, repeat: &syn::ExprRepeat, expected: Option<IntType>) -> Result<Option<Value>> {
        let Some(element) = self.value(&repeat.expr, expected)? else { return Ok(None) };
        let Some(Value::Int(len)) = self.value(&repeat.len, Some(IntType::Usize))? else { return Ok(None) };
        let most = MAX_REPEAT / element.leaves().max(1);
        let len = usize::try_from(len.value).ok().filter(|len| *len <= most);
        Ok(len.map(|len| Value::Array(vec![element; len])))
    }

    fn values<'e>(
        self,
        exprs: impl IntoIterator<Item = &'e Expr>,
        expected: Option<IntType>,
    ) -> Result<Option<Vec<Value>>> {
        exprs.into_iter().map(|expr| self.value(expr, expected)).collect()
    }

    fn path(self, path: &ExprPath, expected: Option<IntType>) -> Result<Option<Value>> {
        if path.qself.is_none()
            && let Some(name) = path.path.get_ident()
        {
            let value = self.scope.lookup(name);
            return value.map(|value| adopt(value, expected, path)).transpose();
        }
        let Some((ty, name)) = associated(path) else { return Ok(None) };
        if ty.is_pointer_sized() || ty == IntType::U128 && name == "MAX" {
            return Ok(None);
        }
        self.scope.relies_on(ty);
        Ok(match name.as_str() {
            "MIN" => Some(Value::Int(Int::typed(ty.min(), ty))),
            "MAX" => Some(Value::Int(Int::typed(ty.max(), ty))),
            "BITS" => Some(Value::Int(Int::typed(ty.bits().into(), IntType::U32))),
            _ => None,
        })
    }

    /// A block that is one expression.
    pub(super) fn block(self, block: &Block, expected: Option<IntType>) -> Result<Option<Value>> {
        self.statements(&block.stmts, expected)
    }

    /// The value of a block that does nothing but bind names.
    fn statements(self, statements: &[Stmt], expected: Option<IntType>) -> Result<Option<Value>> {
        match statements {
            [Stmt::Expr(tail, None)] => self.value(tail, expected),
            [Stmt::Local(local), rest @ ..] if local.attrs.is_empty() => {
                let init = local.init.as_ref().filter(|init| init.diverge.is_none());
                let Some(init) = init else { return Ok(None) };
                let ty = match &local.pat {
                    syn::Pat::Type(typed) => leaf_type(&typed.ty),
                    _ => None,
                };
                let Some(value) = self.value(&init.expr, ty)? else { return Ok(None) };
                match self.decide(&local.pat, &value)? {
                    Decision::Yes(names) => {
                        let layer = Layer { below: self.scope, names: &names };
                        self.within(&layer).statements(rest, expected)
                    }
                    Decision::No | Decision::Unknown => Ok(None),
                }
            }
            _ => Ok(None),
        }
    }

    fn unary(self, unary: &syn::ExprUnary, expected: Option<IntType>) -> Result<Option<Value>> {
        match unary.op {
            UnOp::Neg(_) => {
                // `-128i8` is a number, although `128i8` is none.
                if let Expr::Lit(lit) = ungrouped(&unary.expr)
                    && matches!(lit.lit, Lit::Int(_))
                {
                    return scalar(&lit.lit, true, &Expr::Unary(unary.clone()), expected);
                }
                let Some(Value::Int(int)) = self.value(&unary.expr, expected)? else { return Ok(None) };
                let ty = int.folding_type();
                if !ty.is_signed() {
                    return Err(wrong(
                        unary,
                        &format!("`-` cannot be applied to `{}`, which has no sign", ty.name()),
                        "use a signed type, or `wrapping_neg()`",
                    ));
                }
                let folded = IntOp::Sub.fold(0, in_type(int, ty, &unary.expr)?, ty);
                outcome(folded, int.ty, ty, unary)
            }
            UnOp::Not(_) => Ok(match self.value(&unary.expr, expected)? {
                Some(Value::Bool(value)) => Some(Value::Bool(!value)),
                Some(Value::Int(int)) => {
                    let value = int.folding_type().wrap(!in_type(int, int.folding_type(), &unary.expr)?);
                    value.map(|value| Value::Int(Int { value, ty: int.ty }))
                }
                _ => None,
            }),
            _ => Ok(None),
        }
    }

    fn binary(self, binary: &ExprBinary, expected: Option<IntType>) -> Result<Option<Value>> {
        let ExprBinary { left, op, right, .. } = binary;
        if let BinOp::And(_) | BinOp::Or(_) = op {
            let decisive = matches!(op, BinOp::Or(_));
            // The left side decides alone if it can; a right side alone must not make the left one vanish.
            return match self.value(left, None)? {
                Some(Value::Bool(value)) if value == decisive => Ok(Some(Value::Bool(value))),
                Some(Value::Bool(_)) => {
                    Ok(self.value(right, None)?.filter(|value| matches!(value, Value::Bool(_))))
                }
                _ => Ok(None),
            };
        }
        if let Some(operator) = IntOp::of(op) {
            let expected = expected.or_else(|| {
                let right = if operator.is_shift() { None } else { self.infer(right) };
                self.infer(left).or(right)
            });
            let Some(a) = self.value(left, expected)? else { return Ok(None) };
            let count_or_same = if operator.is_shift() { None } else { expected };
            let Some(b) = self.value(right, count_or_same)? else { return Ok(None) };
            return match (a, b) {
                (Value::Int(a), Value::Int(b)) if operator.is_shift() => {
                    let ty = a.folding_type();
                    let folded = operator.fold(in_type(a, ty, left)?, b.value, ty);
                    outcome(folded, a.ty, ty, binary)
                }
                (Value::Int(a), Value::Int(b)) => {
                    let (own, ty) = common(a, b, binary)?;
                    let folded = operator.fold(in_type(a, ty, left)?, in_type(b, ty, right)?, ty);
                    outcome(folded, own, ty, binary)
                }
                (Value::Bool(a), Value::Bool(b)) => Ok(match operator {
                    IntOp::And => Some(Value::Bool(a & b)),
                    IntOp::Or => Some(Value::Bool(a | b)),
                    IntOp::Xor => Some(Value::Bool(a ^ b)),
                    _ => None,
                }),
                _ => Ok(None),
            };
        }
        let holds: fn(Ordering) -> bool = match op {
            BinOp::Eq(_) => Ordering::is_eq,
            BinOp::Ne(_) => Ordering::is_ne,
            BinOp::Lt(_) => Ordering::is_lt,
            BinOp::Le(_) => Ordering::is_le,
            BinOp::Gt(_) => Ordering::is_gt,
            BinOp::Ge(_) => Ordering::is_ge,
            _ => return Ok(None),
        };
        let operand = self.infer(left).or_else(|| self.infer(right));
        let (Some(a), Some(b)) = (self.value(left, operand)?, self.value(right, operand)?) else {
            return Ok(None);
        };
        if let (Value::Int(a), Value::Int(b)) = (&a, &b) {
            let (_, ty) = common(*a, *b, binary)?;
            in_type(*a, ty, left)?;
            in_type(*b, ty, right)?;
        }
        Ok(compare(&a, &b).map(|order| Value::Bool(holds(order))))
    }

    fn cast(self, cast: &syn::ExprCast) -> Result<Option<Value>> {
        let Some(ty) = int_type(&cast.ty) else {
            let same = matches!(&*cast.ty, Type::Path(path) if path.path.is_ident("bool"));
            return Ok(self.value(&cast.expr, None)?.filter(|value| same && matches!(value, Value::Bool(_))));
        };
        self.scope.relies_on(ty);
        // A bare literal takes the type it is cast to: `3_000_000_000 as u64` is no `i32`.
        let expected = if is_literal(&cast.expr) { Some(ty) } else { None };
        Ok(match self.value(&cast.expr, expected)? {
            Some(Value::Int(int)) => ty.wrap(int.value).map(|value| Value::Int(Int::typed(value, ty))),
            Some(Value::Bool(value)) => Some(Value::Int(Int::typed(value.into(), ty))),
            _ => None,
        })
    }

    fn choice(self, choice: &syn::ExprMatch, expected: Option<IntType>) -> Result<Option<Value>> {
        let examined = self.infer_scrutinee(choice, expected);
        let Some(value) = self.value(&choice.expr, examined)? else { return Ok(None) };
        for arm in &choice.arms {
            // An arm that may not be there decides nothing.
            if arm.attrs.iter().any(|attr| attr.path().is_ident("cfg") || attr.path().is_ident("cfg_attr")) {
                return Ok(None);
            }
            match self.decide(&arm.pat, &value)? {
                Decision::Unknown => return Ok(None),
                Decision::No => {}
                Decision::Yes(names) => {
                    let layer = Layer { below: self.scope, names: &names };
                    return self.within(&layer).value(&arm.body, expected);
                }
            }
        }
        Ok(None)
    }

    /// The condition of an `if`, with the bindings of its `let`s.
    fn condition(self, expr: &Expr) -> Result<Decision> {
        match expr {
            Expr::Let(binding) => match self.value(&binding.expr, None)? {
                Some(value) => self.decide(&binding.pat, &value),
                None => Ok(Decision::Unknown),
            },
            Expr::Binary(ExprBinary { left, op: BinOp::And(_), right, .. }) => match self.condition(left)? {
                Decision::Yes(mut names) => {
                    let layer = Layer { below: self.scope, names: &names };
                    let right = self.within(&layer).condition(right)?;
                    Ok(match right {
                        Decision::Yes(more) => {
                            names.extend(more);
                            Decision::Yes(names)
                        }
                        other => other,
                    })
                }
                other => Ok(other),
            },
            other => Ok(match self.value(other, None)? {
                Some(Value::Bool(true)) => Decision::Yes(Vec::new()),
                Some(Value::Bool(false)) => Decision::No,
                _ => Decision::Unknown,
            }),
        }
    }

    fn index(self, index: &syn::ExprIndex, expected: Option<IntType>) -> Result<Option<Value>> {
        let Some(Value::Array(elements)) = self.value(&index.expr, None)? else { return Ok(None) };
        // A counter of an unrolled loop converts by itself in an index, so any integer will do.
        let Some(Value::Int(at)) = self.value(&index.index, None)? else { return Ok(None) };
        let Some(element) = usize::try_from(at.value).ok().and_then(|at| elements.get(at)) else {
            return Err(wrong(
                &index.index,
                &format!("index {} is outside an array of {} elements", at.value, elements.len()),
                "a static array is indexed from 0; negative indices are for tensors",
            ));
        };
        adopt(element.clone(), expected, index).map(Some)
    }
}

/// The expression inside the invisible delimiters that macros leave.
fn ungrouped(expr: &Expr) -> &Expr {
    if let Expr::Group(group) = expr { ungrouped(&group.expr) } else { expr }
}

fn is_literal(expr: &Expr) -> bool {
    match expr {
        Expr::Lit(_) => true,
        Expr::Paren(inner) => is_literal(&inner.expr),
        Expr::Group(inner) => is_literal(&inner.expr),
        Expr::Unary(unary) => matches!(unary.op, UnOp::Neg(_)) && is_literal(&unary.expr),
        _ => false,
    }
}
