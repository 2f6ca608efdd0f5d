//! Files that get their name when they are complete.
//!
//! On Linux such a file has no name before (`O_TMPFILE`), so that nothing is left of it however the process ends. Where
//! the file system cannot do that, and on other systems, it is called `.shim-*.tmp`, and lies beside the file that it
//! will be: a signal that is handled removes it ([`remove_all`]), and after any other end the next run that writes to
//! the folder does.

use std::collections::BTreeSet;
use std::fs::{self, File, Permissions};
use std::io::{self, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

const PREFIX: &str = ".shim-";
const SUFFIX: &str = ".tmp";

/// A file younger than this may not be locked yet by the process that has just made it.
const YOUNG: Duration = Duration::from_secs(5);

/// The files with temporary names that this process has.
static NAMED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// The folders that were looked through for what other processes have left.
static SWEPT: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// A file under way. If it is dropped, nothing is left of it.
#[derive(Debug)]
pub struct Temporary {
    file: File,
    /// Its temporary name, if it has one.
    name: Option<Name>,
    /// The folder of its name.
    folder: PathBuf,
}

impl Temporary {
    /// A new file in a folder, with the permissions given or those of any other new file.
    ///
    /// # Errors
    ///
    /// Those of the file system.
    pub fn new(folder: &Path, permissions: Option<Permissions>) -> io::Result<Self> {
        let (file, name) = match unnamed(folder) {
            Some(file) => (file, None),
            None => named(folder).map(|(file, name)| (file, Some(name)))?,
        };
        if let Some(permissions) = permissions {
            file.set_permissions(permissions)?;
        }
        Ok(Self { file, name, folder: folder.to_owned() })
    }

    /// The file, to read and to write.
    pub fn file(&mut self) -> &mut File {
        &mut self.file
    }

    /// Gives the file its name, in the place of a file that has it if `replace` says so.
    ///
    /// # Errors
    ///
    /// Those of the file system; `AlreadyExists` for a file that is not to be replaced.
    pub fn persist(mut self, path: &Path, replace: bool) -> io::Result<()> {
        // The contents must not reach the disk after the name.
        self.file.sync_all()?;
        let name = match self.name.take() {
            Some(name) => name,
            None => match link(&self.file, path) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists && replace => {
                    self.linked_beside()?
                }
                Err(error) if error.kind() != io::ErrorKind::AlreadyExists => self.copied()?,
                linked => return linked,
            },
        };
        name.become_path(path, replace)
    }

    /// Gives a file without a name a temporary one, under which it can replace another.
    fn linked_beside(&mut self) -> io::Result<Name> {
        sweep(&self.folder);
        loop {
            let name = Name::new(&self.folder);
            match link(&self.file, &name.0) {
                Ok(()) => return Ok(name),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => name.forget(),
                _ => {
                    name.forget();
                    return self.copied();
                }
            }
        }
    }

    /// A copy under a temporary name, of a file that the system gives no name after all.
    fn copied(&mut self) -> io::Result<Name> {
        let (mut copy, name) = named(&self.folder)?;
        self.file.seek(SeekFrom::Start(0))?;
        io::copy(&mut self.file, &mut copy)?;
        copy.set_permissions(self.file.metadata()?.permissions())?;
        copy.sync_all()?;
        Ok(name)
    }
}

/// A temporary name, whose file is removed when it is dropped.
#[derive(Debug)]
struct Name(PathBuf);

impl Name {
    /// A name in a folder, which this process has not used before.
    fn new(folder: &Path) -> Self {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = folder.join(format!("{PREFIX}{:x}-{count:x}{SUFFIX}", process::id()));
        names().insert(path.clone());
        Self(path)
    }

    /// The name is another process's.
    fn forget(self) {
        names().remove(&self.0);
        std::mem::forget(self);
    }

    /// Exchanges it for the path.
    fn become_path(self, path: &Path, replace: bool) -> io::Result<()> {
        // A signal waits until it is done or not.
        let mut names = names();
        if replace {
            fs::rename(&self.0, path)?;
            names.remove(&self.0);
            std::mem::forget(self);
            return Ok(());
        }
        let linked = fs::hard_link(&self.0, path);
        drop(names);
        match linked {
            // There are file systems without links.
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists && !path.try_exists()? => {
                self.become_path(path, true)
            }
            linked => linked,
        }
    }
}

impl Drop for Name {
    fn drop(&mut self) {
        let mut names = names();
        if names.remove(&self.0) {
            let _ = fs::remove_file(&self.0);
        }
    }
}

fn names() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    NAMED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes all files that have temporary names, and has no more made: the process is about to end.
pub fn remove_all() {
    let names = names();
    for name in &*names {
        let _ = fs::remove_file(name);
    }
    // Whoever waits for it waits until the end.
    std::mem::forget(names);
}

/// A file with a temporary name, locked for as long as it is open, by which other processes see that it is in use.
fn named(folder: &Path) -> io::Result<(File, Name)> {
    sweep(folder);
    loop {
        let name = Name::new(folder);
        match File::options().read(true).write(true).create_new(true).open(&name.0) {
            Ok(file) => {
                // Where files cannot be locked, none is taken for abandoned.
                let _ = file.try_lock();
                return Ok((file, name));
            }
            Err(error) => {
                name.forget();
                if error.kind() != io::ErrorKind::AlreadyExists {
                    return Err(error);
                }
            }
        }
    }
}

/// Removes what processes have left in a folder that were killed.
fn sweep(folder: &Path) {
    if !SWEPT.lock().unwrap_or_else(PoisonError::into_inner).insert(folder.to_owned()) {
        return;
    }
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let ours = name.to_str().is_some_and(|name| name.starts_with(PREFIX) && name.ends_with(SUFFIX));
        if !ours || !entry.file_type().is_ok_and(|kind| kind.is_file()) || is_own(&entry.path()) {
            continue;
        }
        let old = entry.metadata().and_then(|about| about.modified());
        let old = old.is_ok_and(|time| time.elapsed().is_ok_and(|age| age >= YOUNG));
        // Who writes it holds the lock.
        if old && File::open(entry.path()).is_ok_and(|file| file.try_lock().is_ok()) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

fn is_own(path: &Path) -> bool {
    names().contains(path)
}

/// A file in a folder that has no name, if there can be one.
#[cfg(target_os = "linux")]
fn unnamed(folder: &Path) -> Option<File> {
    use rustix::fs::OFlags;
    use std::os::unix::fs::OpenOptionsExt;
    if std::env::var_os(NAMED_ONLY).is_some() || !Path::new("/proc/self/fd").exists() {
        return None;
    }
    let flags = OFlags::TMPFILE.bits().cast_signed();
    File::options().read(true).write(true).mode(0o666).custom_flags(flags).open(folder).ok()
}

#[cfg(not(target_os = "linux"))]
fn unnamed(_folder: &Path) -> Option<File> {
    None
}

/// Has all files named from the beginning, as on file systems without `O_TMPFILE`: for tests.
#[cfg(target_os = "linux")]
const NAMED_ONLY: &str = "SHIM_NAMED_TEMPORARY_FILES";

/// Gives a file without a name one.
#[cfg(target_os = "linux")]
fn link(file: &File, path: &Path) -> io::Result<()> {
    use rustix::fs::{AtFlags, CWD, linkat};
    use std::os::fd::AsRawFd;
    let own = format!("/proc/self/fd/{}", file.as_raw_fd());
    linkat(CWD, own, CWD, path, AtFlags::SYMLINK_FOLLOW).map_err(io::Error::from)
}

#[cfg(not(target_os = "linux"))]
fn link(_file: &File, _path: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}
