//! The source files that documentation names exist.

use std::fs;
use std::path::{Path, PathBuf};

/// Files below a folder, build output and folders of tools aside.
fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
        let path = entry.expect("an entry").path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() && name != "target" && !name.starts_with('.') {
            files(&path, found);
        } else if path.is_file() {
            found.push(path);
        }
    }
}

fn ends_in(path: &str, ending: &str) -> bool {
    Path::new(path).extension().is_some_and(|extension| extension == ending)
}

/// The paths with a folder that stand as code in a text: `bind/rust/local.rs`.
fn paths(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2).filter(|code| {
        let plain = |c: char| c.is_ascii_alphanumeric() || "_-./".contains(c);
        ends_in(code, "rs") && code.contains('/') && !code.contains("..") && code.chars().all(plain)
    })
}

#[test]
fn files_that_are_named_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut all = Vec::new();
    files(root, &mut all);
    let all: Vec<String> =
        all.iter().map(|path| path.strip_prefix(root).unwrap_or(path).display().to_string()).collect();
    let mut missing = Vec::new();
    for document in all.iter().filter(|path| ends_in(path, "md")) {
        let text = fs::read_to_string(root.join(document)).expect("text");
        for path in paths(&text) {
            let suffix = format!("/{path}");
            if !all.iter().any(|file| file == path || file.ends_with(&suffix)) {
                missing.push(format!("{document}: {path}"));
            }
        }
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}
