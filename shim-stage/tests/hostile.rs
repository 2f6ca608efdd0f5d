//! Whatever the compiler is given, it answers: no panic, no hang, and items for a function.
//!
//! The same generators as in the fuzz target `stage`, over fixed seeds. `SHIM_HOSTILE=n` runs n inputs of each kind.

mod common;

use arbitrary::Unstructured;
use common::survive::{self, Outcome};
use common::{generate, mutate};

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
    let inputs = std::env::var("SHIM_HOSTILE").ok().and_then(|own| own.parse().ok()).unwrap_or(inputs);
    let from = std::env::var("SHIM_HOSTILE_FROM").ok().and_then(|own| own.parse().ok()).unwrap_or(0);
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

#[test]
fn damaged_tokens() {
    run(800, mutate::fixture, survive::file);
}

#[test]
fn damaged_text() {
    run(400, mutate::text, survive::file);
}
