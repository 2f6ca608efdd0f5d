//! `simd` writes further functions beside the method, which a trait does not have.

use shim::prelude::*;

trait First {
    fn first(&self, a: &[i32]) -> i32;
}

struct Plain;

impl First for Plain {
    #[shim::kernel(simd)]
    fn first(&self, a: &[i32]) -> i32 {
        let a = Block::external(a, [1]);
        a[[0]]
    }
}

fn main() {}
