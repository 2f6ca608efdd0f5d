//! Expression trees while they are being chosen.

use std::rc::Rc;

use super::normal::{Atom, Monomial};
use super::{Form, SymInt, cost};

/// What the operations cost, and how many symbols are read: of two forms that cost the same, the one that reads less
/// is taken.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub(super) struct Weight {
    pub(super) cost: u32,
    reads: u32,
}

impl Weight {
    pub(super) const SYMBOL: Self = Self { cost: 0, reads: 1 };

    /// The weight beneath an operation of this cost.
    pub(super) fn plus(self, cost: u32) -> Self {
        Self { cost: self.cost.saturating_add(cost), ..self }
    }

    /// The weight of two operands.
    pub(super) fn and(self, other: Self) -> Self {
        Self { cost: self.cost.saturating_add(other.cost), reads: self.reads.saturating_add(other.reads) }
    }
}

/// A tree whose parts are shared by the trees that it is weighed against.
pub(super) enum Tree {
    Constant(i64),
    /// An atom, whose operands have their own choices.
    Atom(Atom),
    Add(Rc<Tree>, Rc<Tree>),
    Sub(Rc<Tree>, Rc<Tree>),
    /// The first is a constant, if either is.
    Mul(Rc<Tree>, Rc<Tree>),
    Neg(Rc<Tree>),
}

impl Tree {
    pub(super) fn form(&self) -> Form {
        let of = |tree: &Self| Box::new(tree.form());
        match self {
            Self::Constant(value) => Form::Constant(*value),
            Self::Atom(atom) => atom_form(atom),
            Self::Add(a, b) => Form::Add(of(a), of(b)),
            Self::Sub(a, b) => Form::Sub(of(a), of(b)),
            Self::Mul(a, b) => Form::Mul(of(a), of(b)),
            Self::Neg(a) => Form::Neg(of(a)),
        }
    }

    pub(super) fn as_constant(&self) -> Option<i64> {
        match self {
            Self::Constant(value) => Some(*value),
            _ => None,
        }
    }
}

fn atom_form(atom: &Atom) -> Form {
    let of = |sym: &SymInt| Box::new(sym.form());
    match atom {
        Atom::Symbol(symbol) => Form::Symbol(symbol.clone()),
        Atom::FloorDiv(a, k) => Form::FloorDiv(of(a), *k, a.range().is_nonnegative()),
        Atom::Mod(a, k) => Form::Mod(of(a), *k, a.range().is_nonnegative()),
        Atom::Min(a, b) => Form::Min(of(a), of(b)),
        Atom::Max(a, b) => Form::Max(of(a), of(b)),
        Atom::Op(op, a, b) => Form::Op(*op, of(a), of(b)),
    }
}

/// What the operation of an atom costs, without its operands.
pub(super) fn atom_cost(atom: &Atom) -> u32 {
    match atom {
        Atom::Symbol(_) => 0,
        Atom::FloorDiv(a, k) | Atom::Mod(a, k) => cost::division(*k, a.range().is_nonnegative()),
        Atom::Min(..) | Atom::Max(..) => cost::MIN,
        Atom::Op(op, ..) => cost::op(*op),
    }
}

/// A tree and what it weighs.
#[derive(Clone)]
pub(super) struct WeightedTree {
    pub(super) tree: Rc<Tree>,
    pub(super) weight: Weight,
}

impl WeightedTree {
    /// The product with a constant.
    pub(super) fn scaled(self, factor: i64) -> Self {
        let constant = self.tree.as_constant().and_then(|value| value.checked_mul(factor));
        match (constant, factor) {
            (Some(product), _) => Self::constant(product),
            (None, 0) => Self::constant(0),
            (None, 1) => self,
            (None, _) => Self {
                tree: Rc::new(Tree::Mul(Rc::new(Tree::Constant(factor)), self.tree)),
                weight: self.weight.plus(cost::scale(factor)),
            },
        }
    }

    pub(super) fn constant(value: i64) -> Self {
        Self { tree: Rc::new(Tree::Constant(value)), weight: Weight::default() }
    }
}

/// A sum on its way to a tree.
#[derive(Clone)]
pub(super) struct SumTree {
    pub(super) addends: Vec<Addend>,
    pub(super) constant: i64,
    pub(super) weight: Weight,
}

#[derive(Clone)]
pub(super) struct Addend {
    /// What it is ordered by: the first monomial that went into it.
    pub(super) key: Monomial,
    pub(super) negative: bool,
    pub(super) tree: Rc<Tree>,
    pub(super) weight: Weight,
}

impl Addend {
    /// The constant factor, if it is above one, and the other.
    fn factor(&self) -> Option<(i64, &Rc<Tree>)> {
        match &*self.tree {
            Tree::Mul(factor, rest) => {
                factor.as_constant().filter(|&factor| factor > 1).map(|factor| (factor, rest))
            }
            _ => None,
        }
    }

    /// What it costs more if the constant factor is negative instead.
    fn negation(&self) -> Option<u32> {
        self.factor().map(|(factor, _)| cost::scale(-factor) - cost::scale(factor))
    }
}

impl SumTree {
    pub(super) fn new(constant: i64, addends: Vec<Addend>) -> Self {
        let mut tree = Self { addends, constant, weight: Weight::default() };
        tree.weight = tree.total();
        tree
    }

    fn total(&self) -> Weight {
        let parts = self.addends.len() as u32 + u32::from(self.constant != 0);
        let addends = self.addends.iter().fold(Weight::default(), |sum, addend| sum.and(addend.weight));
        let own = parts.saturating_sub(1) * cost::ADD;
        if !self.is_negative() || self.constant != 0 {
            return addends.plus(own);
        }
        // A sum that begins with nothing begins with a negation, or with a constant factor that is negative instead.
        let negation = self.addends.iter().filter_map(Addend::negation).min();
        addends.plus(own + negation.unwrap_or(cost::ADD))
    }

    /// Whether there are addends, and all of them are subtracted.
    fn is_negative(&self) -> bool {
        !self.addends.is_empty() && self.addends.iter().all(|addend| addend.negative)
    }

    /// The tree: what is added before what is subtracted, the constant last unless nothing else is added.
    pub(super) fn assemble(self) -> WeightedTree {
        let Self { mut addends, mut constant, weight } = self;
        addends.sort_by(|a, b| a.negative.cmp(&b.negative).then_with(|| a.key.cmp(&b.key)));
        let mut sum: Option<Rc<Tree>> = None;
        if addends.first().is_none_or(|addend| addend.negative) {
            if constant != 0 || addends.is_empty() {
                sum = Some(Rc::new(Tree::Constant(constant)));
                constant = 0;
            } else if let Some(cheapest) = addends.iter().filter_map(Addend::negation).min()
                && let Some(place) = addends.iter().position(|addend| addend.negation() == Some(cheapest))
            {
                let first = addends.remove(place);
                sum = first
                    .factor()
                    .map(|(factor, rest)| Rc::new(Tree::Mul(Rc::new(Tree::Constant(-factor)), rest.clone())));
            }
        }
        for Addend { negative, tree, .. } in addends {
            sum = Some(match (sum, negative) {
                (None, false) => tree,
                (None, true) => Rc::new(Tree::Neg(tree)),
                (Some(sum), false) => Rc::new(Tree::Add(sum, tree)),
                (Some(sum), true) => Rc::new(Tree::Sub(sum, tree)),
            });
        }
        let sum = sum.unwrap_or_else(|| Rc::new(Tree::Constant(0)));
        let tree = match constant {
            0 => sum,
            1.. | i64::MIN => Rc::new(Tree::Add(sum, Rc::new(Tree::Constant(constant)))),
            _ => Rc::new(Tree::Sub(sum, Rc::new(Tree::Constant(-constant)))),
        };
        WeightedTree { tree, weight }
    }

    /// The plan as one factor: its sign and its tree.
    pub(super) fn factor(mut self) -> (bool, WeightedTree) {
        let negative = self.is_negative() && self.constant <= 0 && self.constant != i64::MIN;
        if negative {
            for addend in &mut self.addends {
                addend.negative = false;
            }
            self = Self::new(-self.constant, self.addends);
        }
        (negative, self.assemble())
    }
}
