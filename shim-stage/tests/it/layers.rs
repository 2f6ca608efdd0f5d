//! Modules of the compiler use only those before them, so that no two of them need each other.

#[path = "../../../tests/layers/mod.rs"]
mod files;

use std::path::Path;

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
