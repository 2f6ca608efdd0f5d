//! Fragmented MP4 files (ISO/IEC 14496-12, 8.8): what a player has to know of the frames comes with them, so that a
//! file without its end plays as far as it goes, and a pipe takes it.

use std::io::{self, Write};

use super::boxes::Boxes;
use super::clock::{Clock, duration};
use super::{Index, Video, checked_size, is_wide};

/// Flags of a frame at which decoding can begin: it depends on no other.
const KEYFRAME: u32 = 0x0200_0000;
/// Flags of another frame: it depends on others, and decoding cannot begin there.
const DEPENDENT: u32 = 0x0101_0000;

/// A frame of the next fragment.
#[derive(Clone, Copy, Debug)]
struct Waiting {
    time: u64,
    size: u32,
    flags: u32,
}

/// A fragmented file in progress: each fragment has an index of its own.
#[derive(Clone, Debug)]
pub struct Fragments {
    video: Video,
    clock: Clock,
    /// The times of the first frame and of the last.
    origin: Option<u64>,
    last: Option<u64>,
    /// Ticks that the last frame of the last fragment was shown for.
    duration: u32,
    /// Fragments written.
    number: u32,
    /// The frames of the next fragment, and what they are.
    bytes: Vec<u8>,
    frames: Vec<Waiting>,
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
        Ok(Self {
            clock: video.clock(),
            duration: video.usual_duration(),
            video,
            origin: None,
            last: None,
            number: 0,
            bytes: Vec::new(),
            frames: Vec::new(),
        })
    }

    /// Adds a frame, whose NAL units have their lengths before them, at the time that the frame rate gives it. A fragment
    /// ends before a keyframe, and after a second.
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
        if let Some(last) = self.last {
            duration(last, time)?;
        }
        if let Some(first) = self.frames.first()
            && (keyframe || time - first.time >= u64::from(self.video.timescale))
        {
            self.end_fragment(time, file)?;
        }
        self.origin.get_or_insert(time);
        self.last = Some(time);
        self.clock.frame(Some(time));
        self.frames.push(Waiting { time, size, flags: if keyframe { KEYFRAME } else { DEPENDENT } });
        self.bytes.extend_from_slice(bytes);
        Ok(())
    }

    /// Writes the frames that wait for their fragment to end. It is called at the end of the file, whose last frame is shown
    /// as long as the one before it.
    ///
    /// # Errors
    ///
    /// Those of the writer, and when the fragment has 4 GB or more.
    pub fn flush(&mut self, file: &mut impl Write) -> io::Result<()> {
        let Some(last) = self.frames.last() else { return Ok(()) };
        let before = self.frames.iter().rev().nth(1);
        let shown = before.map_or(u64::from(self.duration), |before| last.time - before.time);
        self.end_fragment(last.time + shown, file)
    }

    /// Writes a fragment whose last frame is shown until a time.
    fn end_fragment(&mut self, until: u64, file: &mut impl Write) -> io::Result<()> {
        self.number += 1;
        let times = self.frames.iter().map(|frame| frame.time).chain([until]);
        let times: Vec<u64> = times.collect();
        let durations =
            times.windows(2).map(|pair| duration(pair[0], pair[1])).collect::<io::Result<Vec<_>>>()?;
        // Its length does not depend on where the frames begin.
        let length = self.movie_fragment(&durations, 0)?.len() as u32;
        let mut fragment = self.movie_fragment(&durations, length + 8)?;
        let data = u32::try_from(self.bytes.len() + 8).map_err(io::Error::other)?;
        fragment.extend(data.to_be_bytes());
        fragment.extend(b"mdat");
        fragment.append(&mut self.bytes);
        self.duration = durations.last().copied().unwrap_or(self.duration);
        self.frames.clear();
        // At once, so that what is there of a file are whole fragments but for the last.
        file.write_all(&fragment)
    }

    /// The box `moof` of a fragment whose frames begin at `data` of it.
    fn movie_fragment(&self, durations: &[u32], data: u32) -> io::Result<Vec<u8>> {
        let usual = durations.first().copied().unwrap_or(self.duration);
        let varying = durations.iter().any(|&ticks| ticks != usual);
        let time = self.frames.first().map_or(0, |frame| frame.time - self.origin.unwrap_or(0));
        let mut boxes = Boxes::default();
        boxes.within(*b"moof", |moof| {
            moof.full(*b"mfhd", 0, 0, |mfhd| mfhd.u32(self.number));
            moof.within(*b"traf", |traf| {
                // Offsets count from the fragment; frames without a duration have this one.
                traf.full(*b"tfhd", 0, 0x02_0008, |tfhd| tfhd.u32s([1, usual]));
                let wide = is_wide(time);
                traf.full(*b"tfdt", u8::from(wide), 0, |tfdt| tfdt.sized(wide, time));
                // The offset, and duration, size and flags of each frame.
                let flags = if varying { 0x0701 } else { 0x0601 };
                traf.full(*b"trun", 0, flags, |trun| {
                    trun.u32s([self.frames.len() as u32, data]);
                    for (frame, &ticks) in self.frames.iter().zip(durations) {
                        trun.u32s([ticks].into_iter().filter(|_| varying));
                        trun.u32s([frame.size, frame.flags]);
                    }
                });
            });
        });
        boxes.into_bytes()
    }
}
