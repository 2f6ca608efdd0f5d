//! What the caller shares is not written.

use shim::prelude::*;

#[shim::kernel]
fn clear(a: &Block<u8, 2>, b: View<'_, u8, 1>, v: &Block<u8, 2>) {
    a[[0, 0]] = 0;
    let c = b.cast::<i32>();
    c[[1]] += 2;
    let [y, x] = iters();
    v.permute([1, 0])[[y, x]] = 1;
}

fn main() {}
