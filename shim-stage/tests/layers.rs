//! Modules of the compiler use only those before them, so that no two of them need each other.

use std::path::{Path, PathBuf};

/// The modules, each after all that it may use.
const LAYERS: &[&str] = &[
    "hygiene",
    "symbolic",
    "fixed",
    "surface",
    "ir",
    "diagnostics",
    "parse",
    "link",
    "bind",
    "locate",
    "check",
    "split",
    "lower",
    "print",
    "emit",
];

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            if path.file_name().is_some_and(|name| name != "tests") {
                sources(&path, found);
            }
        } else if path.extension().is_some_and(|extension| extension == "rs")
            && path.file_stem().is_some_and(|name| name != "tests")
        {
            found.push(path);
        }
    }
}

/// The names behind `crate::` in a source, without its unit tests.
fn mentioned(source: &str) -> impl Iterator<Item = &str> {
    let source = source.split("#[cfg(test)]\nmod tests {").next().unwrap_or(source);
    let code = source.lines().filter(|line| !line.trim_start().starts_with("//"));
    let mentions = code.flat_map(|line| line.split("crate::").skip(1));
    mentions.map(|rest| rest.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default())
}

#[test]
fn modules_use_only_those_before_them() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    sources(&root, &mut files);
    let mut wrong = Vec::new();
    for file in files {
        let below = file.strip_prefix(&root).expect("a file of src");
        let own = below.components().next().expect("a name").as_os_str().to_string_lossy().into_owned();
        let own = own.trim_end_matches(".rs");
        if own == "lib" {
            continue;
        }
        let level = LAYERS.iter().position(|layer| *layer == own);
        let level = level.unwrap_or_else(|| panic!("`{own}` is no layer: add it to the list"));
        let source = std::fs::read_to_string(&file).expect("a source");
        for used in mentioned(&source) {
            if let Some(other) = LAYERS.iter().position(|layer| *layer == used)
                && other > level
            {
                wrong.push(format!("{}: `{own}` uses `{used}`, which comes after it", below.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
