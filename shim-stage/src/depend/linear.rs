//! Coordinates as linear functions of the variables of a nest.

use crate::ir::{Constraint, Loop, SymbolSource};
use crate::symbolic::{Atom, Range, SymInt, Symbol, extreme};

use super::Depends;
use super::steps::gcd;

/// `coefficients * variables + moving + rest`.
#[derive(Debug)]
pub(super) struct Linear {
    /// One per loop of the nest.
    pub(super) coefficients: Vec<i64>,
    /// The range of the terms whose values may differ between two points: inner loops and locals of the body.
    pub(super) moving: Range,
    /// The terms that are equal at all points.
    pub(super) rest: SymInt,
}

/// `floor(linear / divisor) + offset`.
#[derive(Debug)]
pub(super) struct Quotient {
    pub(super) linear: Linear,
    pub(super) divisor: i64,
    pub(super) offset: i64,
}

impl Quotient {
    /// The coordinate in this form, if it has it.
    pub(super) fn of(coordinate: &SymInt, nest: &Depends<'_>) -> Option<Quotient> {
        if let Some(linear) = Linear::of(coordinate, nest) {
            return Some(Quotient { linear, divisor: 1, offset: 0 });
        }
        let offset = coordinate.constant_part();
        match coordinate.sub(&SymInt::constant(offset)).ok()?.as_atom()? {
            Atom::FloorDiv(numerator, divisor) => {
                Some(Quotient { linear: Linear::of(numerator, nest)?, divisor: *divisor, offset })
            }
            _ => None,
        }
    }
}

impl Linear {
    /// A coordinate without its quotients, and a number of which they are multiples there, unless it is great.
    pub(super) fn with_multiples(coordinate: &SymInt, nest: &Depends<'_>) -> Option<(Linear, i64)> {
        let (mut rest, mut divisor) = (coordinate.clone(), 0);
        for (factor, monomial) in coordinate.terms() {
            if let [Atom::FloorDiv(numerator, by)] = monomial {
                let quotient = numerator.floor_div(*by).ok()?;
                rest = rest.sub(&quotient.scale(factor).ok()?).ok()?;
                divisor = gcd(divisor, factor);
            }
        }
        Some((Linear::of(&rest, nest)?, divisor)).filter(|_| divisor <= Self::MAX_DIVISOR)
    }

    const MAX_DIVISOR: i64 = 1024;

    pub(super) fn of(sym: &SymInt, nest: &Depends<'_>) -> Option<Linear> {
        let moving = nest.moving(sym)?;
        let (mut rest, spread) = nest.without_bounds(&sym.sub(&moving).ok()?)?;
        let mut coefficients = Vec::new();
        for id in nest.loops {
            let variable = &nest.program.loops[*id].symbol;
            let coefficient = rest.coefficient(variable)?.as_constant()?;
            rest = rest.sub(&SymInt::symbol(variable).scale(coefficient).ok()?).ok()?;
            coefficients.push(coefficient);
        }
        if rest.symbols().iter().any(|symbol| nest.varies(symbol)) {
            return None;
        }
        Some(Linear { coefficients, moving: nest.reach(moving).plus(spread), rest })
    }
}

impl Depends<'_> {
    /// The terms of a sum that may have another value at another point, whichever the variables of the nest are: inner
    /// loops and locals of the body, and the `min` or `max` of such.
    fn moving(&self, sym: &SymInt) -> Option<SymInt> {
        let mut moving = SymInt::constant(0);
        for (factor, atoms) in sym.terms() {
            let own = match atoms {
                [Atom::Symbol(symbol)] => SymInt::symbol(symbol),
                [Atom::Min(a, b)] => SymInt::min(a, b).ok()?,
                [Atom::Max(a, b)] => SymInt::max(a, b).ok()?,
                _ => continue,
            };
            if own.symbols().iter().any(|symbol| self.varies(symbol)) {
                moving = moving.add(&own.scale(factor).ok()?).ok()?;
            }
        }
        Some(moving)
    }

    /// A sum in which an operand with variables of the nest stands for each `min` and `max` that holds such, and how far
    /// that may be from the sum: `min(y + 2, h - 1)` is `y` and 0 to 2 where `y` ends at `h - 1`.
    fn without_bounds(&self, sym: &SymInt) -> Option<(SymInt, Range)> {
        let (mut sum, mut spread) = (sym.clone(), Range::ZERO);
        for (factor, atoms) in sym.terms() {
            let whole = match atoms {
                [Atom::Min(a, b)] => SymInt::min(a, b).ok()?,
                [Atom::Max(a, b)] => SymInt::max(a, b).ok()?,
                _ => continue,
            };
            let Some(line) = self.line_in(&whole) else { continue };
            let room = self.room(&whole, &line)?;
            sum = sum.add(&line.sub(&whole).ok()?.scale(factor).ok()?).ok()?;
            spread = spread.plus(room.times(factor));
        }
        Some((sum, spread))
    }

    /// An operand of a `min` or `max` that moves with the nest, without its constant.
    fn line_in(&self, sym: &SymInt) -> Option<SymInt> {
        match sym.as_atom() {
            Some(Atom::Min(a, b) | Atom::Max(a, b)) => self.line_in(a).or_else(|| self.line_in(b)),
            _ => {
                let moves = self.loops.iter().any(|id| sym.mentions(&self.program.loops[*id].symbol));
                sym.sub(&SymInt::constant(sym.constant_part())).ok().filter(|_| moves)
            }
        }
    }

    /// The range of `sym - line` over the nest.
    fn room(&self, sym: &SymInt, line: &SymInt) -> Option<Range> {
        let least = |a: Option<i64>, b: Option<i64>| a.zip(b).map(|(a, b)| a.min(b));
        let greatest = |a: Option<i64>, b: Option<i64>| a.zip(b).map(|(a, b)| a.max(b));
        Some(match sym.as_atom() {
            Some(Atom::Min(a, b)) => {
                let [a, b] = [self.room(a, line)?, self.room(b, line)?];
                Range { lo: least(a.lo, b.lo), hi: least(a.hi, b.hi).or(a.hi).or(b.hi) }
            }
            Some(Atom::Max(a, b)) => {
                let [a, b] = [self.room(a, line)?, self.room(b, line)?];
                Range { lo: greatest(a.lo, b.lo).or(a.lo).or(b.lo), hi: greatest(a.hi, b.hi) }
            }
            _ => {
                let apart = sym.sub(line).ok()?;
                let variables: Vec<&Symbol> =
                    self.loops.iter().map(|id| &self.program.loops[*id].symbol).collect();
                let ends = &self.domain.as_ref()?.ends;
                let own = Constraint::of(&apart, &variables)?;
                let [least, most] = [false, true].map(|greatest| own.extreme(ends, greatest).ok());
                Range { lo: least?.range().lo, hi: most?.range().hi }
            }
        })
    }

    /// The range of a sum over all inner loops.
    fn reach(&self, sum: SymInt) -> Range {
        let by_terms = sum.range();
        let [mut least, mut greatest] = [Some(sum.clone()), Some(sum)];
        let innermost = |sums: [&Option<SymInt>; 2]| {
            let symbols = sums.into_iter().flatten().flat_map(SymInt::symbols);
            let inner = symbols.filter(|symbol| self.varies(symbol)).filter_map(|symbol| {
                match self.program.symbol(&symbol).source {
                    SymbolSource::Loop(id) => Some(id),
                    _ => None,
                }
            });
            inner.max_by_key(|id| self.program.depth(*id))
        };
        while let Some(id) = innermost([&least, &greatest]) {
            let Loop { symbol, first, last, .. } = &self.program.loops[id];
            least = least.and_then(|least| extreme(&least, symbol, first, last));
            greatest = greatest.and_then(|greatest| extreme(&greatest, symbol, last, first));
        }
        let lo = least.and_then(|least| least.range().lo);
        let hi = greatest.and_then(|greatest| greatest.range().hi);
        by_terms.intersect(Range { lo, hi })
    }

    /// Whether a value that is no variable of the nest may be another one at another point.
    pub(super) fn varies(&self, symbol: &crate::symbolic::Symbol) -> bool {
        let info = self.program.symbol(symbol);
        match info.source {
            SymbolSource::Loop(id) => {
                !self.loops.contains(&id) && self.program.within(self.program.body_of(id), self.body)
            }
            _ => self.program.within(info.defined.region, self.body),
        }
    }
}
