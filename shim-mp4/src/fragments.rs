//! Fragmented MP4 files (ISO/IEC 14496-12, 8.8): what a player has to know of the frames comes with them, so that a
//! file without its end plays as far as it goes, and a pipe takes it.

use std::io::{self, Write};

use super::boxes::Boxes;
use super::{Index, Video, is_wide};

/// Flags of a frame at which decoding can begin: it depends on no other.
const KEYFRAME: u32 = 0x0200_0000;
/// Flags of another frame: it depends on others, and decoding cannot begin there.
const DEPENDENT: u32 = 0x0101_0000;

/// A fragmented file in progress: each fragment has an index of its own.
#[derive(Clone, Debug)]
pub struct Fragments {
    video: Video,
    /// Most frames of a fragment: those of a second.
    most: usize,
    /// Fragments written.
    number: u32,
    /// The time of the next fragment, in the units of the frame rate.
    time: u64,
    /// The frames of the next fragment, and the size and flags of each.
    bytes: Vec<u8>,
    frames: Vec<[u32; 2]>,
}

impl Fragments {
    /// Begins a file.
    ///
    /// # Errors
    ///
    /// Those of the writer.
    pub fn new(video: Video, file: &mut impl Write) -> io::Result<Self> {
        let mut header = video.file_type()?;
        header.extend(video.movie(&Index::default(), 0, |moov| {
            moov.within(*b"mvex", |mvex| {
                // The track, the description of its frames, and no defaults.
                mvex.full(*b"trex", 0, 0, |trex| trex.u32s([1, 1, 0, 0, 0]));
            });
        })?);
        file.write_all(&header)?;
        let (frames, seconds) = video.frame_rate;
        let most = (frames / seconds.max(1)).max(1) as usize;
        Ok(Self { video, most, number: 0, time: 0, bytes: Vec::new(), frames: Vec::new() })
    }

    /// Adds a frame, whose NAL units have their lengths before them. A fragment ends before a keyframe, and after a
    /// second.
    ///
    /// # Errors
    ///
    /// Those of the writer, and when the frame has 4 GB or more.
    pub fn frame(&mut self, bytes: &[u8], keyframe: bool, file: &mut impl Write) -> io::Result<()> {
        if keyframe || self.frames.len() >= self.most {
            self.flush(file)?;
        }
        let size = u32::try_from(bytes.len()).map_err(io::Error::other)?;
        self.frames.push([size, if keyframe { KEYFRAME } else { DEPENDENT }]);
        self.bytes.extend_from_slice(bytes);
        Ok(())
    }

    /// Writes the frames that wait for their fragment to end.
    ///
    /// # Errors
    ///
    /// Those of the writer, and when the fragment has 4 GB or more.
    pub fn flush(&mut self, file: &mut impl Write) -> io::Result<()> {
        if self.frames.is_empty() {
            return Ok(());
        }
        self.number += 1;
        // Its length does not depend on where the frames begin.
        let length = self.movie_fragment(0)?.len() as u32;
        let mut fragment = self.movie_fragment(length + 8)?;
        let data = u32::try_from(self.bytes.len() + 8).map_err(io::Error::other)?;
        fragment.extend(data.to_be_bytes());
        fragment.extend(b"mdat");
        fragment.append(&mut self.bytes);
        self.time += self.frames.len() as u64 * u64::from(self.video.frame_rate.1);
        self.frames.clear();
        // At once, so that what is there of a file are whole fragments but for the last.
        file.write_all(&fragment)
    }

    /// The box `moof` of a fragment whose frames begin at `data` of it.
    fn movie_fragment(&self, data: u32) -> io::Result<Vec<u8>> {
        let mut boxes = Boxes::default();
        boxes.within(*b"moof", |moof| {
            moof.full(*b"mfhd", 0, 0, |mfhd| mfhd.u32(self.number));
            moof.within(*b"traf", |traf| {
                // Offsets count from the fragment, and all frames have this duration.
                traf.full(*b"tfhd", 0, 0x02_0008, |tfhd| tfhd.u32s([1, self.video.frame_rate.1]));
                let wide = is_wide(self.time);
                traf.full(*b"tfdt", u8::from(wide), 0, |tfdt| tfdt.sized(wide, self.time));
                // The offset, and size and flags of each frame.
                traf.full(*b"trun", 0, 0x0601, |trun| {
                    trun.u32s([self.frames.len() as u32, data]);
                    trun.u32s(self.frames.iter().flatten().copied());
                });
            });
        });
        boxes.into_bytes()
    }
}
