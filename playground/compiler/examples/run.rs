//! Runs a kernel on arguments that are made up: `cargo run --example run -- FILE.rs [KERNEL]`.

use std::process::ExitCode;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let Some(path) = arguments.next() else {
        eprintln!("usage: run FILE.rs [KERNEL]");
        return ExitCode::from(2);
    };
    let wanted = arguments.next();
    let source = match std::fs::read_to_string(&path) {
        Ok(source) => source,
        Err(error) => {
            eprintln!("{path}: {error}");
            return ExitCode::FAILURE;
        }
    };
    for kernel in shim_playground::expand(&source).kernels {
        if wanted.as_ref().is_some_and(|wanted| *wanted != kernel.name) {
            continue;
        }
        for (number, schedule) in kernel.schedules.iter().enumerate() {
            let outcome = shim_playground::run::run(&source, &kernel.name, number, &serde_json::Map::new());
            let text = serde_json::to_string(&outcome).unwrap_or_default();
            println!("{} {}: {text}", kernel.name, schedule.name);
        }
    }
    ExitCode::SUCCESS
}
