//! U4: types of the user's with the names of primitive ones, or of shim's.

//@ panic
mod isize_is_i8 {
    use shim::prelude::*;

    #[allow(non_camel_case_types)]
    type isize = i8;

    #[shim::kernel]
    fn kernel(v: &[u8], n: usize) -> u32 {
        let v = Block::external(v, [n]).cast::<u32>();
        let mut s = 0;
        for i in 0..300usize {
            s += v[[i]];
        }
        s
    }

    pub fn run() -> u32 {
        kernel(&[1; 250], 250)
    }
}

//@ value
mod isize_is_i8_within_bounds {
    use shim::prelude::*;

    #[allow(non_camel_case_types)]
    type isize = i8;

    #[shim::kernel]
    fn kernel(v: &[u8], n: usize) -> u32 {
        let v = Block::external(v, [n]).cast::<u32>();
        let mut s = 0;
        for i in 0..n {
            s += v[[i]];
        }
        s
    }

    pub fn run() -> u32 {
        kernel(&[1; 250], 250)
    }

    pub fn want() -> u32 {
        250
    }
}

//@ value
mod isize_is_imported {
    use shim::prelude::*;

    mod narrow {
        #[allow(non_camel_case_types)]
        pub type isize = i8;
    }
    use narrow::isize;

    #[shim::kernel]
    fn kernel(v: &[u8], n: usize) -> u32 {
        let v = Block::external(v, [n, 2]).cast::<u32>();
        let mut s = 0;
        for i in 0..n {
            s += v[[i, 1]];
        }
        s
    }

    pub fn run() -> u32 {
        kernel(&[1; 500], 250)
    }

    pub fn want() -> u32 {
        250
    }
}

//@ value
mod isize_is_a_struct {
    use shim::prelude::*;

    #[allow(non_camel_case_types)]
    #[derive(Clone, Copy)]
    struct isize(u8);

    #[shim::kernel]
    fn kernel(v: &[u8], n: usize) -> u32 {
        let v = Block::external(v, [n]).cast::<u32>();
        let mut s = u32::from(isize(3).0);
        for i in 0..n {
            s += v[[i]];
        }
        s
    }

    pub fn run() -> u32 {
        kernel(&[1; 250], 250)
    }

    pub fn want() -> u32 {
        253
    }
}

//@ value
mod isize_is_a_generic_parameter {
    use shim::prelude::*;

    #[shim::kernel]
    #[allow(non_camel_case_types)]
    fn kernel<isize: Copy>(v: &[u8], n: usize, x: isize) -> u32 {
        let _ = x;
        let v = Block::external(v, [n]).cast::<u32>();
        let mut s = 0;
        for i in 0..n {
            s += v[[i]];
        }
        s
    }

    pub fn run() -> u32 {
        kernel(&[1; 250], 250, "text")
    }

    pub fn want() -> u32 {
        250
    }
}

//@ value
mod isize_is_hidden_in_the_body {
    use shim::prelude::*;

    #[shim::kernel]
    #[allow(non_camel_case_types)]
    fn kernel(v: &[u8], n: usize) -> u32 {
        type isize = i8;
        let v = Block::external(v, [n]).cast::<u32>();
        let mut s = 0;
        for i in 0..n {
            s += v[[i]];
        }
        s
    }

    pub fn run() -> u32 {
        kernel(&[1; 250], 250)
    }

    pub fn want() -> u32 {
        250
    }
}

//@ value
mod isize_is_hidden_in_a_template {
    use shim::prelude::*;

    #[shim::kernel]
    #[allow(non_camel_case_types)]
    fn sum(v: impl Tensor<u32, 1>) -> u32 {
        type isize = i8;
        let n = v.extent(0);
        let mut s = 0;
        for i in 0..n {
            s += v[[i]];
        }
        s
    }

    #[shim::kernel]
    fn kernel(v: &[u8], n: usize) -> u32 {
        let v = Block::external(v, [n]).cast::<u32>();
        sum(v)
    }

    pub fn run() -> u32 {
        kernel(&[1; 250], 250)
    }

    pub fn want() -> u32 {
        250
    }
}

//@ value
mod isize_is_hidden_in_a_loop {
    use shim::prelude::*;

    #[shim::kernel]
    #[allow(non_camel_case_types)]
    fn kernel(v: &[u8], n: usize) -> u32 {
        let v = Block::external(v, [n, n]).cast::<u32>();
        let mut s = 0;
        for y in 0..n {
            type isize = i8;
            type usize = u8;
            for x in 0..n {
                s += v[[y, x]];
            }
        }
        s
    }

    pub fn run() -> u32 {
        kernel(&[1; 40_000], 200)
    }

    pub fn want() -> u32 {
        40_000
    }
}

//@ value
mod usize_is_u8 {
    use shim::prelude::*;

    #[allow(non_camel_case_types)]
    type usize = u8;

    #[shim::kernel]
    fn kernel(v: &[u32; 600], k: u32) -> u32 {
        let v = Block::external(v, [20, 30]);
        let mut s = 0;
        for [y, x] in v.indices() {
            s += v[[y, x]];
        }
        s + v[[k, k]]
    }

    pub fn run() -> u32 {
        kernel(&std::array::from_fn(|i| i as u32), 19)
    }

    pub fn want() -> u32 {
        599 * 300 + 19 * 31
    }
}

//@ value
mod usize_is_u8_with_a_heap_block {
    use shim::prelude::*;

    #[allow(non_camel_case_types)]
    type usize = u8;

    #[shim::kernel]
    fn kernel(n: u32) -> u32 {
        let t = Block::heap::<u32>([n, n]);
        let [y, x] = iters();
        t[[y, x]] = 1;
        t[[n - 1, n - 1]] = 5;
        t.indices().map(|[y, x]| t[[y, x]]).sum::<u32>()
    }

    pub fn run() -> u32 {
        kernel(20)
    }

    pub fn want() -> u32 {
        404
    }
}

//@ value
mod i32_is_i8 {
    use shim::prelude::*;

    #[allow(non_camel_case_types)]
    type i32 = i8;

    #[shim::kernel]
    fn kernel(v: &[u8], n: usize) -> i64 {
        let v = Block::external(v, [n]);
        let mut s = 0;
        for [i] in v.indices() {
            s += i64::from(i) + i64::from(v[[i]]);
        }
        s
    }

    pub fn run() -> i64 {
        kernel(&[1; 300], 300)
    }

    pub fn want() -> i64 {
        300 + 299 * 150
    }
}

//@ panic | reject
mod i32_is_i8_in_an_index {
    use shim::prelude::*;

    #[allow(non_camel_case_types)]
    type i32 = i8;

    #[shim::kernel]
    fn kernel(v: &[u8], n: usize) -> u32 {
        let v = Block::external(v, [n]).cast::<u32>();
        let mut s = 0;
        for [i] in v.indices() {
            let k = i * 2;
            s += v[[k]];
        }
        s
    }

    pub fn run() -> u32 {
        kernel(&[1; 300], 300)
    }
}

// A cast of the user's says what the user's type is.
//@ value | reject
mod cast_to_a_hidden_type {
    use shim::prelude::*;

    #[allow(non_camel_case_types)]
    type u32 = u8;

    #[shim::kernel]
    fn kernel(v: &[u16]) -> u32 {
        let v = Block::external(v, [8]).cast::<u32>();
        v[[0]].wrapping_add(v[[1]])
    }

    pub fn run() -> u32 {
        kernel(&[300; 8])
    }

    pub fn want() -> u32 {
        88
    }
}

//@ panic | reject
mod cast_in_an_index_to_a_hidden_type {
    use shim::prelude::*;

    #[allow(non_camel_case_types)]
    type u8 = u32;

    #[shim::kernel]
    fn kernel(v: &[i16], k: u32) -> i16 {
        let v = Block::external(v, [256]);
        v[[k as u8]]
    }

    pub fn run() -> i16 {
        kernel(&[1; 256], 100_000)
    }
}

//@ panic | reject
mod let_of_a_hidden_type {
    use shim::prelude::*;

    #[allow(non_camel_case_types)]
    type u8 = u32;

    #[shim::kernel]
    fn kernel(v: &[i16], k: u32) -> i16 {
        let v = Block::external(v, [256]);
        let at: u8 = k;
        v[[at]]
    }

    pub fn run() -> i16 {
        kernel(&[1; 256], 100_000)
    }
}

//@ panic | reject
mod parameter_of_a_hidden_type {
    use shim::prelude::*;

    #[allow(non_camel_case_types)]
    type u8 = u32;

    #[shim::kernel]
    fn kernel(v: &[i16], k: u8) -> i16 {
        let v = Block::external(v, [256]);
        v[[k]]
    }

    pub fn run() -> i16 {
        kernel(&[1; 256], 100_000)
    }
}

// What is taken for unsigned may be below zero.
//@ panic | reject
mod usize_is_signed {
    use shim::prelude::*;

    #[allow(non_camel_case_types)]
    type usize = i64;

    #[shim::kernel]
    fn kernel(v: &[u8], k: usize) -> u32 {
        let v = Block::external(v, [8]).cast::<u32>();
        let y = 4 + k;
        v[[y]] + v[[k + 3]]
    }

    pub fn run() -> u32 {
        kernel(&[1; 8], -100_000)
    }
}

//@ panic | reject
mod usize_is_narrow_and_wraps {
    use shim::prelude::*;

    #[allow(non_camel_case_types)]
    type usize = u8;

    #[shim::kernel]
    fn kernel(v: &[u8], k: usize) -> u32 {
        let v = Block::external(v, [600]).cast::<u32>();
        let y = k.wrapping_mul(2);
        let z = 300 - y as i32;
        v[[z]] + v[[k - 250]]
    }

    pub fn run() -> u32 {
        kernel(&[1; 600], 200)
    }
}

// A `let` of a type that the compiler takes for a wide one.
//@ value | reject
mod u64_wraps_early {
    use shim::prelude::*;
    use std::num::Wrapping;

    #[allow(non_camel_case_types)]
    type u64 = Wrapping<u8>;

    #[shim::kernel]
    fn kernel(v: &[u8], k: u64) -> u8 {
        let v = Block::external(v, [256]);
        let y: u64 = k + k;
        v[[y.0]]
    }

    pub fn run() -> u8 {
        kernel(&std::array::from_fn::<u8, 256, _>(|i| i as u8), Wrapping(130))
    }

    pub fn want() -> u8 {
        4
    }
}

//@ value
mod bool_and_option_are_hidden {
    use shim::prelude::*;

    #[allow(non_camel_case_types)]
    struct bool;
    enum Option {}

    #[shim::kernel]
    fn kernel(v: &[u8], n: usize) -> (core::option::Option<u8>, core::primitive::bool) {
        let v = Block::external(v, [n]);
        (v.indices().map(|[i]| v[[i]]).max(), v.indices().any(|[i]| v[[i]] > 7))
    }

    pub fn run() -> (core::option::Option<u8>, core::primitive::bool) {
        kernel(&[1, 2, 3, 4, 5, 6, 7, 8], 8)
    }

    pub fn want() -> (core::option::Option<u8>, core::primitive::bool) {
        (Some(8), true)
    }
}

// What the compiler takes for constructors of std's.
//@ panic | reject
mod some_is_a_function {
    use shim::prelude::*;

    #[allow(non_snake_case)]
    fn Some(n: usize) -> core::option::Option<usize> {
        core::option::Option::Some(n + 100_000)
    }

    #[shim::kernel]
    fn kernel(v: &[u8], k: usize) -> u32 {
        let v = Block::external(v, [8]).cast::<u32>();
        let o = Some(k);
        let at = o.unwrap_or(3);
        v[[at]]
    }

    pub fn run() -> u32 {
        kernel(&[1; 8], 2)
    }
}

// `i32::from`, where `i32` is a type of the user's.
//@ panic | reject
mod from_of_a_hidden_type {
    use shim::prelude::*;

    #[allow(non_camel_case_types)]
    struct i32;
    impl i32 {
        fn from(n: u8) -> usize {
            usize::from(n) + 100_000
        }
    }

    #[shim::kernel]
    fn kernel(v: &[u8], k: u8) -> u32 {
        let v = Block::external(v, [8]).cast::<u32>();
        let at = i32::from(k);
        v[[at]] + v[[i32::from(k)]]
    }

    pub fn run() -> u32 {
        kernel(&[1; 8], 2)
    }
}

//@ panic | reject
mod core_is_a_module {
    use shim::prelude::*;

    mod core {
        pub mod cmp {
            pub fn min(a: usize, b: usize) -> usize {
                a + b + 100_000
            }
        }
        pub mod slice {}
        pub mod option {}
        pub mod primitive {}
    }

    #[shim::kernel]
    fn kernel(v: &[u8], n: usize) -> u32 {
        let v = Block::external(v, [n]).cast::<u32>();
        let mut s = v.indices().map(|[i]| v[[i]]).max().unwrap_or(0);
        for i in 0..core::cmp::min(n, 8) {
            if i > 90_000 {
                s += v[[i]];
            }
        }
        s
    }

    pub fn run() -> u32 {
        kernel(&[1; 8], 8)
    }
}

//@ value
mod std_and_alloc_are_modules {
    use shim::prelude::*;

    mod std {}
    mod alloc {}
    mod core {}

    #[shim::kernel]
    fn kernel(v: &[u8], n: usize) -> u8 {
        let v = Block::external(v, [n]);
        let h = Block::heap::<u8>([n]);
        let [i] = iters();
        h[[i]] = v.boundary(Clamp)[[i + 1]];
        h.indices().map(|[i]| h[[i]]).max().unwrap_or(0)
    }

    pub fn run() -> u8 {
        kernel(&[1, 2, 3, 4, 5, 6, 7, 8], 8)
    }

    pub fn want() -> u8 {
        8
    }
}

// A `shim` that is a module of the user's.
//@ value | reject
mod shim_is_a_module {
    mod shim {
        pub mod __private {
            pub fn assert_fits<T>(_: T) {}
        }
    }
    use ::shim::prelude::*;

    #[::shim::kernel]
    fn kernel(v: &[u8], n: usize) -> u8 {
        let v = Block::external(v, [n]);
        v[[n - 1]]
    }

    pub fn run() -> u8 {
        kernel(&[1, 2, 3], 3)
    }

    pub fn want() -> u8 {
        3
    }
}

//@ value | reject
mod block_is_a_type_of_the_user_s {
    #[derive(Clone, Copy)]
    struct Block([u8; 2]);

    impl Block {
        fn external(_: &[u8], at: [usize; 1]) -> Block {
            Block([7, at[0] as u8])
        }
    }

    #[shim::kernel]
    fn kernel(v: &[u8]) -> u8 {
        let b = Block::external(v, [3]);
        b.0[1]
    }

    pub fn run() -> u8 {
        kernel(&[1; 8])
    }

    pub fn want() -> u8 {
        3
    }
}

//@ value | reject
mod block_of_the_user_s_is_indexed {
    use std::ops::Index;

    struct Block;
    struct Table;

    impl Block {
        fn external(_: &[u8], _: [usize; 1]) -> Table {
            Table
        }
    }
    impl Index<[[usize; 1]; 1]> for Table {
        type Output = u8;
        fn index(&self, _: [[usize; 1]; 1]) -> &u8 {
            &77
        }
    }
    impl Index<[usize; 1]> for Table {
        type Output = u8;
        fn index(&self, _: [usize; 1]) -> &u8 {
            &77
        }
    }

    #[shim::kernel]
    fn kernel(v: &[u8]) -> u8 {
        let b = Block::external(v, [3]);
        b[[1]]
    }

    pub fn run() -> u8 {
        kernel(&[1; 8])
    }

    pub fn want() -> u8 {
        77
    }
}

// `Block` in the inner block is another type than without.
//@ value | reject
mod block_is_hidden_inside {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8]) -> u8 {
        let t = Block::external(v, [8]);
        let inner = {
            struct Block;
            impl Block {
                fn external(_: &[u8], at: [usize; 1]) -> usize {
                    at[0] + 1
                }
            }
            let b = Block::external(v, [3]);
            b
        };
        t[[inner]]
    }

    pub fn run() -> u8 {
        kernel(&[1, 2, 3, 4, 5, 6, 7, 8])
    }

    pub fn want() -> u8 {
        5
    }
}

//@ value | reject
mod iters_is_a_function_of_the_user_s {
    use shim::prelude::{Block, Tensor};

    fn iters() -> [usize; 1] {
        [3]
    }

    #[shim::kernel]
    fn kernel(v: &mut [u8; 8]) {
        let v = Block::external(v, [8]);
        let [i] = iters();
        v[[i]] = 9;
    }

    pub fn run() -> [u8; 8] {
        let mut v = [1; 8];
        kernel(&mut v);
        v
    }

    pub fn want() -> [u8; 8] {
        [1, 1, 1, 9, 1, 1, 1, 1]
    }
}

//@ value | reject
mod iters_is_a_closure {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &mut [u8; 8]) {
        let v = Block::external(v, [8]);
        let iters = || [3];
        let [i] = iters();
        v[[i]] = 9;
    }

    pub fn run() -> [u8; 8] {
        let mut v = [1; 8];
        kernel(&mut v);
        v
    }

    pub fn want() -> [u8; 8] {
        [1, 1, 1, 9, 1, 1, 1, 1]
    }
}

//@ value | reject
mod fill_is_a_function_of_the_user_s {
    use shim::prelude::Block;

    #[allow(non_snake_case)]
    fn Fill(n: u8) -> shim::Boundary<u8> {
        shim::Boundary::Fill(n + 1)
    }

    #[shim::kernel]
    fn kernel(v: &[u8]) -> u8 {
        let v = Block::external(v, [8]).boundary(Fill(5));
        v[[9]]
    }

    pub fn run() -> u8 {
        kernel(&[1; 8])
    }

    pub fn want() -> u8 {
        6
    }
}

//@ value | reject
mod clamp_is_a_constant_of_the_user_s {
    use shim::prelude::Block;

    #[allow(non_upper_case_globals)]
    const Clamp: shim::Boundary<u8> = shim::Boundary::Wrap;

    #[shim::kernel]
    fn kernel(v: &[u8]) -> u8 {
        let v = Block::external(v, [8]).boundary(Clamp);
        v[[-1]] + 10 * v[[8]]
    }

    pub fn run() -> u8 {
        kernel(&[1, 2, 3, 4, 5, 6, 7, 8])
    }

    pub fn want() -> u8 {
        18
    }
}

//@ value | reject | panic
mod clamp_is_imported_as_wrap {
    use shim::Boundary::Wrap as Clamp;
    use shim::prelude::Block;

    #[shim::kernel]
    fn kernel(v: &[u8]) -> u8 {
        let v = Block::external(v, [8]).boundary(Clamp);
        v[[-1]] + 10 * v[[8]]
    }

    pub fn run() -> u8 {
        kernel(&[1, 2, 3, 4, 5, 6, 7, 8])
    }

    pub fn want() -> u8 {
        18
    }
}

//@ value | reject
mod view_is_a_type_of_the_user_s {
    struct View<'a, T, const N: usize>(&'a [T; N]);

    #[shim::kernel]
    fn kernel(v: View<'_, u8, 3>) -> u8 {
        v.0[1]
    }

    pub fn run() -> u8 {
        kernel(View(&[1, 2, 3]))
    }

    pub fn want() -> u8 {
        2
    }
}

// `parts` of a type that claims other extents than it has memory for.
//@ reject
mod view_lies_about_its_extents {
    struct View<'a, T, const N: usize>(&'a [T]);

    impl<T> shim::__private::Readable<1> for View<'_, T, 1> {
        type Element = T;
    }

    #[shim::kernel]
    fn kernel(v: View<'_, u8, 1>) -> u8 {
        v[[100]]
    }

    pub fn run() -> u8 {
        kernel(View(&[1, 2, 3]))
    }
}

//@ value | reject
mod tensor_is_a_trait_of_the_user_s {
    trait Tensor<T, const N: usize> {
        fn at(&self) -> T;
    }
    impl Tensor<u8, 1> for u8 {
        fn at(&self) -> u8 {
            *self + 1
        }
    }

    #[shim::kernel]
    fn kernel(v: impl Tensor<u8, 1>) -> u8 {
        v.at()
    }

    pub fn run() -> u8 {
        kernel(3)
    }

    pub fn want() -> u8 {
        4
    }
}

// The element type is the user's, and counts what happens to it.
//@ value
mod elements_with_a_counting_default {
    use shim::prelude::*;
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

    static MADE: AtomicUsize = AtomicUsize::new(0);

    #[derive(Clone, Copy, PartialEq, Debug)]
    struct Sample(u8);
    impl Default for Sample {
        fn default() -> Sample {
            Sample(MADE.fetch_add(1, Relaxed) as u8 & 0)
        }
    }

    #[shim::kernel]
    fn kernel(n: usize) -> (Sample, Sample) {
        let h = Block::heap::<Sample>([n]);
        let k = Block::stack::<Sample>([4]);
        h[[n - 1]] = Sample(3);
        (h[[n - 1]], k[[3]])
    }

    pub fn run() -> (u8, u8) {
        let (a, b) = kernel(9);
        (a.0, b.0)
    }

    pub fn want() -> (u8, u8) {
        (3, 0)
    }
}

//@ value | panic
mod a_product_of_a_loop_variable_wraps {
    #[shim::kernel]
    fn kernel(#[shape(4)] v: &[u32]) -> u32 {
        let mut s = 0;
        for [i] in v.indices() {
            let j = i * 1_000_000_000;
            if (j >= 0) != (j.wrapping_add(0) >= 0) {
                s += 1;
            }
        }
        s
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3, 4])
    }

    pub fn want() -> u32 {
        let mut s = 0;
        for i in 0..std::hint::black_box(4_i32) {
            let j = i * 1_000_000_000;
            if (j >= 0) != (j.wrapping_add(0) >= 0) {
                s += 1;
            }
        }
        s
    }
}
