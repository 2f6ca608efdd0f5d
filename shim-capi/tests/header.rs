//! `include/shim.h` is the one that the functions give, and one that C and C++ compilers take.
//!
//! After a change of the interface, `SHIM_HEADER=write cargo test -p shim-capi --test header` writes it anew.

#![cfg(unix)]

use std::path::Path;
use std::process::Command;
use std::{env, fs};

const HEADER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/include/shim.h");

fn generated() -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let config = cbindgen::Config::from_file(folder.join("cbindgen.toml")).expect("cbindgen.toml");
    // By its file, and not as a crate, for which cargo would be asked, and fetch the packages of all platforms.
    let builder = cbindgen::Builder::new().with_config(config).with_src(folder.join("src/lib.rs"));
    let mut text = Vec::new();
    builder.generate().expect("a header").write(&mut text);
    String::from_utf8(text).expect("text")
}

#[test]
fn the_header_is_that_of_the_functions() {
    let generated = generated();
    if env::var_os("SHIM_HEADER").is_some_and(|wanted| wanted == "write") {
        fs::write(HEADER, generated).expect("a header that can be written");
        return;
    }
    let committed = fs::read_to_string(HEADER).unwrap_or_default();
    let differs =
        committed.lines().zip(generated.lines()).position(|(committed, generated)| committed != generated);
    assert!(
        committed == generated,
        "include/shim.h is not what the functions give, from line {} on: SHIM_HEADER=write cargo test -p shim-capi \
         --test header writes it",
        1 + differs.unwrap_or(committed.lines().count().min(generated.lines().count())),
    );
}

/// Compiles a file that includes the header, and nothing before it.
fn compiles(compiler: &str, arguments: &[&str], extension: &str) {
    let folder = tempfile::tempdir().expect("a folder");
    let source = folder.path().join("includes").with_extension(extension);
    // Not the one that is committed, which the other test may be writing.
    fs::write(folder.path().join("shim.h"), generated()).expect("a file");
    fs::write(&source, "#include \"shim.h\"\nint main(void) { return SHIM_OK; }\n").expect("a file");
    let output = Command::new(compiler)
        .args(["-Wall", "-Wextra", "-Werror", "-pedantic", "-fsyntax-only"])
        .args(arguments)
        .arg(&source)
        .output()
        .unwrap_or_else(|error| panic!("`{compiler}` is needed and cannot be run: {error}"));
    assert!(output.status.success(), "{compiler}: {}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn the_header_is_c99() {
    compiles("cc", &["-std=c99", "-Wstrict-prototypes"], "c");
}

#[test]
fn the_header_is_cpp() {
    if Command::new("c++").arg("--version").output().is_err() {
        assert!(env::var_os("CI").is_none(), "`c++` is needed where CI is set");
        println!("skipped: there is no `c++`");
        return;
    }
    compiles("c++", &["-std=c++11"], "cc");
}
