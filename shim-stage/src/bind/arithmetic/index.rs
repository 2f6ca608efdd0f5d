//! Index arithmetic: the expressions inside `t[[..]]` and in locations, as symbolic integers.
//!
//! Literals, paths, fields, parentheses and the operators of integers are arithmetic on `isize` after each
//! operand is converted; anything else is one operand, evaluated once in its own type.

use std::collections::BTreeSet;

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::{BinOp, Expr, Ident, Type, UnOp};

use crate::fixed::{self, IntType, Value};
use crate::hygiene::{self, Name};
use crate::ir::{Definition, Let, Operand, Order, Position, Source, StatementKind};
use crate::surface::{self, TensorMethod};
use crate::symbolic::{Range, Sym, SymError};

use crate::bind::{Binder, Binding, Number};

/// What is known when a kernel is expanded.
const STATIC: &str = "a literal, a `const` in the kernel's body, a const generic of a template, or the variable of an \
                      unrolled loop";

/// What is known of an expression as index arithmetic.
pub(in crate::bind) struct IndexExpr {
    /// Its value.
    pub(in crate::bind) value: Result<Sym, Unknown>,
    /// Whether a loop variable is an operand of the arithmetic.
    pub(in crate::bind) varies: bool,
    /// Whether its operands are loop variables and static values alone.
    pub(in crate::bind) only: bool,
    /// Whether it has the same value in Rust, where arithmetic on loop variables is done in `i32`.
    pub(in crate::bind) exact: bool,
}

/// Why there is no value: part of the expression is evaluated where it stands, or does not fit.
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
    fn opaque(value: Result<Sym, Unknown>) -> Self {
        IndexExpr { value, varies: false, only: false, exact: true }
    }

    /// The same, exact only if its value fits the type that Rust computes it in.
    fn within_i32(self) -> Self {
        let i32 = Number::Known(IntType::I32);
        let fits = self.value.as_ref().is_ok_and(|value| i32.holds(value.range()));
        IndexExpr { exact: !self.varies || self.exact && fits, ..self }
    }
}

impl Binder<'_> {
    /// The value of `expr` if it is static; reports what is wrong with it if it is static and wrong.
    pub(in crate::bind) fn fixed(&mut self, expr: &Expr) -> Option<Value> {
        match fixed::eval(expr, &self.scopes) {
            Ok(value) => value,
            Err(error) => {
                self.diagnostics.push(error);
                None
            }
        }
    }

    /// The value of `expr` as a static integer, or an error that says what `what` needs.
    pub(in crate::bind) fn static_integer(&mut self, expr: &Expr, what: &str) -> Option<i64> {
        match fixed::eval(expr, &self.scopes) {
            Ok(Some(Value::Int(int))) => {
                if let Ok(value) = i64::try_from(int.value) {
                    return Some(value);
                }
                self.diagnostics.error(expr, format!("{what} does not fit 64 bits"), "use a smaller number");
            }
            Ok(_) => self.report_dynamic(expr, what),
            Err(error) => self.diagnostics.push(error),
        }
        None
    }

    /// Reports that `expr` is not static, and says what would make it so.
    pub(in crate::bind) fn report_dynamic(&mut self, expr: &Expr, what: &str) {
        if self.mentions_broken(expr) {
            return;
        }
        let help = self.why_dynamic(expr.to_token_stream()).unwrap_or_else(|| format!("use {STATIC}"));
        self.diagnostics.error_in_call(
            expr,
            format!("{what} must be known when the kernel is expanded"),
            help,
        );
    }

    fn is_loop_variable(&self, local: &crate::bind::Local) -> bool {
        local
            .symbol
            .as_ref()
            .is_some_and(|symbol| matches!(self.program.symbol(symbol).source, Source::Loop(_)))
    }

    /// What keeps the first name that is not static from being so.
    fn why_dynamic(&self, tokens: TokenStream) -> Option<String> {
        tokens.into_iter().find_map(|token| match token {
            TokenTree::Group(group) => self.why_dynamic(group.stream()),
            TokenTree::Ident(name) if self.scopes.is_generic(&name) => Some(format!(
                "rustc knows the kernel's generic parameter `{name}`, but the macro does not: take it as a const generic of a \
                 template (a short loop over it is unrolled by rustc without `#[unroll]`)"
            )),
            TokenTree::Ident(name) => match self.scopes.get(&name) {
                Some(Binding::Index { .. }) => {
                    Some(format!("`{name}` varies in its loop: put `#[unroll]` before that, or use {STATIC}"))
                }
                Some(Binding::Local(local)) if local.mutable => {
                    Some(format!("`{name}` is `mut`, so that its value may change: use {STATIC}"))
                }
                None | Some(Binding::Local(_)) if hygiene::text(&name).starts_with(char::is_uppercase) => {
                    Some(format!(
                        "the macro sees this function alone and cannot tell what `{name}` is: write the number itself \
                         into a `const` of the kernel's body, or take it as a const generic of a template"
                    ))
                }
                Some(Binding::Local(local)) if self.is_loop_variable(local) => {
                    Some(format!("`{name}` varies in its loop: put `#[unroll]` before that, or use {STATIC}"))
                }
                Some(Binding::Local(_)) => {
                    Some(format!("`{name}` is known at run time alone: use {STATIC}"))
                }
                _ => None,
            },
            TokenTree::Punct(_) | TokenTree::Literal(_) => None,
        })
    }

    /// `expr` as index arithmetic; operands that are evaluated where it stands are added to `operands`.
    pub(in crate::bind) fn index(&mut self, expr: &Expr, operands: &mut Vec<Operand>) -> Sym {
        match self.index_expr(expr, Some(operands)).value {
            Ok(sym) => sym,
            Err(unknown) => {
                let error = unknown.error.unwrap_or(SymError::Overflow);
                let help = "what is known of an index at expansion must fit in 64 bits; compute part of it in a `let`";
                self.diagnostics.error(expr, error, help);
                Sym::constant(0)
            }
        }
    }

    /// What one walk over `expr` tells of it as index arithmetic. Without `operands`, what is evaluated where it stands is unknown.
    pub(in crate::bind) fn index_expr(
        &mut self,
        expr: &Expr,
        mut operands: Option<&mut Vec<Operand>>,
    ) -> IndexExpr {
        let expr = self.followed(expr);
        match fixed::eval(expr, &self.scopes) {
            Ok(Some(Value::Int(int))) => {
                let value = i64::try_from(int.value).map(Sym::constant).map_err(|_| SymError::Overflow);
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
                let by = right.value.as_ref().ok().filter(|_| !right.varies).and_then(Sym::as_constant);
                let shift = matches!(binary.op, BinOp::Shl(_) | BinOp::Shr(_));
                let exact =
                    left.exact && right.exact && (!shift || by.is_some_and(|by| (0..32).contains(&by)));
                let (varies, only) = (left.varies || right.varies, left.only && right.only);
                let both = left.value.and_then(|left| Ok((left, right.value?)));
                let value =
                    both.and_then(|(left, right)| apply(&binary.op, &left, &right).map_err(Unknown::wrong));
                IndexExpr { value, varies, only, exact }.within_i32()
            }
            Expr::Path(path) if path.qself.is_none() => {
                self.index_path(expr, path.path.get_ident(), operands)
            }
            Expr::Cast(cast) if operands.is_some() => {
                // A cast that cannot change the value is no operand of its own.
                if let Some(inner) = self.pure_index(&cast.expr)
                    && fits(inner.range(), &cast.ty)
                {
                    if let Some(Number::Known(ty)) = Number::of_type(&cast.ty) {
                        fixed::Scope::relies_on(&self.scopes, ty);
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
            Expr::MethodCall(call) => {
                let asks = match (self.tensor_method(call), &operands) {
                    (Some(_), Some(_)) => self.may_be_early(expr),
                    (Some(TensorMethod::Extent | TensorMethod::Origin), None) => {
                        self.is_stable(&call.receiver)
                    }
                    _ => false,
                };
                match asks.then(|| self.query_value(call)).flatten() {
                    Some(sym) => IndexExpr::opaque(Ok(sym)),
                    None => self.unknown(expr, operands),
                }
            }
            _ => self.unknown(expr, operands),
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
        let fixed = matches!(binding, Some(Binding::Local(local)) if local.is_fixed());
        let only = varies || self.counts_in_i32(expr);
        let value = match (name, operands) {
            (Some(name), Some(operands)) => Ok(self.named(name, expr, operands)),
            (Some(name), None) if varies || fixed => Ok(self.named(name, expr, &mut Vec::new())),
            (None, Some(_)) => Ok(self.constant_path(expr)),
            (_, None) => Err(Unknown::default()),
        };
        IndexExpr { value, varies, only, exact }
    }

    /// What is evaluated where it stands.
    fn unknown(&mut self, expr: &Expr, operands: Option<&mut Vec<Operand>>) -> IndexExpr {
        IndexExpr::opaque(match operands {
            Some(operands) => Ok(self.operand(expr, operands)),
            None => Err(Unknown::default()),
        })
    }

    /// A name in index arithmetic.
    fn named(&mut self, name: &Ident, expr: &Expr, operands: &mut Vec<Operand>) -> Sym {
        match self.scopes.get(name).cloned() {
            Some(Binding::Index { sym, .. }) => sym,
            Some(Binding::Local(local)) if local.is_fixed() => {
                if let Some(symbol) = &local.symbol {
                    return Sym::symbol(symbol);
                }
                let range = local.number.map_or(Range { lo: None, hi: None }, Number::range);
                // rustc shows a value that is no integer where it is an index, not where it is bound.
                let mut emitted = local.name.clone();
                emitted.set_span(emitted.span().located_at(name.span()));
                let number = local.number.and_then(Number::name);
                let source = Source::Stable(emitted, number);
                let symbol = self.symbol(&hygiene::text(name), range, source, local.defined);
                if let Some(Binding::Local(local)) = self.scopes.get_mut(name) {
                    local.symbol = Some(symbol.clone());
                }
                Sym::symbol(&symbol)
            }
            Some(Binding::Local(_) | Binding::Static(_) | Binding::Table(..)) => self.operand(expr, operands),
            Some(Binding::Tensor(_)) => {
                self.diagnostics.error(
                    expr,
                    format!("the tensor `{name}` is used as a number"),
                    "an element is read with an index list, as in `t[[0, 0]]`",
                );
                Sym::constant(0)
            }
            Some(Binding::Template(_)) => {
                self.template_as_value(expr);
                Sym::constant(0)
            }
            Some(Binding::Broken) => Sym::constant(0),
            Some(Binding::Point(_)) => {
                self.diagnostics.error(
                    expr,
                    format!("the point `{name}` is used as a number"),
                    format!("it is an index by itself, as in `t[{name}]`; one of its numbers is `{name}[0]`"),
                );
                Sym::constant(0)
            }
            Some(Binding::Iterator) => {
                self.diagnostics.error(
                    expr,
                    format!("the iterator `{name}` has no loop here"),
                    "an iterator on the right must stand alone in the index list on the left",
                );
                Sym::constant(0)
            }
            // A local that a macro of the user's made may change; a constant is one to rustc too, or an error.
            None if hygiene::text(name).starts_with(char::is_lowercase) => self.operand(expr, operands),
            None => self.constant_path(expr),
        }
    }

    /// A path that is no local: a constant or const generic. Its value is taken in the outermost block where the path means
    /// what it means here, and is the same wherever it is mentioned.
    fn constant_path(&mut self, expr: &Expr) -> Sym {
        let idents = identifiers(expr.to_token_stream());
        let context = self.scopes.home(&idents);
        let key = (idents.iter().map(Name::of).collect(), context);
        if let Some(symbol) = self.paths.get(&key) {
            return Sym::symbol(symbol);
        }
        let hint = idents.last().map_or("constant".to_owned(), hygiene::text).to_lowercase();
        let mut name = self.names.fresh(&hint);
        name.set_span(name.span().located_at(syn::spanned::Spanned::span(expr)));
        let defined = Position { context, statement: 0 };
        let symbol =
            self.symbol(&hint, Range { lo: None, hi: None }, Source::Constant(name.clone()), defined);
        let value = Definition::Constant(Box::new(expr.clone()));
        let start = Position { context, statement: 0 };
        self.program.insert(start, Order::Constant, StatementKind::Let(Let { name, value }));
        self.paths.insert(key, symbol.clone());
        Sym::symbol(&symbol)
    }

    /// `expr` as one operand, evaluated here.
    fn operand(&mut self, expr: &Expr, operands: &mut Vec<Operand>) -> Sym {
        let hint = match expr {
            Expr::Path(path) => path.path.get_ident().map_or("index".to_owned(), |name| format!("{name}_i")),
            Expr::MethodCall(call) => format!("{}_i", call.method),
            Expr::Field(syn::ExprField { member: syn::Member::Named(name), .. }) => format!("{name}_i"),
            _ => "index".to_owned(),
        };
        let number = self.number(expr);
        let value = self.expression(expr);
        let local = self.names.fresh(&hint);
        // It has a value inside of the access alone, not before the statement.
        let here = self.position();
        let inside = Position { statement: here.statement + 1, ..here };
        let range = number.map_or(Range { lo: None, hi: None }, Number::range);
        let symbol = self.symbol(&local.to_string(), range, Source::Local(local.clone()), inside);
        let number = number.and_then(Number::name);
        operands.push(Operand { symbol: symbol.clone(), local, value, number });
        Sym::symbol(&symbol)
    }

    /// `y` of `*y`, where `y` is a reference to a loop variable: a number, whichever way it is spelled.
    pub(in crate::bind) fn followed<'e>(&self, expr: &'e Expr) -> &'e Expr {
        let expr = surface::bare(expr);
        match expr {
            Expr::Unary(unary) if matches!(unary.op, UnOp::Deref(_)) => match surface::ident(&unary.expr) {
                Some(name)
                    if matches!(self.scopes.get(name), Some(Binding::Index { reference: true, .. })) =>
                {
                    surface::bare(&unary.expr)
                }
                _ => expr,
            },
            _ => expr,
        }
    }

    /// `expr` as index arithmetic without operands of its own and without a message: for conditions.
    pub(in crate::bind) fn pure_index(&mut self, expr: &Expr) -> Option<Sym> {
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
        matches!(local.number, Some(Number::Open | Number::Known(IntType::I32)))
            && self.is_loop_variable(local)
    }

    /// `expr` as index arithmetic that is fixed from here on: operands are evaluated now.
    pub(in crate::bind) fn captured(&mut self, expr: &Expr, hint: &str, extent: bool) -> Sym {
        let mut operands = Vec::new();
        let sym = self.index(expr, &mut operands);
        let fresh: BTreeSet<_> = operands.iter().map(|operand| operand.symbol.clone()).collect();
        for operand in operands {
            let Operand { symbol, local: name, value, number } = operand;
            let value = Definition::Conversion { symbol: symbol.clone(), value: Box::new(value), number };
            self.write(StatementKind::Let(Let { name, value }));
            let after = self.position();
            self.program.symbols[symbol.id() as usize].defined = after;
        }
        self.settle(&sym);
        // An extent that takes more than a sum to compute is computed once.
        let single = fresh.len() == 1 && sym.symbols() == fresh && sym.cost() == 0;
        if extent && !single && !sym.symbols().is_empty() && sym.cost() > 2 {
            return self.define(hint, sym);
        }
        sym
    }

    /// A local that holds the value of `sym`.
    pub(in crate::bind) fn define(&mut self, hint: &str, sym: Sym) -> Sym {
        let name = self.names.fresh(hint);
        let place = self.position();
        let defined = Position { statement: place.statement + 1, ..place };
        let symbol = self.symbol(&name.to_string(), sym.range(), Source::Local(name.clone()), defined);
        self.write(StatementKind::Let(Let { name, value: Definition::Index(sym) }));
        Sym::symbol(&symbol)
    }
}

/// The identifiers among tokens.
pub(in crate::bind) fn identifiers(tokens: TokenStream) -> Vec<Ident> {
    tokens
        .into_iter()
        .flat_map(|token| match token {
            TokenTree::Ident(ident) => vec![ident],
            TokenTree::Group(group) => identifiers(group.stream()),
            TokenTree::Punct(_) | TokenTree::Literal(_) => Vec::new(),
        })
        .collect()
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

fn apply(op: &BinOp, left: &Sym, right: &Sym) -> Result<Sym, SymError> {
    match op {
        BinOp::Add(_) => left.add(right),
        BinOp::Sub(_) => left.sub(right),
        BinOp::Mul(_) => left.mul(right),
        BinOp::Div(_) => left.trunc_div(right),
        BinOp::Rem(_) => left.trunc_rem(right),
        BinOp::Shl(_) => left.shl(right),
        BinOp::Shr(_) => left.shr(right),
        BinOp::BitAnd(_) => left.bit_and(right),
        BinOp::BitOr(_) => left.bit_or(right),
        _ => left.bit_xor(right),
    }
}

/// Whether a cast to `ty` keeps every value of `range`.
fn fits(range: Range, ty: &Type) -> bool {
    match Number::of_type(ty) {
        Some(Number::Known(IntType::Isize | IntType::I64 | IntType::I128)) => true,
        Some(Number::Known(IntType::Usize | IntType::U64 | IntType::U128)) => {
            range.lo.is_some_and(|lo| lo >= 0)
        }
        Some(number) => number.holds(range),
        None => false,
    }
}
