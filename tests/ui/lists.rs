//! Lists that cannot be made, and what cannot be appended to.

use shim::prelude::*;

#[shim::kernel]
fn made(memory: &mut [u32], n: usize) {
    let block = Block::external(memory, [4, n]);
    let of_rank_2 = block.list();
    let row = block.slice(0, 1);
    let of_a_view = row.list();
    let line = Block::stack::<u32>([8]);
    let of_a_part = line[[2..6]].list();
    let list = line.list();
    let of_a_list = list.list();
    let with_arguments = line.list(3);
    let without_a_number = line.list_from();
    line.push(1);
    line.truncate(1);
    list[[0..4]].push(1);
    let _ = line.len();
}

#[shim::kernel]
fn appended(#[shape(8)] t: &[u32], n: usize) -> usize {
    let list = Block::stack::<u32>([8]).list();
    list.push();
    list.push(1, 2);
    list.push_if(1);
    list.extend(0..4);
    list.extend((n..8).map(|i| i as u32));
    list.extend((0..8).step_by(2).map(|i| i as u32));
    list.extend((0..8).filter(|i| i % 2 == 0).map(|i| i as u32));
    list.extend(t);
    list.extend((0..2).map(|i| {
        list.push(i as u32);
        t[[i]]
    }));
    list.append(3);
    list.len(1)
}

#[shim::kernel]
fn ordered(#[shape(8)] t: &[u32], #[shape(8)] u: &mut [u32]) {
    let list = Block::stack::<u32>([64]).list();
    #[reorder(j, i)]
    for i in 0..8 {
        for j in 0..8 {
            list.push(t[[i]] + t[[j]]);
        }
    }
    #[lanes(4)]
    for i in 0..8 {
        list.push_if(t[[i]] > 0, t[[i]]);
    }
    #[parallel]
    for [i] in u.indices() {
        u[[i]] = t[[i]];
        list.extend((0..2).map(|k| t[[i]] + k));
    }
    #[parallel]
    for [i] in u.indices() {
        u[[i]] = t[[i]];
        append(t, i, list);
    }
    #[reorder(i)]
    for i in 0..8 {
        let other = list;
        other.push(t[[i]]);
    }
    #[fuse]
    for i in 0..8 {
        list.push(t[[i]]);
    }
    for i in 0..8 {
        u[[i]] = list[[i]];
    }
    let other = list;
    #[fuse]
    for i in 0..8 {
        list.push(t[[i]]);
    }
    for i in 0..8 {
        u[[i]] = other.len() as u32;
    }
}

#[shim::kernel]
fn append(t: impl Tensor<u32, 1>, i: usize, list: impl Tensor<u32, 1>) {
    list.push(t[[i]]);
}

#[shim::kernel]
fn not_a_list(t: &mut [u32; 4]) {
    let block = Block::external(t, [4]);
    append(block, 0, block);
}

#[shim::kernel]
fn of_a_place(#[shape(4)] place: Place<1>) {
    let list = place.list();
}

#[shim::kernel]
fn read_only(t: &[u32; 4]) {
    let list = Block::external(t, [4]).list();
    list.push(1);
}

#[shim::kernel]
fn of_another_type(t: &mut [u32; 4], n: usize) -> u32 {
    let list = Block::external(t, [4]).list_from("three");
    list.push("one");
    list.push_if(n, 1);
    list.extend((0..n).map(|i| i));
    list.truncate(1_u32);
    list.len()
}

fn main() {}
