//! What a file says of itself: the frame, its tables and its scans, and their markers.

pub(crate) mod frame;
pub(crate) mod marker;
pub(crate) mod metadata;
pub(crate) mod quality;
pub(crate) mod restart;
pub(crate) mod script;
