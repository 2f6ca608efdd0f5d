//! `shim expand`: the expansions of a crate's kernels, stored so that it builds without the compiler.
//!
//! Cargo builds the library of the crate with the compiler, and the macros write what they expand to
//! (`SHIM_STORE`, in `shim-macros`).

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{SystemTime, UNIX_EPOCH};

use serde::Deserialize;
use shim_files::Target;

use crate::args::Expand;
use crate::failure::Failure;
use crate::output::Named;

/// Why nothing could be stored.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    #[error("{0} cannot be run: {1}")]
    NoCargo(String, std::io::Error),
    #[error("cargo metadata: {0}")]
    Metadata(String),
    #[error("no package has a folder `expanded`\nhelp: name packages with `--package`")]
    NoPackage,
    #[error("the package `{0}` is not in this workspace, or has no library")]
    UnknownPackage(String),
    #[error("the package `{0}` does not build")]
    Build(String),
    #[error("the package `{0}` has no kernels, or builds shim without its feature `compiler`")]
    NoKernels(String),
    #[error("{0}: {1}")]
    File(PathBuf, std::io::Error),
    #[error(transparent)]
    Output(#[from] Failure),
    #[error("{} is not what the compiler writes\nhelp: run `shim expand --store`", .0.display())]
    Stale(PathBuf),
}

/// The part of `cargo metadata` that is needed.
#[derive(Deserialize)]
struct Workspace {
    packages: Vec<Package>,
    target_directory: PathBuf,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    manifest_path: PathBuf,
    targets: Vec<BuildTarget>,
}

#[derive(Deserialize)]
struct BuildTarget {
    name: String,
    kind: Vec<String>,
}

/// A package whose expansions are stored.
struct Stored {
    package: String,
    /// The file of its expansions.
    file: PathBuf,
}

impl Stored {
    fn of(package: &Package) -> Option<Self> {
        let is_library = |target: &&BuildTarget| target.kind.iter().any(|kind| kind.ends_with("lib"));
        let library = package.targets.iter().find(is_library)?;
        let file = format!("{}.tokens", library.name.replace('-', "_"));
        Some(Self {
            package: package.name.clone(),
            file: package.manifest_path.parent()?.join("expanded").join(file),
        })
    }
}

/// Stores the expansions, or compares them with those that are stored.
pub(crate) fn run(arguments: &Expand) -> Result<(), Error> {
    let workspace = workspace()?;
    let stored = chosen(&workspace.packages, &arguments.packages)?;
    // The macros write here: a build that fails leaves the stored files as they are.
    let folder = workspace.target_directory.join("expanded");
    for Stored { package, file } in &stored {
        let written = folder.join(file.file_name().unwrap_or_default());
        if written.exists() {
            fs::remove_file(&written).map_err(|error| Error::File(written.clone(), error))?;
        }
        expand(package, &folder)?;
        let read = |file: &Path| fs::read(file).map_err(|error| Error::File(file.to_owned(), error));
        if !written.exists() {
            return Err(Error::NoKernels(package.clone()));
        }
        let expansions = read(&written)?;
        if !arguments.check {
            Target { make_folder: true, ..Target::replacing(file) }.written(&expansions)?;
        } else if read(file)? != expansions {
            return Err(Error::Stale(file.clone()));
        }
        println!("{}", file.display());
    }
    Ok(())
}

/// Has the macros of a package write their expansions to a folder.
fn expand(package: &str, folder: &Path) -> Result<(), Error> {
    let mut cargo = cargo();
    cargo.args(["rustc", "--profile", "check", "--lib", "--all-features", "--package", package]);
    // Cargo skips a crate that is up to date, so that each build has a flag of its own.
    let time = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos();
    cargo.args(["--", "--cfg", &format!("shim_expanded_{time}")]).env("SHIM_STORE", folder);
    for name in ["SHIM_CHECKS", "SHIM_DUMP", "SHIM_NOTES", "SHIM_SCHEDULE"] {
        cargo.env_remove(name);
    }
    let status = cargo.status().map_err(|error| no_cargo(&cargo, error))?;
    if status.success() { Ok(()) } else { Err(Error::Build(package.to_owned())) }
}

/// The packages that were named, or else those with stored expansions.
fn chosen(packages: &[Package], names: &[String]) -> Result<Vec<Stored>, Error> {
    let known: BTreeSet<&String> = packages.iter().map(|package| &package.name).collect();
    if let Some(name) = names.iter().find(|name| !known.contains(name)) {
        return Err(Error::UnknownPackage(name.clone()));
    }
    let wanted = |package: &&Package| {
        let has_some = package.manifest_path.parent().is_some_and(|folder| folder.join("expanded").is_dir());
        if names.is_empty() { has_some } else { names.contains(&package.name) }
    };
    let stored = packages.iter().filter(wanted);
    let stored: Vec<Stored> = stored
        .map(|package| Stored::of(package).ok_or_else(|| Error::UnknownPackage(package.name.clone())))
        .collect::<Result<_, _>>()?;
    if stored.is_empty() { Err(Error::NoPackage) } else { Ok(stored) }
}

fn cargo() -> Command {
    Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

fn no_cargo(cargo: &Command, error: std::io::Error) -> Error {
    Error::NoCargo(cargo.get_program().to_string_lossy().into_owned(), error)
}

fn workspace() -> Result<Workspace, Error> {
    let mut cargo = cargo();
    let output = cargo.args(["metadata", "--no-deps", "--format-version", "1"]).output();
    let output = output.map_err(|error| no_cargo(&cargo, error))?;
    if !output.status.success() {
        return Err(Error::Metadata(String::from_utf8_lossy(&output.stderr).trim().to_owned()));
    }
    serde_json::from_slice(&output.stdout).map_err(|error| Error::Metadata(error.to_string()))
}
