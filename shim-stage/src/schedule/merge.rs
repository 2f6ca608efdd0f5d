//! Loops that are perfectly nested become one nest.

use std::collections::BTreeSet;

use proc_macro2::Ident;
use quote::ToTokens as _;
use syn::{BinOp, Expr, Local, Stmt, parse_quote};

use crate::depend;
use crate::hygiene;
use crate::ir::{
    AccessId, Hole, HoleId, Loop, LoopId, NestId, Order, Program, ProgramPoint, RegionId, RegionKind,
    Statement, StatementKind, SymbolSource, visit,
};
use crate::symbolic::{Range, SymInt, Symbol};

use super::legal::breaks;
use super::rejected::{Rejected, rejected};

/// Makes a nest of at least `depth` loops from those in its body. What is between two of them runs in each iteration of
/// the inner one.
pub(super) fn merge(program: &mut Program, id: NestId, depth: usize) -> Result<(), Rejected> {
    let mut sunk = Vec::new();
    while program.nests[id].loops.len() < depth {
        let between = program.nests[id].body;
        let Inner { nest: inner, hole, .. } = Inner::of(program, id).ok_or_else(|| {
            rejected(
                format!("the order needs {depth} nested loops, and only {} are perfectly nested", program.nests[id].loops.len()),
                "the body of each loop but the innermost is another `for` over indices or a range, and before it no more than `let`s without `mut`",
            )
        })?;
        if program.nests[inner].schedule.as_deref().is_some_and(|own| !own.is_automatic()) {
            return Err(rejected(
                "an inner loop of this nest has attributes of its own",
                "order all loops of the nest by the attributes of the outermost one",
            ));
        }
        let loops = program.nests[inner].loops.clone();
        for for_loop in &loops {
            for symbol in bounds_between(program, *for_loop, between) {
                if !hoist(program, id, &symbol) {
                    let name = program.loops[*for_loop].symbol.name();
                    return Err(rejected(
                        format!("a bound of the loop over `{name}` is evaluated in the loop around it"),
                        "bind it by a `let` before the nest, or write a sum of outer variables that cannot overflow, such as `i + 1` where `i` \
                         is less than a value of its type",
                    ));
                }
            }
        }
        let parent = program.regions[between].parent;
        let body = program.nests[inner].body;
        let lets = Inner::of(program, id).is_some_and(|inner| inner.lets);
        program.nests[inner].loops.clear();
        program.nests[inner].schedule = None;
        let i32_extents = std::mem::take(&mut program.nests[inner].i32_extents);
        for extent in i32_extents {
            if !program.nests[id].i32_extents.contains(&extent) {
                program.nests[id].i32_extents.push(extent);
            }
        }
        for for_loop in &loops {
            program.loops[*for_loop].nest = id;
            let symbol = program.loops[*for_loop].symbol.id() as usize;
            if let (SymbolSource::Loop(_), Some(parent)) = (&program.symbols[symbol].source, parent) {
                program.symbols[symbol].defined = parent;
            }
        }
        if lets {
            for for_loop in &loops {
                program.loops[*for_loop].own = Some(body);
            }
            sunk.push((between, body, program.nests[id].loops.len()));
            program.nests[id].loops.extend(loops);
            program.replace_nest(hole, body);
            continue;
        }
        program.nests[id].loops.extend(loops);
        program.nests[id].body = body;
        for statement in std::mem::take(&mut program.regions[between].statements) {
            let order = match &statement.kind {
                StatementKind::Rust(_) => continue,
                StatementKind::Confirm(_) => Order::Constant,
                _ => statement.order,
            };
            program.insert(ProgramPoint { region: body, statement: 0 }, order, statement.kind);
        }
        program.move_region(body, parent, RegionKind::Nest(id));
    }
    if sunk.is_empty() { Ok(()) } else { keeps_values(program, id, &sunk) }
}

/// The locals of the region between two loops that bounds of the inner one mention.
fn bounds_between(program: &Program, for_loop: LoopId, between: RegionId) -> Vec<Symbol> {
    let Loop { first, last, runs, .. } = &program.loops[for_loop];
    let symbols: BTreeSet<Symbol> = [first, last, runs].into_iter().flat_map(SymInt::symbols).collect();
    let is_local = |symbol: &Symbol| {
        let info = program.symbol(symbol);
        !matches!(info.source, SymbolSource::Loop(_)) && program.within(info.defined.region, between)
    };
    symbols.into_iter().filter(is_local).collect()
}

/// Evaluates a bound before the nest, if the nest runs at all; says whether that is possible: where the bound mentions
/// nothing of the nest.
fn hoist(program: &mut Program, id: NestId, symbol: &Symbol) -> bool {
    let (SymbolSource::Stable(local, _), between) =
        (program.symbol(symbol).source.clone(), program.nests[id].body)
    else {
        return false;
    };
    let Some(parent) = program.regions[between].parent else { return false };
    let statements = &program.regions[between].statements;
    let bound = |statement: &Statement| match &statement.kind {
        StatementKind::Rust(rust) => match &**rust {
            Stmt::Local(local) => Some(hygiene::identifiers(local.pat.to_token_stream()).collect()),
            _ => None,
        },
        StatementKind::Let(local) => Some(vec![local.name.clone()]),
        _ => None,
    };
    let Some(at) = statements
        .iter()
        .position(|own| bound(own).is_some_and(|names: Vec<Ident>| names == [local.clone()]))
    else {
        return false;
    };
    let StatementKind::Rust(rust) = &statements[at].kind else { return false };
    let Stmt::Local(Local { init: Some(init), .. }) = &**rust else { return false };
    let loops = &program.nests[id].loops;
    let mut inner: Vec<Ident> = statements.iter().filter_map(bound).flatten().collect();
    inner.extend(loops.iter().map(|for_loop| program.loops[*for_loop].name.clone()));
    let mut holes = 0;
    visit::holes_in_expr(&init.expr, &mut |_, _| holes += 1);
    let mentions = hygiene::identifiers(init.expr.to_token_stream()).any(|name| inner.contains(&name));
    if holes > 0 || mentions || loops.iter().any(|for_loop| program.is_cut(*for_loop, loops)) {
        return false;
    }
    let value = init.expr.clone();
    let runs: Vec<SymInt> = loops.iter().map(|for_loop| program.loops[*for_loop].runs.clone()).collect();
    let guards = runs.into_iter().map(|runs| {
        let op: BinOp = parse_quote!(>=);
        program.hole(Hole::Compare(runs, op, SymInt::constant(0), Vec::new()))
    });
    let guards: Vec<Expr> = guards.collect();
    let statement: Stmt = parse_quote! {
        let #local = if #(#guards)&&* { #value } else { ::core::default::Default::default() };
    };
    program.regions[between].statements.remove(at);
    program.insert(parent, Order::Constant, StatementKind::Rust(Box::new(statement)));
    program.symbols[symbol.id() as usize].defined = parent;
    hoist_assertions(program, id, parent);
    true
}

/// Moves assertions from the region between two loops to before the nest, where what they mention is known there.
fn hoist_assertions(program: &mut Program, id: NestId, parent: ProgramPoint) {
    let between = program.nests[id].body;
    let runs: Vec<SymInt> =
        program.nests[id].loops.iter().map(|for_loop| program.loops[*for_loop].runs.clone()).collect();
    for statement in std::mem::take(&mut program.regions[between].statements) {
        match statement.kind {
            StatementKind::Assert(mut assertion) if program.knows(assertion.syms(), parent) => {
                let may_not_run = runs.iter().filter(|runs| runs.range().lo.is_none_or(|lo| lo < 0));
                assertion.guards.extend(may_not_run.cloned());
                program.insert(parent, Order::Assertion, StatementKind::Assert(assertion));
            }
            kind => program.regions[between].statements.push(Statement { kind, ..statement }),
        }
    }
}

/// An error unless each `let` that is evaluated in all iterations of inner loops has the same value there: none of
/// these writes what it reads in a later one.
fn keeps_values(program: &Program, id: NestId, sunk: &[(RegionId, RegionId, usize)]) -> Result<(), Rejected> {
    for dependence in depend::dependences(program, id) {
        for (between, body, depth) in sunk {
            let is_read_before = |access: AccessId| {
                let region = program.accesses[access].position.region;
                program.within(region, *between) && !program.within(region, *body)
            };
            let pairs =
                [(dependence.write, dependence.other, false), (dependence.other, dependence.write, true)];
            for (write, read, backwards) in pairs {
                if !is_read_before(read) || is_read_before(write) {
                    continue;
                }
                let later = |distance: &&Vec<Range>| {
                    let steps =
                        |axis: usize| if backwards { distance[axis].negated() } else { distance[axis] };
                    let mut inner = *depth..distance.len();
                    (0..*depth).all(|axis| !steps(axis).intersect(Range::ZERO).is_empty())
                        && inner.any(|axis| steps(axis).hi.is_none_or(|hi| hi > 0))
                };
                let distance = dependence.distances.iter().find(later);
                if distance.is_some() || dependence.unknown {
                    let why = "the `let` between the loops is evaluated in each iteration of the inner one";
                    return Err(breaks(
                        program,
                        id,
                        [write, read],
                        distance.filter(|_| !dependence.unknown),
                        why,
                    ));
                }
            }
        }
    }
    Ok(())
}

/// The error about bounds that are not sums of variables.
pub(super) fn not_affine() -> Rejected {
    rejected(
        "an inner loop of this nest has a bound that is not a sum of outer variables, or runs in steps",
        "bounds are sums of outer variables and values that stay, such as `i + 1` or `n - i`, or the `min` or `max` of such",
    )
}

/// The nest in the body of another one.
struct Inner {
    nest: NestId,
    hole: HoleId,
    /// Whether there are `let`s before it.
    lets: bool,
}

impl Inner {
    /// The nest that a nest's body ends in, with no more than `let`s before it that may be evaluated again.
    fn of(program: &Program, id: NestId) -> Option<Self> {
        let nest = &program.nests[id];
        if nest.next.is_some() {
            return None;
        }
        let mut found = None;
        let mut lets = false;
        for statement in &program.regions[nest.body].statements {
            match &statement.kind {
                StatementKind::Assert(_) | StatementKind::Confirm(_) => {}
                StatementKind::Let(_) if found.is_none() => lets = true,
                StatementKind::Rust(rust) => match &**rust {
                    Stmt::Local(local) if found.is_none() && is_repeatable(program, local) => lets = true,
                    Stmt::Expr(expr, _) => {
                        let (hole, inner) = (Program::hole_of(expr)?, program.nest_of(expr)?);
                        let own = &program.nests[inner];
                        if own.label.is_some() || own.next.is_some() || found.replace((hole, inner)).is_some()
                        {
                            return None;
                        }
                    }
                    _ => return None,
                },
                _ => return None,
            }
        }
        found.map(|(hole, nest)| Inner { nest, hole, lets })
    }
}

/// Whether a `let` may be evaluated again: it binds values that do not change, and writes no element. That it does
/// nothing else is judged where the order is.
fn is_repeatable(program: &Program, local: &Local) -> bool {
    let Some(init) = local.init.as_ref().filter(|init| init.diverge.is_none()) else { return false };
    let changes = hygiene::identifiers(local.to_token_stream()).any(|word| word == "mut");
    let mut reads = true;
    visit::holes_in_expr(&init.expr, &mut |hole, _| {
        reads &= match &program.holes[*hole] {
            Hole::Access(access) => !program.accesses[*access].kind.writes(),
            Hole::Value(..) | Hole::Contains(_) | Hole::Compare(..) => true,
            _ => false,
        };
    });
    reads && !changes
}
