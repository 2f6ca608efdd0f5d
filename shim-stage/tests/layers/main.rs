//! Modules of the compiler use only those before them, so that no two of them need each other.

mod modules;

use std::path::Path;

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

#[test]
fn modules_use_only_those_before_them() {
    let level = |module: &modules::Module| {
        let level = LAYERS.iter().position(|layer| *layer == module[0]);
        level.unwrap_or_else(|| panic!("`{}` is no layer: add it to the list", module[0]))
    };
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for (module, used) in modules::uses(&root) {
        for other in used {
            let (own, other) = (&module, &other);
            assert!(level(other) <= level(own), "`{}` uses `{}`", own.join("::"), other.join("::"));
        }
    }
}
