//! `shim jpeg`.

use std::fmt;
use std::io::{self, Write};
use std::time::{Duration, Instant};

use shim_jpeg::{Encoder, Subsampling};

use crate::args::Jpeg;
use crate::failure::{Failure, Reason};
use crate::output;
use crate::picture::Picture;
use crate::progress::Progress;

/// Reads, encodes, writes and reports.
pub(crate) fn run(arguments: &Jpeg) -> Result<(), Failure> {
    let Jpeg { input, output, quality, subsampling, exact } = arguments;
    output::check(output)?;
    let mut progress = Progress::new();
    let picture = Picture::read(input, &mut progress)?;

    let encoder = Encoder::new().quality(*quality).subsampling((*subsampling).into()).exact(*exact);
    let (file, time) = encode(&encoder, &picture, &mut progress)
        .map_err(|error| Failure::new(input, Reason::Encode(error)))?;
    progress.finish();
    output::write(output, &file)?;

    let report = Report {
        input: input.display().to_string(),
        output: output.display().to_string(),
        file_bytes: file.len(),
        quality: *quality,
        subsampling: (*subsampling).into(),
        time,
        picture: &picture,
    };
    // A closed pipe does not undo the work.
    let _ = write!(io::stdout(), "{report}");
    Ok(())
}

/// Encodes to memory; the file, and the time that it took.
fn encode(
    encoder: &Encoder,
    picture: &Picture,
    progress: &mut Progress,
) -> Result<(Vec<u8>, Duration), shim_jpeg::Error> {
    let image = picture.image()?;
    progress.start("encoding", image.height());
    let mut file = Vec::new();
    let began = Instant::now();
    encoder.encode_with_progress(&image, &mut file, |done, _| progress.reach(done))?;
    Ok((file, began.elapsed()))
}

/// What is printed in the end.
struct Report<'a> {
    input: String,
    output: String,
    picture: &'a Picture,
    file_bytes: usize,
    quality: u8,
    subsampling: Subsampling,
    time: Duration,
}

impl fmt::Display for Report<'_> {
    #[expect(clippy::cast_precision_loss, reason = "sizes of files and images are far below 2^52")]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { input, output, picture, file_bytes, quality, .. } = self;
        let Picture { width, height, kind, file_bytes: input_bytes, .. } = picture;
        let colour = match (kind.grey, self.subsampling) {
            (true, _) => "grey",
            (false, Subsampling::S420) => "4:2:0",
            (false, _) => "4:4:4",
        };
        let samples = if kind.grey { "grey" } else { "RGB" };
        let flattened = if kind.flattened { ", transparency laid over white" } else { "" };
        let pixels = (width * height) as f64;
        let seconds = self.time.as_secs_f64();
        writeln!(f, "{input}: {width}x{height} {samples}, {input_bytes} bytes{flattened}")?;
        writeln!(
            f,
            "{output}: quality {quality}, {colour}, {file_bytes} bytes, {:.2} bits per pixel",
            8.0 * *file_bytes as f64 / pixels
        )?;
        writeln!(
            f,
            "encoded in {:.1} ms, {:.1} megapixels/s",
            1e3 * seconds,
            pixels / 1e6 / seconds.max(1e-9)
        )
    }
}
