//! The scan and the transport, without rustc.

mod calls;
mod transport;
