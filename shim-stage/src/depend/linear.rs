//! Coordinates as linear functions of the variables of a nest.

use crate::ir::SymbolSource;
use crate::symbolic::{Atom, Range, SymInt};

use super::Depends;

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
    pub(super) fn of(sym: &SymInt, nest: &Depends<'_>) -> Option<Linear> {
        let mut rest = sym.clone();
        let mut coefficients = Vec::new();
        for id in nest.loops {
            let variable = &nest.program.loops[*id].symbol;
            let coefficient = rest.coefficient(variable)?.as_constant()?;
            rest = rest.sub(&SymInt::symbol(variable).scale(coefficient).ok()?).ok()?;
            coefficients.push(coefficient);
        }
        let mut moving = Range::ZERO;
        for symbol in rest.symbols() {
            if !nest.varies(&symbol) {
                continue;
            }
            let own = SymInt::symbol(&symbol);
            let coefficient = rest.coefficient(&symbol)?.as_constant()?;
            let range = own.range();
            moving = moving.plus(range.times(coefficient));
            rest = rest.sub(&own.scale(coefficient).ok()?).ok()?;
        }
        Some(Linear { coefficients, moving, rest })
    }
}

impl Depends<'_> {
    /// Whether a value that is no variable of the nest may be another one at another point.
    pub(super) fn varies(&self, symbol: &crate::symbolic::Symbol) -> bool {
        let info = self.program.symbol(symbol);
        match info.source {
            SymbolSource::Loop(id) => self.program.within(self.program.body_of(id), self.body),
            _ => self.program.within(info.defined.region, self.body),
        }
    }
}
