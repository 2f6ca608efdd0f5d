//! Programs in lanes and on threads: shortest paths, stencils with clamped borders, prefix sums.

use shim::prelude::*;

use crate::case::Random;

/// Shortest paths between all pairs of vertices (Floyd and Warshall): `d[[i, j]]` is the length of the edge from i to
/// j, and becomes that of the shortest path.
macro_rules! paths {
    ($($(#[doc = $doc:literal])* $name:ident: $(#[$order:meta])*;)*) => { $(
        $(#[doc = $doc])*
        #[shim::kernel(simd)]
        #[inline(never)]
        pub fn $name(#[shape(n, n)] d: &mut [u32], n: usize) {
            let (from, to) = (Block::heap::<u32>([n]), Block::heap::<u32>([n]));
            for k in 0..n {
                // Neither changes for this k: the way from k to k has no length.
                for [i] in from.indices() {
                    from[[i]] = d[[i, k]];
                    to[[i]] = d[[k, i]];
                }
                $(#[$order])*
                for [i, j] in d.indices() {
                    d[[i, j]] = d[[i, j]].min(from[[i]] + to[[j]]);
                }
            }
        }
    )* };
}

paths! {
    /// Row by row.
    paths_in_rows: ;
    /// Sixteen columns at a time.
    paths_in_lanes: #[lanes(16)];
    /// Rows in tasks, sixteen columns at a time.
    paths_in_tasks: #[parallel] #[tile([64, 256])] #[lanes(16)];
}

/// The formula alone, whose order nothing may change.
#[shim::kernel(simd)]
#[inline(never)]
pub fn paths(#[shape(n, n)] d: &mut [u32], n: usize) {
    for k in 0..n {
        for [i, j] in d.indices() {
            d[[i, j]] = d[[i, j]].min(d[[i, k]] + d[[k, j]]);
        }
    }
}

/// Sums of K by K neighbors, with coordinates clamped to the picture.
macro_rules! stencils {
    ($($name:ident: $(#[$order:meta])* $k:literal;)*) => { $(
        #[doc = concat!("Sums of ", $k, " by ", $k, " neighbors, clamped.")]
        #[shim::kernel(simd)]
        #[inline(never)]
        pub fn $name(#[shape(h, w)] a: &[u8], [h, w]: [usize; 2], #[shape(h, w)] out: &mut [u16]) {
            let a = a.boundary(Clamp).cast::<u16>();
            $(#[$order])*
            for [y, x] in out.indices() {
                let mut sum = 0;
                #[unroll]
                for dy in -($k / 2)..=$k / 2 {
                    #[unroll]
                    for dx in -($k / 2)..=$k / 2 {
                        sum += a[[y + dy, x + dx]];
                    }
                }
                out[[y, x]] = sum;
            }
        }
    )* };
}

stencils! {
    stencil_3: 3;
    stencil_5: 5;
    stencil_7: 7;
    stencil_9: 9;
    stencil_11: 11;
    stencil_11_in_tasks: #[parallel] #[tile([32, _])] 11;
}

/// The sums with each coordinate of each neighbor clamped by hand.
#[inline(never)]
pub fn stencil_by_tap<const K: usize>(a: &[u8], [h, w]: [usize; 2], out: &mut [u16]) {
    let reach = K as isize / 2;
    for y in 0..h {
        for x in 0..w {
            let mut sum = 0;
            for dy in -reach..=reach {
                for dx in -reach..=reach {
                    let row = (y as isize + dy).clamp(0, h as isize - 1) as usize;
                    let column = (x as isize + dx).clamp(0, w as isize - 1) as usize;
                    sum += u16::from(a[row * w + column]);
                }
            }
            out[y * w + x] = sum;
        }
    }
}

/// Sums of all samples above and to the left (a summed-area table): along the rows, then down the columns.
macro_rules! prefixes {
    ($($(#[doc = $doc:literal])* $name:ident: $(#[$rows:meta])*, $(#[$columns:meta])*;)*) => { $(
        $(#[doc = $doc])*
        #[shim::kernel(simd)]
        #[inline(never)]
        pub fn $name(#[shape(h, w)] a: &[u8], [h, w]: [usize; 2], #[shape(h, w)] sums: &mut [u32]) {
            let before = sums.boundary(Fill(0));
            $(#[$rows])*
            for [y, x] in sums.indices() {
                sums[[y, x]] = u32::from(a[[y, x]]) + before[[y, x - 1]];
            }
            $(#[$columns])*
            for [y, x] in sums.indices() {
                sums[[y, x]] += before[[y - 1, x]];
            }
        }
    )* };
}

prefixes! {
    /// Row by row.
    prefix_in_rows: , ;
    /// Column by column, then sixteen columns at a time.
    prefix_in_lanes: , #[lanes(16)];
    /// Rows in tasks, then columns in tasks.
    prefix_in_tasks: #[parallel], #[parallel] #[tile([_, 256])] #[lanes(16)];
}

/// The signature of shortest paths.
pub type Paths = fn(&mut [u32], usize);
/// The signature of stencils.
pub type Stencil = fn(&[u8], [usize; 2], &mut [u16]);
/// The signature of prefix sums.
pub type Prefix = fn(&[u8], [usize; 2], &mut [u32]);

/// A K, its stencil, and that by hand.
pub const STENCILS: [(usize, Stencil, Stencil); 5] = [
    (3, stencil_3, stencil_by_tap::<3>),
    (5, stencil_5, stencil_by_tap::<5>),
    (7, stencil_7, stencil_by_tap::<7>),
    (9, stencil_9, stencil_by_tap::<9>),
    (11, stencil_11, stencil_by_tap::<11>),
];

/// Lengths of edges between `n` vertices.
#[must_use]
pub fn edges(random: &mut Random, n: usize) -> Vec<u32> {
    let mut edges: Vec<u32> = random.bytes(n * n).into_iter().map(|byte| u32::from(byte) * 40 + 1).collect();
    (0..n).for_each(|i| edges[i * n + i] = 0);
    edges
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_agree() {
        for n in [0, 1, 2, 17, 70] {
            let edges = edges(&mut Random::new(n as u64), n);
            let run = |version: Paths| {
                let mut d = edges.clone();
                version(&mut d, n);
                d
            };
            for version in [paths_in_rows, paths_in_lanes, paths_in_tasks] {
                assert_eq!(run(version), run(paths), "{n}");
            }
        }
        for [h, w] in [[0, 0], [1, 1], [3, 40], [70, 19]] {
            let a = Random::new(3).bytes(h * w);
            let run = |version: Stencil| {
                let mut out = vec![0; h * w];
                version(&a, [h, w], &mut out);
                out
            };
            for (k, stencil, by_tap) in STENCILS {
                assert_eq!(run(stencil), run(by_tap), "{k}");
            }
            assert_eq!(run(stencil_11_in_tasks), run(stencil_11));
            let run = |version: Prefix| {
                let mut sums = vec![0; h * w];
                version(&a, [h, w], &mut sums);
                sums
            };
            for version in [prefix_in_lanes as Prefix, prefix_in_tasks] {
                assert_eq!(run(version), run(prefix_in_rows), "{h} by {w}");
            }
        }
    }
}
