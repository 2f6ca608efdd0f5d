//! Files use one another in one direction, and so do folders.

#[path = "../../tests/layers/mod.rs"]
mod layers;

use std::path::Path;

#[test]
fn nothing_needs_what_needs_it() {
    let uses = layers::uses(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"));
    // The sources are read, and paths are followed.
    assert!(uses["session.rs"].contains("pipeline/plan.rs"), "{:?}", uses["session.rs"]);
    for uses in [&uses, &layers::folders(&uses)] {
        let cycles = layers::cycles(uses);
        assert!(cycles.is_empty(), "{cycles:#?}");
    }
}
