//! The values of plain numbers that a `let` binds.
//!
//! A `let` such as `y = 4 * row + i` is evaluated by Rust, in Rust's type: it may wrap in a release build. So its value
//! is that of the arithmetic only where it cannot leave its type, or where an access that it stands in was found to be
//! inside, which `check` decides.

use std::collections::BTreeMap;

use shim_core::Space;
use syn::{BinOp, Expr, UnOp};

use crate::ir::{LetDef, LetOverflow, SymbolSource, View};
use crate::static_eval::{self, IntType, Value};
use crate::surface::{self};
use crate::symbolic::{SymInt, Symbol};

use crate::bind::{Binder, Binding, IntTy};

impl Binder<'_> {
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
