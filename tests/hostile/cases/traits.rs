//! U8 and W3: methods of the user's traits with names that are emitted.

// In a module without the prelude, `rev` is the user's.
//@ panic | reject
mod rev_of_a_range {
    #![no_implicit_prelude]
    use ::shim::Block;

    trait Far {
        fn rev(self) -> ::core::ops::Range<usize>;
    }
    impl Far for ::core::ops::Range<usize> {
        fn rev(self) -> ::core::ops::Range<usize> {
            100_000..100_001
        }
    }

    #[::shim::kernel]
    fn kernel(v: &[u8], n: usize) -> u32 {
        let v = Block::external(v, [n]).cast::<u32>();
        let mut s = 0;
        for i in (0..n).rev() {
            s += v[[i]];
        }
        s
    }

    pub fn run() -> u32 {
        kernel(&[1; 8], 8)
    }
}

//@ panic | reject
mod step_by_of_a_range {
    #![no_implicit_prelude]
    use ::shim::Block;

    trait Far {
        fn step_by(self, step: usize) -> ::core::ops::Range<usize>;
    }
    impl Far for ::core::ops::Range<usize> {
        fn step_by(self, _: usize) -> ::core::ops::Range<usize> {
            100_000..100_001
        }
    }

    #[::shim::kernel]
    fn kernel(v: &[u8], n: usize) -> u32 {
        let v = Block::external(v, [n]).cast::<u32>();
        let mut s = 0;
        for i in (0..n).step_by(2) {
            s += v[[i]];
        }
        s
    }

    pub fn run() -> u32 {
        kernel(&[1; 8], 8)
    }
}

//@ value | reject
mod rev_of_a_range_within_bounds {
    #![no_implicit_prelude]
    use ::shim::Block;

    trait Far {
        fn rev(self) -> ::core::ops::Range<usize>;
    }
    impl Far for ::core::ops::Range<usize> {
        fn rev(self) -> ::core::ops::Range<usize> {
            2..4
        }
    }

    #[::shim::kernel]
    fn kernel(v: &[u8], n: usize) -> u32 {
        let v = Block::external(v, [n]).cast::<u32>();
        let mut s = 0;
        for i in (0..n).rev() {
            s += v[[i]];
        }
        s
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3, 4, 5, 6, 7, 8], 8)
    }

    pub fn want() -> u32 {
        7
    }
}

//@ panic | reject
mod rev_of_an_inclusive_range {
    #![no_implicit_prelude]
    use ::shim::Block;

    trait Far {
        fn rev(self) -> ::core::ops::Range<usize>;
    }
    impl Far for ::core::ops::RangeInclusive<usize> {
        fn rev(self) -> ::core::ops::Range<usize> {
            100_000..100_001
        }
    }

    #[::shim::kernel]
    fn kernel(v: &[u8], n: usize) -> u32 {
        let v = Block::external(v, [n]).cast::<u32>();
        let mut s = 0;
        for i in (0..=n - 1).rev() {
            s += v[[i]];
        }
        s
    }

    pub fn run() -> u32 {
        kernel(&[1; 8], 8)
    }
}

//@ panic | reject
mod rev_of_a_stepped_range {
    #![no_implicit_prelude]
    use ::core::iter::Iterator as Steps;
    use ::shim::Block;

    trait Far {
        fn rev(self) -> ::core::ops::Range<usize>;
    }
    impl<I> Far for ::core::iter::StepBy<I> {
        fn rev(self) -> ::core::ops::Range<usize> {
            100_000..100_001
        }
    }
    trait Step {
        fn step_by(self, step: usize) -> ::core::iter::StepBy<::core::ops::Range<usize>>;
    }
    impl Step for ::core::ops::Range<usize> {
        fn step_by(self, step: usize) -> ::core::iter::StepBy<::core::ops::Range<usize>> {
            Steps::step_by(self, step)
        }
    }

    mod inner {
        #![no_implicit_prelude]
        use super::{Far, Step};
        use ::shim::Block;

        #[::shim::kernel]
        pub fn kernel(v: &[u8], n: usize) -> u32 {
            let v = Block::external(v, [n]).cast::<u32>();
            let mut s = 0;
            for i in (0..n).step_by(2).rev() {
                s += v[[i]];
            }
            s
        }
    }

    pub fn run() -> u32 {
        inner::kernel(&[1; 8], 8)
    }
}

// An unrolled loop is written out by the compiler, which takes `rev` for std's.
//@ value | reject
mod rev_of_an_unrolled_range {
    #![no_implicit_prelude]
    use ::shim::Block;

    trait Far {
        fn rev(self) -> ::core::ops::Range<i32>;
    }
    impl Far for ::core::ops::Range<i32> {
        fn rev(self) -> ::core::ops::Range<i32> {
            2..4
        }
    }

    #[::shim::kernel]
    fn kernel(v: &[u8]) -> u32 {
        let v = Block::external(v, [8]).cast::<u32>();
        let mut s = 0;
        #[unroll]
        for i in (0..8).rev() {
            s += v[[i]];
        }
        s
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3, 4, 5, 6, 7, 8])
    }

    pub fn want() -> u32 {
        7
    }
}

//@ value | reject
mod step_by_of_a_part {
    #![no_implicit_prelude]
    use ::shim::Block;

    trait Far {
        fn step_by(self, step: usize) -> ::core::ops::Range<usize>;
    }
    impl Far for ::core::ops::Range<usize> {
        fn step_by(self, _: usize) -> ::core::ops::Range<usize> {
            2..4
        }
    }

    #[::shim::kernel]
    fn kernel(v: &[u8], n: usize) -> usize {
        let v = Block::external(v, [n]);
        v[[(0..n).step_by(2)]].extent(0)
    }

    pub fn run() -> usize {
        kernel(&[1; 8], 8)
    }

    pub fn want() -> usize {
        4
    }
}

// The prelude's `Iterator` is there: both are, and rustc says so.
//@ value | panic | reject
mod rev_beside_the_prelude {
    use shim::prelude::*;

    trait Far {
        fn rev(self) -> std::ops::Range<usize>;
    }
    impl Far for std::ops::Range<usize> {
        fn rev(self) -> std::ops::Range<usize> {
            100_000..100_001
        }
    }

    #[shim::kernel]
    fn kernel(v: &[u8], n: usize) -> u32 {
        let v = Block::external(v, [n]).cast::<u32>();
        let mut s = 0;
        for i in (0..n).rev() {
            s += v[[i]];
        }
        s
    }

    pub fn run() -> u32 {
        kernel(&[1; 8], 8)
    }

    pub fn want() -> u32 {
        8
    }
}

// The user's code would run in an `unsafe` block.
//@ value
mod get_unchecked_of_a_box {
    use shim::prelude::*;

    trait Mine {
        fn get_unchecked(&self, at: usize) -> &u32;
    }
    impl Mine for Box<[u32]> {
        fn get_unchecked(&self, _: usize) -> &u32 {
            &777
        }
    }

    #[shim::kernel]
    fn kernel(n: usize) -> u32 {
        let h = Block::heap::<u32>([n]);
        let [i] = iters();
        h[[i]] = 5;
        h[[n - 1]]
    }

    pub fn run() -> u32 {
        kernel(8)
    }

    pub fn want() -> u32 {
        5
    }
}

//@ value
mod get_unchecked_of_an_array {
    use shim::prelude::*;

    trait Mine {
        fn get_unchecked(&self, at: usize) -> &u32;
    }
    impl<const N: usize> Mine for [u32; N] {
        fn get_unchecked(&self, _: usize) -> &u32 {
            &777
        }
    }

    #[shim::kernel]
    fn kernel(k: usize) -> u32 {
        let t = Block::stack::<u32>([4]);
        let [i] = iters();
        t[[i]] = 5;
        t[[k]]
    }

    pub fn run() -> u32 {
        kernel(2)
    }

    pub fn want() -> u32 {
        5
    }
}

//@ value
mod get_unchecked_mut_of_an_array {
    use shim::prelude::*;

    trait Mine {
        fn get_unchecked_mut(&mut self, at: usize) -> &mut u32;
    }
    impl<const N: usize> Mine for [u32; N] {
        fn get_unchecked_mut(&mut self, _: usize) -> &mut u32 {
            Box::leak(Box::new(0))
        }
    }

    #[shim::kernel]
    fn kernel(k: usize) -> u32 {
        let t = Block::stack::<u32>([4]);
        t[[k]] = 5;
        t[[k]]
    }

    pub fn run() -> u32 {
        kernel(2)
    }

    pub fn want() -> u32 {
        5
    }
}

//@ value
mod get_unchecked_of_a_heap_copy {
    use shim::prelude::*;

    trait Mine {
        fn get_unchecked(&self, at: usize) -> &u8;
        fn get_unchecked_mut(&mut self, at: usize) -> &mut u8;
    }
    impl Mine for Box<[u8]> {
        fn get_unchecked(&self, _: usize) -> &u8 {
            &77
        }
        fn get_unchecked_mut(&mut self, at: usize) -> &mut u8 {
            &mut self[(at + 1) % 8]
        }
    }

    #[shim::kernel]
    fn kernel(v: &[u8], n: usize) -> u8 {
        let v = Block::external(v, [n]);
        let c = v.to_block().copied();
        c[[2]] = 9;
        c[[2]] * 10 + c[[3]]
    }

    pub fn run() -> u8 {
        kernel(&[1, 2, 3, 4, 5, 6, 7, 8], 8)
    }

    pub fn want() -> u8 {
        94
    }
}

// On references: std's own are inherent, and nearer.
//@ value
mod get_unchecked_of_a_slice {
    use shim::prelude::*;

    trait Mine {
        fn get_unchecked(self, at: usize) -> &'static u8;
        fn len(self) -> usize;
    }
    impl Mine for &[u8] {
        fn get_unchecked(self, _: usize) -> &'static u8 {
            &77
        }
        fn len(self) -> usize {
            1 << 40
        }
    }
    impl Mine for &mut [u8] {
        fn get_unchecked(self, _: usize) -> &'static u8 {
            &77
        }
        fn len(self) -> usize {
            1 << 40
        }
    }

    #[shim::kernel]
    fn kernel(v: &[u8], out: &mut [u8], n: usize) -> u8 {
        let v = Block::external(v, [n]);
        let out = Block::external(out, [n]);
        out[[1]] = v[[2]];
        out[[1]]
    }

    pub fn run() -> u8 {
        kernel(&[1, 2, 3], &mut [0; 3], 3)
    }

    pub fn want() -> u8 {
        3
    }
}

//@ panic
mod len_of_a_slice_is_a_lie {
    use shim::prelude::*;

    trait Mine {
        fn len(self) -> usize;
    }
    impl<T> Mine for &[T] {
        fn len(self) -> usize {
            1 << 40
        }
    }
    impl<T> Mine for &&[T] {
        fn len(self) -> usize {
            1 << 40
        }
    }
    impl<T> Mine for &mut [T] {
        fn len(self) -> usize {
            1 << 40
        }
    }

    #[shim::kernel]
    fn kernel(v: &[u8], out: &mut [u8]) -> u8 {
        let v = Block::external(v, [100_000]);
        let out = Block::external(out, [100_000]);
        out[[90_000]] = v[[90_000]];
        out[[1]]
    }

    pub fn run() -> u8 {
        kernel(&[1, 2, 3], &mut [0; 3])
    }
}

// An array's `len` is found by the user's trait before the slice's.
//@ panic
mod len_of_an_array_is_a_lie {
    use shim::prelude::*;

    trait Mine {
        fn len(&self) -> usize;
    }
    impl<const N: usize> Mine for [u8; N] {
        fn len(&self) -> usize {
            100_000
        }
    }

    #[shim::kernel]
    fn kernel(v: &[u8; 8]) -> u32 {
        let v = Block::external(v, [v.len()]).cast::<u32>();
        v[[90_000]]
    }

    pub fn run() -> u32 {
        kernel(&[1; 8])
    }
}

// A `len` that grows from call to call.
//@ value | reject
mod len_of_the_user_s_changes {
    use shim::prelude::*;
    use std::cell::Cell;

    struct Sized<'a>(&'a [u8], Cell<usize>);
    impl Sized<'_> {
        fn len(&self) -> usize {
            self.1.set(self.1.get() + 1);
            self.1.get()
        }
    }

    #[shim::kernel]
    fn kernel(v: &Sized<'_>) -> (usize, u32) {
        let t = Block::external(v.0, [v.len()]).cast::<u32>();
        let mut s = 0;
        for i in 0..v.len() - 1 {
            s += t[[i]];
        }
        (t.extent(0), s)
    }

    pub fn run() -> (usize, u32) {
        kernel(&Sized(&[1; 8], Cell::new(6)))
    }

    pub fn want() -> (usize, u32) {
        (7, 7)
    }
}

// `Deref` gives another structure each time that a field is read.
//@ panic | reject
mod deref_changes {
    use shim::prelude::*;
    use std::cell::Cell;
    use std::ops::Deref;

    struct Size {
        n: usize,
    }
    struct Sizes([Size; 2], Cell<usize>);
    impl Deref for Sizes {
        type Target = Size;
        fn deref(&self) -> &Size {
            self.1.set(self.1.get() + 1);
            &self.0[(self.1.get() + 1) & 1]
        }
    }

    #[shim::kernel]
    fn kernel(v: &[u8], p: &Sizes) -> u32 {
        let v = Block::external(v, [p.n]).cast::<u32>();
        let mut s = 0;
        for i in 0..p.n {
            if i > 90_000 {
                s += v[[i]];
            }
        }
        s
    }

    pub fn run() -> u32 {
        kernel(&[1; 8], &Sizes([Size { n: 8 }, Size { n: 100_000 }], Cell::new(0)))
    }
}

//@ panic | reject
mod deref_changes_in_an_index {
    use shim::prelude::*;
    use std::cell::Cell;
    use std::ops::Deref;

    struct Size {
        n: usize,
    }
    struct Sizes([Size; 2], Cell<usize>);
    impl Deref for Sizes {
        type Target = Size;
        fn deref(&self) -> &Size {
            self.1.set(self.1.get() + 1);
            &self.0[(self.1.get() + 1) & 1]
        }
    }

    #[shim::kernel]
    fn kernel(v: &[u8], p: &Sizes) -> u32 {
        let v = Block::external(v, [8]).cast::<u32>();
        v[[p.n]] + v[[p.n]]
    }

    pub fn run() -> u32 {
        kernel(&[1; 8], &Sizes([Size { n: 3 }, Size { n: 100_000 }], Cell::new(0)))
    }
}

// The place of a block is read once.
//@ panic | value
mod deref_of_the_place_changes {
    use shim::prelude::*;
    use std::cell::Cell;
    use std::ops::Index;
    use std::ops::RangeFull;

    struct Memory([Vec<u8>; 2], Cell<usize>);
    impl Index<RangeFull> for Memory {
        type Output = [u8];
        fn index(&self, _: RangeFull) -> &[u8] {
            self.1.set(self.1.get() + 1);
            &self.0[(self.1.get() + 1) & 1]
        }
    }

    #[shim::kernel]
    fn kernel(v: &Memory) -> u32 {
        let v = Block::external(*v, [8]).cast::<u32>();
        let mut s = 0;
        for i in 0..8 {
            s += v[[i]];
        }
        s
    }

    pub fn run() -> u32 {
        kernel(&Memory([vec![1; 8], vec![]], Cell::new(0)))
    }

    pub fn want() -> u32 {
        8
    }
}

//@ value
mod index_of_the_user_s_on_the_place {
    use shim::prelude::*;
    use std::ops::{Index, IndexMut, RangeFull};

    struct Memory(Vec<u8>);
    impl Index<RangeFull> for Memory {
        type Output = [u8];
        fn index(&self, _: RangeFull) -> &[u8] {
            &self.0[4..]
        }
    }
    impl IndexMut<RangeFull> for Memory {
        fn index_mut(&mut self, _: RangeFull) -> &mut [u8] {
            &mut self.0[4..]
        }
    }

    #[shim::kernel]
    fn kernel(m: &mut Memory) {
        let v = Block::external(m, [4]);
        v[[3]] = v[[0]];
    }

    pub fn run() -> Vec<u8> {
        let mut m = Memory((0..8).collect());
        kernel(&mut m);
        m.0
    }

    pub fn want() -> Vec<u8> {
        vec![0, 1, 2, 3, 4, 5, 6, 4]
    }
}

// `min` is a method of `Ord`, which only the prelude brings.
//@ panic | reject
mod min_of_a_bound {
    #![no_implicit_prelude]
    use ::shim::Block;

    trait Far {
        fn min(self, other: usize) -> usize;
    }
    impl Far for usize {
        fn min(self, other: usize) -> usize {
            self + other + 100_000
        }
    }

    #[::shim::kernel]
    fn kernel(v: &[u8], n: usize, m: usize) -> u32 {
        let v = Block::external(v, [n]).cast::<u32>();
        let mut s = 0;
        for i in 0..n.min(m) {
            if i > 90_000 {
                s += v[[i]];
            }
        }
        s
    }

    pub fn run() -> u32 {
        kernel(&[1; 8], 8, 8)
    }
}

//@ panic | reject
mod min_in_an_index {
    #![no_implicit_prelude]
    use ::shim::Block;

    trait Far {
        fn min(self, other: usize) -> usize;
        fn max(self, other: usize) -> usize;
        fn clamp(self, least: usize, greatest: usize) -> usize;
    }
    impl Far for usize {
        fn min(self, other: usize) -> usize {
            self + other + 100_000
        }
        fn max(self, other: usize) -> usize {
            self + other + 100_000
        }
        fn clamp(self, least: usize, greatest: usize) -> usize {
            self + least + greatest + 100_000
        }
    }

    #[::shim::kernel]
    fn kernel(v: &[u8], n: usize) -> u32 {
        let v = Block::external(v, [8]).cast::<u32>();
        let k = n.min(7);
        v[[k]] + v[[n.clamp(0, 7)]] + v[[n.max(3)]]
    }

    pub fn run() -> u32 {
        kernel(&[1; 8], 2)
    }
}

// Of a static value: what the compiler would fold by std's `min`.
//@ value | reject
mod min_of_a_static_value {
    #![no_implicit_prelude]
    use ::shim::Block;

    trait Far {
        fn min(self, other: usize) -> usize;
    }
    impl Far for usize {
        fn min(self, _: usize) -> usize {
            6
        }
    }

    #[::shim::kernel]
    fn kernel(v: &[u8]) -> u8 {
        const K: usize = 2;
        let v = Block::external(v, [8]);
        v[[K.min(1)]]
    }

    pub fn run() -> u8 {
        kernel(&[1, 2, 3, 4, 5, 6, 7, 8])
    }

    pub fn want() -> u8 {
        7
    }
}

//@ value | reject | panic
mod max_decides_a_static_if {
    #![no_implicit_prelude]
    use ::shim::Block;

    trait Far {
        fn max(self, other: i32) -> i32;
    }
    impl Far for i32 {
        fn max(self, _: i32) -> i32 {
            -1
        }
    }

    #[::shim::kernel]
    fn kernel(v: &[u8]) -> u8 {
        const K: i32 = 2;
        let v = Block::external(v, [8]);
        if K.max(1) < 0 { v[[5]] } else { v[[0]] }
    }

    pub fn run() -> u8 {
        kernel(&[1, 2, 3, 4, 5, 6, 7, 8])
    }

    pub fn want() -> u8 {
        6
    }
}

// Emitted arithmetic calls `div_euclid`, `rem_euclid`, `wrapping_add` and `Ord::min`.
//@ value
mod arithmetic_of_the_user_s {
    #![no_implicit_prelude]
    use ::shim::Block;
    use ::shim::Boundary::{Clamp, Mirror, Wrap};

    trait Far {
        fn div_euclid(&self, other: isize) -> isize;
        fn rem_euclid(&self, other: isize) -> isize;
        fn wrapping_add(&self, other: isize) -> isize;
        fn min(self, other: isize) -> isize;
        fn max(self, other: isize) -> isize;
    }
    impl Far for isize {
        fn div_euclid(&self, _: isize) -> isize {
            100_000
        }
        fn rem_euclid(&self, _: isize) -> isize {
            100_000
        }
        fn wrapping_add(&self, _: isize) -> isize {
            100_000
        }
        fn min(self, _: isize) -> isize {
            100_000
        }
        fn max(self, _: isize) -> isize {
            100_000
        }
    }

    #[::shim::kernel]
    fn kernel(v: &[u8], n: usize, k: isize) -> u32 {
        let v = Block::external(v, [n]).cast::<u32>();
        let c = v.coarsen([3]);
        let f = v.refine([3]);
        let mut s = c[[k]] + f[[k]] + v.boundary(Clamp)[[k - 9]] + v.boundary(Mirror)[[k + 9]];
        for [i] in v.indices() {
            s += v.boundary(Wrap)[[i - 3]] + f[[i]] + v.boundary(Clamp)[[i + 2]];
        }
        s
    }

    pub fn run() -> u32 {
        kernel(&[1; 8], 8, 2)
    }

    pub fn want() -> u32 {
        28
    }
}

// A guard is a comparison of the user's types.
//@ panic | reject
mod comparison_of_the_user_s {
    use shim::prelude::*;
    use std::cmp::Ordering;

    #[derive(Clone, Copy)]
    struct Odd;
    impl PartialEq<usize> for Odd {
        fn eq(&self, _: &usize) -> bool {
            true
        }
    }
    impl PartialOrd<usize> for Odd {
        fn partial_cmp(&self, _: &usize) -> Option<Ordering> {
            Some(Ordering::Less)
        }
    }
    impl PartialEq<Odd> for usize {
        fn eq(&self, _: &Odd) -> bool {
            true
        }
    }
    impl PartialOrd<Odd> for usize {
        fn partial_cmp(&self, _: &Odd) -> Option<Ordering> {
            Some(Ordering::Less)
        }
    }

    #[shim::kernel]
    fn kernel(v: &[u8], n: Odd, k: usize) -> u32 {
        let v = Block::external(v, [8]).cast::<u32>();
        if k < n && n < 8 { v[[k]] } else { 0 }
    }

    pub fn run() -> u32 {
        kernel(&[1; 8], Odd, 100_000)
    }
}

// `into_iter` and `next` of a range are lang items, however the methods are called.
//@ value
mod iterators_of_the_user_s {
    #![no_implicit_prelude]
    use ::shim::Block;

    trait Far {
        fn into_iter(self) -> ::core::ops::Range<usize>;
        fn next(&mut self) -> ::core::option::Option<usize>;
        fn map(self) -> usize;
        fn sum(self) -> usize;
    }
    impl Far for ::core::ops::Range<usize> {
        fn into_iter(self) -> ::core::ops::Range<usize> {
            100_000..100_001
        }
        fn next(&mut self) -> ::core::option::Option<usize> {
            ::core::option::Option::Some(100_000)
        }
        fn map(self) -> usize {
            100_000
        }
        fn sum(self) -> usize {
            100_000
        }
    }

    #[::shim::kernel]
    fn kernel(v: &[u8], n: usize) -> u32 {
        let v = Block::external(v, [n]).cast::<u32>();
        let mut s = v.indices().map(|[i]| v[[i]]).sum::<u32>();
        for i in 0..n {
            s += v[[i]];
        }
        s
    }

    pub fn run() -> u32 {
        kernel(&[1; 8], 8)
    }

    pub fn want() -> u32 {
        16
    }
}

// Methods of tensors, called on what is none.
//@ value | reject
mod methods_of_tensors_on_values {
    use shim::prelude::*;

    trait Views {
        fn slice(&self, axis: usize, at: usize) -> usize;
        fn extent(&self, axis: usize) -> usize;
        fn at(&self, at: [usize; 1]) -> usize;
        fn indices(&self) -> std::ops::Range<usize>;
    }
    impl Views for u8 {
        fn slice(&self, axis: usize, at: usize) -> usize {
            axis + at
        }
        fn extent(&self, axis: usize) -> usize {
            axis + 1
        }
        fn at(&self, at: [usize; 1]) -> usize {
            at[0]
        }
        fn indices(&self) -> std::ops::Range<usize> {
            0..3
        }
    }

    #[shim::kernel]
    fn kernel(v: &[u8], k: u8) -> usize {
        let t = Block::external(v, [8]);
        let mut s = usize::from(t[[k.slice(0, 1)]]) + k.extent(1) + k.at([2]);
        for i in k.indices() {
            s += usize::from(t[[i]]);
        }
        s
    }

    pub fn run() -> usize {
        kernel(&[1, 2, 3, 4, 5, 6, 7, 8], 3)
    }

    pub fn want() -> usize {
        2 + 2 + 2 + 6
    }
}

// Operators of the user's on what stands in an index.
//@ value | reject
mod operators_of_the_user_s {
    use shim::prelude::*;
    use std::ops::{Add, Mul};

    #[derive(Clone, Copy)]
    struct Odd(usize);
    impl Add<usize> for Odd {
        type Output = usize;
        fn add(self, other: usize) -> usize {
            self.0 + other * 3
        }
    }
    impl Mul<usize> for Odd {
        type Output = usize;
        fn mul(self, other: usize) -> usize {
            self.0 + other
        }
    }

    #[shim::kernel]
    fn kernel(v: &[u8], o: Odd, n: usize) -> u8 {
        let v = Block::external(v, [8]);
        let k = o + n;
        let j = o * n;
        v[[k]] * 10 + v[[j]]
    }

    pub fn run() -> u8 {
        kernel(&[1, 2, 3, 4, 5, 6, 7, 8], Odd(1), 2)
    }

    pub fn want() -> u8 {
        84
    }
}

// `Copy` elements with operators of their own.
//@ value
mod operators_of_elements {
    use shim::prelude::*;
    use std::ops::{Add, AddAssign};

    #[derive(Clone, Copy, Default, Debug, PartialEq)]
    struct Max(u8);
    impl Add for Max {
        type Output = Max;
        fn add(self, other: Max) -> Max {
            Max(self.0.max(other.0))
        }
    }
    impl AddAssign for Max {
        fn add_assign(&mut self, other: Max) {
            self.0 = self.0.max(other.0);
        }
    }

    #[shim::kernel]
    fn kernel(v: &mut [Max], n: usize) -> Max {
        let v = Block::external(v, [n]);
        let [i] = iters();
        v[[i]] += Max(3);
        v[[0]] + v[[n - 1]]
    }

    pub fn run() -> u8 {
        kernel(&mut [Max(1), Max(7)], 2).0
    }

    pub fn want() -> u8 {
        7
    }
}

// Another `Iterator` is in scope under the name of the prelude's.
//@ panic | reject
mod iterator_is_the_user_s {
    #![no_implicit_prelude]
    use ::shim::Block;

    trait Iterator {
        fn rev(self) -> ::core::ops::Range<isize>;
        fn step_by(self, step: usize) -> ::core::ops::Range<isize>;
    }
    impl Iterator for ::core::ops::Range<isize> {
        fn rev(self) -> ::core::ops::Range<isize> {
            99_990..100_000
        }
        fn step_by(self, _: usize) -> ::core::ops::Range<isize> {
            99_990..100_000
        }
    }

    #[::shim::kernel]
    fn kernel(v: &[u8], n: isize) -> u32 {
        let v = Block::external(v, [n]).cast::<u32>();
        let mut s = 0;
        for i in (0..n).step_by(2) {
            s += v[[i]];
        }
        for i in (0..n).rev() {
            s += v[[i]];
        }
        s
    }

    pub fn run() -> u32 {
        kernel(&[1; 8], 8)
    }
}

//@ reject
mod a_trait_of_the_body_for_a_template {
    use shim::prelude::*;

    mod a {
        pub trait Named {
            fn number(&self) -> u32;
        }
        impl Named for u32 {
            fn number(&self) -> u32 {
                1
            }
        }
    }

    mod b {
        pub trait Named {
            fn number(&self) -> u32;
        }
        impl Named for u32 {
            fn number(&self) -> u32 {
                2
            }
        }
    }

    mod library {
        use super::a::Named as _;
        use shim::prelude::*;

        #[shim::kernel]
        pub(super) fn first(t: impl Tensor<u32, 1>) -> u32 {
            t[[0]].number()
        }
    }

    #[shim::kernel]
    fn kernel(#[shape(4)] v: &[u32]) -> u32 {
        use self::b::Named as _;
        library::first(v)
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3, 4])
    }
}

//@ reject
mod the_sum_of_a_type_is_its_own {
    #[derive(Clone, Copy)]
    struct E(u32);

    impl std::ops::AddAssign for E {
        fn add_assign(&mut self, other: E) {
            self.0 += other.0;
        }
    }

    impl std::iter::Sum for E {
        fn sum<I: Iterator<Item = E>>(all: I) -> E {
            E(all.count() as u32)
        }
    }

    #[shim::kernel]
    fn kernel(#[shape(4)] v: &[E]) -> E {
        v.indices().map(|[i]| v[[i]]).sum::<E>()
    }

    pub fn run() -> u32 {
        kernel(&[E(5); 4]).0
    }
}

//@ value
mod the_extremes_of_a_type_are_those_of_its_order {
    use std::cmp::Ordering;

    #[derive(Clone, Copy, PartialEq, Eq)]
    struct E(u32);

    impl PartialOrd for E {
        fn partial_cmp(&self, _: &E) -> Option<Ordering> {
            None
        }
    }

    impl Ord for E {
        fn cmp(&self, other: &E) -> Ordering {
            self.0.cmp(&other.0)
        }

        fn max(self, _: E) -> E {
            E(100)
        }

        fn min(self, _: E) -> E {
            E(200)
        }
    }

    #[shim::kernel]
    fn kernel(#[shape(4)] v: &[E]) -> u32 {
        let most = v.indices().map(|[i]| v[[i]]).max();
        let least = v.indices().map(|[i]| v[[i]]).min();
        let by_key = v.indices().map(|[i]| v[[i]]).max_by_key(|e| *e);
        let at_least = v.indices().map(|[i]| v[[i]]).min_by_key(|e| *e);
        [most, least, by_key, at_least].iter().fold(0, |sum, e| 10 * sum + e.map_or(9, |e| e.0))
    }

    pub fn run() -> u32 {
        kernel(&[E(2), E(1), E(4), E(3)])
    }

    pub fn want() -> u32 {
        4141
    }
}

// In a module without the prelude, `map` is the user's.
//@ panic | reject
mod map_of_a_range {
    #![no_implicit_prelude]
    use ::shim::Block;

    trait Far: ::core::marker::Sized {
        fn map<F: ::core::ops::Fn(usize) -> u32>(self, read: F) -> Once {
            Once(read(100_000))
        }
    }
    impl Far for ::core::ops::Range<usize> {}

    struct Once(u32);
    impl Once {
        fn sum<T>(self) -> u32 {
            self.0
        }
    }

    #[::shim::kernel]
    fn kernel(v: &[u8], n: usize) -> u32 {
        let v = Block::external(v, [n]).cast::<u32>();
        (0..n).map(|i| v[[i]]).sum::<u32>()
    }

    pub fn run() -> u32 {
        kernel(&[1; 8], 8)
    }
}
