//! A crate of a user, built by a cargo of its own. (`strict_crate.rs` has the same lints inside this package; a
//! dependency is what a user has.)

use std::fs;
use std::path::Path;
use std::process::Command;

/// `tests/user_crate` forbids `unsafe` and denies every warning, and has kernels of each kind.
#[test]
fn strict_crates_may_have_kernels() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let fixture = root.join("tests/user_crate");
    // A copy, so that no lock file appears among the sources.
    let copy = Path::new(env!("CARGO_TARGET_TMPDIR")).join("user_crate");
    fs::create_dir_all(copy.join("src")).expect("a folder in target/");
    let manifest = fs::read_to_string(fixture.join("Cargo.toml")).expect("its manifest");
    let path = format!("path = {:?}", root.to_str().expect("a path in UTF-8"));
    fs::write(copy.join("Cargo.toml"), manifest.replace(r#"path = "../..""#, &path)).expect("it is written");
    fs::copy(fixture.join("src/lib.rs"), copy.join("src/lib.rs")).expect("its source");
    // The versions that are downloaded already; cargo drops those it has no use for.
    fs::copy(root.join("Cargo.lock"), copy.join("Cargo.lock")).expect("the lock file");

    let cargo = |arguments: &[&str]| {
        let output = Command::new(env!("CARGO"))
            .args(arguments)
            .arg("--target-dir")
            .arg(copy.join("target"))
            .arg("--manifest-path")
            .arg(copy.join("Cargo.toml"))
            .output()
            .expect("cargo runs");
        let report = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{report}\n{}", String::from_utf8_lossy(&output.stdout));
        assert!(!report.contains("warning"), "{report}");
    };
    cargo(&["test", "--offline", "--lib"]);
    // What the attribute leaves behind must not be reported by the lints a user turns on either.
    cargo(&["clippy", "--offline", "--all-targets"]);
}
