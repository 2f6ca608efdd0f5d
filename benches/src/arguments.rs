//! The command line of the benchmarks that encode photographs.

use std::path::{Path, PathBuf};

use crate::picture::Picture;

/// What a benchmark was told.
#[derive(Clone, Debug)]
pub struct Arguments {
    /// Interleaved pairs.
    pub pairs: usize,
    /// Which of its switches were given.
    pub switches: Vec<String>,
    /// Pictures, by the names of their files.
    pub pictures: Vec<(String, Picture)>,
    /// These files.
    pub files: Vec<PathBuf>,
}

impl Arguments {
    /// Reads `[--pairs N] [SWITCH ..] [PICTURE ..]`. Without pictures, those of the files `usual` are taken, from the
    /// folder of the repository, as far as they are there.
    ///
    /// # Errors
    ///
    /// A sentence, when there is no number after `--pairs`, or a picture cannot be read.
    pub fn read(pairs: usize, switches: &[&str], usual: &[&str]) -> Result<Self, String> {
        let mut arguments = std::env::args().skip(1).filter(|argument| argument != "--bench");
        let mut read = Self { pairs, switches: Vec::new(), pictures: Vec::new(), files: Vec::new() };
        while let Some(argument) = arguments.next() {
            if argument == "--pairs" {
                let number = arguments.next().and_then(|number| number.parse().ok());
                read.pairs = number.filter(|&number| number > 0).ok_or("--pairs takes a number above 0")?;
            } else if switches.contains(&argument.as_str()) {
                read.switches.push(argument);
            } else {
                read.files.push(argument.into());
            }
        }
        if read.files.is_empty() {
            let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
            read.files = usual.iter().map(|name| root.join(name)).filter(|file| file.is_file()).collect();
        }
        for file in &read.files {
            let picture = Picture::open(file).map_err(|error| format!("{}: {error}", file.display()))?;
            let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
            read.pictures.push((name, picture));
        }
        Ok(read)
    }
}
