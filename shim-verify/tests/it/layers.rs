//! The verifier shares nothing with the compiler.

use std::fs;

use crate::stored;

#[test]
fn no_crate_of_the_project_is_a_dependency() {
    let manifest = fs::read_to_string(stored::folder().join("Cargo.toml")).expect("it can be read");
    let dependencies = manifest.split("[dependencies]").nth(1).expect("it has dependencies");
    let names: Vec<_> = dependencies
        .lines()
        .take_while(|line| !line.starts_with('['))
        .filter_map(|line| line.split(['.', ' ', '=']).next().filter(|name| !name.is_empty()))
        .collect();
    assert_eq!(names, ["proc-macro2", "quote", "sha2", "syn"]);
}
