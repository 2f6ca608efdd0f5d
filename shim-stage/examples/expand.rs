//! Prints what the kernels of a file expand to: `cargo run -p shim-stage --example expand -- FILE.rs [NAME]`.
//!
//! Templates, located structs and constants of the same file are followed.

#[allow(dead_code, reason = "the tests use more of it")]
#[path = "../tests/common/world.rs"]
mod world;

use std::process::ExitCode;

use world::expand_file;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let Some(path) = arguments.next() else {
        eprintln!("usage: expand FILE.rs [NAME]");
        return ExitCode::from(2);
    };
    let wanted = arguments.next();
    let kernels = std::fs::read_to_string(&path)
        .map_err(|error| error.to_string())
        .and_then(|source| expand_file(&source).map_err(|error| error.to_string()));
    let kernels = match kernels {
        Ok(kernels) => kernels,
        Err(error) => {
            eprintln!("{path}: {error}");
            return ExitCode::FAILURE;
        }
    };
    let mut exit = ExitCode::SUCCESS;
    for (name, expansion) in kernels {
        if wanted.as_ref().is_some_and(|wanted| name != *wanted) {
            continue;
        }
        let Some(expansion) = expansion else {
            eprintln!("{path}: `{name}` calls a template, or takes a located struct, of another file");
            exit = ExitCode::FAILURE;
            continue;
        };
        // Paths in templates begin with `$crate`, which is Rust only inside a macro.
        let text = expansion.to_string().replace("$crate", "crate");
        match syn::parse_file(&text) {
            Ok(file) => println!("{}", prettyplease::unparse(&file)),
            Err(error) => println!("{text}\n// does not parse: {error}"),
        }
    }
    exit
}
