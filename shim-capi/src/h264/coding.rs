//! Frames in, packets out.

use std::ptr::null;

use shim_h264::{Conversion, FirstPass, Frame, Packet};

use super::frame::{Description, H264Frame};
use super::{H264Encoder, SHIM_H264_PIXELS_I420, Stage, State};
use crate::handle::call;
use crate::memory::sized;
use crate::status::{Failure, SHIM_ERROR_VALUE, Status};

/// An encoded frame. Initialize it to zeros (`shim_h264_packet packet = {0};`), except the size.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct H264Packet {
    /// `sizeof(shim_h264_packet)`, which identifies the version of the structure.
    pub struct_size: usize,
    /// First byte; null without a packet. Owned by the encoder, and valid until the next call with it.
    pub data: *const u8,
    /// Number of bytes.
    pub size: usize,
    /// Frame number in output order, from 0.
    pub number: u64,
    /// 1 if the frame is a keyframe, at which decoding can start, and 0 otherwise.
    pub keyframe: u32,
    /// Presentation timestamp of the frame.
    pub pts: i64,
    /// User data of the frame.
    pub user_data: u64,
}

impl H264Packet {
    pub(super) const NONE: Self = Self {
        struct_size: size_of::<Self>(),
        data: null(),
        size: 0,
        number: 0,
        keyframe: 0,
        pts: 0,
        user_data: 0,
    };
}

/// Bytes owned by an encoder, valid until the next call with it.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct H264Bytes {
    /// First byte; null if there are none.
    pub data: *const u8,
    /// Number of bytes.
    pub size: usize,
}

impl H264Bytes {
    const NONE: Self = Self { data: null(), size: 0 };
}

impl From<&[u8]> for H264Bytes {
    fn from(bytes: &[u8]) -> Self {
        Self { data: bytes.as_ptr(), size: bytes.len() }
    }
}

/// Encodes a frame. `*packet` receives the next encoded frame: with a look-ahead it is one before this frame, and
/// `packet->data` is null if there is none yet. It is null after an error as well, which leaves the stream unchanged.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn shim_h264_encode(
    encoder: *mut H264Encoder,
    frame: *const H264Frame,
    packet: *mut H264Packet,
) -> Status {
    let action = |encoder: &H264Encoder| {
        // SAFETY: a packet whose first field says its size, or null, by the rules of the library.
        let packet = unsafe { Out::of(packet) }?;
        // SAFETY: a frame as it is described, or null, by the rules of the library.
        let (frame, description) = unsafe {
            let frame = H264Frame::read(frame)?;
            (frame, frame.description()?)
        };
        encoder.with_state(|state| {
            let (width, height) = (frame.width as usize, frame.height as usize);
            let coded = match description {
                Description::I420([luma, cb, cr]) => {
                    let given = frame.tagged(Frame::new(width, height, luma, cb, cr)?);
                    state.step(|encoder, _| encoder.encode(&given))?
                }
                Description::Nv12([luma, chroma]) => {
                    let given = frame.tagged(Frame::nv12(width, height, luma, chroma)?);
                    state.step(|encoder, _| encoder.encode(&given))?
                }
                Description::Pixels(pixels, (samples, stride)) => {
                    let mut conversion = state.conversion(pixels, width, height)?;
                    let coded = conversion
                        .frame(samples, stride)
                        .map_err(Failure::from)
                        .and_then(|given| state.step(|encoder, _| encoder.encode(&frame.tagged(given))));
                    state.conversion = Some((pixels, conversion));
                    coded?
                }
            };
            packet.become_packet(state, coded);
            Ok(())
        })
    };
    // SAFETY: an encoder that was not freed, or null, by the rules of the library.
    unsafe { call(encoder, action) }
}

/// Returns the next delayed packet after the last frame. Call it until `packet->data` is null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn shim_h264_flush(encoder: *mut H264Encoder, packet: *mut H264Packet) -> Status {
    let action = |encoder: &H264Encoder| {
        // SAFETY: a packet whose first field says its size, or null, by the rules of the library.
        let packet = unsafe { Out::of(packet) }?;
        encoder.with_state(|state| {
            let coded = match state.stage {
                // Nothing was begun.
                Stage::Settings => None,
                _ => state.step(|encoder, _| encoder.flush())?,
            };
            packet.become_packet(state, coded);
            Ok(())
        })
    };
    // SAFETY: an encoder that was not freed, or null, by the rules of the library.
    unsafe { call(encoder, action) }
}

/// Returns the frame of the last packet as a decoder outputs it, with even dimensions. `*frame` receives its
/// description, in memory of the encoder that is valid until the next call with it. Only `struct_size` is read. Before
/// the first packet this returns `SHIM_ERROR_VALUE`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn shim_h264_reconstruction(
    encoder: *mut H264Encoder,
    frame: *mut H264Frame,
) -> Status {
    let action = |encoder: &H264Encoder| {
        // SAFETY: a frame whose first field says its size, or null, by the rules of the library.
        unsafe { H264Frame::read(frame) }?;
        encoder.with_state(|state| {
            let coder = match &state.stage {
                Stage::Frames(coder) if state.first_pass != FirstPass::default() => coder,
                _ => return Err(Failure::new(SHIM_ERROR_VALUE, "no frame was encoded")),
            };
            let recon = coder.reconstruction();
            let (planes, pixels) = (recon.planes(), SHIM_H264_PIXELS_I420);
            let [width, height] = [recon.width(), recon.height()].map(|side| side as u32);
            let shown = H264Frame {
                width,
                height,
                pixels,
                planes: planes.each_ref().map(|plane| plane.samples().as_ptr()),
                strides: planes.each_ref().map(shim_h264::Plane::stride),
                plane_sizes: planes.each_ref().map(|plane| plane.samples().len()),
                ..H264Frame::EMPTY
            };
            // SAFETY: a frame of this size, by the rules of the library; it is not null.
            unsafe { frame.write_unaligned(shown) };
            Ok(())
        })
    };
    // SAFETY: an encoder that was not freed, or null, by the rules of the library.
    unsafe { call(encoder, action) }
}

/// Returns the sequence and picture parameter sets, as NAL units without start code or length prefix. Fixes the
/// settings.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn shim_h264_parameter_sets(
    encoder: *mut H264Encoder,
    sps: *mut H264Bytes,
    pps: *mut H264Bytes,
) -> Status {
    let action = |encoder: &H264Encoder| {
        // SAFETY: memory for the description of bytes, or null, by the rules of the library.
        let (of_sps, of_pps) = unsafe { (Out::bytes(sps, "sps")?, Out::bytes(pps, "pps")?) };
        encoder.with_state(|state| {
            let first = state.step(|encoder, bytes| {
                let [sps, pps] = encoder.parameter_sets();
                bytes.clear();
                bytes.extend(&sps);
                bytes.extend(&pps);
                Ok(sps.len())
            })?;
            let (sps, pps) = state.bytes.split_at(first);
            of_sps.write(sps.into());
            of_pps.write(pps.into());
            Ok(())
        })
    };
    // SAFETY: an encoder that was not freed, or null, by the rules of the library.
    unsafe { call(encoder, action) }
}

/// Returns the `AVCDecoderConfigurationRecord`, the contents of the `avcC` box of MP4 files. Fixes the settings.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn shim_h264_configuration_record(
    encoder: *mut H264Encoder,
    record: *mut H264Bytes,
) -> Status {
    let action = |encoder: &H264Encoder| {
        // SAFETY: memory for the description of bytes, or null, by the rules of the library.
        let record = unsafe { Out::bytes(record, "record") }?;
        encoder.with_state(|state| {
            state.step(|encoder, bytes| {
                *bytes = encoder.configuration_record();
                Ok(())
            })?;
            record.write(state.bytes[..].into());
            Ok(())
        })
    };
    // SAFETY: an encoder that was not freed, or null, by the rules of the library.
    unsafe { call(encoder, action) }
}

/// Returns the sizes of the pictures so far, as text for `shim_h264_encoder_set_first_pass`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn shim_h264_first_pass(encoder: *mut H264Encoder, text: *mut H264Bytes) -> Status {
    let action = |encoder: &H264Encoder| {
        // SAFETY: memory for the description of bytes, or null, by the rules of the library.
        let text = unsafe { Out::bytes(text, "text") }?;
        encoder.with_state(|state| {
            state.bytes = state.first_pass.to_string().into_bytes();
            text.write(state.bytes[..].into());
            Ok(())
        })
    };
    // SAFETY: an encoder that was not freed, or null, by the rules of the library.
    unsafe { call(encoder, action) }
}

/// Where C wants something, which is nothing until there is.
struct Out<T>(*mut T);

impl Out<H264Packet> {
    /// # Safety
    ///
    /// If it is not null, a packet lies there, and the function that was called has the memory to itself.
    unsafe fn of(packet: *mut H264Packet) -> Result<Self, Failure> {
        // SAFETY: the caller's promise.
        unsafe { sized(packet.cast_const(), &[], "packet") }?;
        let packet = Self(packet);
        packet.write(H264Packet::NONE);
        Ok(packet)
    }

    /// Keeps a packet in the encoder, and describes it.
    fn become_packet(&self, state: &mut State, packet: Option<Packet>) {
        let Some(Packet { bytes, keyframe, number, pts, user_data, statistics, .. }) = packet else { return };
        state.bytes = bytes;
        state.first_pass.extend([statistics]);
        self.write(H264Packet {
            data: state.bytes.as_ptr(),
            size: state.bytes.len(),
            number,
            keyframe: keyframe.into(),
            pts,
            user_data,
            ..H264Packet::NONE
        });
    }
}

impl Out<H264Bytes> {
    /// # Safety
    ///
    /// If it is not null, there is memory, and the function that was called has it to itself.
    unsafe fn bytes(bytes: *mut H264Bytes, name: &str) -> Result<Self, Failure> {
        if bytes.is_null() {
            return Err(Failure::null(name));
        }
        let bytes = Self(bytes);
        bytes.write(H264Bytes::NONE);
        Ok(bytes)
    }
}

impl<T> Out<T> {
    fn write(&self, value: T) {
        // SAFETY: what `of` and `bytes` were promised; it is not null, and no alignment is needed.
        unsafe { self.0.write_unaligned(value) };
    }
}

impl State {
    /// What converts pixels, taken out.
    fn conversion(
        &mut self,
        pixels: shim_h264::Pixels,
        width: usize,
        height: usize,
    ) -> Result<Conversion, Failure> {
        let (given, wanted) = ((width, height), (self.config.width, self.config.height));
        if given != wanted {
            return Err(shim_h264::Error::FrameSize { given, wanted }.into());
        }
        match self.conversion.take() {
            Some((made_for, conversion)) if made_for == pixels => Ok(conversion),
            _ => Ok(Conversion::new(width, height, pixels, self.config.rgb_color())?),
        }
    }
}
