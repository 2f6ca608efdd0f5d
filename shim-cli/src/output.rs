//! Writing a file as a whole or not at all.

use std::fs::{self, File, Metadata, Permissions};
use std::io::{self, Seek, SeekFrom, StdoutLock, Write};
use std::path::{Path, PathBuf};

use crate::failure::{Failure, Reason};
use crate::standard::is_standard;
use crate::temporary::Temporary;

/// A file that is to be written.
#[derive(Clone, Debug)]
pub(crate) struct Target {
    /// Its path, or `-`.
    pub(crate) path: PathBuf,
    /// Whether one that is there may be replaced.
    pub(crate) replace: bool,
    /// Whether to make the folder if it is not there.
    pub(crate) make_folder: bool,
    /// Whether to write under the final name from the start, so that an interrupted file remains.
    pub(crate) grows: bool,
}

impl Target {
    /// Finds out what can be known beforehand about whether [`write()`](Self::write) will succeed, lest a long encoding
    /// be in vain.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        self.destination().map(drop).map_err(|error| self.failure(error))
    }

    /// Writes `bytes`, as [`open`](Self::open) has it.
    pub(crate) fn write(&self, bytes: &[u8]) -> Result<(), Failure> {
        let mut output = self.open()?;
        output.write_all(bytes).map_err(|error| self.failure(error))?;
        output.finish(self)
    }

    /// Begins a file in the folder of the path, which in the end is given its name, so that the path is at no time part
    /// of a file.
    ///
    /// An existing file keeps its permissions, and a symbolic link stays one. What is no regular file, as /dev/null or
    /// a pipe, cannot be replaced and is written to.
    pub(crate) fn open(&self) -> Result<Output, Failure> {
        let opened = self.destination().and_then(|destination| match destination {
            Destination::Stdout => Ok(Output::Stdout(io::stdout().lock())),
            Destination::Device => Ok(Output::Device(File::options().write(true).open(&self.path)?)),
            Destination::File { path, .. } if self.grows => Ok(Output::Growing(File::create(path)?)),
            Destination::File { path, permissions } => {
                if self.make_folder {
                    fs::create_dir_all(folder(&path))?;
                }
                Ok(Output::Beside { file: Temporary::new(folder(&path), permissions)?, path })
            }
        });
        opened.map_err(|error| self.failure(error))
    }

    pub(crate) fn failure(&self, error: io::Error) -> Failure {
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

/// A file under way. If it is dropped before its end, nothing is left of it, unless it grows.
#[derive(Debug)]
pub(crate) enum Output {
    Stdout(StdoutLock<'static>),
    Device(File),
    /// A file under its own name, which stays.
    Growing(File),
    Beside {
        file: Temporary,
        /// The path that is to be its own, symbolic links followed.
        path: PathBuf,
    },
}

impl Output {
    /// The file, if what was written can be read and written again.
    pub(crate) fn regular_file(&mut self) -> Option<&mut File> {
        match self {
            Self::Stdout(_) | Self::Device(_) | Self::Growing(_) => None,
            Self::Beside { file, .. } => Some(file.file()),
        }
    }

    /// Ends the file of a target.
    pub(crate) fn finish(self, target: &Target) -> Result<(), Failure> {
        let finished = match self {
            Self::Stdout(mut stdout) => stdout.flush(),
            Self::Device(_) | Self::Growing(_) => Ok(()),
            Self::Beside { file, path } => file.persist(&path, target.replace),
        };
        finished.map_err(|error| target.failure(error))
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Stdout(stdout) => stdout.write(bytes),
            Self::Device(file) | Self::Growing(file) => file.write(bytes),
            Self::Beside { file, .. } => file.file().write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Stdout(stdout) => stdout.flush(),
            Self::Device(file) | Self::Growing(file) => file.flush(),
            Self::Beside { file, .. } => file.file().flush(),
        }
    }
}

impl Seek for Output {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        match self {
            Self::Stdout(_) => Err(io::ErrorKind::NotSeekable.into()),
            Self::Device(file) | Self::Growing(file) => file.seek(to),
            Self::Beside { file, .. } => file.file().seek(to),
        }
    }
}
