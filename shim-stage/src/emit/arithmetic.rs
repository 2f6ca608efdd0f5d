//! Symbolic integers as Rust expressions.

use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;

use crate::ir::{LoopKind, Position, Program, Source};
use crate::symbolic::{BinaryOp, Form, Sym, Symbol};

/// What happens where a result might not fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Overflow {
    /// It panics, in release builds too: the arithmetic decides whether an access is safe.
    Panics,
    /// It wraps: the value is used only where it is known to have fitted.
    Wraps,
    /// It cannot happen: the value is that of an element inside its block.
    Fits,
}

/// Writes symbolic integers as they are seen from one place in the program.
pub(super) struct Arithmetic<'p> {
    pub(super) program: &'p Program,
    pub(super) krate: &'p TokenStream,
    pub(super) place: Position,
    pub(super) overflow: Overflow,
}

/// An expression with the least and greatest value it can have, and how tightly it binds.
struct Term {
    tokens: TokenStream,
    lo: i128,
    hi: i128,
    binding: u8,
}

const ATOM: u8 = 6;
const UNARY: u8 = 5;
const PRODUCT: u8 = 4;
const SUM: u8 = 3;
const SHIFT: u8 = 2;
const BITS: u8 = 1;

impl Term {
    fn at(self, binding: u8) -> TokenStream {
        if self.binding >= binding {
            return self.tokens;
        }
        let tokens = self.tokens;
        quote!((#tokens))
    }
}

impl Arithmetic<'_> {
    /// `sym` as an expression of type `isize`.
    pub(super) fn isize(&self, sym: &Sym) -> TokenStream {
        self.term(&sym.form()).tokens
    }

    /// `sym`, known not to be negative, as an expression of type `usize`.
    pub(super) fn usize(&self, sym: &Sym) -> TokenStream {
        if let Some(value) = sym.as_constant() {
            let literal = Literal::u64_unsuffixed(value.unsigned_abs());
            return quote!(#literal);
        }
        let value = self.term(&sym.form()).at(ATOM);
        quote!(#value as usize)
    }

    /// The offset `named + rest`, known not to be negative, as an expression of type `usize`.
    pub(super) fn offset(&self, named: Option<&Ident>, rest: &Sym) -> TokenStream {
        match named {
            Some(named) if rest.is_zero() => quote!(#named as usize),
            Some(_) => {
                let sum = self.sum(named, rest);
                quote!((#sum) as usize)
            }
            None => self.usize(rest),
        }
    }

    /// `named + rest` as an expression of type `isize`, in that order.
    pub(super) fn sum(&self, named: Option<&Ident>, rest: &Sym) -> TokenStream {
        let Some(named) = named else { return self.isize(rest) };
        let split = rest.split_signs();
        let (Ok((more, less)), Overflow::Fits) = (split, self.overflow) else {
            let rest = self.isize(rest);
            return quote!(#named.wrapping_add(#rest));
        };
        let mut sum = quote!(#named);
        if !more.is_zero() {
            let more = self.term(&more.form()).at(SUM);
            sum = quote!(#sum + #more);
        }
        if !less.is_zero() {
            let less = self.term(&less.form()).at(PRODUCT);
            sum = quote!(#sum - #less);
        }
        let constant = rest.constant_part();
        let literal = Literal::u64_unsuffixed(constant.unsigned_abs());
        match constant.signum() {
            1 => quote!(#sum + #literal),
            -1 => quote!(#sum - #literal),
            _ => sum,
        }
    }

    fn term(&self, form: &Form) -> Term {
        match form {
            Form::Constant(value) => {
                let literal = Literal::u64_unsuffixed(value.unsigned_abs());
                let wide = i128::from(*value);
                if *value < 0 {
                    Term { tokens: quote!(-#literal), lo: wide, hi: wide, binding: UNARY }
                } else {
                    Term { tokens: quote!(#literal), lo: wide, hi: wide, binding: ATOM }
                }
            }
            Form::Symbol(symbol) => self.symbol(symbol),
            Form::Neg(inner) => {
                let inner = self.term(inner);
                let (lo, hi) = (inner.hi.saturating_neg(), inner.lo.saturating_neg());
                self.guarded(lo, hi, UNARY, quote!(neg), inner, None, |a, _| quote!(-#a))
            }
            Form::Add(a, b) => {
                let (a, b) = (self.term(a), self.term(b));
                let (lo, hi) = (a.lo.saturating_add(b.lo), a.hi.saturating_add(b.hi));
                self.guarded(lo, hi, SUM, quote!(add), a, Some(b), |a, b| quote!(#a + #b))
            }
            Form::Sub(a, b) => {
                let (a, b) = (self.term(a), self.term(b));
                let (lo, hi) = (a.lo.saturating_sub(b.hi), a.hi.saturating_sub(b.lo));
                self.guarded(lo, hi, SUM, quote!(sub), a, Some(b), |a, b| quote!(#a - #b))
            }
            Form::Mul(a, b) => {
                let (a, b) = (self.term(a), self.term(b));
                // A constant factor reads better behind what it multiplies.
                let (a, b) = if a.lo == a.hi && b.lo != b.hi { (b, a) } else { (a, b) };
                let products = [(a.lo, b.lo), (a.lo, b.hi), (a.hi, b.lo), (a.hi, b.hi)]
                    .map(|(x, y)| x.saturating_mul(y));
                let lo = products.into_iter().min().unwrap_or(i128::MIN);
                let hi = products.into_iter().max().unwrap_or(i128::MAX);
                self.guarded(lo, hi, PRODUCT, quote!(mul), a, Some(b), |a, b| quote!(#a * #b))
            }
            Form::FloorDiv(a, divisor, nonneg) => {
                let a = self.term(a);
                let wide = i128::from(*divisor);
                let (lo, hi) = (a.lo.div_euclid(wide), a.hi.div_euclid(wide));
                let literal = Literal::i64_unsuffixed(*divisor);
                if divisor.count_ones() == 1 {
                    let bits = Literal::u32_unsuffixed(divisor.trailing_zeros());
                    let a = a.at(SUM);
                    return Term { tokens: quote!(#a >> #bits), lo, hi, binding: SHIFT };
                }
                if *nonneg {
                    let a = a.at(PRODUCT);
                    return Term { tokens: quote!(#a / #literal), lo, hi, binding: PRODUCT };
                }
                let a = a.at(ATOM);
                Term { tokens: quote!(#a.div_euclid(#literal)), lo, hi, binding: ATOM }
            }
            Form::Mod(a, divisor, nonneg) => {
                let a = self.term(a);
                let literal = Literal::i64_unsuffixed(*divisor);
                let (lo, hi) = (0, i128::from(*divisor) - 1);
                if divisor.count_ones() == 1 {
                    let mask = Literal::i64_unsuffixed(*divisor - 1);
                    let a = a.at(SHIFT);
                    return Term { tokens: quote!(#a & #mask), lo, hi, binding: BITS };
                }
                if *nonneg {
                    let a = a.at(PRODUCT);
                    return Term { tokens: quote!(#a % #literal), lo, hi, binding: PRODUCT };
                }
                let a = a.at(ATOM);
                Term { tokens: quote!(#a.rem_euclid(#literal)), lo, hi, binding: ATOM }
            }
            Form::Min(a, b) => {
                let (a, b) = (self.term(a), self.term(b));
                let (lo, hi) = (a.lo.min(b.lo), a.hi.min(b.hi));
                let (a, b) = (a.tokens, b.tokens);
                Term { tokens: quote!(::core::cmp::Ord::min(#a, #b)), lo, hi, binding: ATOM }
            }
            Form::Max(a, b) => {
                let (a, b) = (self.term(a), self.term(b));
                let (lo, hi) = (a.lo.max(b.lo), a.hi.max(b.hi));
                let (a, b) = (a.tokens, b.tokens);
                Term { tokens: quote!(::core::cmp::Ord::max(#a, #b)), lo, hi, binding: ATOM }
            }
            Form::Op(op, a, b) => self.operator(*op, self.term(a), self.term(b)),
        }
    }

    fn operator(&self, op: BinaryOp, a: Term, b: Term) -> Term {
        let krate = self.krate;
        let whole = (i128::from(i64::MIN), i128::from(i64::MAX));
        let call = |name: TokenStream, a: Term, b: Term| {
            let (a, b) = (a.tokens, b.tokens);
            Term { tokens: quote!(#krate::__private::#name(#a, #b)), lo: whole.0, hi: whole.1, binding: ATOM }
        };
        let plain = |tokens: TokenStream| Term { tokens, lo: whole.0, hi: whole.1, binding: BITS - 1 };
        match op {
            BinaryOp::Div => call(quote!(div), a, b),
            BinaryOp::Rem => call(quote!(rem), a, b),
            BinaryOp::Shl => call(quote!(shl), a, b),
            BinaryOp::Shr => call(quote!(shr), a, b),
            BinaryOp::And => {
                let (a, b) = (a.at(ATOM), b.at(ATOM));
                plain(quote!(#a & #b))
            }
            BinaryOp::Or => {
                let (a, b) = (a.at(ATOM), b.at(ATOM));
                plain(quote!(#a | #b))
            }
            BinaryOp::Xor => {
                let (a, b) = (a.at(ATOM), b.at(ATOM));
                plain(quote!(#a ^ #b))
            }
        }
    }

    /// An operation as a plain operator where its result is sure to fit, and guarded where it is not.
    #[allow(clippy::too_many_arguments)]
    fn guarded(
        &self,
        lo: i128,
        hi: i128,
        binding: u8,
        name: TokenStream,
        a: Term,
        b: Option<Term>,
        plain: impl Fn(TokenStream, TokenStream) -> TokenStream,
    ) -> Term {
        let (least, most) = match self.overflow {
            // `isize` may have 32 bits where the kernel runs.
            Overflow::Panics => (i128::from(i32::MIN), i128::from(i32::MAX)),
            Overflow::Wraps => (i128::from(i64::MIN), i128::from(i64::MAX)),
            Overflow::Fits => (i128::MIN, i128::MAX),
        };
        if least <= lo && hi <= most {
            let right = match name.to_string().as_str() {
                "sub" | "mul" => binding + 1,
                _ => binding,
            };
            let a = a.at(binding);
            let b = b.map_or_else(TokenStream::new, |b| b.at(right));
            return Term { tokens: plain(a, b), lo, hi, binding };
        }
        let (lo, hi) = (lo.max(i128::from(i64::MIN)), hi.min(i128::from(i64::MAX)));
        match self.overflow {
            Overflow::Panics => {
                let krate = self.krate;
                let a = a.tokens;
                let b = b.map(|b| b.tokens).into_iter();
                Term { tokens: quote!(#krate::__private::#name(#a #(, #b)*)), lo, hi, binding: ATOM }
            }
            Overflow::Wraps | Overflow::Fits => {
                let name = quote::format_ident!("wrapping_{}", name.to_string());
                // A method needs a receiver whose type is known.
                let a = match i64::try_from(a.lo) {
                    Ok(value) if a.lo == a.hi && a.binding >= UNARY => {
                        let literal = Literal::i64_unsuffixed(value);
                        quote!((#literal as isize))
                    }
                    _ => a.at(ATOM),
                };
                let b = b.map(|b| b.tokens).into_iter();
                // What wraps may be anything.
                let (lo, hi) = (i128::from(i64::MIN), i128::from(i64::MAX));
                Term { tokens: quote!(#a.#name(#(#b)*)), lo, hi, binding: ATOM }
            }
        }
    }

    fn symbol(&self, symbol: &Symbol) -> Term {
        let range = symbol.range();
        let lo = range.lo.map_or(i128::from(i64::MIN), i128::from);
        let hi = range.hi.map_or(i128::from(i64::MAX), i128::from);
        let info = self.program.symbol(symbol);
        let (tokens, binding) = match &info.source {
            Source::Local(name) => (quote!(#name), ATOM),
            Source::Loop(id) => {
                let looping = &self.program.loops[*id];
                let name = &looping.name;
                match looping.kind {
                    LoopKind::Index { .. } => (quote!(#name), ATOM),
                    LoopKind::Range { .. } => (quote!((#name as isize)), ATOM),
                }
            }
            Source::Stable(value) => {
                let captured = info.captures.iter().find(|(from, _)| self.program.visible(*from, self.place));
                match captured {
                    Some((_, name)) => (quote!(#name), ATOM),
                    None => {
                        let krate = self.krate;
                        (quote!(#krate::__private::index(#value)), ATOM)
                    }
                }
            }
        };
        Term { tokens, lo, hi, binding }
    }
}
