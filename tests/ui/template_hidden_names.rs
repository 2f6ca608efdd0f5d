use shim::prelude::*;

const N: usize = 1;
#[allow(non_upper_case_globals)]
const k: usize = 1;

mod other {
    #[allow(non_upper_case_globals)]
    pub const k: usize = 5;
}

macro_rules! place {
    () => {
        1
    };
}

macro_rules! plus {
    ($a:ident to $b:literal) => {
        $a + $b
    };
}
use plus;

#[shim::kernel]
fn first(v: impl Tensor<u8, 1>) -> u8 {
    v[[N]]
}

#[shim::kernel]
fn second(v: impl Tensor<u8, 1>) -> u8 {
    v[[place!()]]
}

#[shim::kernel]
fn asserts(v: impl Tensor<u8, 1>) -> u8 {
    assert!(v[[0]] < 9);
    v[[1]]
}

#[shim::kernel]
fn third(v: impl Tensor<u8, 1>) -> u8 {
    v[[crate::plus!(N to 1)]]
}

#[shim::kernel]
fn fourth(v: impl Tensor<u8, 1>) -> u8 {
    v[[k]]
}

#[shim::kernel]
pub fn generic<const N: usize>(v: &[u8; N]) -> u8 {
    let v = Block::external(v, [N]);
    first(v)
}

#[shim::kernel]
pub fn items(v: &[u8]) -> u8 {
    const N: usize = 3;
    macro_rules! assert {
        () => {
            5
        };
    }
    let v = Block::external(v, [8]);
    asserts(v) + third(v) + v[[assert!()]] + v[[N]]
}

#[shim::kernel]
pub fn local(v: &[u8]) -> u8 {
    let v = Block::external(v, [8]);
    let mut s = 0;
    for k in 0..4 {
        use other::*;
        s += fourth(v[[k..k + 2]]);
    }
    s
}

fn main() {}
