//! An error inside a template of another crate, whose source rustc does not show.

use shim::prelude::*;

use shim_exported_templates::{first, total};

#[shim::kernel]
fn run(a: &[i32], n: usize) -> i32 {
    let a = Block::external(a, [n, 16]);
    total(a.slice(0, 0), n) + first(a.slice(1, 0))
}

fn main() {}
