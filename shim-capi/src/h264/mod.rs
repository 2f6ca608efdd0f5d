//! The H.264 encoder: a handle that takes settings, then frames.

mod bit_rate;
mod coding;
mod frame;
mod settings;

pub use bit_rate::*;
pub use coding::*;
pub use frame::*;
pub use settings::*;

use std::cell::RefCell;
use std::ffi::{CStr, c_char};
use std::ptr::null_mut;

use shim_h264::{Config, Conversion, Encoder, FirstPass};

use crate::handle::{Handle, Message, busy, free, message};
use crate::memory::caught;
use crate::status::{Failure, SHIM_ERROR_INTERNAL, SHIM_ERROR_STARTED};

/// An encoder of one stream of video, and the text of the last error. Settings come first; with the first frame, or
/// when the parameter sets are asked for, they are final, but for those that say that they change between frames.
///
/// One thread at a time may use an encoder, and the text of its last error.
#[derive(Debug)]
pub struct H264Encoder {
    state: RefCell<State>,
    message: Message,
}

/// What an encoder is, and the memory that C is shown.
#[derive(Debug)]
struct State {
    config: Config,
    stage: Stage,
    /// QP offset that was set before the stream began.
    qp_offset: f32,
    /// For frames of red, green and blue.
    conversion: Option<(shim_h264::Pixels, Conversion)>,
    /// The last packet, the last parameter sets, or the text of the first pass.
    bytes: Vec<u8>,
    /// Sizes of the pictures so far.
    first_pass: FirstPass,
}

/// How far an encoder is.
#[derive(Debug)]
enum Stage {
    Settings,
    Frames(Box<Encoder>),
    /// A panic came while a frame was being coded.
    Lost,
}

impl State {
    /// Does something with the encoder, which begins now if it has not and this succeeds. It is gone after a panic.
    fn step<T>(
        &mut self,
        action: impl FnOnce(&mut Encoder, &mut Vec<u8>) -> Result<T, shim_h264::Error>,
    ) -> Result<T, Failure> {
        let (mut encoder, begun) = match std::mem::replace(&mut self.stage, Stage::Lost) {
            Stage::Frames(encoder) => (encoder, true),
            Stage::Settings => {
                let begun = Encoder::new(self.config.clone())
                    .and_then(|mut encoder| encoder.set_qp_offset(self.qp_offset).map(|()| encoder));
                match begun {
                    Ok(encoder) => (Box::new(encoder), false),
                    Err(error) => {
                        self.stage = Stage::Settings;
                        return Err(error.into());
                    }
                }
            }
            Stage::Lost => return Err(lost()),
        };
        let result = action(&mut encoder, &mut self.bytes);
        // A first call that is refused begins nothing, and leaves the settings open.
        self.stage = if begun || result.is_ok() { Stage::Frames(encoder) } else { Stage::Settings };
        Ok(result?)
    }
}

fn lost() -> Failure {
    Failure::new(SHIM_ERROR_INTERNAL, "the encoder was lost by a mistake in the library")
}

impl H264Encoder {
    fn with_state<T>(&self, action: impl FnOnce(&mut State) -> Result<T, Failure>) -> Result<T, Failure> {
        action(&mut *self.state.try_borrow_mut().map_err(|_| busy())?)
    }

    /// Does something with the encoder if the stream has begun, and else with the settings.
    fn control(
        &self,
        begun: impl FnOnce(&mut Encoder) -> Result<(), shim_h264::Error>,
        settings: impl FnOnce(&mut State),
    ) -> Result<(), Failure> {
        self.with_state(|state| match &mut state.stage {
            Stage::Settings => {
                settings(state);
                Ok(())
            }
            Stage::Frames(encoder) => Ok(begun(encoder)?),
            Stage::Lost => Err(lost()),
        })
    }

    /// Replaces the settings by what `change` makes of them.
    fn change(&self, change: impl FnOnce(&mut Config)) -> Result<(), Failure> {
        self.with_state(|state| match state.stage {
            Stage::Settings => {
                change(&mut state.config);
                Ok(())
            }
            _ => Err(Failure::new(SHIM_ERROR_STARTED, "settings are final when the stream has begun")),
        })
    }
}

impl Handle for H264Encoder {
    const NAME: &str = "encoder";
    const NULL: &CStr = c"`encoder` is null";

    fn message(&self) -> &Message {
        &self.message
    }
}

/// A new encoder for frames of this size: 30 frames per second, constant quality (CRF) 23, a keyframe at scene cuts and
/// at least every 250 frames, one slice, one thread, a byte stream (Annex B). An unsupported size is an error at the
/// first frame. Free it with `shim_h264_encoder_free`. Null indicates a bug in the library.
#[unsafe(no_mangle)]
pub extern "C" fn shim_h264_encoder_new(width: u32, height: u32) -> *mut H264Encoder {
    let new = caught(|| {
        let config = Config::new(width as usize, height as usize);
        let state = State {
            config,
            stage: Stage::Settings,
            qp_offset: 0.0,
            conversion: None,
            bytes: Vec::new(),
            first_pass: FirstPass::default(),
        };
        let encoder = H264Encoder { state: RefCell::new(state), message: Message::default() };
        Ok(Box::into_raw(Box::new(encoder)))
    });
    new.unwrap_or(null_mut())
}

/// Frees an encoder, with its packets, parameter sets and reconstructed frames. Does nothing if it is null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn shim_h264_encoder_free(encoder: *mut H264Encoder) {
    // SAFETY: `new` made it by `into_raw`, or it is null; the rest is so by the rules of the library.
    unsafe { free(encoder, |encoder| encoder.state.try_borrow_mut().is_err()) }
}

/// Message, in English, of the last call with this encoder that failed; empty if none did. Never null, and valid until
/// the next call with the encoder.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn shim_h264_error_message(encoder: *const H264Encoder) -> *const c_char {
    // SAFETY: an encoder that was not freed, or null, by the rules of the library.
    unsafe { message(encoder) }
}

/// What a number has to be for a setting, if it is.
fn fitting<T: TryFrom<u32>>(name: &str, value: u32) -> Result<T, Failure> {
    let too_large = |_| Failure::new(crate::status::SHIM_ERROR_VALUE, format!("`{name}` is {value}"));
    T::try_from(value).map_err(too_large)
}

#[cfg(test)]
mod tests;
