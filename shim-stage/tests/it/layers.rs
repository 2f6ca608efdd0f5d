//! Modules of the compiler use only those before them, so that no two of them need each other.

#[path = "../../../tests/layers/mod.rs"]
mod files;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Types that traits of std and of the runtime ask for.
const ASSOCIATED: &[&str] = &["Item", "IntoIter", "Output", "Rows", "Reborrowed", "View", "RowsMut"];

/// The modules, each after all that it may use.
const LAYERS: &[&str] = &[
    "hygiene",
    "symbolic",
    "static_eval",
    "surface",
    "ir",
    "diagnostics",
    "parse",
    "link",
    "locate",
    "bind",
    "check",
    "tabulate",
    "clear",
    "depend",
    "schedule",
    "share",
    "split",
    "transpose",
    "verify",
    "lower",
    "print",
    "emit",
    "stage",
];

/// The layer of a file; none of the root.
fn layer(file: &str) -> Option<usize> {
    let own = file.split(['/', '.']).next().unwrap_or_default();
    let level = LAYERS.iter().position(|layer| *layer == own);
    (own != "lib").then(|| level.unwrap_or_else(|| panic!("`{own}` is no layer: add it to the list")))
}

#[test]
fn modules_use_only_those_before_them() {
    let mut wrong = Vec::new();
    for (file, used) in files::uses(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src")) {
        let Some(level) = layer(&file) else { continue };
        wrong.extend(
            used.iter()
                .filter(|other| layer(other).is_some_and(|other| other > level))
                .map(|other| format!("{file} uses {other}, which comes after it")),
        );
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The names of the types that a file declares at the beginning of a line of its own, in functions as well.
fn declared(text: &str) -> impl Iterator<Item = &str> {
    let tests = text.find("#[cfg(test)]\nmod tests {").unwrap_or(text.len());
    text[..tests].lines().filter_map(|line| {
        let line = line.trim_start();
        let line = match line.strip_prefix("pub") {
            Some(rest) if rest.starts_with('(') => rest.split_once(") ")?.1,
            Some(rest) => rest.trim_start(),
            None => line,
        };
        let name = ["struct ", "enum ", "trait ", "type "].iter().find_map(|word| line.strip_prefix(word))?;
        let name = name.split(|c: char| !c.is_alphanumeric()).next()?;
        // Types that expansions declare have interpolated names.
        name.starts_with(char::is_uppercase).then_some(name)
    })
}

/// A reader meets each type under a name of its own.
#[test]
fn no_two_types_have_one_name() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut places: BTreeMap<String, BTreeSet<PathBuf>> = BTreeMap::new();
    let mut open = vec![source];
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder of the source") {
            let path = entry.expect("an entry").path();
            if path.is_dir() && !path.ends_with("tests") {
                open.push(path);
            } else if path.extension().is_some_and(|ext| ext == "rs") && !path.ends_with("tests.rs") {
                let text = std::fs::read_to_string(&path).expect("text");
                for name in declared(&text).filter(|name| !ASSOCIATED.contains(name)) {
                    places.entry(name.to_owned()).or_default().insert(path.clone());
                }
            }
        }
    }
    let twice: Vec<_> = places.into_iter().filter(|(_, places)| places.len() > 1).collect();
    assert!(twice.is_empty(), "{twice:#?}");
}
