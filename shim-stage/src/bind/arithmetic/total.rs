//! Which operations may panic, apart from accesses: a stage in memory may be computed where the source computes
//! nothing, which must not be noticed.

use syn::{BinOp, Expr, ExprBinary, ExprIndex, ExprMethodCall, Type, UnOp};

use crate::ir::View;
use crate::static_eval::{self, IntType, Value, int_type};
use crate::surface;
use crate::symbolic::Atom;

use crate::bind::types::Primitive;
use crate::bind::{Binder, Binding, IntTy};

/// Methods of integers that give a value for all operands.
const TOTAL: &[&str] = &[
    "abs_diff",
    "cast_signed",
    "cast_unsigned",
    "count_ones",
    "count_zeros",
    "is_negative",
    "is_positive",
    "leading_ones",
    "leading_zeros",
    "max",
    "min",
    "rotate_left",
    "rotate_right",
    "signum",
    "swap_bytes",
    "to_be",
    "to_le",
    "trailing_ones",
    "trailing_zeros",
    "unsigned_abs",
];

/// The prefixes of such methods, but for those that divide.
const TOTAL_PREFIXES: &[&str] = &["wrapping_", "saturating_", "overflowing_", "checked_"];

/// The integers that a value may be.
#[derive(Clone, Copy)]
struct Values {
    least: i128,
    greatest: i128,
    /// Their type, if it is not that of whatever they meet.
    ty: Option<IntType>,
}

impl Values {
    fn of(ty: IntType) -> Self {
        Values { least: ty.min(), greatest: ty.max(), ty: Some(ty) }
    }

    fn are_in(self, ty: IntType) -> bool {
        ty.contains(self.least) && ty.contains(self.greatest)
    }

    /// Whether each of them is one of their type, which has to be known.
    fn fit(self) -> bool {
        self.ty.is_some_and(|ty| self.are_in(ty))
    }

    /// The values after a cast.
    fn cast(self, to: IntType) -> Self {
        if self.are_in(to) { Values { ty: Some(to), ..self } } else { Values::of(to) }
    }
}

impl Binder<'_> {
    /// The result of `bind`, and whether nothing that it binds can panic, accesses aside.
    pub(in crate::bind) fn totality<T>(&mut self, bind: impl FnOnce(&mut Self) -> T) -> (T, bool) {
        let around = self.walk.is_total.replace(true);
        let bound = bind(self);
        let is_total = self.walk.is_total.take() == Some(true);
        self.walk.is_total = around.map(|around| around && is_total);
        (bound, is_total)
    }

    /// Notes that something bound may panic.
    pub(in crate::bind) fn may_panic(&mut self) {
        self.walk.is_total = self.walk.is_total.map(|_| false);
    }

    /// Notes whether an expression or a place may panic by itself: its parts are noted on their own, and the first that
    /// may panic decides.
    pub(in crate::bind) fn note_panic(&mut self, expr: &Expr) {
        if self.walk.is_total == Some(true) && !self.is_total_alone(expr) {
            self.may_panic();
        }
    }

    /// Whether an expression certainly does not panic, its parts aside. What is not listed may.
    fn is_total_alone(&mut self, expr: &Expr) -> bool {
        match expr {
            Expr::Binary(binary) => {
                self.is_index_arithmetic(expr) || self.is_total_operator(binary) || self.exact(expr).is_some()
            }
            Expr::Unary(unary) => match unary.op {
                UnOp::Not(_) => true,
                UnOp::Neg(_) => {
                    self.is_float(&unary.expr)
                        || self.values(&unary.expr).is_some_and(|own| own.least > i128::from(i8::MIN))
                }
                _ => false,
            },
            Expr::MethodCall(call) => self.is_total_method(call),
            // A template's statements are bound in the place of its call.
            Expr::Call(call) => self.callee(&call.func).is_some() || self.converts(call),
            Expr::Index(index) => self.is_within_array(index),
            Expr::Array(_)
            | Expr::Assign(_)
            | Expr::Block(_)
            | Expr::Break(_)
            | Expr::Cast(_)
            | Expr::Closure(_)
            | Expr::Const(_)
            | Expr::Continue(_)
            | Expr::Field(_)
            | Expr::ForLoop(_)
            | Expr::Group(_)
            | Expr::If(_)
            | Expr::Infer(_)
            | Expr::Let(_)
            | Expr::Lit(_)
            | Expr::Match(_)
            | Expr::Paren(_)
            | Expr::Path(_)
            | Expr::Range(_)
            | Expr::Reference(_)
            | Expr::Repeat(_)
            | Expr::Return(_)
            | Expr::Struct(_)
            | Expr::Tuple(_)
            | Expr::Unsafe(_) => true,
            _ => false,
        }
    }

    /// Whether an index is one of an array's, whatever the iteration.
    fn is_within_array(&mut self, index: &ExprIndex) -> bool {
        let Some(Type::Array(array)) = self.type_of_place(&index.expr) else { return false };
        // A constant may be another one where the type is written.
        let Expr::Lit(syn::ExprLit { lit: syn::Lit::Int(count), .. }) = &array.len else { return false };
        let Ok(count) = count.base10_parse::<i64>() else { return false };
        let range = self.exact(&index.index).map(|at| at.range());
        range.is_some_and(|range| range.lo.is_some_and(|lo| lo >= 0) && range.hi.is_some_and(|hi| hi < count))
    }

    /// Whether an expression is a sum of a few loop variables and small constants. Loop variables are asserted to fit
    /// `i32`, and no memory has so many elements that their small multiples do not.
    fn is_index_arithmetic(&self, expr: &Expr) -> bool {
        self.linear_size(expr).is_some_and(|[factors, constant]| factors <= 64 && constant <= 1 << 24)
    }

    /// The sums of the absolute values of the factors of loop variables and of the constants in a sum of both.
    fn linear_size(&self, expr: &Expr) -> Option<[i64; 2]> {
        let expr = surface::strip_parens(expr);
        if let Ok(Some(Value::Int(int))) = static_eval::eval(expr, &self.scopes) {
            return Some([0, i64::try_from(int.value.unsigned_abs()).ok()?]);
        }
        match expr {
            Expr::Path(path) => match self.scopes.get(path.path.get_ident()?)? {
                Binding::Index { sym, .. } => {
                    let mut factors: i64 = 0;
                    for (factor, monomial) in sym.terms() {
                        let [Atom::Symbol(_)] = monomial else { return None };
                        factors = factors.checked_add(factor.checked_abs()?)?;
                    }
                    Some([factors, sym.constant_part().checked_abs()?])
                }
                _ => None,
            },
            Expr::Binary(binary) => {
                let [a, b] = [self.linear_size(&binary.left)?, self.linear_size(&binary.right)?];
                let [factor, other] = if a[0] == 0 { [a, b] } else { [b, a] };
                match binary.op {
                    BinOp::Add(_) | BinOp::Sub(_) => Some([a[0].checked_add(b[0])?, a[1].checked_add(b[1])?]),
                    BinOp::Mul(_) if factor[0] == 0 => {
                        Some([factor[1].checked_mul(other[0])?, factor[1].checked_mul(other[1])?])
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    fn is_float(&self, expr: &Expr) -> bool {
        matches!(self.primitive(expr), Some(Primitive::Float(_)))
    }

    fn is_total_operator(&self, binary: &ExprBinary) -> bool {
        let (left, right) = (&binary.left, &binary.right);
        let literal = || match static_eval::eval(right, &self.scopes) {
            Ok(Some(Value::Int(int))) => Some(int.value),
            _ => None,
        };
        match binary.op {
            BinOp::Add(_) | BinOp::Sub(_) | BinOp::Mul(_) => {
                self.exactly(binary).is_some_and(Values::fit) || self.is_float(left) && self.is_float(right)
            }
            BinOp::AddAssign(_) | BinOp::SubAssign(_) | BinOp::MulAssign(_) => self.is_float(left),
            // The least number of a signed type is divided by -1 to none.
            BinOp::Div(_) | BinOp::Rem(_) | BinOp::DivAssign(_) | BinOp::RemAssign(_) => {
                self.is_float(left) || literal().is_some_and(|divisor| divisor > 0)
            }
            BinOp::Shl(_) | BinOp::Shr(_) | BinOp::ShlAssign(_) | BinOp::ShrAssign(_) => {
                let bits = self.integer(left).map_or(8, IntType::bits);
                literal().is_some_and(|by| (0..i128::from(bits)).contains(&by))
            }
            _ => true,
        }
    }

    fn is_total_method(&self, call: &ExprMethodCall) -> bool {
        let method = call.method.to_string();
        if self.tensor_method(call).is_some() || self.found_or(call).is_some() {
            return true;
        }
        match self.primitive(&call.receiver) {
            // `clamp` of floats panics where the bounds are out of order, as that of integers does.
            Some(Primitive::Float(_)) => method != "clamp" || self.has_ordered_bounds(call),
            Some(Primitive::Int(_) | Primitive::OpenInt) => {
                TOTAL.contains(&method.as_str())
                    || TOTAL_PREFIXES.iter().any(|prefix| method.starts_with(prefix))
                        && !(method.contains("_div") || method.contains("_rem"))
                    || method == "clamp" && self.has_ordered_bounds(call)
            }
            _ => false,
        }
    }

    /// Whether the arguments of `clamp` are literals in their order.
    fn has_ordered_bounds(&self, call: &ExprMethodCall) -> bool {
        let bound = |expr: &Expr| -> Option<f64> {
            match surface::strip_parens(expr) {
                Expr::Lit(syn::ExprLit { lit: syn::Lit::Float(value), .. }) => value.base10_parse().ok(),
                Expr::Unary(unary) if matches!(unary.op, UnOp::Neg(_)) => match &*unary.expr {
                    Expr::Lit(syn::ExprLit { lit: syn::Lit::Float(value), .. }) => {
                        value.base10_parse::<f64>().ok().map(|value| -value)
                    }
                    _ => None,
                },
                _ => None,
            }
        };
        let [least, greatest] = &call.args.iter().collect::<Vec<_>>()[..] else { return false };
        let integers = self.values(least).zip(self.values(greatest));
        integers.is_some_and(|(least, greatest)| least.greatest <= greatest.least)
            || bound(least).zip(bound(greatest)).is_some_and(|(least, greatest)| least <= greatest)
    }

    /// The integer type that a value has, as far as the kernel shows it.
    fn integer(&self, expr: &Expr) -> Option<IntType> {
        match self.primitive(expr)? {
            Primitive::Int(ty) => Some(ty),
            _ => None,
        }
    }

    /// The result of an operator, if it does not leave its type.
    fn exactly(&self, binary: &ExprBinary) -> Option<Values> {
        let (a, b) = (self.values(&binary.left)?, self.values(&binary.right)?);
        let corners = |operation: fn(i128, i128) -> Option<i128>| {
            let corners =
                [(a.least, b.least), (a.least, b.greatest), (a.greatest, b.least), (a.greatest, b.greatest)];
            let values = corners.into_iter().map(|(a, b)| operation(a, b)).collect::<Option<Vec<_>>>()?;
            Some((*values.iter().min()?, *values.iter().max()?))
        };
        let ty = match binary.op {
            BinOp::Shl(_) | BinOp::Shr(_) => a.ty,
            _ => a.ty.or(b.ty),
        };
        let (least, greatest) = match binary.op {
            BinOp::Add(_) => corners(i128::checked_add),
            BinOp::Sub(_) => corners(i128::checked_sub),
            BinOp::Mul(_) => corners(i128::checked_mul),
            BinOp::Div(_) if b.least > 0 => corners(i128::checked_div),
            BinOp::Shr(_) if (0..128).contains(&b.least) && b.greatest < 128 => {
                corners(|a, b| Some(a >> u32::try_from(b).ok()?))
            }
            BinOp::Shl(_) if (0..64).contains(&b.least) && b.greatest < 64 => {
                corners(|a, b| a.checked_mul(1_i128.checked_shl(u32::try_from(b).ok()?)?))
            }
            BinOp::BitAnd(_) if b.least >= 0 => Some((0, b.greatest)),
            BinOp::Rem(_) if a.least >= 0 && b.least > 0 => Some((0, b.greatest - 1)),
            _ => None,
        }?;
        Some(Values { least, greatest, ty })
    }

    /// The integers that a value may be, as far as the kernel shows it. Operands are looked at once: a chain of
    /// operators costs what its length is.
    fn values(&self, expr: &Expr) -> Option<Values> {
        let expr = surface::strip_parens(expr);
        let found = match expr {
            Expr::Binary(binary) => self.exactly(binary),
            _ if let Ok(Some(Value::Int(int))) = static_eval::eval(expr, &self.scopes) => {
                Some(Values { least: int.value, greatest: int.value, ty: int.ty })
            }
            Expr::Cast(cast) => {
                let to = int_type(&cast.ty)?;
                Some(self.values(&cast.expr).map_or(Values::of(to), |from| from.cast(to)))
            }
            Expr::Index(index) if self.is_access(index) => {
                self.named_view(&index.expr).and_then(|view| self.values_in(view))
            }
            Expr::Call(call) if self.converts(call) => {
                let to = self.integer(expr)?;
                Some(self.values(call.args.first()?).map_or(Values::of(to), |from| from.cast(to)))
            }
            Expr::Path(path) => match self.scopes.get(path.path.get_ident()?)? {
                Binding::Index { .. } => Some(Values::of(IntType::I32)),
                Binding::Local(local) => match local.number {
                    Some(IntTy::Known(ty)) => Some(Values::of(ty)),
                    _ => None,
                },
                _ => None,
            },
            _ => None,
        };
        match found {
            Some(found) => match found.ty {
                Some(ty) => Some(found.cast(ty)),
                None => Some(found),
            },
            None => self.integer(expr).map(Values::of),
        }
    }

    /// The integers that elements of a view may be: those of its memory, through its casts.
    fn values_in(&self, view: &View) -> Option<Values> {
        let memory = self.program.buffers[view.buffer].number().map(Values::of);
        view.casts.iter().try_fold(memory, |values, cast| {
            let to = int_type(&cast.ty)?;
            Some(Some(values.map_or(Values::of(to), |from| from.cast(to))))
        })?
    }
}
