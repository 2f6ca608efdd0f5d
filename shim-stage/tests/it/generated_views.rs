//! Writes the kernels of the facade's `tests/generated_views.rs`: random chains of views in the language, and beside
//! each the same chain in calls of the runtime library.
//!
//! `cargo test -p shim-stage --test it generated_views -- --ignored && cargo fmt` writes
//! `tests/generated_views/kernels.rs` anew. The seeds are fixed, so that the file changes only with the generator, or
//! with what the compiler refuses; under `SHIM_GENERATED=n` there are n kernels, for a search that is not meant to be
//! kept.

use crate::common::views;

/// How many of them are kept.
const KERNELS: usize = 48;

#[test]
#[ignore = "writes a source file"]
fn write_the_kernels() {
    let kernels = std::env::var("SHIM_GENERATED").ok().and_then(|own| own.parse().ok()).unwrap_or(KERNELS);
    let file = views::file(kernels);
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/generated_views/kernels.rs");
    std::fs::write(&path, file).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
}

/// What the file is made of stays what the compiler takes.
#[test]
fn most_chains_are_staged() {
    let mut refused = Vec::new();
    for seed in 0..2 * KERNELS as u64 {
        if let Err(message) = views::staged(seed) {
            refused.push(message);
        }
    }
    println!("{}", refused.join("\n"));
    assert!(
        refused.len() * 10 < 2 * KERNELS,
        "{} of {KERNELS} are refused:\n{}",
        refused.len(),
        refused.join("\n")
    );
}
