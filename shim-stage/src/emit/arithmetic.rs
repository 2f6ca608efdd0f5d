//! Symbolic integers as Rust expressions.

use std::cell::Cell;

use proc_macro2::{Ident, Literal, TokenStream};
use shim_core::Fold;

use crate::ir::{LoopKind, SymbolSource, ValueType};
use crate::overflow::{ArithmeticMode, Chooser, Expression, Operation, Overflow};
use crate::symbolic::{BinaryOp, ConstTable, Form, SymInt};

/// Writes symbolic integers as they are seen from one place in the program.
pub(super) struct Arithmetic<'p> {
    pub(super) chooser: Chooser<'p>,
    pub(super) runtime: &'p Ident,
    /// The local with the coordinates of an element that is tested.
    pub(super) at: &'p Ident,
    /// Whether the type `isize` is named.
    pub(super) casts: &'p Cell<bool>,
    /// Whether an item that the macro does not see may hide a local: a function of the user's is then an operand, which
    /// casts and methods of a trait take, but no function of the runtime.
    pub(super) may_be_hidden: bool,
}

/// An expression in Rust, and how tightly it binds.
struct Fragment {
    tokens: TokenStream,
    binding: u8,
}

const ATOM: u8 = 6;
const UNARY: u8 = 5;
const PRODUCT: u8 = 4;
const SUM: u8 = 3;
const SHIFT: u8 = 2;
const BITS: u8 = 1;

impl Fragment {
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
    pub(super) fn isize(&self, sym: &SymInt) -> TokenStream {
        self.form(&sym.form())
    }

    /// An expression tree as an expression of type `isize`.
    pub(super) fn form(&self, form: &Form) -> TokenStream {
        self.of(form).tokens
    }

    /// The offset `named + rest`, as an expression of type `isize`.
    pub(super) fn offset(&self, named: Option<&Ident>, rest: &SymInt) -> TokenStream {
        match named {
            Some(named) if rest.is_zero() => hygienic!(#named),
            named => self.sum(named, rest),
        }
    }

    /// `named + rest` as an expression of type `isize`, in that order.
    pub(super) fn sum(&self, named: Option<&Ident>, rest: &SymInt) -> TokenStream {
        let Some(named) = named else { return self.isize(rest) };
        let split = rest.split_signs();
        let (Ok((more, less)), Overflow::Fits) = (split, self.chooser.overflow) else {
            let rest = self.isize(rest);
            return self.method("wrapping_add", hygienic!(#named), Some(rest));
        };
        let mut sum = hygienic!(#named);
        if !more.is_zero() {
            let more = self.of(&more.form()).at(SUM);
            sum = hygienic!(#sum + #more);
        }
        if !less.is_zero() {
            let less = self.of(&less.form()).at(PRODUCT);
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

    fn of(&self, form: &Form) -> Fragment {
        self.term(&self.chooser.expression(form))
    }

    fn term(&self, expression: &Expression<'_>) -> Fragment {
        match expression {
            Expression::Literal(value) => {
                let literal = Literal::u64_unsuffixed(value.unsigned_abs());
                let (tokens, binding) =
                    if *value < 0 { (hygienic!(-#literal), UNARY) } else { (hygienic!(#literal), ATOM) };
                Fragment { tokens, binding }
            }
            Expression::Extent(name) => Fragment { tokens: hygienic!(#name), binding: ATOM },
            Expression::Symbol(source, captured) => {
                Fragment { tokens: self.symbol(source, *captured), binding: ATOM }
            }
            Expression::Neg(mode, inner) => self.operation("neg", UNARY, *mode, inner, None),
            Expression::Binary(operation, mode, operands) => {
                let [a, b] = &**operands;
                let (name, binding) = match operation {
                    Operation::Add => ("add", SUM),
                    Operation::Sub => ("sub", SUM),
                    Operation::Mul => ("mul", PRODUCT),
                };
                self.operation(name, binding, *mode, a, Some(b))
            }
            Expression::FloorDiv(a, divisor, nonneg) => {
                let a = self.term(a);
                let literal = Literal::i64_unsuffixed(*divisor);
                let (tokens, binding) = if divisor.count_ones() == 1 {
                    let bits = Literal::u32_unsuffixed(divisor.trailing_zeros());
                    let a = a.at(SUM);
                    (hygienic!(#a >> #bits), SHIFT)
                } else if *nonneg {
                    let a = a.at(PRODUCT);
                    (hygienic!(#a / #literal), PRODUCT)
                } else {
                    (self.method("div_euclid", a.at(ATOM), Some(hygienic!(#literal))), ATOM)
                };
                Fragment { tokens, binding }
            }
            Expression::Mod(a, divisor, nonneg) => {
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
                    (self.method("rem_euclid", a.at(ATOM), Some(hygienic!(#literal))), ATOM)
                };
                Fragment { tokens, binding }
            }
            Expression::Min(operands) => self.call("least", operands),
            Expression::Max(operands) => self.call("greatest", operands),
            Expression::Op(op, operands) => self.operator(*op, operands),
        }
    }

    /// A function of the runtime at two operands.
    fn call(&self, name: &str, operands: &[Expression<'_>; 2]) -> Fragment {
        let rt = self.runtime;
        let name = Ident::new(name, proc_macro2::Span::call_site());
        let [a, b] = operands.each_ref().map(|operand| self.term(operand).tokens);
        Fragment { tokens: hygienic!(#rt.#name(#a, #b)), binding: ATOM }
    }

    fn operator(&self, op: BinaryOp, operands: &[Expression<'_>; 2]) -> Fragment {
        let bits = |op: TokenStream| {
            let [a, b] = operands.each_ref().map(|operand| self.term(operand).at(ATOM));
            Fragment { tokens: hygienic!(#a #op #b), binding: BITS - 1 }
        };
        match op {
            BinaryOp::Div => self.call("div", operands),
            BinaryOp::Rem => self.call("rem", operands),
            BinaryOp::Shl => self.call("shl", operands),
            BinaryOp::Shr => self.call("shr", operands),
            BinaryOp::And => bits(hygienic!(&)),
            BinaryOp::Or => bits(hygienic!(|)),
            BinaryOp::Xor => bits(hygienic!(^)),
            BinaryOp::Fold(Fold::Clamp) => self.call("clamped", operands),
            BinaryOp::Fold(Fold::Mirror) => self.call("mirrored", operands),
            BinaryOp::Fold(Fold::Reflect) => self.call("reflected", operands),
            BinaryOp::Fold(Fold::Wrap) => self.call("wrapped", operands),
            BinaryOp::Load => self.call("table_entry", operands),
            BinaryOp::Power => self.call("power", operands),
            BinaryOp::Entry(table) => self.entry(table, &operands[0]),
        }
    }

    /// The entry of a table, whose length is made a power of two so that no index is behind its end.
    fn entry(&self, table: ConstTable, index: &Expression<'_>) -> Fragment {
        let rt = self.runtime;
        let index = self.term(index).tokens;
        let mut entries = table.entries().to_vec();
        entries.resize(entries.len().next_power_of_two(), 0);
        // The first entry tells the type.
        let first = match u8::try_from(table.bounds().1) {
            Ok(_) => Literal::u8_suffixed(entries[0] as u8),
            Err(_) => Literal::i16_suffixed(entries[0] as i16),
        };
        let others = entries.into_iter().skip(1).map(Literal::i64_unsuffixed);
        Fragment { tokens: hygienic!(#rt.entry(&[#first #(, #others)*], #index)), binding: ATOM }
    }

    /// An operation in its mode.
    fn operation(
        &self,
        name: &str,
        binding: u8,
        mode: ArithmeticMode,
        a: &Expression<'_>,
        b: Option<&Expression<'_>>,
    ) -> Fragment {
        let literal = match a {
            Expression::Literal(value) => Some(*value),
            _ => None,
        };
        let (a, b) = (self.term(a), b.map(|b| self.term(b)));
        match mode {
            ArithmeticMode::Plain => {
                let right = if name == "sub" || name == "mul" { binding + 1 } else { binding };
                let a = a.at(binding);
                let tokens = match (name, b.map(|b| b.at(right))) {
                    ("add", Some(b)) => hygienic!(#a + #b),
                    ("sub", Some(b)) => hygienic!(#a - #b),
                    ("mul", Some(b)) => hygienic!(#a * #b),
                    _ => hygienic!(-#a),
                };
                Fragment { tokens, binding }
            }
            ArithmeticMode::Checked => {
                let name = Ident::new(name, proc_macro2::Span::call_site());
                let rt = self.runtime;
                let a = a.tokens;
                let b = b.map(|b| b.tokens).into_iter();
                Fragment { tokens: hygienic!(#rt.#name(#a #(, #b)*)), binding: ATOM }
            }
            ArithmeticMode::Wrapping => {
                // A method needs a receiver whose type is known.
                let a = match literal {
                    Some(value) => super::constant(self.runtime, value, ValueType::Isize),
                    None => a.at(ATOM),
                };
                let tokens = self.method(&format!("wrapping_{name}"), a, b.map(|b| b.tokens));
                Fragment { tokens, binding: ATOM }
            }
        }
    }

    /// A method of `isize`.
    fn method(&self, name: &str, receiver: TokenStream, argument: Option<TokenStream>) -> TokenStream {
        let name = Ident::new(name, proc_macro2::Span::mixed_site());
        let argument = argument.into_iter();
        if self.may_be_hidden {
            self.casts.set(true);
            hygienic!(::core::primitive::isize::#name(#receiver #(, #argument)*))
        } else {
            hygienic!(#receiver.#name(#(#argument)*))
        }
    }

    fn symbol(&self, source: &SymbolSource, captured: Option<&Ident>) -> TokenStream {
        match (source, captured) {
            (SymbolSource::Local(name), _) => hygienic!(#name),
            (SymbolSource::Coordinate(axis), _) => {
                let (at, axis) = (self.at, Literal::usize_unsuffixed(*axis));
                hygienic!(#at[#axis])
            }
            (SymbolSource::Loop(id), _) => {
                let for_loop = &self.chooser.program.loops[*id];
                let name = &for_loop.name;
                match for_loop.kind {
                    LoopKind::Index { .. } => hygienic!(#name),
                    // A cast, and no call of the runtime: with calls LLVM emits worse addresses, although it inlines
                    // them.
                    LoopKind::Range { fits: true, .. } if !self.may_be_hidden => {
                        self.casts.set(true);
                        hygienic!((#name as ::core::primitive::isize))
                    }
                    LoopKind::Range { number, .. } => conversion(self.runtime, number, &hygienic!(#name)),
                }
            }
            (SymbolSource::Constant(name), _) => {
                let rt = self.runtime;
                hygienic!(#rt.index(#name))
            }
            (SymbolSource::Stable(..), Some(name)) => {
                hygienic!(#name)
            }
            (SymbolSource::Stable(value, number), None) => {
                conversion(self.runtime, *number, &hygienic!(#value))
            }
        }
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
