//! The integers that a value may be: what operators and methods make of ranges.
//!
//! An operation on ranges has a result only if it cannot panic for any operands in them, its type aside: whether the result
//! fits the type is asked of the result.

use syn::BinOp;

use super::IntType;
use crate::symbolic::Range;

/// The integers from the least to the greatest that a value may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Values {
    /// The least of them.
    pub least: i128,
    /// The greatest of them.
    pub greatest: i128,
}

impl Values {
    /// All values of a type, if they can be held here.
    pub fn of(ty: IntType) -> Option<Self> {
        (ty != IntType::U128).then(|| Self::from(ty.min(), ty.max()))
    }

    /// Those of a range that has both ends.
    pub fn within(range: Range) -> Option<Self> {
        Some(Self::from(range.lo?.into(), range.hi?.into()))
    }

    /// One value.
    pub fn exactly(value: i128) -> Self {
        Self::from(value, value)
    }

    fn from(least: i128, greatest: i128) -> Self {
        Self { least, greatest }
    }

    /// Whether each of them is one of a type's.
    pub fn are_in(self, ty: IntType) -> bool {
        ty.contains(self.least) && ty.contains(self.greatest)
    }

    /// The values after a cast.
    pub fn cast(self, to: IntType) -> Option<Self> {
        if self.are_in(to) { Some(self) } else { Self::of(to) }
    }

    /// The values of either.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self::from(self.least.min(other.least), self.greatest.max(other.greatest))
    }

    /// The results at the ends of both ranges, of an operation that is monotone in each operand between these.
    fn corners(self, other: Self, operation: impl Fn(i128, i128) -> Option<i128>) -> Option<Self> {
        let ends = [self.least, self.greatest];
        let mut all: Option<Self> = None;
        for a in ends {
            for b in [other.least, other.greatest] {
                let result = Self::exactly(operation(a, b)?);
                all = Some(all.map_or(result, |all| all.or(result)));
            }
        }
        all
    }

    /// The negated values.
    pub fn negated(self) -> Option<Self> {
        Some(Self::from(self.greatest.checked_neg()?, self.least.checked_neg()?))
    }

    /// The results of an operator.
    pub fn operator(self, op: &BinOp, other: Self) -> Option<Self> {
        let is_positive = other.least > 0;
        match op {
            BinOp::Add(_) => self.corners(other, i128::checked_add),
            BinOp::Sub(_) => self.corners(other, i128::checked_sub),
            BinOp::Mul(_) => self.corners(other, i128::checked_mul),
            BinOp::Div(_) if is_positive => self.corners(other, i128::checked_div),
            BinOp::Rem(_) if is_positive && self.least >= 0 => {
                Some(Self::from(0, self.greatest.min(other.greatest - 1)))
            }
            BinOp::Rem(_) if is_positive => {
                Some(Self::from(1 - other.greatest, if self.greatest > 0 { other.greatest - 1 } else { 0 }))
            }
            BinOp::Shr(_) if other.is_shift() => {
                self.corners(other, |a, b| Some(a >> u32::try_from(b).ok()?))
            }
            BinOp::Shl(_) if other.is_shift() => {
                self.corners(other, |a, b| a.checked_mul(1_i128.checked_shl(u32::try_from(b).ok()?)?))
            }
            BinOp::BitAnd(_) if self.least >= 0 && other.least >= 0 => {
                Some(Self::from(0, self.greatest.min(other.greatest)))
            }
            BinOp::BitAnd(_) if other.least >= 0 => Some(Self::from(0, other.greatest)),
            BinOp::BitAnd(_) if self.least >= 0 => Some(Self::from(0, self.greatest)),
            BinOp::BitOr(_) | BinOp::BitXor(_) if self.least >= 0 && other.least >= 0 => {
                let bits = 128 - (self.greatest | other.greatest).leading_zeros();
                Some(Self::from(0, 1_i128.checked_shl(bits)?.checked_sub(1)?))
            }
            _ => None,
        }
    }

    fn is_shift(self) -> bool {
        self.least >= 0 && self.greatest < 64
    }

    /// The results of a method of a type's, whose arguments may be these.
    pub fn method(self, method: &str, arguments: &[Self], ty: IntType) -> Option<Self> {
        let add = BinOp::Add(<syn::Token![+]>::default());
        let sub = BinOp::Sub(<syn::Token![-]>::default());
        let mul = BinOp::Mul(<syn::Token![*]>::default());
        let is_signed = ty.is_signed();
        let size = || {
            let greatest = self.greatest.checked_abs()?.max(self.least.checked_abs()?);
            let spans_zero = self.least <= 0 && self.greatest >= 0;
            let least =
                if spans_zero { 0 } else { self.least.checked_abs()?.min(self.greatest.checked_abs()?) };
            Some(Self::from(least, greatest))
        };
        let bits = i128::from(ty.bits());
        match (method, arguments) {
            ("abs" | "unsigned_abs", []) if is_signed => size(),
            ("abs_diff", [b]) => {
                let difference = self.operator(&sub, *b)?;
                difference.method("unsigned_abs", &[], IntType::I128)
            }
            ("min", [b]) => Some(Self::from(self.least.min(b.least), self.greatest.min(b.greatest))),
            ("max", [b]) => Some(Self::from(self.least.max(b.least), self.greatest.max(b.greatest))),
            ("clamp", [low, high]) if low.greatest <= high.least => {
                self.method("max", &[*low], ty)?.method("min", &[*high], ty)
            }
            ("signum", []) if is_signed => Some(Self::from(self.least.signum(), self.greatest.signum())),
            ("rem_euclid", [b]) if b.least > 0 => Some(Self::from(0, b.greatest - 1)),
            ("div_euclid", [b]) if b.least > 0 => self.corners(*b, |a, b| Some(a.div_euclid(b))),
            ("div_ceil", [b]) if b.least > 0 && self.least >= 0 => {
                self.corners(*b, |a, b| Some(a / b + i128::from(a % b != 0)))
            }
            ("midpoint", [b]) => Some(self.or(*b)),
            ("isqrt", []) if self.least >= 0 => Some(Self::from(self.least.isqrt(), self.greatest.isqrt())),
            ("pow", [exponent]) if self.least >= 0 && exponent.is_shift() => {
                self.corners(*exponent, |a, b| a.checked_pow(u32::try_from(b).ok()?))
            }
            ("wrapping_add", [b]) => self.operator(&add, *b)?.cast(ty),
            ("wrapping_sub", [b]) => self.operator(&sub, *b)?.cast(ty),
            ("wrapping_mul", [b]) => self.operator(&mul, *b)?.cast(ty),
            ("saturating_add", [b]) => self.operator(&add, *b).map(|own| own.saturated(ty)),
            ("saturating_sub", [b]) => self.operator(&sub, *b).map(|own| own.saturated(ty)),
            ("saturating_mul", [b]) => self.operator(&mul, *b).map(|own| own.saturated(ty)),
            (
                "count_ones" | "count_zeros" | "leading_ones" | "leading_zeros" | "trailing_ones"
                | "trailing_zeros",
                [],
            ) => Some(Self::from(0, bits)),
            ("ilog2", []) if self.least > 0 => {
                Some(Self::from(self.least.ilog2().into(), self.greatest.ilog2().into()))
            }
            _ => None,
        }
    }

    fn saturated(self, ty: IntType) -> Self {
        Self::from(self.least.clamp(ty.min(), ty.max()), self.greatest.clamp(ty.min(), ty.max()))
    }
}

#[cfg(test)]
mod tests {
    use syn::Expr;

    use super::super::methods;
    use super::*;
    use crate::static_eval::{NoNames, Value, eval};

    /// What an expression of numbers is: nothing if it panics.
    fn evaluated(expr: &Expr) -> Option<i128> {
        match eval(expr, &NoNames) {
            Ok(Some(Value::Int(int))) => Some(int.value),
            _ => None,
        }
    }

    fn number(value: i128, ty: IntType) -> Expr {
        let (size, ty) =
            (proc_macro2::Literal::i128_unsuffixed(value.abs()), quote::format_ident!("{}", ty.name()));
        if value < 0 { syn::parse_quote!((-#size as #ty)) } else { syn::parse_quote!((#size as #ty)) }
    }

    const ENDS: [i128; 9] = [-128, -127, -7, -1, 0, 1, 5, 100, 127];

    /// The result of every pair of numbers is in the range that the ranges around them give.
    #[test]
    fn ranges_hold_every_result() {
        let ty = IntType::I16;
        let operators = ["+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>"];
        let numbers: Vec<Expr> = ENDS.iter().map(|value| number(*value, ty)).collect();
        let ranges: Vec<[usize; 2]> =
            (0..ENDS.len()).flat_map(|first| (first..ENDS.len()).map(move |last| [first, last])).collect();
        let values = |[first, last]: [usize; 2]| Values::from(ENDS[first], ENDS[last]);
        let mut compared = 0;
        let mut compare = |name: &str,
                           apply: &dyn Fn(&Expr, &Expr) -> Expr,
                           range: &dyn Fn(Values, Values) -> Option<Values>| {
            let results: Vec<Vec<Option<i128>>> =
                numbers.iter().map(|a| numbers.iter().map(|b| evaluated(&apply(a, b))).collect()).collect();
            for one in &ranges {
                for other in &ranges {
                    let Some(found) = range(values(*one), values(*other)) else { continue };
                    for (a, row) in results.iter().enumerate().take(one[1] + 1).skip(one[0]) {
                        // Some results leave the type, and some methods are not evaluated.
                        for (b, value) in row.iter().enumerate().take(other[1] + 1).skip(other[0]) {
                            let Some(value) = value else { continue };
                            let is_inside = (found.least..=found.greatest).contains(value);
                            assert!(is_inside, "{name} of {} and {}: {value}, {found:?}", ENDS[a], ENDS[b]);
                            compared += 1;
                        }
                    }
                }
            }
        };
        for text in operators {
            let op: BinOp = syn::parse_str(text).expect("an operator");
            compare(text, &|a, b| syn::parse_quote!(#a #op #b), &|one, other| one.operator(&op, other));
        }
        for name in methods::names() {
            let method = quote::format_ident!("{name}");
            compare(name, &|a, _| syn::parse_quote!(#a.#method()), &|one, _| one.method(name, &[], ty));
            compare(name, &|a, b| syn::parse_quote!(#a.#method(#b)), &|one, other| {
                one.method(name, &[other], ty)
            });
        }
        assert!(compared > 100_000, "{compared}");
    }
}
