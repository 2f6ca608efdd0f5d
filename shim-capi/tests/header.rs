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

/// Nothing that a program links or includes can clash with a name of its own.
#[test]
fn every_name_has_the_prefix() {
    let header = generated();
    let code: String = header
        .lines()
        .filter(|line| !line.trim_start().starts_with(['*', '/']))
        .map(|line| line.split("/*").next().unwrap_or_default())
        .collect::<Vec<_>>()
        .join("\n");
    let functions = code.match_indices('(').map(|(at, _)| {
        let start = code[..at].rfind(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        &code[start.map_or(0, |start| start + 1)..at]
    });
    let functions: Vec<&str> =
        functions.filter(|name| !name.is_empty() && !["defined", "if"].contains(name)).collect();
    assert!(functions.len() > 60, "{}", functions.len());
    for name in functions {
        assert!(name.starts_with("shim_"), "{name}");
    }
    let macros = code
        .lines()
        .filter_map(|line| line.strip_prefix("#define "))
        .map(|rest| rest.split([' ', '(']).next());
    assert!(macros.flatten().all(|name| name.starts_with("SHIM_")));
    let types = code.lines().filter(|line| line.starts_with("typedef") || line.starts_with('}'));
    let types =
        types.filter_map(|line| line.strip_suffix(';')).filter_map(|line| line.split(' ').next_back());
    for name in types.filter(|name| name.len() > 1 && !name.contains(')')) {
        assert!(name.starts_with("shim_"), "{name}");
    }
    let callbacks = code.lines().filter(|line| line.starts_with("typedef"));
    let callbacks: Vec<&str> = callbacks.filter_map(|line| Some(line.split_once("(*")?.1)).collect();
    assert_eq!(callbacks.len(), 2);
    for name in callbacks {
        assert!(name.starts_with("shim_"), "{name}");
    }
}
