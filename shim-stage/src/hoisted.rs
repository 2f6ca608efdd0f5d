//! How accesses are kept inside their blocks: the counts in the header of a dump, and `checks = "hoisted"`, under which
//! a test in a loop is an error.

use std::fmt::{Display, Formatter};

use crate::advice;
use crate::diagnostics::Diagnostics;
use crate::ir::{AccessId, AssertedAt, Element, Program};

/// How an access is kept inside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kept {
    /// It is proven inside.
    Proven,
    /// An assertion before the innermost loop around it says that it is.
    Asserted,
    /// A boundary rule computes its coordinates.
    Folded,
    /// It is tested or folded at the ends of a loop, and proven inside between them.
    AtEnds,
    /// It is tested where it runs, or asserted in each iteration of its innermost loop.
    Tested,
}

impl Kept {
    /// The same in a few words.
    pub const fn in_words(self) -> &'static str {
        match self {
            Kept::Proven => "proven inside",
            Kept::Asserted => "asserted before the loop",
            Kept::Folded => "folded by a boundary rule",
            Kept::AtEnds => "tested or folded at the ends of a loop, proven between them",
            Kept::Tested => "tested in place",
        }
    }
}

/// How many accesses of a kernel are kept inside in each way.
#[derive(Default)]
pub(crate) struct Counts {
    in_loops: [usize; 5],
    elsewhere: [usize; 5],
}

impl Counts {
    /// Counts the accesses of a program whose interiors are known.
    pub(crate) fn of(program: &Program) -> Self {
        let mut counts = Self::default();
        for id in demanding(program) {
            let own = if is_in_loop(program, id) { &mut counts.in_loops } else { &mut counts.elsewhere };
            own[kept(program, id) as usize] += 1;
        }
        counts
    }
}

impl Display for Counts {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        for (place, counts) in [("in loops", self.in_loops), ("elsewhere", self.elsewhere)] {
            if counts == [0; 5] {
                continue;
            }
            let [proven, asserted, folded, at_ends, tested] = counts;
            write!(
                f,
                "accesses {place}: {proven} proven, {asserted} asserted before, {tested} tested in place"
            )?;
            for (count, how) in [(at_ends, "tested or folded at the ends of a loop"), (folded, "folded")] {
                if count > 0 {
                    write!(f, ", {count} {how}")?;
                }
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

/// The accesses whose elements must be there.
pub(crate) fn demanding(program: &Program) -> impl Iterator<Item = AccessId> {
    program.all_accesses().into_iter().filter(|id| program.accesses[*id].kind.demands())
}

/// Whether an access may run several times for each call of the kernel.
fn is_in_loop(program: &Program, id: AccessId) -> bool {
    let access = &program.accesses[id];
    let mut around = program.ancestors(access.position.region);
    access.repeats || around.any(|region| program.regions[region].kind.repeats())
}

/// How an access is kept inside.
pub(crate) fn kept(program: &Program, id: AccessId) -> Kept {
    let access = &program.accesses[id];
    match (&access.element, access.asserted) {
        (Element::Folded(_) | Element::Tested(_), _) if advice::spared(program, id) => Kept::AtEnds,
        (Element::Folded(_), _) => Kept::Folded,
        (Element::Tested(_), _) | (_, Some(AssertedAt::InLoop)) => Kept::Tested,
        (_, Some(AssertedAt::BeforeLoop)) => Kept::Asserted,
        (_, None) => Kept::Proven,
    }
}

/// Reports the accesses that are tested in loops.
pub(crate) fn require(program: &Program, diagnostics: &mut Diagnostics) {
    if program.tests_every_access {
        return;
    }
    for id in demanding(program) {
        let access = &program.accesses[id];
        if !is_in_loop(program, id) || kept(program, id) != Kept::Tested {
            continue;
        }
        let message = format!(
            "`{}` is tested in each iteration, in a kernel with `checks = \"hoisted\"`",
            access.shown()
        );
        let help = advice::cause(program, id);
        diagnostics
            .within(&access.calls, |diagnostics| diagnostics.error_in_call(&access.tokens, message, help));
    }
}
