//! How long the kernels of files take to expand: `cargo run -p shim-stage --example cost -- FILE.rs ..`.

use std::process::ExitCode;
use std::time::{Duration, Instant};

#[path = "../tests/common/world.rs"]
#[allow(dead_code, reason = "the tests use more of it")]
mod world;

/// The least of some runs, so that what else the machine does counts little.
const RUNS: usize = 5;

fn main() -> ExitCode {
    let mut total = Duration::ZERO;
    for path in std::env::args().skip(1) {
        let source = match std::fs::read_to_string(&path) {
            Ok(source) => source,
            Err(error) => {
                eprintln!("{path}: {error}");
                return ExitCode::FAILURE;
            }
        };
        let run = || {
            let start = Instant::now();
            let kernels = world::expand_file(&source);
            (start.elapsed(), kernels)
        };
        let (mut least, kernels) = run();
        for _ in 1..RUNS {
            least = least.min(run().0);
        }
        let kernels = match kernels {
            Ok(kernels) => kernels,
            Err(error) => {
                eprintln!("{path}: {error}");
                return ExitCode::FAILURE;
            }
        };
        let tokens: usize = kernels.into_iter().filter_map(|(_, kernel)| kernel).map(count).sum();
        println!("{:9.3} ms {tokens:7} tokens {path}", least.as_secs_f64() * 1e3);
        total += least;
    }
    println!("{:9.3} ms in all", total.as_secs_f64() * 1e3);
    ExitCode::SUCCESS
}

fn count(tokens: proc_macro2::TokenStream) -> usize {
    let of = |tree| match tree {
        proc_macro2::TokenTree::Group(group) => 2 + count(group.stream()),
        _ => 1,
    };
    tokens.into_iter().map(of).sum()
}
