//! Writing a file as a whole or not at all.

use std::fs::{self, File, FileTimes, Metadata, Permissions};
use std::io::{self, Seek, SeekFrom, Stdout, Write};
use std::path::{Path, PathBuf};

use crate::is_standard;
use crate::temporary::Temporary;

/// A file that is to be written.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a choice of its own")]
pub struct Target {
    /// Its path, or `-`.
    pub path: PathBuf,
    /// Whether one that is there may be replaced.
    pub replace: bool,
    /// Whether to make the folder if it is not there.
    pub make_folder: bool,
    /// Whether to write under the final name from the start, so that an interrupted file remains.
    pub grows: bool,
    /// The file that it is made from: a new file is not readable by more users than that one.
    pub source: Option<PathBuf>,
    /// Whether the file gets the times of its source.
    pub keep_times: bool,
}

impl Target {
    /// A file that replaces one that is there, in a folder that is there.
    pub fn replacing(path: impl Into<PathBuf>) -> Self {
        Self {
            path: path.into(),
            replace: true,
            make_folder: false,
            grows: false,
            source: None,
            keep_times: false,
        }
    }

    /// Checks whether [`write()`](Self::write) can succeed, before time is spent on the contents.
    ///
    /// # Errors
    ///
    /// Those of the file system; `AlreadyExists` for a file that is not to be replaced.
    pub fn check(&self) -> io::Result<()> {
        self.destination().map(drop)
    }

    /// Writes `bytes`, as [`open`](Self::open) has it.
    ///
    /// # Errors
    ///
    /// Those of [`check`](Self::check).
    pub fn write(&self, bytes: &[u8]) -> io::Result<()> {
        let mut output = self.open()?;
        output.write_all(bytes)?;
        output.finish(self)
    }

    /// Begins a file in the folder of the path, which in the end is given its name, so that the path is at no time part
    /// of a file.
    ///
    /// An existing file keeps its permissions, and a symbolic link stays one. What is no regular file, as /dev/null or
    /// a pipe, cannot be replaced and is written to.
    ///
    /// # Errors
    ///
    /// Those of [`check`](Self::check).
    pub fn open(&self) -> io::Result<Output> {
        Ok(match self.destination()? {
            Destination::Stdout => Output::Stdout(io::stdout()),
            Destination::Device => Output::Device(File::options().write(true).open(&self.path)?),
            Destination::File { path, permissions } => {
                if self.make_folder {
                    fs::create_dir_all(folder(&path))?;
                }
                let source = self.source.as_deref().filter(|_| !path.exists());
                if self.grows {
                    let file = File::create(path)?;
                    source.map_or(Ok(()), |source| narrow(&file, source))?;
                    return Ok(Output::Growing(file));
                }
                let mut file = Temporary::new(folder(&path), permissions)?;
                source.map_or(Ok(()), |source| narrow(file.file(), source))?;
                Output::Beside { file, path }
            }
        })
    }

    fn destination(&self) -> io::Result<Destination> {
        let path = &self.path;
        if is_standard(path) {
            return if stdout_is_closed() {
                Err(io::Error::new(io::ErrorKind::BrokenPipe, "stdout is closed"))
            } else {
                Ok(Destination::Stdout)
            };
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
                Ok(Destination::File { path: behind_links(path)?, permissions: None })
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

/// Whether the process began without a stdout.
///
/// Rust's runtime then opens /dev/null for reading and writing, whereas a shell that discards output opens it for writing only.
#[cfg(target_os = "linux")]
fn stdout_is_closed() -> bool {
    use rustix::fs::{OFlags, fcntl_getfl, fstat, major, minor};
    let stdout = io::stdout();
    let is_null = fstat(&stdout).is_ok_and(|about| (major(about.st_rdev), minor(about.st_rdev)) == (1, 3));
    is_null && fcntl_getfl(&stdout).is_ok_and(|flags| flags & OFlags::RWMODE == OFlags::RDWR)
}

#[cfg(not(target_os = "linux"))]
fn stdout_is_closed() -> bool {
    false
}

/// The path of a file that is not there yet, behind symbolic links that lead to it.
fn behind_links(path: &Path) -> io::Result<PathBuf> {
    /// As many as Linux follows.
    const MOST: usize = 40;
    let mut path = path.to_owned();
    for _ in 0..MOST {
        match fs::read_link(&path) {
            Ok(target) => path = folder(&path).join(target),
            Err(_) => return Ok(path),
        }
    }
    Err(io::Error::other("too many symbolic links"))
}

/// Takes the permissions to read and write from a new file that its source does not have.
#[cfg(unix)]
fn narrow(file: &File, source: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let Ok(about) = fs::metadata(source) else { return Ok(()) };
    if !about.is_file() {
        return Ok(());
    }
    let (own, allowed) = (file.metadata()?.permissions().mode(), about.permissions().mode());
    // Who may write it is the owner's to say.
    file.set_permissions(Permissions::from_mode(own & (allowed | 0o200)))
}

#[cfg(not(unix))]
fn narrow(_file: &File, _source: &Path) -> io::Result<()> {
    Ok(())
}

/// Gives a file the times of its source, if that is a file.
fn keep_times(file: &File, source: &Path) -> io::Result<()> {
    let Ok(about) = fs::metadata(source) else { return Ok(()) };
    if !about.is_file() {
        return Ok(());
    }
    file.set_times(FileTimes::new().set_modified(about.modified()?).set_accessed(about.accessed()?))
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
pub enum Output {
    /// Stdout.
    Stdout(Stdout),
    /// A device or a pipe.
    Device(File),
    /// A file under its final name, which remains if the process is interrupted.
    Growing(File),
    /// A file that gets its name in the end.
    Beside {
        /// The file.
        file: Temporary,
        /// Its final path, with symbolic links followed.
        path: PathBuf,
    },
}

impl Output {
    /// The file, if what was written can be read and written again.
    pub fn regular_file(&mut self) -> Option<&mut File> {
        match self {
            Self::Stdout(_) | Self::Device(_) | Self::Growing(_) => None,
            Self::Beside { file, .. } => Some(file.file()),
        }
    }

    /// Ends the file of a target.
    ///
    /// # Errors
    ///
    /// Those of the file system.
    pub fn finish(self, target: &Target) -> io::Result<()> {
        match self {
            Self::Stdout(mut stdout) => stdout.flush(),
            Self::Device(_) | Self::Growing(_) => Ok(()),
            Self::Beside { mut file, path } => {
                if let (true, Some(source)) = (target.keep_times, &target.source) {
                    keep_times(file.file(), source)?;
                }
                file.persist(&path, target.replace)
            }
        }
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
