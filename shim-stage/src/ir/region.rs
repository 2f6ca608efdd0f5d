//! Under which loops, conditions and closures a piece of a kernel runs.

use std::rc::Rc;

use crate::symbolic::{Facts, SymInt};

use super::{AccessId, Epoch, LoopId, NestId, Program, RegionId, Statement, Substitution};

/// A point of a program: before the statement of a number, and before what passes add there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ProgramPoint {
    /// The region.
    pub region: RegionId,
    /// The statement's number in it.
    pub statement: usize,
}

/// Region kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RegionKind {
    /// Runs exactly when the statement it stands in runs.
    Plain,
    /// One of two versions of a body, of which one runs when the statement does.
    Version,
    /// The body of a nest of counted loops.
    Nest(NestId),
    /// The body of a loop that nothing is known about.
    Unknown,
    /// Runs under a condition.
    Branch,
    /// The body of a closure: runs when it is called, if ever.
    Closure,
}

impl RegionKind {
    /// Whether it may run several times where the statement around it runs once.
    pub const fn repeats(self) -> bool {
        match self {
            Self::Nest(_) | Self::Unknown | Self::Closure => true,
            Self::Plain | Self::Version | Self::Branch => false,
        }
    }
}

/// A block of statements and what is known where it runs.
#[derive(Debug, Clone)]
pub struct Region {
    /// The statement that contains it; none for the function's body.
    pub parent: Option<ProgramPoint>,
    /// Its kind.
    pub kind: RegionKind,
    /// Its own facts. Those of the regions around it hold in it as well.
    own: Vec<SymInt>,
    /// Further facts, each from a statement on: what a statement tests does not hold before it.
    later: Vec<(usize, SymInt)>,
    /// What holds in all of it.
    pub facts: Facts,
    /// What holds from these statements on, in their order.
    facts_from: Vec<(usize, Facts)>,
    /// The region that it is a copy of, itself no copy.
    pub copy_of: Option<RegionId>,
    /// The arms of the condition that it is an arm of, itself among them: exactly one of them runs.
    pub(crate) arms: Vec<RegionId>,
    /// The loops of the source of which it is the body, where others run it now.
    pub(crate) reordered: Option<Rc<Reordered>>,
    /// Its statements.
    pub statements: Vec<Statement>,
    /// The epoch before each statement that binding wrote, and that after the last one.
    pub epochs: Vec<Epoch>,
    /// The accesses of its statements, see [`Program::accesses_in`](super::Program::accesses_in).
    pub accesses: Vec<AccessId>,
    /// The regions in its statements.
    pub regions: Vec<RegionId>,
}

/// The loops of a nest that has an order now.
#[derive(Debug)]
pub(crate) struct Reordered {
    /// Those of the source, the outermost first.
    pub(crate) loops: Vec<LoopId>,
    /// The values of their variables in those that run the body.
    pub(crate) values: Substitution,
    /// The region around the nest.
    pub(crate) outside: RegionId,
}

impl Region {
    /// A region without statements. [`Program::new_region`] says what holds around it.
    pub(super) fn new(kind: RegionKind, own: Vec<SymInt>, epoch: Epoch) -> Self {
        Region {
            parent: None,
            kind,
            own,
            later: Vec::new(),
            facts: Facts::new(),
            facts_from: Vec::new(),
            copy_of: None,
            arms: Vec::new(),
            reordered: None,
            statements: Vec::new(),
            epochs: vec![epoch],
            accesses: Vec::new(),
            regions: Vec::new(),
        }
    }

    /// Its own facts that hold in all of it, without those of the regions around it.
    pub fn own_facts(&self) -> &[SymInt] {
        &self.own
    }

    /// Adds what holds in all of it.
    fn learn(&mut self, fact: &SymInt) {
        self.facts.push(fact.clone());
        self.facts_from.iter_mut().for_each(|(_, facts)| facts.push(fact.clone()));
    }

    /// The epoch at a statement that binding wrote.
    pub fn epoch(&self, statement: usize) -> Option<Epoch> {
        self.epochs.get(statement).copied()
    }

    /// The number of the statement that binding would write next.
    pub fn next_statement(&self) -> usize {
        self.epochs.len() - 1
    }

    /// The epoch behind its last statement.
    pub fn last_epoch(&self) -> Epoch {
        self.epochs.last().copied().unwrap_or_default()
    }
}

impl Program {
    /// Adds what holds in a region, and so in those inside it.
    pub fn assume(&mut self, id: RegionId, fact: SymInt) {
        self.regions[id].own.push(fact.clone());
        for inner in self.regions_in(id) {
            self.regions[inner].learn(&fact);
        }
    }

    /// Adds what holds from a point of a region on.
    pub fn assume_from(&mut self, point: ProgramPoint, fact: SymInt) {
        self.regions[point.region].later.push((point.statement, fact));
        self.derive_facts(point.region);
    }

    /// What holds at a point.
    pub fn facts_at(&self, point: ProgramPoint) -> &Facts {
        let region = &self.regions[point.region];
        let from = region.facts_from.iter().rev().find(|(from, _)| *from <= point.statement);
        from.map_or(&region.facts, |(_, facts)| facts)
    }

    /// Adds the facts of a region to a copy of it.
    pub(super) fn copy_later_facts(&mut self, original: RegionId, copy: RegionId) {
        let later = self.regions[original].later.clone();
        if !later.is_empty() {
            self.regions[copy].later = later;
            self.derive_facts(copy);
        }
    }

    /// Rewrites the own facts of a region; [`Program::derive_facts`] makes them hold.
    pub fn edit_facts(&mut self, id: RegionId, edit: &mut dyn FnMut(&mut SymInt)) {
        let Region { own, later, .. } = &mut self.regions[id];
        own.iter_mut().chain(later.iter_mut().map(|(_, fact)| fact)).for_each(edit);
    }

    /// Notes that exactly one of some regions runs, if each of them is known.
    pub(crate) fn note_arms(&mut self, arms: impl IntoIterator<Item = Option<RegionId>>) {
        let arms: Option<Vec<RegionId>> = arms.into_iter().collect();
        for arm in arms.iter().flatten() {
            self.regions[*arm].arms = arms.clone().unwrap_or_default();
        }
    }

    /// Derives the facts of a region and of those inside it from the own facts of each.
    pub fn derive_facts(&mut self, id: RegionId) {
        for inner in self.regions_in(id) {
            let around = self.regions[inner].parent.map(|parent| self.facts_at(parent).clone());
            let mut facts = around.unwrap_or_default();
            let region = &mut self.regions[inner];
            region.own.iter().for_each(|fact| facts.push(fact.clone()));
            region.facts = facts.clone();
            region.facts_from.clear();
            for (from, fact) in &region.later {
                facts.push(fact.clone());
                match region.facts_from.last_mut().filter(|(last, _)| last == from) {
                    Some((_, known)) => *known = facts.clone(),
                    None => region.facts_from.push((*from, facts.clone())),
                }
            }
        }
    }

    /// What runs in the body of a nest from its beginning to its end, apart from closures that are only made there.
    fn passes(&self, nest: NestId) -> Epoch {
        let region = &self.regions[self.nests[nest].body];
        let (first, last) = (region.epochs.first().copied().unwrap_or_default(), region.last_epoch());
        let mut passed = Epoch {
            opaque: last.opaque.saturating_sub(first.opaque),
            jumps: last.jumps.saturating_sub(first.jumps),
        };
        for inner in &region.regions {
            if let RegionKind::Nest(inner) = self.regions[*inner].kind {
                let inner = self.passes(inner);
                passed.opaque = passed.opaque.max(inner.opaque);
                passed.jumps = passed.jumps.max(inner.jumps);
            }
        }
        passed
    }

    /// Whether something opaque runs in the body of a nest.
    pub fn is_opaque(&self, nest: NestId) -> bool {
        self.passes(nest).opaque > 0
    }

    /// Whether the body of a nest jumps out of a loop.
    pub fn is_left(&self, nest: NestId) -> bool {
        self.passes(nest).jumps > 0
    }
}
