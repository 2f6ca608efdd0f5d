//! Distribution: the innermost loop once for each statement of its body, the inverse of a fusion.

use std::collections::BTreeSet;

use syn::Stmt;

use crate::hygiene;
use crate::ir::walk::Use;
use crate::ir::{NestId, Program, ProgramPoint, RegionId, StatementKind};
use crate::symbolic::SymInt;

use super::order::LoopOrder;
use super::rejected::{Rejected, rejected};

/// The numbers of the statements at which the distributed loop of an order begins again; none if it has no such loop.
pub(super) fn cuts(program: &Program, id: NestId, order: &LoopOrder) -> Result<Vec<usize>, Rejected> {
    if !order.distributes() {
        return Ok(Vec::new());
    }
    let nest = &program.nests[id];
    let change = nest.effects.as_deref().and_then(|effects| effects.changes.first());
    if change.is_some() || nest.next.is_some() {
        let what = change.map_or_else(
            || "the body may skip its other statements".to_owned(),
            |change| format!("the body changes `{}`", change.name),
        );
        return Err(rejected(
            format!("cannot distribute: {what}"),
            "write each statement in a loop of its own where that gives the same result",
        ));
    }
    let cuts = Body::of(program, nest.body).cuts();
    if cuts.is_empty() {
        return Err(rejected(
            "`#[distribute]` changes nothing here",
            "the body is one statement, or its statements share what a `let` binds: write what each needs in a block of its own, or remove the attribute",
        ));
    }
    Ok(cuts)
}

/// The names and memory that each statement of a body binds, and the statements that use them.
#[derive(Default)]
struct Body {
    /// The statements of the source.
    statements: BTreeSet<usize>,
    /// Names, and the statements that bind them.
    bound: Vec<(String, usize)>,
    /// Names, and the statements that mention them.
    used: Vec<(String, usize)>,
    /// Statements whose definitions are needed later, each with a statement that needs them.
    spans: Vec<[usize; 2]>,
}

impl Body {
    fn of(program: &Program, body: RegionId) -> Self {
        let mut own = Self::default();
        let last = program.regions[body].next_statement();
        for statement in &program.regions[body].statements {
            let StatementKind::Rust(source) = &statement.kind else { continue };
            own.statements.insert(statement.number);
            match &**source {
                Stmt::Local(local) => {
                    let names = hygiene::bound_names(&local.pat);
                    own.bound.extend(names.iter().map(|name| (hygiene::text(name), statement.number)));
                }
                Stmt::Expr(..) => {}
                // An item is in scope in the whole body.
                Stmt::Item(_) | Stmt::Macro(_) => own.spans.push([0, last]),
            }
        }
        let mut current = 0;
        program.walk(body, &mut |mentioned, here| {
            if here.region == body {
                current = here.statement;
            }
            match mentioned {
                Use::Rust(tokens) => {
                    let names = hygiene::identifiers(tokens.to_token_stream());
                    own.used.extend(names.map(|name| (hygiene::text(&name), current)));
                }
                Use::Access(id) => {
                    let access = &program.accesses[*id];
                    let memory = program.allocated(access.view.buffer);
                    if memory.region == body {
                        own.spans.push([memory.statement.saturating_sub(1), current]);
                    }
                    for symbol in access.index.iter().flat_map(SymInt::symbols) {
                        own.needs(body, program.symbol(&symbol).defined, current);
                    }
                }
                Use::SymInt(sym) => {
                    for symbol in sym.symbols() {
                        own.needs(body, program.symbol(&symbol).defined, current);
                    }
                }
                Use::Hole(..) | Use::Region(_) | Use::Nest(_) | Use::Loop(_) => {}
            }
        });
        own
    }

    /// Notes that a statement needs what is defined at a point.
    fn needs(&mut self, body: RegionId, defined: ProgramPoint, statement: usize) {
        // Definitions before the first statement are repeated in each loop.
        if defined.region == body && defined.statement > 0 {
            self.spans.push([defined.statement - 1, statement]);
        }
    }

    /// The statements between which nothing is handed on.
    fn cuts(mut self) -> Vec<usize> {
        for (name, bound) in &self.bound {
            let last =
                self.used.iter().filter(|(used, _)| used == name).map(|(_, statement)| *statement).max();
            self.spans.extend(last.map(|last| [*bound, last]));
        }
        let is_free = |cut: &usize| !self.spans.iter().any(|[from, to]| from < cut && cut <= to);
        self.statements.iter().copied().skip(1).filter(is_free).collect()
    }
}
