//! U5, and sizes at the ends of their types.

//@ panic
mod countable_within_a_longer_term {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8], m: isize, n: isize) -> u32 {
        let t = Block::external(v, [m + n, n]).strided([0, 0]).cast::<u32>();
        let mut s = 0;
        for [y, x] in t.indices() {
            if x as i64 > 2_000_000_000 {
                s += 1;
            }
            s += t[[y, x]];
            if s > 1000 {
                break;
            }
        }
        s
    }

    pub fn run() -> u32 {
        let n = (1 << 31) + (1 << 20);
        kernel(&[1], 1 - n, n)
    }
}

//@ panic
mod countable_of_a_refined_view {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8], m: isize, n: isize) -> i64 {
        let t = Block::external(v, [m + n, n]).strided([0, 0]);
        let r = t.refine([1, 2]);
        let mut s = 0;
        for [y, x] in t.indices() {
            s += i64::from(r[[y, 2 * x]]);
            if x == 5 {
                return s;
            }
        }
        s
    }

    pub fn run() -> i64 {
        let n = (1 << 31) + 3;
        kernel(&[1], 1 - n, n)
    }
}

// Such a loop would take minutes: the assertion comes before it.
//@ panic
mod extent_above_i32 {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8], n: usize) -> u32 {
        let t = Block::external(v, [n]).strided([0]).cast::<u32>();
        let mut s = 0;
        for [i] in t.indices() {
            s += t[[i]];
        }
        s
    }

    pub fn run() -> u32 {
        kernel(&[1], 1 << 31)
    }
}

//@ panic
mod product_overflows {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8], n: usize, m: usize) -> u8 {
        let t = Block::external(v, [n, m]);
        t[[n - 1, m - 1]]
    }

    pub fn run() -> u8 {
        kernel(&[1; 8], 1 << 33, 1 << 31)
    }
}

//@ panic
mod product_overflows_to_a_small_one {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8], n: usize, m: usize) -> u8 {
        let t = Block::external(v, [n, m, 1]);
        t[[1, 0, 0]]
    }

    pub fn run() -> u8 {
        kernel(&[1; 8], 1 << 63, 2)
    }
}

//@ panic
mod product_of_constants_overflows {
    use shim::prelude::*;

    const N: usize = 1 << 32;

    #[shim::kernel]
    fn kernel(v: &[u8]) -> u8 {
        let t = Block::external(v, [N, N]);
        t[[1, 0]]
    }

    pub fn run() -> u8 {
        kernel(&[1; 8])
    }
}

//@ panic | reject
mod product_of_literals_overflows {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8]) -> u8 {
        let t = Block::external(v, [4_294_967_296, 4_294_967_296]);
        t[[0, 1]]
    }

    pub fn run() -> u8 {
        kernel(&[1; 8])
    }
}

// Nothing is in it, however long the other axis is.
//@ panic
mod empty_beside_a_long_axis {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8], n: usize, m: usize, k: usize) -> u8 {
        let t = Block::external(v, [n, m]);
        t[[k, 0]]
    }

    pub fn run() -> u8 {
        kernel(&[], 0, (1 << 62) + 5, 0)
    }
}

//@ panic
mod extent_is_max {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8], n: usize) -> u8 {
        let t = Block::external(v, [n]);
        t[[0]]
    }

    pub fn run() -> u8 {
        kernel(&[1; 8], usize::MAX)
    }
}

//@ panic
mod extent_is_negative {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8], n: i32, m: i32) -> u8 {
        let t = Block::external(v, [n, m]);
        t[[0, 0]]
    }

    pub fn run() -> u8 {
        kernel(&[1; 8], -2, -4)
    }
}

//@ panic | reject
mod extent_is_a_negative_constant {
    use shim::prelude::*;

    const N: i32 = -2;

    #[shim::kernel]
    fn kernel(v: &[u8]) -> u8 {
        let t = Block::external(v, [N, -4]);
        t[[0, 0]]
    }

    pub fn run() -> u8 {
        kernel(&[1; 8])
    }
}

// ZST elements: any number of them fits.
//@ value
mod elements_without_a_size {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[()], n: usize) -> usize {
        let t = Block::external(v, [n]);
        t[[n - 1]];
        t.extent(0)
    }

    pub fn run() -> usize {
        kernel(&[(); 1 << 40], 1 << 40)
    }

    pub fn want() -> usize {
        1 << 40
    }
}

//@ panic
mod elements_without_a_size_out_of_bounds {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[()], n: usize) {
        let t = Block::external(v, [n]);
        t[[n - 1]]
    }

    pub fn run() {
        kernel(&[(); 4], usize::MAX)
    }
}

//@ panic
mod heap_overflows {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(n: usize) -> u64 {
        let t = Block::heap::<u64>([n, n]);
        t[[0, 1]] = 5;
        t[[0, 1]]
    }

    pub fn run() -> u64 {
        kernel(1 << 32)
    }
}

// Its bytes overflow, its elements do not.
//@ panic | other panic
mod bytes_of_the_heap_overflow {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(n: usize) -> u64 {
        let t = Block::heap::<u64>([n]);
        t[[1]] = 5;
        t[[1]]
    }

    pub fn run() -> u64 {
        kernel(1 << 61)
    }
}

// A stride so long that only index 0 can be reached.
//@ value
mod long_stride_of_one_row {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8], n: usize) -> u8 {
        let t = Block::external(v, [1, n]).strided([1 << 62, 1]);
        t[[0, n - 1]]
    }

    pub fn run() -> u8 {
        kernel(&[1, 2, 3], 3)
    }

    pub fn want() -> u8 {
        3
    }
}

//@ value
mod long_stride_in_a_loop {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8], h: usize, w: usize) -> u32 {
        let t = Block::external(v, [h, w]).strided([1 << 62, 1]).cast::<u32>();
        let mut s = 0;
        for [y, x] in t.indices() {
            s += t[[y, x]];
        }
        s
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3], 1, 3)
    }

    pub fn want() -> u32 {
        6
    }
}

//@ panic
mod long_stride_of_two_rows {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8], h: usize, w: usize) -> u8 {
        let t = Block::external(v, [h, w]).strided([1 << 62, 1]);
        t[[h - 1, w - 1]]
    }

    pub fn run() -> u8 {
        kernel(&[1, 2, 3], 2, 3)
    }
}

//@ panic
mod strides_whose_sum_overflows {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8], s: usize) -> u8 {
        let t = Block::external(v, [2, 2, 2, 2]).strided([s, s, s, s]);
        t[[1, 1, 1, 1]]
    }

    pub fn run() -> u8 {
        kernel(&[1, 2, 3], 1 << 62)
    }
}

//@ panic
mod stride_is_max {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8], s: usize, k: usize) -> u8 {
        let t = Block::external(v, [3]).strided([s]);
        t[[k]]
    }

    pub fn run() -> u8 {
        kernel(&[1, 2, 3], usize::MAX, 1)
    }
}

//@ panic
mod stride_is_negative {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8], s: isize) -> u8 {
        let t = Block::external(v, [3]).strided([s]);
        t[[1]]
    }

    pub fn run() -> u8 {
        kernel(&[1, 2, 3], -1)
    }
}

//@ value
mod stride_is_zero {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &mut [u8], n: usize) -> u32 {
        let t = Block::external(v, [n, n]).strided([0, 0]);
        t[[n - 1, 0]] += 1;
        t[[0, n - 1]] += 1;
        let t = t.cast::<u32>();
        t.indices().map(|[y, x]| t[[y, x]]).sum::<u32>()
    }

    pub fn run() -> u32 {
        kernel(&mut [1], 100)
    }

    pub fn want() -> u32 {
        30_000
    }
}

//@ panic
mod stride_is_zero_out_of_bounds {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8], n: usize, k: usize) -> u8 {
        let t = Block::external(v, [n]).strided([0]);
        t[[k]]
    }

    pub fn run() -> u8 {
        kernel(&[1], 100, 100)
    }
}

// A block without elements fits any memory; it has none that could be read.
//@ panic
mod strided_block_of_nothing {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8], n: usize, k: usize) -> u8 {
        let t = Block::external(v, [n, 5]).strided([1 << 40, 1 << 20]);
        t[[k, 4]]
    }

    pub fn run() -> u8 {
        kernel(&[], 0, 0)
    }
}

//@ panic
mod origin_overflows {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8], at: isize) -> u8 {
        let t = Block::external(v, [8]);
        let s = Block::stack::<u8>([4]).at([at]);
        t[s][[3]]
    }

    pub fn run() -> u8 {
        kernel(&[1; 8], isize::MAX)
    }
}

//@ panic
mod origin_is_min {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8], at: isize) -> u8 {
        let t = Block::external(v, [8]).at([at]);
        let s = Block::stack::<u8>([4]);
        t[s][[3]]
    }

    pub fn run() -> u8 {
        kernel(&[1; 8], isize::MIN)
    }
}

//@ panic
mod part_overflows {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8], a: usize, b: usize) -> u32 {
        let t = Block::external(v, [8]).cast::<u32>();
        let p = t[[a..b]][[a..b]][[a..b]];
        let mut s = 0;
        for [i] in p.indices() {
            s += p[[i]];
        }
        s + p[[0]]
    }

    pub fn run() -> u32 {
        kernel(&[1; 8], 1 << 62, (1 << 62) + 4)
    }
}

//@ panic
mod part_beyond_the_end {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8], a: usize, b: usize) -> u32 {
        let t = Block::external(v, [8]).cast::<u32>();
        let p = t[[a..b]];
        p.indices().map(|[i]| p[[i]]).sum::<u32>()
    }

    pub fn run() -> u32 {
        kernel(&[1; 8], 4, 100_000)
    }
}

//@ panic
mod refined_extent_overflows {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8], n: usize) -> u8 {
        let t = Block::external(v, [n]).strided([0]).refine([1 << 30]);
        let k = t.extent(0);
        t[[k - 1]]
    }

    pub fn run() -> u8 {
        kernel(&[1], 1 << 40)
    }
}

//@ panic
mod index_arithmetic_overflows {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8], a: isize, b: isize) -> u8 {
        let t = Block::external(v, [8]);
        t[[a * b + 3]]
    }

    pub fn run() -> u8 {
        kernel(&[1; 8], 1 << 32, 1 << 32)
    }
}

//@ panic
mod index_arithmetic_overflows_and_comes_back {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8], a: isize) -> u8 {
        let t = Block::external(v, [8]);
        t[[a + a + a + a + 3]]
    }

    pub fn run() -> u8 {
        kernel(&[1; 8], 1 << 62)
    }
}

//@ panic
mod unsigned_index_is_too_large {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8], a: u64, b: u128) -> u8 {
        let t = Block::external(v, [8]);
        t[[a]] + t[[b]]
    }

    pub fn run() -> u8 {
        kernel(&[1; 8], u64::MAX, 1 << 100)
    }
}

//@ panic
mod stepped_bound_overflows {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8], n: usize) -> u32 {
        let t = Block::external(v, [8]).cast::<u32>();
        let mut s = 0;
        for i in (0..n).step_by(1 << 62) {
            s += t[[i]];
        }
        s
    }

    pub fn run() -> u32 {
        kernel(&[1; 8], usize::MAX)
    }
}

//@ panic
mod shift_in_an_index {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8], a: usize, b: usize) -> u8 {
        let t = Block::external(v, [8]);
        t[[a << b]]
    }

    pub fn run() -> u8 {
        kernel(&[1; 8], 4, 63)
    }
}

//@ panic
mod division_by_zero_in_an_index {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8], a: usize, b: usize) -> u8 {
        let t = Block::external(v, [8]);
        t[[a / b]] + t[[a % b]]
    }

    pub fn run() -> u8 {
        kernel(&[1; 8], 4, 0)
    }
}

//@ panic | reject
mod stack_is_too_large {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel() -> u8 {
        let t = Block::stack::<u8>([1 << 31, 1 << 31, 1 << 31]);
        t[[0, 1, 0]]
    }

    pub fn run() -> u8 {
        kernel()
    }
}

//@ panic
mod rows_that_are_short {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[Vec<u8>], w: usize) -> u32 {
        let t = Block::rows(v, [2, w]).cast::<u32>();
        t.indices().map(|[y, x]| t[[y, x]]).sum::<u32>()
    }

    pub fn run() -> u32 {
        kernel(&[vec![1; 8], vec![1; 3]], 8)
    }
}

// A row that shrinks between two looks at it.
//@ panic | value | reject
mod rows_that_shrink {
    use shim::prelude::*;
    use std::cell::Cell;
    use std::ops::Deref;

    struct Odd(Vec<u8>, Cell<usize>);
    impl Deref for Odd {
        type Target = [u8];
        fn deref(&self) -> &[u8] {
            self.1.set(self.1.get() + 1);
            if self.1.get() % 2 == 1 { &self.0 } else { &[] }
        }
    }

    #[shim::kernel]
    fn kernel(v: &[Odd], w: usize) -> u32 {
        let t = Block::rows(v, [2, w]).cast::<u32>();
        t.indices().map(|[y, x]| t[[y, x]]).sum::<u32>()
    }

    pub fn run() -> u32 {
        kernel(&[Odd(vec![1; 8], Cell::new(0)), Odd(vec![1; 8], Cell::new(0))], 8)
    }

    pub fn want() -> u32 {
        16
    }
}

// `as` in a bound wraps, as Rust says.
//@ value
mod cast_wraps_in_a_bound {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8], n: usize) -> u32 {
        let t = Block::external(v, [8]).cast::<u32>();
        let mut s = 0;
        for i in 0..n as u8 {
            s += t[[i]];
        }
        s
    }

    pub fn run() -> u32 {
        kernel(&[1; 8], 260)
    }

    pub fn want() -> u32 {
        4
    }
}

//@ panic
mod narrow_product_wraps {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8], a: u8, b: u8) -> u32 {
        let t = Block::external(v, [8]).cast::<u32>();
        let k = a.wrapping_mul(b);
        t[[k]] + t[[k as i8]]
    }

    pub fn run() -> u32 {
        kernel(&[1; 8], 16, 15)
    }
}

// The shape is evaluated outside the body, where the body's items are not in scope.
//@ value
mod an_item_of_the_body_has_the_name_of_an_extent {
    use shim::prelude::*;

    const N: usize = 6;

    mod other {
        pub const N: usize = 2;
    }

    macro_rules! constant {
        () => {
            const N: usize = 3;
        };
    }

    #[shim::kernel]
    fn statics(#[shape(N + 1)] v: &[u32], #[shape(m)] u: &[u32], m: usize) -> u32 {
        let sum = v[[6]] + u[[7]];
        static N: usize = 1;
        static m: usize = 2;
        sum + (N + m) as u32
    }

    #[shim::kernel]
    fn place(#[shape(N)] place: Place<1>, #[shape(8)] v: &[u32]) -> u32 {
        use other::*;
        v[place][[5]] + N as u32
    }

    #[shim::kernel]
    fn unseen(#[shape(N)] v: &[u32], #[specialize(1 | 5)] i: usize) -> u32 {
        constant!();
        v[[i]] + N as u32
    }

    #[shim::kernel]
    fn memory(#[shape(8)] v: &[u32]) -> u32 {
        let sum = v[[7]];
        {
            static v: [u32; 1] = [100_000];
            sum + v[0]
        }
    }

    pub fn run() -> [u32; 4] {
        let v = [1, 2, 3, 4, 5, 6, 7, 8];
        [statics(&v, &v, 8), place(Place::new([0], [6]), &v), unseen(&v, 5), memory(&v)]
    }

    pub fn want() -> [u32; 4] {
        [7 + 8 + 3, 6 + 2, 6 + 3, 8 + 100_000]
    }
}

// The extent of a block is tested where the block comes into scope, and says nothing of what runs before.
//@ panic
mod read_before_its_bound_is_an_extent {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8], n: isize) -> u8 {
        let t = Block::external(&v[1..], [3]);
        let before = t[[n]];
        if before == 77 {
            // In front of the block.
            return before;
        }
        let u = Block::external(v, [n]);
        before + u[[0]]
    }

    pub fn run() -> u8 {
        kernel(&[77, 1, 2, 3], -1)
    }
}

//@ value
mod extent_of_a_piece_is_tested_late {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(#[shape(h, w)] a: &[u8], h: usize, w: usize, b: &[u8], n: usize) -> u8 {
        let b = Block::external(b, [1, n]);
        let mut last = 0;
        for x in 0..n {
            last = a.boundary(Fill(9))[[0, x]];
        }
        let both = a.cat(0, b);
        last + both[[h, 0]]
    }

    pub fn run() -> [bool; 2] {
        [[2_usize, 2], [2, 3]]
            .map(|[w, n]| std::panic::catch_unwind(|| kernel(&[1, 2, 3, 4], 2, w, &[5, 6, 7], n)).is_ok())
    }

    pub fn want() -> [bool; 2] {
        [true, false]
    }
}
