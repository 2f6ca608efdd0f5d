//! Looks for a fast order of a nest by running it, and prints the attributes to paste.
//!
//! `cargo run -p shim-stage --example tune -- FILE.rs` takes a file with a kernel, in which one loop or elementwise
//! assignment has an order attribute, and with `pub fn workload() -> impl FnMut()`, whose closure is timed. Three
//! rounds follow one another: the permutations of the loops, tiles for the caches, and small tiles whose loops are
//! unrolled. Orders that change the result are left out: the compiler refuses them.
//! `shim-stage/examples/tune/product.rs` is such a file.

mod candidate;
mod measure;

use std::path::Path;
use std::process::ExitCode;

use candidate::{Candidate, Nest};

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
    let nest = Nest::find(&source)?;
    println!("loops over {}", nest.variables().join(", "));
    let mut best = Candidate::default();
    for (round, candidates) in [
        ("orders of the loops", Candidate::orders as fn(&Candidate, &Nest) -> Vec<Candidate>),
        ("tiles", Candidate::tiled),
        ("unrolled tiles", Candidate::unrolled),
    ] {
        // The best so far runs beside the others.
        let mut candidates = candidates(&best, &nest);
        candidates.retain(|candidate| nest.accepts(candidate));
        candidates.insert(0, best.clone());
        println!("\n{round}: {} candidates", candidates.len());
        let times = measure::times(&nest, &candidates)?;
        let mut ranked: Vec<(f64, &Candidate)> = times.into_iter().zip(&candidates).collect();
        ranked.sort_by(|(one, _), (other, _)| one.total_cmp(other));
        for (time, candidate) in ranked.iter().take(5) {
            println!("{:12.1} us  {}", time / 1e3, candidate.attributes(&nest));
        }
        if let Some((_, fastest)) = ranked.first() {
            best = (*fastest).clone();
        }
    }
    println!("\n{}", best.attributes(&nest));
    Ok(())
}
