//! Whatever the compiler is given, it answers: no panic, no hang, and items for a function.
//!
//! The same generators as in the fuzz target `stage`, over fixed seeds. `SHIM_INPUTS=n` runs n inputs of each kind,
//! from seed `SHIM_INPUTS_FROM`.

use std::time::Duration;

use crate::common::clock::ThreadTime;
use crate::common::survive::{self, Outcome};
use crate::common::{generate, mutate};
use arbitrary::Unstructured;
use proc_macro2::TokenStream;

/// The bytes of a seed.
fn bytes(seed: u64) -> Vec<u8> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    // Discard what still looks like the seed.
    for _ in 0..8 {
        next();
    }
    (0..192).flat_map(|_| next().to_le_bytes()).collect()
}

fn run(
    inputs: u64,
    make: fn(&mut Unstructured<'_>) -> arbitrary::Result<String>,
    survive: fn(&str) -> Outcome,
) -> [usize; 3] {
    let inputs = std::env::var("SHIM_INPUTS").ok().and_then(|own| own.parse().ok()).unwrap_or(inputs);
    let from = std::env::var("SHIM_INPUTS_FROM").ok().and_then(|own| own.parse().ok()).unwrap_or(0);
    let (mut outcomes, mut failures) = ([0; 3], Vec::new());
    for seed in from..from + inputs {
        let Ok(source) = make(&mut Unstructured::new(&bytes(seed))) else { continue };
        let outcome = std::panic::catch_unwind(|| survive(&source));
        match outcome {
            Ok(outcome) => outcomes[outcome as usize] += 1,
            Err(_) => failures.push(format!("seed {seed}:\n{source}")),
        }
    }
    println!("{outcomes:?} were no tokens, refused, staged");
    assert!(failures.is_empty(), "{} of them:\n{}", failures.len(), failures.join("\n\n"));
    outcomes
}

#[test]
fn kernels_over_the_whole_language() {
    let outcomes = run(800, generate::file, survive::file);
    assert!(outcomes[Outcome::Staged as usize] > 0);
}

/// The grammar makes each of these forms, also in files that the compiler stages to their end.
#[test]
fn every_form_is_made_and_staged() {
    let forms: [(&str, &str); 15] = [
        ("a version", "#[specialize("),
        ("a template as an argument", "impl Template"),
        ("a call that passes a template", "(u0"),
        ("a returned tensor", "-> impl Tensor<"),
        ("a returned tensor and value", "-> (impl Tensor<"),
        ("a staged constant", "#[staged] use crate::"),
        ("the value of a staged constant", "SCAN[1][0]"),
        ("a located struct", "#[located]"),
        ("a field of a located struct", "pic.base"),
        ("a place", ": Place<"),
        ("a predicate", ".within("),
        ("an element or none", ".get("),
        ("a choice by `if`", " = if "),
        ("a choice by `match`", " = match m "),
        ("a placed parameter", "#[coarsened("),
    ];
    let mut staged = [0; 15];
    let mut made = [0; 15];
    for seed in 0..600 {
        let Ok(source) = generate::file(&mut Unstructured::new(&bytes(seed))) else { continue };
        let outcome = survive::file(&source);
        for (i, (_, text)) in forms.iter().enumerate() {
            let has = usize::from(source.contains(text));
            made[i] += has;
            staged[i] += has * usize::from(outcome == Outcome::Staged);
        }
    }
    for (i, (what, _)) in forms.iter().enumerate() {
        println!("{what}: in {} files, {} of them staged", made[i], staged[i]);
    }
    assert!(staged.iter().all(|count| *count > 0), "{staged:?} of {made:?}");
}

#[test]
fn damaged_tokens() {
    run(800, mutate::fixture, survive::file);
}

#[test]
fn damaged_text() {
    run(400, mutate::text, survive::file);
}

/// CPU time that no kernel may take in a build without optimization.
const PATIENCE: Duration = Duration::from_secs(20);

/// The expansion of a file's last function on as much stack as rustc's own threads have, and in bounded time.
fn expanded(what: &str, source: &str) -> String {
    let source = source.to_owned();
    let thread = std::thread::Builder::new().stack_size(8 << 20);
    let expansion = thread.spawn(move || {
        let start = ThreadTime::now();
        let (_, expansion) =
            crate::common::world::expand_file(&source).expect("Rust").pop().expect("a kernel");
        (expansion.expect("its templates are in the file").to_string(), start.elapsed())
    });
    let (expansion, took) = expansion.expect("a thread").join().unwrap_or_else(|_| panic!("{what}: a panic"));
    assert!(took < PATIENCE, "{what}: {took:?}");
    assert!(syn::parse_str::<syn::File>(&expansion).is_ok(), "{what}: no items");
    expansion
}

/// Each template calls the one above it twice: with every one of them the work would double.
#[test]
fn templates_that_double_are_cut_off() {
    use std::fmt::Write as _;
    for levels in [10, 60] {
        let mut source =
            "#[shim::kernel] fn t0(v: impl Tensor<i32, 1>, k: i32) -> i32 { v[[k]] + v[[k + 1]] }\n"
                .to_owned();
        for level in 1..levels {
            let below = level - 1;
            let _ = writeln!(
                source,
                "#[shim::kernel] fn t{level}(v: impl Tensor<i32, 1>, k: i32) -> i32 {{ t{below}(v, k) + t{below}(v, k + 1) }}"
            );
        }
        let top = levels - 1;
        let _ = writeln!(
            source,
            "#[shim::kernel] fn k(m: &[i32], n: usize) -> i32 {{ let a = Block::external(m, [n]); t{top}(a, 3) }}"
        );
        let expansion = expanded(&format!("{levels} levels"), &source);
        let refused = expansion.contains("template calls are staged into this kernel");
        assert_eq!(refused, levels > 14, "{levels} levels");
    }
}

/// Loops that unroll multiply what templates write out.
#[test]
fn templates_in_unrolled_loops_are_cut_off() {
    let source = "
        #[shim::kernel] fn leaf(v: impl Tensor<i32, 2>, k: i32) { #[unroll] for i in 0..64 { v[[k, i]] += v[[k, i + 1]]; } }
        #[shim::kernel] fn rows(v: impl Tensor<i32, 2>) { #[unroll] for k in 0..64 { leaf(v, k); } }
        #[shim::kernel] fn k(m: &mut [i32], n: usize) {
            let a = Block::external(m, [n, n]);
            #[unroll] for _ in 0..64 { rows(a); }
        }";
    let expansion = expanded("unrolled templates", source);
    assert!(expansion.contains("compile_error"));
}

/// Whatever rustc's parser lets through, the compiler walks or refuses; it does not run out of stack.
#[test]
fn deep_expressions_are_answered() {
    for (depth, refused) in [(100, false), (500, false), (10_000, true)] {
        deep_expressions(depth, refused);
    }
}

/// Less than the 8 MB of rustc's own threads, which has used some of it when the macro is called.
const STACK: usize = 6 << 20;

/// Expressions in which something stands in itself that often; whether each of them has to be refused.
fn deep_expressions(depth: usize, refused: bool) {
    let wrapped = |open: &str, middle: &str, close: &str| {
        format!("{}{middle}{}", open.repeat(depth), close.repeat(depth))
    };
    let kinds = [
        ("parentheses", wrapped("(", "m[0]", ")")),
        ("brackets", wrapped("[", "m[0]", "]")),
        ("blocks", wrapped("{", "m[0]", "}")),
        ("calls", wrapped("", "f", "()")),
        ("sum", wrapped("m[0] + ", "m[0]", "")),
        ("sum of elements", wrapped("a[[0]] + ", "a[[0]]", "")),
        (
            "sum in a stage",
            format!(
                "let s = stage(|[i]| {}); for [i] in s {{ a[[i]] = s[[i]] }} 0",
                wrapped("a[[i]] + ", "a[[i]]", "")
            ),
        ),
        (
            "sum of bits in a stage",
            format!(
                "#[compute_at(root)] let s = stage(|[i]| {}); for i in 0..n {{ a[[i]] = s[[i]] }} 0",
                wrapped("(a[[i]] & 1) + ", "a[[i]]", "")
            ),
        ),
        ("sum in an index", format!("a[[{}]]", wrapped("n + ", "n", ""))),
        ("negations", wrapped("-", "n", "")),
        ("references", wrapped("&", "n", "")),
        ("methods", wrapped("", "n", ".max(1)")),
        ("views", wrapped("", "a", ".permute([0])")),
        ("colocations", wrapped("", "a", "[a]")),
        ("casts", wrapped("", "n", " as usize")),
        ("questions", wrapped("", "f()", "?")),
        ("elements of elements", wrapped("a[[", "0", "]]")),
        ("else", wrapped("if n > 3 { 1 } else ", "{ 2 }", "")),
        ("closures", wrapped("|| ", "n", "")),
        ("returns", wrapped("return ", "n", "")),
        ("assignments", wrapped("x = ", "n", "")),
        ("loops", wrapped("loop { ", "", "}")),
        ("types", format!("0 as {}", wrapped("&'static ", "u8", ""))),
        ("generics", format!("f::<{}>()", wrapped("Vec<", "u8", "> "))),
        ("patterns", format!("match n {{ {} => 1, _ => 2 }}", wrapped("&", "x", ""))),
        ("alternatives", format!("match n {{ {} => 1, _ => 2 }}", wrapped("1 | ", "2", ""))),
        ("ranges of a partition", format!("a[[{}.., 0]]", wrapped("n - ", "n", ""))),
        ("blocks in a sum", wrapped("{ n } + ", "n", "")),
        ("brackets and signs", wrapped("---------------(", "n", ")")),
        ("references and blocks", wrapped("&&&&&&&&{", "n", "}")),
        ("scrutinees", wrapped("match ", "n", " { _ => 1 }")),
        ("arms", wrapped("match n { _ => ", "1", " }")),
    ];
    for (what, body) in kinds {
        let source = format!(
            "#[shim::kernel] fn k(m: &[i32], n: usize) -> i32 {{ let a = Block::external(m, [n]); {body} }}"
        );

        // Not by way of syn, which has no bound of its own.
        let thread = std::thread::Builder::new().stack_size(STACK).spawn(move || {
            let start = ThreadTime::now();
            let item = source.split_once(']').expect("an attribute").1;
            let item = item.parse().ok();
            (item.map(|item| shim_stage::kernel(TokenStream::new(), item).to_string()), start.elapsed())
        });
        let (answer, took) = thread.expect("a thread").join().unwrap_or_else(|_| panic!("{what}: a panic"));
        // Some of them are no tokens to proc_macro2 itself.
        if let Some(expansion) = answer {
            assert!(!refused || expansion.contains("compile_error"), "{what} are not refused");
        }
        assert!(took < PATIENCE, "{what}: {took:?}");
    }
}

/// A long function is no deep one.
#[test]
fn five_thousand_statements_are_staged() {
    let source = format!(
        "#[shim::kernel] fn k(m: &mut [i32], n: usize) {{ let a = Block::external(m, [n]); {} }}",
        "a[[n - 1]] += 1; ".repeat(5000)
    );
    assert!(!expanded("many statements", &source).contains("compile_error"));
}
