//! Files use one another in one direction.

#[path = "../../tests/layers/mod.rs"]
mod layers;

use std::path::Path;

#[test]
fn no_files_need_one_another() {
    let uses = layers::uses(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"));
    // The sources are read, and paths are followed: a re-export to where the item is.
    assert!(uses["encoder.rs"].contains("syntax/check.rs"), "{:?}", uses["encoder.rs"]);
    let cycles = layers::cycles(&uses);
    for group in &cycles {
        for file in group {
            let within: Vec<_> = uses[*file].iter().filter(|used| group.contains(&&used[..])).collect();
            println!("{file} uses {within:?}");
        }
    }
    assert!(cycles.is_empty(), "{cycles:#?}");
}
