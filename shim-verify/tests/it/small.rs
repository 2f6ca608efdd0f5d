//! Small expansions: those of `SHOWN` are right, and each of `REFUSED` has an access outside of its memory.

use std::process::Command;

use shim_verify::{Expansions, Proofs};

use crate::stored;

/// A kernel of this body, over `a: &[u8]` of `h` by `w` in `a_mem`.
fn kernel(body: &str) -> String {
    format!(
        "fn kernel(a: &[u8], h: usize, w: usize, at: usize) {{
            let shim = unsafe {{ ::shim::__private::Runtime::new([]) }};
            let h_i = shim.from_usize(h);
            let w_i = shim.from_usize(w);
            let a_mem: &[_] = &a[..];
            shim.assert_fits(\"kernel\", \"a\", [h_i, w_i], a_mem.len());
            {}
        }}",
        body.replace("ASSERT", "shim.assert_within(\"kernel\", \"a\", (..=y, ..), [h_i, w_i]);")
            .replace("ROW", "for x in 0isize..w_i { unsafe { *shim.load(a_mem, y * w_i + x) }; }")
            .replace('Y', "let y = shim.from_usize(at);")
            .replace(
                "LIST",
                "let mut list_mem = shim.stack::<u8, 8>(); let mut list_end: ::core::primitive::usize = 0;"
            )
            .replace("TASKS", "let a_shared = shim.shared(a_mem); shim.parallel(0isize..h_i, |y: isize| ")
            .replace("STORE", "*unsafe { shim.load_shared_mut(a_shared, element) } = 0;")
            .replace("PUSH", "*unsafe { shim.load_mut(&mut list_mem, shim.from_usize(list_end)) } = 0;")
    )
}

const SHOWN: [&str; 10] = [
    "for y in 0isize..h_i { ROW }",
    "Y ASSERT ROW",
    "Y if at > 3 { ASSERT ROW }",
    "Y if at > 3 { ASSERT } if at > 4 { ROW }",
    "LIST for i in 0..8 { PUSH list_end += 1; }",
    "LIST for i in 0..8 { PUSH list_end += (h > 3) as usize; }",
    "LIST for i in 0..4 { for j in 0..2 { PUSH list_end += 1; } }",
    "Y shim.assert_i32_index(\"kernel\", \"s\", y..=y); let z = shim.i32(y) as i64; if 0 <= z && z < h_i { ROW }",
    // Each task has a row of its own, or its first element.
    "TASKS { for x in 0isize..w_i { let element = y * w_i + x; STORE } });",
    "TASKS { let element = y * w_i; if w_i > 0 { unsafe { *shim.load_shared(a_shared, element) }; STORE } });",
];

const REFUSED: [&str; 25] = [
    // Loops that are too long, on each side of each axis.
    "for y in 0isize..h_i + 1 { ROW }",
    "for y in -1isize..h_i { ROW }",
    "for y in 0isize..=h_i { ROW }",
    "for y in 0isize..h_i { for x in 0isize..=w_i { unsafe { *shim.load(a_mem, y * w_i + x) }; } }",
    "for y in 0isize..h_i { for x in -1isize..w_i { unsafe { *shim.load(a_mem, y * w_i + x) }; } }",
    "for y in 0isize..h_i { for x in 0isize..w_i { unsafe { *shim.load(a_mem, x * w_i + y) }; } }",
    // An assertion holds behind it, where it runs.
    "Y ROW",
    "Y ROW ASSERT",
    "Y if at > 3 { ASSERT } ROW",
    "Y if at > 4 { ASSERT } if at > 3 { ROW }",
    // A variable that changes is another number.
    "let mut y = shim.from_usize(at); ASSERT y += 1; ROW",
    "let mut y = shim.from_usize(at); ASSERT let mut next = || y += 1; next(); ROW",
    "let mut y = shim.from_usize(at); ASSERT let next = &mut y; *next += 1; ROW",
    "let mut y = shim.from_usize(at); ASSERT change!(y); ROW",
    "let mut y = shim.from_usize(at); ASSERT for i in 0..2 { ROW y += 1; }",
    // Lists that loops fill beyond their end.
    "LIST for i in 0..9 { PUSH list_end += 1; }",
    "LIST for i in 0..8 { PUSH list_end += 2; }",
    // Two faults that the compiler had: a coordinate beyond `i32`, and a loop that was joined to an empty one.
    "Y let z = shim.i32(y) as i64; if 0 <= z && z < h_i { ROW }",
    "if w_i > 0 { for y in shim.least(w_i, h_i + 1)..shim.greatest(w_i, h_i - 1) + 1 { if y - w_i >= 0 { unsafe { *shim.load(a_mem, y * w_i) }; } } }",
    // Tasks that write what others write or read.
    "TASKS { for x in 0isize..w_i { let element = x; STORE } });",
    "TASKS { for x in 0isize..w_i { let element = y / 2 * w_i + x; STORE } });",
    "TASKS { let element = y * w_i; if w_i > 0 { STORE unsafe { *shim.load_shared(a_shared, 0) }; } });",
    "TASKS { let element = y; if w_i > 0 { if y > 2 { let element = y - 1; STORE } else { STORE } } });",
    // Memory and offsets that are not understood.
    "let b_mem: &[_] = &b[..]; unsafe { *shim.load(b_mem, 0) };",
    "unsafe { *shim.load(a_mem, f()) };",
];

#[test]
fn small_kernels_are_shown() {
    let mut expansions = Expansions::default();
    for body in SHOWN {
        expansions.add(body, &kernel(body)).expect("it is Rust");
    }
    let report = stored::check("small", &expansions);
    assert!(report.open.is_empty() && report.goals > SHOWN.len(), "{:?}", report.open);
}

/// Without solvers here, nothing that is not stored is shown, so only that is seen.
#[test]
fn accesses_outside_are_refused() {
    let runs = |name: &str| Command::new(name).arg("--version").output().is_ok();
    let has_solvers = runs("z3") && runs("cvc5");
    for body in REFUSED {
        let mut expansions = Expansions::default();
        expansions.add(body, &kernel(body)).expect("it is Rust");
        let report = if has_solvers {
            expansions.prove(&mut Proofs::default(), |_, _| Ok(())).expect("they run")
        } else {
            expansions.check(&Proofs::default())
        };
        assert!(!report.open.is_empty(), "{body}");
    }
}
