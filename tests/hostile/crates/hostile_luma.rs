//! Constants, templates and macros of one crate; `hostile_chroma.rs` has the same names with other meanings.

use shim::prelude::*;

pub const BLOCK: usize = 16;

#[derive(Clone, Copy, Debug)]
pub struct Layout;

impl Layout {
    pub const BLOCK: usize = 16;
}

/// The element at the place that this crate gives.
#[shim::kernel]
pub fn pick(v: impl Tensor<u32, 1>) -> u32 {
    v[[5]]
}

/// The sum of a block of this crate.
#[shim::kernel]
pub fn block_sum(v: impl Tensor<u32, 1>) -> u32 {
    const BLOCK: usize = 16;
    let mut s = 0;
    for i in 0..BLOCK {
        s += v[[i]];
    }
    s
}

#[macro_export]
macro_rules! luma_block {
    () => {
        $crate::BLOCK
    };
}

/// A kernel over the blocks of this crate, whose bound may be the caller's.
#[macro_export]
macro_rules! luma_kernel {
    ($name:ident, $bound:expr) => {
        #[shim::kernel]
        fn $name(v: &[u8]) -> u32 {
            let v = Block::external(v, [$crate::BLOCK]).cast::<u32>();
            let mut s = 0;
            for i in 0..$bound {
                s += v[[i]];
            }
            s
        }
    };
}
