//! The identity of files behind paths.

use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};

use crate::is_standard;

/// A file, by itself if it is there and by its place otherwise.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Identity {
    /// Device and inode, which hard links share.
    #[cfg(unix)]
    Inode(u64, u64),
    /// The folder of a file that is not there, links followed, and its name.
    Path(PathBuf),
}

impl Identity {
    /// The file that is read from a path. `None` for devices and pipes, which can be read and written at the same time.
    pub fn of_input(path: &Path) -> Option<Self> {
        if is_standard(path) { imp::stdin() } else { Self::of_file(path) }
    }

    /// The file that is written to a path.
    pub fn of_output(path: &Path) -> Option<Self> {
        if is_standard(path) {
            return imp::stdout();
        }
        if path.exists() {
            return Self::of_file(path);
        }
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = fs::canonicalize(folder.unwrap_or(Path::new("."))).ok()?;
        Some(Self::Path(folder.join(path.file_name()?)))
    }

    fn of_file(path: &Path) -> Option<Self> {
        let about = fs::metadata(path).ok().filter(Metadata::is_file)?;
        imp::identity(path, &about)
    }
}

#[cfg(unix)]
mod imp {
    use std::fs::{File, Metadata};
    use std::io;
    use std::os::fd::{AsFd, BorrowedFd};
    use std::os::unix::fs::MetadataExt;
    use std::path::Path;

    use super::Identity;

    #[expect(clippy::unnecessary_wraps, reason = "other systems may not know")]
    pub(super) fn identity(_: &Path, about: &Metadata) -> Option<Identity> {
        Some(Identity::Inode(about.dev(), about.ino()))
    }

    pub(super) fn stdin() -> Option<Identity> {
        of_open_file(io::stdin().as_fd())
    }

    pub(super) fn stdout() -> Option<Identity> {
        of_open_file(io::stdout().as_fd())
    }

    fn of_open_file(file: BorrowedFd<'_>) -> Option<Identity> {
        let about = File::from(file.try_clone_to_owned().ok()?).metadata().ok().filter(Metadata::is_file)?;
        Some(Identity::Inode(about.dev(), about.ino()))
    }
}

#[cfg(not(unix))]
mod imp {
    use std::fs::{self, Metadata};
    use std::path::Path;

    use super::Identity;

    pub(super) fn identity(path: &Path, _: &Metadata) -> Option<Identity> {
        fs::canonicalize(path).ok().map(Identity::Path)
    }

    pub(super) fn stdin() -> Option<Identity> {
        None
    }

    pub(super) fn stdout() -> Option<Identity> {
        None
    }
}
