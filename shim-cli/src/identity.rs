//! The identity of files behind paths.

use std::path::Path;

pub(crate) use shim_files::Identity;

use crate::failure::{Failure, Reason};
use crate::standard::{input_name, output_name};

/// Refuses to write over what is read, and to write two outputs to one file.
pub(crate) fn check<'p>(
    inputs: impl IntoIterator<Item = &'p Path>,
    outputs: impl IntoIterator<Item = &'p Path>,
) -> Result<(), Failure> {
    let known = |path: &'p Path| Some((Identity::of_input(path)?, format!("the input {}", input_name(path))));
    let mut taken: Vec<(Identity, String)> = inputs.into_iter().filter_map(known).collect();
    for path in outputs {
        let Some(identity) = Identity::of_output(path) else { continue };
        if let Some((_, other)) = taken.iter().find(|(other, _)| *other == identity) {
            return Err(Failure::output(path, Reason::SameFile(other.clone())));
        }
        taken.push((identity, format!("the output {}", output_name(path))));
    }
    Ok(())
}
