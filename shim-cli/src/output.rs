//! Writing a file as a whole or not at all.

use std::fs::{self, File, Metadata, Permissions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::failure::{Failure, Reason};
use crate::standard::is_standard;

/// A file that is to be written.
#[derive(Clone, Debug)]
pub(crate) struct Target {
    /// Its path, or `-`.
    pub(crate) path: PathBuf,
    /// Whether one that is there may be replaced.
    pub(crate) replace: bool,
    /// Whether to make the folder if it is not there.
    pub(crate) make_folder: bool,
}

impl Target {
    /// Finds out what can be known beforehand about whether [`write()`](Self::write) will succeed, lest a long encoding
    /// be in vain.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        self.destination().map(drop).map_err(|error| self.failure(error))
    }

    /// Writes `bytes` to a file beside the path and renames it, so that the path is at no time part of a file.
    ///
    /// An existing file keeps its permissions, and a symbolic link stays one. What is no regular file, as /dev/null or a
    /// pipe, cannot be replaced and is written to.
    pub(crate) fn write(&self, bytes: &[u8]) -> Result<(), Failure> {
        let written = self.destination().and_then(|destination| match destination {
            Destination::Stdout => {
                let mut stdout = io::stdout().lock();
                stdout.write_all(bytes)?;
                stdout.flush()
            }
            Destination::Device => File::options().write(true).open(&self.path)?.write_all(bytes),
            Destination::File { path, permissions } => {
                if self.make_folder {
                    fs::create_dir_all(folder(&path))?;
                }
                replace(&path, self.replace, permissions, bytes)
            }
        });
        written.map_err(|error| self.failure(error))
    }

    fn failure(&self, error: io::Error) -> Failure {
        let there = error.kind() == io::ErrorKind::AlreadyExists && !self.replace;
        Failure::output(&self.path, if there { Reason::Exists } else { Reason::Write(error) })
    }

    fn destination(&self) -> io::Result<Destination> {
        let path = &self.path;
        if is_standard(path) {
            return Ok(Destination::Stdout);
        }
        match fs::metadata(path) {
            Ok(there) if self.replace || there.is_dir() => existing(path, &there),
            Ok(_) => Err(io::ErrorKind::AlreadyExists.into()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                if !self.make_folder {
                    fs::metadata(folder(path)).map_err(|_| {
                        let message = format!("the folder {} does not exist", folder(path).display());
                        io::Error::new(io::ErrorKind::NotFound, message)
                    })?;
                }
                Ok(Destination::File { path: path.to_owned(), permissions: None })
            }
            Err(error) => Err(error),
        }
    }
}

/// Where the bytes go.
enum Destination {
    Stdout,
    /// Something that is there and is not a regular file.
    Device,
    /// A file that is to be made or replaced.
    File {
        /// Its path, symbolic links followed.
        path: PathBuf,
        /// Those of the file that is there.
        permissions: Option<Permissions>,
    },
}

fn existing(path: &Path, there: &Metadata) -> io::Result<Destination> {
    if there.is_dir() {
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder"));
    }
    if !there.is_file() {
        return Ok(Destination::Device);
    }
    if there.permissions().readonly() {
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, "the file is read-only"));
    }
    Ok(Destination::File { path: fs::canonicalize(path)?, permissions: Some(there.permissions()) })
}

/// The folder in which `path` lies.
fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

fn replace(path: &Path, clobber: bool, permissions: Option<Permissions>, bytes: &[u8]) -> io::Result<()> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".shim-").suffix(".tmp");
    // A temporary file is made for its owner alone; this one is to become an ordinary file.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut file = builder.tempfile_in(folder(path))?;
    file.write_all(bytes)?;
    if let Some(permissions) = permissions {
        file.as_file().set_permissions(permissions)?;
    }
    // The contents must not reach the disk after the name.
    file.as_file().sync_all()?;
    let persisted = if clobber { file.persist(path) } else { file.persist_noclobber(path) };
    persisted.map(drop).map_err(|error| error.error)
}
