//! MP4 files (ISO/IEC 14496-12 and 14496-15) with one track of video.

use std::io::{self, Seek, SeekFrom, Write};

use mp4_atom::{
    Atom, Avc1, Avcc, Co64, Codec, Dinf, Dref, Encode, FourCC, Ftyp, Hdlr, Mdhd, Mdia, Minf, Moov, Mvhd,
    Stbl, Stsc, StscEntry, Stsd, Stss, Stsz, StszSamples, Stts, SttsEntry, Tkhd, Trak, Url, Visual, Vmhd,
};

/// The bytes of a box's header whose length has 64 bits.
const LARGE_HEADER: u64 = 16;

/// What a video is.
#[derive(Clone, Debug)]
pub(super) struct Video {
    pub(super) width: usize,
    pub(super) height: usize,
    /// Frames a second.
    pub(super) frame_rate: (u32, u32),
    pub(super) avcc: Avcc,
}

/// A file under way: its frames are written as they come, and in the end what a player has to know of them.
#[derive(Debug)]
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
        let brands = [b"isom", b"iso6", b"avc1", b"mp41"].map(FourCC::from);
        let mut header = Vec::new();
        let ftyp = Ftyp { major_brand: brands[0], minor_version: 512, compatible_brands: brands.to_vec() };
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

    /// Ends the file.
    pub(super) fn finish(self, file: &mut (impl Write + Seek)) -> io::Result<()> {
        let length = self.sizes.iter().map(|&size| u64::from(size)).sum::<u64>();
        let mut movie = Vec::new();
        let start = self.data - 8;
        encode(&self.movie()?, &mut movie)?;
        file.write_all(&movie)?;
        file.seek(SeekFrom::Start(start))?;
        file.write_all(&(LARGE_HEADER + length).to_be_bytes())?;
        file.seek(SeekFrom::End(0))?;
        Ok(())
    }

    fn movie(self) -> io::Result<Moov> {
        let Self { video, data, sizes, keyframes } = self;
        let Video { width, height, frame_rate: (timescale, delta), avcc } = video;
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
        let all_are_keyframes = keyframes.len() == sizes.len();
        let stbl = Stbl {
            stsd: Stsd { codecs: vec![Codec::Avc1(Avc1 { visual, avcc, ..Avc1::default() })] },
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
            width: width.into(),
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

fn encode(atom: &(impl Encode + Atom), to: &mut Vec<u8>) -> io::Result<()> {
    atom.encode(to).map_err(io::Error::other)
}
