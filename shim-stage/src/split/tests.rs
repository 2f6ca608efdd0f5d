//! Split nests.

use std::collections::BTreeMap;

use proc_macro2::TokenStream;
use quote::quote;

use crate::check::tests::execute::{Staged, checked, staged};
use crate::check::tests::kernels::{blocks, bounded, kernel, tested};
use crate::ir::{ProgramPoint, RegionId};
use crate::print::program;

/// Bodies with loops that are split, with accesses in macros, operands, values and bodies of other loops.
fn bodies() -> Vec<TokenStream> {
    let v = quote!(let v = Block::external(v, [n]).boundary(Clamp););
    let t = quote!(let t = Block::external(t, [h, w]).boundary(Clamp););
    let own = vec![
        quote!(#v for i in 0..n { assert!(v[[i - 1]] < 9, "{}", v[[i + 1]]); }),
        quote!(#v #t for i in 0..n { s += t[[v[[i - 1]], v[[i]]]] + v[[i + 1]]; }),
        quote!(#v for i in 0..n { if v[[i - 1]] < 3 { s += v[[i + 1]]; } else { s -= v[[i]]; } }),
        quote!(#t for y in 0..h { for x in 0..w { s += t[[y - 1, x]] + t[[y, x - 1]]; } }),
        quote!(#t for [y, x] in t.indices() { s += t[[y, x - 1]] + t[[y, x + 1]]; }),
        quote!(#v #t for [y, x] in t.indices() { for k in 0..3 { s += t[[y - k, x + k]] * v[[x + k]]; } }),
        quote!(#t for [y, x] in t.indices() { let a = [t[[y, x + 1]], { let b = t[[y, x - 1]]; b }]; s += a[0]; }),
    ];
    [own, tested(), bounded(), blocks()].concat()
}

/// How often the statements of a program mention each access.
fn mentions(staged: &Staged) -> BTreeMap<usize, usize> {
    let text = program(&staged.program);
    let number = |word: &str| word.strip_prefix('a')?.parse::<usize>().ok();
    let mut found = BTreeMap::new();
    for line in text.lines() {
        // The list of accesses, behind the statements.
        if line.trim_start().split(':').next().is_some_and(|word| number(word).is_some())
            && line.starts_with("    a")
        {
            continue;
        }
        for access in line.split(|c: char| !c.is_alphanumeric() && c != '_').filter_map(number) {
            *found.entry(access).or_insert(0) += 1;
        }
    }
    found
}

/// Whatever is copied is copied whole: each access belongs to one place in the statements.
#[test]
fn each_access_stands_in_one_statement() {
    let mut copies = 0;
    for body in bodies() {
        let (before, after) = (checked(&kernel(&body)), staged(&kernel(&body)));
        let mentions = mentions(&after);
        let all: Vec<usize> = (0..after.program.accesses.len()).collect();
        assert_eq!(mentions.keys().copied().collect::<Vec<_>>(), all, "{body}");
        assert!(mentions.values().all(|count| *count == 1), "{mentions:?} in {body}");
        copies += after.program.accesses.len() - before.program.accesses.len();
    }
    assert!(copies > 40, "{copies} copies");
}

/// A loop is split where the check wanted it, and its interior has the same loops.
#[test]
fn the_loops_that_were_asked_for_are_split() {
    let mut split = 0;
    for body in bodies() {
        let (before, after) = (checked(&kernel(&body)), staged(&kernel(&body)));
        for (id, _) in before.interiors() {
            let edges = &after.program.nests[after.program.loops[id].nest];
            assert_eq!(edges.loops[0], id, "{body}");
            let interior = &after.program.nests[edges.split.as_ref().expect("it is split").interior];
            let names = |loops: &[crate::ir::LoopId]| {
                loops.iter().map(|id| after.program.loops[*id].name.to_string()).collect::<Vec<_>>()
            };
            assert_eq!(names(&interior.loops), names(&edges.loops), "{body}");
            assert!(interior.loops.iter().all(|own| !edges.loops.contains(own)), "{body}");
            // Nothing of the body is left out.
            let within = |body: RegionId| {
                let accesses = after.program.accesses.iter();
                accesses.filter(|access| around(&after, access.position).contains(&body)).count()
            };
            assert_eq!(within(interior.body), within(edges.body), "{body}");
            split += 1;
        }
    }
    assert!(split > 20, "{split} loops");
}

/// The regions around a position, from the inside.
fn around(staged: &Staged, position: ProgramPoint) -> Vec<RegionId> {
    staged.program.ancestors(position.region).collect()
}

/// An access that is proven in an interior alone stands in it, and no other access does that does not belong there.
#[test]
fn accesses_of_an_interior_stand_in_it() {
    let mut interior = 0;
    for body in bodies() {
        let (before, after) = (checked(&kernel(&body)), staged(&kernel(&body)));
        for access in &after.program.accesses {
            let Some(for_loop) = access.interior else { continue };
            let around = around(&after, access.position);
            assert!(around.contains(&after.program.body_of(for_loop)), "{access:?} in {body}");
            interior += 1;
        }
        // What was there before is not in an interior, and each copy is in one.
        let first_copies: Vec<RegionId> = after
            .program
            .nests
            .iter()
            .filter_map(|nest| Some(after.program.nests[nest.split.as_ref()?.interior].body))
            .collect();
        for (id, access) in after.program.accesses.enumerated() {
            let is_copy = crate::ir::Id::index(id) >= before.program.accesses.len();
            let inside = around(&after, access.position).iter().any(|region| first_copies.contains(region));
            assert_eq!(inside, is_copy, "{id:?} in {body}");
        }
    }
    assert!(interior > 20, "{interior} accesses");
}
