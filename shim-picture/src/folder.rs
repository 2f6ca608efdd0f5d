//! The images in a folder.

use std::fs;
use std::path::{Path, PathBuf};

use walkdir::{DirEntry, WalkDir};

/// The extensions of images. JPEG files are at the front.
const EXTENSIONS: [&str; 15] = [
    "jpg", "jpeg", "jpe", "jfif", "png", "ppm", "pgm", "pbm", "pnm", "pam", "bmp", "gif", "tif", "tiff",
    "webp",
];

/// An image in a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// Its path.
    pub path: PathBuf,
    /// Its path below the folder.
    pub place: PathBuf,
}

/// A folder that is not read, or only in part.
pub type WalkError = walkdir::Error;

/// The files below a folder that have the names of images, in the order of their names.
///
/// Links are followed. Hidden files and folders are left out, and so is the folder `written`, in which an earlier run may
/// have left images.
pub fn images(folder: &Path, written: &Path) -> impl Iterator<Item = Result<Found, WalkError>> + use<> {
    let written = fs::canonicalize(written).ok();
    let is_written = move |path: &Path| {
        written.as_ref().is_some_and(|written| fs::canonicalize(path).is_ok_and(|path| path == *written))
    };
    let walk = WalkDir::new(folder).follow_links(true).sort_by_file_name().into_iter();
    let entries = walk.filter_entry(move |entry| {
        entry.depth() == 0 || !(is_hidden(entry) || entry.file_type().is_dir() && is_written(entry.path()))
    });
    let folder = folder.to_owned();
    entries.filter_map(move |entry| match entry {
        Ok(entry) if entry.file_type().is_file() && has_image_name(entry.path()) => {
            let place = entry.path().strip_prefix(&folder).unwrap_or(entry.path()).to_owned();
            Some(Ok(Found { path: entry.into_path(), place }))
        }
        Ok(_) => None,
        Err(error) => Some(Err(error)),
    })
}

/// Whether a file is one that folders do not show, such as the `._a.jpg` that macOS puts beside `a.jpg`.
fn is_hidden(entry: &DirEntry) -> bool {
    entry.file_name().as_encoded_bytes().starts_with(b".")
}

/// Whether a path has the extension of an image.
pub fn has_image_name(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    EXTENSIONS.iter().any(|known| extension.eq_ignore_ascii_case(known))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn images_have_names() {
        for (name, image) in [
            ("a.PNG", true),
            ("a.jpeg", true),
            ("a.jfif", true),
            ("a.WebP", true),
            ("a.txt", false),
            ("png", false),
        ] {
            assert_eq!(has_image_name(Path::new(name)), image, "{name}");
        }
    }

    #[test]
    fn hidden_files_and_what_was_written_are_left_out() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        for name in ["b.png", "a.jfif", "._a.jpg", "c.txt", "below/d.tif", "small/b.jpg", ".thumbnails/e.png"]
        {
            let path = root.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, b"").unwrap();
        }
        let found = images(root, &root.join("small")).map(|found| found.unwrap().place);
        let wanted = ["a.jfif", "b.png", "below/d.tif"].map(PathBuf::from);
        assert_eq!(found.collect::<Vec<_>>(), wanted);
        assert!(images(&root.join("missing"), root).next().unwrap().is_err());
        assert_eq!(images(&root.join(".thumbnails"), root).count(), 1);
    }
}
