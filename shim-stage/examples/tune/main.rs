//! Looks for a fast schedule of a kernel by running it, and prints the attributes to paste.
//!
//! `cargo run -p shim-stage --example tune -- FILE.rs` takes a file with a kernel and with `pub fn workload() -> impl FnMut()`,
//! whose closure is timed. Candidates that change the result are left out: the compiler refuses them.
//!
//! - If a loop or elementwise assignment has an order attribute, three rounds follow one another: the permutations of
//!   the loops, tiles for the caches, and small tiles whose loops are unrolled. `product.rs` beside this file is such a one.
//! - If stages have `#[compute_at(..)]` and a loop has `#[tile(.., 'l)]`, the rounds are levels for all stages, tiles, and
//!   levels for each stage, as in `blur.rs`.

mod candidate;
mod measure;
mod stages;

use std::path::Path;
use std::process::ExitCode;

use candidate::{Candidate, Nest};
use stages::{Pipeline, Schedule};

fn main() -> ExitCode {
    let Some(path) = std::env::args().nth(1) else {
        eprintln!("usage: tune FILE.rs");
        return ExitCode::from(2);
    };
    match tune(Path::new(&path)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{path}: {error}");
            ExitCode::FAILURE
        }
    }
}

fn tune(path: &Path) -> Result<(), String> {
    let source = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    let file = syn::parse_file(&source).map_err(|error| error.to_string())?;
    if let Some(pipeline) = Pipeline::find(&file) {
        println!("{}", pipeline.shown());
        let rounds: [Round<'_, Pipeline, Schedule>; 3] = [
            ("levels", Pipeline::levels),
            ("tiles", Pipeline::tiles),
            ("levels of each stage", Pipeline::each),
        ];
        let first = pipeline.first();
        return search(&pipeline, first, &rounds, Pipeline::with, Pipeline::attributes);
    }
    let nest = Nest::find(file)?;
    println!("loops over {}", nest.variables().join(", "));
    let rounds: [Round<'_, Nest, Candidate>; 3] = [
        ("orders of the loops", |nest, best| best.orders(nest)),
        ("tiles", |nest, best| best.tiled(nest)),
        ("unrolled tiles", |nest, best| best.unrolled(nest)),
    ];
    search(&nest, Candidate::default(), &rounds, Nest::with, |nest, candidate| candidate.attributes(nest))
}

/// A round of the search: its name, and the candidates that run beside the best so far.
type Round<'a, S, C> = (&'a str, fn(&S, &C) -> Vec<C>);

/// Runs rounds of candidates, each around the best of the one before, and prints the attributes of the last.
fn search<S, C: Clone>(
    space: &S,
    mut best: C,
    rounds: &[Round<'_, S, C>],
    with: fn(&S, &C) -> syn::File,
    attributes: fn(&S, &C) -> String,
) -> Result<(), String> {
    for (round, candidates) in rounds {
        let mut candidates = candidates(space, &best);
        candidates.insert(0, best.clone());
        candidates.retain(|candidate| measure::is_accepted(with(space, candidate)));
        println!("\n{round}: {} candidates", candidates.len());
        let files: Vec<syn::File> = candidates.iter().map(|candidate| with(space, candidate)).collect();
        let times = measure::times(&files)?;
        let mut ranked: Vec<(f64, &C)> = times.into_iter().zip(&candidates).collect();
        ranked.sort_by(|(one, _), (other, _)| one.total_cmp(other));
        for (time, candidate) in ranked.iter().take(5) {
            println!("{:12.1} us  {}", time / 1e3, attributes(space, candidate));
        }
        if let Some((_, fastest)) = ranked.first() {
            best = (*fastest).clone();
        }
    }
    println!("\n{}", attributes(space, &best));
    Ok(())
}
