//! Files use one another in one direction, and so do folders.

#[path = "../../../tests/layers/mod.rs"]
mod files;

use std::path::Path;

#[test]
fn nothing_needs_what_needs_it() {
    let uses = files::uses(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"));
    // The sources are read, and paths are followed.
    assert!(uses["session.rs"].contains("pipeline/plan.rs"), "{:?}", uses["session.rs"]);
    for uses in [&uses, &files::folders(&uses)] {
        let cycles = files::cycles(uses);
        assert!(cycles.is_empty(), "{cycles:#?}");
    }
}
