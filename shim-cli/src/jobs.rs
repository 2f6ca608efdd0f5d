//! Pairs of input and output files.

use std::collections::HashMap;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use crate::args::Files;
use crate::failure::{Failure, Reason};
use crate::identity::Identity;
use crate::output::Target;
use crate::standard::{input_name, is_standard, output_name};

/// An image to read and a file to write.
#[derive(Debug)]
pub(crate) struct Job {
    pub(crate) input: PathBuf,
    pub(crate) output: Target,
}

/// The jobs in order, and in the place of those that cannot be done the reason.
pub(crate) fn plan(files: &Files) -> Vec<Result<Job, Failure>> {
    let Some(folder) = &files.out_dir else {
        let [input, output] = &files.paths[..] else { unreachable!("the command line has been checked") };
        let output = Target { path: output.clone(), replace: true, make_folder: false, grows: false };
        return vec![Ok(Job { input: input.clone(), output })];
    };
    let suffix = files.suffix.as_deref().unwrap_or_default();
    let mut jobs = Vec::new();
    // Who writes a file first.
    let mut taken: HashMap<PathBuf, PathBuf> = HashMap::new();
    let found: Vec<_> = files.paths.iter().flat_map(|path| images(path, folder)).collect();
    let inputs =
        found.iter().flatten().filter_map(|found| Some((Identity::of_input(&found.input)?, &found.input)));
    let inputs: HashMap<Identity, PathBuf> = inputs.map(|(id, input)| (id, input.clone())).collect();
    for found in found {
        jobs.push(found.and_then(|Found { input, place }| {
            let path = folder.join(named(&place, suffix));
            if files.force
                && let Some(source) = Identity::of_output(&path).and_then(|output| inputs.get(&output))
            {
                let source = format!("the input {}", input_name(source));
                return Err(Failure::output(&path, Reason::SameFile(source)));
            }
            if let Some(other) = taken.get(&path) {
                let (other, output) = (input_name(other), output_name(&path));
                return Err(Failure::input(&input, Reason::Collision { other, output }));
            }
            taken.insert(path.clone(), input.clone());
            Ok(Job { input, output: Target { path, replace: files.force, make_folder: true, grows: false } })
        }));
    }
    jobs
}

/// An image that was found.
struct Found {
    input: PathBuf,
    /// Its path below the folder that was named, or its name.
    place: PathBuf,
}

/// The image that is named, or those in a folder.
fn images(path: &Path, out_dir: &Path) -> Vec<Result<Found, Failure>> {
    if is_standard(path) {
        return vec![Ok(Found { input: path.to_owned(), place: "stdin".into() })];
    }
    if !path.is_dir() {
        let place = path.file_name().map(PathBuf::from).unwrap_or_default();
        return vec![Ok(Found { input: path.to_owned(), place })];
    }
    // What an earlier run has written is not read, if it lies in a folder that is.
    let written = fs::canonicalize(out_dir).ok();
    let same = |one: &Path, other: Option<&PathBuf>| {
        other.is_some_and(|other| fs::canonicalize(one).is_ok_and(|p| p == *other))
    };
    let walk = WalkDir::new(path).follow_links(true).sort_by_file_name().into_iter();
    let entries = walk.filter_entry(|entry| {
        entry.depth() == 0 || !entry.file_type().is_dir() || !same(entry.path(), written.as_ref())
    });
    let mut found = Vec::new();
    for entry in entries {
        match entry {
            Ok(entry) if entry.file_type().is_file() && is_named_as_image(entry.path()) => {
                let place = entry.path().strip_prefix(path).unwrap_or(entry.path()).to_owned();
                found.push(Ok(Found { input: entry.into_path(), place }));
            }
            Ok(_) => {}
            Err(error) => found.push(Err(walk_failure(path, error))),
        }
    }
    if found.is_empty() {
        found.push(Err(Failure::input(path, Reason::NoImages)));
    }
    found
}

fn walk_failure(folder: &Path, error: walkdir::Error) -> Failure {
    let path = error.path().unwrap_or(folder).to_owned();
    let ancestor = error.loop_ancestor().map(|ancestor| ancestor.display().to_string());
    match (ancestor, error.into_io_error()) {
        (Some(ancestor), _) => Failure::input(&path, Reason::Loop(ancestor)),
        (None, Some(error)) => Failure::input(&path, Reason::Read(error)),
        (None, None) => Failure::input(&path, Reason::NoImages),
    }
}

/// Whether a file in a folder has the name of an image.
fn is_named_as_image(path: &Path) -> bool {
    const EXTENSIONS: [&str; 9] = ["png", "jpg", "jpeg", "jpe", "ppm", "pgm", "pbm", "pnm", "pam"];
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    EXTENSIONS.iter().any(|known| extension.eq_ignore_ascii_case(known))
}

/// The path with `.jpg` in the place of its extension, and before that the suffix.
fn named(place: &Path, suffix: &str) -> PathBuf {
    let mut name = place.file_stem().map(OsString::from).unwrap_or_default();
    name.push(suffix);
    name.push(".jpg");
    place.with_file_name(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        assert_eq!(named(Path::new("a/b.c.png"), ""), Path::new("a/b.c.jpg"));
        assert_eq!(named(Path::new("b"), "-small"), Path::new("b-small.jpg"));
        assert_eq!(named(Path::new(".hidden"), ""), Path::new(".hidden.jpg"));
        for (name, image) in [("a.PNG", true), ("a.jpeg", true), ("a.txt", false), ("png", false)] {
            assert_eq!(is_named_as_image(Path::new(name)), image);
        }
    }
}
