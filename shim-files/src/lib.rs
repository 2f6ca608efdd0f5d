//! Files that are written as a whole or not at all.
//!
//! A [`Target`] is a file to be written. Symbolic links are followed, an existing file keeps its permissions, and a new file
//! gets at most those of its source. [`Identity`] tells whether two paths refer to the same file.

#![forbid(unsafe_code)]

mod identity;
mod target;
mod temporary;

use std::path::Path;

pub use identity::Identity;
pub use target::{Output, Target};
pub use temporary::{Temporary, remove_all};

/// Whether a path is `-`, which stands for stdin and stdout.
#[must_use]
pub fn is_standard(path: &Path) -> bool {
    path.as_os_str() == "-"
}
