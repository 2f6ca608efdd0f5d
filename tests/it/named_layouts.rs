//! Layouts that kernels of other modules and crates import.

use crate::common::noise;
use shim::prelude::*;
use shim_exported_templates::{self as exported, quads};

mod layouts {
    use shim::prelude::*;

    #[shim::constant]
    pub(crate) const SIDE: usize = 4;

    #[shim::layout]
    pub(crate) fn blocks(h: usize, w: usize) -> Order {
        row_major.then([h / 4, 4, w], axes([1, 0, 2]))
    }

    /// Closures bind names that callers have as well.
    #[shim::layout]
    pub(crate) fn sheared(y: usize, width: usize) -> Order {
        by(|[row, x]| {
            let shift = row * y;
            row * width + (x + shift) % width
        })
    }

    /// Of another layout, another crate's layout and a constant.
    #[shim::layout]
    pub(crate) fn nested(y: usize) -> Order {
        #[staged]
        use super::layouts::{SIDE, sheared};
        #[staged]
        use shim_exported_templates::quads;
        tile([2 * SIDE, 8]).outer(column_major).inner(tile([2, 4]).outer(quads(1)).inner(sheared(y, 4)))
    }

    #[shim::layout]
    pub(super) fn plain() -> Order {
        tile([4, 4]).outer(morton).inner(zigzag.reversed())
    }
}

/// Copies to memory of each layout; `row` and `x` are names of closures in the layouts.
#[shim::kernel]
fn stored(
    #[shape(8, 16)] from: &[u8],
    #[shape(8, 16)]
    #[stored(blocks(8, 16))]
    by_blocks: &mut [u8],
    by_quads: &mut [u8],
    by_plain: &mut [u8],
) {
    #[staged]
    use layouts::{blocks, plain as simple};
    #[staged]
    use shim_exported_templates::quads;
    let row = 8;
    let x = 2;
    let by_quads = Block::external(by_quads, [row, 2 * row]).stored(quads(x).reversed());
    let by_plain = Block::external(by_plain, [8, 16]).stored(simple());
    for [y, x] in from.indices() {
        by_blocks[[y, x]] = from[[y, x]];
        by_quads[[y, x]] = from[[y, x]];
        by_plain[[y, x]] = from[[y, x]];
    }
}

/// Copies to memory in an order of several layouts.
#[shim::kernel]
fn nested(#[shape(16, 8)] from: &[u8], out: &mut [u8]) {
    #[staged]
    use crate::named_layouts::layouts::nested;
    let row = 3;
    let out = Block::external(out, [16, 8]).stored(nested(row));
    let [y, x] = iters();
    out[[y, x]] = from[[y, x]];
}

#[test]
fn kernels_and_functions_have_one_order() {
    let from: Vec<u8> = noise(128, 251);
    let mut memories = [(); 3].map(|()| vec![0; 128]);
    let [a, b, c] = &mut memories;
    stored(&from, a, b, c);
    let orders = [layouts::blocks(8, 16), exported::quads(2).reversed(), layouts::plain()];
    for (order, memory) in orders.iter().zip(memories) {
        let layout = order.layout(&[8_i64, 16]).expect("a layout");
        for (at, sample) in from.iter().enumerate() {
            let at = [at as i64 / 16, at as i64 % 16];
            assert_eq!(memory[layout.offset(&at).expect("inside") as usize], *sample, "{order:?} {at:?}");
        }
    }
}

#[test]
fn layouts_are_made_of_others() {
    let layout = layouts::nested(3).layout(&[16_i64, 8]).expect("a layout");
    let from: Vec<u8> = (0..128).collect();
    let mut out = [0; 128];
    nested(&from, &mut out);
    for (position, index) in (0..).zip(out) {
        let at = layout.coordinates(&position).expect("inside");
        assert_eq!(i64::from(index), 8 * at[0] + at[1]);
    }
    assert_eq!(quads(4), quads(4));
    let shear = layouts::sheared(1, 8);
    assert_eq!(shear, shear.clone());
    assert_ne!(shear, layouts::sheared(1, 8), "functions are not compared");
}
