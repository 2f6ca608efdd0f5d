//! Which operations may panic, apart from accesses: a stage in memory may be computed where the source computes
//! nothing, which must not be noticed.

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::{BinOp, Expr, ExprBinary, ExprIndex, ExprMethodCall, Type, UnOp};

use crate::ir::Hole;
use crate::static_eval::{self, IntType, Value, Values, methods};
use crate::surface;
use crate::symbolic::Atom;

use crate::bind::names::local::Inlined;
use crate::bind::types::{Known, Primitive};
use crate::bind::walk::Totality;
use crate::bind::{Binder, Binding};

impl Binder<'_> {
    /// The result of `bind`, and what in it may panic first, accesses aside, and operations on integers if these may wrap
    /// instead.
    pub(in crate::bind) fn totality<T>(
        &mut self,
        wraps: bool,
        bind: impl FnOnce(&mut Self) -> T,
    ) -> (T, Option<TokenStream>) {
        let around = self.walk.totality.replace(Totality { panics: None, wraps });
        let bound = bind(self);
        let panics = self.walk.totality.take().and_then(|totality| totality.panics);
        self.walk.totality = around;
        if let Some(panics) = &panics {
            self.may_panic(panics);
        }
        (bound, panics)
    }

    /// Notes that something bound may panic.
    pub(in crate::bind) fn may_panic(&mut self, tokens: impl ToTokens) {
        if let Some(totality) = &mut self.walk.totality {
            totality.panics.get_or_insert_with(|| tokens.to_token_stream());
        }
    }

    /// Whether nothing that was bound may panic, where that is asked.
    fn asks_totality(&self) -> bool {
        matches!(self.walk.totality, Some(Totality { panics: None, .. }))
    }

    /// Binds an expression or a place, and notes whether it may panic by itself: its parts are noted on their own, and the
    /// first that may panic decides.
    pub(in crate::bind) fn noting_panic(
        &mut self,
        expr: &Expr,
        bind: impl FnOnce(&mut Self) -> Expr,
    ) -> Expr {
        if !self.asks_totality() || self.is_total_alone(expr) {
            return bind(self);
        }
        self.or_wrapping(expr, bind)
    }

    /// Binds what may panic. Where that is an operation on integers that may wrap instead, it becomes a hole.
    pub(in crate::bind) fn or_wrapping(&mut self, expr: &Expr, bind: impl FnOnce(&mut Self) -> Expr) -> Expr {
        if !self.may_wrap(expr) {
            self.may_panic(expr);
            return bind(self);
        }
        match bind(self) {
            operation @ (Expr::Binary(_) | Expr::Unary(_) | Expr::MethodCall(_)) => {
                self.program.hole(Hole::Overflowing { operation: Box::new(operation), wraps: false })
            }
            other => {
                self.may_panic(expr);
                other
            }
        }
    }

    /// Notes whether an elementwise assignment may panic by its operator.
    pub(in crate::bind) fn note_operator(&mut self, binary: &ExprBinary) {
        if self.asks_totality() && !self.is_total_operator(binary) {
            self.may_panic(binary);
        }
    }

    /// Whether an operation that may panic does so by overflow alone, and has a form that wraps.
    fn may_wrap(&self, expr: &Expr) -> bool {
        let is_integer =
            |expr: &Expr| matches!(self.primitive(expr), Some(Primitive::Int(_) | Primitive::OpenInt));
        self.wraps_integers()
            && match expr {
                Expr::Binary(ExprBinary { left, op, right, .. }) => {
                    let is_arithmetic = matches!(
                        op,
                        BinOp::Add(_)
                            | BinOp::Sub(_)
                            | BinOp::Mul(_)
                            | BinOp::AddAssign(_)
                            | BinOp::SubAssign(_)
                            | BinOp::MulAssign(_)
                    );
                    is_arithmetic && is_integer(left) && is_integer(right)
                }
                Expr::Unary(unary) => matches!(unary.op, UnOp::Neg(_)) && is_integer(&unary.expr),
                Expr::MethodCall(call) => {
                    is_integer(&call.receiver)
                        && !self.passes_closure(&call.args)
                        && methods::has_wrapping(&call.method.to_string())
                }
                _ => false,
            }
    }

    /// Whether a method call may panic by itself, where that is asked and no chain that becomes a loop ends in it.
    pub(in crate::bind) fn call_may_panic(&mut self, call: &ExprMethodCall) -> bool {
        self.asks_totality() && !self.is_total_method(call)
    }

    /// An item added to or multiplied with the sum or product of a chain, which may leave its type.
    pub(in crate::bind) fn accumulated(&mut self, call: &ExprMethodCall, step: Expr) -> Expr {
        if !self.asks_totality() {
            return step;
        }
        let ty = self.turbofish_primitive(call);
        let fits = match ty {
            Some(Primitive::Float(_)) => true,
            Some(Primitive::Int(ty)) if call.method == "sum" => {
                self.chain_sum(call).is_some_and(|sum| sum.are_in(ty))
            }
            _ => false,
        };
        if fits {
            return step;
        }
        if matches!(ty, Some(Primitive::Int(_))) && self.wraps_integers() {
            return self.program.hole(Hole::Overflowing { operation: Box::new(step), wraps: false });
        }
        self.may_panic(call);
        step
    }

    /// Whether operations on integers may wrap instead of panicking.
    fn wraps_integers(&self) -> bool {
        self.walk.totality.as_ref().is_some_and(|totality| totality.wraps)
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
                    let own = self.known_value(&unary.expr);
                    let negated = own.and_then(|own| own.values?.negated());
                    let fits = |(own, negated): (Known, Values)| match own.primitive {
                        // A literal behind a minus sign has a signed type.
                        Primitive::OpenInt => negated.are_in(IntType::I8),
                        _ => own.fits(negated),
                    };
                    self.is_float(&unary.expr) || own.zip(negated).is_some_and(fits)
                }
                _ => false,
            },
            // A template's statements are bound in the place of its call.
            Expr::Call(call) => {
                (self.callee(&call.func).is_some() || self.converts(call) || self.calls_total_closure(call))
                    && !self.passes_closure(&call.args)
            }
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
            // [`Self::call_may_panic`] decides, once it is known that the call does not end a chain.
            | Expr::MethodCall(_)
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
        self.linear_size(expr, 16)
            .is_some_and(|[factors, constant]| (1..=64).contains(&factors) && constant <= 1 << 24)
    }

    /// The sums of the absolute values of the factors of loop variables and of the constants in a sum of both, where
    /// operations are nested less than `depth` deep: each part of a long sum asks this.
    fn linear_size(&self, expr: &Expr, depth: usize) -> Option<[i64; 2]> {
        let depth = depth.checked_sub(1)?;
        match surface::strip_parens(expr) {
            Expr::Path(path) => match self.scopes.get(path.path.get_ident()?)? {
                Binding::Index { sym, .. } => {
                    let mut factors: i64 = 0;
                    for (factor, monomial) in sym.terms() {
                        let [Atom::Symbol(_)] = monomial else { return None };
                        factors = factors.checked_add(factor.checked_abs()?)?;
                    }
                    Some([factors, sym.constant_part().checked_abs()?])
                }
                _ => self.constant_size(expr),
            },
            Expr::Binary(ExprBinary {
                left,
                op: op @ (BinOp::Add(_) | BinOp::Sub(_) | BinOp::Mul(_)),
                right,
                ..
            }) => {
                let [a, b] = [self.linear_size(left, depth)?, self.linear_size(right, depth)?];
                let [factor, other] = if a[0] == 0 { [a, b] } else { [b, a] };
                match op {
                    BinOp::Mul(_) if factor[0] == 0 => {
                        Some([factor[1].checked_mul(other[0])?, factor[1].checked_mul(other[1])?])
                    }
                    BinOp::Mul(_) => None,
                    _ => Some([a[0].checked_add(b[0])?, a[1].checked_add(b[1])?]),
                }
            }
            other => self.constant_size(other),
        }
    }

    /// The greatest absolute value of a part of a sum that varies with no loop variable.
    fn constant_size(&self, expr: &Expr) -> Option<[i64; 2]> {
        let size = match static_eval::eval(expr, &self.scopes) {
            Ok(Some(Value::Int(int))) => int.value.unsigned_abs(),
            _ => {
                let values = self.values(expr)?;
                values.least.unsigned_abs().max(values.greatest.unsigned_abs())
            }
        };
        Some([0, i64::try_from(size).ok()?])
    }

    fn is_float(&self, expr: &Expr) -> bool {
        matches!(self.primitive(expr), Some(Primitive::Float(_)))
    }

    fn is_total_operator(&self, binary: &ExprBinary) -> bool {
        let (left, right) = (&binary.left, &binary.right);
        match binary.op {
            BinOp::Add(_) | BinOp::Sub(_) | BinOp::Mul(_) => {
                let both = self.known_value(left).zip(self.known_value(right));
                let result = both.map(|(left, right)| left.operator(&binary.op, right));
                self.is_float(left) && self.is_float(right)
                    || result.is_some_and(|result| result.values.is_some_and(|values| result.fits(values)))
            }
            // The range of a `mut` number takes all assignments to it into account.
            BinOp::AddAssign(_) | BinOp::SubAssign(_) => self.is_float(left) || self.is_bounded(left),
            BinOp::MulAssign(_) => self.is_float(left),
            // The least number of a signed type is divided by -1 to none.
            BinOp::Div(_) | BinOp::Rem(_) | BinOp::DivAssign(_) | BinOp::RemAssign(_) => {
                self.is_float(left) || self.values(right).is_some_and(|divisors| divisors.least > 0)
            }
            BinOp::Shl(_) | BinOp::Shr(_) | BinOp::ShlAssign(_) | BinOp::ShrAssign(_) => {
                let bits = match self.primitive(left) {
                    Some(Primitive::Int(ty)) => i128::from(ty.bits()),
                    _ => 8,
                };
                self.values(right).is_some_and(|by| by.least >= 0 && by.greatest < bits)
            }
            _ => true,
        }
    }

    /// Whether a place is a number whose assignments keep it in its type.
    fn is_bounded(&self, place: &Expr) -> bool {
        let local = surface::ident(place).and_then(|name| match self.scopes.get(name) {
            Some(Binding::Local(local)) => Some(local),
            _ => None,
        });
        let values = local.and_then(|local| local.values);
        values.zip(self.known_value(place)).is_some_and(|(values, known)| known.fits(values))
    }

    /// Whether a call is of a closure that does not panic, or whose body is bound in the place of the call.
    fn calls_total_closure(&self, call: &syn::ExprCall) -> bool {
        self.closure_named(&call.func)
            .is_some_and(|closure| closure.is_total || self.is_inlined(closure, call))
    }

    /// Whether a closure that may panic is an argument.
    fn passes_closure<'e>(&self, arguments: impl IntoIterator<Item = &'e Expr>) -> bool {
        arguments.into_iter().any(|own| self.closure_named(own).is_some_and(|closure| !closure.is_total))
    }

    /// Notes closures that are called for the items of a chain.
    pub(in crate::bind) fn note_consumer(&mut self, call: &ExprMethodCall) {
        if self.passes_closure(&call.args) {
            self.may_panic(call);
        }
    }

    fn closure_named(&self, expr: &Expr) -> Option<&Inlined> {
        if let Expr::Reference(reference) = surface::strip_parens(expr) {
            return self.closure_named(&reference.expr);
        }
        match self.scopes.get(surface::ident(expr)?)? {
            Binding::Local(local) => local.closure.as_deref(),
            _ => None,
        }
    }

    fn is_total_method(&self, call: &ExprMethodCall) -> bool {
        if self.passes_closure(&call.args) {
            return false;
        }
        let method = call.method.to_string();
        if self.tensor_method(call).is_some() || self.found_or(call).is_some() {
            return true;
        }
        match self.primitive(&call.receiver) {
            // `clamp` of floats panics where the bounds are out of order, as that of integers does.
            Some(Primitive::Float(_)) => method != "clamp" || has_ordered_bounds(call),
            Some(Primitive::Int(ty)) => methods::is_total(&method) || self.has_value(call, ty),
            Some(Primitive::OpenInt) => methods::is_total(&method),
            _ => false,
        }
    }

    /// The integers that a value may be.
    fn values(&self, expr: &Expr) -> Option<Values> {
        self.known_value(expr)?.values
    }
}

/// Whether the arguments of a `clamp` of floats are literals in their order.
fn has_ordered_bounds(call: &ExprMethodCall) -> bool {
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
    bound(least).zip(bound(greatest)).is_some_and(|(least, greatest)| least <= greatest)
}
