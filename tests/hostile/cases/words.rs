//! Arguments of words and layouts that are none.

//@ reject
mod an_outer_order_that_repeats_an_axis {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel() -> u32 {
        let b = Block::stack::<u8>([8, 8]);
        #[order(tile([2, 2]).outer(axes([0, 0])))]
        for [y, x] in b.indices() {
            b[[y, x]] = 1;
        }
        b.indices().map(|[y, x]| u32::from(b[[y, x]])).sum::<u32>()
    }

    pub fn run() -> u32 {
        kernel()
    }
}

//@ reject
mod an_order_that_repeats_an_axis {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(#[shape(8, 8)] b: &mut [u8]) {
        #[order(axes([0, 0]))]
        for [y, x] in b.indices() {
            b[[y, x]] += 1;
        }
    }

    pub fn run() -> u32 {
        kernel(&mut [0; 64]);
        0
    }
}

//@ reject
mod an_inner_order_of_axes_that_are_none {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(#[shape(8, 8)] b: &mut [u8]) {
        #[order(tile([2, 2]).inner(axes([1, 3])))]
        for [y, x] in b.indices() {
            b[[y, x]] += 1;
        }
    }

    pub fn run() -> u32 {
        kernel(&mut [0; 64]);
        0
    }
}

//@ reject
mod axes_of_a_reversed_order_in_a_tile {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(#[shape(8, 8)] b: &mut [u8]) {
        #[order(tile([2, 2]).outer(axes([1, 1]).reversed()).inner(tile([1, 2]).inner(axes([0]))))]
        for [y, x] in b.indices() {
            b[[y, x]] += 1;
        }
    }

    pub fn run() -> u32 {
        kernel(&mut [0; 64]);
        0
    }
}

//@ reject
mod a_chain_of_orders_that_is_too_long {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel() -> u32 {
        let b = Block::stack::<u8>([4, 4]).stored(
            row_major
                .then([4, 4], axes([1, 0]))
                .then([4, 4], axes([1, 0]))
                .then([4, 4], axes([1, 0]))
                .then([4, 4], axes([1, 0]))
                .then([4, 4], axes([1, 0]))
                .then([4, 4], axes([1, 0]))
                .then([4, 4], axes([1, 0]))
                .then([4, 4], axes([1, 0]))
                .then([4, 4], axes([1, 0]))
                .then([4, 4], axes([1, 0]))
                .then([4, 4], axes([1, 0]))
                .then([4, 4], axes([1, 0]))
                .then([4, 4], axes([1, 0]))
                .then([4, 4], axes([1, 0]))
                .then([4, 4], axes([1, 0]))
                .then([4, 4], axes([1, 0]))
                .then([4, 4], axes([1, 0]))
                .then([4, 4], axes([1, 0]))
                .then([4, 4], axes([1, 0]))
                .then([4, 4], axes([1, 0]))
                .then([4, 4], axes([1, 0]))
                .then([4, 4], axes([1, 0]))
                .then([4, 4], axes([1, 0]))
                .then([4, 4], axes([1, 0])),
        );
        for [y, x] in b.indices() {
            b[[y, x]] = (4 * y + x) as u8;
        }
        u32::from(b[[1, 2]])
    }

    pub fn run() -> u32 {
        kernel()
    }
}

//@ reject
mod named_layouts_that_double {
    use shim::prelude::*;

    macro_rules! doubled {
        ($($name:ident of $inner:ident)*) => {$(
            #[shim::layout]
            fn $name(n: usize) -> Layout {
                #[staged]
                use self::$inner;
                tile([n, n]).outer($inner(n)).inner($inner(n))
            }
        )*};
    }

    #[shim::layout]
    fn d0(n: usize) -> Layout {
        tile([n, n])
    }

    doubled! {
        d1 of d0
        d2 of d1
        d3 of d2
        d4 of d3
        d5 of d4
        d6 of d5
        d7 of d6
        d8 of d7
        d9 of d8
        d10 of d9
        d11 of d10
        d12 of d11
        d13 of d12
        d14 of d13
        d15 of d14
        d16 of d15
        d17 of d16
        d18 of d17
    }

    #[shim::kernel]
    fn kernel() -> u32 {
        #[staged]
        use self::d18;
        let b = Block::stack::<u8>([4, 4]).stored(d18(2));
        for [y, x] in b.indices() {
            b[[y, x]] = (4 * y + x) as u8;
        }
        u32::from(b[[1, 2]])
    }

    pub fn run() -> u32 {
        kernel()
    }
}

//@ reject
mod fronts_that_are_too_steep {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(#[shape(64, 64)] b: &mut [u8]) {
        #[wavefront(4294967296 * y + x)]
        for [y, x] in b.indices() {
            b[[y, x]] += 1;
        }
    }

    pub fn run() -> u32 {
        kernel(&mut [0; 64 * 64]);
        0
    }
}

//@ reject
mod fronts_as_steep_as_numbers_are {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(#[shape(4, 4)] b: &mut [u8]) {
        #[wavefront(9223372036854775807 * y + x)]
        #[parallel]
        for [y, x] in b.indices() {
            b[[y, x]] += b[[y - 1, x]];
        }
        #[unroll]
        #[wavefront(9223372036854775807 * y + x)]
        for [y, x] in b.indices() {
            b[[y, x]] += 1;
        }
    }

    pub fn run() -> u32 {
        kernel(&mut [0; 16]);
        0
    }
}

//@ reject
mod tiles_without_an_extent {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(#[shape(8, 8)] b: &mut [u8]) {
        #[tile([0, 4])]
        for [y, x] in b.indices() {
            b[[y, x]] += 1;
            b[[y, x]] += b[[y, 0]];
        }
    }

    pub fn run() -> u32 {
        kernel(&mut [0; 64]);
        0
    }
}

//@ reject
mod tiles_of_negative_extents {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(#[shape(8, 8)] b: &mut [u8]) {
        #[tile([-9223372036854775808, 4])]
        for [y, x] in b.indices() {
            b[[y, x]] += b[[y, 0]];
        }
    }

    pub fn run() -> u32 {
        kernel(&mut [0; 64]);
        0
    }
}

//@ reject
mod no_copies {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(#[shape(8)] b: &mut [u8]) {
        #[unroll(0)]
        for [x] in b.indices() {
            b[[x]] += b[[0]];
        }
    }

    pub fn run() -> u32 {
        kernel(&mut [0; 8]);
        0
    }
}

//@ reject
mod an_order_of_empty_tiles {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(#[shape(8, 8)] b: &mut [u8]) {
        #[order(tile([0, 2]))]
        for [y, x] in b.indices() {
            b[[y, x]] += b[[y, 0]];
        }
    }

    pub fn run() -> u32 {
        kernel(&mut [0; 64]);
        0
    }
}

//@ reject
mod an_order_of_no_lanes {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(#[shape(8, 8)] b: &mut [u8]) {
        #[order(lanes(0))]
        for [y, x] in b.indices() {
            b[[y, x]] += b[[y, 0]];
        }
    }

    pub fn run() -> u32 {
        kernel(&mut [0; 64]);
        0
    }
}

// Variables of ranges that end where their type does.
//@ value
mod orders_at_the_end_of_a_type {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(#[shape(4, 4)] b: &mut [u8]) -> u32 {
        let mut sum: u32 = 0;
        #[order(row_major.reversed())]
        for i in isize::MAX - 2..isize::MAX {
            b[[i - (isize::MAX - 3), 0]] += 1;
            sum += (isize::MAX - i) as u32;
        }
        #[tile([2])]
        for i in isize::MIN..isize::MIN + 3 {
            b[[i - isize::MIN, 1]] += 1;
        }
        let end = isize::MAX;
        let (top, left) = (end - 2, end - 3);
        #[wavefront(y + x)]
        #[lanes(2)]
        for y in top..end {
            for x in left..end {
                b[[y - (isize::MAX - 3), x - (isize::MAX - 4)]] +=
                    b[[y - (isize::MAX - 2), x - (isize::MAX - 3)]] + 1;
            }
        }
        #[lanes(2)]
        for x in isize::MAX - 3..isize::MAX {
            b[[0, x - (isize::MAX - 4)]] += 1;
        }
        sum
    }

    pub fn run() -> u32 {
        let mut b = [0; 16];
        let sum = kernel(&mut b);
        b.iter().fold(sum, |s: u32, v| s.wrapping_mul(31).wrapping_add(u32::from(*v)))
    }

    pub fn want() -> u32 {
        let mut b = [0_u8; 16];
        let mut sum = 0;
        for i in (0..2_usize).rev() {
            b[4 * (i + 1)] += 1;
            sum += 2 - i as u32;
        }
        for i in 0..3 {
            b[4 * i + 1] += 1;
        }
        for y in 1..3 {
            for x in 1..4 {
                b[4 * y + x] += b[4 * (y - 1) + x - 1] + 1;
            }
        }
        for x in 1..4 {
            b[x] += 1;
        }
        b.iter().fold(sum, |s: u32, v| s.wrapping_mul(31).wrapping_add(u32::from(*v)))
    }
}

// The values of a variable fit its type; the sums by which an order computes them may not.
//@ value
mod orders_of_ranges_at_the_end_of_a_type {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(from: isize, end: isize) -> u32 {
        let (mut sum, mut bits, mut most): (u32, u32, u32) = (0, 0, 0);
        #[order(row_major.reversed())]
        for i in from..end {
            sum += (end - i) as u32;
        }
        #[tile([2])]
        #[order(row_major.reversed())]
        for i in from..end {
            bits |= 1 << (end - i);
        }
        #[order(antidiagonal)]
        for y in from..end {
            for x in from..end {
                most = most.max((end - y) as u32 + 2 * (end - x) as u32);
            }
        }
        #[wavefront(3 * y + x)]
        for y in from..end {
            for x in from..end {
                sum += (end - y) as u32 * 5 + (end - x) as u32;
            }
        }
        #[tile([2], peel)]
        #[unroll(x)]
        for x in from..end {
            sum += 3 * (end - x) as u32;
        }
        sum + 100 * bits + 10_000 * most
    }

    pub fn run() -> u32 {
        kernel(isize::MAX - 3, isize::MAX) + 7 * kernel(isize::MIN, isize::MIN + 3)
    }

    pub fn want() -> u32 {
        8 * (6 + 54 * 2 + 18 + 100 * 0b1110 + 10_000 * 9)
    }
}

// The points of a small nest are compared one by one, but not by coordinates where these do not tell the place.
//@ reject
mod tiles_of_a_small_nest_over_overlapping_strides {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(#[shape(4, 4)] a: &[u32], o: &mut [u32], n: usize) {
        let o = Block::external(o, [4, 4]).strided([2, n]);
        #[tile([5, 2])]
        for [i, j] in o.indices() {
            o[[i, j]] = a[[i, j]];
        }
    }

    pub fn run() -> u32 {
        let mut o = [0; 32];
        kernel(&[3; 16], &mut o, 4);
        o[4]
    }
}

//@ reject
mod tasks_of_a_small_nest_over_overlapping_strides {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(#[shape(4, 4)] a: &[u32], o: &mut [u32]) {
        let o = Block::external(o, [4, 4]).strided([1, 1]);
        #[parallel]
        for [i, j] in o.indices() {
            o[[i, j]] = a[[i, j]];
        }
    }

    pub fn run() -> u32 {
        let mut o = [0; 32];
        kernel(&[3; 16], &mut o);
        o[4]
    }
}

//@ reject
mod a_small_nest_backwards_over_overlapping_strides {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(#[shape(8)] a: &[u32], o: &mut [u32]) {
        let o = Block::external(o, [4, 2]).strided([0, 0]).reshape([8]);
        #[order(row_major.reversed())]
        for [i] in o.indices() {
            o[[i]] = a[[i]];
        }
    }

    pub fn run() -> u32 {
        let mut o = [0; 32];
        kernel(&[3; 8], &mut o);
        o[0]
    }
}
