//! Why loops are slow, as far as the compiler sees it: accesses that are tested or folded in each iteration of a long
//! loop. The header of a dump has them, and warnings under `SHIM_NOTES`.

use proc_macro2::Span;

use crate::ir::{
    AccessId, Advice, Element, NestId, Program, RegionId, RegionKind, StatementKind, SymbolSource,
};
use crate::symbolic::{SymInt, Symbol};

/// The trip count up to which a loop is short.
const SHORT: i64 = 32;

/// What there is to say of a program whose interiors are known.
pub(crate) fn of(program: &Program) -> Vec<Advice> {
    let mut found: Vec<Advice> = Vec::new();
    if program.tests_every_access {
        return found;
    }
    for id in program.all_accesses() {
        let access = &program.accesses[id];
        let (how, axes) = match &access.element {
            Element::Tested(tested) => ("tested", tested.open.clone()),
            Element::Folded(folded) => {
                ("brought inside by its rule", folded.axes.iter().map(|(axis, _)| *axis).collect())
            }
            Element::Unchecked | Element::Inside(_) | Element::At(..) => continue,
        };
        if !access.kind.demands() || access.within.is_some() || !moves(program, id, &axes) {
            continue;
        }
        let Some(nest) = in_each_iteration(program, id) else { continue };
        let text = format!("`{}` is {how} in each iteration: {}", access.shown(), cause(program, id));
        if found.iter().any(|other| other.text == text && other.nest == nest) {
            continue;
        }
        let span =
            access.tokens.clone().into_iter().next().map_or_else(Span::call_site, |first| first.span());
        found.push(Advice { nest, span, text });
    }
    found
}

/// Whether a coordinate on one of these axes changes in the innermost loop around an access: what stays there is computed
/// before it.
fn moves(program: &Program, id: AccessId, axes: &[usize]) -> bool {
    let access = &program.accesses[id];
    let innermost =
        program.ancestors(access.position.region).find_map(|region| match program.regions[region].kind {
            RegionKind::Nest(nest) => program.nests[nest].loops.last().copied(),
            _ => None,
        });
    let Some(innermost) = innermost else { return false };
    let body = program.body_of(innermost);
    let changes = |symbol: &Symbol| {
        *symbol == program.loops[innermost].symbol
            || program.within(program.symbol(symbol).defined.region, body)
                && !matches!(program.symbol(symbol).source, SymbolSource::Loop(_))
    };
    let candidates = access.element.candidates().iter();
    candidates
        .flat_map(|candidate| axes.iter().filter_map(|axis| candidate.coordinates.get(*axis)))
        .any(|coordinate| coordinate.symbols().iter().any(changes))
}

/// Whether the interior of a loop spares the test of an access.
pub(crate) fn spared(program: &Program, id: AccessId) -> bool {
    let mut around = program.ancestors(program.accesses[id].position.region);
    around.any(|region| {
        let RegionKind::Nest(nest) = program.regions[region].kind else { return false };
        let mut interiors =
            program.nests[nest].loops.iter().filter_map(|own| program.loops[*own].interior.as_ref());
        interiors.any(|interior| interior.accesses.contains_key(&id))
    })
}

/// The outermost nest around an access that no interior of a loop spares, if it is in a long loop.
fn in_each_iteration(program: &Program, id: AccessId) -> Option<NestId> {
    if spared(program, id) {
        return None;
    }
    let mut outermost = None;
    let mut is_long = false;
    for region in program.ancestors(program.accesses[id].position.region) {
        // What is left beside whole tiles runs once for a row of them.
        let outside = program.regions[region].parent.map(|at| &program.regions[at.region].statements);
        let mut around = outside.into_iter().flatten();
        if around
            .any(|own| matches!(own.kind, StatementKind::If { otherwise: Some(rest), .. } if rest == region))
        {
            return None;
        }
        if let RegionKind::Nest(nest) = program.regions[region].kind {
            for id_of_loop in &program.nests[nest].loops {
                let for_loop = &program.loops[*id_of_loop];
                is_long |= for_loop.runs.as_constant().is_none_or(|last| last >= SHORT);
            }
            outermost = Some(nest);
        }
    }
    outermost.filter(|_| is_long)
}

/// Why an access is not spared, and what to write instead.
pub(crate) fn cause(program: &Program, id: AccessId) -> String {
    let access = &program.accesses[id];
    if program.lists.iter().any(|list| list.pushes.contains(&id)) {
        return "the list may be full; make it where its capacity and the loops that append to it are known, so that all of their elements fit"
            .to_owned();
    }
    let around: Vec<RegionKind> =
        program.ancestors(access.position.region).map(|region| program.regions[region].kind).collect();
    let nests: Vec<NestId> = around
        .iter()
        .filter_map(|kind| match kind {
            RegionKind::Nest(nest) => Some(*nest),
            _ => None,
        })
        .collect();
    let bodies: Vec<RegionId> = program
        .ancestors(access.position.region)
        .filter(|region| program.regions[*region].kind.repeats())
        .collect();
    let varies = |symbol: &Symbol| {
        let info = program.symbol(symbol);
        !matches!(info.source, SymbolSource::Loop(_))
            && bodies.iter().any(|body| program.within(info.defined.region, *body))
    };
    let coordinates = access.element.candidates().iter().flat_map(|candidate| &candidate.coordinates);
    let mut symbols = coordinates.flat_map(SymInt::symbols);
    let shown = access.tokens.to_string();
    let is_named = |name: &str| {
        let mut words = shown.split(|c: char| !c.is_alphanumeric() && c != '_');
        words.any(|word| word == name)
    };
    if let Some(symbol) = symbols.find(varies) {
        return if is_named(symbol.name()) {
            format!(
                "`{}` is computed in the loop; write the index as a sum of the loop's variables, in `usize` or without a cast",
                symbol.name()
            )
        } else {
            "a value that the loop computes is in the index; write it as a sum of the loop's variables"
                .to_owned()
        };
    }
    if around.contains(&RegionKind::Unknown) || access.repeats {
        return "the iterations of this loop are not counted; write `for` over a range or over a tensor's indices".to_owned();
    }
    if nests.iter().any(|nest| program.is_left(*nest)) {
        return "the loop may be left early, so that it is not split at the edges".to_owned();
    }
    if around.iter().any(|kind| matches!(kind, RegionKind::Branch | RegionKind::Closure)) {
        return "it runs under a condition, so that no assertion before the loop may stand for it; give the tensor the extents of the loop, as in `Block::external(t, [n])`"
            .to_owned();
    }
    if nests.iter().any(|nest| program.is_opaque(*nest)) {
        return "the loop may have side effects before it, so that no assertion before the loop may stand for it; give the tensor the extents of the loop, as in `Block::external(t, [n])`"
            .to_owned();
    }
    "the loop has no range in which it is inside; write the index as a sum of the loop's variables, or give the tensor a margin"
        .to_owned()
}
