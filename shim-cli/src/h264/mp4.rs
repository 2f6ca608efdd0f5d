//! MP4 files (ISO/IEC 14496-12 and 14496-15) with one track of video.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};

use mp4_atom::{
    Atom, Avc1, Avcc, Co64, Codec, Colr, Dinf, Dref, Encode, FourCC, Ftyp, Hdlr, Mdhd, Mdia, Minf, Moov,
    Mvhd, Pasp, Stbl, Stsc, StscEntry, Stsd, Stss, Stsz, StszSamples, Stts, SttsEntry, Tkhd, Trak, Url,
    Visual, Vmhd,
};
use shim_h264::syntax::sps::SeqParameterSet;

use crate::output::Output;

/// The bytes of a box's header whose length has 64 bits.
const LARGE_HEADER: u64 = 16;

/// What a video is.
#[derive(Clone, Debug)]
pub(super) struct Video {
    pub(super) width: usize,
    pub(super) height: usize,
    /// Frames a second.
    pub(super) frame_rate: (u32, u32),
    /// What luma and chroma mean, if something is known of it.
    pub(super) color: Option<Color>,
    /// Width over height of a sample.
    pub(super) sample_aspect_ratio: Option<(u16, u16)>,
    /// Whether it is a `mov` file.
    pub(super) quicktime: bool,
    pub(super) avcc: Avcc,
}

/// Code points (ISO/IEC 23091-2), as the stream has them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Color {
    primaries: u16,
    transfer: u16,
    matrix: u16,
    full_range: bool,
}

impl Color {
    /// What a configuration says, if it says anything.
    pub(super) fn of(sps: &SeqParameterSet) -> Option<Self> {
        let vui = &sps.vui;
        vui.video_signal_type_present_flag.then_some(Self {
            primaries: vui.colour_primaries.into(),
            transfer: vui.transfer_characteristics.into(),
            matrix: vui.matrix_coefficients.into(),
            full_range: vui.video_full_range_flag,
        })
    }

    fn colr(self, quicktime: bool) -> Colr {
        let Self { primaries, transfer, matrix, full_range } = self;
        if quicktime {
            Colr::Nclc {
                colour_primaries: primaries,
                transfer_characteristics: transfer,
                matrix_coefficients: matrix,
            }
        } else {
            Colr::Nclx {
                colour_primaries: primaries,
                transfer_characteristics: transfer,
                matrix_coefficients: matrix,
                full_range_flag: full_range,
            }
        }
    }
}

/// A file under way: its frames are written as they come, and in the end what a player has to know of them.
#[derive(Clone, Debug)]
pub(super) struct Mp4 {
    video: Video,
    /// Where the frames begin.
    data: u64,
    /// The bytes of each frame.
    sizes: Vec<u32>,
    /// The numbers of those at which decoding can begin, from 1.
    keyframes: Vec<u32>,
}

impl Mp4 {
    /// Begins a file.
    pub(super) fn new(video: Video, file: &mut impl Write) -> io::Result<Self> {
        let brands: &[&[u8; 4]] =
            if video.quicktime { &[b"qt  "] } else { &[b"isom", b"iso6", b"avc1", b"mp41"] };
        let brands: Vec<_> = brands.iter().map(|&brand| FourCC::from(brand)).collect();
        let mut header = Vec::new();
        let ftyp = Ftyp { major_brand: brands[0], minor_version: 512, compatible_brands: brands };
        encode(&ftyp, &mut header)?;
        // The length is known in the end.
        header.extend([0, 0, 0, 1, b'm', b'd', b'a', b't']);
        header.extend([0; 8]);
        file.write_all(&header)?;
        Ok(Self { video, data: header.len() as u64, sizes: Vec::new(), keyframes: Vec::new() })
    }

    /// Adds a frame, whose NAL units have their lengths before them.
    pub(super) fn frame(&mut self, bytes: &[u8], keyframe: bool, file: &mut impl Write) -> io::Result<()> {
        file.write_all(bytes)?;
        self.sizes.push(u32::try_from(bytes.len()).map_err(io::Error::other)?);
        if keyframe {
            self.keyframes.push(self.sizes.len() as u32);
        }
        Ok(())
    }

    /// Ends the file: `moov` goes before `mdat`, so that players begin before they have the whole file, unless what was written
    /// cannot be read again.
    pub(super) fn finish(self, file: &mut Output) -> io::Result<()> {
        let length = LARGE_HEADER + self.sizes.iter().map(|&size| u64::from(size)).sum::<u64>();
        let mdat = self.data - LARGE_HEADER;
        let mut movie = Vec::new();
        // Its length does not depend on where the frames begin.
        encode(&self.movie(self.data)?, &mut movie)?;
        let Some(file) = file.regular_file() else {
            file.write_all(&movie)?;
            file.seek(SeekFrom::Start(mdat + 8))?;
            file.write_all(&length.to_be_bytes())?;
            file.seek(SeekFrom::End(0))?;
            return Ok(());
        };
        let by = movie.len() as u64;
        movie.clear();
        encode(&self.movie(self.data + by)?, &mut movie)?;
        move_up(file, mdat, mdat + length, by)?;
        file.seek(SeekFrom::Start(mdat))?;
        file.write_all(&movie)?;
        file.seek(SeekFrom::Start(mdat + by + 8))?;
        file.write_all(&length.to_be_bytes())
    }

    /// The box of a file whose frames begin at `data`.
    fn movie(&self, data: u64) -> io::Result<Moov> {
        let Self { video, sizes, keyframes, .. } = self.clone();
        let Video {
            width,
            height,
            frame_rate: (timescale, delta),
            color,
            sample_aspect_ratio,
            quicktime,
            avcc,
        } = video;
        let side = |side: usize| u16::try_from(side).map_err(io::Error::other);
        let (width, height) = (side(width)?, side(height)?);
        let frames = sizes.len() as u32;
        let duration = u64::from(frames) * u64::from(delta);
        let visual = Visual {
            data_reference_index: 1,
            width,
            height,
            horizresolution: 72.into(),
            vertresolution: 72.into(),
            frame_count: 1,
            compressor: "shim".into(),
            depth: 24,
        };
        let colr = color.map(|color| color.colr(quicktime));
        let (across, down) = sample_aspect_ratio.unwrap_or((1, 1));
        let pasp = sample_aspect_ratio.map(|_| Pasp { h_spacing: across.into(), v_spacing: down.into() });
        // What the track is to be shown at: its height, and the width that samples of this shape make.
        let shown = (u64::from(width) * u64::from(across) + u64::from(down) / 2) / u64::from(down);
        let shown = u16::try_from(shown).unwrap_or(width);
        let all_are_keyframes = keyframes.len() == sizes.len();
        let stbl = Stbl {
            stsd: Stsd { codecs: vec![Codec::Avc1(Avc1 { visual, avcc, colr, pasp, ..Avc1::default() })] },
            stts: Stts { entries: vec![SttsEntry { sample_count: frames, sample_delta: delta }] },
            stss: (!all_are_keyframes).then_some(Stss { entries: keyframes }),
            // One chunk, from the first frame to the last.
            stsc: Stsc {
                entries: vec![StscEntry {
                    first_chunk: 1,
                    samples_per_chunk: frames,
                    sample_description_index: 1,
                }],
            },
            stsz: Stsz { samples: StszSamples::Different { sizes } },
            co64: Some(Co64 { entries: vec![data] }),
            ..Stbl::default()
        };
        let dref = Dref { entries: vec![mp4_atom::DrefEntry::Url(Url::default())] };
        let minf = Minf { vmhd: Some(Vmhd::default()), dinf: Dinf { dref }, stbl, ..Minf::default() };
        let mdia = Mdia {
            mdhd: Mdhd { timescale, duration, language: "und".to_owned(), ..Mdhd::default() },
            hdlr: Hdlr { handler: FourCC::from(b"vide"), name: "video".to_owned() },
            minf,
        };
        let tkhd = Tkhd {
            track_id: 1,
            duration,
            enabled: true,
            in_movie: true,
            width: shown.into(),
            height: height.into(),
            ..Tkhd::default()
        };
        Ok(Moov {
            mvhd: Mvhd {
                timescale,
                duration,
                rate: 1.into(),
                volume: 1.into(),
                next_track_id: 2,
                ..Mvhd::default()
            },
            trak: vec![Trak { tkhd, mdia, ..Trak::default() }],
            ..Moov::default()
        })
    }
}

/// Moves the bytes from `start` to `end` of a file up, the last first.
fn move_up(file: &mut File, start: u64, end: u64, by: u64) -> io::Result<()> {
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

fn encode(atom: &(impl Encode + Atom), to: &mut Vec<u8>) -> io::Result<()> {
    atom.encode(to).map_err(io::Error::other)
}
