//! Clips to encode.

use std::fs::File;
use std::io::{BufReader, Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use y4m::Colorspace;

/// Frames of luma and chroma at half the density, I420, 8 bits.
#[derive(Clone, Debug)]
pub struct Clip {
    /// What it is called.
    pub name: String,
    /// Samples of a row.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// Frames a second, over a denominator.
    pub frame_rate: (u32, u32),
    /// The samples of each frame, plane after plane without gaps.
    pub frames: Vec<Vec<u8>>,
}

/// How near a clip another is, in decibels: means over the frames.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Psnr {
    /// Of luma.
    pub luma: f64,
    /// Of all samples together.
    pub all: f64,
}

impl Clip {
    /// The first frames of a file: of Y4M as it is, of anything else as ffmpeg decodes it.
    ///
    /// # Errors
    ///
    /// A sentence, when it cannot be read, is not 4:2:0 with 8 bits and even sides, or there is no ffmpeg for it.
    pub fn open(file: &Path, frames: usize) -> Result<Self, String> {
        let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if file.extension().is_some_and(|extension| extension == "y4m") {
            let reader = BufReader::new(File::open(file).map_err(|error| error.to_string())?);
            return Self::y4m(name, reader, frames);
        }
        let child = Command::new("ffmpeg")
            .args(["-v", "error", "-nostdin", "-i"])
            .arg(file)
            .args(["-frames:v", &frames.to_string(), "-pix_fmt", "yuv420p", "-f", "yuv4mpegpipe", "-"])
            .stdout(Stdio::piped())
            .spawn();
        let mut child =
            child.map_err(|error| format!("ffmpeg, which would decode it, cannot be run: {error}"))?;
        let decoded = child.stdout.take().ok_or("ffmpeg has no output")?;
        let clip = Self::y4m(name, BufReader::new(decoded), frames);
        // What is not read any more ends it.
        child.wait().map_err(|error| error.to_string())?;
        clip
    }

    fn y4m(name: String, reader: impl Read, count: usize) -> Result<Self, String> {
        let mut decoder = y4m::decode(reader).map_err(|error| error.to_string())?;
        let (width, height, rate) = (decoder.get_width(), decoder.get_height(), decoder.get_framerate());
        match decoder.get_colorspace() {
            Colorspace::C420 | Colorspace::C420jpeg | Colorspace::C420mpeg2 | Colorspace::C420paldv => {}
            other => return Err(format!("{other:?} is not 4:2:0 with 8 bits")),
        }
        if width % 2 + height % 2 > 0 {
            return Err(format!("{width}x{height} is odd"));
        }
        let mut frames = Vec::new();
        while frames.len() < count {
            match decoder.read_frame() {
                Ok(frame) => {
                    frames.push([frame.get_y_plane(), frame.get_u_plane(), frame.get_v_plane()].concat());
                }
                Err(y4m::Error::EOF) => break,
                Err(error) => return Err(error.to_string()),
            }
        }
        if frames.is_empty() {
            return Err("there is no frame in it".into());
        }
        let frame_rate = (rate.num as u32, rate.den as u32);
        Ok(Self { name, width, height, frame_rate, frames })
    }

    /// Writes it as Y4M.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    pub fn write(&self, writer: impl Write) -> Result<(), y4m::Error> {
        let rate = y4m::Ratio::new(self.frame_rate.0 as usize, self.frame_rate.1 as usize);
        let mut encoder = y4m::encode(self.width, self.height, rate).write_header(writer)?;
        for frame in 0..self.frames.len() {
            encoder.write_frame(&y4m::Frame::new(self.planes(frame), None))?;
        }
        Ok(())
    }

    /// Luma, Cb and Cr of a frame.
    pub fn planes(&self, frame: usize) -> [&[u8]; 3] {
        let (luma, chroma) = self.frames[frame].split_at(self.width * self.height);
        let (cb, cr) = chroma.split_at(chroma.len() / 2);
        [luma, cb, cr]
    }

    /// The PSNR of frames that were decoded.
    ///
    /// # Errors
    ///
    /// A sentence, when there are more frames or fewer, or others.
    pub fn psnr(&self, decoded: &[Vec<u8>]) -> Result<Psnr, String> {
        if decoded.len() != self.frames.len() {
            return Err(format!("{} frames were decoded of {}", decoded.len(), self.frames.len()));
        }
        let luma = self.width * self.height;
        let mut psnr = Psnr { luma: 0.0, all: 0.0 };
        for (a, b) in self.frames.iter().zip(decoded) {
            if a.len() != b.len() {
                return Err("frames of another size were decoded".into());
            }
            psnr.luma += decibels(&a[..luma], &b[..luma]);
            psnr.all += decibels(a, b);
        }
        let count = decoded.len() as f64;
        Ok(Psnr { luma: psnr.luma / count, all: psnr.all / count })
    }
}

/// PSNR of samples. Equal ones count as 100 decibels, so that a mean remains.
fn decibels(a: &[u8], b: &[u8]) -> f64 {
    let sum: u64 = a.iter().zip(b).map(|(a, b)| u64::from(a.abs_diff(*b)).pow(2)).sum();
    if sum == 0 { 100.0 } else { 10.0 * (255.0 * 255.0 * a.len() as f64 / sum as f64).log10() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clip() -> Clip {
        let frames = (0..3).map(|frame| (0..48).map(|at| (5 * at + frame) as u8).collect()).collect();
        Clip { name: "a".into(), width: 8, height: 4, frame_rate: (30, 1), frames }
    }

    #[test]
    fn files_come_back() {
        let (clip, mut file) = (clip(), Vec::new());
        clip.write(&mut file).unwrap();
        let read = Clip::y4m("a".into(), &file[..], 2).unwrap();
        assert_eq!((read.width, read.height, read.frame_rate), (8, 4, (30, 1)));
        assert_eq!(read.frames, clip.frames[..2]);
        assert_eq!(Clip::y4m("a".into(), &file[..], 9).unwrap().frames.len(), 3);
        assert!(Clip::y4m("a".into(), &b"YUV4MPEG2 W8 H4 F30:1 C444\n"[..], 9).is_err());
        assert!(Clip::y4m("a".into(), &b"YUV4MPEG2 W8 H3 F30:1 C420\n"[..], 9).is_err());
        assert!(Clip::y4m("a".into(), &b"YUV4MPEG2 W8 H4 F30:1 C420\n"[..], 9).is_err());
        assert!(Clip::open(Path::new("none.y4m"), 1).is_err());
    }

    #[test]
    fn one_off_is_48_decibels() {
        let clip = clip();
        let mut decoded = clip.frames.clone();
        assert_eq!(clip.psnr(&decoded), Ok(Psnr { luma: 100.0, all: 100.0 }));
        for sample in decoded.iter_mut().flatten() {
            *sample ^= 1;
        }
        let psnr = clip.psnr(&decoded).unwrap();
        assert!((psnr.luma - 48.1308).abs() < 1e-4 && (psnr.all - psnr.luma).abs() < 1e-9, "{psnr:?}");
        assert!(clip.psnr(&decoded[1..]).is_err());
    }
}
