//! What follows a choice of tensors is staged for each branch: each gives a tensor or leaves the block.

use shim::prelude::*;

#[shim::kernel]
fn one_branch(#[shape(4)] a: &[u8], first: bool) -> u8 {
    let t = if first { a };
    t[[0]]
}

#[shim::kernel]
fn a_value(#[shape(4)] a: &[u8], first: bool) -> u8 {
    let t = if first { a } else { 3 };
    t[[0]]
}

#[shim::kernel]
fn ranks(#[shape(4)] a: &[u8], #[shape(2, 2)] b: &[u8], which: u8) -> u8 {
    let t = match which {
        0 => a,
        _ => b,
    };
    t[[0, 1]]
}

#[shim::kernel]
fn statements(#[shape(4)] a: &[u8], #[shape(4)] b: &[u8], which: u8) -> u8 {
    let t = match which {
        0 => a,
        _ => {
            let c = b.to_block();
            c
        }
    };
    t[[0]]
}

#[shim::kernel]
fn empty_arm(#[shape(4)] a: &mut [u8], which: u8) {
    let t = match which {
        0 => a,
        _ => {}
    };
    t[[0]] = which;
}

#[shim::kernel]
fn half_a_tuple(#[shape(4)] a: &mut [u8], #[shape(4)] b: &[u8], which: bool) {
    let (t, u) = if which { (a, b) } else { (a, 2) };
    t[[0]] = u[[0]];
}

#[shim::kernel]
fn too_many(#[shape(4)] a: &[u8], b: [bool; 9]) -> u8 {
    let t = if b[0] { a } else { a[[..3]] };
    let t = if b[1] { t } else { t[[..2]] };
    let t = if b[2] { t } else { t[[..2]] };
    let t = if b[3] { t } else { t[[..2]] };
    let t = if b[4] { t } else { t[[..2]] };
    let t = if b[5] { t } else { t[[..2]] };
    let t = if b[6] { t } else { t[[..2]] };
    let t = if b[7] { t } else { t[[..2]] };
    let t = if b[8] { t } else { t[[..2]] };
    t[[0]]
}

#[shim::kernel]
fn hiding(#[shape(4)] a: &[u8], n: usize, from: Option<usize>) -> u8 {
    let t = match from {
        Some(n) => a[[n..]],
        None => a,
    };
    t[[n]]
}

macro_rules! log {
    ($($what:tt)*) => {};
}

#[shim::kernel]
fn logged(#[shape(4)] a: &[u8], late: bool) -> u8 {
    let t = if late { a[[1..]] } else { a };
    log!("{late}");
    t[[0]]
}

fn main() {}
