//! All of a kernel's errors in one go.

use shim::prelude::*;

#[shim::kernel]
fn mixed(a: &[u8], k: usize, out: &mut [i32; 16]) -> i32 {
    let a = Block::external(a, [16, 16]);
    let out = Block::external(out, [4, 4]);
    let coarse = a.coarsen([k, 1]);
    let row = a.slice(5, 0);
    let [y, x] = iters();
    out[[y, y]] = coarse[[y, x]] as i32;
    for [i] in out.indices() {
        out[[i, 0]] = row[[i]] as i32;
    }
    a[[0, 1, 2]] as i32 + out[[_, 0]]
}

fn main() {}
