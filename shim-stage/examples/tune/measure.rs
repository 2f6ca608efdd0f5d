//! Times candidates: one program has all of them, and runs them by turns.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::Command;

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::Attribute;

/// How often each candidate runs.
const ROUNDS: usize = 9;

/// Whether the compiler accepts a file.
pub(crate) fn is_accepted(file: syn::File) -> bool {
    file.items.into_iter().all(|item| match item {
        syn::Item::Fn(mut function) => {
            let kernel = |attribute: &Attribute| {
                attribute.path().segments.last().is_some_and(|last| last.ident == "kernel")
            };
            let Some(at) = function.attrs.iter().position(kernel) else { return true };
            let options = match function.attrs.remove(at).meta {
                syn::Meta::List(list) => list.tokens,
                _ => TokenStream::new(),
            };
            let expansion = shim_stage::kernel(options, function.into_token_stream());
            !expansion.to_string().contains("compile_error")
        }
        _ => true,
    })
}

/// The nanoseconds that each candidate takes, the median of its runs.
pub(crate) fn times(candidates: &[syn::File]) -> Result<Vec<f64>, String> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..");
    let folder = root.join("target/tune");
    let sources = folder.join("src");
    let failed = |error: std::io::Error| format!("{}: {error}", folder.display());
    std::fs::create_dir_all(&sources).map_err(failed)?;
    let manifest = format!(
        "[package]\nname = \"tune\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[workspace]\n\n\
         [dependencies]\nshim-dsl = {{ path = '{}', features = ['parallel'] }}\n\n[profile.release]\ncodegen-units = 1\n",
        root.canonicalize().map_err(failed)?.display()
    );
    std::fs::write(folder.join("Cargo.toml"), manifest).map_err(failed)?;
    let mut main = String::new();
    let mut list = String::new();
    for (number, candidate) in candidates.iter().enumerate() {
        let text = prettyplease::unparse(candidate);
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
