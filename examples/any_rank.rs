//! One body for tensors of ranks 1 to 4: the integral image, a separable filter, dilation, downsampling, and block
//! matching with a vector of as many numbers as there are axes.
//!
//! `cargo run --example any_rank`

use shim::algebra::{add, scan};
use shim::prelude::*;

/// Each element becomes the sum of all that come before it on every axis, itself included.
#[shim::kernel]
fn integral<T, const N: usize>(t: impl Tensor<T, N>) {
    #[unroll]
    for axis in 0..N {
        scan::<_, axis, _>(add, 0 as T, t, t);
    }
}

/// The weights 1, 2, 1 along every axis in turn, divided by four each time. `scratch` is as large as `t`.
#[shim::kernel]
fn smooth<const N: usize>(t: impl Tensor<i32, N>, scratch: impl Tensor<i32, N>) {
    #[unroll]
    for axis in 0..N {
        let from = t.boundary(Clamp);
        for p in t.indices() {
            scratch[p] = (from[p.back(axis, 1)] + 2 * from[p] + from[p.ahead(axis, 1)] + 2) / 4;
        }
        for p in t.indices() {
            t[p] = scratch[p];
        }
    }
}

/// The greatest of each element and its neighbors along the axes.
#[shim::kernel]
fn dilate<T, const N: usize>(from: impl Tensor<T, N>, to: impl Tensor<T, N>) {
    let around = from.boundary(Fill(T::MIN));
    for p in to.indices() {
        let mut most = from[p];
        #[unroll]
        for axis in 0..N {
            most = most.max(around[p.back(axis, 1)]).max(around[p.ahead(axis, 1)]);
        }
        to[p] = most;
    }
}

/// The mean of each cell of two elements along every axis: `to` has half the density of `from`, so that an index of
/// `from` is in a cell of it.
#[shim::kernel]
fn downsample<const N: usize>(from: impl Tensor<i32, N>, to: impl Tensor<i32, N>) {
    let cells = to[from];
    for p in to.indices() {
        to[p] = 0;
    }
    for p in from.indices() {
        cells[p] += from[p];
    }
    for p in to.indices() {
        to[p] >>= N;
    }
}

/// The sum of absolute differences of a block to each place in a search window, a cost for each vector.
#[shim::kernel]
fn match_block<const N: usize>(
    block: impl Tensor<i32, N>,
    window: impl Tensor<i32, N>,
    costs: impl Tensor<i32, N>,
) {
    for vector in costs.indices() {
        let moved = window.shifted(vector);
        costs[vector] = block.indices().map(|p| (block[p] - moved[p]).abs()).sum::<i32>();
    }
}

/// The integral image of memory whose rank is known when the program runs.
#[shim::kernel]
pub fn integral_of(memory: &mut [i32], extents: [usize; 4], #[specialize(1 | 2 | 3 | 4)] rank: usize) {
    let [a, b, c, d] = extents;
    if rank == 1 {
        integral(Block::external(memory, [a]));
    } else if rank == 2 {
        integral(Block::external(memory, [a, b]));
    } else if rank == 3 {
        integral(Block::external(memory, [a, b, c]));
    } else {
        integral(Block::external(memory, [a, b, c, d]));
    }
}

/// The bodies at a rank. Cells, blocks and windows are static for brevity; nothing in the bodies asks for that.
macro_rules! ranks {
    ($($name:ident [$($side:literal),*] cells [$($half:literal),*] of [$($two:literal),*] block [$($block:literal),*];)*) => {$(
        /// The sum of the smoothed, dilated and downsampled tensor, and the vector at which a block of it is found.
        #[shim::kernel]
        pub fn $name(memory: &[i32]) -> (i32, i32) {
            let t = Block::external(memory, [$($side),*]);
            let (own, other) = (t.to_block().copied(), t.to_block());
            smooth(own, other);
            dilate(own, other);
            let cells = Block::heap::<i32>([$($half),*]).coarsened([$($two),*]);
            downsample(other, cells);
            let total = shim::algebra::fold(add, 0, cells);
            // A block that was cut at a place which all axes share.
            let block = Block::heap::<i32>([$($block),*]);
            let (from, costs) = (t.drop([$($block - $block + 2),*]), Block::heap::<i32>([$($half),*]));
            for p in block.indices() {
                block[p] = from[p];
            }
            match_block(block, t.boundary(Clamp), costs);
            let best = costs.indices().min_by_key(|&p| costs[p]);
            (total, best.map_or(-1, |p| p[0]))
        }
    )*};
}

ranks! {
    rank_1 [8] cells [4] of [2] block [3];
    rank_2 [8, 8] cells [4, 4] of [2, 2] block [3, 3];
    rank_3 [8, 8, 8] cells [4, 4, 4] of [2, 2, 2] block [3, 3, 3];
    rank_4 [8, 8, 8, 8] cells [4, 4, 4, 4] of [2, 2, 2, 2] block [3, 3, 3, 3];
}

fn main() {
    let number = |k: usize| ((k as u32).wrapping_mul(2_654_435_761) >> 20) as i32 % 101;
    for (rank, kernel) in [rank_1 as fn(&[i32]) -> (i32, i32), rank_2, rank_3, rank_4].into_iter().enumerate()
    {
        let rank = rank + 1;
        let count = 8_usize.pow(rank as u32);
        let memory: Vec<i32> = (0..count).map(number).collect();
        let (total, at) = kernel(&memory);
        let mut sums = memory.clone();
        integral_of(&mut sums, [8; 4], rank);
        let all: i32 = memory.iter().sum();
        assert_eq!(sums[count - 1], all, "the last of an integral image is the sum");
        println!("rank {rank}: sum {all}, cells {total}, a block found at {at} on every axis");
        assert_eq!(at, 2);
    }
}
