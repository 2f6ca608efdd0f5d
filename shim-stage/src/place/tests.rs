//! Offsets against their definition: base plus the sum of coordinate times stride, at every point that runs.

use std::collections::HashMap;

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::offset::Site;
use crate::check::tests::execute::{Staged, Values, bound, staged};
use crate::check::tests::kernels::{bounded, kernel, tested, unconditional};
use crate::ir::{
    Addressing, Candidate, Definition, Element, Epoch, LoopId, LoopKind, Offset, OffsetPart, Order,
    ProgramPoint, RegionKind, StatementKind,
};

/// Bodies whose offsets have parts: products, remainders, operands that are only known where they stand.
fn with_parts() -> Vec<TokenStream> {
    let t = quote!(let t = Block::external(t, [h, w]););
    let v = quote!(let v = Block::external(v, [n]););
    let clamped = quote!(#t let t = t.boundary(Clamp););
    let four = quote!(let t = Block::external(t, [4, 4]););
    let strided = quote!(let t = Block::external(t, [h, w]).strided([2 * n, 3]););
    let tiled = quote!(let t = Block::external(t, [h, w]).stored(tile([2, 3])););
    let nested = quote! {
        let t = Block::external(t, [h, w])
            .stored(tile([4, 4]).outer(column_major).inner(tile([2, 1]).inner(row_major.reversed())));
    };
    let curve = quote!(let t = Block::external(t, [4, 4]).stored(antidiagonal););
    let then = quote! {
        let t = Block::external(t, [4, 4]).stored(column_major.then([2, 3, 3], axes([2, 0, 1])));
    };
    vec![
        quote!(#tiled for [y, x] in t.indices() { s += t[[y, x]] + t[[y, x + 1]]; }),
        quote!(#tiled for y in 0..h { for x in 0..w { s += t[[2 * y + r, 3 * x + c]] + t[[y + 1, 2]]; } }),
        quote!(#nested for [y, x] in t.indices() { for d in 0..2 { s += t[[y + d, x - d * r]]; } }),
        quote!(#nested #v for i in 0..h { s += t[[v[[i]] & 3, i]] + t[[2, v[[i]] & 1]]; }),
        quote!(#curve for i in 0..h { for j in 0..w { s += t[[i & 3, (i + j) & 1]] + t[[j & 3, 2]]; } }),
        quote!(#then for i in 0..h { for j in 0..w { s += t[[i & 3, (i + j) & 1]] + t[[j & 3, 2]]; } }),
        quote!(#t for [y, x] in t.indices() { s += t[[y, x]] + t[[y, x + 1]]; }),
        quote!(#t for y in 0..h { for x in 0..w { s += t[[2 * y + r, 3 * x + c]]; } }),
        quote!(#t for y in 0..h { for x in 0..3 { s += t[[y + x, x - y]]; } }),
        quote!(#t for i in 0..h { s += t[[i >> 3, i & 7]]; }),
        quote!(#t for i in 0..h { s += t[[i & 1, i >> 1]] + t[[(i + r) & 3, 1]]; }),
        quote!(#t for i in 0..h { for j in 0..w { s += t[[i & 3, (i + j) & 1]] + t[[j & 3, i]]; } }),
        quote!(#t #v for i in 0..h { s += t[[i + v[[i]], i - v[[0]]]]; }),
        quote!(#t #v for i in 0..h { s += t[[v[[i]] & 3, i]] + t[[2, v[[i]] & 1]]; }),
        quote!(#clamped #v for i in 0..h { s += t[[v[[i]], i]] + t[[i, v[[i]]]]; }),
        quote!(#four #v for i in 0..h { s += t[[v[[i]] & 3, i & 1]] + t[[i & 3, v[[i]] & 3]]; }),
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
fn parts(staged: &Staged) -> HashMap<Ident, (Site, OffsetPart)> {
    let before = staged.program.regions.enumerated().flat_map(|(region, own)| {
        own.statements.iter().filter_map(move |statement| match &statement.kind {
            StatementKind::Let(local) => {
                Some((Site::Before(ProgramPoint { region, statement: statement.number }), local))
            }
            _ => None,
        })
    });
    let inside = staged.program.loops.enumerated();
    let inside = inside.flat_map(|(id, own)| own.parts.iter().map(move |part| (Site::Inside(id), part)));
    before
        .chain(inside)
        .filter_map(|(place, local)| match &local.value {
            Definition::OffsetPart(part) => Some((local.name.clone(), (place, part.clone()))),
            _ => None,
        })
        .collect()
}

/// What a name holds.
fn named(staged: &Staged, parts: &HashMap<Ident, (Site, OffsetPart)>, name: &Ident, values: &Values) -> i64 {
    let (_, part) = &parts[name];
    let outside = part.outside.as_ref().map_or(0, |outside| named(staged, parts, outside, values));
    outside + staged.eval(&part.value, values)
}

/// An offset by its definition.
fn definition(staged: &Staged, candidate: &Candidate, values: &Values) -> Vec<i64> {
    let found = staged.coordinates(candidate, values);
    match &staged.program.buffers[candidate.buffer].addressing {
        Addressing::Rows => found,
        Addressing::Flat(layout) => {
            let layout = layout.map(&|sym| staged.eval(sym, values));
            vec![layout.offset(&found).expect("a small offset")]
        }
    }
}

fn value(staged: &Staged, offset: &Offset, values: &Values) -> Vec<i64> {
    match offset {
        Offset::Flat { named: name, rest, .. } => {
            let parts = parts(staged);
            let outside = name.as_ref().map_or(0, |name| named(staged, &parts, name, values));
            vec![outside + staged.eval(rest, values)]
        }
        Offset::Row(row, column) => vec![staged.eval(row, values), staged.eval(column, values)],
    }
}

/// The offset of an element that is not tested.
fn offset(element: &Element) -> Option<&Offset> {
    match element {
        Element::At(_, offset) => Some(offset),
        _ => None,
    }
}

#[test]
fn offsets_are_the_sums_of_their_parts() {
    let (mut compared, mut interior) = (0, 0);
    for body in bodies() {
        let staged = staged(&kernel(&body));
        for values in staged.assignments(&[-2, 1, 3, 4]) {
            for (_, access, element) in staged.accesses() {
                let entries = staged.entries(access.position.region, &values);
                assert!(matches!(element, Element::At(..) | Element::Tested(_)), "{body}");
                if let Element::At(candidate, offset) = element {
                    for at in &entries {
                        let wanted = definition(&staged, candidate, at);
                        assert_eq!(value(&staged, offset, at), wanted, "{offset:?} at {at:?} in {body}");
                        compared += 1;
                        interior += usize::from(access.interior.is_some());
                    }
                }
            }
        }
    }
    assert!(compared > 10_000 && interior > 1000, "{compared} and {interior} offsets");
}

/// The region that a part is computed in, and the loops of its nest that are around it.
fn scope(staged: &Staged, place: Site) -> (ProgramPoint, Vec<LoopId>) {
    match place {
        Site::Before(position) => (position, Vec::new()),
        Site::Inside(id) => {
            let nest = &staged.program.nests[staged.program.loops[id].nest];
            let parent = staged.program.regions[nest.body].parent.expect("a loop stands somewhere");
            let depth = nest.loops.iter().position(|other| *other == id).expect("a loop of its nest");
            (parent, nest.loops[..=depth].to_vec())
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
            assert!(staged.program.knows([&rest], position), "{part:?} in {body}");
            for symbol in part.value.symbols().iter().filter(|symbol| !around(symbol)) {
                let alone = crate::symbolic::SymInt::symbol(symbol);
                assert!(staged.program.knows([&alone], position), "{part:?} in {body}");
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
fn chain(parts: &HashMap<Ident, (Site, OffsetPart)>, offset: &Offset) -> Vec<Ident> {
    let Offset::Flat { named: name, .. } = offset else { return Vec::new() };
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
                let entries = staged.entries(position.region, &values);
                for at in entries.iter().flat_map(|at| staged.iterations(&loops, at)) {
                    let runs = staged.accesses().any(|(_, access, element)| {
                        let offset = offset(element);
                        offset.is_some_and(|offset| chain(&parts, offset).contains(name))
                            && !staged.entries(access.position.region, &at).is_empty()
                    });
                    assert!(runs, "{part:?} at {at:?} in {body}");
                    fitting += 1;
                }
            }
        }
    }
    assert!(fitting > 100, "{fitting} parts");
}

/// Bodies that convert the same numbers in several places: side by side, under conditions, after what may leave.
fn with_conversions() -> Vec<TokenStream> {
    let t = quote!(let t = Block::external(t, [h, w]););
    vec![
        quote!(#t { let p = t.slice(0, r); s += p[[1]]; } { let p = t.slice(1, r); s += p[[1]]; }),
        quote!(#t stop(); { let p = t.slice(0, r); s += p[[1]]; } s += t[[r, 0]];),
        quote!(#t { stop(); let p = t.slice(0, r); s += p[[1]]; } { let p = t.slice(1, r); s += p[[0]]; }),
        quote!(#t { { let p = t.slice(0, r); stop(); s += p[[1]]; } let p = t.slice(0, c); s += p[[1]]; }),
        quote!(#t if flip { let p = t.slice(0, r); s += p[[1]]; } { let p = t.slice(1, r); s += p[[1]]; }),
        quote!(#t for i in 0..3 { let p = t.slice(0, r); s += p[[i]]; } let p = t.slice(0, r); s += p[[1]];),
        quote!(#t { let q = c * c; { let p = t.slice(0, q); s += p[[1]]; } s += t[[q, 1]]; }),
        quote!(#t s += t[[r, 1]]; { let p = t.slice(0, r); s += p[[1]]; }),
        quote!(#t stop(); let q = c * c; { { let p = t.slice(0, q); s += p[[r]]; } }),
        quote!(#t let p = t.slice(0, r); s += p[[0]]; stop(); let o = t.slice(1, r); s += o[[1]];),
    ]
}

fn epoch(staged: &Staged, position: ProgramPoint) -> Epoch {
    staged.program.regions[position.region].epochs[position.statement]
}

/// Whether what stands at `inner` runs whenever what stands at `outer` does.
fn runs_with(staged: &Staged, outer: ProgramPoint, inner: ProgramPoint) -> bool {
    let mut at = inner;
    while at.region != outer.region {
        let region = &staged.program.regions[at.region];
        match region.parent {
            Some(parent) if region.kind == RegionKind::Plain => at = parent,
            _ => return false,
        }
    }
    at.statement >= outer.statement && epoch(staged, outer) == epoch(staged, inner)
}

/// A number is converted where one of the places that need it would convert it, or further out where that runs as well;
/// whatever needed one has one.
#[test]
fn numbers_are_converted_where_they_were_or_where_that_runs_anyway() {
    let mut shared = 0;
    for body in with_conversions().into_iter().chain(unconditional()) {
        let kernel = kernel(&body);
        let (before, _) = bound(&kernel);
        let staged = staged(&kernel);
        for (id, info) in staged.program.symbols.iter().enumerate() {
            // What was captured is visible behind the statement that captures it.
            let captured: Vec<ProgramPoint> = before.symbols[id]
                .captures
                .iter()
                .map(|(from, _)| ProgramPoint { statement: from.statement.saturating_sub(1), ..*from })
                .collect();
            for place in &captured {
                let serves = |(from, _): &(ProgramPoint, Ident)| staged.program.visible(*from, *place);
                assert!(info.captures.iter().any(serves), "{:?} at {place:?} in {body}", info.symbol);
            }
            let asserted = staged.program.assertions().map(|(position, _)| position);
            let wanted: Vec<ProgramPoint> = captured.iter().copied().chain(asserted).collect();
            for (from, name) in &info.captures {
                let runs = wanted.iter().any(|place| runs_with(&staged, *from, *place));
                assert!(runs, "{name} at {from:?} in {body}");
                assert!(staged.program.visible(info.defined, *from), "{name} at {from:?} in {body}");
                let written = staged.program.regions[from.region].statements.iter().filter(|statement| {
                    statement.number == from.statement
                        && statement.order == Order::Conversion
                        && matches!(&statement.kind, StatementKind::Let(own) if own.name == *name)
                });
                assert_eq!(written.count(), 1, "{name} at {from:?} in {body}");
            }
            shared += usize::from(captured.len() > info.captures.len());
        }
    }
    assert!(shared > 0, "nothing is shared");
}

/// Bodies with loops over extents that are worth a name.
fn with_extents() -> Vec<TokenStream> {
    let t = quote!(let t = Block::external(t, [h, w]););
    let p = quote!(let p = t.coarsen([3, 3]););
    vec![
        quote!(#t #p for [y, x] in p.indices() { s += p[[y, x]]; }),
        quote!(#t #p for [y, x] in p.indices() { s += p[[y, x]]; } for [y, x] in p.indices() { s += p[[y, x]]; }),
        quote!(#t #p for [y, x] in p.indices() { s += p[[y, x + 1]]; } stop(); for [y, x] in p.indices() { s += t[[y, x]]; }),
        quote!(#t #p s += t[[r, 0]]; for [y, x] in p.indices() { s += p[[y, x]] + t[[r, x]]; }),
        quote!(#t #p if flip { for [y, x] in p.indices() { s += p[[y, x]]; } } for [y, x] in p.indices() { s += p[[y, x]]; }),
        quote!(#t for i in 0..3 { let p = t.coarsen([3, 3]); for [y, x] in p.indices() { s += p[[y, x]] + i; } }),
    ]
}

/// An extent with a name is one of a loop, computed where all that it is made of is known, and nothing that may leave
/// the kernel runs between.
#[test]
fn extents_are_named_where_their_loops_run() {
    let mut named = 0;
    for body in with_extents().into_iter().chain(bodies()) {
        let staged = staged(&kernel(&body));
        for extent in &staged.program.extents {
            assert!(staged.program.knows([&extent.value], extent.place), "{extent:?} in {body}");
            assert_eq!(extent.form, extent.value.form());
            let serves = staged.program.loops.iter().any(|own| {
                let place = staged.program.regions[staged.program.nests[own.nest].body]
                    .parent
                    .expect("a loop stands somewhere");
                let same = matches!(&own.kind, LoopKind::Index { extent: own } if *own == extent.value);
                same && runs_with(&staged, extent.place, place)
            });
            assert!(serves, "{extent:?} in {body}");
            // One that is visible already is not named again.
            let again = staged.program.extents.iter().filter(|other| {
                other.value == extent.value && staged.program.visible(other.place, extent.place)
            });
            assert_eq!(again.count(), 1, "{extent:?} in {body}");
            named += 1;
        }
    }
    assert!(named >= 12, "{named} extents");
}

/// An assertion that compares an extent is written with its name, which then stands before it; one that does not, or
/// that stands where the extent is not known yet, has no say in where that is named.
#[test]
fn an_extent_is_named_before_the_assertion_that_compares_it() {
    let place = |body: TokenStream| {
        let body = quote!(let v = Block::external(v, [n]); #body);
        let staged = staged(&kernel(&body));
        let [extent] = &staged.program.extents[..] else { panic!("{:?} in {body}", staged.program.extents) };
        assert!(staged.program.knows([&extent.value], extent.place), "{body}");
        let (first, _) = staged.program.assertions().next().expect("an assertion");
        (extent.place == first, extent.place > first)
    };
    let u = quote!(let u = Block::external(t, [h]); let u = u.coarsen([3]););
    let named_before = quote!(#u s += v[[u.extent(0)]]; s += c; for [i] in u.indices() { s += u[[i]]; });
    assert_eq!(place(named_before), (true, false));
    let no_part = quote!(#u s += v[[r]]; s += c; stop(); for [i] in u.indices() { s += u[[i]]; });
    assert_eq!(place(no_part), (false, true));
    let known_later = quote! {
        s += v[[r]];
        let m = h * h;
        let u = Block::external(t, [m]);
        let u = u.coarsen([3]);
        for [i] in u.indices() {
            s += u[[i]];
        }
    };
    assert_eq!(place(known_later), (false, true));
}

/// A part that one loop may leave without meaning does not get one from a later access that is not asserted yet.
#[test]
fn a_shared_part_fits_only_if_all_that_share_it_say_so() {
    let body = quote! {
        let t = Block::external(t, [h, w]);
        for i in 0..c {
            s += t[[r, i]];
        }
        stop();
        for i in 0..3 {
            s += t[[r, i]];
        }
    };
    let staged = staged(&kernel(&body));
    let parts = parts(&staged);
    assert_eq!(parts.len(), 1, "{parts:?}");
    assert!(parts.values().all(|(_, part)| !part.fits), "{parts:?}");
}

/// Of a coordinate with a remainder the parts cost more than the whole, which is kept; divisions that cancel are none.
#[test]
fn remainders_are_kept_whole() {
    let cost = |body: TokenStream| {
        let staged = staged(&kernel(&body));
        let parts: u32 = parts(&staged).values().map(|(_, part)| part.value.cost()).sum();
        let offsets =
            staged.accesses().filter_map(|(_, _, element)| offset(element)).map(|offset| match offset {
                Offset::Flat { rest, .. } => rest.cost(),
                Offset::Row(row, column) => row.cost() + column.cost(),
            });
        parts + offsets.sum::<u32>()
    };
    let t = quote!(let t = Block::external(t, [h, w]););
    let eight = quote!(let t = Block::external(t, [h, 8]););
    assert_eq!(cost(quote!(#eight for i in 0..n { s += t[[i >> 3, i & 7]]; })), 0, "the offset is i");
    assert_eq!(cost(quote!(#t for i in 0..n { s += t[[i & 7, 0]]; })), 3);
    assert_eq!(cost(quote!(#t for i in 0..n { for j in 0..n { s += t[[i & 7, j & 3]]; } })), 4);
}
