//! There are six boundary rules.

use shim::prelude::*;

#[shim::kernel]
fn first(a: &[u8]) -> u8 {
    let a = Block::external(a, [4, 4]);
    let b = a.boundary(Repeat);
    let c = a.boundary(Fill);
    let d = a.boundary(0);
    let e = a.boundary();
    let f = a.boundary([Clamp]);
    let g = a.boundary([Clamp, Nearest]);
    let h = a.boundary(By);
    let k = a.boundary([Clamp, Fill(0)]).within(|[y, x]| x < y);
    b[[0, 0]] + c[[0, 0]] + d[[0, 0]] + e[[0, 0]] + f[[0, 0]] + g[[0, 0]] + h[[0, 0]] + k[[0, 0]]
}

fn main() {}
