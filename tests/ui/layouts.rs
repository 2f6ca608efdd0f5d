//! Layouts that are not orders, and calls of layouts that do not fit.

use shim::prelude::*;

mod layouts {
    use shim::prelude::*;

    #[shim::layout]
    pub const FIXED: usize = 4;

    #[shim::layout]
    pub fn nothing() {}

    #[shim::layout]
    pub fn generic<const N: usize>() -> Order {
        tile([N, N])
    }

    #[shim::layout]
    pub fn signed(n: isize) -> Order {
        tile([n, n])
    }

    #[shim::layout]
    pub fn pattern([h, w]: [usize; 2]) -> Order {
        tile([h, w])
    }

    #[shim::layout]
    pub fn statements(h: usize) -> Order {
        let half = h / 2;
        tile([half, half])
    }

    const SIDE: usize = 4;

    #[shim::layout]
    pub fn outside() -> Order {
        tile([SIDE, SIDE])
    }

    #[shim::layout]
    pub fn misspelled() -> Order {
        colum_major
    }

    #[shim::layout]
    pub fn squares(n: usize) -> Order {
        tile([n, n])
    }
}

#[shim::kernel]
fn arguments(a: &[u8]) -> u8 {
    #[staged]
    use crate::layouts::squares;
    let a = Block::external(a, [8, 8]).stored(squares(2, 2));
    a[[0, 0]]
}

#[shim::kernel]
fn uncalled(a: &[u8]) -> u8 {
    #[staged]
    use crate::layouts::squares;
    let a = Block::external(a, [8, 8]).stored(row_major.then([8, 8], squares));
    a[[0, 0]]
}

#[shim::kernel]
fn dynamic(a: &[u8], n: usize) -> u8 {
    #[staged]
    use crate::layouts::squares;
    let a = Block::external(a, [8, 8]).stored(squares(n));
    a[[0, 0]]
}

#[shim::kernel]
fn empty_tiles(a: &[u8]) -> u8 {
    #[staged]
    use crate::layouts::squares;
    let a = Block::external(a, [8, 8]).stored(squares(4 - 4));
    a[[0, 0]]
}

#[shim::kernel]
fn twice(a: &[u8]) -> u8 {
    #[staged]
    use crate::layouts::squares;
    let a = Block::external(a, [8, 8]).stored(squares(4));
    {
        #[staged]
        use crate::layouts::squares;
        a[[0, 0]]
    }
}

fn main() {
    let _ = layouts::squares!();
}
