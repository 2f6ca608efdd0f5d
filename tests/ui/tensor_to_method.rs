//! Templates are free functions: methods and closures take no tensors.

use shim::prelude::*;

struct Codec;

impl Codec {
    fn sum(&self, _: &[u8]) -> u8 {
        0
    }

    #[shim::kernel]
    fn run(&self, a: &[u8], n: usize) -> u8 {
        let a = Block::external(a, [n]);
        self.sum(a) + Codec::sum(self, a)
    }
}

fn main() {}
