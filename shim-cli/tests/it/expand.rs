//! `shim expand`. `tests/user_crate.rs` of the workspace stores and reads expansions; here a build script takes the part of
//! the macros.

use std::fs;
use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

/// A crate whose build script writes what its file `expansions` says.
fn package() -> TempDir {
    let folder = TempDir::new().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    fs::create_dir(folder.path().join("src")).unwrap();
    write("Cargo.toml", "[package]\nname = \"plain-crate\"\nedition = \"2024\"\n\n[workspace]\n");
    write("src/lib.rs", "");
    write(
        "build.rs",
        r#"fn main() {
            println!("cargo:rerun-if-changed=always");
            let (Some(folder), Ok(text)) = (std::env::var_os("SHIM_STORE"), std::fs::read("expansions")) else { return };
            let folder = std::path::PathBuf::from(folder);
            std::fs::create_dir_all(&folder).unwrap();
            std::fs::write(folder.join("plain_crate.tokens"), text).unwrap();
        }"#,
    );
    folder
}

/// The exit code and what is reported.
fn expand(folder: &Path, arguments: &[&str]) -> (i32, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_shim"));
    let command = command.arg("expand").args(arguments).current_dir(folder);
    // The folder of this package's own build.
    let output = command.env_remove("CARGO_TARGET_DIR").env("CARGO_NET_OFFLINE", "true").output().unwrap();
    let text = [output.stdout, output.stderr].concat();
    (output.status.code().unwrap(), String::from_utf8_lossy(&text).into_owned())
}

#[test]
fn expansions_are_stored_and_compared() {
    let folder = package();
    let stored = folder.path().join("expanded/plain_crate.tokens");
    fs::write(folder.path().join("expansions"), "one").unwrap();
    let (code, text) = expand(folder.path(), &["--store", "--package", "plain-crate"]);
    assert_eq!(code, 0, "{text}");
    assert!(text.contains("plain_crate.tokens"), "{text}");
    assert_eq!(fs::read_to_string(&stored).unwrap(), "one");
    // The folder is there now.
    assert_eq!(expand(folder.path(), &["--check"]).0, 0);
    fs::write(folder.path().join("expansions"), "two").unwrap();
    let (code, text) = expand(folder.path(), &["--check"]);
    assert_eq!(code, 1, "{text}");
    assert!(text.contains("is not what the compiler writes"), "{text}");
    assert_eq!(fs::read_to_string(&stored).unwrap(), "one");
    assert_eq!(expand(folder.path(), &["--store"]).0, 0);
    assert_eq!(fs::read_to_string(&stored).unwrap(), "two");
    // A build that fails leaves the stored file as it is.
    fs::write(folder.path().join("src/lib.rs"), "fn open(").unwrap();
    let (code, text) = expand(folder.path(), &["--store"]);
    assert_eq!(code, 1, "{text}");
    assert!(text.contains("the package `plain-crate` does not build"), "{text}");
    assert_eq!(fs::read_to_string(&stored).unwrap(), "two");
}

#[test]
fn packages_without_kernels_are_told() {
    let folder = package();
    let message = |arguments: &[&str]| {
        let (code, text) = expand(folder.path(), arguments);
        assert_eq!(code, 1, "{text}");
        text
    };
    assert!(message(&["--store"]).contains("no package has a folder `expanded`"));
    assert!(message(&["--store", "-p", "other"]).contains("the package `other` is not in this workspace"));
    assert!(message(&["--store", "-p", "plain-crate"]).contains("the package `plain-crate` has no kernels"));
    assert!(!folder.path().join("expanded").exists());
    assert_eq!(expand(folder.path(), &[]).0, 2);
    assert_eq!(expand(folder.path(), &["--store", "--check"]).0, 2);
}
