//! A template means what is beside it, which its callers must be allowed to see.

mod constants {
    pub const HALF: f32 = 0.5;
}

mod filters {
    use super::constants::HALF;
    use shim::prelude::*;

    fn halved(value: f32) -> f32 {
        value / 2.0
    }

    #[shim::kernel]
    pub fn of_a_function(v: impl Tensor<f32, 1>) {
        v[[0]] = halved(v[[0]]);
    }

    #[shim::kernel]
    pub fn of_an_import(v: impl Tensor<f32, 1>) {
        v[[0]] *= HALF;
    }

    #[shim::kernel]
    pub fn of_another_crate(v: impl Tensor<f32, 1>) {
        v[[0]] = no_such_crate::function(v[[0]]);
    }

    pub trait Area: Copy {
        fn area(self) -> f32;
    }

    #[shim::kernel]
    pub fn of_a_bound<T: Area>(v: impl Tensor<T, 1>, out: impl Tensor<f32, 1>) {
        out[[0]] = v[[0]].area();
    }
}

use shim::prelude::*;

#[derive(Clone, Copy)]
struct Square(f32);

impl filters::Area for Square {
    fn area(self) -> f32 {
        self.0 * self.0
    }
}

#[shim::kernel]
fn function(v: &mut [f32; 4]) {
    let v = Block::external(v, [4]);
    filters::of_a_function(v);
}

#[shim::kernel]
fn import(v: &mut [f32; 4]) {
    let v = Block::external(v, [4]);
    filters::of_an_import(v);
}

#[shim::kernel]
fn without_the_trait(v: &mut [f32; 4], out: &mut [f32; 1]) {
    let (v, out) = (Block::external(v, [4]), Block::external(out, [1]));
    filters::of_a_bound(v, out);
}

#[shim::kernel]
fn of_a_struct(#[shape(4)] v: &[Square], out: &mut [f32; 1]) {
    let out = Block::external(out, [1]);
    filters::of_a_bound(v, out);
}

fn main() {}
