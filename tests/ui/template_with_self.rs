//! Templates are free functions.

use shim::prelude::*;

struct Codec;

impl Codec {
    #[shim::kernel]
    fn scale(&self, v: impl Tensor<i32, 1>) {
        let [i] = iters();
        v[[i]] *= 2;
    }
}

fn main() {}
