//! Pairs of input and output files.

use std::collections::HashMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use shim_files::Target;
use shim_picture::folder::{self, Found, WalkError};

use crate::args::Files;
use crate::failure::{Failure, Reason};
use crate::identity::Identity;
use crate::standard::{input_name, is_standard, output_name};

/// An image to read and a file to write.
#[derive(Debug)]
pub(crate) struct Job {
    pub(crate) input: PathBuf,
    pub(crate) output: Target,
}

/// The jobs in order, and in the place of those that cannot be done the reason; and how many outputs are there already
/// and stay.
pub(crate) fn plan(files: &Files) -> (Vec<Result<Job, Failure>>, usize) {
    let keep_times = files.preserve_times;
    let Some(out_dir) = &files.out_dir else {
        let [input, output] = &files.paths[..] else { unreachable!("the command line has been checked") };
        let output = Target { source: Some(input.clone()), keep_times, ..Target::replacing(output) };
        return (vec![Ok(Job { input: input.clone(), output })], 0);
    };
    let suffix = files.suffix.as_deref().unwrap_or_default();
    let mut jobs = Vec::new();
    // Who writes a file first.
    let mut taken: HashMap<PathBuf, PathBuf> = HashMap::new();
    let found: Vec<_> = files.paths.iter().flat_map(|path| images(path, out_dir)).collect();
    let inputs =
        found.iter().flatten().filter_map(|found| Some((Identity::of_input(&found.path)?, &found.path)));
    let inputs: HashMap<Identity, PathBuf> = inputs.map(|(id, input)| (id, input.clone())).collect();
    for found in found {
        jobs.push(found.and_then(|Found { path: input, place }| {
            let path = out_dir.join(named(&place, suffix));
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
            let source = Some(input.clone());
            let output = Target {
                replace: files.force,
                make_folder: true,
                source,
                keep_times,
                ..Target::replacing(path)
            };
            Ok(Job { input, output })
        }));
    }
    let all = jobs.len();
    let skipped = |job: &Result<Job, Failure>| job.as_ref().is_ok_and(|job| job.output.path.exists());
    jobs.retain(|job| !(files.skip_existing && skipped(job)));
    let skipped = all - jobs.len();
    (jobs, skipped)
}

/// The image that is named, or those in a folder.
fn images(path: &Path, out_dir: &Path) -> Vec<Result<Found, Failure>> {
    if is_standard(path) {
        return vec![Ok(Found { path: path.to_owned(), place: "stdin".into() })];
    }
    if !path.is_dir() {
        let place = path.file_name().map(PathBuf::from).unwrap_or_default();
        return vec![Ok(Found { path: path.to_owned(), place })];
    }
    let mut found: Vec<_> =
        folder::images(path, out_dir).map(|found| found.map_err(|error| walk_failure(path, error))).collect();
    if found.is_empty() {
        found.push(Err(Failure::input(path, Reason::NoImages)));
    }
    found
}

fn walk_failure(folder: &Path, error: WalkError) -> Failure {
    let path = error.path().unwrap_or(folder).to_owned();
    let ancestor = error.loop_ancestor().map(|ancestor| ancestor.display().to_string());
    match (ancestor, error.into_io_error()) {
        (Some(ancestor), _) => Failure::input(&path, Reason::Loop(ancestor)),
        (None, Some(error)) => Failure::input(&path, Reason::Read(error)),
        (None, None) => Failure::input(&path, Reason::NoImages),
    }
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
    }
}
