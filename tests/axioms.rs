//! What `shim-verify` takes for granted of the runtime, for all small integers and for those near the ends of their
//! types. `AXIOMS` has a row for each function that `shim-verify/src/runtime.rs` knows by name.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};

use shim::__private::Runtime;

/// Functions, their axiom, and the test of it.
type Axiom = (&'static [&'static str], &'static str, fn());

const AXIOMS: &[Axiom] = &[
    (&["index", "from_"], "the number itself, which fits `isize`", conversions),
    (
        &["add", "sub", "mul", "neg", "div", "rem", "shl", "shr"],
        "the result in the integers, which fits `isize`",
        arithmetic,
    ),
    (&["isize", "i32", "usize", "item_at"], "the number, modulo the size of the type", items),
    (
        &["least", "greatest", "clamped_to", "shorter"],
        "one of the arguments: the least, the greatest, or that between both",
        extremes,
    ),
    (&["clamped", "mirrored", "reflected", "wrapped"], "inside of an extent that is not empty", folds),
    (&["clamp", "mirror", "reflect", "wrap", "ruled"], "inside of the extent, if it returns", rules),
    (&["assert_foldable"], "no extent is empty, if it returns", foldable),
    (&["inside"], "each coordinate is at least zero and below its extent", inside),
    (&["inside_of"], "the coordinates, all of them inside, if it returns", inside_of),
    (
        &["assert_within", "ahead"],
        "the least are at least zero and the greatest below the extents, if it returns",
        within,
    ),
    (
        &["assert_i32_extent", "i32_index", "assert_i32_index"],
        "the numbers fit `i32`, if it returns",
        fits_i32,
    ),
    (
        &["expect_extent", "extent"],
        "both are the same, if it returns; a number whose sums and products are those of the integers, or a panic",
        extents,
    ),
    (
        &["assert_fits", "assert_field_fits", "product"],
        "extents whose product is at most the length, if it returns; their product",
        fits,
    ),
    (
        &["assert_strided_fits", "strided_len"],
        "each element is below the length, if it returns; such a length",
        strided,
    ),
    (
        &["assert_stored_fits", "stored_len", "assert_shape_fits"],
        "no number is negative, and the count is at most the length, if it returns",
        stored,
    ),
    (&["assert_rows_fit"], "so many rows of so many elements at least, if it returns", rows),
    (
        &["table", "entry", "table_entry"],
        "entries that are not negative, if it returns; the entry at an index inside",
        tables,
    ),
    (
        &["starts", "indices_below"],
        "starts from zero on that never fall; indices below the extent",
        checked_tables,
    ),
    (&["list_of"], "the count, which is at most the capacity, if it returns", lists),
    (
        &["split_range", "halves", "cut_range"],
        "parts of the range in its order, the interior behind the starts and before the ends",
        divided,
    ),
    (
        &["rev", "step_by"],
        "items of the range; with a step, those at multiples of it from the first one on",
        stepped,
    ),
    (
        &["stack", "stack_of", "stack_like", "unset", "unset_of", "heap", "heap_of", "heap_like", "grown"],
        "memory of so many elements",
        memory,
    ),
    (&["sequence", "inclusive", "copied", "known"], "the argument itself", passed),
];

/// Functions whose axiom is that of the Rust that they stand for: one unchecked access, or the call of a closure.
const BY_DEFINITION: &[&str] = &[
    "load",
    "load_mut",
    "load_shared",
    "load_shared_mut",
    "load_shared_unset",
    "load_in_row",
    "load_in_row_mut",
    // Each value is compared with that of a loop, in memory that ends with the last line, in `src/private`.
    "sad",
    "byte_sum",
    "transpose",
    "copy_lines",
    "columns",
    // They give their argument another type.
    "elements_of",
    "known_elements",
    // The caller of a kernel that takes pointers answers for them.
    "slice",
    "slice_mut",
    "shared",
    "parallel",
    "wavefront",
    "reading",
    // They never return.
    "outside",
    "excluded",
    "no_version",
    // The fields of `shim_core::Tensor` and of located structs, which their constructors have checked.
    "parts",
    "parts_mut",
    "place",
    "origin",
    "fields",
    "shared_fields",
    // Methods of std that are called on numbers, tables and memory.
    "len",
    "min",
    "max",
    "clone",
    "div_ceil",
    "saturating_sub",
    "wrapping_add",
    "wrapping_sub",
    "wrapping_mul",
    "wrapping_neg",
];

#[test]
fn axioms_hold_for_small_integers() {
    // Many panics are expected, and a trace of each takes its time.
    std::panic::set_hook(Box::new(|_| {}));
    let failed: Vec<_> = AXIOMS
        .iter()
        .filter_map(|(names, axiom, test)| {
            let error = catch_unwind(test).err()?;
            let text = error.downcast_ref::<String>().cloned();
            Some(format!("{names:?}: {axiom}: {}", text.unwrap_or_default()))
        })
        .collect();
    let _ = std::panic::take_hook();
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

/// The strings in patterns of a file.
struct Known(BTreeSet<String>);
impl<'ast> syn::visit::Visit<'ast> for Known {
    fn visit_pat(&mut self, pattern: &'ast syn::Pat) {
        if let syn::Pat::Lit(syn::ExprLit { lit: syn::Lit::Str(name), .. }) = pattern {
            self.0.insert(name.value());
        }
        syn::visit::visit_pat(self, pattern);
    }
}

#[test]
fn each_function_that_the_verifier_knows_has_an_axiom() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/shim-verify/src/runtime.rs");
    let text = std::fs::read_to_string(file).expect("the verifier's source");
    let mut known = Known(BTreeSet::new());
    syn::visit::Visit::visit_file(&mut known, &syn::parse_file(&text).expect("Rust"));
    let listed: BTreeSet<_> = AXIOMS
        .iter()
        .flat_map(|(names, ..)| *names)
        .chain(BY_DEFINITION)
        .map(|name| (*name).to_owned())
        .collect();
    let missing: Vec<_> = known.0.difference(&listed).collect();
    assert!(known.0.len() > 50 && missing.is_empty(), "without a row in the table: {missing:?}");
}

#[expect(unsafe_code, reason = "it is what expansions begin with")]
fn runtime() -> Runtime {
    // SAFETY: no memory is accessed by it but by functions that are unsafe themselves.
    unsafe { Runtime::new([]) }
}

/// The result of a call, unless it panics.
fn result<R>(call: impl FnOnce() -> R) -> Option<R> {
    catch_unwind(AssertUnwindSafe(call)).ok()
}

/// Small numbers, and those near the ends of `isize`.
fn numbers() -> impl Iterator<Item = isize> + Clone {
    let near = |end: isize| (-2..=2).map(move |by: isize| end.saturating_add(by));
    (-9..=9).chain(near(isize::MIN)).chain(near(isize::MAX)).chain(near(1 << 31)).chain(near(-(1 << 31)))
}

fn pairs() -> impl Iterator<Item = (isize, isize)> {
    numbers().flat_map(|a| numbers().map(move |b| (a, b)))
}

/// Coordinates and extents of two axes.
fn blocks() -> impl Iterator<Item = ([isize; 2], [isize; 2])> {
    let small = |range: std::ops::RangeInclusive<isize>| {
        range.clone().flat_map(move |a| range.clone().map(move |b| [a, b]))
    };
    small(-2..=4).flat_map(move |at| small(-1..=3).map(move |extents| (at, extents)))
}

fn is_inside(at: &[isize], extents: &[isize]) -> bool {
    at.iter().zip(extents).all(|(at, extent)| (0..*extent).contains(at))
}

fn conversions() {
    let shim = runtime();
    for value in numbers() {
        assert_eq!(shim.index(value), value);
        assert_eq!(shim.from_isize(value), value);
        assert_eq!(result(|| shim.from_usize(value as usize)), (value >= 0).then_some(value));
        assert_eq!(result(|| shim.from_u64(value as u64)), (value >= 0).then_some(value));
        let wide = value as i128 * 2;
        assert_eq!(result(|| shim.from_i128(wide)), isize::try_from(wide).ok());
        assert_eq!(result(|| shim.from_u128(wide as u128)), isize::try_from(wide as u128).ok());
        assert_eq!(shim.from_i32(value as i32), value as i32 as isize);
        assert_eq!(shim.from_u32(value as u32), value as u32 as isize);
        assert_eq!(shim.from_i64(value as i64), value);
    }
    for value in 0..=u16::MAX {
        assert_eq!(shim.from_u16(value), value as isize);
        assert_eq!(shim.from_i16(value as i16), value as i16 as isize);
        assert_eq!(shim.from_u8(value as u8), value as u8 as isize);
        assert_eq!(shim.from_i8(value as i8), value as i8 as isize);
    }
}

fn arithmetic() {
    let shim = runtime();
    let exact = |value: Option<i128>| value.and_then(|value| isize::try_from(value).ok());
    for (a, b) in pairs() {
        let (wide_a, wide_b) = (a as i128, b as i128);
        assert_eq!(result(|| shim.add(a, b)), exact(Some(wide_a + wide_b)));
        assert_eq!(result(|| shim.sub(a, b)), exact(Some(wide_a - wide_b)));
        assert_eq!(result(|| shim.mul(a, b)), exact(Some(wide_a * wide_b)));
        assert_eq!(result(|| shim.neg(a)), exact(Some(-wide_a)));
        assert_eq!(result(|| shim.div(a, b)), exact(wide_a.checked_div(wide_b)));
        assert_eq!(
            result(|| shim.rem(a, b)),
            exact(wide_a.checked_rem(wide_b)).filter(|_| exact(wide_a.checked_div(wide_b)).is_some())
        );
        let bits = u32::try_from(b).ok().filter(|bits| *bits < isize::BITS);
        assert_eq!(result(|| shim.shl(a, b)), exact(bits.map(|bits| wide_a << bits)));
        assert_eq!(result(|| shim.shr(a, b)), bits.map(|bits| a >> bits));
    }
}

fn items() {
    let shim = runtime();
    for value in numbers() {
        assert_eq!(shim.isize(value), value);
        assert_eq!(shim.isize(value as usize), value);
        assert_eq!(shim.usize(value), value as usize);
        assert_eq!(shim.i32(value), value as i32);
        assert_eq!(shim.item_at(value, 0..1_u16), value as u16);
        assert_eq!(shim.item_at(value, 0..1_i8), value as i8);
        assert_eq!(shim.item_at(value, 0..1_usize), value as usize);
    }
}

fn extremes() {
    let shim = runtime();
    for (a, b) in pairs() {
        assert_eq!(shim.least(a, b), a.min(b));
        assert_eq!(shim.greatest(a, b), a.max(b));
        for last in [-3, 0, 5, isize::MAX] {
            assert_eq!(shim.clamped_to(a, b, last), a.min(last).max(b));
        }
        assert_eq!(shim.shorter(a as usize, b as usize), (a as usize).min(b as usize));
    }
}

fn folds() {
    let shim = runtime();
    for (at, extent) in pairs().filter(|(_, extent)| *extent > 0) {
        let folded = [
            shim.clamped(at, extent),
            shim.mirrored(at, extent),
            shim.reflected(at, extent),
            shim.wrapped(at, extent),
        ];
        assert!(folded.iter().all(|folded| (0..extent).contains(folded)), "{at} in {extent}: {folded:?}");
    }
}

fn rules() {
    let shim = runtime();
    for (at, extent) in pairs() {
        let folded = [
            result(|| shim.clamp("k", "t", at, extent)),
            result(|| shim.mirror("k", "t", at, extent)),
            result(|| shim.reflect("k", "t", at, extent)),
            result(|| shim.wrap("k", "t", at, extent)),
            result(|| shim.ruled("k", "t", &|at, _| at, at, extent)),
            result(|| shim.ruled("k", "t", &|at: isize, extent: isize| at.wrapping_sub(extent), at, extent)),
        ];
        assert!(
            folded.iter().flatten().all(|folded| (0..extent).contains(folded)),
            "{at} in {extent}: {folded:?}"
        );
    }
}

fn foldable() {
    let shim = runtime();
    for (_, extents) in blocks() {
        let filled = extents.iter().all(|extent| *extent > 0);
        assert_eq!(result(|| shim.assert_foldable("k", "t", [0], extents)).is_some(), filled, "{extents:?}");
    }
}

fn inside() {
    let shim = runtime();
    for (at, extents) in blocks() {
        assert_eq!(shim.inside(at, extents), is_inside(&at, &extents));
    }
    for (at, extent) in pairs() {
        assert_eq!(shim.inside([at], [extent]), is_inside(&[at], &[extent]));
    }
}

fn inside_of() {
    let shim = runtime();
    for (at, extents) in blocks() {
        let found = result(|| shim.inside_of("k", "t", at, extents));
        assert_eq!(found, is_inside(&at, &extents).then_some(at));
    }
}

fn within() {
    let shim = runtime();
    for (a, b) in pairs() {
        for extent in [-1, 0, 1, 5, isize::MAX] {
            let holds = |call: &dyn Fn()| result(call).is_some();
            assert_eq!(holds(&|| shim.assert_within("k", "t", (a..=b,), [extent])), a >= 0 && b < extent);
            assert_eq!(holds(&|| shim.assert_within("k", "t", (..=b,), [extent])), b < extent);
            assert_eq!(holds(&|| shim.assert_within("k", "t", (a..,), [extent])), a >= 0);
            assert!(holds(&|| shim.assert_within("k", "t", (..,), [extent])));
            if b > 0 {
                let ends = a as i128 + (b as i128) < extent as i128;
                // It may panic where the sum leaves `isize`, and never returns where the sum is outside.
                let returns = holds(&|| shim.assert_within("k", "t", (shim.ahead(a, b),), [extent]));
                assert!(!returns || ends, "{a} + {b} in {extent}");
            }
        }
    }
    for (at, extents) in blocks() {
        let holds =
            result(|| shim.assert_within("k", "t", (at[0]..=at[0], at[1]..=at[1]), extents)).is_some();
        assert_eq!(holds, is_inside(&at, &extents));
    }
}

fn fits_i32() {
    let shim = runtime();
    for (a, b) in pairs() {
        let fits = |value: isize| i32::try_from(value).is_ok();
        assert_eq!(result(|| shim.assert_i32_extent("k", a)).is_some(), a <= i32::MAX as isize);
        assert_eq!(result(|| shim.i32_index("k", "s", a)), i32::try_from(a).ok());
        assert_eq!(result(|| shim.assert_i32_index("k", "s", a..=b)).is_some(), fits(a) && fits(b));
    }
}

fn extents() {
    let shim = runtime();
    for (a, b) in pairs() {
        assert_eq!(result(|| shim.expect_extent("k", "t", a, b)).is_some(), a == b);
        let (a, b) = (a as usize, b as usize);
        let (first, second) = (|| shim.extent(a), || shim.extent(b));
        assert_eq!(result(|| shim.size_of_field([first() + second()])), a.checked_add(b));
        assert_eq!(result(|| shim.size_of_field([first() - second()])), a.checked_sub(b));
        assert_eq!(result(|| shim.size_of_field([first() * second()])), a.checked_mul(b));
        assert_eq!(result(|| shim.size_of_field([first() / second()])), a.checked_div(b));
    }
}

fn fits() {
    let shim = runtime();
    for (a, b) in pairs() {
        let count = (a as i128).checked_mul(b as i128).filter(|_| a >= 0 && b >= 0);
        let product = result(|| shim.product("k", "t", [a, b]));
        assert!(product.is_none_or(|product| count == Some(product as i128)), "{a} x {b}");
        for length in [0, 1, 6, 81, isize::MAX as usize] {
            let returns = result(|| shim.assert_fits("k", "t", [a, b], length)).is_some();
            assert!(!returns || count.is_some_and(|count| count <= length as i128), "{a} x {b} in {length}");
            let extents = [a, b].map(|extent| shim.extent(extent as usize));
            let field = result(|| shim.assert_field_fits("S", "f", extents, length)).is_some();
            assert_eq!(field, returns, "{a} x {b} in {length}");
        }
    }
}

fn strided() {
    let shim = runtime();
    for (strides, extents) in blocks() {
        let offset = |at: [isize; 2]| at[0] * strides[0] + at[1] * strides[1];
        let elements = (0..extents[0]).flat_map(|y| (0..extents[1]).map(move |x| [y, x]));
        let are_below = |length: usize| elements.clone().all(|at| (0..length as isize).contains(&offset(at)));
        let is_block = extents.iter().all(|extent| *extent >= 0);
        for length in 0..12 {
            let returns = result(|| shim.assert_strided_fits("k", "t", extents, strides, length)).is_some();
            assert!(!returns || is_block && are_below(length), "{extents:?} {strides:?} {length}");
        }
        let length = result(|| shim.strided_len("k", "t", extents, strides));
        assert!(length.is_none_or(|length| is_block && are_below(length)), "{extents:?} {strides:?}");
    }
    for (a, b) in pairs() {
        // The only element but the first is at `b`.
        let returns = result(|| shim.assert_strided_fits("k", "t", [2, 1], [b, a], 4)).is_some();
        assert!(!returns || (0..4).contains(&b), "{a} {b}");
    }
}

fn stored() {
    let shim = runtime();
    for (_, extents) in blocks() {
        let is_block = extents.iter().all(|extent| *extent >= 0);
        for number in numbers() {
            let returns = result(|| shim.assert_stored_fits("k", "t", extents, number, 5)).is_some();
            assert!(!returns || is_block && (0..=5).contains(&number));
            let returns = result(|| shim.assert_shape_fits("k", "t", extents, number)).is_some();
            assert!(!returns || is_block && number >= 0);
            let length = result(|| shim.stored_len("k", "t", extents, number));
            assert!(length.is_none_or(|length| is_block && length == number as usize));
        }
    }
}

fn rows() {
    let shim = runtime();
    for (_, extents) in blocks() {
        for lengths in [vec![], vec![2], vec![1, 3], vec![3, 1], vec![2, 2, 2], vec![3, 3, 0]] {
            let call = || shim.assert_rows_fit("k", "t", extents, lengths.len(), |row| lengths[row]);
            let are_there = (0..extents[0])
                .all(|row| lengths.get(row as usize).is_some_and(|length| *length as isize >= extents[1]));
            assert!(
                result(call).is_none() || extents[0] >= 0 && extents[1] >= 0 && are_there,
                "{extents:?} {lengths:?}"
            );
        }
    }
}

fn tables() {
    let shim = runtime();
    for (entries, _) in blocks() {
        let found = result(|| shim.table("k", entries));
        assert_eq!(found, entries.iter().all(|entry| *entry >= 0).then_some(entries));
        for at in 0..2 {
            assert_eq!(shim.entry(&entries, at), entries[at as usize]);
            assert_eq!(shim.table_entry(&entries, at), entries[at as usize]);
        }
    }
}

fn checked_tables() {
    let shim = runtime();
    let small = -1..=3_isize;
    for a in small.clone() {
        for b in small.clone() {
            for c in small.clone() {
                let all = [a, b, c];
                for number in -1..=4 {
                    let starts = result(|| shim.starts("k", &all, number).to_vec());
                    let is_sound = |starts: Vec<isize>| {
                        starts.len() as isize == number + 1
                            && starts.first().is_none_or(|first| *first == 0)
                            && starts.is_sorted()
                            && starts.iter().all(|start| *start >= 0)
                    };
                    assert!(starts.is_none_or(is_sound), "{all:?} {number}");
                    let indices = result(|| shim.indices_below("k", &all, number).to_vec());
                    assert!(
                        indices.is_none_or(
                            |found| found == all && found.iter().all(|at| (0..number).contains(at))
                        )
                    );
                }
            }
        }
    }
}

fn lists() {
    let shim = runtime();
    for (a, b) in pairs() {
        let (count, capacity) = (a as usize, b as usize);
        assert_eq!(result(|| shim.list_of("k", "l", count, capacity)), (count <= capacity).then_some(count));
    }
}

fn divided() {
    let shim = runtime();
    let small = -3..=4_isize;
    for start in small.clone() {
        for end in small.clone() {
            let range = start..end;
            let all: Vec<isize> = range.clone().collect();
            for from in small.clone() {
                for to in small.clone() {
                    for exists in [false, true] {
                        let parts = shim.split_range(range.clone(), [from], [to], exists);
                        let parts = parts.map(|(part, is_inside)| (part.collect::<Vec<_>>(), is_inside));
                        assert_eq!(parts.iter().flat_map(|(part, _)| part.clone()).collect::<Vec<_>>(), all);
                        for (part, is_inside) in &parts {
                            assert!(!is_inside || part.iter().all(|at| exists && *at >= from && *at < to));
                        }
                    }
                }
                let halves = shim.halves(range.clone(), from).map(Iterator::collect::<Vec<_>>);
                assert_eq!(halves.concat(), all);
                assert!(halves[0].iter().all(|at| *at < from) && halves[1].iter().all(|at| *at >= from));
                let cut = shim.cut_range(range.clone(), from).map(Iterator::collect::<Vec<_>>);
                assert_eq!(cut.concat(), all);
                assert!(cut[1].iter().all(|at| *at == from) && cut[2].iter().all(|at| *at > from));
            }
        }
    }
}

fn stepped() {
    let shim = runtime();
    for end in 0..9_usize {
        assert!(shim.rev(2..end).eq((2..end).rev()));
        for step in 1..4 {
            let items = shim.step_by(2..end, step);
            assert!(items.enumerate().all(|(number, item)| item == 2 + number * step && item < end));
        }
    }
}

fn memory() {
    let shim = runtime();
    assert_eq!(shim.stack::<u16, 7>().len(), 7);
    assert_eq!(shim.stack_of::<u16, 7>(1).len(), 7);
    assert_eq!(shim.stack_like::<u16, 7>(|_, _| 0).len(), 7);
    // With what its alignment adds.
    assert!(size_of_val(&shim.unset::<u16, 7>()) >= 14);
    assert!(size_of_val(&shim.unset_of::<u16, 7>(1)) >= 14);
    for count in 0..5 {
        assert_eq!(shim.heap::<u16>(count).len(), count);
        assert_eq!(shim.heap_of(1_u16, count).len(), count);
        assert_eq!(shim.heap_like(|_, _| 1_u16, count).len(), count);
        for before in 0..5 {
            let mut grown = vec![1_u16; before];
            assert_eq!(shim.grown(&mut grown, count).len(), count);
        }
    }
}

fn passed() {
    let shim = runtime();
    assert_eq!(shim.known(7), 7);
    assert_eq!(shim.copied(7), 7);
    assert_eq!(shim.sequence(&[1, 2]), &[1, 2]);
    for (first, last) in [(0, 3), (3, 0), (2, 2)] {
        assert!(shim.inclusive(first..=last).eq(first..=last));
    }
}
