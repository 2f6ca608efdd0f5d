//! Pipelines of the luma of Y4M clips; the clip that they write has no chroma.

use std::fs::File;
use std::io::{BufReader, BufWriter};
use std::path::Path;

use shim_pipelines::video;

/// A pipeline of a clip of so many frames, rows and columns.
pub(crate) type Pipeline = fn(&[u8], [usize; 3], &mut [u8]);

pub(crate) const PIPELINES: [(&str, Pipeline); 4] = [
    ("reverse", video::reverse),
    ("mirror", video::mirror),
    ("subtract", video::subtract),
    ("motion", |src, size, dst| video::motion(src, size, 24, dst)),
];

/// Puts the luma of a clip of bytes through a pipeline.
///
/// # Errors
/// A message with the path of the file that cannot be read or written.
pub(crate) fn run(pipeline: Pipeline, input: &Path, output: &Path) -> Result<(), String> {
    let of_input = |error: &dyn std::fmt::Display| format!("{}: {error}", input.display());
    let of_output = |error: &dyn std::fmt::Display| format!("{}: {error}", output.display());
    let file = File::open(input).map_err(|error| of_input(&error))?;
    let mut clip = y4m::decode(BufReader::new(file)).map_err(|error| of_input(&error))?;
    if clip.get_bytes_per_sample() != 1 {
        return Err(of_input(&"the samples of the clip are not bytes"));
    }
    let (h, w, rate) = (clip.get_height(), clip.get_width(), clip.get_framerate());
    let mut src = Vec::new();
    loop {
        match clip.read_frame() {
            Ok(frame) => src.extend_from_slice(frame.get_y_plane()),
            Err(y4m::Error::EOF) => break,
            Err(error) => return Err(of_input(&error)),
        }
    }
    let count = src.len() / (h * w).max(1);
    let mut dst = vec![0; src.len()];
    pipeline(&src, [count, h, w], &mut dst);
    let file = File::create(output).map_err(|error| of_output(&error))?;
    let encoder = y4m::encode(w, h, rate).with_colorspace(y4m::Colorspace::Cmono);
    let mut encoder = encoder.write_header(BufWriter::new(file)).map_err(|error| of_output(&error))?;
    for frame in dst.chunks_exact((h * w).max(1)) {
        encoder.write_frame(&y4m::Frame::new([frame, &[], &[]], None)).map_err(|error| of_output(&error))?;
    }
    Ok(())
}
