//! Templates: which function a name means, whose names its body sees, and what is checked of it (W4, W5).

//@ value
mod two_templates_of_one_name {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8]) -> u32 {
        let v = Block::external(v, [8]).cast::<u32>();
        let a = {
            use hostile_luma::pick;
            pick(v)
        };
        let b = {
            use hostile_chroma::pick;
            pick(v)
        };
        a * 100 + b
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3, 4, 5, 6, 7, 8])
    }

    pub fn want() -> u32 {
        603
    }
}

//@ value
mod two_templates_by_path {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8]) -> u32 {
        let v = Block::external(v, [8]).cast::<u32>();
        hostile_luma::pick(v) * 100 + hostile_chroma::pick(v)
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3, 4, 5, 6, 7, 8])
    }

    pub fn want() -> u32 {
        603
    }
}

//@ value
mod renamed_templates {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8]) -> u32 {
        let v = Block::external(v, [8]).cast::<u32>();
        let a = {
            use hostile_luma::pick as dct;
            dct(v)
        };
        let b = {
            use hostile_chroma::pick as dct;
            dct(v)
        };
        a * 100 + b
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3, 4, 5, 6, 7, 8])
    }

    pub fn want() -> u32 {
        603
    }
}

//@ value
mod templates_of_two_modules {
    use shim::prelude::*;

    pub mod rows {
        use shim::prelude::*;
        #[shim::kernel]
        pub fn at(v: impl Tensor<u32, 1>) -> u32 {
            v[[1]]
        }
    }
    pub mod columns {
        use shim::prelude::*;
        #[shim::kernel]
        pub fn at(v: impl Tensor<u32, 1>) -> u32 {
            v[[2]]
        }
    }
    use rows::at;

    #[shim::kernel]
    fn kernel(v: &[u8]) -> u32 {
        let v = Block::external(v, [8]).cast::<u32>();
        let inner = {
            use columns::at;
            at(v)
        };
        at(v) * 100 + inner
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3, 4, 5, 6, 7, 8])
    }

    pub fn want() -> u32 {
        203
    }
}

//@ value | reject
mod template_called_in_a_template {
    use shim::prelude::*;

    pub mod rows {
        use shim::prelude::*;
        #[shim::kernel]
        pub fn at(v: impl Tensor<u32, 1>) -> u32 {
            v[[1]]
        }
        #[shim::kernel]
        pub fn twice(v: impl Tensor<u32, 1>) -> u32 {
            2 * crate::template_called_in_a_template::rows::at(v)
        }
    }
    #[shim::kernel]
    fn at(v: impl Tensor<u32, 1>) -> u32 {
        v[[5]]
    }

    #[shim::kernel]
    fn kernel(v: &[u8]) -> u32 {
        let v = Block::external(v, [8]).cast::<u32>();
        rows::twice(v) * 100 + at(v)
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3, 4, 5, 6, 7, 8])
    }

    pub fn want() -> u32 {
        406
    }
}

// templates.md: a path means what it means where the template is, whatever the kernel has of that name.
//@ value | reject
mod template_with_a_path_of_its_own_module {
    use shim::prelude::*;

    mod inner {
        use shim::prelude::*;
        pub const AT: usize = 1;
        #[shim::kernel]
        pub fn at(v: impl Tensor<u32, 1>) -> u32 {
            v[[AT]]
        }
    }
    use inner::at;
    const AT: usize = 5;

    #[shim::kernel]
    fn kernel(v: &[u8]) -> u32 {
        let v = Block::external(v, [8]).cast::<u32>();
        at(v)
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3, 4, 5, 6, 7, 8])
    }

    pub fn want() -> u32 {
        2
    }
}

// A path of the template's is no local of the caller's, whatever its text.
//@ value | reject
mod template_does_not_see_the_caller_s_locals {
    use shim::prelude::*;

    #[allow(non_upper_case_globals)]
    const at: usize = 2;

    #[shim::kernel]
    fn pick(v: impl Tensor<u32, 1>) -> u32 {
        v[[at]]
    }

    mod caller {
        use super::pick;
        use shim::prelude::*;

        #[shim::kernel]
        pub fn kernel(v: &[u8]) -> u32 {
            let at = 7usize;
            let v = Block::external(v, [8]).cast::<u32>();
            pick(v) * 100 + v[[at]]
        }
    }

    pub fn run() -> u32 {
        caller::kernel(&[1, 2, 3, 4, 5, 6, 7, 8])
    }

    pub fn want() -> u32 {
        308
    }
}

//@ reject
mod template_sees_no_local_of_the_caller {
    use shim::prelude::*;

    #[shim::kernel]
    fn pick(v: impl Tensor<u32, 1>) -> u32 {
        v[[k]] + limit
    }

    #[shim::kernel]
    fn kernel(v: &[u8], k: usize) -> u32 {
        let limit = 7;
        let v = Block::external(v, [8]).cast::<u32>();
        pick(v) + limit + v[[k]]
    }

    pub fn run() -> u32 {
        kernel(&[1; 8], 2)
    }
}

//@ reject
mod template_sees_no_tensor_of_the_caller {
    use shim::prelude::*;

    #[shim::kernel]
    fn pick(v: impl Tensor<u32, 1>) -> u32 {
        v[[0]] + other[[0]]
    }

    #[shim::kernel]
    fn kernel(v: &[u8], w: &[u8]) -> u32 {
        let v = Block::external(v, [8]).cast::<u32>();
        let other = Block::external(w, [8]).cast::<u32>();
        pick(v) + other[[1]]
    }

    pub fn run() -> u32 {
        kernel(&[1; 8], &[2; 8])
    }
}

//@ reject
mod template_sees_no_label_of_the_caller {
    use shim::prelude::*;

    #[shim::kernel]
    fn pick(v: impl Tensor<u32, 1>) -> u32 {
        if v[[0]] > 0 {
            break 'out;
        }
        1
    }

    #[shim::kernel]
    fn kernel(v: &[u8]) -> u32 {
        let v = Block::external(v, [8]).cast::<u32>();
        let mut s = 0;
        'out: for i in 0..8 {
            s += pick(v);
        }
        s
    }

    pub fn run() -> u32 {
        kernel(&[1; 8])
    }
}

//@ value
mod arguments_swap_names {
    use shim::prelude::*;

    #[shim::kernel]
    fn pick(v: impl Tensor<u32, 1>, w: impl Tensor<u32, 1>, n: usize, m: usize) -> u32 {
        v[[n]] * 100 + w[[m]]
    }

    #[shim::kernel]
    fn kernel(v: &[u8], w: &[u8], n: usize, m: usize) -> u32 {
        let v = Block::external(v, [8]).cast::<u32>();
        let w = Block::external(w, [4]).cast::<u32>();
        pick(w, v, m, n)
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3, 4, 5, 6, 7, 8], &[10, 20, 30, 40], 6, 3)
    }

    pub fn want() -> u32 {
        4007
    }
}

//@ panic
mod arguments_swap_names_out_of_bounds {
    use shim::prelude::*;

    #[shim::kernel]
    fn sum(v: impl Tensor<u32, 1>, w: impl Tensor<u32, 1>, n: usize, m: usize) -> u32 {
        let mut s = 0;
        for i in 0..n {
            s += v[[i]];
        }
        for i in 0..m {
            s += w[[i]];
        }
        s
    }

    #[shim::kernel]
    fn kernel(v: &[u8], w: &[u8], n: usize, m: usize) -> u32 {
        let v = Block::external(v, [n]).cast::<u32>();
        let w = Block::external(w, [m]).cast::<u32>();
        sum(v, w, n, m) + sum(w, v, n, m)
    }

    pub fn run() -> u32 {
        kernel(&[1; 8], &[1; 4], 8, 4)
    }
}

// The argument is evaluated where it stands, once.
//@ panic
mod argument_that_changes_afterwards {
    use shim::prelude::*;

    #[shim::kernel]
    fn at(v: impl Tensor<u32, 1>, k: usize) -> u32 {
        v[[k]]
    }

    #[shim::kernel]
    fn kernel(v: &[u8], mut k: usize) -> u32 {
        let v = Block::external(v, [8]).cast::<u32>();
        let a = at(v, {
            k += 3;
            k
        });
        k += 100_000;
        a + at(v, k)
    }

    pub fn run() -> u32 {
        kernel(&[1; 8], 2)
    }
}

//@ value | reject
mod function_of_the_template_s_name {
    use shim::prelude::*;

    #[shim::kernel]
    fn at(v: impl Tensor<u32, 1>, k: usize) -> u32 {
        v[[k]]
    }

    #[shim::kernel]
    fn kernel(v: &[u8], k: usize) -> u32 {
        let t = Block::external(v, [8]).cast::<u32>();
        let inner = {
            fn at(v: &[u8], k: usize) -> u32 {
                u32::from(v[k]) * 10
            }
            at(v, k)
        };
        at(t, k) + inner
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3, 4, 5, 6, 7, 8], 2)
    }

    pub fn want() -> u32 {
        33
    }
}

//@ value | reject
mod closure_of_the_template_s_name {
    use shim::prelude::*;

    #[shim::kernel]
    fn at(v: impl Tensor<u32, 1>, k: usize) -> u32 {
        v[[k]]
    }

    #[shim::kernel]
    fn kernel(v: &[u8], k: usize) -> u32 {
        let t = Block::external(v, [8]).cast::<u32>();
        let first = at(t, k);
        let at = |x: u32, k: usize| x + k as u32;
        at(first, k)
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3, 4, 5, 6, 7, 8], 2)
    }

    pub fn want() -> u32 {
        5
    }
}

//@ value | reject
mod macro_of_the_template_s_name {
    use shim::prelude::*;

    macro_rules! pick {
        ($($t:tt)*) => {
            7
        };
    }

    #[shim::kernel]
    fn at(v: impl Tensor<u32, 1>, k: usize) -> u32 {
        v[[k]]
    }

    macro_rules! at {
        ($($t:tt)*) => {
            compile_error!("not this one");
        };
    }

    #[shim::kernel]
    fn kernel(v: &[u8], k: usize) -> u32 {
        let t = Block::external(v, [8]).cast::<u32>();
        pick!(t) + k as u32 + t[[k]]
    }

    pub fn run() -> u32 {
        kernel(&[1; 8], 2)
    }

    pub fn want() -> u32 {
        10
    }
}

// W4: the element type that is declared is the one that it is.
//@ reject
mod element_type_is_another {
    use shim::prelude::*;

    #[shim::kernel]
    fn first(v: impl Tensor<f32, 1>) -> u8 {
        v[[0]]
    }

    #[shim::kernel]
    fn kernel(v: &[u8]) -> u8 {
        let v = Block::external(v, [8]);
        first(v)
    }

    pub fn run() -> u8 {
        kernel(&[1; 8])
    }
}

//@ reject
mod element_type_is_another_after_a_cast {
    use shim::prelude::*;

    #[shim::kernel]
    fn first(v: impl Tensor<u8, 1>) -> i32 {
        v[[0]] + 1
    }

    #[shim::kernel]
    fn kernel(v: &[u8]) -> i32 {
        let v = Block::external(v, [8]).cast::<i32>();
        first(v)
    }

    pub fn run() -> i32 {
        kernel(&[1; 8])
    }
}

//@ reject
mod element_type_is_not_even_a_type {
    use shim::prelude::*;

    #[shim::kernel]
    fn extent(v: impl Tensor<NoSuchType, 1>) -> usize {
        v.extent(0)
    }

    #[shim::kernel]
    fn kernel(v: &[u8]) -> usize {
        let v = Block::external(v, [8]);
        extent(v)
    }

    pub fn run() -> usize {
        kernel(&[1; 8])
    }
}

//@ value
mod element_type_by_another_name {
    use shim::prelude::*;

    type Sample = u8;

    #[shim::kernel]
    fn first(v: impl Tensor<Sample, 1>) -> u8 {
        v[[0]]
    }

    #[shim::kernel]
    fn kernel(v: &[u8]) -> u8 {
        let v = Block::external(v, [8]);
        first(v)
    }

    pub fn run() -> u8 {
        kernel(&[1; 8])
    }

    pub fn want() -> u8 {
        1
    }
}

// W5: errors in templates that no kernel calls.
//@ reject
mod error_in_a_template_that_is_not_called {
    use shim::prelude::*;

    #[shim::kernel]
    fn first(v: impl Tensor<u8, 1>) -> u8 {
        v[[0]] + no_such_name
    }

    pub fn run() -> u8 {
        1
    }

    pub fn want() -> u8 {
        1
    }
}

//@ reject
mod type_error_in_a_template_that_is_not_called {
    use shim::prelude::*;

    #[shim::kernel]
    fn first(v: impl Tensor<u8, 1>) -> u8 {
        let s: u8 = "text";
        s
    }

    pub fn run() -> u8 {
        1
    }

    pub fn want() -> u8 {
        1
    }
}

//@ reject
mod wrong_view_in_a_template_that_is_not_called {
    use shim::prelude::*;

    #[shim::kernel]
    fn first(v: impl Tensor<u8, 1>) -> u8 {
        let w = v.permute([1, 0]);
        w[[0, 0]]
    }

    pub fn run() -> u8 {
        1
    }

    pub fn want() -> u8 {
        1
    }
}

//@ reject
mod wrong_call_in_a_template_that_is_not_called {
    use shim::prelude::*;

    #[shim::kernel]
    fn last(v: impl Tensor<u8, 1>) -> u8 {
        v[[0]]
    }

    #[shim::kernel]
    fn first(v: impl Tensor<u8, 2>) -> u8 {
        last(v)
    }

    pub fn run() -> u8 {
        1
    }

    pub fn want() -> u8 {
        1
    }
}

//@ reject
mod borrow_error_in_a_template_that_is_not_called {
    use shim::prelude::*;

    #[shim::kernel]
    fn first(v: impl Tensor<u8, 1>, text: String) -> u8 {
        let moved = text;
        v[[0]] + text.len() as u8 + moved.len() as u8
    }

    pub fn run() -> u8 {
        1
    }

    pub fn want() -> u8 {
        1
    }
}

//@ reject
mod wrong_element_in_a_recursive_template_that_is_not_called {
    use shim::prelude::*;

    #[shim::kernel]
    fn first<const N: usize>(v: impl Tensor<u8, 1>) -> u8 {
        let w = v.slice(0);
        if N > 1 { first::<{ N / 2 }>(v) } else { v[[0]] }
    }

    pub fn run() -> u8 {
        1
    }

    pub fn want() -> u8 {
        1
    }
}

//@ reject
mod error_in_a_template_inside_a_function_that_is_not_called {
    use shim::prelude::*;

    pub fn outer() {
        #[shim::kernel]
        fn first(v: impl Tensor<u8, 1>) -> u8 {
            v[[0, 1]]
        }
    }

    pub fn run() -> u8 {
        1
    }

    pub fn want() -> u8 {
        1
    }
}

//@ value
mod what_depends_on_the_call_is_no_error_of_a_definition {
    use shim::prelude::*;

    #[shim::kernel]
    fn unrolled(v: impl Tensor<u8, 1>) {
        #[unroll]
        for i in 0..v.extent(0) {
            v[[i]] = 1;
        }
    }

    #[shim::kernel]
    fn halved<const N: usize>(v: impl Tensor<u8, 1>) -> u8 {
        if N > 1 { halved::<{ N / 2 }>(v.coarsen([2])) } else { v[[0]] }
    }

    #[shim::kernel]
    fn left(v: impl Tensor<u8, 2>) -> u8 {
        v[[0, -1]]
    }

    #[shim::kernel]
    fn along<const AXIS: usize>(v: impl Tensor<u8, 2>) -> u8 {
        v.slice(AXIS, 0)[[0]]
    }

    #[shim::kernel]
    fn kept(v: impl Tensor<u8, 2>) -> u8 {
        v.to_stack()[[0, 0]]
    }

    pub fn run() -> u8 {
        1
    }

    pub fn want() -> u8 {
        1
    }
}

//@ value
mod recursion_through_a_literal_ends {
    use shim::prelude::*;

    #[shim::kernel]
    fn power<const N: u32>(v: impl Tensor<u8, 1>) -> u8 {
        if N == 0 { 1 } else { power::<{ N - 1 }>(v) * v[[0]] }
    }

    #[shim::kernel]
    fn cube(v: impl Tensor<u8, 1>) -> u8 {
        power::<3>(v)
    }

    #[shim::kernel]
    fn cube_of(v: &[u8; 1]) -> u8 {
        cube(Block::external(v, [1]))
    }

    pub fn run() -> u8 {
        cube_of(&[3])
    }

    pub fn want() -> u8 {
        27
    }
}

// A template's own items do not leak to the caller, or from one call to the next.
//@ panic | reject
mod items_of_a_template_do_not_leak {
    use shim::prelude::*;

    const N: usize = 100_000;

    #[shim::kernel]
    fn first(v: impl Tensor<u32, 1>) -> u32 {
        const N: usize = 2;
        v[[N]]
    }

    #[shim::kernel]
    fn kernel(v: &[u8]) -> u32 {
        let v = Block::external(v, [8]).cast::<u32>();
        let mut s = first(v);
        for i in 0..N {
            if i > 90_000 {
                s += v[[i]];
            }
        }
        s
    }

    pub fn run() -> u32 {
        kernel(&[1; 8])
    }
}

//@ value
mod const_generics_of_two_calls {
    use shim::prelude::*;

    #[shim::kernel]
    fn at<const K: usize>(v: impl Tensor<u32, 1>) -> u32 {
        const TABLE: [usize; 4] = [3, 2, 1, 0];
        v[[TABLE[K]]]
    }

    #[shim::kernel]
    fn kernel(v: &[u8]) -> u32 {
        const K: usize = 3;
        let v = Block::external(v, [8]).cast::<u32>();
        at::<0>(v) * 1000 + at::<1>(v) * 100 + at::<{ K }>(v) * 10 + v[[K]]
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3, 4, 5, 6, 7, 8])
    }

    pub fn want() -> u32 {
        4314
    }
}

// W1: the point in `coverage` is one of `t`, as it is in the runtime library.
//@ value
mod coverage_as_in_the_library {
    use shim::prelude::*;
    use shim::{Located, TensorOps};

    #[shim::kernel]
    fn kernel(t: View<'_, u8, 1>, k: isize) -> (isize, usize) {
        let c = t.coverage([k], t.coarsen([4]));
        (c.origin(0), c.extent(0))
    }

    fn plain(t: View<'_, u8, 1>, k: isize) -> (isize, usize) {
        let u = t.clone().coarsen([4]).expect("a tensor");
        let c = t.coverage([k], &u).expect("a place");
        (c.origin(0).expect("a number"), c.extent(0))
    }

    pub fn run() -> Vec<(isize, usize)> {
        let t = Block::<u8, 1>::new([16]);
        (0..16).map(|k| kernel(t.view(), k)).collect()
    }

    pub fn want() -> Vec<(isize, usize)> {
        let t = Block::<u8, 1>::new([16]);
        (0..16).map(|k| plain(t.view(), k)).collect()
    }
}

// A fine tensor beside a coarse one: whose index the point is decides how much is covered.
//@ value
mod coverage_of_a_finer_tensor {
    use shim::prelude::*;
    use shim::{Located, TensorOps};

    #[shim::kernel]
    fn kernel(t: View<'_, u8, 2>, y: isize, x: isize) -> [(isize, usize); 2] {
        let fine = t.refine([2, 4]);
        let c = fine.coverage([y, x], t);
        [(c.origin_in(fine, 0), c.extent(0)), (c.origin_in(fine, 1), c.extent(1))]
    }

    fn plain(t: View<'_, u8, 2>, y: isize, x: isize) -> [(isize, usize); 2] {
        let fine = t.clone().refine([2, 4]).expect("a tensor");
        let c = fine.clone().coverage([y, x], &t).expect("a place");
        let at = |axis| (c.origin_in(&fine, axis).expect("a number"), c.extent(axis));
        [at(0), at(1)]
    }

    pub fn run() -> Vec<[(isize, usize); 2]> {
        let t = Block::<u8, 2>::new([4, 4]);
        (0..64).map(|k| kernel(t.view(), k / 8, k % 8)).collect()
    }

    pub fn want() -> Vec<[(isize, usize); 2]> {
        let t = Block::<u8, 2>::new([4, 4]);
        (0..64).map(|k| plain(t.view(), k / 8, k % 8)).collect()
    }
}

// The elements of the fine tensor that the coarse element at the same place covers.
//@ value
mod coverage_sums {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u32], k: usize) -> u32 {
        let t = Block::external(v, [16]);
        let u = t.coarsen([4]);
        let c = t.coverage([k], u);
        c.indices().map(|[i]| c[[i]]).sum::<u32>()
    }

    pub fn run() -> Vec<u32> {
        let v: Vec<u32> = (0..16).collect();
        (0..16).map(|k| kernel(&v, k)).collect()
    }

    pub fn want() -> Vec<u32> {
        (0..16u32).map(|k| (k / 4 * 4..k / 4 * 4 + 4).sum()).collect()
    }
}

//@ panic
mod coverage_of_a_point_outside {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u32], k: isize) -> u32 {
        let t = Block::external(v, [16]);
        let u = t.coarsen([4]);
        let c = t.coverage([k], u);
        c.indices().map(|[i]| c[[i]]).sum::<u32>()
    }

    pub fn run() -> u32 {
        kernel(&[1; 16], 16)
    }
}

// `self` is the user's, whatever macro the call of a template makes of the method.
//@ value
mod method_with_versions_that_calls_a_template {
    use shim::prelude::*;

    #[shim::kernel]
    fn at(v: impl Tensor<u32, 1>, k: usize) -> u32 {
        v[[k]]
    }

    struct Place(usize);
    impl Place {
        #[shim::kernel(simd)]
        fn kernel(&self, v: &[u8]) -> u32 {
            let v = Block::external(v, [8]).cast::<u32>();
            at(v, self.0) * 100 + v[[self.0 + 1]]
        }
    }

    pub fn run() -> u32 {
        Place(1).kernel(&[1, 2, 3, 4, 5, 6, 7, 8])
    }

    pub fn want() -> u32 {
        203
    }
}

//@ value
mod templates_of_one_name_in_blocks_and_a_template_between {
    use shim::prelude::*;

    pub mod rows {
        use shim::prelude::*;
        #[shim::kernel]
        pub fn at<const K: usize>(v: impl Tensor<u32, 1>, n: u32) -> u32 {
            v[[K]] + n
        }
    }
    pub mod columns {
        use shim::prelude::*;
        #[shim::kernel]
        pub fn at<const K: usize>(v: impl Tensor<u32, 1>, n: u32) -> u32 {
            v[[K + 1]] + n
        }
    }

    #[shim::kernel]
    fn both(v: impl Tensor<u32, 1>) -> u32 {
        let inner = {
            use columns::at;
            // In the argument of the other: a block in a block.
            at::<2>(v, {
                use rows::at;
                at::<2>(v, 0)
            })
        };
        use rows::at;
        inner * 10 + at::<1>(v, at::<0>(v, 0))
    }

    #[shim::kernel]
    fn kernel(v: &[u8]) -> u32 {
        let v = Block::external(v, [8]).cast::<u32>();
        use columns::at;
        let first = at::<0>(v, 0);
        for [_] in v[[0..1]].indices() {
            use rows::at;
            return first * 10_000 + at::<0>(v, 0) * 1000 + both(v);
        }
        0
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3, 4, 5, 6, 7, 8])
    }

    pub fn want() -> u32 {
        21073
    }
}

// Arguments of a macro are read anew wherever they are looked at.
//@ value | reject
mod templates_of_one_name_in_arguments_of_macros {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8]) -> u32 {
        let v = Block::external(v, [8]).cast::<u32>();
        let a = {
            use hostile_luma::pick;
            pick(v)
        };
        {
            use hostile_chroma::pick;
            assert!(pick(v) == 3);
        }
        a
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3, 4, 5, 6, 7, 8])
    }

    pub fn want() -> u32 {
        6
    }
}
