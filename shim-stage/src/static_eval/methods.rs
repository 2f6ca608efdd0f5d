//! Methods of static integers and arrays, and `from` conversions between integer types.

use syn::{Expr, ExprCall, ExprMethodCall, Result};

use super::eval::Evaluator;
use super::int::{IntOp, IntResult};
use super::number::{adopt, associated, common, in_type, outcome};
use super::{Int, IntType, Value, wrong};

/// How a method's types hang together.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    /// Receiver, arguments and result have one type.
    Same,
    /// The result has the receiver's type; the argument is a `u32`.
    Counted,
    /// The arguments have the receiver's type, the result its unsigned one.
    Unsigned,
    /// The result is a `u32` about the receiver's bits.
    Bits,
    /// The result is a `bool` about the receiver.
    Truth,
    /// The length of an array.
    Length,
    /// The result has the receiver's type, and is not evaluated here.
    Kept,
    /// Anything else.
    Other,
}

/// The primitive types that have a method of their own, or of `Ord`, which takes the value: a set of bits.
type Receivers = u8;

const NONE: Receivers = 0;
const SIGNED: Receivers = 1;
const UNSIGNED: Receivers = 1 << 1;
const INT: Receivers = SIGNED | UNSIGNED;
const FLOAT: Receivers = 1 << 2;
/// Floats in `std`, where `core` alone lacks the method: a trait of a user's may have it, and rustc confirms that it is
/// std's.
const FLOAT_OF_STD: Receivers = 1 << 3;

/// Integers have a value for all operands of the method.
const TOTAL: bool = true;
/// It may panic, or depends on its operands ([`Values::method`](super::Values::method)).
const PARTIAL: bool = false;

/// Methods of numbers, booleans and options that only compute. An inherent method wins over one of a trait, so these
/// are std's.
const METHODS: &[(&str, Shape, Receivers, bool)] = {
    use Shape::{Bits, Counted, Kept, Length, Other, Same, Truth, Unsigned};
    &[
        ("abs", Same, SIGNED | FLOAT, PARTIAL),
        ("abs_diff", Unsigned, INT, TOTAL),
        ("cast_signed", Other, UNSIGNED, TOTAL),
        ("cast_unsigned", Other, SIGNED, TOTAL),
        ("ceil", Kept, FLOAT_OF_STD, PARTIAL),
        ("checked_abs", Other, SIGNED, TOTAL),
        ("checked_add", Other, INT, TOTAL),
        ("checked_div", Other, INT, TOTAL),
        ("checked_mul", Other, INT, TOTAL),
        ("checked_neg", Other, INT, TOTAL),
        ("checked_pow", Other, INT, TOTAL),
        ("checked_rem", Other, INT, TOTAL),
        ("checked_shl", Other, INT, TOTAL),
        ("checked_shr", Other, INT, TOTAL),
        ("checked_sub", Other, INT, TOTAL),
        ("clamp", Same, INT | FLOAT, PARTIAL),
        ("clone", Other, NONE, PARTIAL),
        ("copysign", Kept, FLOAT, PARTIAL),
        ("count_ones", Bits, INT, TOTAL),
        ("count_zeros", Bits, INT, TOTAL),
        ("div_ceil", Same, UNSIGNED, PARTIAL),
        ("div_euclid", Same, INT, PARTIAL),
        ("eq", Other, NONE, PARTIAL),
        ("floor", Kept, FLOAT_OF_STD, PARTIAL),
        ("fract", Kept, FLOAT_OF_STD, PARTIAL),
        ("ge", Other, NONE, PARTIAL),
        ("get", Other, NONE, PARTIAL),
        ("gt", Other, NONE, PARTIAL),
        ("ilog10", Other, INT, PARTIAL),
        ("ilog2", Bits, INT, PARTIAL),
        ("into", Other, NONE, PARTIAL),
        ("is_empty", Other, NONE, PARTIAL),
        ("is_negative", Truth, SIGNED, TOTAL),
        ("is_none", Other, NONE, PARTIAL),
        ("is_positive", Truth, SIGNED, TOTAL),
        ("is_power_of_two", Truth, UNSIGNED, TOTAL),
        ("is_some", Other, NONE, PARTIAL),
        ("isqrt", Same, INT, PARTIAL),
        ("le", Other, NONE, PARTIAL),
        ("leading_ones", Other, INT, TOTAL),
        ("leading_zeros", Bits, INT, TOTAL),
        ("len", Length, NONE, PARTIAL),
        ("lt", Other, NONE, PARTIAL),
        ("max", Same, INT | FLOAT, TOTAL),
        ("midpoint", Same, INT | FLOAT, TOTAL),
        ("min", Same, INT | FLOAT, TOTAL),
        ("mul_add", Kept, FLOAT_OF_STD, PARTIAL),
        ("ne", Other, NONE, PARTIAL),
        ("next_multiple_of", Same, UNSIGNED, PARTIAL),
        ("next_power_of_two", Same, UNSIGNED, PARTIAL),
        ("overflowing_add", Other, INT, TOTAL),
        ("overflowing_mul", Other, INT, TOTAL),
        ("overflowing_neg", Other, INT, TOTAL),
        ("overflowing_sub", Other, INT, TOTAL),
        ("pow", Counted, INT, PARTIAL),
        ("powi", Kept, FLOAT_OF_STD, PARTIAL),
        ("recip", Kept, FLOAT_OF_STD, PARTIAL),
        ("rem_euclid", Same, INT, PARTIAL),
        ("reverse_bits", Kept, INT, TOTAL),
        ("rotate_left", Kept, INT, TOTAL),
        ("rotate_right", Kept, INT, TOTAL),
        ("round", Kept, FLOAT_OF_STD, PARTIAL),
        ("round_ties_even", Kept, FLOAT_OF_STD, PARTIAL),
        ("saturating_abs", Kept, SIGNED, TOTAL),
        ("saturating_add", Same, INT, TOTAL),
        ("saturating_mul", Same, INT, TOTAL),
        ("saturating_neg", Kept, SIGNED, TOTAL),
        ("saturating_pow", Kept, INT, TOTAL),
        ("saturating_sub", Same, INT, TOTAL),
        ("signum", Same, SIGNED | FLOAT, TOTAL),
        ("sqrt", Kept, FLOAT_OF_STD, PARTIAL),
        ("swap_bytes", Other, INT, TOTAL),
        ("to_be", Other, INT, TOTAL),
        ("to_be_bytes", Other, INT | FLOAT, PARTIAL),
        ("to_bits", Other, FLOAT, PARTIAL),
        ("to_le", Other, INT, TOTAL),
        ("to_le_bytes", Other, INT | FLOAT, PARTIAL),
        ("to_ne_bytes", Other, INT, PARTIAL),
        ("trailing_ones", Other, INT, TOTAL),
        ("trailing_zeros", Bits, INT, TOTAL),
        ("trunc", Kept, FLOAT_OF_STD, PARTIAL),
        ("unsigned_abs", Unsigned, SIGNED, TOTAL),
        ("unwrap_or", Other, NONE, PARTIAL),
        ("wrapping_abs", Same, SIGNED, TOTAL),
        ("wrapping_add", Same, INT, TOTAL),
        ("wrapping_add_signed", Other, UNSIGNED, TOTAL),
        ("wrapping_div", Same, INT, PARTIAL),
        ("wrapping_mul", Same, INT, TOTAL),
        ("wrapping_neg", Same, INT, TOTAL),
        ("wrapping_pow", Counted, INT, TOTAL),
        ("wrapping_rem", Same, INT, PARTIAL),
        ("wrapping_shl", Counted, INT, TOTAL),
        ("wrapping_shr", Counted, INT, TOTAL),
        ("wrapping_sub", Same, INT, TOTAL),
    ]
};

fn entry(method: &str) -> Option<(Shape, Receivers, bool)> {
    let at = METHODS.binary_search_by_key(&method, |(name, ..)| name).ok()?;
    let (_, shape, receivers, is_total) = METHODS[at];
    Some((shape, receivers, is_total))
}

/// Whether the method of an integer has a value for all operands.
pub(crate) fn is_total(method: &str) -> bool {
    entry(method).is_some_and(|(.., is_total)| is_total)
}

/// Whether an integer has a method `wrapping_..` that does the same where the result fits, and has a value for all operands.
pub(crate) fn has_wrapping(method: &str) -> bool {
    matches!(method, "abs" | "neg" | "pow") && is_total(&format!("wrapping_{method}"))
}

/// The methods in groups, for the reference: what is known of each.
pub fn groups() -> Vec<(&'static str, Vec<&'static str>)> {
    type Method = (&'static str, Shape, Receivers, bool);
    let names = |is_in: &dyn Fn(&Method) -> bool| {
        METHODS.iter().filter(|method| is_in(method)).map(|(name, ..)| *name).collect::<Vec<_>>()
    };
    let of_integers = |method: &Method| method.2 & INT != 0;
    let wraps = |method: &Method| of_integers(method) && has_wrapping(method.0);
    vec![
        ("of integers: have a value for all operands", names(&|own| of_integers(own) && own.3)),
        ("of integers: wrap in a stage of which nothing reads some elements", names(&wraps)),
        (
            "of integers: have a value where the ranges of their operands say so",
            names(&|own| of_integers(own) && !own.3 && !wraps(own)),
        ),
        (
            "of floats: have a value for all operands; `clamp` for bounds that are literals in their order",
            names(&|own| own.2 & (FLOAT | FLOAT_OF_STD) != 0),
        ),
        ("of other values: only compute, and may panic", names(&|own| own.2 == NONE)),
    ]
}

/// The names of all methods.
#[cfg(test)]
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    METHODS.iter().map(|(name, ..)| *name)
}

/// Whether a method with this name neither leaves the kernel nor has an effect.
pub(crate) fn is_pure(method: &str) -> bool {
    entry(method).is_some()
}

/// Whether an integer type has the method.
pub(crate) fn of_integers(method: &str, signed: bool) -> bool {
    entry(method).is_some_and(|(_, of, _)| of & if signed { SIGNED } else { UNSIGNED } != 0)
}

/// Whether floats have the method, in `core` or in `std`.
pub(crate) fn of_floats(method: &str) -> bool {
    entry(method).is_some_and(|(_, of, _)| of & (FLOAT | FLOAT_OF_STD) != 0)
}

/// Whether `core` alone lacks the method of floats; its name.
pub(crate) fn of_std(method: &str) -> Option<&'static str> {
    METHODS.iter().find(|(name, _, of, _)| *name == method && of & FLOAT_OF_STD != 0).map(|(name, ..)| *name)
}

/// How the types of a method hang together.
pub(crate) fn shape(method: &str) -> Option<Shape> {
    entry(method).map(|(shape, ..)| shape)
}

/// What a method comes to, besides what an operator can.
enum MethodValue {
    Int(IntResult),
    Truth(bool),
    /// No such method on this type, or nothing that can be held here: rustc decides.
    Unknown,
    /// A panic with this cause.
    Panic(&'static str, &'static str),
}

impl Evaluator<'_> {
    /// `t.extent(axis)` of a tensor.
    fn extent(self, call: &ExprMethodCall) -> Result<Option<Value>> {
        let (Expr::Path(tensor), 1) = (&*call.receiver, call.args.len()) else { return Ok(None) };
        let Some(tensor) = tensor.path.get_ident() else { return Ok(None) };
        let Some(Value::Int(axis)) = self.value(&call.args[0], Some(IntType::Usize))? else {
            return Ok(None);
        };
        let extent = usize::try_from(axis.value).ok().and_then(|axis| self.scope.extent(tensor, axis));
        Ok(extent.map(|extent| Value::Int(Int { value: i128::from(extent), ty: Some(IntType::Usize) })))
    }

    pub(super) fn method_call(
        self,
        call: &ExprMethodCall,
        expected: Option<IntType>,
    ) -> Result<Option<Value>> {
        let method = call.method.to_string();
        if call.turbofish.is_some() {
            return Ok(None);
        }
        if method == "extent" {
            return self.extent(call);
        }
        let Some(shape) = shape(&method) else { return Ok(None) };
        let own = match shape {
            Shape::Same => expected
                .or_else(|| self.infer(&call.receiver))
                .or_else(|| call.args.iter().find_map(|argument| self.infer(argument))),
            Shape::Counted => expected.or_else(|| self.infer(&call.receiver)),
            Shape::Unsigned | Shape::Bits | Shape::Truth => {
                let argument = || call.args.iter().find_map(|argument| self.infer(argument));
                self.infer(&call.receiver).or_else(argument)
            }
            Shape::Length => None,
            Shape::Kept | Shape::Other => return Ok(None),
        };
        let Some(receiver) = self.value(&call.receiver, own)? else { return Ok(None) };
        let mut receiver = match (receiver, shape) {
            (Value::Array(elements), Shape::Length) if call.args.is_empty() => {
                return Ok(Some(Value::Int(Int::typed(elements.len() as i128, IntType::Usize))));
            }
            (Value::Int(int), _) => int,
            _ => return Ok(None),
        };
        let argument_type = if shape == Shape::Counted { Some(IntType::U32) } else { own };
        let mut arguments = Vec::with_capacity(call.args.len());
        for argument in &call.args {
            let Some(Value::Int(int)) = self.value(argument, argument_type)? else { return Ok(None) };
            if shape == Shape::Counted {
                common(Int::typed(0, IntType::U32), int, argument)?;
            } else {
                receiver.ty = common(receiver, int, call)?.0;
            }
            arguments.push(int);
        }
        // The methods of a trait, which is in scope by the prelude alone.
        if let Some(name) = ["clamp", "max", "min"].into_iter().find(|name| method == *name) {
            self.scope.relies_on_method(name);
        }
        let ty = receiver.folding_type();
        let value = in_type(receiver, ty, &call.receiver)?;
        let mut numbers = Vec::with_capacity(arguments.len());
        for (int, argument) in arguments.iter().zip(&call.args) {
            let ty = if shape == Shape::Counted { IntType::U32 } else { ty };
            numbers.push(in_type(*int, ty, argument)?);
        }
        // A later use may give the number its type, as an index of a slice does.
        if receiver.ty.is_none() && depends_on_type(&method, value, &numbers) {
            return Err(wrong(
                call,
                &format!("`{method}` of a number whose type is not known here"),
                "its value depends on the type: write that out, as in `0usize` or `let k: usize = 0`",
            ));
        }
        let (own, result) = match shape {
            Shape::Same | Shape::Counted => (receiver.ty, ty),
            Shape::Unsigned => (Some(ty.unsigned()), ty.unsigned()),
            Shape::Bits | Shape::Truth | Shape::Length | Shape::Kept | Shape::Other => {
                (Some(IntType::U32), IntType::U32)
            }
        };
        match apply(&method, value, &numbers, ty) {
            MethodValue::Int(folded) => outcome(folded, own, result, call),
            MethodValue::Truth(value) => Ok(Some(Value::Bool(value))),
            MethodValue::Unknown => Ok(None),
            MethodValue::Panic(message, help) => Err(wrong(call, message, help)),
        }
    }

    /// `u8::from(x)` and its like, where std has them. A number without a type may be converted if it fits.
    pub(super) fn conversion(self, call: &ExprCall) -> Result<Option<Value>> {
        let Expr::Path(path) = &*call.func else { return Ok(None) };
        let Some((ty, name)) = associated(path) else { return Ok(None) };
        let mut arguments = call.args.iter();
        let (Some(argument), None) = (arguments.next(), arguments.next()) else { return Ok(None) };
        if name != "from" {
            return Ok(None);
        }
        match self.value(argument, None)? {
            Some(Value::Bool(value)) => Ok(Some(Value::Int(Int::typed(value.into(), ty)))),
            Some(Value::Int(int)) => match int.ty {
                Some(from) if ty.is_from(from) => Ok(Some(Value::Int(Int::typed(int.value, ty)))),
                Some(_) => Ok(None),
                None => adopt(Value::Int(int), Some(ty), argument).map(Some),
            },
            _ => Ok(None),
        }
    }
}

/// Whether a method gives two values for numbers of two types that hold them. Types in which it panics do not count.
fn depends_on_type(method: &str, value: i128, arguments: &[i128]) -> bool {
    let holds = |ty: &&IntType| [value].iter().chain(arguments).all(|number| ty.contains(*number));
    let mut results =
        IntType::ALL.iter().filter(holds).filter_map(|ty| match apply(method, value, arguments, *ty) {
            MethodValue::Int(IntResult::Value(number)) => Some(number),
            _ => None,
        });
    results.next().is_some_and(|first| results.any(|other| other != first))
}

/// The method on numbers that are values of `ty` (counts of `u32`).
fn apply(method: &str, value: i128, arguments: &[i128], ty: IntType) -> MethodValue {
    let operator = |operator: IntOp, b: i128| MethodValue::Int(operator.fold(value, b, ty));
    let number = |number: i128| MethodValue::Int(IntResult::Value(number));
    let wrapped = |number: i128| {
        ty.wrap(number).map_or(MethodValue::Unknown, |n| MethodValue::Int(IntResult::Value(n)))
    };
    let signed = ty.is_signed();
    match (method, arguments) {
        ("abs", []) if signed => {
            if value < 0 {
                MethodValue::Int(IntOp::Sub.fold(0, value, ty))
            } else {
                number(value)
            }
        }
        ("signum", []) if signed => number(value.signum()),
        ("is_positive", []) if signed => MethodValue::Truth(value > 0),
        ("is_negative", []) if signed => MethodValue::Truth(value < 0),
        ("min", [b]) => number(value.min(*b)),
        ("max", [b]) => number(value.max(*b)),
        ("clamp", [low, high]) if low <= high => number(value.clamp(*low, *high)),
        ("clamp", [_, _]) => MethodValue::Panic(
            "the lower bound of this `clamp` is above its upper bound",
            "the bounds are `clamp(lowest, highest)`",
        ),
        ("pow", [exponent]) => operator(IntOp::Pow, *exponent),
        ("rem_euclid", [b]) => operator(IntOp::RemEuclid, *b),
        ("div_euclid", [b]) => operator(IntOp::DivEuclid, *b),
        ("abs_diff", [b]) => {
            let difference = i128::try_from(value.abs_diff(*b));
            difference.map_or(MethodValue::Unknown, number)
        }
        ("unsigned_abs", []) if signed => {
            i128::try_from(value.unsigned_abs()).map_or(MethodValue::Unknown, number)
        }
        ("wrapping_add", [b]) => wrapped(value.wrapping_add(*b)),
        ("wrapping_sub", [b]) => wrapped(value.wrapping_sub(*b)),
        ("wrapping_mul", [b]) => wrapped(value.wrapping_mul(*b)),
        ("wrapping_div" | "wrapping_rem", [0]) => MethodValue::Int(IntResult::ByZero),
        ("wrapping_div", [b]) => wrapped(value.wrapping_div(*b)),
        ("wrapping_rem", [b]) => wrapped(value.wrapping_rem(*b)),
        ("wrapping_neg", []) => wrapped(value.wrapping_neg()),
        ("wrapping_abs", []) if signed => wrapped(value.wrapping_abs()),
        // Powers modulo 2^128 keep the low bits that the narrower type would have.
        ("wrapping_pow", [exponent]) => u32::try_from(*exponent)
            .map_or(MethodValue::Unknown, |exponent| wrapped(value.wrapping_pow(exponent))),
        ("wrapping_shl", [count]) => operator(IntOp::Shl, count & i128::from(ty.bits() - 1)),
        ("wrapping_shr", [count]) => operator(IntOp::Shr, count & i128::from(ty.bits() - 1)),
        // The bounds of `u128` cannot be held here.
        ("saturating_add", [b]) if ty != IntType::U128 => {
            number(value.saturating_add(*b).clamp(ty.min(), ty.max()))
        }
        ("saturating_sub", [b]) => number(value.saturating_sub(*b).clamp(ty.min(), ty.max())),
        ("saturating_mul", [b]) if ty != IntType::U128 => {
            number(value.saturating_mul(*b).clamp(ty.min(), ty.max()))
        }
        ("div_ceil" | "next_multiple_of", [0]) if !signed => MethodValue::Int(IntResult::ByZero),
        ("div_ceil", [b]) if !signed => number(value / b + i128::from(value % b != 0)),
        ("next_multiple_of", [b]) if !signed => match value % b {
            0 => number(value),
            rest => operator(IntOp::Add, b - rest),
        },
        ("is_power_of_two", []) if !signed => MethodValue::Truth(value.count_ones() == 1),
        ("next_power_of_two", []) if !signed => {
            let power = value.cast_unsigned().next_power_of_two();
            match i128::try_from(power) {
                Ok(power) if ty.contains(power) => number(power),
                Ok(_) => MethodValue::Int(IntResult::Overflow),
                Err(_) => MethodValue::Unknown,
            }
        }
        ("ilog2", []) if value > 0 => number(value.ilog2().into()),
        ("ilog2", []) => {
            MethodValue::Panic("`ilog2` of a number that is not positive", "guard it with a static `if`")
        }
        // Zeros before the number and behind its end depend on the width, which is the target's for these.
        ("count_ones" | "count_zeros" | "leading_zeros" | "trailing_zeros", []) => bits(method, value, ty),
        _ => MethodValue::Unknown,
    }
}

fn bits(method: &str, value: i128, ty: IntType) -> MethodValue {
    let pattern = value.cast_unsigned() << (128 - ty.bits()) >> (128 - ty.bits());
    let ones = pattern.count_ones();
    let count = match method {
        "count_ones" if !ty.is_pointer_sized() || value >= 0 => ones,
        "trailing_zeros" if !ty.is_pointer_sized() || value != 0 => pattern.trailing_zeros().min(ty.bits()),
        _ if ty.is_pointer_sized() => return MethodValue::Unknown,
        "count_zeros" => ty.bits() - ones,
        _ => pattern.leading_zeros() - (128 - ty.bits()),
    };
    MethodValue::Int(IntResult::Value(count.into()))
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_table_is_sorted() {
        assert!(super::METHODS.is_sorted_by_key(|(name, ..)| name));
    }
}
