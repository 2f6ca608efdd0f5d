//! Prints how long the expansion of each kernel of the suite takes, and how often the sources of the suite can be
//! parsed in that time.
//!
//! `cargo bench --profile expansion -p shim-stage --bench expansion [-- --check PARSES]`; with `--check` it fails if
//! the median of some kernel takes longer than that many parses. Machines differ by a factor of four, parses beside an
//! expansion do not. The profile, of the workspace's root, builds the compiler and its dependencies as a user's `dev`
//! profile with `[profile.dev.build-override] opt-level = 2` builds a procedural macro, debug assertions included.
//! Without that setting, which this workspace leaves out because its macros run for seconds only, times are four to six
//! times as long: `.ci/run` saves the build with `--profile dev`. The token streams are those of `proc_macro2` outside
//! rustc. The time of a kernel that calls templates includes that of linking them, macro by macro.

use std::process::ExitCode;
use std::time::Instant;

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::{Attribute, Item, ItemFn, Meta};
use world::{Expanded, World};

#[path = "../tests/common/world.rs"]
#[allow(dead_code, reason = "the tests of the compiler use more of it")]
mod world;

/// The modules of the kernel suite.
const SOURCES: &[(&str, &str)] = &[
    ("color", include_str!("../../benches/src/kernels/color.rs")),
    ("dct", include_str!("../../benches/src/kernels/dct.rs")),
    ("vertical_right", include_str!("../../benches/src/kernels/vertical_right.rs")),
    ("plane", include_str!("../../benches/src/kernels/plane.rs")),
    ("residual", include_str!("../../benches/src/kernels/residual.rs")),
    ("sad", include_str!("../../benches/src/kernels/sad.rs")),
    ("half_pel", include_str!("../../benches/src/kernels/half_pel.rs")),
    ("flags", include_str!("../../benches/src/kernels/flags.rs")),
    ("chroma", include_str!("../../benches/src/kernels/chroma.rs")),
    ("stencil", include_str!("../../benches/src/kernels/stencil.rs")),
    ("transpose", include_str!("../../benches/src/kernels/transpose.rs")),
];

/// Kernels with orders of loops, lanes and registers. Their sources do not count in what a parse is.
const ORDERS: &[(&str, &str)] = &[
    ("nests", include_str!("../tests/fixtures/nests.rs")),
    ("orders", include_str!("../tests/fixtures/orders.rs")),
];

/// Expansions of each kernel.
const ROUNDS: usize = 31;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().collect();
    let check = arguments.iter().position(|argument| argument == "--check");
    let limit: Option<f64> = check.map(|at| {
        let limit = arguments.get(at + 1).and_then(|limit| limit.parse().ok());
        limit.expect("--check is followed by a number of parses")
    });
    println!("{:32} {:>8} {:>8} {:>8} {:>8}", "", "median", "longest", "median", "emitted");
    println!("{:32} {:>8} {:>8} {:>8} {:>8}", "kernel", "ms", "ms", "parses", "bytes");
    let mut longest: f64 = 0.0;
    for (module, source) in SOURCES.iter().chain(ORDERS) {
        let file = syn::parse_file(source).expect("a module of kernels");
        let mut templates = World::default();
        for (attribute, function) in file.items.into_iter().filter_map(kernel) {
            let name = function.sig.ident.to_string();
            let function = function.into_token_stream();
            let mut milliseconds = Vec::with_capacity(ROUNDS);
            let mut parses = Vec::with_capacity(ROUNDS);
            let mut emitted = None;
            for _ in 0..ROUNDS {
                let parse = milliseconds_to_parse();
                let start = Instant::now();
                let expansion = templates.expand(attribute.clone(), function.clone());
                let elapsed = start.elapsed().as_secs_f64() * 1e3;
                milliseconds.push(elapsed);
                parses.push(elapsed / parse);
                emitted = match expansion.expect("its templates stand above it") {
                    Expanded::Kernel(tokens) => Some(tokens.to_string().len()),
                    Expanded::Template => None,
                };
            }
            // A template does its work in the kernels that call it.
            let Some(emitted) = emitted else { continue };
            let greatest = milliseconds.iter().copied().fold(0.0, f64::max);
            let (median, parses) = (median(milliseconds), median(parses));
            println!(
                "{:32} {median:8.2} {greatest:8.2} {parses:8.3} {emitted:8}",
                format!("{module}::{name}")
            );
            longest = longest.max(parses);
        }
    }
    println!("longest median: {longest:.3} parses");
    if limit.is_some_and(|limit| longest > limit) { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

/// The time to parse every module of the suite once.
fn milliseconds_to_parse() -> f64 {
    let start = Instant::now();
    for (_, source) in SOURCES {
        std::hint::black_box(syn::parse_file(source).expect("a module of the suite"));
    }
    start.elapsed().as_secs_f64() * 1e3
}

/// The median of an odd number of times.
fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// The arguments of `#[shim::kernel]` on an item, and the function without it.
fn kernel(item: Item) -> Option<(TokenStream, ItemFn)> {
    let Item::Fn(mut function) = item else { return None };
    let is_kernel =
        |attribute: &Attribute| attribute.path().segments.last().is_some_and(|it| it.ident == "kernel");
    let at = function.attrs.iter().position(is_kernel)?;
    let arguments = match function.attrs.remove(at).meta {
        Meta::List(list) => list.tokens,
        _ => TokenStream::new(),
    };
    Some((arguments, function))
}
