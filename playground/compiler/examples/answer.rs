//! The answer of the page's compiler to a file: `cargo run --example answer -- FILE.rs`.

use std::process::ExitCode;

fn main() -> ExitCode {
    let Some(path) = std::env::args().nth(1) else {
        eprintln!("usage: answer FILE.rs");
        return ExitCode::from(2);
    };
    match std::fs::read_to_string(&path) {
        Ok(source) => {
            println!("{}", serde_json::to_string(&shim_playground::expand(&source)).unwrap_or_default());
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{path}: {error}");
            ExitCode::FAILURE
        }
    }
}
