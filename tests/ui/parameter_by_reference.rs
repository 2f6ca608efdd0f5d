//! Views are taken by value.

use shim::prelude::*;

#[shim::kernel]
fn first(a: &View<'_, u8, 2>, b: &mut ViewMut<'_, u8, 2>) {
    b[[0, 0]] = a[[0, 0]];
}

fn main() {}
