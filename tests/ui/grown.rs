//! Memory that grows is a `&mut Vec`.

use shim::prelude::*;

#[shim::kernel]
fn of_a_slice(memory: &mut [u32], n: usize) {
    let list = Block::grown(memory, [n]).list();
    list.push(1);
}

#[shim::kernel]
fn of_a_shared_vector(memory: &Vec<u32>, n: usize) -> u32 {
    let t = Block::grown(memory, [n]);
    t[[0]]
}

#[shim::kernel]
fn without_extents(memory: &mut Vec<u32>) {
    let list = Block::grown(memory).list();
    list.push(1);
}

#[shim::kernel]
fn with_a_type(memory: &mut Vec<u32>, n: usize) {
    let list = Block::grown::<u32>(memory, [n]).list();
    list.push(1);
}

#[shim::kernel]
fn of_a_tensor(#[shape(4)] t: &mut [u32]) {
    let list = Block::grown(t, [4]).list();
    list.push(1);
}

fn main() {}
