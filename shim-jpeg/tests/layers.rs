//! No two files of the encoder need each other.

#[path = "../../shim-stage/tests/layers/modules.rs"]
mod modules;

use std::path::Path;

#[test]
fn files_have_no_cycle() {
    let uses = modules::uses(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"));
    // What the encoder as a whole rests on was found.
    let names = |path: &str| path.split("::").map(str::to_owned).collect::<Vec<_>>();
    assert!(uses[&names("session")].contains(&names("plan")));
    assert_eq!(modules::cycle(&uses), None);
}
