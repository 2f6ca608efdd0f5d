//! What the integration tests share: images, decoders, measures and the tools of libjpeg-turbo.

#![allow(dead_code, reason = "each test binary uses a part of it")]

use std::env;
use std::fs::File;
use std::io::{BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use shim_jpeg::{Encoder, Image, MAX_DIMENSION, Subsampling};
use zune_jpeg::zune_core::bytestream::ZCursor;
use zune_jpeg::zune_core::colorspace::ColorSpace;
use zune_jpeg::zune_core::options::DecoderOptions;

/// The subsamplings offered, with the name that the recorded figures use.
pub(crate) const SUBSAMPLINGS: [(Subsampling, &str); 2] =
    [(Subsampling::S444, "444"), (Subsampling::S420, "420")];

/// The qualities that every comparison runs through.
pub(crate) const QUALITIES: [u8; 7] = [1, 10, 50, 75, 90, 95, 100];

/// An image that owns its samples, without gaps between rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Picture {
    pub(crate) width: usize,
    pub(crate) height: usize,
    /// 3 for RGB, 1 for gray.
    pub(crate) channels: usize,
    pub(crate) samples: Vec<u8>,
}

impl Picture {
    /// A picture in the repository's `media` folder.
    pub(crate) fn media(name: &str) -> Self {
        Self::png(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../media").join(name))
    }

    /// An 8-bit RGB PNG file.
    pub(crate) fn png(path: &Path) -> Self {
        let file = File::open(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let mut reader = png::Decoder::new(BufReader::new(file)).read_info().unwrap();
        let mut samples = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut samples).unwrap();
        assert_eq!((info.color_type, info.bit_depth), (png::ColorType::Rgb, png::BitDepth::Eight));
        samples.truncate(info.buffer_size());
        Self { width: info.width as usize, height: info.height as usize, channels: 3, samples }
    }

    /// The picture that `name` names: a file of `media`, with `@column,row+widthxheight` a part of it, and with
    /// ` gray` after that its green samples alone.
    pub(crate) fn named(name: &str) -> Self {
        let (name, gray) = name.strip_suffix(" gray").map_or((name, false), |name| (name, true));
        let picture = match name.split_once('@') {
            None => Self::media(name),
            Some((file, place)) => {
                let numbers = place.split([',', '+', 'x']).map(|n| n.parse().unwrap()).collect::<Vec<_>>();
                let [column, row, width, height] = numbers[..] else { panic!("{name}") };
                Self::media(file).part(column, row, width, height)
            }
        };
        if gray { picture.green() } else { picture }
    }

    /// A part of the picture.
    pub(crate) fn part(&self, column: usize, row: usize, width: usize, height: usize) -> Self {
        let samples = (row..row + height)
            .flat_map(|y| &self.samples[(y * self.width + column) * self.channels..][..width * self.channels])
            .copied()
            .collect();
        Self { width, height, channels: self.channels, samples }
    }

    /// The green samples as a gray picture.
    pub(crate) fn green(&self) -> Self {
        let samples = self.samples.iter().skip(1).step_by(3).copied().collect();
        Self { channels: 1, samples, ..*self }
    }

    /// Noise: the hardest picture to code.
    pub(crate) fn noise(width: usize, height: usize, channels: usize, mut seed: u64) -> Self {
        let samples = (0..width * height * channels)
            .map(|_| {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                (seed >> 56) as u8
            })
            .collect();
        Self { width, height, channels, samples }
    }

    pub(crate) fn image(&self) -> Image<'_> {
        if self.channels == 1 {
            Image::gray(&self.samples, self.width, self.height).unwrap()
        } else {
            Image::rgb(&self.samples, self.width, self.height).unwrap()
        }
    }

    pub(crate) fn encode(&self, quality: u8, subsampling: Subsampling) -> Vec<u8> {
        Encoder::new().quality(quality).subsampling(subsampling).encode(&self.image()).unwrap()
    }

    /// The same by the accurate transform.
    pub(crate) fn encode_exact(&self, quality: u8, subsampling: Subsampling) -> Vec<u8> {
        let encoder =
            Encoder::new().quality(quality).subsampling(subsampling).libjpeg_compatible(true).baseline(true);
        encoder.encode(&self.image()).unwrap()
    }

    /// The file as PPM or PGM, which cjpeg reads.
    pub(crate) fn pnm(&self) -> Vec<u8> {
        let magic = if self.channels == 1 { 5 } else { 6 };
        let mut file = format!("P{magic}\n{} {}\n255\n", self.width, self.height).into_bytes();
        file.extend(&self.samples);
        file
    }

    /// A PPM or PGM file as djpeg writes it.
    pub(crate) fn from_pnm(file: &[u8]) -> Self {
        let mut fields = Vec::new();
        let mut rest = file;
        while fields.len() < 4 {
            let end = rest.iter().position(u8::is_ascii_whitespace).unwrap();
            fields.push(std::str::from_utf8(&rest[..end]).unwrap());
            rest = &rest[end + 1..];
        }
        let channels = if fields[0] == "P6" { 3 } else { 1 };
        let [width, height] = [fields[1], fields[2]].map(|n| n.parse().unwrap());
        assert_eq!((fields[3], rest.len()), ("255", width * height * channels));
        Self { width, height, channels, samples: rest.to_vec() }
    }

    fn assert_like(&self, other: &Self) {
        let shape = |p: &Self| (p.width, p.height, p.channels, p.samples.len());
        assert_eq!(shape(self), shape(other));
    }

    /// The peak signal-to-noise ratio over all samples, in dB; infinite for equal pictures.
    pub(crate) fn psnr(&self, other: &Self) -> f64 {
        self.assert_like(other);
        let squares = self
            .samples
            .iter()
            .zip(&other.samples)
            .map(|(&a, &b)| u64::from(a.abs_diff(b)).pow(2))
            .sum::<u64>();
        // Both are far below 2^52 for pictures that a test can hold.
        #[allow(clippy::cast_precision_loss)]
        let [count, squares] = [self.samples.len() as f64, squares as f64];
        10.0 * (255.0 * 255.0 * count / squares).log10()
    }

    /// The largest difference of two samples.
    pub(crate) fn largest_error(&self, other: &Self) -> u8 {
        self.assert_like(other);
        self.samples.iter().zip(&other.samples).map(|(&a, &b)| a.abs_diff(b)).max().unwrap()
    }
}

/// Decodes with zune-jpeg in strict mode, where what others report as a warning is an error.
pub(crate) fn decode_zune(file: &[u8]) -> Picture {
    let gray = component_count(file) == 1;
    let space = if gray { ColorSpace::Luma } else { ColorSpace::RGB };
    let options = DecoderOptions::default()
        .set_strict_mode(true)
        .set_max_width(MAX_DIMENSION)
        .set_max_height(MAX_DIMENSION)
        .jpeg_set_out_colorspace(space);
    let mut decoder = zune_jpeg::JpegDecoder::new_with_options(ZCursor::new(file), options);
    let samples = decoder.decode().expect("zune-jpeg decodes the file");
    let (width, height) = decoder.dimensions().unwrap();
    Picture { width, height, channels: if gray { 1 } else { 3 }, samples }
}

/// Decodes with jpeg-decoder.
pub(crate) fn decode_jpeg_decoder(file: &[u8]) -> Picture {
    let mut decoder = jpeg_decoder::Decoder::new(file);
    let samples = decoder.decode().expect("jpeg-decoder decodes the file");
    let info = decoder.info().unwrap();
    let channels = info.pixel_format.pixel_bytes();
    Picture { width: info.width.into(), height: info.height.into(), channels, samples }
}

/// Decodes with libjpeg-turbo's djpeg, which must not print a warning.
pub(crate) fn decode_djpeg(djpeg: &Path, file: &[u8]) -> Picture {
    let (output, complaints) = run(Command::new(djpeg).arg("-pnm"), file);
    assert_eq!(complaints, "", "djpeg complains");
    Picture::from_pnm(&output)
}

/// Encodes with libjpeg-turbo's cjpeg, as [`Picture::encode`] does.
pub(crate) fn encode_cjpeg(cjpeg: &Path, picture: &Picture, quality: u8, subsampling: &str) -> Vec<u8> {
    let sample = if subsampling == "420" && picture.channels == 3 { "2x2" } else { "1x1" };
    let quality = quality.to_string();
    let mut command = Command::new(cjpeg);
    command.args(["-baseline", "-dct", "int", "-quality", &quality, "-sample", sample]);
    if picture.channels == 1 {
        command.arg("-grayscale");
    }
    run(&mut command, &picture.pnm()).0
}

/// A tool of libjpeg-turbo (Debian: libjpeg-turbo-progs), or exiftool (libimage-exiftool-perl). Without it a test says
/// so and is skipped, except where the variable `CI` is set: there it must be installed.
pub(crate) fn tool(name: &str) -> Option<PathBuf> {
    let found = env::split_paths(&env::var_os("PATH")?).map(|folder| folder.join(name)).find(|p| p.is_file());
    if found.is_none() {
        let package = if name == "exiftool" { "libimage-exiftool-perl" } else { "libjpeg-turbo-progs" };
        let missing = format!("{name} is not installed (Debian: apt-get install {package})");
        assert!(env::var_os("CI").is_none(), "{missing}");
        println!("skipped: {missing}");
    }
    found
}

/// Runs a command with `input`; its output and what it printed to stderr.
pub(crate) fn run(command: &mut Command, input: &[u8]) -> (Vec<u8>, String) {
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let output = std::thread::scope(|scope| {
        scope.spawn(move || stdin.write_all(input));
        child.wait_with_output().unwrap()
    });
    let complaints = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{command:?}: {complaints}");
    (output.stdout, complaints)
}

/// Nf of the frame header.
fn component_count(file: &[u8]) -> u8 {
    let mut at = 2;
    while !(0xc0..=0xc2).contains(&file[at + 1]) {
        at += 2 + usize::from(u16::from_be_bytes([file[at + 2], file[at + 3]]));
    }
    file[at + 9]
}
