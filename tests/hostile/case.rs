//! Cases, and the reader of `cases/*.rs`.
//!
//! A case is a top-level `mod`. The comment `//@ value | reject` above it lists the outcomes it may have, the ideal one
//! first. `run` calls the kernel; `want` is its plain twin, the same text without tensors, so that rustc alone resolves
//! the names. `//@ alone` makes the body of the `mod` the root of its own crate.

use std::fmt;
use std::path::{Path, PathBuf};

use crate::judge::Outcome;

/// Accepted outcomes, the ideal one first.
#[derive(Clone, Debug)]
pub(crate) struct Expected(Vec<String>);

impl Expected {
    fn parse(text: &str) -> Expected {
        Expected(text.split('|').map(|kind| kind.trim().to_owned()).collect())
    }

    /// Every outcome that is not a finding, for generated programs.
    pub(crate) fn any() -> Expected {
        Expected::parse("value | panic | reject")
    }

    pub(crate) fn allows(&self, outcome: &Outcome) -> bool {
        self.0.iter().any(|kind| kind == outcome.kind())
    }
}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join(" | "))
    }
}

/// One small program.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    /// The file it is from, without its extension.
    pub(crate) group: String,
    pub(crate) name: String,
    /// The body of its module.
    pub(crate) text: String,
    pub(crate) expected: Expected,
    /// Whether it is the root of a crate of its own.
    pub(crate) alone: bool,
}

impl Case {
    pub(crate) fn new(name: &str, text: String, expected: Expected) -> Case {
        Case { group: "generated".to_owned(), name: name.to_owned(), text, expected, alone: false }
    }

    pub(crate) fn full_name(&self) -> String {
        format!("{}::{}", self.group, self.name)
    }

    /// Whether it has a plain twin. A case that has to panic or be rejected needs none.
    pub(crate) fn has_twin(&self) -> bool {
        self.text.contains("pub fn want()")
    }
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hostile")
}

/// Crates that cases name, by name.
pub(crate) fn crates() -> Vec<(String, PathBuf)> {
    rust_files(&folder().join("crates"))
}

fn rust_files(folder: &Path) -> Vec<(String, PathBuf)> {
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "rs"))
        .map(|path| (path.file_stem().expect("a name").to_string_lossy().into_owned(), path))
        .collect();
    files.sort();
    files
}

/// All cases, in file order.
pub(crate) fn read() -> Vec<Case> {
    let mut cases = Vec::new();
    for (group, path) in rust_files(&folder().join("cases")) {
        let text = std::fs::read_to_string(&path).expect("a file of cases");
        split(&group, &text, &mut cases);
    }
    for (i, case) in cases.iter().enumerate() {
        let twice = cases[..i].iter().any(|other| other.name == case.name);
        assert!(!twice, "two cases are called {}", case.name);
    }
    cases
}

fn split(group: &str, text: &str, cases: &mut Vec<Case>) {
    let (mut expected, mut alone) = (None, false);
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if let Some(note) = line.strip_prefix("//@ ") {
            match note {
                "alone" => alone = true,
                kinds => expected = Some(Expected::parse(kinds)),
            }
        } else if let Some(name) = line.strip_prefix("mod ").and_then(|line| line.strip_suffix(" {")) {
            let body: Vec<&str> = lines.by_ref().take_while(|line| *line != "}").collect();
            let expected = expected.take().unwrap_or_else(|| panic!("{group}::{name} expects nothing"));
            let (group, name, text) = (group.to_owned(), name.to_owned(), body.join("\n") + "\n");
            let case = Case { group, name, text, expected, alone: std::mem::take(&mut alone) };
            let needs_twin = case.expected.to_string().contains("value");
            assert!(case.has_twin() || !needs_twin, "{} has no plain twin", case.full_name());
            cases.push(case);
        }
    }
}
