//! Times candidates: one program has all of them, and runs them by turns.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::Command;

use super::candidate::{Candidate, Nest};

/// How often each candidate runs.
const ROUNDS: usize = 9;

/// The nanoseconds that each candidate takes, the median of its runs.
pub(crate) fn times(nest: &Nest, candidates: &[Candidate]) -> Result<Vec<f64>, String> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..");
    let folder = root.join("target/tune");
    let sources = folder.join("src");
    let failed = |error: std::io::Error| format!("{}: {error}", folder.display());
    std::fs::create_dir_all(&sources).map_err(failed)?;
    let manifest = format!(
        "[package]\nname = \"tune\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[workspace]\n\n\
         [dependencies]\nshim-dsl = {{ path = '{}' }}\n\n[profile.release]\ncodegen-units = 1\n",
        root.canonicalize().map_err(failed)?.display()
    );
    std::fs::write(folder.join("Cargo.toml"), manifest).map_err(failed)?;
    let mut main = String::new();
    let mut list = String::new();
    for (number, candidate) in candidates.iter().enumerate() {
        let text = prettyplease::unparse(&nest.with(candidate));
        std::fs::write(sources.join(format!("c{number}.rs")), text).map_err(failed)?;
        let _ = writeln!(main, "mod c{number};");
        let _ = write!(list, "Box::new(c{number}::workload()), ");
    }
    let _ = write!(
        main,
        "fn main() {{
            let mut runs: Vec<Box<dyn FnMut()>> = vec![{list}];
            let mut times = vec![Vec::new(); runs.len()];
            for _ in 0..{ROUNDS} {{
                for (run, times) in runs.iter_mut().zip(&mut times) {{
                    let start = std::time::Instant::now();
                    run();
                    times.push(start.elapsed().as_nanos());
                }}
            }}
            for mut times in times {{
                times.sort();
                println!(\"{{}}\", times[times.len() / 2]);
            }}
        }}"
    );
    std::fs::write(sources.join("main.rs"), main).map_err(failed)?;
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["run", "--release", "--quiet"])
        .current_dir(&folder)
        .output()
        .map_err(|error| format!("cargo: {error}"))?;
    if !output.status.success() {
        return Err(format!("the candidates do not build:\n{}", String::from_utf8_lossy(&output.stderr)));
    }
    let text = String::from_utf8_lossy(&output.stdout);
    let times: Vec<f64> = text.lines().filter_map(|line| line.parse().ok()).collect();
    if times.len() == candidates.len() { Ok(times) } else { Err(format!("the candidates printed {text:?}")) }
}
