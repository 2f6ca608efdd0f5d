//! Offsets against their definition: base plus the sum of coordinate times stride, at every point that runs.

use std::collections::HashMap;

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::{Offset, Part, Place};
use crate::check::tests::execute::{Staged, Values, staged};
use crate::check::tests::interiors::{is_interior, turns};
use crate::check::tests::kernels::{bounded, kernel, tested, unconditional};
use crate::check::{Verdict, known};
use crate::ir::{AccessId, Layout, LoopId, Position};
use crate::locate::Candidate;

/// Bodies whose offsets have parts: products, remainders, operands that are only known where they stand.
fn with_parts() -> Vec<TokenStream> {
    let t = quote!(let t = Block::external(t, [h, w]););
    let v = quote!(let v = Block::external(v, [n]););
    let strided = quote!(let t = Block::external(t, [h, w]).strided([2 * n, 3]););
    vec![
        quote!(#t for [y, x] in t.indices() { s += t[[y, x]] + t[[y, x + 1]]; }),
        quote!(#t for y in 0..h { for x in 0..w { s += t[[2 * y + r, 3 * x + c]]; } }),
        quote!(#t for y in 0..h { for x in 0..3 { s += t[[y + x, x - y]]; } }),
        quote!(#t for i in 0..h { s += t[[i >> 3, i & 7]]; }),
        quote!(#t for i in 0..h { s += t[[i & 1, i >> 1]] + t[[(i + r) & 3, 1]]; }),
        quote!(#t for i in 0..h { for j in 0..w { s += t[[i & 3, (i + j) & 1]] + t[[j & 3, i]]; } }),
        quote!(#t #v for i in 0..h { s += t[[i + v[[i]], i - v[[0]]]]; }),
        quote!(#t #v for i in 0..h { s += t[[v[[i]] & 3, i]] + t[[2, v[[i]] & 1]]; }),
        quote!(#strided for [y, x] in t.indices() { s += t[[y, x]] + t[[y + 1, r]]; }),
        quote!(#strided for [y, x] in t.indices() { for d in 0..2 { s += t[[y + d, x - d * r]]; } }),
        quote!(#t let p = t.permute([1, 0]); for [x, y] in p.indices() { s += p[[x, y]]; }),
        quote!(#t let p = t.coarsen([2, 2]); for [y, x] in p.indices() { s += p[[y, x]] + p[[y, x + 1]]; }),
        quote!(#t let p = t.refine([2, 3]); for [y, x] in p.indices() { s += p[[y, x]] + p[[y, x + 1]]; }),
        quote!(#t let p = t[[r..r + 3, 1..]]; for [y, x] in p.indices() { s += p[[y, x]] + p[[0, x]]; }),
    ]
}

fn bodies() -> Vec<TokenStream> {
    [unconditional(), bounded(), tested(), with_parts()].concat()
}

/// The parts of offsets by their names, each with its place.
fn parts(staged: &Staged) -> HashMap<Ident, (Place, Part)> {
    let all = staged.lowered.parts.iter();
    all.flat_map(|(place, parts)| parts.iter().map(|part| (part.name.clone(), (*place, part.clone()))))
        .collect()
}

/// What a name holds.
fn named(staged: &Staged, parts: &HashMap<Ident, (Place, Part)>, name: &Ident, values: &Values) -> i64 {
    let (_, part) = &parts[name];
    let outside = part.outside.as_ref().map_or(0, |outside| named(staged, parts, outside, values));
    outside + staged.eval(&part.value, values)
}

/// An offset by its definition.
fn definition(staged: &Staged, candidate: &Candidate, values: &Values) -> Vec<i64> {
    let found = staged.coordinates(candidate, values);
    match &staged.program.storages[candidate.storage].layout {
        Layout::Rows => found,
        Layout::Strided { base, strides } => {
            let sum = found.iter().zip(strides).map(|(at, stride)| at * staged.eval(stride, values));
            vec![staged.eval(base, values) + sum.sum::<i64>()]
        }
    }
}

fn value(staged: &Staged, offset: &Offset, values: &Values) -> Vec<i64> {
    match offset {
        Offset::Flat(name, rest) => {
            let parts = parts(staged);
            let outside = name.as_ref().map_or(0, |name| named(staged, &parts, name, values));
            vec![outside + staged.eval(rest, values)]
        }
        Offset::Row(row, column) => vec![staged.eval(row, values), staged.eval(column, values)],
    }
}

/// The loop in whose interior an access needs no test.
fn split(staged: &Staged, access: AccessId) -> Option<LoopId> {
    let mut peels = staged.checked.peels.iter();
    peels.find(|(_, peel)| peel.accesses.contains_key(&access)).map(|(id, _)| *id)
}

#[test]
fn offsets_are_the_sums_of_their_parts() {
    let (mut compared, mut interior) = (0, 0);
    for body in bodies() {
        let staged = staged(&kernel(&body));
        for values in staged.assignments(&[-2, 1, 3, 4]) {
            for (id, access, verdict) in staged.accesses() {
                let entries = staged.entries(access.position.context, &values);
                let candidate = match verdict {
                    Verdict::Inside(candidate) => Some(candidate.clone()),
                    Verdict::Folded(folded) => Some(folded.element()),
                    Verdict::Tested(_) => None,
                };
                assert_eq!(candidate.is_some(), staged.lowered.offsets[id].is_some(), "{body}");
                if let (Some(candidate), Some(offset)) = (candidate, &staged.lowered.offsets[id]) {
                    for at in &entries {
                        let wanted = definition(&staged, &candidate, at);
                        assert_eq!(value(&staged, offset, at), wanted, "{offset:?} at {at:?} in {body}");
                        compared += 1;
                    }
                }
                let looping = split(&staged, id);
                assert_eq!(looping.is_some(), staged.lowered.interiors[id].is_some(), "{body}");
                if let (Some(looping), Some(offset)) = (looping, &staged.lowered.interiors[id]) {
                    let candidate = staged.checked.interior(id).expect("an element in the interior");
                    let peel = &staged.checked.peels[&looping];
                    for turn in turns(&staged, looping, &values) {
                        if !is_interior(&staged, looping, peel, &turn) {
                            continue;
                        }
                        for at in staged.entries(access.position.context, &turn) {
                            let wanted = definition(&staged, &candidate, &at);
                            assert_eq!(value(&staged, offset, &at), wanted, "{offset:?} at {at:?} in {body}");
                            interior += 1;
                        }
                    }
                }
            }
        }
    }
    assert!(compared > 10_000 && interior > 1000, "{compared} and {interior} offsets");
}

/// The context that a part is computed in, and the loops of its nest that are around it.
fn scope(staged: &Staged, place: Place) -> (Position, Vec<LoopId>) {
    match place {
        Place::Before(position) => (position, Vec::new()),
        Place::Inside(context, depth) => {
            let parent = staged.program.contexts[context].parent.expect("a loop stands somewhere");
            (parent, staged.program.nests[&context][..=depth].to_vec())
        }
    }
}

/// What a part mentions is known where it is computed, and its block is there already.
#[test]
fn parts_are_computed_where_their_symbols_are_known() {
    for body in bodies() {
        let staged = staged(&kernel(&body));
        for (place, part) in parts(&staged).values() {
            let (position, loops) = scope(&staged, *place);
            let around = |symbol: &crate::symbolic::Symbol| {
                loops.iter().any(|id| staged.program.loops[*id].symbol == *symbol)
            };
            let (_, rest) = part.value.partition_terms(&|symbols| symbols.iter().any(around));
            assert!(known(&staged.program, std::iter::once(&rest), position), "{part:?} in {body}");
            for symbol in part.value.symbols().iter().filter(|symbol| !around(symbol)) {
                let alone = crate::symbolic::Sym::symbol(symbol);
                assert!(known(&staged.program, std::iter::once(&alone), position), "{part:?} in {body}");
            }
            if let Some(outside) = &part.outside {
                assert!(
                    parts(&staged)[outside].0 != *place,
                    "{part:?} adds to one of its own place in {body}"
                );
            }
        }
    }
}

/// The names that an offset stands on.
fn chain(parts: &HashMap<Ident, (Place, Part)>, offset: &Offset) -> Vec<Ident> {
    let Offset::Flat(name, _) = offset else { return Vec::new() };
    let next = |name: &Ident| parts[name].1.outside.clone();
    std::iter::successors(name.clone(), |name| next(name)).collect()
}

/// A part that is said to fit is one whose sum is the offset of an element, but for what is constant, each time that it
/// is computed: some access to its block runs then.
#[test]
fn what_fits_is_computed_only_where_an_access_runs() {
    let mut fitting = 0;
    for body in bodies() {
        let staged = staged(&kernel(&body));
        let parts = parts(&staged);
        for values in staged.assignments(&[-2, 0, 1, 3]) {
            if staged.stops(&values) {
                continue;
            }
            for (name, (place, part)) in parts.iter().filter(|(_, (_, part))| part.fits) {
                let (position, loops) = scope(&staged, *place);
                let entries = staged.entries(position.context, &values);
                for at in entries.iter().flat_map(|at| staged.iterations(&loops, at)) {
                    let runs = staged.accesses().any(|(id, access, _)| {
                        let offset = staged.lowered.offsets[id].as_ref();
                        offset.is_some_and(|offset| chain(&parts, offset).contains(name))
                            && !staged.entries(access.position.context, &at).is_empty()
                    });
                    assert!(runs, "{part:?} at {at:?} in {body}");
                    fitting += 1;
                }
            }
        }
    }
    assert!(fitting > 100, "{fitting} parts");
}
