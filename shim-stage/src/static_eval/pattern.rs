//! Patterns against static values.

use syn::{Expr, Ident, Pat, RangeLimits, Result};

use super::eval::Evaluator;
use super::number::compare;
use super::{Layer, Scope, Value, convert};

/// Names and what they are bound to.
pub type MatchBindings = Vec<(Ident, Value)>;

/// Whether something matches.
#[derive(Debug)]
pub(super) enum Decision {
    Yes(MatchBindings),
    No,
    Unknown,
}

/// Matches `value` against `pattern`, a guard included: `None` if that cannot be decided at expansion, `Some(None)` if
/// it does not match, `Some(Some(bindings))` if it does.
///
/// A pattern that binds by reference or mutably is not decided, since what it binds is no longer a static value.
///
/// # Errors
///
/// If a static part of the pattern has no value, such as a bound that overflows.
#[allow(clippy::option_option, reason = "three answers: undecided, no match, match")]
pub fn matches(pattern: &Pat, value: &Value, scope: &dyn Scope) -> Result<Option<Option<MatchBindings>>> {
    Ok(match Evaluator::new(scope).decide(pattern, value)? {
        Decision::Yes(bindings) => Some(Some(bindings)),
        Decision::No => Some(None),
        Decision::Unknown => None,
    })
}

impl Evaluator<'_> {
    pub(super) fn decide(self, pattern: &Pat, value: &Value) -> Result<Decision> {
        Ok(match pattern {
            Pat::Wild(_) => Decision::Yes(Vec::new()),
            Pat::Paren(inner) => self.decide(&inner.pat, value)?,
            Pat::Guard(guarded) => match self.decide(&guarded.pat, value)? {
                Decision::Yes(names) => {
                    let layer = Layer { below: self.scope, names: &names };
                    match self.within(&layer).value(&guarded.guard, None)? {
                        Some(Value::Bool(true)) => Decision::Yes(names),
                        Some(Value::Bool(false)) => Decision::No,
                        _ => Decision::Unknown,
                    }
                }
                other => other,
            },
            Pat::Ident(name) => {
                let inner = match &name.subpat {
                    Some((_, inner)) => self.decide(inner, value)?,
                    None => Decision::Yes(Vec::new()),
                };
                let Decision::Yes(mut bindings) = inner else { return Ok(inner) };
                if name.by_ref.is_some() || name.mutability.is_some() {
                    return Ok(Decision::Unknown);
                }
                if name.subpat.is_none() && self.scope.is_constant(&name.ident) {
                    return Ok(self
                        .scope
                        .lookup(&name.ident)
                        .map_or(Decision::Unknown, |constant| equal(&constant, value)));
                }
                bindings.push((name.ident.clone(), value.clone()));
                Decision::Yes(bindings)
            }
            Pat::Lit(lit) => self.constant(&Expr::Lit(lit.clone()), value)?,
            Pat::Path(path) => self.constant(&Expr::Path(path.clone()), value)?,
            Pat::Const(block) => self.constant(&Expr::Const(block.clone()), value)?,
            Pat::Range(range) => self.range(range, value)?,
            Pat::Or(or) => {
                for case in &or.cases {
                    match self.decide(case, value)? {
                        Decision::No => {}
                        decided => return Ok(decided),
                    }
                }
                Decision::No
            }
            Pat::Tuple(tuple) => match value {
                Value::Tuple(elements) => self.sequence(tuple.elems.iter(), elements, Value::Tuple)?,
                _ => Decision::Unknown,
            },
            Pat::Slice(slice) => match value {
                Value::Array(elements) => self.sequence(slice.elems.iter(), elements, Value::Array)?,
                _ => Decision::Unknown,
            },
            Pat::Type(typed) => match convert(value, &typed.ty) {
                Some(value) => self.decide(&typed.pat, &value)?,
                None => Decision::Unknown,
            },
            _ => Decision::Unknown,
        })
    }

    fn constant(self, constant: &Expr, value: &Value) -> Result<Decision> {
        let constant = self.value(constant, value.int_type())?;
        Ok(constant.map_or(Decision::Unknown, |constant| equal(&constant, value)))
    }

    fn range(self, range: &syn::ExprRange, value: &Value) -> Result<Decision> {
        let Value::Int(int) = value else { return Ok(Decision::Unknown) };
        let mut decision = Decision::Yes(Vec::new());
        for (bound, is_start) in [(&range.start, true), (&range.end, false)] {
            let Some(bound) = bound else { continue };
            let Some(Value::Int(bound)) = self.value(bound, int.ty)? else {
                decision = Decision::Unknown;
                continue;
            };
            let bound = bound.value;
            let inside = if is_start {
                bound <= int.value
            } else if matches!(range.limits, RangeLimits::HalfOpen(_)) {
                int.value < bound
            } else {
                int.value <= bound
            };
            // One bound that excludes the number decides, whatever the other one is.
            if !inside {
                return Ok(Decision::No);
            }
        }
        Ok(decision)
    }

    /// The patterns of a tuple or an array, at most one of which is `..` or, in an array, `name @ ..`.
    fn sequence<'p>(
        self,
        patterns: impl ExactSizeIterator<Item = &'p Pat>,
        elements: &[Value],
        whole: fn(Vec<Value>) -> Value,
    ) -> Result<Decision> {
        let given = patterns.len();
        let mut bindings = Vec::new();
        let mut unknown = false;
        let mut at = 0;
        let mut rest_seen = false;
        for pattern in patterns {
            let rest = match pattern {
                Pat::Rest(_) => Some(None),
                Pat::Ident(name) => match &name.subpat {
                    Some((_, inner)) if matches!(**inner, Pat::Rest(_)) => Some(Some(name)),
                    _ => None,
                },
                _ => None,
            };
            if let Some(name) = rest {
                // `..` takes what the other patterns leave.
                let Some(taken) = (elements.len() + 1).checked_sub(given).filter(|_| !rest_seen) else {
                    return Ok(Decision::Unknown);
                };
                rest_seen = true;
                if let Some(name) = name {
                    unknown |= name.by_ref.is_some() || name.mutability.is_some();
                    bindings.push((name.ident.clone(), whole(elements[at..at + taken].to_vec())));
                }
                at += taken;
                continue;
            }
            let Some(element) = elements.get(at) else { return Ok(Decision::Unknown) };
            match self.decide(pattern, element)? {
                Decision::Yes(more) => bindings.extend(more),
                Decision::No => return Ok(Decision::No),
                Decision::Unknown => unknown = true,
            }
            at += 1;
        }
        let decided = !unknown && at == elements.len();
        Ok(if decided { Decision::Yes(bindings) } else { Decision::Unknown })
    }
}

fn equal(a: &Value, b: &Value) -> Decision {
    match compare(a, b) {
        Some(order) if order.is_eq() => Decision::Yes(Vec::new()),
        Some(_) => Decision::No,
        None => Decision::Unknown,
    }
}
