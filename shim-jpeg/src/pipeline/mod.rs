//! The processes: from the rows of an image to the bytes of a file, and the plan for it.

pub(crate) mod arithmetic;
pub(crate) mod coefficients;
pub(crate) mod driver;
pub(crate) mod huffman;
pub(crate) mod lossless;
pub(crate) mod mcu_rows;
pub(crate) mod plan;
pub(crate) mod scan;
pub(crate) mod scan_header;
pub(crate) mod script_search;
pub(crate) mod token_buffer;
