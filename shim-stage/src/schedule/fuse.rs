//! Two adjacent nests of the same lengths become one: its body is that of the first and then that of the second.

use syn::{Expr, Stmt};

use crate::hygiene;
use crate::ir::walk::{Use, read};
use crate::ir::{
    Change, Definition, Hole, LoopId, LoopKind, NameSupply, NestId, Order, Program, ProgramPoint, RegionId,
    RegionKind, Schedule, Statement, StatementKind, SymbolSource, Word,
};
use crate::symbolic::SymInt;

use super::apply::defined;
use super::lag::{Lagging, are_alike};
use super::legal::acts;
use super::merge;
use super::rejected::{Rejected, rejected};

/// Fuses a nest with the one in the next statement; both have at least so many loops.
pub(super) fn fuse(
    program: &mut Program,
    names: &mut NameSupply,
    id: NestId,
    (lag, depth): (i64, usize),
) -> Result<(), Rejected> {
    let (next, bounds) = adjacent(program, id).ok_or_else(|| {
        rejected(
            "`#[fuse]` without a loop behind this one",
            "the next statement is a `for` over indices or a range, or an elementwise assignment",
        )
    })?;
    bind_before(program, id, bounds);
    for nest in [id, next] {
        merge::merge(program, nest, depth)?;
    }
    let loops = program.nests[next].loops.clone();
    let own = program.nests[id].loops.clone();
    if lag == 0 && !are_alike(program, &own, &loops)? {
        return Err(rejected(
            "cannot fuse loops of different lengths",
            "fuse loops over the same ranges, or over the indices of tensors of the same extents; with `#[fuse(lag = n)]` their ends may differ",
        ));
    }
    let ordered = |schedule: &Schedule| schedule.words.iter().any(|word| !matches!(word, Word::Fuse(_)));
    if program.nests[next].schedule.as_deref().is_some_and(ordered) {
        return Err(rejected(
            "cannot fuse: the second loop has order attributes of its own",
            "write the order before the first one: it is that of both",
        ));
    }
    if [id, next].iter().any(|id| program.is_opaque(*id)) {
        return Err(rejected(
            "cannot fuse: a body may exit early or have side effects",
            "`return`, `break`, `continue`, `?`, unknown functions and macros happen in the order of the source",
        ));
    }
    let unknown = [id, next]
        .into_iter()
        .find_map(|id| program.nests[id].effects.as_deref().and_then(|effects| effects.unknown.as_ref()));
    if let Some(unknown) = unknown {
        return Err(acts(unknown));
    }
    let effects = [id, next].map(|id| program.nests[id].effects.take());
    if let [Some(mut first), Some(second)] = effects {
        if let Some(change) = first.shared(&second) {
            return Err(rejected(
                format!("cannot fuse: one loop changes `{}`, and the other uses it", change.name),
                "the later loop would meet other values of it: remove the attribute",
            ));
        }
        first.join(*second);
        program.nests[id].effects = Some(first);
    }
    let lagging = if lag > 0 { Some(Lagging::of(program, [id, next], lag)?) } else { None };
    let variable = |id: &LoopId| SymInt::symbol(&program.loops[*id].symbol);
    let mut values: Vec<SymInt> = own.iter().map(variable).collect();
    let both = lagging.as_ref().map(|lagging| lagging.loop_over_both(program, names, id)).transpose()?;
    if let (Some(lagging), Some(both)) = (&lagging, both) {
        values[0] = lagging.earlier(program, both)?;
    }
    let bodies = join(program, names, [id, next], &values)?;
    if let (Some(lagging), Some(both)) = (lagging, both) {
        lagging.apply(program, names, (id, both), bodies)?;
    }
    Ok(())
}

/// The nest in the statement behind that of a nest, and the statements in between, which bind bounds of it.
pub(super) fn adjacent(program: &Program, id: NestId) -> Option<(NestId, Vec<Statement>)> {
    let here = program.regions[program.nests[id].body].parent?;
    let statements = &program.regions[here.region].statements;
    let nest = |statement: &Statement| program.nest_of(statement.kind.expr()?);
    let at = statements.iter().position(|statement| nest(statement) == Some(id))?;
    // A bound may not be of what the first loop changes.
    let effects = program.nests[id].effects.as_deref();
    let stays = |kind: &StatementKind| {
        let mut words = Vec::new();
        read::statement(kind, &mut |own| {
            if let Use::Rust(tokens) = own {
                words.extend(hygiene::identifiers(tokens.to_token_stream()).map(|name| hygiene::text(&name)));
            }
        });
        let is_changed =
            |change: &Change| change.any || change.local.as_ref().is_none_or(|own| words.contains(own));
        effects.is_some_and(|effects| !effects.changes.iter().any(is_changed))
    };
    let is_before = |statement: &&Statement| {
        matches!(statement.kind, StatementKind::Assert(_))
            || binds_a_bound(&statement.kind) && stays(&statement.kind)
    };
    let between = statements[at + 1..].iter().take_while(is_before).count();
    let next = nest(statements.get(at + 1 + between)?)?;
    let is_bound = |statement: &&Statement| binds_a_bound(&statement.kind);
    Some((next, statements[at + 1..][..between].iter().filter(is_bound).cloned().collect()))
}

/// Binds what is bound behind a nest before it.
fn bind_before(program: &mut Program, id: NestId, bounds: Vec<Statement>) {
    let Some(here) = program.regions[program.nests[id].body].parent else { return };
    for statement in bounds {
        let own = ProgramPoint { region: here.region, statement: statement.number };
        program.regions[here.region].statements.retain(|other| {
            !(other.number == own.statement && other.order == statement.order && binds_a_bound(&other.kind))
        });
        program.insert(here, Order::Constant, statement.kind);
        let after = ProgramPoint { statement: own.statement + 1, ..own };
        for info in &mut program.symbols {
            if info.defined == own || info.defined == after {
                info.defined = here;
            }
            for (from, _) in &mut info.captures {
                if *from == own || *from == after {
                    *from = here;
                }
            }
        }
    }
}

/// Whether a statement binds a value that is computed of numbers alone, or the closure of a stage, whose borrows rustc
/// checks wherever it is.
fn binds_a_bound(kind: &StatementKind) -> bool {
    match kind {
        StatementKind::Check(_) => true,
        StatementKind::Let(local) => matches!(
            local.value,
            Definition::Conversion { .. }
                | Definition::Index(_)
                | Definition::Extent(_)
                | Definition::Constant(_)
        ),
        StatementKind::Rust(rust) => match &**rust {
            Stmt::Local(local) => {
                let is_plain = matches!(&local.pat, syn::Pat::Ident(name) if name.mutability.is_none());
                is_plain
                    && local
                        .init
                        .as_ref()
                        .is_some_and(|init| init.diverge.is_none() && is_of_numbers(&init.expr))
            }
            _ => false,
        },
        _ => false,
    }
}

/// Whether an expression is arithmetic on names and literals.
fn is_of_numbers(expr: &Expr) -> bool {
    match expr {
        Expr::Lit(_) => true,
        Expr::Path(_) => Program::hole_of(expr).is_none(),
        Expr::Paren(inner) => is_of_numbers(&inner.expr),
        Expr::Cast(cast) => is_of_numbers(&cast.expr),
        Expr::Binary(binary) => is_of_numbers(&binary.left) && is_of_numbers(&binary.right),
        _ => false,
    }
}

/// Makes the bodies of two nests that of the first, where the variables of the second have these values; gives both bodies.
fn join(
    program: &mut Program,
    names: &mut NameSupply,
    [id, next]: [NestId; 2],
    values: &[SymInt],
) -> Result<[RegionId; 2], Rejected> {
    let (first, second) = (program.nests[id].body, program.nests[next].body);
    let (Some(here), Some(there)) = (program.regions[first].parent, program.regions[second].parent) else {
        return Err(rejected("this loop is in no statement", "write both loops as statements"));
    };
    // What is asserted before the second nest is asserted before both.
    let statements = std::mem::take(&mut program.regions[here.region].statements);
    let (moved, kept): (Vec<_>, Vec<_>) = statements.into_iter().partition(|statement| {
        statement.number == there.statement && !matches!(statement.kind, StatementKind::Memory(..))
    });
    program.regions[here.region].statements = kept;
    for statement in moved {
        if let StatementKind::Assert(assertion) = statement.kind {
            if !program.knows(assertion.syms(), here) {
                return Err(rejected(
                    "the second loop needs values that are bound between the loops",
                    "bind them before the first one",
                ));
            }
            program.insert(here, Order::Assertion, StatementKind::Assert(assertion));
        }
    }
    let i32_extents = std::mem::take(&mut program.nests[next].i32_extents);
    for extent in i32_extents {
        if !program.nests[id].i32_extents.contains(&extent) {
            program.nests[id].i32_extents.push(extent);
        }
    }
    let mut locals = Vec::new();
    let mut replaced = Vec::new();
    for (other, value) in program.nests[next].loops.clone().into_iter().zip(values) {
        let for_loop = program.loops[other].clone();
        let ranges = matches!(for_loop.kind, LoopKind::Range { .. });
        let local = if ranges { names.fresh(&format!("{}_i", for_loop.name)) } else { for_loop.name.clone() };
        let symbol = for_loop.symbol.id() as usize;
        program.symbols[symbol].source = SymbolSource::Local(local.clone());
        program.symbols[symbol].defined = ProgramPoint { region: second, statement: 0 };
        locals.extend(defined(&for_loop, &local, value.clone()));
        replaced.push((for_loop.symbol, value.clone()));
    }
    program.regions[second].statements.splice(0..0, locals);
    program.substitute_variables(second, &replaced.into_iter().collect())?;
    // Each body is a block of its own, whose names the other does not see.
    program.nests[next].loops.clear();
    program.nests[next].schedule = None;
    let epoch = program.regions[first].epochs[0];
    let both = program.new_region(Some(here), RegionKind::Nest(id), Vec::new(), epoch);
    for (number, body) in [first, second].into_iter().enumerate() {
        let hole: Expr = program.hole(Hole::Body(body));
        let block = Stmt::Expr(syn::parse_quote!({ #hole }), Some(<syn::Token![;]>::default()));
        program.append_rust(both, block);
        program.move_region(body, Some(ProgramPoint { region: both, statement: number }), RegionKind::Plain);
    }
    program.nests[id].body = both;
    let fused = [(id, first), (next, second)].map(|(nest, body)| match &program.nests[nest].fused[..] {
        [] => vec![body],
        fused => fused.to_vec(),
    });
    program.nests[id].fused = fused.concat();
    Ok([first, second])
}
