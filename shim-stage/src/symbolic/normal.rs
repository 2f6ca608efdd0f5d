//! The normal form: a constant plus a sum of coefficient times monomial.

use std::cell::OnceCell;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

use shim_core::Fold;

use super::extract::Extracted;
use super::origin::WrittenForm;
use super::{ConstTable, Range, SymError, Symbol};

/// An operator of Rust, or the fold of a boundary rule, that does not always reduce to the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BinaryOp {
    /// `/`, which truncates.
    Div,
    /// `%`, whose sign is the dividend's.
    Rem,
    /// `<<`.
    Shl,
    /// `>>`, which keeps the sign.
    Shr,
    /// `&`.
    And,
    /// `|`.
    Or,
    /// `^`.
    Xor,
    /// An index folded into the axis whose extent is on the right.
    Fold(Fold),
    /// The entry of a table at the index on the left. The table's length is on the right.
    Entry(ConstTable),
    /// The entry of the array or slice that the symbol on the left names, at the index on the right; zero where it has
    /// none. The range of the symbol is that of the entries.
    Load,
    /// The left operand times two to the power of the right one; zero where that does not fit, or is negative.
    Power,
}

/// A factor of a monomial: a symbol, or an operation that no sum of products expresses.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Atom {
    /// An integer known at run time.
    Symbol(Symbol),
    /// The floor of a quotient by a constant of at least two.
    FloorDiv(SymInt, i64),
    /// The remainder of that division. It stands only in the candidates that [`SymInt::form`] weighs: elsewhere
    /// `a mod k` is kept as `a - k * floor(a / k)`, so that both spellings are one.
    Mod(SymInt, i64),
    /// The smaller of two.
    Min(SymInt, SymInt),
    /// The larger of two.
    Max(SymInt, SymInt),
    /// An operator with operands for which no rule applies.
    Op(BinaryOp, SymInt, SymInt),
}

/// A sorted product of atoms; a power repeats its atom.
pub(super) type Monomial = Rc<[Atom]>;

/// A coefficient, never zero, times a monomial, never empty.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct Term {
    pub(super) coefficient: i64,
    pub(super) monomial: Monomial,
}

/// An integer as the staging compiler knows it: a polynomial in [symbols](Symbol) and [atoms](Atom).
///
/// Two expressions that the rules of this module bring to the same normal form are equal. Values are mathematical
/// integers: what does not fit 64 bits at run time is for the emitted code to check. A clone shares its terms.
#[derive(Clone)]
pub struct SymInt(Rc<Node>);

pub(super) struct Node {
    constant: i64,
    /// By ascending monomial.
    terms: Vec<Term>,
    /// Nodes of the whole tree, and its height: both are capped, so that every recursion ends soon.
    weight: u32,
    depth: u32,
    range: OnceCell<Range>,
    extracted: OnceCell<Extracted>,
    /// The operation that built it, for the case that the way it was written is the cheapest way to compute it.
    origin: Option<WrittenForm>,
}

/// The most terms of one sum.
const MAX_TERMS: usize = 256;
/// The most nodes of one tree.
const MAX_WEIGHT: u32 = 4096;
/// The most atoms within atoms.
const MAX_DEPTH: u32 = 40;

impl SymInt {
    /// A sum of terms that are sorted already.
    pub(super) fn from_sorted(constant: i64, terms: Vec<Term>) -> Result<Self, SymError> {
        debug_assert!(terms.is_sorted_by(|a, b| a.monomial < b.monomial));
        let mut weight: u32 = 1;
        let mut depth = 0;
        for atom in terms.iter().flat_map(|term| &*term.monomial) {
            let (atom_weight, atom_depth) = atom.size();
            weight = weight.saturating_add(atom_weight);
            depth = depth.max(atom_depth);
        }
        if terms.len() > MAX_TERMS || weight > MAX_WEIGHT || depth > MAX_DEPTH {
            return Err(SymError::TooLarge);
        }
        Ok(Self::from_node(constant, terms, weight, depth))
    }

    fn from_node(constant: i64, terms: Vec<Term>, weight: u32, depth: u32) -> Self {
        Self(Rc::new(Node {
            constant,
            terms,
            weight,
            depth,
            range: OnceCell::new(),
            extracted: OnceCell::new(),
            origin: None,
        }))
    }

    /// A sum of terms in any order, of which several may have one monomial.
    pub(super) fn from_terms(constant: i64, mut terms: Vec<Term>) -> Result<Self, SymError> {
        terms.sort_by(|a, b| a.monomial.cmp(&b.monomial));
        let mut merged: Vec<Term> = Vec::with_capacity(terms.len());
        for term in terms {
            match merged.last_mut() {
                Some(last) if last.monomial == term.monomial => {
                    last.coefficient =
                        last.coefficient.checked_add(term.coefficient).ok_or(SymError::Overflow)?;
                }
                _ => merged.push(term),
            }
        }
        merged.retain(|term| term.coefficient != 0);
        Self::from_sorted(constant, merged)
    }

    /// The integer of a known value.
    #[must_use]
    pub fn constant(value: i64) -> Self {
        Self::from_node(value, Vec::new(), 1, 0)
    }

    /// The integer that a symbol stands for. A symbol of one possible value is that value.
    #[must_use]
    pub fn symbol(symbol: &Symbol) -> Self {
        let Range { lo, hi } = symbol.range();
        match lo {
            Some(value) if lo == hi => Self::constant(value),
            _ => {
                let monomial = Rc::new([Atom::Symbol(symbol.clone())]);
                Self::from_node(0, vec![Term { coefficient: 1, monomial }], 2, 0)
            }
        }
    }

    /// One atom alone.
    pub(crate) fn atom(atom: Atom) -> Result<Self, SymError> {
        Self::from_sorted(0, vec![Term { coefficient: 1, monomial: Rc::new([atom]) }])
    }

    /// The value, when it is known now.
    pub fn as_constant(&self) -> Option<i64> {
        self.0.terms.is_empty().then_some(self.0.constant)
    }

    /// Whether it is the constant zero.
    pub fn is_zero(&self) -> bool {
        self.as_constant() == Some(0)
    }

    /// The constant of the sum.
    pub fn constant_part(&self) -> i64 {
        self.0.constant
    }

    /// The symbol, when it is one symbol alone.
    pub fn as_symbol(&self) -> Option<&Symbol> {
        match self.as_atom() {
            Some(Atom::Symbol(symbol)) => Some(symbol),
            _ => None,
        }
    }

    /// The atom, when it is one atom alone.
    pub fn as_atom(&self) -> Option<&Atom> {
        match &*self.0.terms {
            [Term { coefficient: 1, monomial }] if self.0.constant == 0 => match &**monomial {
                [atom] => Some(atom),
                _ => None,
            },
            _ => None,
        }
    }

    /// The terms beside the constant: coefficients with the sorted factors of their monomials.
    pub fn terms(&self) -> impl ExactSizeIterator<Item = (i64, &[Atom])> {
        self.0.terms.iter().map(|term| (term.coefficient, &*term.monomial))
    }

    /// The terms that are added and those that are subtracted, without the constant: the expression is the first sum
    /// less the second, plus [`SymInt::constant_part`].
    ///
    /// # Errors
    /// When a coefficient has no opposite.
    pub fn split_signs(&self) -> Result<(Self, Self), SymError> {
        let (more, less): (Vec<Term>, Vec<Term>) =
            self.term_slice().iter().cloned().partition(|term| term.coefficient > 0);
        Ok((Self::from_sorted(0, more)?, Self::from_sorted(0, less)?.neg()?))
    }

    pub(super) fn term_slice(&self) -> &[Term] {
        &self.0.terms
    }

    /// Nodes of the tree, and how many atoms lie within atoms.
    pub(super) fn size(&self) -> (u32, u32) {
        (self.0.weight, self.0.depth)
    }

    pub(super) fn range_cell(&self) -> &OnceCell<Range> {
        &self.0.range
    }

    pub(super) fn extracted_cell(&self) -> &OnceCell<Extracted> {
        &self.0.extracted
    }

    pub(super) fn origin(&self) -> Option<&WrittenForm> {
        self.0.origin.as_ref()
    }

    /// Remembers how it was written, in place of what it remembered, if nothing shares it yet.
    pub(super) fn written_as(mut self, origin: WrittenForm) -> Self {
        if let Some(node) = Rc::get_mut(&mut self.0)
            && !node.terms.is_empty()
        {
            node.origin = Some(origin);
        }
        self
    }

    /// The same value, without a note of how it was written.
    pub(super) fn forget_origin(&self) -> Self {
        if self.0.origin.is_none() {
            return self.clone();
        }
        Self::from_node(self.0.constant, self.0.terms.clone(), self.0.weight, self.0.depth)
    }

    /// Whether every term is a constant times one symbol.
    pub fn is_affine(&self) -> bool {
        self.0.terms.iter().all(|term| matches!(*term.monomial, [Atom::Symbol(_)]))
    }
}

impl Atom {
    /// Nodes of the tree, and how many atoms lie within it, itself included unless it is a symbol.
    fn size(&self) -> (u32, u32) {
        let of = |parts: [Option<&SymInt>; 2]| {
            let (mut weight, mut depth) = (1_u32, 0);
            for part in parts.into_iter().flatten() {
                let (part_weight, part_depth) = part.size();
                weight = weight.saturating_add(part_weight);
                depth = depth.max(part_depth + 1);
            }
            (weight, depth)
        };
        of(self.operands())
    }

    /// The expressions within it.
    pub(super) fn operands(&self) -> [Option<&SymInt>; 2] {
        match self {
            Self::Symbol(_) => [None, None],
            Self::FloorDiv(a, _) | Self::Mod(a, _) => [Some(a), None],
            Self::Min(a, b) | Self::Max(a, b) | Self::Op(_, a, b) => [Some(a), Some(b)],
        }
    }
}

impl PartialEq for SymInt {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
            || (self.0.constant == other.0.constant
                && self.0.weight == other.0.weight
                && self.0.terms == other.0.terms)
    }
}

impl Eq for SymInt {}

impl PartialOrd for SymInt {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for SymInt {
    fn cmp(&self, other: &Self) -> Ordering {
        if Rc::ptr_eq(&self.0, &other.0) {
            return Ordering::Equal;
        }
        let key = |sym: &Self| (sym.0.depth, sym.0.weight);
        key(self)
            .cmp(&key(other))
            .then_with(|| {
                let of =
                    |a: &Term, b: &Term| a.monomial.cmp(&b.monomial).then(a.coefficient.cmp(&b.coefficient));
                let pairs = self.0.terms.iter().zip(&other.0.terms);
                pairs.map(|(a, b)| of(a, b)).find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
            })
            .then_with(|| self.0.terms.len().cmp(&other.0.terms.len()))
            .then_with(|| self.0.constant.cmp(&other.0.constant))
    }
}

impl Hash for SymInt {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.constant.hash(state);
        self.0.terms.hash(state);
    }
}

impl fmt::Display for SymInt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.form(), f)
    }
}

impl fmt::Debug for SymInt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, term) in self.0.terms.iter().enumerate() {
            f.write_str(if i == 0 { "" } else { " + " })?;
            write!(f, "{}", term.coefficient)?;
            for atom in &*term.monomial {
                write!(f, "*{atom:?}")?;
            }
        }
        match (self.0.constant, self.0.terms.is_empty()) {
            (constant, true) => write!(f, "{constant}"),
            (0, false) => Ok(()),
            (constant, false) => write!(f, " + {constant}"),
        }
    }
}

impl fmt::Debug for Atom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Symbol(symbol) => write!(f, "{symbol:?}"),
            Self::FloorDiv(a, k) => write!(f, "floor(({a:?})/{k})"),
            Self::Mod(a, k) => write!(f, "mod({a:?}, {k})"),
            Self::Min(a, b) => write!(f, "min({a:?}, {b:?})"),
            Self::Max(a, b) => write!(f, "max({a:?}, {b:?})"),
            Self::Op(op, a, b) => write!(f, "{op:?}({a:?}, {b:?})"),
        }
    }
}
