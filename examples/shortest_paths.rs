//! Shortest paths between all pairs of cities (Floyd and Warshall), eight at a time.

use shim::prelude::*;

/// No road.
const NONE: u32 = u32::MAX / 2;

/// `d[[i, j]]` is the length of the road from i to j, and becomes that of the shortest path.
#[shim::kernel]
pub fn shortest(#[shape(n, n)] d: &mut [u32], n: usize) {
    let (from, to) = (Block::heap::<u32>([n]), Block::heap::<u32>([n]));
    for k in 0..n {
        // The paths that end and begin at k: a detour by k itself makes none of them shorter.
        for [i] in from.indices() {
            from[[i]] = d[[i, k]];
            to[[i]] = d[[k, i]];
        }
        #[lanes(8)]
        for [i, j] in d.indices() {
            d[[i, j]] = d[[i, j]].min(from[[i]] + to[[j]]);
        }
    }
}

fn main() {
    const CITIES: [&str; 5] = ["Aachen", "Bremen", "Celle", "Dresden", "Erfurt"];
    const ROADS: [(usize, usize, u32); 6] =
        [(0, 1, 375), (0, 4, 425), (1, 2, 115), (2, 3, 330), (2, 4, 260), (3, 4, 215)];
    let n = CITIES.len();
    let mut d = vec![NONE; n * n];
    for (i, j, length) in ROADS {
        (d[i * n + j], d[j * n + i]) = (length, length);
    }
    (0..n).for_each(|i| d[i * n + i] = 0);
    shortest(&mut d, n);
    for (city, row) in CITIES.iter().zip(d.chunks(n)) {
        print!("{city:8}");
        for length in row {
            print!("{length:5}");
        }
        println!();
    }
    assert_eq!(d[3], 640, "from Aachen to Dresden by Erfurt");
    assert_eq!(d[n + 4], 375, "from Bremen to Erfurt by Celle");
}
