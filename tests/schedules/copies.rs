//! What the compiler adds to a body is in each of its copies: whole tiles and cut ones, unrolled iterations, lanes.

use crate::common::noise;
use shim::prelude::*;

macro_rules! gathers {
    ($($name:ident: $(#[$order:meta])*;)*) => { $(
        /// An element at an index that is read, by a `let`, and at sums with it.
        #[shim::kernel]
        fn $name(
            #[shape(n)] to: &mut [u32],
            #[shape(m)] line: &[u32],
            #[shape(n)] left: &[u16],
            [n, m]: [usize; 2],
            stride: usize,
        ) {
            $(#[$order])*
            for x in 0..n {
                let l = left[[x]];
                let next = l as usize + stride;
                to[[x]] = line[[l]] + 3 * line[[next]] + line[[l + 1]];
            }
        }
    )* };
}

gathers! {
    in_order: ;
    in_tiles: #[tile([8], peel)];
    in_lanes: #[lanes(8)];
    unrolled: #[unroll(4)];
    in_lanes_of_tiles: #[tile([16])] #[lanes(4)];
    in_tasks: #[parallel] #[tile([8], peel)] #[unroll(x)];
}

/// The same in two dimensions, with an extent that is computed.
macro_rules! tables {
    ($($name:ident: $(#[$order:meta])*;)*) => { $(
        #[shim::kernel]
        fn $name(to: &mut [u32], table: &[u32], [h, w, half]: [usize; 3], at: &[u8]) {
            let to = Block::external(to, [h, w]);
            let at = Block::external(at, [w]);
            $(#[$order])*
            for [y, x] in to.indices() {
                let row = at[[x]] as usize;
                let table = Block::external(table, [2 * half, half + 1]);
                to[[y, x]] = table[[row, half]] + table.coarsen([2, 1])[[row / 2, half - 1]];
            }
        }
    )* };
}

tables! {
    table_in_order: ;
    table_in_tiles: #[tile([4, 4], peel)];
    table_in_lanes: #[lanes(4)];
    table_unrolled: #[unroll(2)];
}

#[test]
fn gathers_in_copies() {
    type Kernel = fn(&mut [u32], &[u32], &[u16], [usize; 2], usize);
    for n in [0, 1, 7, 8, 9, 33] {
        let line: Vec<u32> = noise::<u16>(70, 60000).into_iter().map(u32::from).collect();
        let left: Vec<u16> = noise::<u16>(n, 60);
        let wanted: Vec<u32> = left
            .iter()
            .map(|l| {
                let l = usize::from(*l);
                line[l] + 3 * line[l + 5] + line[l + 1]
            })
            .collect();
        let kernels: [Kernel; 6] = [in_order, in_tiles, in_lanes, unrolled, in_lanes_of_tiles, in_tasks];
        for kernel in kernels {
            let mut to = vec![0; n];
            kernel(&mut to, &line, &left, [n, 70], 5);
            assert_eq!(to, wanted, "{n}");
        }
    }
}

#[test]
fn tables_in_copies() {
    type Kernel = fn(&mut [u32], &[u32], [usize; 3], &[u8]);
    let half = 6;
    let table: Vec<u32> = (0..2 * half * (half + 1)).map(|i| (i * i) as u32).collect();
    for (h, w) in [(1, 1), (4, 4), (5, 11)] {
        let at: Vec<u8> = noise::<u8>(w, 12);
        let kernels: [Kernel; 4] = [table_in_order, table_in_tiles, table_in_lanes, table_unrolled];
        for kernel in kernels {
            let mut to = vec![0; h * w];
            kernel(&mut to, &table, [h, w, half], &at);
            for (i, value) in to.iter().enumerate() {
                let row = usize::from(at[i % w]);
                let wanted = table[row * (half + 1) + half] + table[row / 2 * 2 * (half + 1) + half - 1];
                assert_eq!(*value, wanted);
            }
        }
    }
}
