//! Symbolic integers as Rust expressions.

use std::cell::{Cell, RefCell};
use std::collections::HashSet;

use proc_macro2::{Ident, Literal, TokenStream};
use shim_core::Fold;

use crate::ir::{LoopKind, NamedExtent, Position, Program, Source};
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
    pub(super) runtime: &'p Ident,
    /// The local with the coordinates of an element that is tested.
    pub(super) at: &'p Ident,
    pub(super) place: Position,
    pub(super) overflow: Overflow,
    /// Extents that have names.
    pub(super) extents: &'p [NamedExtent],
    /// The locals with converted values that were mentioned.
    pub(super) used: &'p RefCell<HashSet<Ident>>,
    /// Whether a variable of a range is cast.
    pub(super) casts: &'p Cell<bool>,
}

/// The least and greatest value of an expression where `isize` has 64 bits, and where it has 32.
type Bounds = [(i128, i128); 2];

/// What `isize` can hold there.
const ISIZE: Bounds = [(i64::MIN as i128, i64::MAX as i128), (i32::MIN as i128, i32::MAX as i128)];

/// An expression with its bounds, and how tightly it binds.
struct Term {
    tokens: TokenStream,
    bounds: Bounds,
    binding: u8,
}

/// The bounds of an operation from those of its operands.
fn bounds(a: &Term, b: &Term, op: impl Fn((i128, i128), (i128, i128)) -> (i128, i128)) -> Bounds {
    [op(a.bounds[0], b.bounds[0]), op(a.bounds[1], b.bounds[1])]
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
        hygienic!((#tokens))
    }
}

impl Arithmetic<'_> {
    /// `sym` as an expression of type `isize`.
    pub(super) fn isize(&self, sym: &Sym) -> TokenStream {
        self.form(&sym.form())
    }

    /// An expression tree as an expression of type `isize`.
    pub(super) fn form(&self, form: &Form) -> TokenStream {
        self.term(form).tokens
    }

    /// The offset `named + rest`, as an expression of type `isize`.
    pub(super) fn offset(&self, named: Option<&Ident>, rest: &Sym) -> TokenStream {
        match named {
            Some(named) if rest.is_zero() => hygienic!(#named),
            named => self.sum(named, rest),
        }
    }

    /// `named + rest` as an expression of type `isize`, in that order.
    pub(super) fn sum(&self, named: Option<&Ident>, rest: &Sym) -> TokenStream {
        let Some(named) = named else { return self.isize(rest) };
        let split = rest.split_signs();
        let (Ok((more, less)), Overflow::Fits) = (split, self.overflow) else {
            let rest = self.isize(rest);
            return hygienic!(#named.wrapping_add(#rest));
        };
        let mut sum = hygienic!(#named);
        if !more.is_zero() {
            let more = self.term(&more.form()).at(SUM);
            sum = hygienic!(#sum + #more);
        }
        if !less.is_zero() {
            let less = self.term(&less.form()).at(PRODUCT);
            sum = hygienic!(#sum - #less);
        }
        let constant = rest.constant_part();
        let literal = Literal::u64_unsuffixed(constant.unsigned_abs());
        match constant.signum() {
            1 => hygienic!(#sum + #literal),
            -1 => hygienic!(#sum - #literal),
            _ => sum,
        }
    }

    fn term(&self, form: &Form) -> Term {
        let named = self.extents.iter().find(|extent| extent.form == *form);
        if let Some(NamedExtent { name, place, .. }) = named
            && self.program.visible(*place, self.place)
        {
            let bounds = Arithmetic { extents: &[], ..*self }.term(form).bounds;
            return Term { tokens: hygienic!(#name), bounds, binding: ATOM };
        }
        match form {
            Form::Constant(value) => {
                let literal = Literal::u64_unsuffixed(value.unsigned_abs());
                let wide = (i128::from(*value), i128::from(*value));
                let (tokens, binding) =
                    if *value < 0 { (hygienic!(-#literal), UNARY) } else { (hygienic!(#literal), ATOM) };
                Term { tokens, bounds: [wide, wide], binding }
            }
            Form::Symbol(symbol) => self.symbol(symbol),
            Form::Neg(inner) => {
                let inner = self.term(inner);
                let bounds = inner.bounds.map(|(lo, hi)| (hi.saturating_neg(), lo.saturating_neg()));
                self.guarded("neg", UNARY, bounds, inner, None)
            }
            Form::Add(a, b) => {
                let (a, b) = (self.term(a), self.term(b));
                let bounds = bounds(&a, &b, |a, b| (a.0.saturating_add(b.0), a.1.saturating_add(b.1)));
                self.guarded("add", SUM, bounds, a, Some(b))
            }
            Form::Sub(a, b) => {
                let (a, b) = (self.term(a), self.term(b));
                let bounds = bounds(&a, &b, |a, b| (a.0.saturating_sub(b.1), a.1.saturating_sub(b.0)));
                self.guarded("sub", SUM, bounds, a, Some(b))
            }
            Form::Mul(a, b) => {
                let (a, b) = (self.term(a), self.term(b));
                // A constant factor reads better behind what it multiplies.
                let constant = |term: &Term| term.bounds[0].0 == term.bounds[0].1;
                let (a, b) = if constant(&a) && !constant(&b) { (b, a) } else { (a, b) };
                let bounds = bounds(&a, &b, |a, b| {
                    let corners = [(a.0, b.0), (a.0, b.1), (a.1, b.0), (a.1, b.1)];
                    let products = corners.map(|(x, y)| x.saturating_mul(y));
                    (
                        products.into_iter().min().unwrap_or(i128::MIN),
                        products.into_iter().max().unwrap_or(i128::MAX),
                    )
                });
                self.guarded("mul", PRODUCT, bounds, a, Some(b))
            }
            Form::FloorDiv(a, divisor, nonneg) => {
                let a = self.term(a);
                let wide = i128::from(*divisor);
                let bounds = a.bounds.map(|(lo, hi)| (lo.div_euclid(wide), hi.div_euclid(wide)));
                let literal = Literal::i64_unsuffixed(*divisor);
                let (tokens, binding) = if divisor.count_ones() == 1 {
                    let bits = Literal::u32_unsuffixed(divisor.trailing_zeros());
                    let a = a.at(SUM);
                    (hygienic!(#a >> #bits), SHIFT)
                } else if *nonneg {
                    let a = a.at(PRODUCT);
                    (hygienic!(#a / #literal), PRODUCT)
                } else {
                    let a = a.at(ATOM);
                    (hygienic!(#a.div_euclid(#literal)), ATOM)
                };
                Term { tokens, bounds, binding }
            }
            Form::Mod(a, divisor, nonneg) => {
                let a = self.term(a);
                let literal = Literal::i64_unsuffixed(*divisor);
                let (tokens, binding) = if divisor.count_ones() == 1 {
                    let mask = Literal::i64_unsuffixed(*divisor - 1);
                    let a = a.at(SHIFT);
                    (hygienic!(#a & #mask), BITS)
                } else if *nonneg {
                    let a = a.at(PRODUCT);
                    (hygienic!(#a % #literal), PRODUCT)
                } else {
                    let a = a.at(ATOM);
                    (hygienic!(#a.rem_euclid(#literal)), ATOM)
                };
                Term { tokens, bounds: [(0, i128::from(*divisor) - 1); 2], binding }
            }
            Form::Min(a, b) => {
                let (a, b) = (self.term(a), self.term(b));
                let bounds = bounds(&a, &b, |a, b| (a.0.min(b.0), a.1.min(b.1)));
                let (a, b) = (a.tokens, b.tokens);
                let rt = self.runtime;
                Term { tokens: hygienic!(#rt.least(#a, #b)), bounds, binding: ATOM }
            }
            Form::Max(a, b) => {
                let (a, b) = (self.term(a), self.term(b));
                let bounds = bounds(&a, &b, |a, b| (a.0.max(b.0), a.1.max(b.1)));
                let (a, b) = (a.tokens, b.tokens);
                let rt = self.runtime;
                Term { tokens: hygienic!(#rt.greatest(#a, #b)), bounds, binding: ATOM }
            }
            Form::Op(op, a, b) => self.operator(*op, self.term(a), self.term(b)),
        }
    }

    fn operator(&self, op: BinaryOp, a: Term, b: Term) -> Term {
        let rt = self.runtime;
        let call = |name: TokenStream, a: Term, b: Term| {
            let (a, b) = (a.tokens, b.tokens);
            Term { tokens: hygienic!(#rt.#name(#a, #b)), bounds: ISIZE, binding: ATOM }
        };
        let bits = |op: TokenStream, a: Term, b: Term| {
            let (a, b) = (a.at(ATOM), b.at(ATOM));
            Term { tokens: hygienic!(#a #op #b), bounds: ISIZE, binding: BITS - 1 }
        };
        match op {
            BinaryOp::Div => call(hygienic!(div), a, b),
            BinaryOp::Rem => call(hygienic!(rem), a, b),
            BinaryOp::Shl => call(hygienic!(shl), a, b),
            BinaryOp::Shr => call(hygienic!(shr), a, b),
            BinaryOp::And => bits(hygienic!(&), a, b),
            BinaryOp::Or => bits(hygienic!(|), a, b),
            BinaryOp::Xor => bits(hygienic!(^), a, b),
            BinaryOp::Fold(Fold::Clamp) => call(hygienic!(clamped), a, b),
            BinaryOp::Fold(Fold::Mirror) => call(hygienic!(mirrored), a, b),
            BinaryOp::Fold(Fold::Reflect) => call(hygienic!(reflected), a, b),
            BinaryOp::Fold(Fold::Wrap) => call(hygienic!(wrapped), a, b),
        }
    }

    /// An operation as a plain operator where its result is sure to fit, and guarded where it is not.
    fn guarded(&self, name: &str, binding: u8, bounds: Bounds, a: Term, b: Option<Term>) -> Term {
        let fits = bounds.iter().zip(ISIZE).all(|(found, held)| held.0 <= found.0 && found.1 <= held.1);
        if fits || self.overflow == Overflow::Fits {
            let right = if name == "sub" || name == "mul" { binding + 1 } else { binding };
            let a = a.at(binding);
            let tokens = match (name, b.map(|b| b.at(right))) {
                ("add", Some(b)) => hygienic!(#a + #b),
                ("sub", Some(b)) => hygienic!(#a - #b),
                ("mul", Some(b)) => hygienic!(#a * #b),
                _ => hygienic!(-#a),
            };
            return Term { tokens, bounds, binding };
        }
        let name = Ident::new(name, proc_macro2::Span::call_site());
        match self.overflow {
            Overflow::Panics => {
                let rt = self.runtime;
                let a = a.tokens;
                let b = b.map(|b| b.tokens).into_iter();
                let tokens = hygienic!(#rt.#name(#a #(, #b)*));
                let clip = |(lo, hi): (i128, i128), held: (i128, i128)| (lo.max(held.0), hi.min(held.1));
                let bounds = [clip(bounds[0], ISIZE[0]), clip(bounds[1], ISIZE[1])];
                Term { tokens, bounds, binding: ATOM }
            }
            Overflow::Wraps | Overflow::Fits => {
                let name = quote::format_ident!("wrapping_{name}");
                // A method needs a receiver whose type is known.
                let a = match i64::try_from(a.bounds[0].0) {
                    Ok(value) if a.bounds[0].0 == a.bounds[0].1 && a.binding >= UNARY => {
                        let literal = Literal::i64_suffixed(value);
                        let rt = self.runtime;
                        hygienic!(#rt.isize(#literal))
                    }
                    _ => a.at(ATOM),
                };
                let b = b.map(|b| b.tokens).into_iter();
                // What wraps may be anything.
                Term { tokens: hygienic!(#a.#name(#(#b)*)), bounds: ISIZE, binding: ATOM }
            }
        }
    }

    fn symbol(&self, symbol: &Symbol) -> Term {
        let info = self.program.symbol(symbol);
        let tokens = match &info.source {
            Source::Local(name) | Source::Same(name, _) => hygienic!(#name),
            Source::Coordinate(axis) => {
                let (at, axis) = (self.at, Literal::usize_unsuffixed(*axis));
                hygienic!(#at[#axis])
            }
            Source::Loop(id) => {
                let looping = &self.program.loops[*id];
                let name = &looping.name;
                match looping.kind {
                    LoopKind::Index { .. } => hygienic!(#name),
                    // A cast, and no call of the runtime: with calls LLVM emits worse addresses, although it inlines them.
                    LoopKind::Range { fits: true, .. } => {
                        self.casts.set(true);
                        hygienic!((#name as ::core::primitive::isize))
                    }
                    LoopKind::Range { number, .. } => conversion(self.runtime, number, &hygienic!(#name)),
                }
            }
            Source::Constant(name) => {
                let rt = self.runtime;
                self.used.borrow_mut().insert(name.clone());
                hygienic!(#rt.index(#name))
            }
            Source::Stable(value, number) => {
                let captured = info.captures.iter().find(|(from, _)| self.program.visible(*from, self.place));
                match captured {
                    Some((_, name)) => {
                        self.used.borrow_mut().insert(name.clone());
                        hygienic!(#name)
                    }
                    None => conversion(self.runtime, *number, &hygienic!(#value)),
                }
            }
        };
        let range = symbol.range();
        let bounds = ISIZE.map(|(least, most)| {
            (
                range.lo.map_or(least, |lo| i128::from(lo).max(least)),
                range.hi.map_or(most, |hi| i128::from(hi).min(most)),
            )
        });
        Term { tokens, bounds, binding: ATOM }
    }
}

/// `value` as `isize`, by a conversion that takes no other type than the one its range was told by.
pub(super) fn conversion(rt: &Ident, number: Option<&str>, value: &TokenStream) -> TokenStream {
    let convert = match number {
        Some(number) => quote::format_ident!("from_{number}"),
        None => quote::format_ident!("index"),
    };
    hygienic!(#rt.#convert(#value))
}
