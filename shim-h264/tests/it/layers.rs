//! Files use one another in one direction.

#[path = "../../../tests/layers/mod.rs"]
mod files;

use std::path::Path;

#[test]
fn no_files_need_one_another() {
    let uses = files::uses(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"));
    // The sources are read, and paths are followed: a re-export to where the item is.
    assert!(uses["encoder.rs"].contains("syntax/check.rs"), "{:?}", uses["encoder.rs"]);
    let cycles = files::cycles(&uses);
    for group in &cycles {
        for file in group {
            let within: Vec<_> = uses[*file].iter().filter(|used| group.contains(&&used[..])).collect();
            println!("{file} uses {within:?}");
        }
    }
    assert!(cycles.is_empty(), "{cycles:#?}");
}
