//! What is known of an index where `t.get(p)` has found an element, and where a predicate is asked: names that mean another number
//! there, closures that run without an element, and constants of other modules.

//@ panic
mod an_index_that_changes_after_it_was_found {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(#[shape(8)] v: &[u32], mut i: usize) -> u32 {
        v.get([i]).map_or(
            {
                i += 100_000;
                0
            },
            |x| x + v[[i]],
        )
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3, 4, 5, 6, 7, 8], 1)
    }
}

//@ panic
mod a_pattern_binds_the_index_anew {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(#[shape(8)] v: &[u32], #[shape(8)] u: &[usize], i: usize) -> u32 {
        if let Some(i) = u.get([i]) { v[[i]] } else { 0 }
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3, 4, 5, 6, 7, 8], &[200_000; 8], 1)
    }
}

//@ panic
mod a_later_pattern_binds_the_index_anew {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(#[shape(8)] v: &[u32], i: usize, other: Option<usize>) -> u32 {
        if let Some(x) = v.get([i])
            && let Some(i) = other
        {
            x + v[[i]]
        } else {
            0
        }
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3, 4, 5, 6, 7, 8], 1, Some(300_000))
    }
}

//@ value
mod a_parameter_of_the_closure_has_the_name_of_the_index {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(#[shape(8)] v: &[usize], i: usize) -> usize {
        v.get([i]).map_or(0, |i| v[[i % 8]] * 10) + v.get([i + 7]).map_or_else(|| v[[i]], |x| x)
    }

    pub fn run() -> usize {
        kernel(&[1, 102, 3, 4, 5, 6, 7, 8], 1)
    }

    pub fn want() -> usize {
        7 * 10 + 102
    }
}

//@ panic
mod a_trait_runs_the_closure_of_nothing {
    use shim::prelude::*;

    trait Maps<T> {
        fn maps(self, f: impl Fn(T) -> u32) -> u32;
    }

    impl<T: Default> Maps<T> for Option<T> {
        fn maps(self, f: impl Fn(T) -> u32) -> u32 {
            f(self.unwrap_or_default())
        }
    }

    #[shim::kernel]
    fn kernel(#[shape(8)] v: &[u32], i: usize) -> u32 {
        v.get([i]).maps(|x| x + v[[i]])
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3, 4, 5, 6, 7, 8], 400_000)
    }
}

//@ value
mod a_trait_of_the_name_of_a_method_of_option {
    use shim::prelude::*;

    trait Maps {
        fn map(&self, f: impl Fn(u32) -> u32) -> Option<u32>;
    }

    impl Maps for Option<u32> {
        fn map(&self, f: impl Fn(u32) -> u32) -> Option<u32> {
            Some(f(7))
        }
    }

    #[shim::kernel]
    fn kernel(#[shape(8)] v: &[u32], i: usize) -> Option<u32> {
        v.get([i]).map(|x| x + v[[i]])
    }

    pub fn run() -> (Option<u32>, Option<u32>) {
        (kernel(&[1, 2, 3, 4, 5, 6, 7, 8], 400_000), kernel(&[1, 2, 3, 4, 5, 6, 7, 8], 3))
    }

    pub fn want() -> (Option<u32>, Option<u32>) {
        (None, Some(8))
    }
}

//@ panic
mod a_predicate_asks_beside_the_element {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(#[shape(8)] v: &[u32], i: usize) -> Option<u32> {
        v.within(|[i]| v[[i + 500_000]] == 0).get([i])
    }

    pub fn run() -> Option<u32> {
        kernel(&[1, 2, 3, 4, 5, 6, 7, 8], 1)
    }
}

//@ panic
mod a_predicate_binds_its_index_anew {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(#[shape(8)] v: &[u32], far: isize, i: usize) -> Option<u32> {
        v.within(|[i]| {
            let i = i + far;
            v[[i]] == 0
        })
        .get([i])
    }

    pub fn run() -> Option<u32> {
        kernel(&[1, 2, 3, 4, 5, 6, 7, 8], 600_000, 1)
    }
}

//@ value
mod a_view_moved_after_its_predicate {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(#[shape(8)] v: &[u32], n: usize, i: isize) -> [Option<u32>; 2] {
        let odd = v[[2..]].within(|[i]| v[[i + 2]] % 2 == 1 && i < 5);
        let moved = odd[[n..]];
        [moved.get([i]), moved.get([i - 9])]
    }

    pub fn run() -> [Option<u32>; 2] {
        kernel(&[1, 2, 3, 4, 5, 6, 7, 8], 1, 1)
    }

    pub fn want() -> [Option<u32>; 2] {
        [Some(5), None]
    }
}

//@ value
mod constants_of_one_name {
    use shim::prelude::*;

    mod a {
        #[shim::constant]
        pub const N: usize = 2;
    }

    mod b {
        #[shim::constant]
        pub const N: usize = 4;
    }

    const N: usize = 1;

    #[shim::kernel]
    fn kernel(#[shape(8)] v: &[u32]) -> [u32; 3] {
        let outer = v[[N]];
        let first = {
            #[staged]
            use self::a::N;
            v[[N]]
        };
        let second = {
            let x = v[[N]];
            #[staged]
            use self::b::N;
            x
        };
        [outer, first, second]
    }

    pub fn run() -> [u32; 3] {
        kernel(&[1, 2, 3, 4, 5, 6, 7, 8])
    }

    pub fn want() -> [u32; 3] {
        [2, 3, 5]
    }
}

//@ reject
mod path_of_a_staged_constant_is_renamed {
    use shim::prelude::*;

    mod a {
        #[shim::constant]
        pub const N: usize = 2;
    }
    mod b {
        #[shim::constant]
        pub const N: usize = 4;
    }

    #[shim::kernel]
    pub fn kernel(#[shape(8)] v: &[u32]) -> u32 {
        let read = {
            #[staged]
            use a::N;
            v[[N]]
        };
        use b as a;
        read
    }
}

//@ reject
mod path_of_a_staged_constant_is_a_module_of_the_body {
    use shim::prelude::*;

    mod a {
        #[shim::constant]
        pub const N: usize = 2;
    }

    #[shim::kernel]
    pub fn kernel(#[shape(8)] v: &[u32]) -> u32 {
        mod a {
            pub const N: usize = 3;
        }
        #[staged]
        use a::N;
        v[[N]]
    }
}

//@ reject
mod path_of_a_staged_constant_beside_a_macro {
    use shim::prelude::*;

    mod a {
        #[shim::constant]
        pub const N: usize = 2;
    }
    mod b {
        #[shim::constant]
        pub const N: usize = 4;
    }
    macro_rules! rename {
        () => {
            use b as a;
        };
    }

    #[shim::kernel]
    pub fn kernel(#[shape(8)] v: &[u32]) -> u32 {
        #[staged]
        use a::N;
        rename!();
        v[[N]]
    }
}

//@ reject
mod path_of_a_staged_constant_beside_a_glob {
    use shim::prelude::*;

    mod a {
        #[shim::constant]
        pub const N: usize = 2;
    }
    mod other {
        pub mod a {
            #[shim::constant]
            pub const N: usize = 4;
        }
    }

    #[shim::kernel]
    pub fn kernel(#[shape(8)] v: &[u32]) -> u32 {
        #[staged]
        use a::N;
        use other::*;
        v[[N]]
    }
}

//@ value
mod path_of_a_staged_constant_from_the_module {
    use shim::prelude::*;

    mod a {
        #[shim::constant]
        pub const N: usize = 2;
    }
    mod b {
        #[shim::constant]
        pub const N: usize = 4;
    }

    #[shim::kernel]
    fn kernel(#[shape(8)] v: &[u32]) -> u32 {
        use b as a;
        let outer = v[[a::N]];
        {
            #[staged]
            use self::a::N;
            outer * 10 + v[[N]]
        }
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3, 4, 5, 6, 7, 8])
    }

    pub fn want() -> u32 {
        53
    }
}

//@ value
mod a_pattern_binds_a_static_name_anew {
    use shim::prelude::*;

    #[shim::kernel]
    fn unrolled(#[shape(8)] v: &[u32], other: Option<usize>) -> u32 {
        let mut sum = 0;
        #[unroll]
        for n in 2..4 {
            if v[[n]] > 0
                && let Some(n) = other
                && n > 1
            {
                sum += v[[n]];
            }
        }
        sum
    }

    #[shim::kernel]
    fn version(#[shape(8)] v: &[u32], #[specialize(2 | _)] n: usize, other: Option<usize>) -> u32 {
        if let Some(n) = other
            && n > 1
        {
            v[[n]]
        } else {
            100
        }
    }

    pub fn run() -> [u32; 4] {
        let v = [1, 2, 3, 4, 5, 6, 7, 8];
        [unrolled(&v, Some(0)), unrolled(&v, Some(3)), version(&v, 2, Some(1)), version(&v, 2, Some(5))]
    }

    pub fn want() -> [u32; 4] {
        [0, 8, 100, 6]
    }
}

//@ value
mod patterns_of_other_forms_bind_a_static_name_anew {
    use shim::prelude::*;

    #[shim::kernel]
    fn forms(#[shape(8)] v: &[u32], other: Option<usize>) -> [u32; 6] {
        let mut found = [0; 6];
        #[unroll]
        for n in 2..4 {
            if matches!(other, Some(n) if n > 1) {
                found[0] += v[[n]];
            }
            if other.is_some_and(|n| n > 1) {
                found[1] += v[[n]];
            }
            found[2] += match other {
                Some(n) if n > 1 => v[[n]],
                _ => 0,
            };
            let mut left = other;
            while let Some(n) = left
                && n > 1
            {
                found[3] += v[[n]];
                left = None;
            }
            let Some(n) = other else { continue };
            found[4] += if n > 1 && v[[n]] > 0 { 1 } else { 0 };
            found[5] += if v[[n]] > 0 && n > 1 { 1 } else { 0 };
        }
        found
    }

    pub fn run() -> [[u32; 6]; 2] {
        let v = [1, 2, 3, 4, 5, 6, 7, 8];
        [forms(&v, Some(0)), forms(&v, Some(5))]
    }

    pub fn want() -> [[u32; 6]; 2] {
        [[0; 6], [7, 7, 12, 12, 2, 2]]
    }
}

// The end of a range is static in a version, and written as a block.
//@ value
mod a_block_that_ends_a_reversed_range {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(data: &[u32], #[specialize(16 | 5 | _)] m: usize, n: usize) -> u32 {
        let t = Block::external(data, [n]);
        let mut s = 0_u32;
        for j in (0..(if m < 6 { n } else { m })).rev() {
            s = s.wrapping_mul(31).wrapping_add(t[[j % 3]] + j as u32);
        }
        for j in (0..2 * match m {
            5 => 4,
            _ => 2,
        })
            .rev()
        {
            s = s.wrapping_mul(31).wrapping_add(t[[j % 3]]);
        }
        s
    }

    pub fn run() -> [u32; 3] {
        [16, 5, 7].map(|m| kernel(&[1, 2, 3], m, 3))
    }

    pub fn want() -> [u32; 3] {
        [16, 5, 7].map(|m| {
            let ends = [if m < 6 { 3 } else { m }, 2 * if m == 5 { 4 } else { 2 }];
            let first = (0..ends[0])
                .rev()
                .fold(0_u32, |s, j| s.wrapping_mul(31).wrapping_add(j as u32 % 3 + 1 + j as u32));
            (0..ends[1]).rev().fold(first, |s, j| s.wrapping_mul(31).wrapping_add(j as u32 % 3 + 1))
        })
    }
}
