use shim::prelude::*;

#[shim::kernel]
fn arguments(#[shape(4, 4)] a: &[u8], n: usize) -> u8 {
    let f = |[i, j]: [usize; 2]| [i, j];
    let named = a.select([2, 2], f);
    let few = a.select([2, 2]);
    let list = a.select(4, |i| [i, 0]);
    let open = a.select([n], |i| [i, 0]);
    let negative = a.select([-1], |i| [i, 0]);
    let many = a.select([64, 128], |[i, j]| [i % 4, j % 4]);
    let none = a.select([], |[]| [0, 0]);
    let place = a.place().select([1], |i| [i, 0]);
    named[[0, 0]]
}

#[shim::kernel]
fn closures(#[shape(4, 4)] a: &[u8], #[shape(4)] line: &[u8], n: usize) -> u8 {
    let rank = a.select([2, 2], |i| [i, i]);
    let two = a.select([2], |i, j| [i, j]);
    let nested = a.select([2], |(i, j)| [i, j]);
    let short = a.select([2], |i| i);
    let long = line.select([2], |i| [i, i]);
    let truth = line.select([2], |i| i == 1);
    let dynamic = line.select([2], |i| i + n);
    let wrapped = line.select([2], |i: u8| 1u8 - 2u8);
    let called = line.select([2], |i| other(i));
    rank[[0, 0]]
}

#[shim::kernel]
fn outside(#[shape(4, 4)] a: &[u8]) -> u8 {
    let beyond = a.select([4], |i| [i + 1, 0]);
    let before = a.select([2], |i| [0, i - 1]);
    let column = a[[.., 2..4]].select([3], |i| [0, i]);
    beyond[[0]] + before[[0]] + column[[0]]
}

fn other(i: usize) -> usize {
    i
}

fn main() {}
