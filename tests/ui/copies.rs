//! Loops whose tables have no copies.

use shim::prelude::*;

#[shim::kernel]
fn not_a_number(#[shape(n)] a: &[u8], n: usize, #[shape(256)] table: &mut [u32]) {
    #[copies]
    for x in 0..n {
        table[[a[[x]]]] += 1;
    }
    #[copies(1)]
    for x in 0..n {
        table[[a[[x]]]] += 1;
    }
    #[copies(4)]
    while table[[0]] < 4 {
        table[[0]] += 1;
    }
    #[copies(4)]
    table[[iters()]] += 1;
}

#[shim::kernel]
fn nothing_to_copy(#[shape(n)] a: &[u8], n: usize, #[shape(n)] out: &mut [u8]) {
    #[copies(4)]
    for x in 0..n {
        out[[x]] = a[[x]];
    }
}

#[shim::kernel]
fn floats(#[shape(n)] a: &[u8], n: usize, #[shape(256)] table: &mut [f32]) {
    #[copies(4)]
    for x in 0..n {
        table[[a[[x]]]] += 0.5;
    }
}

#[shim::kernel]
fn open(#[shape(n)] a: &[u8], n: usize) -> [u32; 256] {
    let mut counts = [0; 256];
    let table = Block::external(&mut counts, [256]);
    #[copies(4)]
    for x in 0..n {
        table[[a[[x]]]] += 1;
    }
    counts
}

#[shim::kernel]
fn reads(#[shape(n)] a: &[u8], n: usize, #[shape(256)] table: &mut [u32], #[shape(n)] out: &mut [u32]) {
    #[copies(4)]
    for x in 0..n {
        table[[a[[x]]]] += 1;
        out[[x]] = table[[a[[x]]]];
    }
}

#[shim::kernel]
fn operators(#[shape(n)] a: &[u8], n: usize, #[shape(256)] table: &mut [u32]) {
    #[copies(4)]
    for x in 0..n {
        table[[a[[x]]]] += 1;
        table[[a[[x]]]] ^= 1;
    }
}

#[shim::kernel]
fn other_view(#[shape(n)] a: &[u8], n: usize, #[shape(256)] table: &mut [u32], #[shape(n)] out: &mut [u32]) {
    let reversed = table.reshape([16, 16]);
    #[copies(4)]
    for x in 0..n {
        table[[a[[x]]]] += 1;
        out[[x]] = reversed[[0, 0]];
    }
}

#[shim::kernel]
fn through_a_stage(#[shape(n)] a: &[u8], n: usize, #[shape(256)] table: &mut [u32], #[shape(n)] out: &mut [u32]) {
    let twice = stage(|[i]| 2 * table[[i]]);
    #[copies(4)]
    for x in 0..n {
        table[[a[[x]]]] += 1;
        out[[x]] = twice[[x.min(255)]];
    }
}

#[shim::kernel]
fn leaves(#[shape(n)] a: &[u8], n: usize, #[shape(256)] table: &mut [u32]) {
    #[copies(4)]
    for x in 0..n {
        if a[[x]] == 0 {
            return;
        }
        table[[a[[x]]]] += 1;
    }
}

#[shim::kernel]
fn calls(#[shape(n)] a: &[u8], n: usize, #[shape(256)] table: &mut [u32]) {
    #[copies(4)]
    for x in 0..n {
        table[[a[[x]]]] += 1;
        println!("{x}");
    }
}

#[shim::kernel]
fn a_part(#[shape(n)] a: &[u8], n: usize, #[shape(256)] table: &mut [u32]) {
    let part = table.boundary(Clamp);
    #[copies(4)]
    for x in 0..n {
        part[[a[[x]]]] += 1;
    }
}

#[shim::kernel]
fn elementwise(#[shape(n)] a: &[u32], n: usize, #[shape(n)] table: &mut [u32]) {
    let i = iters();
    #[copies(4)]
    table[[i]] += a[[i]];
}

#[shim::kernel]
fn tiles(#[shape(h, w)] a: &[u8], h: usize, w: usize, #[shape(256)] table: &mut [u32]) {
    #[copies(4)]
    #[parallel]
    for b in a.tiles([4, 4]) {
        table[[b[[0, 0]]]] += 1;
    }
}

#[shim::kernel]
fn fused(#[shape(n)] a: &[u8], n: usize, #[shape(256)] table: &mut [u32], #[shape(n)] out: &mut [u8]) {
    #[copies(4)]
    #[fuse]
    for x in 0..n {
        table[[a[[x]]]] += 1;
    }
    for x in 0..n {
        out[[x]] = a[[x]];
    }
}

fn main() {}
