//! The golden expansions of the compiler.

use std::fs;

use shim_verify::Expansions;

use crate::stored;

#[test]
fn golden_expansions_are_shown() {
    let mut expansions = Expansions::default();
    let mut files: Vec<_> = fs::read_dir(stored::folder().join("../shim-stage/tests/snapshots"))
        .expect("the golden expansions")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "snap"))
        .collect();
    files.sort();
    for file in &files {
        let name = file.file_stem().expect("a name").to_string_lossy();
        expansions.add(&name, &fs::read_to_string(file).expect("it can be read")).expect("it is Rust");
    }
    let report = stored::check("golden", &expansions);
    assert!(report.kernels > 80 && report.goals > 400, "{} kernels, {} goals", report.kernels, report.goals);
}
