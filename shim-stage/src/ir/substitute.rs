//! Values in the place of symbols.

use super::walk::{Use, UseMut, edit};
use super::{AccessId, Loop, Program, RegionId};
use crate::symbolic::{SymError, SymInt, Symbol};

/// Symbols with their values.
#[derive(Debug)]
pub(crate) struct Substitution(Vec<(Symbol, SymInt)>);

impl FromIterator<(Symbol, SymInt)> for Substitution {
    fn from_iter<I: IntoIterator<Item = (Symbol, SymInt)>>(values: I) -> Self {
        Self(values.into_iter().collect())
    }
}

impl Substitution {
    /// The value of a symbol, if it has one.
    pub(crate) fn value(&self, symbol: &Symbol) -> Option<SymInt> {
        self.0.iter().find(|(own, _)| own == symbol).map(|(_, value)| value.clone())
    }

    /// A loop with these values in its bounds.
    ///
    /// # Errors
    /// [`SymError`] where a result does not fit.
    pub(crate) fn in_loop(&self, for_loop: &Loop) -> Result<Loop, SymError> {
        let mut result = Ok(());
        let mut replaced = for_loop.clone();
        edit::for_loop(&mut replaced, &mut self.replacing(&mut result));
        result.map(|()| replaced)
    }

    /// Replaces the symbols in what a walk visits; an error goes to `result`.
    fn replacing<'r>(&'r self, result: &'r mut Result<(), SymError>) -> impl FnMut(UseMut<'_>) + 'r {
        move |own| {
            if let UseMut::SymInt(sym) = own
                && self.0.iter().any(|(symbol, _)| sym.mentions(symbol))
            {
                match sym.substitute(&|symbol: &Symbol| self.value(symbol)) {
                    Ok(replaced) => *sym = replaced,
                    Err(error) => *result = Err(error),
                }
            }
        }
    }
}

impl Program {
    /// Replaces symbols in all that a region holds, facts among them.
    ///
    /// # Errors
    /// [`SymError`] where a result does not fit.
    pub(crate) fn substitute(&mut self, region: RegionId, values: &Substitution) -> Result<(), SymError> {
        let (mut holes, mut nests, mut loops, mut accesses) = (vec![], vec![], vec![], vec![]);
        self.walk(region, &mut |own, _| match own {
            Use::Hole(id, _) => holes.push(*id),
            Use::Nest(id) => nests.push(*id),
            Use::Loop(id) => loops.push(*id),
            Use::Access(id) => accesses.push(*id),
            Use::Region(_) | Use::Rust(_) | Use::SymInt(_) => {}
        });
        let mut result = Ok(());
        let mut visit = values.replacing(&mut result);
        for id in self.regions_in(region) {
            for statement in &mut self.regions[id].statements {
                edit::statement(&mut statement.kind, &mut visit);
            }
            self.edit_facts(id, &mut |fact| visit(UseMut::SymInt(fact)));
        }
        for id in holes {
            edit::hole(&mut self.holes[id], &mut visit);
        }
        for id in nests {
            edit::nest(&mut self.nests[id], &mut visit);
        }
        for id in loops {
            edit::for_loop(&mut self.loops[id], &mut visit);
            edit::parts(&mut self.loops[id], &mut visit);
        }
        drop(visit);
        self.derive_facts(region);
        result.and(self.substitute_in(accesses, values))
    }

    /// Replaces the variables of loops that become locals of a region in what it reaches: in the indices and elements of its
    /// accesses, and in facts.
    ///
    /// # Errors
    /// [`SymError`] where a result does not fit.
    pub(crate) fn substitute_variables(
        &mut self,
        region: RegionId,
        values: &Substitution,
    ) -> Result<(), SymError> {
        let mut result = Ok(());
        let mut visit = values.replacing(&mut result);
        for id in self.regions_in(region) {
            self.edit_facts(id, &mut |fact| visit(UseMut::SymInt(fact)));
        }
        drop(visit);
        self.derive_facts(region);
        let accesses = self.accesses_in(region);
        result.and(self.substitute_in(accesses, values))
    }

    /// Replaces symbols in the indices, elements and operands of accesses.
    ///
    /// # Errors
    /// [`SymError`] where a result does not fit.
    pub(crate) fn substitute_in(
        &mut self,
        accesses: impl IntoIterator<Item = AccessId>,
        values: &Substitution,
    ) -> Result<(), SymError> {
        let mut result = Ok(());
        let mut visit = values.replacing(&mut result);
        for id in accesses {
            let access = &mut self.accesses[id];
            edit::access(access, &mut visit);
            let defined = access.let_defs.iter_mut().map(|own| &mut own.value);
            access.index.iter_mut().chain(defined).for_each(|own| visit(UseMut::SymInt(own)));
        }
        drop(visit);
        result
    }
}
