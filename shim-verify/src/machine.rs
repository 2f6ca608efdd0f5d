//! The state of a kernel at a point: values of variables, and facts.

use std::collections::{BTreeSet, HashMap, HashSet};

use crate::assigned::Changes;
use crate::atoms::{Atoms, Ty, UNBOUNDED};
use crate::goal::{Answers, Goal};
use crate::read::Declarations;
use crate::term::{Formula, Poly};

/// The value of an integer expression. It is congruent to `poly` modulo the size of its type.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Int {
    pub(crate) poly: Poly,
    /// Its type, if the text shows it.
    pub(crate) ty: Option<Ty>,
    /// Whether it is `poly`.
    pub(crate) exact: bool,
}

impl Int {
    pub(crate) fn isize(poly: Poly) -> Value {
        Value::Int(Int { poly, ty: Some(Ty::ISIZE), exact: true })
    }
}

pub(crate) type MemoryId = usize;

/// The value of an expression, as far as it matters.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
    Int(Int),
    Truth(Formula),
    /// A tuple or an array.
    Parts(Vec<Value>),
    Range(Box<Span>),
    /// Coordinates of an assertion: the least and the greatest, where they are asserted.
    Reach(Option<Poly>, Option<Poly>),
    Memory(MemoryId),
    /// Ranges that a loop runs in, with what each is paired with.
    Ranges(Vec<Value>),
    /// The fields of a located struct: the key of its declaration, and which one of that type it is.
    Fields(Fields),
    /// One of them, and its value if it is a number.
    Field(Fields, String, Poly),
    /// Any of the elements of a field.
    AnyField(Fields, String),
    /// A runtime tensor that is taken apart.
    Tensor(MemoryId),
    /// Nested arrays of `isize`, each of this value at least.
    AtLeast(i128),
    /// A table whose entries are not known one by one.
    Table(Table),
    /// The number of elements of memory, and where they are.
    Length(Poly, Option<Layout>),
    /// A closure that has a name: its number.
    Closure(usize),
    /// The runtime of an expansion.
    Runtime,
    /// The value of a variable that is not understood: the number, if it is one.
    Opaque(Poly),
    Unknown,
}

/// The fields of a located struct: the key of its declaration, and which one of that type it is.
pub(crate) type Fields = (u64, usize);

/// A table whose entries are not known one by one.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Table {
    pub(crate) number: usize,
    pub(crate) length: Poly,
    /// The extent that entries are below, if they are indices; otherwise they begin with zero and never fall.
    pub(crate) below: Option<Poly>,
}

/// The items of a range.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Span {
    /// The first one, if the range has one.
    pub(crate) start: Option<Poly>,
    /// The end, which is not an item.
    pub(crate) end: Option<Poly>,
    pub(crate) ty: Option<Ty>,
    pub(crate) is_reversed: bool,
    /// The distance of items, if it is not one.
    pub(crate) step: Option<Poly>,
    /// Lower bounds of an item, bounds that it is below, and a condition that holds if there is an item.
    pub(crate) interior: Option<(Vec<Poly>, Vec<Poly>, Formula)>,
}

/// Where the elements of a block are: `base` plus the sum of coordinates times strides.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Layout {
    pub(crate) base: Poly,
    pub(crate) extents: Vec<Poly>,
    pub(crate) strides: Vec<Poly>,
}

impl Layout {
    pub(crate) fn rows(extents: Vec<Poly>) -> Self {
        let mut strides = vec![Poly::constant(1); extents.len()];
        for axis in (1..extents.len()).rev() {
            strides[axis - 1] = strides[axis].times(&extents[axis]);
        }
        Layout { base: Poly::default(), extents, strides }
    }
}

/// Why a statement holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// Control got here.
    Path,
    /// Code asserts it, so that it outlives the branch that it is in, as an implication.
    Asserted,
    /// A number fits its type, which matters only for arithmetic that may wrap.
    Type,
}

/// A fact that holds from a point on.
#[derive(Clone, Debug)]
pub(crate) enum Fact {
    /// A statement.
    Holds { formula: Formula, origin: Origin },
    /// Each element of a layout is in memory.
    Fits(MemoryId, Layout),
    /// Memory of rows has so many, of so many elements.
    Rows(MemoryId, [Poly; 2]),
}

#[derive(Clone, Debug)]
pub(crate) struct Slot {
    pub(crate) value: Value,
    /// Whether something may change it that is not seen.
    pub(crate) is_volatile: bool,
    pub(crate) is_mutable: bool,
}

/// A bound of a counter in a loop: it grows by `per` at most in each iteration.
#[derive(Clone, Debug)]
pub(crate) struct Growth {
    pub(crate) name: String,
    pub(crate) before: Poly,
    pub(crate) per: i128,
}

/// A loop that is run.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    pub(crate) label: Option<String>,
    /// The number of iterations before this one, where it is known.
    pub(crate) done: Option<Poly>,
    pub(crate) growths: Vec<Growth>,
}

/// An access to memory that tasks share.
#[derive(Clone, Debug)]
pub(crate) struct SharedAccess {
    pub(crate) memory: MemoryId,
    pub(crate) at: Poly,
    pub(crate) writes: bool,
    /// As it is printed.
    pub(crate) what: String,
    /// What is known where it runs.
    pub(crate) facts: Vec<Fact>,
}

/// The state of the execution.
pub(crate) struct Machine<'d> {
    pub(crate) declarations: &'d Declarations,
    pub(crate) atoms: Atoms,
    pub(crate) memories: Vec<Poly>,
    pub(crate) fields: HashMap<(Fields, String), Value>,
    pub(crate) field_memories: HashMap<(Fields, String), MemoryId>,
    pub(crate) facts: Vec<Fact>,
    /// The types of the arguments.
    pub(crate) inputs: Vec<syn::Type>,
    pub(crate) scopes: Vec<HashMap<String, Slot>>,
    pub(crate) frames: Vec<Frame>,
    /// The accesses of the tasks that are run, the outermost first.
    pub(crate) tasks: Vec<Vec<SharedAccess>>,
    /// Whether control cannot get here.
    pub(crate) is_dead: bool,
    pub(crate) goals: Vec<Goal>,
    pub(crate) answers: &'d Answers,
    /// Whether counters are followed through loops.
    pub(crate) has_counters: bool,
    /// The entries of starts that were read: of which table, where, and the value.
    pub(crate) starts: Vec<(usize, Poly, Poly)>,
    /// Closures that have names.
    pub(crate) closures: Vec<(syn::ExprClosure, usize)>,
    /// The numbers of the `unsafe` blocks that were run.
    pub(crate) seen: HashSet<String>,
}

impl<'d> Machine<'d> {
    pub(crate) fn new(declarations: &'d Declarations, answers: &'d Answers, has_counters: bool) -> Self {
        Machine {
            declarations,
            answers,
            has_counters,
            starts: Vec::new(),
            closures: Vec::new(),
            atoms: Atoms::default(),
            memories: Vec::new(),
            fields: HashMap::new(),
            field_memories: HashMap::new(),
            facts: Vec::new(),
            inputs: Vec::new(),
            scopes: vec![HashMap::new()],
            frames: Vec::new(),
            tasks: Vec::new(),
            is_dead: false,
            goals: Vec::new(),
            seen: HashSet::new(),
        }
    }

    pub(crate) fn assume(&mut self, formula: Formula) {
        self.hold(formula, Origin::Path);
    }

    /// Adds a fact that code asserts: it panics otherwise.
    pub(crate) fn assert(&mut self, formula: Formula) {
        self.hold(formula, Origin::Asserted);
    }

    pub(crate) fn hold(&mut self, formula: Formula, origin: Origin) {
        match formula {
            Formula::Is(true) => {}
            Formula::Is(false) => self.is_dead = true,
            Formula::All(parts) => parts.into_iter().for_each(|part| self.hold(part, origin)),
            formula => self.facts.push(Fact::Holds { formula, origin }),
        }
    }

    pub(crate) fn fresh_int(&mut self, ty: Option<Ty>) -> Value {
        let bounds = ty.map_or(UNBOUNDED, |ty| (ty.low(), ty.high()));
        let poly = Poly::atom(self.atoms.fresh(bounds));
        Value::Int(Int { poly, ty, exact: true })
    }

    /// A value that is not understood, which is the same whenever it is read.
    pub(crate) fn fresh_opaque(&mut self) -> Value {
        Value::Opaque(Poly::atom(self.atoms.fresh(UNBOUNDED)))
    }

    pub(crate) fn fresh_memory(&mut self) -> MemoryId {
        let length = Poly::atom(self.atoms.fresh((0, Ty::ISIZE.high())));
        self.memory(length)
    }

    pub(crate) fn memory(&mut self, length: Poly) -> MemoryId {
        self.memories.push(length);
        self.memories.len() - 1
    }

    /// A value of the same kind of which nothing is known.
    pub(crate) fn havocked(&mut self, value: &Value) -> Value {
        match value {
            Value::Int(int) => self.fresh_int(int.ty),
            Value::Truth(_) => Value::Truth(self.atoms.fresh_truth()),
            Value::Parts(parts) => Value::Parts(parts.iter().map(|part| self.havocked(part)).collect()),
            Value::Memory(_) => Value::Memory(self.fresh_memory()),
            Value::Runtime => Value::Runtime,
            Value::Opaque(_) => self.fresh_opaque(),
            _ => Value::Unknown,
        }
    }

    pub(crate) fn slot(&mut self, name: &str) -> Option<&mut Slot> {
        self.scopes.iter_mut().rev().find_map(|scope| scope.get_mut(name))
    }

    pub(crate) fn bind(&mut self, name: &str, value: Value, is_mutable: bool) {
        // An unknown value that has a name is the same whenever it is read.
        let value = match value {
            Value::Unknown => self.fresh_opaque(),
            Value::AtLeast(low) => Int::isize(Poly::atom(self.atoms.fresh((low, Ty::ISIZE.high())))),
            // Whatever its type is, it has one value.
            Value::Int(int @ Int { ty: None, exact: false, .. }) => Value::Opaque(self.exact(&int)),
            value => value,
        };
        let slot = Slot { value, is_volatile: false, is_mutable };
        self.scopes.last_mut().expect("a scope").insert(name.to_owned(), slot);
    }

    pub(crate) fn read(&mut self, name: &str) -> Option<Value> {
        let slot = self.slot(name)?;
        let (value, is_volatile) = (slot.value.clone(), slot.is_volatile);
        Some(if is_volatile { self.havocked(&value) } else { value })
    }

    /// The slots of variables, as they are now.
    pub(crate) fn slots(&mut self, names: &[String]) -> Vec<Option<Slot>> {
        names.iter().map(|name| self.slot(name).map(|slot| slot.clone())).collect()
    }

    /// Gives variables the values that they had.
    pub(crate) fn restore(&mut self, names: &[String], before: &[Option<Slot>]) {
        for (name, before) in names.iter().zip(before) {
            if let (Some(before), Some(slot)) = (before, self.slot(name)) {
                slot.value = before.value.clone();
            }
        }
    }

    /// Forgets the value of a variable that something changes.
    pub(crate) fn havoc(&mut self, name: &str, is_assigned: bool) {
        let Some(slot) = self.slot(name) else { return };
        if !slot.is_mutable {
            return;
        }
        let value = slot.value.clone();
        if matches!(value, Value::Memory(_)) && !is_assigned {
            return;
        }
        let value = self.havocked(&value);
        self.slot(name).expect("it was there").value = value;
    }

    pub(crate) fn havoc_all(&mut self, changes: &Changes) {
        for name in changes.names() {
            self.havoc(name, changes.assigned.contains(name));
        }
    }

    /// Makes variables unknown from now on that code changes at an unknown time.
    pub(crate) fn make_volatile(&mut self, names: &BTreeSet<String>) {
        for name in names {
            if let Some(slot) = self.slot(name)
                && slot.is_mutable
                && !matches!(slot.value, Value::Memory(_) | Value::Runtime)
            {
                slot.is_volatile = true;
            }
        }
    }

    /// The value of an integer itself, not modulo the size of its type.
    pub(crate) fn exact(&mut self, int: &Int) -> Poly {
        if int.exact {
            return int.poly.clone();
        }
        let Some(ty) = int.ty else {
            // Any type of integers holds these.
            let (low, high) = self.atoms.bounds(&int.poly);
            let fits = low >= 0 && high <= 127;
            return if fits { int.poly.clone() } else { Poly::atom(self.atoms.fresh(UNBOUNDED)) };
        };
        let above = int.poly.plus_constant(-ty.low());
        let below = Poly::constant(ty.high()).minus(&int.poly);
        if self.is_plain(&above) && self.is_plain(&below) {
            return int.poly.clone();
        }
        let key = format!("in {ty:?}");
        let value = self.atoms.function(key, &[&int.poly], (ty.low(), ty.high()), |value| {
            vec![Formula::implies(&ty.holds(&int.poly), Formula::equal(value, &int.poly))]
        });
        self.atoms.modular.extend(value.atoms());
        value
    }

    /// Whether a number is not negative by the bounds of its atoms, and two facts at most that are added to them.
    fn is_plain(&self, poly: &Poly) -> bool {
        self.is_plain_by(poly, 2)
    }

    fn is_plain_by(&self, poly: &Poly, facts: u32) -> bool {
        if self.atoms.bounds(poly).0 >= 0 {
            return true;
        }
        facts > 0
            && self.facts.iter().rev().any(|fact| match fact {
                Fact::Holds { formula: Formula::NotNegative(known), .. } => {
                    let has_term = |product: &[usize], factor: i128| {
                        !product.is_empty()
                            && poly
                                .terms()
                                .any(|(other, by)| other == product && by.signum() == factor.signum())
                    };
                    known.terms().any(|(product, factor)| has_term(product, factor))
                        && self.is_plain_by(&poly.minus(known), facts - 1)
                }
                _ => false,
            })
    }

    pub(crate) fn exact_value(&mut self, value: &Value) -> Option<Poly> {
        match value {
            Value::Int(int) => Some(self.exact(int)),
            Value::Opaque(poly) | Value::Field(_, _, poly) | Value::Length(poly, _) => Some(poly.clone()),
            _ => None,
        }
    }

    /// One of two values, by a condition.
    pub(crate) fn either(&mut self, condition: &Formula, yes: Value, no: Value) -> Value {
        match (yes, no) {
            (yes, no) if yes == no => yes,
            (Value::Int(yes), Value::Int(no)) => {
                let (a, b) = (self.exact(&yes), self.exact(&no));
                let ty = yes.ty.or(no.ty);
                let merged = self.fresh_int(ty);
                let Value::Int(Int { poly, .. }) = &merged else { unreachable!("it is a number") };
                self.assert(Formula::implies(condition, Formula::equal(poly, &a)));
                self.assert(Formula::implies(&condition.clone().negated(), Formula::equal(poly, &b)));
                merged
            }
            (Value::Parts(yes), Value::Parts(no)) if yes.len() == no.len() => {
                Value::Parts(yes.into_iter().zip(no).map(|(a, b)| self.either(condition, a, b)).collect())
            }
            (Value::Truth(yes), Value::Truth(no)) => Value::Truth(Formula::all([
                Formula::implies(condition, yes),
                Formula::implies(&condition.clone().negated(), no),
            ])),
            _ => Value::Unknown,
        }
    }

    /// Takes back what holds since a mark; returns what code asserted.
    pub(crate) fn take_facts(&mut self, mark: usize) -> Vec<Formula> {
        let asserted = |fact| match fact {
            Fact::Holds { formula, origin: Origin::Asserted } => Some(formula),
            _ => None,
        };
        self.facts.drain(mark..).filter_map(asserted).collect()
    }
}
