//! H.264 streams and MP4 files.

use std::cell::RefCell;
use std::io::Cursor;

use shim_h264::{Config, Conversion, Encoder, Format, Frame, Packet, Pixels, RateControl};
use shim_mp4::{Mp4, Video};

use crate::memory::answered;
use crate::request::{Request, number};

/// An encoder and the file that it writes.
struct Session {
    encoder: Encoder,
    /// From pixels, once there was a frame of them.
    conversion: Option<(Pixels, Conversion)>,
    /// Whether it writes an MP4 file, which begins with the first frame: that decides on the color of the stream.
    is_mp4: bool,
    mp4: Option<File>,
}

/// An MP4 file in memory.
type File = (Mp4, Cursor<Vec<u8>>);

thread_local! {
    /// By their numbers; an encoder that has ended leaves its number to another.
    static SESSIONS: RefCell<Vec<Option<Session>>> = const { RefCell::new(Vec::new()) };
}

/// Makes an encoder; the answer is its number as text. See `src/h264.ts` for the settings.
#[unsafe(no_mangle)]
pub extern "C" fn open(length: usize) -> u32 {
    answered(length, |text, bytes| {
        let session = Session::open(Request::new(text, bytes))?;
        Ok::<_, String>(SESSIONS.with_borrow_mut(|sessions| {
            let free = sessions.iter().position(Option::is_none).unwrap_or(sessions.len());
            if free == sessions.len() {
                sessions.push(None);
            }
            sessions[free] = Some(session);
            free.to_string().into_bytes()
        }))
    })
}

/// Encodes a frame; the answer has the packets that are ready.
#[unsafe(no_mangle)]
pub extern "C" fn encode(number: usize, length: usize) -> u32 {
    answered(length, |text, bytes| with(number, |session| session.encode(Request::new(text, bytes))))
}

/// Encodes the frames that the encoder still has; the answer has their packets.
#[unsafe(no_mangle)]
pub extern "C" fn flush(number: usize) -> u32 {
    answered(0, |_, _| with(number, Session::flush))
}

/// Ends an encoder; the answer is the MP4 file, if it writes one.
#[unsafe(no_mangle)]
pub extern "C" fn close(number: usize) -> u32 {
    answered(0, |_, _| {
        let session = SESSIONS.with_borrow_mut(|sessions| sessions.get_mut(number).and_then(Option::take));
        let Some(mut session) = session.filter(|session| session.is_mp4) else { return Ok(Vec::new()) };
        session.begin(false)?;
        let Some((mp4, mut file)) = session.mp4 else { return Ok(Vec::new()) };
        mp4.finish(&mut file).map_err(|error| error.to_string())?;
        Ok::<_, String>(file.into_inner())
    })
}

fn with(
    number: usize,
    work: impl FnOnce(&mut Session) -> Result<Vec<u8>, String>,
) -> Result<Vec<u8>, String> {
    SESSIONS.with_borrow_mut(|sessions| match sessions.get_mut(number) {
        Some(Some(session)) => work(session),
        _ => Err("the encoder has ended".to_owned()),
    })
}

fn shown(error: shim_h264::Error) -> String {
    error.to_string()
}

impl Session {
    fn open(request: Request<'_>) -> Result<Self, String> {
        let mut config = Config::new(0, 0);
        let mut is_mp4 = false;
        for (name, value) in request {
            match name {
                "width" => config.width = number(value)?,
                "height" => config.height = number(value)?,
                "frames" => config.frame_rate.0 = number(value)?,
                "seconds" => config.frame_rate.1 = number(value)?,
                "preset" => config.preset = value.parse().map_err(|error| format!("{error}"))?,
                "tune" => config.tune(value.parse().map_err(|error| format!("{error}"))?),
                "qp" => config.rate = RateControl::ConstantQp(number(value)?),
                "crf" => config.rate = RateControl::ConstantQuality(number(value)?),
                "bitrate" => config.rate = RateControl::AverageBitRate(number(value)?),
                "keyint" => config.keyint = number(value)?,
                "lookahead" => config.lookahead = Some(number(value)?),
                "slices" => config.slices = number(value)?,
                "container" => match value {
                    "mp4" => is_mp4 = true,
                    "annexb" => {}
                    "avc" => config.format = Format::Avcc,
                    other => return Err(format!("`{other}` is not a container: `mp4`, `annexb` or `avc`")),
                },
                other => return Err(format!("`{other}` is not a setting")),
            }
        }
        if is_mp4 {
            config.format = Format::Avcc;
        }
        let encoder = Encoder::new(config).map_err(shown)?;
        Ok(Session { encoder, conversion: None, is_mp4, mp4: None })
    }

    /// Begins the MP4 file, whose header has the color that RGB is converted to.
    fn begin(&mut self, is_rgb: bool) -> Result<(), String> {
        if !self.is_mp4 || self.mp4.is_some() {
            return Ok(());
        }
        if is_rgb {
            let mut config = self.encoder.config().clone();
            config.color = Some(config.rgb_color());
            self.encoder = Encoder::new(config).map_err(shown)?;
        }
        let mut file = Cursor::new(Vec::new());
        let mp4 = Mp4::new(Video::of(&mut self.encoder), &mut file).map_err(|error| error.to_string())?;
        self.mp4 = Some((mp4, file));
        Ok(())
    }

    fn encode(&mut self, mut request: Request<'_>) -> Result<Vec<u8>, String> {
        let (mut format, mut samples, mut pts, mut keyframe) = ("rgba", &[][..], None, false);
        while let Some((name, value)) = request.next() {
            match name {
                "format" => format = value,
                "timestamp" => pts = Some(number(value)?),
                "keyframe" => keyframe = true,
                "DATA" => samples = request.bytes(value)?,
                other => return Err(format!("`{other}` is not a setting of a frame")),
            }
        }
        let (width, height) = (self.encoder.config().width, self.encoder.config().height);
        let pixels = match format {
            "i420" | "nv12" => None,
            "rgb" => Some(Pixels::Rgb),
            "bgr" => Some(Pixels::Bgr),
            "rgba" => Some(Pixels::Rgba),
            "bgra" => Some(Pixels::Bgra),
            "gray" => Some(Pixels::Gray),
            other => return Err(format!("`{other}` is not a format of frames")),
        };
        self.begin(pixels.is_some())?;
        let frame = match pixels {
            None if format == "i420" => Frame::i420(width, height, samples),
            None => {
                // Pairs of Cb and Cr follow luma.
                let luma = width.saturating_mul(height).min(samples.len());
                let (luma, chroma) = samples.split_at(luma);
                Frame::nv12(width, height, (luma, width), (chroma, width.next_multiple_of(2)))
            }
            Some(pixels) => {
                let other = self.conversion.take().filter(|(own, _)| *own == pixels);
                let conversion = match other {
                    Some((_, conversion)) => conversion,
                    None => Conversion::new(width, height, pixels, self.encoder.config().rgb_color())
                        .map_err(shown)?,
                };
                let (_, conversion) = self.conversion.insert((pixels, conversion));
                conversion.frame(samples, width * pixels.bytes())
            }
        };
        let mut frame = frame.map_err(shown)?;
        if let Some(pts) = pts {
            frame = frame.with_pts(pts);
        }
        if keyframe {
            self.encoder.force_keyframe();
        }
        let packet = self.encoder.encode(&frame).map_err(shown)?;
        let mut packets = Vec::new();
        if let Some(packet) = packet {
            write(&mut self.mp4, &packet, &mut packets)?;
        }
        Ok(packets)
    }

    fn flush(&mut self) -> Result<Vec<u8>, String> {
        let mut packets = Vec::new();
        while let Some(packet) = self.encoder.flush().map_err(shown)? {
            write(&mut self.mp4, &packet, &mut packets)?;
        }
        Ok(packets)
    }
}

/// Adds a packet to the file, or to an answer: the length, whether it is a keyframe, the timestamp, all in little-endian
/// order, and the bytes.
fn write(
    mp4: &mut Option<(Mp4, Cursor<Vec<u8>>)>,
    packet: &Packet,
    answer: &mut Vec<u8>,
) -> Result<(), String> {
    if let Some((mp4, file)) = mp4 {
        return mp4.frame(&packet.bytes, packet.keyframe, file).map_err(|error| error.to_string());
    }
    let length = u32::try_from(packet.bytes.len()).map_err(|error| error.to_string())?;
    answer.extend(length.to_le_bytes());
    answer.extend(u32::from(packet.keyframe).to_le_bytes());
    answer.extend(packet.pts.to_le_bytes());
    answer.extend(&packet.bytes);
    Ok(())
}
