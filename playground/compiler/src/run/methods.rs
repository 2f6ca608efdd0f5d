//! The methods of std that expansions call.

use std::cmp::Ordering;
use std::rc::Rc;

use super::eval::{Frame, order};
use super::value::{Number, Value};
use super::{Flow, panics, unsupported};

impl Frame<'_> {
    pub(super) fn std_method(&self, receiver: Value, name: &str, arguments: &[Value]) -> Result<Value, Flow> {
        let unknown = || unsupported(format!("the method `{name}` of {receiver:?}"));
        let followed = arguments.iter().map(|value| self.followed(value)).collect::<Result<Vec<_>, _>>()?;
        match (&receiver, name) {
            (Value::Int(..) | Value::Float(..), "into" | "clone") => match &receiver {
                Value::Int(value, _) if name == "into" => Ok(Value::Int(*value, None)),
                _ => Ok(receiver),
            },
            (
                _,
                "clone" | "by_ref" | "into_iter" | "iter" | "iter_mut" | "as_ref" | "as_slice" | "copied"
                | "cloned",
            ) if !matches!(receiver, Value::Option(_)) => match name {
                "clone" => Ok(receiver.copied()),
                "copied" | "cloned" => {
                    let items = self.items(&receiver)?;
                    let items = items.iter().map(|item| self.followed(item)).collect::<Result<_, _>>()?;
                    Ok(Value::Items(Rc::new(items)))
                }
                _ => Ok(receiver),
            },
            (Value::Int(value, number), _) => integer(*value, *number, name, &followed)?.ok_or_else(unknown),
            (Value::Float(value, number), _) => float(*value, *number, name, &followed).ok_or_else(unknown),
            (Value::Array(_) | Value::Slice(_), "len" | "is_empty" | "fill" | "copy_from_slice" | "get") => {
                let slice = self.memory(&receiver)?;
                match (name, &followed[..]) {
                    ("len", _) => Ok(Value::usize(slice.length)),
                    ("is_empty", _) => Ok(Value::Bool(slice.length == 0)),
                    ("fill", [value]) => {
                        for at in slice.start..slice.start + slice.length {
                            self.write(
                                &super::value::Place::Cell(Rc::clone(&slice.memory), at),
                                value.clone(),
                            )?;
                        }
                        Ok(Value::Unit)
                    }
                    ("copy_from_slice", [from]) => {
                        let from = self.memory(from)?;
                        if from.length != slice.length {
                            return Err(panics("copy_from_slice: the lengths differ"));
                        }
                        for at in 0..from.length {
                            let value = from.memory.cells.borrow()[from.start + at].clone();
                            slice.memory.cells.borrow_mut()[slice.start + at] = value;
                        }
                        Ok(Value::Unit)
                    }
                    ("get", [at]) => Ok(Value::Option(slice.get(at.int()?).map(Rc::new))),
                    _ => Err(unknown()),
                }
            }
            (Value::Option(own), _) => self.option(own.as_ref(), name, arguments)?.ok_or_else(unknown),
            (Value::Range(start, end, _), "contains") => {
                let at = followed.first().ok_or_else(unknown)?.int()?;
                Ok(Value::Bool((*start..*end).contains(&at)))
            }
            (Value::Range(start, end, _), "len") => {
                Ok(Value::usize(usize::try_from((end - start).max(0)).unwrap_or(0)))
            }
            (Value::Range(..) | Value::Items(_) | Value::Array(_) | Value::Slice(_), _) => {
                self.iterator(&receiver, name, arguments)?.ok_or_else(unknown)
            }
            _ => Err(unknown()),
        }
    }

    /// What references lead to.
    pub(super) fn followed(&self, value: &Value) -> Result<Value, Flow> {
        match value {
            Value::Reference(place) => self.followed(&self.read(place)?),
            other => Ok(other.clone()),
        }
    }

    fn option(
        &self,
        own: Option<&Rc<Value>>,
        name: &str,
        arguments: &[Value],
    ) -> Result<Option<Value>, Flow> {
        Ok(Some(match (name, own, arguments) {
            ("is_some", own, _) => Value::Bool(own.is_some()),
            ("is_none", own, _) => Value::Bool(own.is_none()),
            ("unwrap" | "expect", Some(value), _) => (**value).clone(),
            ("unwrap" | "expect", None, _) => {
                return Err(panics("called `Option::unwrap()` on a `None` value"));
            }
            ("unwrap_or" | "unwrap_or_default" | "unwrap_or_else", Some(value), _) => (**value).clone(),
            ("unwrap_or", None, [otherwise]) => otherwise.clone(),
            ("unwrap_or_else", None, [otherwise]) => self.apply(otherwise, Vec::new())?,
            ("unwrap_or_default", None, _) => Value::Int(0, None),
            ("map_or", None, [otherwise, _]) => otherwise.clone(),
            ("map_or", Some(value), [_, map]) => self.apply(map, vec![(**value).clone()])?,
            ("is_some_and", Some(value), [test]) => self.apply(test, vec![(**value).clone()])?,
            ("is_some_and", None, _) => Value::Bool(false),
            ("map", own, [map]) => {
                let mapped = own.map(|value| self.apply(map, vec![(**value).clone()])).transpose()?;
                Value::Option(mapped.map(Rc::new))
            }
            ("copied" | "cloned" | "as_ref" | "clone", own, _) => {
                Value::Option(own.map(|value| self.followed(value)).transpose()?.map(Rc::new))
            }
            _ => return Ok(None),
        }))
    }

    fn iterator(&self, receiver: &Value, name: &str, arguments: &[Value]) -> Result<Option<Value>, Flow> {
        let items = self.items(receiver)?;
        let number = receiver.number();
        let sum = |items: Vec<Value>, first: i128, add: bool| -> Result<Value, Flow> {
            let mut total = Value::Int(first, number);
            for item in items {
                let item = self.followed(&item)?;
                if let (Value::Int(..), Value::Float(_, own)) = (&total, &item) {
                    total = Value::Float(first as f64, *own);
                }
                let op = if add {
                    syn::BinOp::Add(<syn::Token![+]>::default())
                } else {
                    syn::BinOp::Mul(<syn::Token![*]>::default())
                };
                total = super::eval::binary(op, &total, &item)?;
            }
            Ok(total)
        };
        let best = |wanted: Ordering| -> Result<Value, Flow> {
            let mut best: Option<Value> = None;
            for item in &items {
                let item = self.followed(item)?;
                let better = match &best {
                    Some(best) => order(&item, best)?.is_some_and(|order| {
                        order == wanted || wanted == Ordering::Greater && order == Ordering::Equal
                    }),
                    None => true,
                };
                if better {
                    best = Some(item);
                }
            }
            Ok(Value::Option(best.map(Rc::new)))
        };
        Ok(Some(match (name, arguments) {
            ("rev", _) => Value::Items(Rc::new(items.into_iter().rev().collect())),
            ("enumerate", _) => {
                let pair = |(at, item)| Value::Tuple(Rc::new(vec![Value::usize(at), item]));
                Value::Items(Rc::new(items.into_iter().enumerate().map(pair).collect()))
            }
            ("step_by", [step]) => {
                let step = self.followed(step)?.index()?;
                if step == 0 {
                    return Err(panics("assertion failed: step != 0"));
                }
                Value::Items(Rc::new(items.into_iter().step_by(step).collect()))
            }
            ("skip", [count]) => {
                Value::Items(Rc::new(items.into_iter().skip(self.followed(count)?.index()?).collect()))
            }
            ("take", [count]) => {
                Value::Items(Rc::new(items.into_iter().take(self.followed(count)?.index()?).collect()))
            }
            ("zip", [other]) => {
                let others = self.items(other)?;
                let pair = |(left, right)| Value::Tuple(Rc::new(vec![left, right]));
                Value::Items(Rc::new(items.into_iter().zip(others).map(pair).collect()))
            }
            ("map", [map]) => {
                let mapped = items.into_iter().map(|item| self.apply(map, vec![item]));
                Value::Items(Rc::new(mapped.collect::<Result<_, _>>()?))
            }
            ("filter", [test]) => {
                let mut kept = Vec::new();
                for item in items {
                    if self.apply(test, vec![item.clone()])?.bool()? {
                        kept.push(item);
                    }
                }
                Value::Items(Rc::new(kept))
            }
            ("any" | "all", [test]) => {
                let wanted = name == "any";
                for item in items {
                    if self.apply(test, vec![item])?.bool()? == wanted {
                        return Ok(Some(Value::Bool(wanted)));
                    }
                }
                Value::Bool(!wanted)
            }
            ("fold", [first, add]) => {
                let mut total = first.clone();
                for item in items {
                    total = self.apply(add, vec![total, item])?;
                }
                total
            }
            ("sum", []) => sum(items, 0, true)?,
            ("product", []) => sum(items, 1, false)?,
            ("count", []) => Value::usize(items.len()),
            ("min", []) => best(Ordering::Less)?,
            ("max", []) => best(Ordering::Greater)?,
            _ => return Ok(None),
        }))
    }
}

fn integer(
    value: i128,
    number: Option<Number>,
    name: &str,
    arguments: &[Value],
) -> Result<Option<Value>, Flow> {
    let own = number.or_else(|| arguments.iter().find_map(Value::number));
    let ty = own.unwrap_or(Number::I32);
    let int = |at: usize| arguments.get(at).map_or(Ok(0), Value::int);
    let bits = i128::from(ty.bits());
    let of = |value: i128| Ok(Some(Value::Int(value, own)));
    let fits = |value: i128| (ty.least()..=ty.greatest()).contains(&value);
    let exact = |value: i128, verb: &str| {
        if fits(value) { of(value) } else { Err(panics(format!("attempt to {verb} with overflow"))) }
    };
    let pattern = (ty.unsigned().wrap(value)) as u128;
    let (a, b) = (value, int(0)?);
    let zero = || panics("attempt to divide by zero");
    if matches!(name, "div_ceil" | "rem_euclid" | "div_euclid" | "next_multiple_of") && b == 0 {
        return Err(zero());
    }
    let count = |count: u32| Ok(Some(Value::Int(count.into(), Some(Number::U32))));
    match name {
        "min" => of(a.min(b)),
        "max" => of(a.max(b)),
        "clamp" => {
            let last = int(1)?;
            if b > last { Err(panics("assertion failed: min <= max")) } else { of(a.clamp(b, last)) }
        }
        "abs" => exact(a.abs(), "negate"),
        "signum" => of(a.signum()),
        "pow" => exact(a.checked_pow(u32::try_from(b).unwrap_or(u32::MAX)).unwrap_or(i128::MAX), "multiply"),
        "abs_diff" => Ok(Some(Value::Int((a - b).abs(), own.map(Number::unsigned)))),
        "unsigned_abs" => Ok(Some(Value::Int(a.abs(), own.map(Number::unsigned)))),
        "cast_signed" | "cast_unsigned" => Err(unsupported(format!("the method `{name}`"))),
        "wrapping_add" => of(ty.wrap(a + b)),
        "wrapping_sub" => of(ty.wrap(a - b)),
        "wrapping_mul" => of(ty.wrap(a.wrapping_mul(b))),
        "wrapping_neg" => of(ty.wrap(-a)),
        "wrapping_shl" => of(ty.wrap(a << (b & (bits - 1)))),
        "wrapping_shr" => of(a >> (b & (bits - 1))),
        "saturating_add" => of((a + b).clamp(ty.least(), ty.greatest())),
        "saturating_sub" => of((a - b).clamp(ty.least(), ty.greatest())),
        "saturating_mul" => of(a.saturating_mul(b).clamp(ty.least(), ty.greatest())),
        "div_ceil" => of((a + b - 1).div_euclid(b)),
        "next_multiple_of" => exact((a + b - 1).div_euclid(b) * b, "add"),
        "rem_euclid" => of(a.rem_euclid(b)),
        "div_euclid" => of(a.div_euclid(b)),
        "is_power_of_two" => Ok(Some(Value::Bool(pattern.is_power_of_two()))),
        "next_power_of_two" => exact(pattern.next_power_of_two() as i128, "add"),
        "count_ones" => count(pattern.count_ones()),
        "leading_zeros" => count(pattern.leading_zeros() - (128 - ty.bits())),
        "trailing_zeros" => count(pattern.trailing_zeros().min(ty.bits())),
        "ilog2" if a <= 0 => Err(panics("argument of integer logarithm must be positive")),
        "ilog2" => count(pattern.ilog2()),
        "isqrt" => of(pattern.isqrt() as i128),
        "cmp" => Err(unsupported("`cmp`")),
        _ => Ok(None),
    }
}

fn float(value: f64, number: Option<Number>, name: &str, arguments: &[Value]) -> Option<Value> {
    let other = || match arguments.first() {
        Some(Value::Float(other, _)) => Some(*other),
        Some(Value::Int(other, _)) => Some(*other as f64),
        _ => None,
    };
    let result = match name {
        "abs" => value.abs(),
        "sqrt" => value.sqrt(),
        "cos" => value.cos(),
        "sin" => value.sin(),
        "exp" => value.exp(),
        "ln" => value.ln(),
        "floor" => value.floor(),
        "ceil" => value.ceil(),
        "round" => value.round(),
        "trunc" => value.trunc(),
        "signum" => value.signum(),
        "min" => value.min(other()?),
        "max" => value.max(other()?),
        "powf" => value.powf(other()?),
        "powi" => value.powi(other()? as i32),
        "clamp" => match arguments {
            [Value::Float(least, _), Value::Float(greatest, _)] => value.max(*least).min(*greatest),
            _ => return None,
        },
        "mul_add" => match arguments {
            [Value::Float(factor, _), Value::Float(more, _)] => value.mul_add(*factor, *more),
            _ => return None,
        },
        _ => return None,
    };
    let number = number.or_else(|| arguments.iter().find_map(Value::number).filter(|own| own.is_float()));
    Some(Value::Float(number.map_or(result, |number| number.round(result)), number))
}
