//! Imports of constants that are none.

use shim::prelude::*;

mod scan {
    use shim::prelude::*;

    #[shim::constant]
    pub const SIDE: usize = 4;

    pub const PLAIN: usize = 4;

    #[shim::kernel]
    pub fn first(t: impl Tensor<u8, 1>) -> u8 {
        t[[0]]
    }

    #[shim::located]
    pub struct Line {
        n: usize,
        #[shape(n)]
        samples: Vec<u8>,
    }
}

#[shim::kernel]
fn all(#[shape(8)] t: &[u8]) -> u8 {
    #[staged]
    use scan::*;
    t[[SIDE]]
}

#[shim::kernel]
fn nameless(#[shape(8)] t: &[u8]) -> u8 {
    #[staged]
    use scan::SIDE as _;
    t[[0]]
}

#[shim::kernel]
fn structure(#[shape(8)] t: &[u8]) -> u8 {
    #[staged]
    use scan::Line;
    t[[0]]
}

#[shim::kernel]
fn located(#[located] t: &scan::SIDE) -> u8 {
    t.samples[[0]]
}

#[shim::kernel]
fn plain(#[shape(8)] t: &[u8]) -> u8 {
    #[staged]
    use scan::PLAIN;
    t[[PLAIN]]
}

#[shim::kernel]
fn statement(#[shape(8)] t: &[u8]) -> u8 {
    #[staged]
    let n = 3;
    t[[n]]
}

fn main() {}
