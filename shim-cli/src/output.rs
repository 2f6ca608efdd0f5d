//! Writing a file as a whole or not at all.

use std::fs::{self, File, Metadata, Permissions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::failure::{Failure, Reason};

/// Finds out what can be known beforehand about whether [`write()`] will succeed, lest a long encoding be in vain.
pub(crate) fn check(path: &Path) -> Result<(), Failure> {
    destination(path).map(drop).map_err(|error| Failure::new(path, Reason::Write(error)))
}

/// Writes `bytes` to a file beside `path` and renames it, so that `path` is at no time part of a file.
///
/// An existing file keeps its permissions, and a symbolic link stays one. What is no regular file, as /dev/null or a
/// pipe, cannot be replaced and is written to.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let written = destination(path).and_then(|destination| match destination {
        Destination::Device => File::options().write(true).open(path)?.write_all(bytes),
        Destination::File { path, permissions } => replace(&path, permissions, bytes),
    });
    written.map_err(|error| Failure::new(path, Reason::Write(error)))
}

/// Where the bytes go.
enum Destination {
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

fn destination(path: &Path) -> io::Result<Destination> {
    match fs::metadata(path) {
        Ok(there) => existing(path, &there),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            fs::metadata(folder(path)).map_err(|_| {
                let message = format!("the folder {} does not exist", folder(path).display());
                io::Error::new(io::ErrorKind::NotFound, message)
            })?;
            Ok(Destination::File { path: path.to_owned(), permissions: None })
        }
        Err(error) => Err(error),
    }
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

fn replace(path: &Path, permissions: Option<Permissions>, bytes: &[u8]) -> io::Result<()> {
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
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}
