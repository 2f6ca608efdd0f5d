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

    let cargo_with = |arguments: &[&str], environment: &[(&str, &str)]| {
        let output = Command::new(env!("CARGO"))
            .args(arguments)
            .env_remove("SHIM_CHECKS")
            .env_remove("SHIM_DUMP")
            .envs(environment.iter().copied())
            .arg("--target-dir")
            .arg(copy.with_file_name("user_target"))
            .arg("--manifest-path")
            .arg(copy.join("Cargo.toml"))
            .output()
            .expect("cargo runs");
        let report = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{report}\n{}", String::from_utf8_lossy(&output.stdout));
        assert!(!report.contains("warning"), "{report}");
    };
    let cargo = |arguments: &[&str]| cargo_with(arguments, &[]);
    cargo(&["test", "--offline", "--lib"]);
    // The switches of the environment expand a crate again that is built already, and nothing does when they stay.
    let dump = copy.join("dump");
    let _ = fs::remove_dir_all(&dump);
    let folder = ("SHIM_DUMP", dump.to_str().expect("a path in UTF-8"));
    let mut seen = Vec::new();
    for checks in ["every", "", "every"] {
        let environment =
            if checks.is_empty() { vec![folder] } else { vec![folder, ("SHIM_CHECKS", checks)] };
        cargo_with(&["test", "--offline", "--lib", "--no-run"], &environment);
        let written = dumps(&dump);
        assert!(!written.is_empty(), "SHIM_CHECKS={checks:?} expands the crate again");
        seen.push(written);
        fs::remove_dir_all(&dump).expect("the dumps are removed");
        cargo_with(&["test", "--offline", "--lib", "--no-run"], &environment);
        assert!(!dump.exists(), "nothing has changed");
    }
    assert_ne!(seen[0], seen[1], "`every` tests accesses that are proven otherwise");
    assert_eq!(seen[0], seen[2]);
    let versions = seen[1].iter().find(|text| text.contains("versions!")).expect("a kernel with versions");
    assert_eq!(versions.matches("Runtime::new").count(), 1, "one body: {versions}");
    // What the attribute leaves behind must not be reported by the lints a user turns on either.
    cargo(&["clippy", "--offline", "--all-targets"]);
}

/// The texts of the dumps in a folder, in the order of their names.
fn dumps(folder: &Path) -> Vec<String> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut files: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.sort();
    files.iter().map(|file| fs::read_to_string(file).expect("a dump")).collect()
}
