//! Hoists the conversions of user values that take part in locations.
//!
//! Binding converts a value where a view uses it; an assertion before a nest may need it earlier, or in an enclosing
//! block. Each conversion is hoisted to a point that dominates its uses, which then share it. Only conversions of
//! locals that never change are hoisted, and only to control-equivalent points.

use std::collections::{BTreeMap, HashSet};

use proc_macro2::Ident;

use crate::ir::{
    Definition, Let, NameSupply, Order, Program, ProgramPoint, RegionKind, Statement, StatementKind,
    SymbolSource,
};
use crate::symbolic::SymInt;

/// Gives every stable local that is converted more than once one conversion where that can be.
pub(super) fn place(program: &mut Program, names: &mut NameSupply) {
    let mut wanted: BTreeMap<u32, Vec<ProgramPoint>> = BTreeMap::new();
    // Under a guard nothing is converted that is not needed.
    for (position, assertion) in program.assertions().filter(|(_, assertion)| assertion.guards.is_empty()) {
        for symbol in assertion.guarded_syms().flat_map(SymInt::symbols) {
            wanted.entry(symbol.id()).or_default().push(position);
        }
    }
    let mut replaced: HashSet<Ident> = HashSet::new();
    let mut shared: Vec<(ProgramPoint, Let)> = Vec::new();
    for id in 0..program.symbols.len() {
        let SymbolSource::Stable(value, number) = &program.symbols[id].source else { continue };
        let (value, number) = (value.clone(), *number);
        // Where it is converted, and by which local, if one was made.
        let mut found: Vec<(ProgramPoint, Option<Ident>)> = std::mem::take(&mut program.symbols[id].captures)
            .into_iter()
            .map(|(from, name)| (outwards(program, id, from), Some(name)))
            .collect();
        let assertions = wanted.get(&u32::try_from(id).unwrap_or(u32::MAX));
        found.extend(assertions.into_iter().flatten().map(|position| (*position, None)));
        let mut captures: Vec<(ProgramPoint, Ident)> = Vec::new();
        // What is visible to another comes before it: its block is older, or its statement.
        found.sort_by_key(|(position, _)| *position);
        for at in 0..found.len() {
            let position = found[at].0;
            let served = captures.iter().any(|(from, _)| program.visible(*from, position));
            if !served {
                // The name of the first local that is not needed any more.
                let later = &found[at..];
                let named =
                    later.iter().find(|(from, name)| name.is_some() && program.visible(position, *from));
                let name = match named.and_then(|(_, name)| name.clone()) {
                    Some(name) => name,
                    None => names.fresh(&format!("{}_i", program.symbols[id].symbol.name())),
                };
                let value = Definition::Conversion {
                    symbol: program.symbols[id].symbol.clone(),
                    value: Box::new(syn::parse_quote!(#value)),
                    number,
                };
                shared.push((position, Let { name: name.clone(), value }));
                captures.push((position, name));
            }
            replaced.extend(found[at].1.clone());
        }
        program.symbols[id].captures = captures;
    }
    let converts = |statement: &Statement| match &statement.kind {
        StatementKind::Let(Let { name, value: Definition::Conversion { .. } }) => replaced.contains(name),
        _ => false,
    };
    for region in program.regions.ids() {
        program.regions[region].statements.retain(|statement| !converts(statement));
    }
    for (position, conversion) in shared {
        program.define(position, Order::Conversion, &conversion);
    }
}

/// The outermost control-equivalent point at which the symbol is known.
fn outwards(program: &Program, symbol: usize, from: ProgramPoint) -> ProgramPoint {
    // What was captured is visible behind the statement that captures it.
    let from = ProgramPoint { statement: from.statement.saturating_sub(1), ..from };
    let epoch = |at: ProgramPoint| program.regions[at.region].epoch(at.statement);
    let defined = program.symbols[symbol].defined;
    let mut plain = true;
    let reached = program.outwards(from).take_while(|at| {
        let reached = *at == from || plain && epoch(*at) == epoch(from) && program.visible(defined, *at);
        plain = matches!(program.regions[at.region].kind, RegionKind::Plain | RegionKind::Version);
        reached
    });
    reached.last().unwrap_or(from)
}
