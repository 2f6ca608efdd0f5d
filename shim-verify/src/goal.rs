//! Goals, as questions to a solver.

use std::collections::{BTreeSet, HashMap};
use std::fmt::Write as _;
use std::slice;

use sha2::{Digest, Sha256};

use crate::machine::{Fact, Layout, Machine, MemoryId, Origin, SharedAccess};
use crate::runtime::{parts, within};
use crate::term::{Atom, Formula, Poly};

/// How much a question takes in.
#[derive(Clone, Copy, Debug)]
struct Effort {
    /// All that is known, not only what is near to the goal.
    is_full: bool,
    /// Products are unknowns of their own, of which lemmas say what is needed.
    is_linear: bool,
}

/// In the order in which they are tried: solvers decide linear questions at once.
const EFFORTS: [Effort; 4] = [
    Effort { is_full: false, is_linear: true },
    Effort { is_full: true, is_linear: true },
    Effort { is_full: false, is_linear: false },
    Effort { is_full: true, is_linear: false },
];

/// How many lemmas a question has at most.
const LEMMAS: usize = 80;

/// The subject of a goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// That an access is inside its memory.
    Access,
    /// That two tasks do not access one element, unless both read it.
    Disjoint,
    /// That a counter grows as slowly as it was said to.
    Counter,
}

/// Something to be shown.
#[derive(Debug)]
pub(crate) struct Goal {
    pub(crate) kind: Kind,
    pub(crate) what: String,
    pub(crate) state: State,
}

/// How far a goal is.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum State {
    Proven,
    /// These questions of one way have no answer yet.
    Asked(Vec<Question>),
    /// No way is left; the last question that a solver did not answer.
    Open(Option<Question>),
}

/// The solvers' answers, by the hash of the question.
#[derive(Debug, Default)]
pub(crate) struct Answers {
    /// Both solvers say that there is no counterexample.
    pub(crate) proven: BTreeSet<String>,
    /// A solver found a counterexample or gave up.
    pub(crate) open: BTreeSet<String>,
    /// Whether nobody is asked any more: what is not proven is open.
    pub(crate) is_final: bool,
}

impl Answers {
    fn is_open(&self, question: &Question) -> bool {
        if self.is_final { !self.proven.contains(&question.hash) } else { self.open.contains(&question.hash) }
    }
}

/// Whether facts allow a counterexample.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Question {
    /// In SMT-LIB 2, without `(check-sat)`.
    pub(crate) text: String,
    /// By which its answer is stored.
    pub(crate) hash: String,
}

impl Question {
    fn new(text: String) -> Self {
        let digest = Sha256::digest(text.as_bytes());
        let hash = digest[..16].iter().fold(String::new(), |mut hash, byte| {
            let _ = write!(hash, "{byte:02x}");
            hash
        });
        Question { text, hash }
    }
}

impl Machine<'_> {
    /// Asks for something that is shown in one of several ways, each by all its formulas.
    pub(crate) fn show(&mut self, kind: Kind, what: String, ways: Vec<Vec<Formula>>) {
        if self.is_dead {
            return;
        }
        let mut state = State::Open(None);
        'ways: for effort in EFFORTS {
            for way in &ways {
                let questions: Vec<_> = way.iter().flat_map(|formula| self.cases(formula, effort)).collect();
                let failed = questions.iter().find(|question| self.answers.is_open(question));
                if let Some(failed) = failed {
                    state = State::Open(Some(failed.clone()));
                    continue;
                }
                let asked: Vec<_> = questions
                    .into_iter()
                    .filter(|question| !self.answers.proven.contains(&question.hash))
                    .collect();
                state = if asked.is_empty() { State::Proven } else { State::Asked(asked) };
                break 'ways;
            }
        }
        self.goals.push(Goal { kind, what, state });
    }

    /// Asks whether an offset is inside memory.
    pub(crate) fn show_inside(&mut self, memory: MemoryId, at: &Poly, what: String) {
        let mut ways = Vec::new();
        for fact in self.facts.clone() {
            match fact {
                Fact::Fits(of, layout) if of == memory => {
                    ways.extend(by_axes(&layout, at));
                    ways.extend(self.by_count(&layout, at));
                }
                _ => {}
            }
        }
        if let Some(length) = self.memories[memory].as_constant() {
            ways.push(parts(within(slice::from_ref(at), &[Poly::constant(length)])));
        }
        ways.dedup();
        self.show(Kind::Access, what, ways);
    }

    /// Asks whether elements that two tasks access differ, where one of them writes.
    pub(crate) fn show_disjoint(&mut self, mine: &SharedAccess, other: &SharedAccess, common: usize) {
        let facts = mine.facts.iter().chain(&other.facts[common..]).cloned().collect();
        let before = core::mem::replace(&mut self.facts, facts);
        let mut ways = vec![vec![Formula::equal(&mine.at, &other.at).negated()]];
        for fact in &self.facts {
            // Elements with other coordinates are others, where both are inside.
            if let Fact::Fits(of, layout) = fact
                && *of == mine.memory
                && let (Some(a), Some(b)) = (coordinates(layout, &mine.at), coordinates(layout, &other.at))
            {
                let same = Formula::all(a.iter().zip(&b).map(|(a, b)| Formula::equal(a, b)));
                let inside = [&a, &b].map(|at| parts(within(at, &layout.extents)));
                ways.push(inside.into_iter().flatten().chain([same.negated()]).collect());
            }
        }
        ways.dedup();
        self.show(Kind::Disjoint, format!("two tasks: {} and {}", mine.what, other.what), ways);
        self.facts = before;
    }

    /// The offset as a number below the product of the extents, or as coordinates of a block with each factor of it in
    /// turn as the first extent.
    fn by_count(&mut self, layout: &Layout, at: &Poly) -> Vec<Vec<Formula>> {
        let is_dense = layout.strides == Layout::rows(layout.extents.clone()).strides;
        if !is_dense || layout.base != Poly::default() {
            return Vec::new();
        }
        let count = layout.extents.iter().fold(Poly::constant(1), |count, extent| count.times(extent));
        let mut terms = count.terms();
        let (first, second) = (terms.next(), terms.next());
        let mut ways = Vec::new();
        if let (Some((product @ [_, _, ..], factor)), None) = (first, second) {
            let at = self.in_tiles(at);
            let mut outer = product.to_vec();
            outer.dedup();
            for first in outer {
                let (rest, _) = Poly::constant(factor)
                    .times(&product.iter().fold(Poly::constant(1), |all, atom| all.times(&Poly::atom(*atom))))
                    .divided_by(&Poly::atom(first));
                ways.extend(by_axes(&Layout::rows(vec![Poly::atom(first), rest]), &at));
            }
        }
        if layout.extents.len() > 1 {
            ways.push(parts(within(slice::from_ref(at), slice::from_ref(&count))));
        }
        ways
    }

    /// The number `at`, in which `y` is `d * (y / d) + r` if it mentions `y / d` as well.
    fn in_tiles(&mut self, at: &Poly) -> Poly {
        let mut values = HashMap::new();
        for atom in at.atoms() {
            let Some((of, by)) = self.atoms.floors.get(&atom).cloned() else { continue };
            if let Some(of) = of.as_atom()
                && at.atoms().any(|other| other == of)
            {
                let quotient = Poly::atom(atom).times(&Poly::constant(by));
                let whole = Poly::atom(of);
                let rest = self.atoms.function("rest", &[&whole, &Poly::constant(by)], (0, by - 1), |rest| {
                    vec![Formula::equal(rest, &whole.minus(&quotient))]
                });
                values.insert(of, quotient.plus(&rest));
            }
        }
        at.replaced(&values)
    }

    /// A formula about an entry of a table holds if it does for each index.
    fn cases(&self, formula: &Formula, effort: Effort) -> Vec<Question> {
        if *formula == Formula::Is(true) {
            return Vec::new();
        }
        let mut atoms = BTreeSet::new();
        formula.collect_atoms(&mut atoms);
        let entry = atoms.iter().find_map(|atom| self.atoms.entries.get(atom));
        let index = entry.and_then(|entry| Some((entry.at.as_atom()?, entry.table.len())));
        let Some((index, count)) = index else {
            return vec![self.question(formula, &HashMap::new(), effort)];
        };
        let mut questions = Vec::new();
        for k in 0..count {
            let at = Poly::constant(k as i128);
            let mut values = HashMap::from([(index, at.clone())]);
            for (atom, entry) in &self.atoms.entries {
                if entry.at == Poly::atom(index) && k < entry.table.len() {
                    values.insert(*atom, entry.table[k].clone());
                }
            }
            questions.push(self.question(formula, &values, effort));
        }
        // And the index has no other value.
        let index = Poly::atom(index);
        questions.extend([
            self.question(&Formula::at_most(&Poly::default(), &index), &HashMap::new(), effort),
            self.question(&Formula::less(&index, &Poly::constant(count as i128)), &HashMap::new(), effort),
        ]);
        questions
    }

    /// Whether what is known allows that a formula does not hold: all that is known of its atoms, or what is near to
    /// them.
    fn question(&self, formula: &Formula, values: &HashMap<Atom, Poly>, effort: Effort) -> Question {
        let goal = formula.replaced(values);
        let mut relevant = BTreeSet::new();
        goal.collect_atoms(&mut relevant);
        let mut known: Vec<(Formula, BTreeSet<Atom>)> = Vec::new();
        let mut types = Vec::new();
        for fact in &self.facts {
            let Fact::Holds { formula, origin } = fact else { continue };
            let formula = formula.replaced(values);
            let of = if *origin == Origin::Type { &mut types } else { &mut known };
            if formula != Formula::Is(true) && of.iter().all(|(known, _)| *known != formula) {
                let behind = self.atoms_behind(&formula);
                of.push((formula, behind));
            }
        }
        if relevant.is_empty() {
            // Only that control does not get here can show it.
            for (fact, _) in &known {
                fact.collect_atoms(&mut relevant);
            }
        }
        let mut definitions = Vec::new();
        let mut defined = BTreeSet::new();
        let mut taken = BTreeSet::new();
        self.define(&mut relevant, &mut defined, &mut definitions, values);
        loop {
            let before = taken.len();
            let near = relevant.clone();
            for (k, (fact, behind)) in known.iter().enumerate() {
                if !behind.is_disjoint(&near) && taken.insert(k) {
                    fact.collect_atoms(&mut relevant);
                }
            }
            self.define(&mut relevant, &mut defined, &mut definitions, values);
            if !effort.is_full || taken.len() == before {
                break;
            }
        }
        if !effort.is_full {
            // Facts that connect those that were taken.
            taken.extend((0..known.len()).filter(|k| known[*k].1.is_subset(&relevant)));
        }
        let is_modular = relevant.iter().any(|atom| self.atoms.modular.contains(atom));
        let types = types.into_iter().filter(|(_, behind)| is_modular && !behind.is_disjoint(&relevant));
        let facts = taken.iter().map(|k| known[*k].0.clone()).chain(types.map(|(fact, _)| fact));
        let mut formulas = vec![goal.negated()];
        formulas.extend(definitions);
        formulas.extend(facts);
        if effort.is_linear {
            formulas.extend(lemmas(&formulas));
        }
        Question::new(self.smt(&formulas, effort.is_linear))
    }

    /// Adds the definitions of atoms, and the atoms of these.
    fn define(
        &self,
        atoms: &mut BTreeSet<Atom>,
        defined: &mut BTreeSet<Atom>,
        definitions: &mut Vec<Formula>,
        values: &HashMap<Atom, Poly>,
    ) {
        let mut open: Vec<_> = atoms.iter().copied().collect();
        while let Some(atom) = open.pop() {
            if defined.insert(atom) {
                for about in &self.atoms.get(atom).about {
                    let about = about.replaced(values);
                    let mut behind = BTreeSet::new();
                    about.collect_atoms(&mut behind);
                    open.extend(behind.iter().copied().filter(|atom| atoms.insert(*atom)));
                    definitions.push(about);
                }
            }
        }
    }

    /// The atoms of a fact, and those of their definitions.
    fn atoms_behind(&self, fact: &Formula) -> BTreeSet<Atom> {
        let mut atoms = BTreeSet::new();
        fact.collect_atoms(&mut atoms);
        let mut open: Vec<_> = atoms.iter().copied().collect();
        while let Some(atom) = open.pop() {
            let mut behind = BTreeSet::new();
            self.atoms.get(atom).about.iter().for_each(|about| about.collect_atoms(&mut behind));
            open.extend(behind.into_iter().filter(|atom| atoms.insert(*atom)));
        }
        atoms
    }

    /// Formulas in SMT-LIB 2, with names by their order of appearance.
    fn smt(&self, formulas: &[Formula], is_linear: bool) -> String {
        let products = is_linear.then(HashMap::new);
        let mut printer = Printer { names: HashMap::new(), order: Vec::new(), products };
        let mut body = String::new();
        for formula in formulas {
            let formula = printer.formula(formula);
            let _ = writeln!(body, "(assert {formula})");
        }
        let mut text = String::new();
        for (k, atom) in printer.order.iter().enumerate() {
            let unknown = self.atoms.get(*atom);
            let sort = if unknown.is_truth { "Bool" } else { "Int" };
            let _ = writeln!(text, "(declare-const v{k} {sort})");
            if unknown.is_truth {
                continue;
            }
            if unknown.low != i128::MIN {
                let _ = writeln!(text, "(assert (<= {} v{k}))", number(unknown.low));
            }
            if unknown.high != i128::MAX {
                let _ = writeln!(text, "(assert (<= v{k} {}))", number(unknown.high));
            }
        }
        for k in 0..printer.products.map_or(0, |products| products.len()) {
            let _ = writeln!(text, "(declare-const p{k} Int)");
        }
        text + &body
    }
}

/// That the product of two numbers that are not negative is not: of each of some inequalities and an atom, where the
/// products of atoms that this gives are among those of the formulas.
fn lemmas(formulas: &[Formula]) -> Vec<Formula> {
    let mut products = BTreeSet::new();
    for formula in formulas {
        formula.collect_products(&mut products);
    }
    // Two squares are compared by way of the product of their sides.
    let sides: Vec<Atom> = products
        .iter()
        .filter_map(|product| match &product[..] {
            [a, b] if a == b => Some(*a),
            _ => None,
        })
        .collect();
    for (k, a) in sides.iter().enumerate() {
        products.extend(sides[k + 1..].iter().map(|b| vec![*a.min(b), *a.max(b)]));
    }
    let factors: BTreeSet<_> = products.iter().flatten().copied().collect();
    let mut lemmas = Vec::new();
    let zero = Poly::default();
    for atom in &factors {
        let factor = Poly::atom(*atom);
        let is_positive = Formula::at_most(&zero, &factor);
        let bounds = factors.iter().map(|other| Formula::NotNegative(Poly::atom(*other)));
        for fact in formulas.iter().skip(1).cloned().chain(bounds) {
            let Formula::NotNegative(poly) = &fact else { continue };
            let product = poly.times(&factor);
            let is_known =
                product.terms().all(|(product, _)| product.len() < 2 || products.contains(product));
            let has_product = product.terms().any(|(product, _)| product.len() > 1);
            if has_product && is_known && lemmas.len() < LEMMAS {
                let conclusion = Formula::not_negative(product);
                lemmas.push(Formula::implies(&Formula::all([fact.clone(), is_positive.clone()]), conclusion));
            }
        }
    }
    lemmas
}

/// The offset as coordinates of a layout, each of which is inside its axis: so is the element (the lemma of
/// flattening).
fn by_axes(layout: &Layout, at: &Poly) -> Option<Vec<Formula>> {
    Some(parts(within(&coordinates(layout, at)?, &layout.extents)))
}

/// The coordinates of an offset; none if a layout with gaps may have no element there.
fn coordinates(layout: &Layout, at: &Poly) -> Option<Vec<Poly>> {
    let mut rest = at.minus(&layout.base);
    let mut coordinates = Vec::new();
    for stride in &layout.strides {
        let (coordinate, left) = if stride.as_constant() == Some(1) {
            (rest.clone(), Poly::default())
        } else {
            rest.divided_by(stride)
        };
        coordinates.push(coordinate);
        rest = left;
    }
    (rest == Poly::default()).then_some(coordinates)
}

fn number(value: i128) -> String {
    if value < 0 { format!("(- {})", value.unsigned_abs()) } else { value.to_string() }
}

struct Printer {
    names: HashMap<Atom, usize>,
    order: Vec<Atom>,
    /// The numbers of products, where they are unknowns of their own.
    products: Option<HashMap<Vec<Atom>, usize>>,
}

impl Printer {
    fn name(&mut self, atom: Atom) -> String {
        let order = &mut self.order;
        let number = *self.names.entry(atom).or_insert_with(|| {
            order.push(atom);
            order.len() - 1
        });
        format!("v{number}")
    }

    fn poly(&mut self, poly: &Poly) -> String {
        let terms: Vec<_> = poly.terms().map(|(product, factor)| self.term(product, factor)).collect();
        match &terms[..] {
            [] => "0".to_owned(),
            [term] => term.clone(),
            terms => format!("(+ {})", terms.join(" ")),
        }
    }

    fn term(&mut self, product: &[Atom], factor: i128) -> String {
        let mut factors: Vec<_> = match &mut self.products {
            Some(products) if product.len() > 1 => {
                let next = products.len();
                vec![format!("p{}", products.entry(product.to_vec()).or_insert(next))]
            }
            _ => product.iter().map(|atom| self.name(*atom)).collect(),
        };
        if factor != 1 || factors.is_empty() {
            factors.insert(0, number(factor));
        }
        match &factors[..] {
            [factor] => factor.clone(),
            factors => format!("(* {})", factors.join(" ")),
        }
    }

    fn formula(&mut self, formula: &Formula) -> String {
        match formula {
            Formula::Is(value) => value.to_string(),
            Formula::NotNegative(poly) => format!("(>= {} 0)", self.poly(poly)),
            Formula::Zero(poly) => format!("(= {} 0)", self.poly(poly)),
            Formula::Holds(atom) => self.name(*atom),
            Formula::Not(inner) => format!("(not {})", self.formula(inner)),
            Formula::All(parts) | Formula::Any(parts) => {
                let word = if matches!(formula, Formula::All(_)) { "and" } else { "or" };
                let parts: Vec<_> = parts.iter().map(|part| self.formula(part)).collect();
                format!("({word} {})", parts.join(" "))
            }
        }
    }
}
