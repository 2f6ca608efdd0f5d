//! The encoders of shim as modules of WebAssembly: the feature `jpeg` or `h264` chooses which.
//!
//! The host writes a request to memory that [`memory::input`] gives, calls a function, and reads its answer. A request is a
//! text of lines `name=value`, followed by bytes: the value of a name in capitals is a number of them, and they are in
//! the order of their lines.

mod memory;
mod request;

#[cfg(feature = "h264")]
mod h264;
#[cfg(feature = "jpeg")]
mod jpeg;
