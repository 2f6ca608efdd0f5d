//! What type a plain number of the user's has, where the kernel shows it, and what is known of its value.
//!
//! A `let` such as `y = 4 * row + i` is evaluated by Rust, in Rust's type: it may wrap in a release build. So its value
//! is that of the arithmetic only where it cannot leave its type, or where an access that it stands in was found to be
//! inside, which `check` decides.

use std::collections::BTreeMap;

use shim_core::Space;
use syn::{BinOp, Expr, Type, UnOp};

use crate::ir::{LetDef, LetOverflow, SymbolSource, View};
use crate::parse::signature::element;
use crate::static_eval::{self, IntType, Value};
use crate::surface::{self, TensorMethod};
use crate::symbolic::{Range, SymInt, Symbol};

use crate::bind::{Binder, Binding};

/// The type of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IntTy {
    /// This one.
    Known(IntType),
    /// Whatever integer the rest of the kernel makes it: it is computed of literals without a suffix.
    Infer,
}

impl IntTy {
    /// The number that a type written out is.
    pub(in crate::bind) fn of_type(ty: &Type) -> Option<Self> {
        let Type::Path(path) = ty else { return None };
        IntType::parse(&path.path.get_ident()?.to_string()).map(Self::Known)
    }

    /// Its name, if it is known.
    pub(in crate::bind) fn name(self) -> Option<&'static str> {
        match self {
            Self::Known(ty) => Some(ty.name()),
            Self::Infer => None,
        }
    }

    /// The values it may have, as far as 64 bits hold them.
    pub(in crate::bind) fn range(self) -> Range {
        match self {
            Self::Known(ty) if ty.is_pointer_sized() || ty.bits() > 32 => {
                Range { lo: (!ty.is_signed()).then_some(0), hi: None }
            }
            Self::Known(ty) => Range { lo: i64::try_from(ty.min()).ok(), hi: i64::try_from(ty.max()).ok() },
            Self::Infer => Range { lo: None, hi: None },
        }
    }

    /// Whether each of `values` is one of its values, on every target.
    pub(in crate::bind) fn holds(self, values: Range) -> bool {
        let (least, most) = match self {
            Self::Known(IntType::Usize) => (0, i128::from(u32::MAX)),
            Self::Known(IntType::Isize) => (i128::from(i32::MIN), i128::from(i32::MAX)),
            Self::Known(ty) => (ty.min(), ty.max()),
            Self::Infer => (0, i128::from(i8::MAX)),
        };
        matches!((values.lo, values.hi), (Some(lo), Some(hi)) if least <= i128::from(lo) && i128::from(hi) <= most)
    }

    /// The type of an operation on both.
    pub(in crate::bind) fn with(self, other: Self) -> Option<Self> {
        match (self, other) {
            (Self::Infer, ty) | (ty, Self::Infer) => Some(ty),
            (a, b) => (a == b).then_some(a),
        }
    }
}

impl Binder<'_> {
    /// The type of `expr`, if it is certainly a plain integer of the language's own types: what it says is relied on
    /// by the conversion to `isize`, which takes no other type.
    pub(in crate::bind) fn number(&self, expr: &Expr) -> Option<IntTy> {
        let expr = surface::strip_parens(expr);
        if let Ok(Some(Value::Int(int))) = static_eval::eval(expr, &self.scopes) {
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

    /// Sums and products of names and numbers, as the arithmetic that they are where nothing overflows. What is left
    /// of an overflow is the same modulo the type's size, which is true of these operators alone.
    fn polynomial(&mut self, expr: &Expr) -> Option<SymInt> {
        let expr = surface::strip_parens(expr);
        match expr {
            Expr::Unary(unary) if matches!(unary.op, UnOp::Neg(_)) => {
                self.polynomial(&unary.expr)?.scale(-1).ok()
            }
            Expr::Binary(_) if self.is_quotient(expr) => self.pure_index(expr),
            Expr::Binary(binary) => {
                let (left, right) = (self.polynomial(&binary.left)?, self.polynomial(&binary.right)?);
                match binary.op {
                    BinOp::Add(_) => left.add(&right).ok(),
                    BinOp::Sub(_) => left.sub(&right).ok(),
                    BinOp::Mul(_) => left.mul(&right).ok(),
                    _ => None,
                }
            }
            Expr::Cast(cast) => {
                let inner = surface::strip_parens(&cast.expr);
                if !matches!(inner, Expr::Path(_) | Expr::Lit(_)) {
                    return None;
                }
                let range = self.number(inner)?.range();
                let value = self.polynomial(inner)?;
                let kept = match IntTy::of_type(&cast.ty)? {
                    // A value that does not fit `isize` is none in an index.
                    IntTy::Known(IntType::Usize | IntType::U64 | IntType::U128) => {
                        range.lo.is_some_and(|lo| lo >= 0)
                    }
                    IntTy::Known(IntType::Isize | IntType::I64 | IntType::I128) => true,
                    ty => ty.holds(range) && ty.holds(value.range()),
                };
                kept.then_some(value)
            }
            Expr::Lit(_) | Expr::Path(_) => self.pure_index(expr),
            _ => None,
        }
    }

    /// Whether `expr` is a name without a sign over a number: Rust's division is exact there, and that of locations.
    pub(in crate::bind) fn is_quotient(&self, expr: &Expr) -> bool {
        let Expr::Binary(binary) = surface::strip_parens(expr) else { return false };
        let Expr::Path(path) = surface::strip_parens(&binary.left) else { return false };
        let Some(Binding::Local(local)) = path.path.get_ident().and_then(|name| self.scopes.get(name)) else {
            return false;
        };
        let (Some(IntTy::Known(ty)), true) = (local.number, local.is_unchanging()) else { return false };
        let Ok(Some(Value::Int(by))) = static_eval::eval(&binary.right, &self.scopes) else { return false };
        !ty.is_signed()
            && match binary.op {
                BinOp::Div(_) | BinOp::Rem(_) => by.value > 0,
                // A shift by more is an overflow, which need not panic.
                BinOp::Shr(_) => (0..i128::from(ty.bits().min(32))).contains(&by.value),
                _ => false,
            }
    }

    /// The value of a `let` unless it overflows, if it is arithmetic on what the algebra knows.
    pub(in crate::bind) fn let_def(&mut self, expr: &Expr) -> Option<SymInt> {
        self.number(expr)?;
        if !matches!(surface::strip_parens(expr), Expr::Binary(_) | Expr::Unary(_) | Expr::Cast(_)) {
            return None;
        }
        self.polynomial(expr).filter(|value| value.as_constant().is_none())
    }

    /// Notes the type of a new local, and its value unless it overflows.
    pub(in crate::bind) fn define_local(
        &mut self,
        name: &syn::Ident,
        number: Option<IntTy>,
        value: Option<SymInt>,
    ) {
        let Some(Binding::Local(local)) = self.scopes.get_mut(name) else { return };
        if !local.is_unchanging() {
            return;
        }
        local.number = local.number.or(number);
        let (Some(number), Some(value), None) = (local.number, value, &local.symbol) else { return };
        let overflow = match number {
            number if number.holds(value.range()) => LetOverflow::Never,
            IntTy::Known(ty) if ty.bits() > 32 => LetOverflow::Wide { signed: ty.is_signed() },
            _ => return,
        };
        let (emitted, defined) = (local.name.clone(), local.defined);
        let source = SymbolSource::Stable(emitted, number.name());
        let symbol = self.symbol(&crate::hygiene::text(name), number.range(), source, defined);
        if let Some(Binding::Local(local)) = self.scopes.get_mut(name) {
            local.symbol = Some(symbol.clone());
        }
        self.scopes.let_defs.push((LetDef { symbol, value, overflow }, self.walk.effects.epoch().opaque));
    }

    /// The values of the `let`s that an access stands on, as far as nothing unknown ran in between.
    pub(in crate::bind) fn let_defs_of(&self, view: &View, index: &[SymInt]) -> Vec<LetDef> {
        let now = self.walk.effects.epoch().opaque;
        let since = self.scopes.let_defs.partition_point(|(_, opaque)| *opaque < now);
        let recent = &self.scopes.let_defs[since..];
        if recent.is_empty() {
            return Vec::new();
        }
        let block = &self.program.buffers[view.buffer].space;
        let Ok(coordinates) = Space::map(&view.space.space, &block.space, index) else { return Vec::new() };
        let mut found = BTreeMap::new();
        let mut symbols: Vec<Symbol> = coordinates.iter().flat_map(SymInt::symbols).collect();
        while let Some(symbol) = symbols.pop() {
            // They are numbered in the order in which they were bound.
            let Ok(at) = recent.binary_search_by_key(&symbol.id(), |(let_defs, _)| let_defs.symbol.id())
            else {
                continue;
            };
            let let_defs = &recent[at].0;
            if found.insert(at, let_defs.clone()).is_none() {
                symbols.extend(let_defs.value.symbols());
            }
        }
        found.into_values().collect()
    }
}

/// The value of a block that does nothing but have one.
fn tail(block: &syn::Block) -> Option<&Expr> {
    match block.stmts.as_slice() {
        [syn::Stmt::Expr(value, None)] => Some(value),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use proc_macro2::TokenStream;
    use quote::quote;

    /// How many accesses are tested where they run.
    fn tested(body: &TokenStream) -> usize {
        let kernel = quote! {
            fn kernel(t: &[i16], h: usize, w: usize, r: usize, s: i32, b: u8) -> i16 {
                let t = Block::external(t, [h, w]);
                let mut sum = 0;
                for i in 0..4usize {
                    #body
                }
                sum
            }
        };
        let expansion = crate::kernel(TokenStream::new(), kernel).to_string();
        assert!(!expansion.contains("compile_error"), "{expansion}");
        let (_, inside) = expansion.split_once("for i").expect("a loop");
        inside.matches("shim . offset").count() + inside.matches("assert_within").count()
    }

    #[test]
    fn what_cannot_overflow_unseen_is_asserted_before_the_nest() {
        assert_eq!(tested(&quote!(let y = 4 * r + i; sum += t[[y, 0]];)), 0);
        assert_eq!(tested(&quote!(let y = 4 * r + i; let z = y + 1; sum += t[[z, y]];)), 0);
        assert_eq!(tested(&quote!(let (y, x) = (2 * i, r / 2); sum += t[[y, x]];)), 0);
        assert_eq!(tested(&quote!(let y = b as usize * 2 + i; sum += t[[y + 2 * r, 0]];)), 0);
        assert_eq!(tested(&quote!(let y = r + i; let part = t[[y.., 1..]]; sum += part[[0, 0]];)), 0);
        // A name is given to another value, and what was computed of the first one stays what it was.
        assert_eq!(tested(&quote!(let y = r + i; let r = 2 * i; sum += t[[y, r]];)), 0);
    }

    #[test]
    fn what_may_be_another_value_is_tested() {
        // Below zero it wraps, and a minus may be what is meant.
        assert_eq!(tested(&quote!(let y = i - r; sum += t[[y, 0]];)), 1);
        // The sum may leave the type and still be an index.
        assert_eq!(tested(&quote!(let y = s + i as i32; sum += t[[y, 0]];)), 1);
        // What is unknown may have changed what a name is.
        assert_eq!(tested(&quote!(let y = r + i; call(); sum += t[[y, 0]];)), 1);
    }
}
