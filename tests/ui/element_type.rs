//! rustc's own: elements are `Copy` and have a default.

use shim::prelude::*;

#[shim::kernel]
fn first() -> String {
    let a = Block::heap::<String>([16]);
    a[[0]].clone()
}

fn main() {}
