//! The unknowns of a kernel, and the facts that always hold of them.

use std::collections::{HashMap, HashSet};

use crate::term::{Atom, Formula, Poly};

/// An integer type of Rust, on a target of 64 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Ty {
    pub(crate) bits: u32,
    pub(crate) signed: bool,
}

impl Ty {
    pub(crate) const ISIZE: Ty = Ty { bits: 64, signed: true };
    pub(crate) const USIZE: Ty = Ty { bits: 64, signed: false };
    /// The type of extents of located structs, whose operations panic where they overflow.
    pub(crate) const EXTENT: Ty = Ty { bits: 127, signed: false };

    pub(crate) fn named(name: &str) -> Option<Ty> {
        let (signed, bits) = name.split_at_checked(1)?;
        let bits = match bits {
            "size" => 64,
            "8" | "16" | "32" | "64" => bits.parse().ok()?,
            _ => return None,
        };
        matches!(signed, "i" | "u").then_some(Ty { bits, signed: signed == "i" })
    }

    pub(crate) fn low(self) -> i128 {
        if self.signed { -(1 << (self.bits - 1)) } else { 0 }
    }

    pub(crate) fn high(self) -> i128 {
        if self.signed { (1 << (self.bits - 1)) - 1 } else { (1 << self.bits) - 1 }
    }

    pub(crate) fn holds(self, poly: &Poly) -> Formula {
        Formula::all([
            Formula::at_most(&Poly::constant(self.low()), poly),
            Formula::at_most(poly, &Poly::constant(self.high())),
        ])
    }
}

/// An unknown.
#[derive(Debug)]
pub(crate) struct Unknown {
    pub(crate) low: i128,
    pub(crate) high: i128,
    /// Whether it is a truth value, not a number.
    pub(crate) is_truth: bool,
    /// Its definition.
    pub(crate) about: Vec<Formula>,
}

/// A bound that is none.
pub(crate) const UNBOUNDED: (i128, i128) = (i128::MIN, i128::MAX);

/// An entry of a table, at an index that is not known.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) table: Vec<Poly>,
    pub(crate) at: Poly,
}

/// All unknowns of a kernel.
#[derive(Debug, Default)]
pub(crate) struct Atoms {
    unknowns: Vec<Unknown>,
    /// Functions of other numbers, by name and arguments.
    shared: HashMap<(String, Vec<Poly>), Atom>,
    /// Numbers modulo the size of their types.
    pub(crate) modular: HashSet<Atom>,
    /// Quotients that are rounded down: the number, and what it is divided by.
    pub(crate) floors: HashMap<Atom, (Poly, i128)>,
    /// Entries of tables.
    pub(crate) entries: HashMap<Atom, Entry>,
}

impl Atoms {
    pub(crate) fn get(&self, atom: Atom) -> &Unknown {
        &self.unknowns[atom]
    }

    pub(crate) fn fresh(&mut self, (low, high): (i128, i128)) -> Atom {
        self.unknowns.push(Unknown { low, high, is_truth: false, about: Vec::new() });
        self.unknowns.len() - 1
    }

    pub(crate) fn fresh_truth(&mut self) -> Formula {
        let atom = self.fresh((0, 1));
        self.unknowns[atom].is_truth = true;
        Formula::Holds(atom)
    }

    /// That a value of which only the name was known is of a type: rustc has checked it.
    pub(crate) fn narrow(&mut self, value: &Poly, ty: Ty) {
        if let Some(atom) = value.as_atom() {
            let unknown = &mut self.unknowns[atom];
            (unknown.low, unknown.high) = (unknown.low.max(ty.low()), unknown.high.min(ty.high()));
        }
    }

    /// A function of numbers, which is one atom however often it is asked for. `about` says what defines it.
    pub(crate) fn function(
        &mut self,
        name: impl Into<String>,
        arguments: &[&Poly],
        bounds: (i128, i128),
        about: impl FnOnce(&Poly) -> Vec<Formula>,
    ) -> Poly {
        let key = (name.into(), arguments.iter().map(|poly| (*poly).clone()).collect());
        let atom = match self.shared.get(&key) {
            Some(atom) => *atom,
            None => {
                let atom = self.fresh(bounds);
                self.unknowns[atom].about = about(&Poly::atom(atom));
                self.shared.insert(key, atom);
                atom
            }
        };
        Poly::atom(atom)
    }

    /// The least and the greatest value, as far as the atoms' own bounds say.
    pub(crate) fn bounds(&self, poly: &Poly) -> (i128, i128) {
        let (mut low, mut high) = (Some(0_i128), Some(0_i128));
        for (product, factor) in poly.terms() {
            let (mut least, mut greatest) = (Some(factor), Some(factor));
            for atom in product {
                let unknown = self.get(*atom);
                let ends = [finite(unknown.low), finite(unknown.high)];
                let products = [least, greatest].into_iter().flat_map(|a| {
                    ends.into_iter().map(move |b| a.zip(b).and_then(|(a, b)| a.checked_mul(b)))
                });
                let products: Option<Vec<_>> = products.collect();
                least = products.as_ref().and_then(|all| all.iter().min().copied());
                greatest = products.as_ref().and_then(|all| all.iter().max().copied());
                // An end without a bound leaves the other one where the sign is known.
                if products.is_none() && product.len() == 1 {
                    let of = |end: Option<i128>| end.and_then(|end| end.checked_mul(factor));
                    let (a, b) = (of(ends[0]), of(ends[1]));
                    (least, greatest) = if factor >= 0 { (a, b) } else { (b, a) };
                }
            }
            low = low.zip(least).and_then(|(a, b)| a.checked_add(b));
            high = high.zip(greatest).and_then(|(a, b)| a.checked_add(b));
        }
        (low.unwrap_or(i128::MIN), high.unwrap_or(i128::MAX))
    }
}

fn finite(bound: i128) -> Option<i128> {
    (bound != i128::MIN && bound != i128::MAX).then_some(bound)
}
