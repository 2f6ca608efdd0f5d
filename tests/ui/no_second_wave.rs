//! A broken `let` causes no errors further down, and a broken kernel none where it is called.

use shim::prelude::*;

#[shim::kernel]
fn broken(a: &[u8], out: &mut [u8], k: usize) -> u8 {
    let a = Block::external(a, [k, k]);
    let out = Block::external(out, k);
    let t = a.refine([k, k]);
    let u = t.permute([1, 0]).cast::<i32>();
    let part = t[[0..4, 2..k]];
    let copy = part.to_stack().copied();
    let place = a[t];
    let here = a.footprint(u);
    for [y, x] in t.indices() {
        out[[y, x]] = t[[y, x]] + part[[x]];
    }
    #[unroll]
    for [y, x] in copy.indices() {
        out[[y, x]] = place[[y, x]] + here[[-1, -1]] + t.extent(1) as u8;
    }
    u[[0, 0]] as u8
}

fn caller(a: &[u8], out: &mut [u8]) -> u8 {
    broken(a, out, 4)
}

fn main() {}
