//! The frame, tables and scans of a file, and their markers.

pub(crate) mod frame;
pub(crate) mod marker;
pub(crate) mod metadata;
pub(crate) mod quality;
pub(crate) mod restart;
pub(crate) mod script;
