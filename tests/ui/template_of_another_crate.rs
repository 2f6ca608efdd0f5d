//! An error inside a template of another crate, whose source rustc does not show.

use shim::prelude::*;

use shim_exported_templates::{last, total};

#[shim::kernel]
fn run(a: &[i32], n: usize) -> i32 {
    let a = Block::external(a, [16, 16]);
    total(a.slice(0, 0), n) + last(a.slice(0, 1))
}

fn main() {}
