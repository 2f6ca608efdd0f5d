//! A crate of a user, built by a cargo of its own. (`strict_crate.rs` has the same lints inside this package; a
//! dependency is what a user has.)

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A copy of `tests/user_crate`, so that nothing appears among the sources.
struct Copy(PathBuf);

impl Copy {
    fn new(name: &str) -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let copy = Self(Path::new(env!("CARGO_TARGET_TMPDIR")).join(name));
        let _ = fs::remove_dir_all(copy.0.join("expanded"));
        fs::create_dir_all(copy.0.join("src")).expect("a folder in target/");
        copy.depend("");
        fs::copy(root.join("tests/user_crate/src/lib.rs"), copy.0.join("src/lib.rs")).expect("its source");
        // The versions that are downloaded already; cargo drops those it has no use for.
        fs::copy(root.join("Cargo.lock"), copy.0.join("Cargo.lock")).expect("the lock file");
        copy
    }

    /// Makes it depend on `shim` with these settings besides its path.
    fn depend(&self, settings: &str) {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let manifest = fs::read_to_string(root.join("tests/user_crate/Cargo.toml")).expect("its manifest");
        let path = format!("path = {:?}{settings}", root.to_str().expect("a path in UTF-8"));
        fs::write(self.0.join("Cargo.toml"), manifest.replace(r#"path = "../..""#, &path))
            .expect("it is written");
    }

    /// Whether cargo succeeds, and its report.
    fn report(&self, arguments: &[&str], environment: &[(&str, &str)]) -> (bool, String) {
        let output = Command::new(env!("CARGO"))
            .args(arguments)
            .env_remove("SHIM_CHECKS")
            .env_remove("SHIM_DUMP")
            .envs(environment.iter().copied())
            .arg("--target-dir")
            .arg(self.0.with_file_name("user_target"))
            .arg("--manifest-path")
            .arg(self.0.join("Cargo.toml"))
            .output()
            .expect("cargo runs");
        let report = [output.stderr, output.stdout].concat();
        (output.status.success(), String::from_utf8_lossy(&report).into_owned())
    }

    fn cargo_with(&self, arguments: &[&str], environment: &[(&str, &str)]) {
        let (success, report) = self.report(arguments, environment);
        assert!(success && !report.contains("warning"), "{report}");
    }
}

/// Its library, expanded with the compiler, builds without it, under the same lints, and passes its tests.
#[test]
fn stored_expansions_need_no_compiler() {
    let copy = Copy::new("stored_crate");
    copy.cargo_with(&["check", "--offline", "--lib"], &[("SHIM_STORE", "expanded")]);
    let stored = copy.0.join("expanded/user_crate.tokens");
    let written = fs::read_to_string(&stored).expect("the expansions");
    copy.depend(r#", default-features = false, features = ["std"]"#);
    copy.cargo_with(&["test", "--offline", "--lib"], &[]);
    let tree = copy.report(&["tree", "--offline", "--edges", "normal"], &[]).1;
    assert!(!tree.contains("shim-stage") && !tree.contains("syn "), "{tree}");
    let fails = |environment: &[(&str, &str)], message: &str| {
        let (success, report) = copy.report(&["check", "--offline", "--lib"], environment);
        assert!(!success && report.contains(message), "{report}");
    };
    fails(&[("SHIM_CHECKS", "every")], "SHIM_CHECKS is set, and shim is built without its compiler");
    let source = copy.0.join("src/lib.rs");
    let text = fs::read_to_string(&source).expect("its source");
    fs::write(&source, text.replacen("#[shim::kernel]\n", "#[shim::kernel(checks = \"every\")]\n", 1))
        .expect("it is written");
    fails(&[], "run `shim expand --store`, or enable the feature `compiler` of shim");
    fs::write(&source, text).expect("it is written");
    fs::write(&stored, &written[..written.len() / 2]).expect("it is written");
    fails(&[], "expanded/user_crate.tokens is damaged");
    fs::remove_file(&stored).expect("it is removed");
    fails(&[], "enable the feature `compiler` of shim, or run");
}

/// `tests/user_crate` forbids `unsafe` and denies every warning, and has kernels of each kind.
#[test]
fn strict_crates_may_have_kernels() {
    let copy = Copy::new("user_crate");
    let cargo_with =
        |arguments: &[&str], environment: &[(&str, &str)]| copy.cargo_with(arguments, environment);
    let copy = &copy.0;
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
