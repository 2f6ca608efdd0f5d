//! What the kernels of `tests/fixtures` expand to, word for word. After a change, `cargo insta review`, or
//! `INSTA_UPDATE=always cargo test -p shim-stage --test it golden` and a look at the difference.
//!
//! `INSTA_UPDATE=no`, and `CI=true` by itself, compare and write nothing.

use crate::common::fixtures::FIXTURES;
use crate::common::world::expand_file;

/// A file's kernels one after the other, as prettyplease has them.
fn expansion(source: &str) -> String {
    let kernels = expand_file(source).expect("a fixture is Rust");
    let formatted = kernels.into_iter().map(|(name, tokens)| {
        let tokens = tokens.unwrap_or_else(|| panic!("`{name}` calls a template of another file"));
        // Of a template's own paths, which Rust outside of a macro does not know.
        let text = tokens.to_string().replace("$crate", "crate");
        let file = syn::parse_file(&text);
        prettyplease::unparse(&file.unwrap_or_else(|error| panic!("`{name}`: {error} in\n{text}")))
    });
    formatted.collect::<Vec<_>>().join("\n")
}

#[test]
fn fixtures_expand_as_they_did() {
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_snapshot_path("../snapshots");
    settings.set_omit_expression(true);
    // All of them are compared before the test fails.
    let differing: Vec<&str> = FIXTURES
        .iter()
        .filter(|(name, source)| {
            let compare = || settings.bind(|| insta::assert_snapshot!(*name, expansion(source)));
            std::panic::catch_unwind(std::panic::AssertUnwindSafe(compare)).is_err()
        })
        .map(|(name, _)| *name)
        .collect();
    assert!(differing.is_empty(), "other than in tests/snapshots: {}", differing.join(", "));
}

/// A fixture or a snapshot that nothing reads would be forgotten.
#[test]
fn every_fixture_has_one_snapshot() {
    let stems = |folder: &str, extension: &str| {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(folder);
        let mut stems: Vec<String> = std::fs::read_dir(&path)
            .unwrap_or_else(|error| panic!("{}: {error}", path.display()))
            .filter_map(|entry| {
                let name = entry.expect("an entry").file_name().into_string().expect("a name in UTF-8");
                name.strip_suffix(extension).map(str::to_owned)
            })
            .collect();
        stems.sort();
        stems
    };
    let listed: Vec<&str> = FIXTURES.iter().map(|(name, _)| *name).collect();
    assert_eq!(listed, stems("fixtures", ".rs"), "tests/common/fixtures.rs lists what tests/fixtures holds");
    assert_eq!(listed, stems("snapshots", ".snap"), "one snapshot for each fixture");
}
