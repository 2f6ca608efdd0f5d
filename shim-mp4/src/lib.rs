//! MP4 files (ISO/IEC 14496-12 and 14496-15) with one track of video, from the packets of [`shim_h264`].
//!
//! ```
//! use std::io::Cursor;
//!
//! use shim_h264::{Config, Encoder, Format, Frame};
//! use shim_mp4::{Mp4, Video};
//!
//! let mut config = Config::new(64, 48);
//! config.format = Format::Avcc;
//! let mut encoder = Encoder::new(config)?;
//! let mut file = Cursor::new(Vec::new());
//! let mut mp4 = Mp4::new(Video::of(&mut encoder), &mut file)?;
//! for n in 0..3 {
//!     let samples = [60 * n; 64 * 48 * 3 / 2];
//!     if let Some(packet) = encoder.encode(&Frame::i420(64, 48, &samples)?)? {
//!         mp4.frame(&packet.bytes, packet.keyframe, &mut file)?;
//!     }
//! }
//! mp4.finish(&mut file)?;
//! assert_eq!(file.into_inner()[4..8], *b"ftyp");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![forbid(unsafe_code)]

mod boxes;
mod clock;
mod fragments;
pub mod frame_rate;

use std::io::{self, Read, Seek, SeekFrom, Write};

use shim_h264::decide::Decisions;
use shim_h264::syntax::sps::SeqParameterSet;

use boxes::Boxes;
use clock::Times;
pub use clock::{Clock, VARIABLE};
pub use fragments::Fragments;

/// The bytes of a box's header whose length has 32 bits.
const HEADER: u64 = 8;

/// Those of one whose length has 64 bits.
const LARGE_HEADER: u64 = 16;

/// Whether a number needs 64 bits. Where 32 suffice they are used: some players know no other boxes.
fn is_wide(number: u64) -> bool {
    u32::try_from(number).is_err()
}

/// The format of a video.
#[derive(Clone, Debug)]
pub struct Video {
    /// Width in luma samples.
    pub width: usize,
    /// Height in luma samples.
    pub height: usize,
    /// Frames per second, as a fraction.
    pub frame_rate: (u32, u32),
    /// Ticks of a second, in which frames have their times.
    pub timescale: u32,
    /// Color description, if known.
    pub color: Option<Color>,
    /// Width and height of a sample.
    pub sample_aspect_ratio: Option<(u16, u16)>,
    /// Whether the file is a `QuickTime` file (`.mov`).
    pub quicktime: bool,
    /// The `AVCDecoderConfigurationRecord` (ISO/IEC 14496-15, 5.3.3.1).
    pub record: Vec<u8>,
}

/// Code points (ISO/IEC 23091-2), as the stream has them.
#[derive(Clone, Copy, Debug)]
pub struct Color {
    primaries: u16,
    transfer: u16,
    matrix: u16,
    full_range: bool,
}

impl Color {
    /// The color description of a stream, if it has one.
    #[must_use]
    pub fn of(sps: &SeqParameterSet) -> Option<Self> {
        let vui = &sps.vui;
        vui.video_signal_type_present_flag.then_some(Self {
            primaries: vui.colour_primaries.into(),
            transfer: vui.transfer_characteristics.into(),
            matrix: vui.matrix_coefficients.into(),
            full_range: vui.video_full_range_flag,
        })
    }

    /// The box `colr`, in which `QuickTime` has no range.
    fn write(self, to: &mut Boxes, quicktime: bool) {
        let codes = [self.primaries, self.transfer, self.matrix];
        to.within(*b"colr", |colr| {
            colr.bytes(if quicktime { b"nclc" } else { b"nclx" });
            for code in codes {
                colr.u16(code);
            }
            if !quicktime {
                colr.bytes(&[u8::from(self.full_range) << 7]);
            }
        });
    }
}

/// The frames of a file.
#[derive(Clone, Debug, Default)]
struct Index {
    /// The bytes of each frame.
    sizes: Vec<u32>,
    /// The numbers of those at which decoding can begin, from 1.
    keyframes: Vec<u32>,
    times: Times,
}

/// A file in progress: frames are written as they come, and their index at the end.
#[derive(Clone, Debug)]
pub struct Mp4 {
    video: Video,
    /// Where the frames begin.
    data: u64,
    index: Index,
    clock: Clock,
}

impl Mp4 {
    /// Begins a file.
    ///
    /// # Errors
    ///
    /// Those of the writer.
    pub fn new(video: Video, file: &mut impl Write) -> io::Result<Self> {
        let mut header = video.file_type()?;
        // The length is known in the end.
        header.extend([0, 0, 0, 1, b'm', b'd', b'a', b't']);
        header.extend([0; 8]);
        file.write_all(&header)?;
        let clock = video.clock();
        Ok(Self { video, data: header.len() as u64, index: Index::default(), clock })
    }

    /// Adds a frame, whose NAL units have their lengths before them, at the time that the frame rate gives it.
    ///
    /// # Errors
    ///
    /// Those of the writer, and when the frame is not a sequence of length-prefixed NAL units, or has 4 GB or more.
    pub fn frame(&mut self, bytes: &[u8], keyframe: bool, file: &mut impl Write) -> io::Result<()> {
        self.frame_at(bytes, keyframe, self.clock.now(), file)
    }

    /// Adds a frame that is shown at a time, in ticks of [`Video::timescale`]. The first frame is where the video begins.
    ///
    /// # Errors
    ///
    /// Those of [`frame`](Self::frame), and when the frame does not follow the one before it.
    pub fn frame_at(
        &mut self,
        bytes: &[u8],
        keyframe: bool,
        time: u64,
        file: &mut impl Write,
    ) -> io::Result<()> {
        let size = checked_size(bytes)?;
        self.index.times.push(time)?;
        self.clock.frame(Some(time));
        file.write_all(bytes)?;
        let Index { sizes, keyframes, .. } = &mut self.index;
        sizes.push(size);
        if keyframe {
            keyframes.push(sizes.len() as u32);
        }
        Ok(())
    }

    /// Bytes of all frames.
    fn length(&self) -> u64 {
        self.index.sizes.iter().map(|&size| u64::from(size)).sum()
    }

    /// Ends a file that cannot be read: `moov` follows `mdat`, so that players need the whole file.
    ///
    /// # Errors
    ///
    /// Those of the file, and when the index has 4 GB or more.
    pub fn finish_unread(self, file: &mut (impl Write + Seek)) -> io::Result<()> {
        let movie = self.video.movie(&self.index, self.data, |_| ())?;
        file.write_all(&movie)?;
        file.seek(SeekFrom::Start(self.data - LARGE_HEADER + 8))?;
        file.write_all(&(LARGE_HEADER + self.length()).to_be_bytes())?;
        file.seek(SeekFrom::End(0))?;
        Ok(())
    }

    /// Ends a file: `moov` goes before `mdat`, so that players begin before they have the whole file. The frames move
    /// up.
    ///
    /// # Errors
    ///
    /// Those of the file, and when the index has 4 GB or more.
    pub fn finish(self, file: &mut (impl Read + Write + Seek)) -> io::Result<()> {
        let (length, mdat) = (self.length(), self.data - LARGE_HEADER);
        let mut header = Boxes::default();
        if is_wide(HEADER + length) {
            header.u32(1);
            header.bytes(b"mdat");
            header.u64(LARGE_HEADER + length);
        } else {
            header.u32((HEADER + length) as u32);
            header.bytes(b"mdat");
        }
        let header = header.into_bytes()?;
        // Where the frames begin depends on the length of `moov`, which grows once if that place needs 64 bits.
        let (mut movie, mut data) = (Vec::new(), mdat);
        while data != mdat + (movie.len() + header.len()) as u64 {
            data = mdat + (movie.len() + header.len()) as u64;
            movie = self.video.movie(&self.index, data, |_| ())?;
        }
        move_up(file, self.data, self.data + length, data - self.data)?;
        file.seek(SeekFrom::Start(mdat))?;
        file.write_all(&movie)?;
        file.write_all(&header)
    }
}

/// Checks that a frame is NAL units with their lengths in 4 bytes (ISO/IEC 14496-15, 5.3.3), and returns its size.
///
/// # Errors
///
/// `InvalidInput` if it is not, or has 4 GB or more.
pub fn checked_size(bytes: &[u8]) -> io::Result<u32> {
    let refused = |message: &str| Err(io::Error::new(io::ErrorKind::InvalidInput, message));
    let mut rest = bytes;
    while let Some((length, units)) = rest.split_first_chunk::<4>() {
        match units.split_at_checked(u32::from_be_bytes(*length) as usize) {
            Some((unit, others)) if !unit.is_empty() => rest = others,
            _ if bytes.starts_with(&[0, 0, 0, 1]) || bytes.starts_with(&[0, 0, 1]) => {
                return refused(
                    "a frame with start codes (Annex B): MP4 files need length-prefixed NAL units",
                );
            }
            _ => return refused("a frame that is not a sequence of length-prefixed NAL units"),
        }
    }
    if bytes.is_empty() || !rest.is_empty() {
        return refused("a frame that is not a sequence of length-prefixed NAL units");
    }
    u32::try_from(bytes.len()).map_err(|error| io::Error::new(io::ErrorKind::InvalidInput, error))
}

impl Video {
    /// The video that an encoder writes, as an MP4 file. [`Config::format`](shim_h264::Config::format) has to be
    /// [`Avcc`](shim_h264::Format::Avcc).
    pub fn of<D: Decisions>(encoder: &mut shim_h264::Encoder<D>) -> Self {
        let record = encoder.configuration_record();
        let (config, color) = (encoder.config(), Color::of(encoder.sps()));
        Self {
            width: config.width.next_multiple_of(2),
            height: config.height.next_multiple_of(2),
            frame_rate: config.frame_rate,
            timescale: if config.variable_frame_rate { VARIABLE } else { config.frame_rate.0 },
            color,
            sample_aspect_ratio: config.sample_aspect_ratio,
            quicktime: false,
            record,
        }
    }

    /// A clock of the frame rate.
    fn clock(&self) -> Clock {
        Clock::with_timescale(self.timescale, self.frame_rate)
    }

    /// The ticks that a frame is shown for if nothing says otherwise.
    fn usual_duration(&self) -> u32 {
        let mut clock = self.clock();
        clock.frame(None);
        u32::try_from(clock.now()).unwrap_or(u32::MAX).max(1)
    }

    /// The box `ftyp`.
    fn file_type(&self) -> io::Result<Vec<u8>> {
        let brands: &[[u8; 4]] =
            if self.quicktime { &[*b"qt  "] } else { &[*b"isom", *b"iso6", *b"avc1", *b"mp41"] };
        let mut boxes = Boxes::default();
        boxes.within(*b"ftyp", |ftyp| {
            ftyp.bytes(&brands[0]);
            ftyp.u32(512);
            ftyp.bytes(&brands.concat());
        });
        boxes.into_bytes()
    }

    /// The box `moov` of a file whose frames begin at `data`, with the boxes that `more` writes at its end.
    fn movie(&self, index: &Index, data: u64, more: impl FnOnce(&mut Boxes)) -> io::Result<Vec<u8>> {
        let timescale = self.timescale;
        let durations = index.times.runs(self.usual_duration());
        let [width, height] = self.sides()?;
        let (across, down) = self.sample_aspect_ratio.unwrap_or((1, 1));
        // What the track is to be shown at: its height, and the width that samples of this shape make.
        let shown = (u64::from(width) * u64::from(across) + u64::from(down) / 2) / u64::from(down);
        let shown = u16::try_from(shown).unwrap_or(width);
        let duration = durations.iter().map(|&(frames, ticks)| u64::from(frames) * u64::from(ticks)).sum();
        let wide = is_wide(duration);
        let version = u8::from(wide);
        let mut boxes = Boxes::default();
        boxes.within(*b"moov", |moov| {
            moov.full(*b"mvhd", version, 0, |mvhd| {
                // Neither the time of creation nor that of the last change.
                mvhd.sized(wide, 0);
                mvhd.sized(wide, 0);
                mvhd.u32(timescale);
                mvhd.sized(wide, duration);
                // Rate and volume.
                mvhd.fixed(1);
                mvhd.u16(1 << 8);
                mvhd.zeros(10);
                mvhd.identity();
                mvhd.zeros(24);
                // The number of the next track.
                mvhd.u32(2);
            });
            moov.within(*b"trak", |trak| {
                // Enabled, in the movie and in its preview.
                trak.full(*b"tkhd", version, 7, |tkhd| {
                    tkhd.sized(wide, 0);
                    tkhd.sized(wide, 0);
                    tkhd.u32(1);
                    tkhd.zeros(4);
                    tkhd.sized(wide, duration);
                    tkhd.zeros(16);
                    tkhd.identity();
                    tkhd.fixed(shown);
                    tkhd.fixed(height);
                });
                trak.within(*b"mdia", |mdia| {
                    mdia.full(*b"mdhd", version, 0, |mdhd| {
                        mdhd.sized(wide, 0);
                        mdhd.sized(wide, 0);
                        mdhd.u32(timescale);
                        mdhd.sized(wide, duration);
                        // The language "und", five bits a letter.
                        mdhd.u16(0x55c4);
                        mdhd.zeros(2);
                    });
                    mdia.full(*b"hdlr", 0, 0, |hdlr| {
                        hdlr.zeros(4);
                        hdlr.bytes(b"vide");
                        hdlr.zeros(12);
                        hdlr.bytes(b"video\0");
                    });
                    mdia.within(*b"minf", |minf| {
                        self.media(minf, index, &durations, [width, height], data);
                    });
                });
            });
            more(moov);
        });
        boxes.into_bytes()
    }

    /// The contents of `minf`: the position and the format of frames.
    fn media(&self, minf: &mut Boxes, index: &Index, durations: &[(u32, u32)], size: [u16; 2], data: u64) {
        let frames = index.sizes.len() as u32;
        // A fragmented file has no chunks here.
        let chunks = u32::from(frames > 0);
        minf.within(*b"dinf", |dinf| {
            dinf.full(*b"dref", 0, 0, |dref| {
                dref.u32(1);
                // The data is in this file.
                dref.full(*b"url ", 0, 1, |_| ());
            });
        });
        minf.within(*b"stbl", |stbl| {
            stbl.full(*b"stsd", 0, 0, |stsd| {
                stsd.u32(1);
                stsd.within(*b"avc1", |avc1| self.entry(avc1, size));
            });
            stbl.full(*b"stts", 0, 0, |stts| {
                stts.u32(durations.len() as u32);
                stts.u32s(durations.iter().flat_map(|&(frames, ticks)| [frames, ticks]));
            });
            // One chunk, from the first frame to the last.
            stbl.full(*b"stsc", 0, 0, |stsc| {
                stsc.u32(chunks);
                stsc.u32s([1, frames, 1].into_iter().filter(|_| chunks > 0));
            });
            stbl.full(*b"stsz", 0, 0, |stsz| {
                stsz.u32(0);
                stsz.u32(frames);
                stsz.u32s(index.sizes.iter().copied());
            });
            if index.keyframes.len() != index.sizes.len() {
                stbl.full(*b"stss", 0, 0, |stss| {
                    stss.u32(index.keyframes.len() as u32);
                    stss.u32s(index.keyframes.iter().copied());
                });
            }
            let wide = is_wide(data);
            stbl.full(if wide { *b"co64" } else { *b"stco" }, 0, 0, |offsets| {
                offsets.u32(chunks);
                if chunks > 0 {
                    offsets.sized(wide, data);
                }
            });
        });
        minf.full(*b"vmhd", 0, 1, |vmhd| vmhd.zeros(8));
    }

    fn sides(&self) -> io::Result<[u16; 2]> {
        let side = |side: usize| u16::try_from(side).map_err(io::Error::other);
        Ok([side(self.width)?, side(self.height)?])
    }

    /// The contents of `avc1`.
    fn entry(&self, avc1: &mut Boxes, size: [u16; 2]) {
        avc1.zeros(6);
        // Which `dref` the data is in.
        avc1.u16(1);
        avc1.zeros(16);
        for side in size {
            avc1.u16(side);
        }
        // 72 dots an inch.
        avc1.fixed(72);
        avc1.fixed(72);
        avc1.zeros(4);
        // Frames in a sample.
        avc1.u16(1);
        // The compressor, of 31 bytes behind their number.
        avc1.bytes(b"\x04shim");
        avc1.zeros(27);
        // The depth, and no color table.
        avc1.u16(24);
        avc1.u16(0xffff);
        avc1.within(*b"avcC", |avcc| avcc.bytes(&self.record));
        if let Some(color) = self.color {
            color.write(avc1, self.quicktime);
        }
        if let Some((across, down)) = self.sample_aspect_ratio {
            avc1.within(*b"pasp", |pasp| {
                pasp.u32s([across.into(), down.into()]);
            });
        }
    }
}

/// Moves the bytes from `start` to `end` of a file up, the last first.
fn move_up(file: &mut (impl Read + Write + Seek), start: u64, end: u64, by: u64) -> io::Result<()> {
    let mut piece = vec![0; 1 << 20];
    let mut end = end;
    while end > start {
        let length = (end - start).min(piece.len() as u64);
        end -= length;
        let piece = &mut piece[..length as usize];
        file.seek(SeekFrom::Start(end))?;
        file.read_exact(piece)?;
        file.seek(SeekFrom::Start(end + by))?;
        file.write_all(piece)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_units_with_their_lengths() {
        assert_eq!(checked_size(&[0, 0, 0, 2, 9, 9, 0, 0, 0, 1, 7]).unwrap(), 11);
        for wrong in [&[][..], &[0, 0, 0], &[0, 0, 0, 0], &[0, 0, 0, 2, 9], &[0, 0, 0, 1, 9, 0]] {
            let refused = checked_size(wrong).unwrap_err().to_string();
            assert!(refused.contains("not a sequence of length-prefixed"), "{wrong:?}: {refused}");
        }
        for annex_b in [&[0, 0, 0, 1, 0x67, 1, 2, 0, 0, 0, 1, 0x65][..], &[0, 0, 1, 0x65, 1, 2]] {
            assert!(checked_size(annex_b).unwrap_err().to_string().contains("Annex B"));
        }
    }
}
