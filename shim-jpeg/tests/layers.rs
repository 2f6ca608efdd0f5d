//! Files use one another in one direction.

#[path = "../../tests/layers/mod.rs"]
mod layers;

use std::path::Path;

#[test]
fn no_files_need_one_another() {
    let uses = layers::uses(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"));
    let session = uses.iter().find(|(file, _)| file.ends_with("session.rs")).expect("a file");
    assert!(session.1.iter().any(|used| used.ends_with("plan.rs")), "{session:?}");
    let cycles = layers::cycles(&uses);
    assert!(cycles.is_empty(), "{cycles:#?}");
}
