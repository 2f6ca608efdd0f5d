//! Which files of a crate use which, as their paths say. Tests of several crates include this file.

#![allow(dead_code, reason = "each test binary uses a part of it")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A module, by the names that lead to it from the crate's root.
pub(crate) type Module = Vec<String>;

/// The modules of a crate that each of its modules uses, without tests.
pub(crate) fn uses(root: &Path) -> BTreeMap<Module, Vec<Module>> {
    let mut files = Vec::new();
    sources(root, &mut files);
    let modules: Vec<(Module, String)> = files
        .iter()
        .map(|file| {
            let below = file.strip_prefix(root).expect("a file below").with_extension("");
            let mut names: Module = below.iter().map(|name| name.to_string_lossy().into_owned()).collect();
            if names.last().is_some_and(|name| name == "mod" || name == "lib") {
                names.pop();
            }
            (names, code(&std::fs::read_to_string(file).expect("a source")))
        })
        .collect();
    // The names that the root has from its modules.
    let exports: Vec<Module> = modules
        .iter()
        .filter(|(names, _)| names.is_empty())
        .flat_map(|(_, lib)| lib.split("pub use ").skip(1).flat_map(tree).collect::<Vec<_>>())
        .collect();
    let resolve = |mut path: Module| {
        if let [name, ..] = &path[..]
            && let Some(export) = exports.iter().find(|export| export.last() == Some(name))
        {
            path.clone_from(export);
        }
        while !modules.iter().any(|(names, _)| *names == path) {
            path.pop();
        }
        path
    };
    let used = |(names, source): &(Module, String)| {
        let mut all: Vec<Module> = mentioned(names, source).into_iter().map(resolve).collect();
        all.retain(|other| other != names && !other.is_empty());
        all.sort();
        all.dedup();
        (names.clone(), all)
    };
    modules.iter().filter(|(names, _)| !names.is_empty()).map(used).collect()
}

/// Modules each of which uses the next, and the last one the first, if there are any.
pub(crate) fn cycle(uses: &BTreeMap<Module, Vec<Module>>) -> Option<Vec<Module>> {
    let mut left = uses.clone();
    // What uses nothing that is left is in no cycle.
    while let Some(done) = left.iter().find(|(_, used)| !used.iter().any(|other| left.contains_key(other))) {
        let done = done.0.clone();
        left.remove(&done);
    }
    let mut path = vec![left.keys().next()?.clone()];
    loop {
        let next = left[path.last()?].iter().find(|other| left.contains_key(*other))?.clone();
        if let Some(first) = path.iter().position(|module| *module == next) {
            return Some(path.split_off(first));
        }
        path.push(next);
    }
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
        let path = entry.expect("an entry").path();
        if path.file_stem().is_some_and(|name| name == "tests") {
            continue;
        }
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// A source without comments and unit tests.
fn code(source: &str) -> String {
    let source = source.split("#[cfg(test)]\nmod tests {").next().unwrap_or(source);
    source.lines().map(|line| line.split("//").next().unwrap_or_default()).collect::<Vec<_>>().join("\n")
}

/// The paths of a module into its crate.
fn mentioned(module: &[String], source: &str) -> Vec<Module> {
    let mut paths = Vec::new();
    for (word, up) in [("crate::", module.len()), ("super::", 1), ("self::", 0)] {
        for rest in source.split(word).skip(1) {
            let (mut rest, mut up) = (rest, up);
            while let Some(above) = rest.strip_prefix("super::") {
                (rest, up) = (above, up + 1);
            }
            let base = &module[..module.len().saturating_sub(up)];
            paths.extend(tree(rest).into_iter().map(|path| [base, &path[..]].concat()));
        }
    }
    paths
}

/// The paths of a `use` tree, or the one path, at the beginning of a text.
fn tree(text: &str) -> Vec<Module> {
    fn walk<'t>(mut text: &'t str, prefix: &[String], paths: &mut Vec<Module>) -> &'t str {
        let mut path = prefix.to_vec();
        loop {
            text = text.trim_start();
            if let Some(inner) = text.strip_prefix('{') {
                text = inner;
                loop {
                    text = walk(text, &path, paths).trim_start();
                    match text.strip_prefix(',') {
                        Some(more) => text = more,
                        None => return text.strip_prefix('}').unwrap_or(text),
                    }
                }
            }
            let end = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
            let (name, rest) = text.split_at(end);
            if !name.is_empty() && name != "self" {
                path.push(name.to_owned());
            }
            match rest.strip_prefix("::") {
                Some(more) => text = more,
                None => {
                    paths.push(path);
                    return rest;
                }
            }
        }
    }
    let mut paths = Vec::new();
    walk(text, &[], &mut paths);
    paths
}
