//! Blocks whose elements are in another order than row-major, against the runtime library.

use crate::common::{noise, panics_with};
use shim::prelude::*;
use shim::{Located, Order, TensorOps, orders};

fn tile(extents: &[i64], outer: Order, inner: Order) -> Order {
    Order::Tile { extents: extents.to_vec(), outer: Box::new(outer), inner: Box::new(inner) }
}

/// A kernel that writes a block in an order, and one that reads it.
macro_rules! kernels {
    ($($write:ident $read:ident $order:expr;)*) => { $(
        #[shim::kernel]
        fn $write(a: &[u16], h: usize, w: usize, out: &mut [u16]) {
            let a = Block::external(a, [h, w]);
            let out = Block::external(out, [h, w]).stored($order);
            let [y, x] = iters();
            out[[y, x]] = a[[y, x]];
        }

        /// Each element with its neighbors, behind a boundary rule and without.
        #[shim::kernel]
        fn $read(#[shape(h, w)] #[stored($order)] a: &[u16], h: usize, w: usize, #[shape(h, w)] out: &mut [u64]) {
            let folded = a.boundary(Mirror);
            let zero = a.boundary(Fill(0));
            for [y, x] in out.indices() {
                let around = [folded[[y - 1, x]], folded[[y, x + 2]], zero[[y + 1, x - 1]]].map(u64::from);
                let found = a.get([x, y]).map_or(7, |a| u64::from(a));
                out[[y, x]] = ((u64::from(a[[y, x]]) * 31 + around[0]) * 31 + around[1]) * 31 + around[2] + found;
            }
        }
    )* };
}

kernels! {
    write_rows read_rows row_major;
    write_columns read_columns column_major;
    write_axes read_axes axes([1, 0]);
    write_tiles read_tiles tile([4, 8]);
    write_uneven read_uneven tile([3, 5]).outer(column_major).inner(row_major.reversed());
    write_nested read_nested tile([8, 8]).inner(tile([2, 4]).inner(axes([1, 0])));
    write_lanes read_lanes lanes(4);
    write_single read_single tile([1, 1]);
    write_backwards read_backwards row_major.reversed();
    write_whole read_whole tile([100, 100]);
    write_swizzled read_swizzled swizzle(8);
    write_bricks read_bricks tile([4, 8]).outer(swizzle(2)).inner(swizzle(4));
    write_curves read_curves tile([4, 4]).inner(hilbert);
    write_table read_table tile([3, 6]).inner(by(|[y, x]| 7 * (5 - x + 6 * y) % 18).reversed());
}

/// What the kernels above read, from the runtime library.
fn expected(a: &Block<u16, 2>, [h, w]: [isize; 2]) -> Vec<u64> {
    let folded = a.view().boundary(Boundary::Mirror);
    let zero = a.view().boundary(Boundary::Fill(0));
    let points = (0..h).flat_map(|y| (0..w).map(move |x| (y, x)));
    let value = |(y, x)| {
        let around = [folded[[y - 1, x]], folded[[y, x + 2]], zero[[y + 1, x - 1]]].map(u64::from);
        let found = a.get([x, y]).map_or(7, |a| u64::from(*a));
        ((u64::from(a[[y, x]]) * 31 + around[0]) * 31 + around[1]) * 31 + around[2] + found
    };
    points.map(value).collect()
}

type Write = fn(&[u16], usize, usize, &mut [u16]);
type Read = fn(&[u16], usize, usize, &mut [u64]);

#[test]
fn orders_of_memory_change_no_value() {
    let uneven = tile(&[3, 5], Order::ColumnMajor, Order::Reversed(Box::new(Order::RowMajor)));
    let nested = tile(&[8, 8], Order::RowMajor, tile(&[2, 4], Order::RowMajor, Order::Axes(vec![1, 0])));
    let all: [(Write, Read, Order); 14] = [
        (write_rows, read_rows, Order::RowMajor),
        (write_columns, read_columns, Order::ColumnMajor),
        (write_axes, read_axes, Order::Axes(vec![1, 0])),
        (write_tiles, read_tiles, Order::tile(&[4, 8])),
        (write_uneven, read_uneven, uneven),
        (write_nested, read_nested, nested),
        (write_lanes, read_lanes, Order::tile(&[4, 1])),
        (write_single, read_single, Order::tile(&[1, 1])),
        (write_backwards, read_backwards, Order::Reversed(Box::new(Order::RowMajor))),
        (write_whole, read_whole, Order::tile(&[100, 100])),
        (write_swizzled, read_swizzled, Order::Swizzle(8)),
        (write_bricks, read_bricks, tile(&[4, 8], Order::Swizzle(2), Order::Swizzle(4))),
        (write_curves, read_curves, tile(&[4, 4], Order::RowMajor, orders::hilbert)),
        (
            write_table,
            read_table,
            tile(&[3, 6], Order::RowMajor, orders::by(|[y, x]| 7 * (5 - x + 6 * y) % 18).reversed()),
        ),
    ];
    for (h, w) in
        [(0, 0), (0, 3), (5, 0), (1, 1), (1, 7), (3, 2), (4, 8), (7, 11), (8, 16), (17, 13), (32, 24)]
    {
        let dense: Vec<u16> = noise(h * w, 60_000);
        for (write, read, order) in &all {
            let padded = |extent: usize, tile: usize| extent.div_ceil(tile) * tile;
            let count = match order {
                Order::Swizzle(modulus) => h * padded(w, *modulus as usize),
                Order::Tile { outer, .. } if matches!(**outer, Order::Swizzle(_)) => {
                    padded(h, 4) * padded(w, 16)
                }
                Order::Tile { extents, .. } => {
                    padded(h, extents[0] as usize) * padded(w, extents[1] as usize)
                }
                _ => h * w,
            };
            let mut memory = vec![9; count];
            write(&dense, h, w, &mut memory);
            if count > 0 {
                panics_with(|| write(&dense, h, w, &mut memory[1..]), &["`out`", "does not fit"]);
            }
            let block = Block::with_order([h, w], order, memory.clone()).unwrap();
            for (at, index) in block.indices().enumerate() {
                assert_eq!(block[index], dense[at], "{order:?} of {h}x{w} at {index:?}");
            }
            let mut out = vec![0; h * w];
            read(&memory, h, w, &mut out);
            assert_eq!(out, expected(&block, [h as isize, w as isize]), "{order:?} of {h}x{w}");
        }
    }
}

/// Blocks of the kernel's own: on the stack along a curve, on the heap with padding.
#[shim::kernel]
fn owned(a: &[u16], n: usize, out: &mut [u16]) {
    const SIDE: usize = 4;
    let a = Block::external(a, [n, 9]);
    let grown = Block::heap::<u16>([n, 9]).stored(tile([SIDE, SIDE]));
    for [y, x] in a.indices() {
        grown[[y, x]] = a[[y, x]] + 1;
    }
    let scan = Block::stack::<u16>([3, 5]).stored(zigzag);
    let bits = Block::stack::<u16>([3, 5]).stored(morton);
    let chain = Block::stack::<u16>([3, 5]).stored(column_major.then([3, 2, 3], axes([2, 0, 1]).reversed()));
    let tiles = Block::stack::<u16>([3, 5]).stored(tile([2, 2]).outer(antidiagonal));
    for [y, x] in scan.indices() {
        scan[[y, x]] = (10 * y + x) as u16;
        bits[[y, x]] = 2 * scan[[y, x]];
        chain[[y, x]] = 3 * scan[[y, x]];
        tiles[[y, x]] = 4 * scan[[y, x]];
    }
    let out = Block::external(out, [n, 9]);
    let [y, x] = iters();
    out[[y, x]] = grown[[y, x]]
        + scan.boundary(Clamp)[[y, x]]
        + bits.boundary(Wrap)[[y, x]]
        + chain.boundary(Clamp)[[y, x]]
        + tiles.boundary(Clamp)[[y, x]];
}

#[test]
fn blocks_of_the_kernels_own() {
    for n in [0, 1, 3, 4, 10] {
        let a: Vec<u16> = noise(9 * n, 1000);
        let mut out = vec![0; 9 * n];
        owned(&a, n, &mut out);
        for (at, found) in out.iter().enumerate() {
            let (y, x) = (at / 9, at % 9);
            let clamped = 10 * y.min(2) + x.min(4);
            let wanted = usize::from(a[at]) + 1 + 8 * clamped + 2 * (10 * (y % 3) + x % 5);
            assert_eq!(usize::from(*found), wanted, "{at} of {n}");
        }
    }
}

/// The sum of a block's elements and of the neighbors of one, whatever the order of its memory.
#[shim::kernel]
fn sums(t: impl Tensor<u16, 2>, y: i32, x: i32) -> (u32, u32) {
    let t = t.cast::<u32>();
    let all = t.indices().map(|[y, x]| t[[y, x]]).sum::<u32>();
    let p = t.boundary(Fill(0));
    (all, p[[y - 1, x]] + p[[y, x - 1]] + p[[y + 1, x + 1]])
}

/// A tile of a tiled picture, with the neighbors that lie in other tiles.
#[shim::kernel]
fn tile_sums(
    #[shape(h, w)]
    #[stored(tile([8, 8]))]
    a: &[u16],
    h: usize,
    w: usize,
    ty: usize,
    tx: usize,
) -> (u32, u32, u32) {
    let tile = a[[8 * ty..8 * ty + 8, 8 * tx..8 * tx + 8]];
    let own = tile.to_block().copied();
    let (all, around) = sums(tile, 0, 0);
    let (same, _) = sums(own, 0, 0);
    assert_eq!(all, same);
    (all, around, own.boundary(Fill(0)).cast::<u32>()[[-1, 4]])
}

#[test]
fn tiles_of_tiled_memory() {
    let (h, w) = (24, 35);
    let memory: Vec<u16> = noise(24 * 40, 500);
    let block = Block::with_order([h, w], &Order::tile(&[8, 8]), memory.clone()).unwrap();
    let at = |y: isize, x: isize| u32::from(block.get([y, x]).copied().unwrap_or(0));
    for (ty, tx) in [(0, 0), (1, 1), (2, 3), (0, 2)] {
        let (y0, x0) = (8 * ty as isize, 8 * tx as isize);
        let points = (0..8).flat_map(|y| (0..8).map(move |x| (y0 + y, x0 + x)));
        let all: u32 = points.map(|(y, x)| at(y, x)).sum();
        let around = at(y0 - 1, x0) + at(y0, x0 - 1) + at(y0 + 1, x0 + 1);
        assert_eq!(tile_sums(&memory, h, w, ty, tx), (all, around, at(y0 - 1, x0 + 4)), "{ty} {tx}");
    }
    panics_with(|| tile_sums(&memory, h, w, 2, 4), &["tile_sums"]);
}

/// Coefficients of many blocks, 16 blocks at a time, and a chroma plane in tiles.
#[shim::located]
struct Coefficients {
    blocks: usize,
    #[shape(blocks, 64)]
    #[stored(lanes(16))]
    levels: Vec<i16>,
    #[shape(blocks, 32)]
    #[coarsened(1, 2)]
    #[stored(column_major)]
    half: Vec<i16>,
}

#[shim::kernel]
fn dc_and_half(#[located] from: &Coefficients, block: usize) -> (i16, i16) {
    let block = block as isize;
    (from.levels[[block, 0]] - from.levels[[block, 63]], from.half[from.levels][[block, 5]])
}

#[test]
fn located_fields_have_orders() {
    let from = Coefficients { blocks: 20, levels: noise(32 * 64, 900), half: noise(20 * 32, 900) };
    for block in 0..20 {
        let level = |k: usize| from.levels[block / 16 * 1024 + 16 * k + block % 16];
        assert_eq!(dc_and_half(&from, block), (level(0) - level(63), from.half[2 * 20 + block]));
    }
    let short = Coefficients { blocks: 20, levels: noise(20 * 64, 900), half: noise(20 * 32, 900) };
    panics_with(|| dc_and_half(&short, 0), &["levels", "does not fit"]);
}

/// A raw pointer, whose caller answers for the padding as well.
///
/// # Safety
/// The pointer is to `n` elements and the padding of the last four.
#[shim::kernel]
#[allow(unsafe_code, unsafe_op_in_unsafe_fn)]
unsafe fn of_pointer(a: *const u16, n: usize) -> u32 {
    let a = Block::external(a, [n]).stored(tile([4]).inner(row_major.reversed()));
    a.cast::<u32>().indices().map(|[i]| a.cast::<u32>()[[i]] * (i as u32 + 1)).sum::<u32>()
}

#[test]
#[allow(unsafe_code)]
fn padding_of_pointers() {
    let memory = [4_u16, 3, 2, 1, 8, 7, 6, 5];
    let wanted = (1..=6).map(|v| v * v).sum::<u32>();
    // SAFETY: six elements in tiles of four take eight.
    assert_eq!(unsafe { of_pointer(memory.as_ptr(), 6) }, wanted);
}
