//! Kernels written to break the promise that none reads or writes outside memory: a case for each attack known,
//! programs generated from scopes and names, from loops with orders and from stages, and every name that expansions have.
//!
//! `hostile/cases/*.rs` holds the cases, one `mod` each, with the outcomes it may have in a comment before it. rustc
//! compiles them in batches against the library that this test is linked with, and a child process runs them.
//!
//! | environment | effect |
//! |---|---|
//! | `SHIM_HOSTILE=all` | four builds in the place of two: debug and release, each with and without `checks = "every"` |
//! | `SHIM_HOSTILE=asan` | these four, and one under `AddressSanitizer` |
//! | `SHIM_HOSTILE=miri` | the debug build, and the same interpreted by Miri |
//! | `SHIM_HOSTILE_ONLY=text` | cases with `text` in their name or the name of their file alone |
//! | `SHIM_HOSTILE_REPORT=1` | prints every case, what is expected, and what came of it |
//! | `SHIM_GENERATED=n` | n generated programs |
//! | `SHIM_GENERATED_FROM=n` | the first seed |
//! | `SHIM_GENERATED_SECONDS=n` | generated programs, batch by batch, until n seconds have passed |

#[path = "hostile/build.rs"]
mod build;
#[path = "hostile/case.rs"]
mod case;
#[path = "hostile/emitted.rs"]
mod emitted;
#[path = "hostile/generate/mod.rs"]
mod generate;
#[path = "hostile/judge.rs"]
mod judge;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io::Write as _;
use std::time::{Duration, Instant};

use build::{Config, Toolchain};
use case::{Case, Expected};
use judge::{Outcome, judge};

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

/// The builds that outcomes are compared over.
fn configs() -> Vec<Config> {
    let mode = std::env::var("SHIM_HOSTILE").unwrap_or_default();
    let [debug, debug_every, release, release_every, asan, miri] = Config::ALL;
    match mode.as_str() {
        "all" => vec![debug, debug_every, release, release_every],
        "asan" => vec![debug, debug_every, release, release_every, asan],
        "miri" => vec![debug, miri],
        _ => vec![debug, release_every],
    }
}

/// Writes past the test harness's capture, so that a passing test reports as well.
fn report(text: &str) {
    let _ = std::io::stderr().write_all(text.as_bytes());
}

/// Outcomes of each case, in the order of `configs`.
fn judge_all(name: &str, cases: &[Case], configs: &[Config]) -> Vec<Vec<Outcome>> {
    let toolchain = Toolchain::find(name);
    // Two at a time: the machines that run this have two cores, and one build of a batch uses little more than one.
    let mut all: Vec<Vec<Outcome>> = vec![Vec::new(); cases.len()];
    for pair in configs.chunks(2) {
        let judged: Vec<Vec<Outcome>> = std::thread::scope(|scope| {
            let threads: Vec<_> =
                pair.iter().map(|config| scope.spawn(|| judge(&toolchain, cases, config))).collect();
            threads.into_iter().map(|thread| thread.join().expect("a judge")).collect()
        });
        for outcomes in judged {
            for (of_case, outcome) in all.iter_mut().zip(outcomes) {
                of_case.push(outcome);
            }
        }
    }
    all
}

/// One line for each case: name, verdict, expectation, outcomes.
fn table(cases: &[Case], outcomes: &[Vec<Outcome>], configs: &[Config]) -> (String, Vec<String>) {
    let mut lines = String::new();
    let mut failures: BTreeMap<(u8, String), String> = BTreeMap::new();
    for (case, outcomes) in cases.iter().zip(outcomes) {
        let fine = outcomes.iter().all(|outcome| case.expected.allows(outcome));
        // An item that a macro of the program brings may hide a local of an expansion, of which some builds have more.
        let hides = case.text.contains("bring!()");
        let mut decided = outcomes.iter().filter(|outcome| !(hides && outcome.kind() == "reject"));
        let first = decided.next().map(Outcome::kind);
        let same = decided.all(|outcome| Some(outcome.kind()) == first);
        let verdict = if fine && same { "ok" } else { "FAILS" };
        let mut got = String::new();
        if same {
            let _ = write!(got, "{}", outcomes[0]);
        } else {
            for (config, outcome) in configs.iter().zip(outcomes) {
                let _ = write!(got, "[{}] {outcome} ", config.name);
            }
        }
        let line = format!("{verdict:<6}{:<44} {:<24} {got}", case.full_name(), case.expected.to_string());
        let _ = writeln!(lines, "{line}");
        if !(fine && same) {
            let worst = outcomes.iter().map(Outcome::severity).max().unwrap_or(0);
            let _ = failures.insert((u8::MAX - worst, case.full_name()), line);
        }
    }
    (lines, failures.into_values().collect())
}

#[test]
fn every_case_has_its_outcome() {
    let mut cases = case::read();
    if let Ok(only) = std::env::var("SHIM_HOSTILE_ONLY") {
        cases.retain(|case| case.full_name().contains(&only));
    }
    let configs = configs();
    if configs.iter().any(|config| config.interpreted) {
        // The crates that these name are built for rustc alone.
        cases.retain(|case| !case::crates().iter().any(|(name, _)| case.text.contains(name)));
    }
    let start = Instant::now();
    let outcomes = judge_all("cases", &cases, &configs);
    let (lines, failures) = table(&cases, &outcomes, &configs);
    let names: Vec<&str> = configs.iter().map(|config| config.name).collect();
    let summary = format!(
        "{} of {} cases fail; builds: {}; {:.1?}\n",
        failures.len(),
        cases.len(),
        names.join(", "),
        start.elapsed()
    );
    if std::env::var_os("SHIM_HOSTILE_REPORT").is_some() {
        report(&format!("\n{lines}{summary}"));
    }
    assert!(failures.is_empty(), "{summary}{}", failures.join("\n"));
}

/// How many generated programs `cargo test` runs.
const GENERATED: u64 = 60;

/// How many failures of a run are reduced.
const REDUCED: usize = 4;

/// The program of a seed without the parts that do not matter to its outcomes, one per build.
fn reduce(seed: u64, wanted: &[Outcome], configs: &[Config]) -> Case {
    let parts = generate::parts(seed);
    let is_wanted =
        |found: &Vec<Outcome>| found.iter().map(Outcome::kind).eq(wanted.iter().map(Outcome::kind));
    let same = |variants: &[BTreeSet<usize>]| -> Vec<bool> {
        let name = |i: usize| format!("variant{i}");
        let cases: Vec<Case> = variants
            .iter()
            .enumerate()
            .map(|(i, without)| generate::case_without(seed, without, &name(i)))
            .collect();
        judge_all("reduced", &cases, configs).iter().map(is_wanted).collect()
    };
    let with = |without: &BTreeSet<usize>, more: &[usize]| without.iter().chain(more).copied().collect();
    let mut without = BTreeSet::new();
    loop {
        let rest: Vec<usize> = (0..parts).filter(|part| !without.contains(part)).collect();
        let variants: Vec<BTreeSet<usize>> = rest.iter().map(|part| with(&without, &[*part])).collect();
        let kept = same(&variants);
        let mut more: Vec<usize> =
            rest.iter().zip(kept).filter(|(_, same)| *same).map(|(part, _)| *part).collect();
        // What can be left out alone may not be left out together.
        while more.len() > 1 && !same(&[with(&without, &more)])[0] {
            more.truncate(more.len() / 2);
        }
        if more.is_empty() {
            return generate::case_without(seed, &without, &format!("seed{seed}"));
        }
        without.extend(more);
    }
}

/// What generated programs may come to: their twin's value, its panic, or an error.
fn judge_generated(
    seeds: std::ops::Range<u64>,
    configs: &[Config],
) -> (BTreeMap<String, usize>, Vec<String>) {
    let cases: Vec<Case> = seeds.clone().map(generate::case).collect();
    let outcomes = judge_all("generated", &cases, configs);
    let mut kinds = BTreeMap::new();
    for (seed, outcomes) in seeds.zip(&outcomes) {
        *kinds.entry(format!("{}, {}", generate::subject(seed), outcomes[0].kind())).or_insert(0) += 1;
    }
    let (lines, mut failures) = table(&cases, &outcomes, configs);
    if std::env::var_os("SHIM_HOSTILE_REPORT").is_some() {
        report(&format!("\n{lines}"));
    }
    for (failure, seed) in failures.iter_mut().zip(0..REDUCED).map(|(failure, _)| {
        let seed =
            failure.split_whitespace().find_map(|word| word.strip_prefix("generated::seed")?.parse().ok());
        (failure, seed.expect("a seed"))
    }) {
        let of_seed =
            &outcomes[cases.iter().position(|case| case.name == format!("seed{seed}")).expect("a case")];
        let reduced = reduce(seed, of_seed, configs);
        let _ = write!(failure, "\n{}", generate::own_text(&reduced));
    }
    (kinds, failures)
}

#[test]
fn generated_programs_agree_with_plain_rust() {
    let from = number("SHIM_GENERATED_FROM").unwrap_or(0);
    let configs = configs();
    let Some(seconds) = number("SHIM_GENERATED_SECONDS") else {
        let programs = number("SHIM_GENERATED").unwrap_or(GENERATED);
        let (kinds, failures) = judge_generated(from..from + programs, &configs);
        println!("{kinds:?}");
        assert!(failures.is_empty(), "{} of {programs} fail:\n{}", failures.len(), failures.join("\n"));
        assert_power(&kinds);
        return;
    };
    let end = Instant::now() + Duration::from_secs(seconds);
    let (mut next, mut all) = (from, BTreeMap::new());
    while Instant::now() < end {
        let (kinds, failures) = judge_generated(next..next + 100, &configs);
        report(&format!("seeds {next}..{}: {kinds:?}\n", next + 100));
        assert!(failures.is_empty(), "{} fail:\n{}", failures.len(), failures.join("\n"));
        for (kind, count) in kinds {
            *all.entry(kind).or_insert(0) += count;
        }
        next += 100;
    }
    // Of a hundred alone, a quarter of one subject may well be too few.
    assert_power(&all);
}

/// That a quarter of the programs of each subject compile and run: the others show nothing.
fn assert_power(kinds: &BTreeMap<String, usize>) {
    for subject in ["scopes", "orders", "stages", "closures"] {
        let of = |kind: &str| kinds.get(&format!("{subject}, {kind}")).copied().unwrap_or(0);
        let decided = of("value") + of("panic");
        let all: usize =
            kinds.iter().filter(|(kind, _)| kind.starts_with(subject)).map(|(_, count)| count).sum();
        assert!(decided * 4 >= all, "the programs have lost their power: {kinds:?}");
    }
}

/// What a harness cannot see it cannot report: each kind of outcome is recognized.
#[test]
fn outcomes_are_told_apart() {
    let text = |run: &str, want: &str| {
        format!("pub fn run() -> u32 {{ {run} }}\npub fn want() -> u32 {{ {want} }}\n")
    };
    let probes = [
        ("value", text("1", "1")),
        ("wrong value", text("2", "1")),
        ("panic", text("panic!(\"shim: no\")", "1")),
        ("panic", text("panic!(\"both\")", "panic!(\"both\")")),
        ("other panic", text("panic!(\"other\")", "1")),
        ("reject", text("\"text\"", "1")),
        ("undefined behavior", text("std::process::abort()", "1")),
        ("value", text("3", "3")),
    ];
    let cases: Vec<Case> = probes
        .iter()
        .enumerate()
        .map(|(i, (_, text))| Case::new(&format!("probe{i}"), text.clone(), Expected::any()))
        .collect();
    let outcomes = judge_all("probes", &cases, &Config::ALL[..1]);
    let kinds: Vec<&str> = outcomes.iter().map(|outcomes| outcomes[0].kind()).collect();
    assert_eq!(kinds, probes.iter().map(|(kind, _)| *kind).collect::<Vec<_>>());
}
