//! U6 and U7: names that the compiler uses itself, and names in their raw spelling.

//@ panic | reject
mod hole_outside_of_its_guard {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8], n: usize) -> u8 {
        let t = Block::external(v, [8]);
        if t.contains([n]) {
            return t[[n]];
        }
        __shim_hole_0
    }

    pub fn run() -> u8 {
        kernel(&[1; 8], 100_000)
    }
}

//@ panic | reject
mod hole_one_outside_of_its_guard {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8], n: usize) -> u8 {
        let t = Block::external(v, [8]);
        let mut s = 0;
        if t.contains([n]) {
            s += t[[n]];
        }
        s + __shim_hole_1
    }

    pub fn run() -> u8 {
        kernel(&[1; 8], 100_000)
    }
}

//@ panic | reject
mod hole_two_outside_of_its_guard {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8], n: usize) -> u8 {
        let t = Block::external(v, [8]);
        let mut s = 0;
        if n < 8 {
            s += t[[n]];
        }
        s + __shim_hole_2
    }

    pub fn run() -> u8 {
        kernel(&[1; 8], 100_000)
    }
}

//@ panic | reject
mod hole_after_its_loop {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8], n: usize) -> u32 {
        let v = Block::external(v, [n]).cast::<u32>();
        let mut s = 0;
        for i in 0..n {
            s += v[[i]];
        }
        let i = 100_000usize;
        s + __shim_hole_2
    }

    pub fn run() -> u32 {
        kernel(&[1; 8], 8)
    }
}

// Inside of the loop, outside of the guard.
//@ panic | reject
mod hole_beside_its_guard {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8], n: usize) -> u32 {
        let v = Block::external(v, [8]).cast::<u32>();
        let mut s = 0;
        for i in 99_999..n {
            if i < 8 {
                s += v[[i]];
            }
            s += __shim_hole_1;
        }
        s
    }

    pub fn run() -> u32 {
        kernel(&[1; 8], 100_000)
    }
}

//@ panic | reject
mod hole_two_beside_its_guard {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8], n: usize, m: usize) -> u32 {
        let v = Block::external(v, [m]).cast::<u32>();
        let mut s = 0;
        for i in 99_999..n {
            if i < m {
                s += v[[i]];
            }
            s += __shim_hole_2;
        }
        s
    }

    pub fn run() -> u32 {
        kernel(&[1; 8], 100_000, 8)
    }
}

//@ reject
mod hole_that_is_none {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8], n: usize) -> u8 {
        let t = Block::external(v, [n]);
        t[[0]] + __shim_hole_99
    }

    pub fn run() -> u8 {
        kernel(&[1; 8], 8)
    }
}

//@ reject
mod hole_in_itself {
    use shim::prelude::*;

    fn id(n: usize) -> usize {
        n
    }

    #[shim::kernel]
    fn kernel(v: &[u8], n: usize) -> u8 {
        let v = Block::external(v, [n]);
        v[[id(__shim_hole_0)]]
    }

    pub fn run() -> u8 {
        kernel(&[1; 8], 8)
    }
}

//@ reject
mod hole_two_in_itself {
    use shim::prelude::*;

    fn id(n: usize) -> usize {
        n
    }

    #[shim::kernel]
    fn kernel(v: &[u8], n: usize) -> u8 {
        let v = Block::external(v, [n]);
        v[[id(__shim_hole_2)]]
    }

    pub fn run() -> u8 {
        kernel(&[1; 8], 8)
    }
}

//@ reject
mod holes_in_the_tokens_of_a_macro {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8], n: usize) -> usize {
        let v = Block::external(v, [n]);
        let a = v[[0]];
        stringify!(__shim_hole_0 __shim_hole_1 __shim_hole_77).len() + usize::from(a)
    }

    pub fn run() -> usize {
        kernel(&[1; 8], 8)
    }
}

//@ value | reject
mod hole_as_a_local {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8], n: usize) -> u8 {
        let __shim_hole_0 = 3;
        let v = Block::external(v, [n]);
        v[[__shim_hole_0]] + v[[1]]
    }

    pub fn run() -> u8 {
        kernel(&[1, 2, 3, 4, 5, 6, 7, 8], 8)
    }

    pub fn want() -> u8 {
        6
    }
}

//@ value | reject
mod hole_as_a_parameter {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8], __shim_hole_1: usize) -> u8 {
        let v = Block::external(v, [8]);
        let mut s = 0;
        for i in 0..8 {
            s += v[[i]];
        }
        s + v[[__shim_hole_1]]
    }

    pub fn run() -> u8 {
        kernel(&[1, 2, 3, 4, 5, 6, 7, 8], 2)
    }

    pub fn want() -> u8 {
        39
    }
}

//@ reject
mod raw_hole {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8], n: usize) -> u8 {
        let t = Block::external(v, [8]);
        let mut s = 0;
        if n < 8 {
            s += t[[n]];
        }
        s + r#__shim_hole_0
    }

    pub fn run() -> u8 {
        kernel(&[1; 8], 100_000)
    }
}

//@ reject
mod hole_in_a_template {
    use shim::prelude::*;

    #[shim::kernel]
    fn at(v: impl Tensor<u8, 1>, n: usize) -> u8 {
        let mut s = 0;
        if n < 8 {
            s += v[[n]];
        }
        s + __shim_hole_0 + __shim_hole_1
    }

    #[shim::kernel]
    fn kernel(v: &[u8], n: usize) -> u8 {
        let v = Block::external(v, [8]);
        at(v, n)
    }

    pub fn run() -> u8 {
        kernel(&[1; 8], 100_000)
    }
}

// Locals with the names that emitted locals have.
//@ value
mod names_of_emitted_locals {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8], n: usize) -> u32 {
        let (n_i, v_mem, v_base, i_end, value) = (100, 200, 300, 400, 500);
        let v = Block::external(v, [n, 2]).cast::<u32>();
        let part = v[[1..3, ..]];
        let (v_row, part_row, part_base, v_mem_2, n_i_2, i_end_2) = (1, 2, 3, 4, 5, 6);
        let mut s = 0;
        for i in 0..n {
            s += v[[i, 1]];
        }
        for i in 0..2 {
            let (v_row, part_row, i_end) = (100_000, 100_000, 100_000);
            s += part[[i, 0]] + v_row + part_row + i_end;
        }
        s + n_i + v_mem + v_base + i_end + value + v_row + part_row + part_base + v_mem_2 + n_i_2 + i_end_2
    }

    pub fn run() -> u32 {
        kernel(&[1; 16], 8)
    }

    pub fn want() -> u32 {
        8 + 2 + 600_000 + 1500 + 21
    }
}

// A constant may not be bound by a `let`: one with the name of an emitted local.
//@ value | reject
mod constants_with_the_names_of_emitted_locals {
    use shim::prelude::*;

    #[allow(non_upper_case_globals)]
    const n_i: usize = 5;
    #[allow(non_upper_case_globals)]
    const v_mem: usize = 5;
    #[allow(non_upper_case_globals)]
    const i_end: usize = 5;

    #[shim::kernel]
    fn kernel(v: &[u8], n: usize) -> u32 {
        let v = Block::external(v, [n]).cast::<u32>();
        let mut s = 0;
        for i in 0..n.min(100) {
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

//@ value
mod function_by_a_macro_with_the_name_of_the_choice_of_versions {
    use shim::prelude::*;

    macro_rules! items {
        () => {
            fn __shim_version<Body, A, B>(_: Body, _: A, _: B) -> u32 {
                1_000
            }
        };
    }
    items!();

    #[shim::kernel(simd)]
    fn kernel(v: &[u8], n: usize) -> u32 {
        items!();
        let v = Block::external(v, [n]).cast::<u32>();
        v.indices().map(|[i]| v[[i]]).sum::<u32>()
    }

    pub fn run() -> u32 {
        kernel(&[1; 8], 8)
    }

    pub fn want() -> u32 {
        8
    }
}

//@ value | reject
mod functions_with_the_names_of_variants {
    use shim::prelude::*;

    fn __shim_kernel_v3() -> u32 {
        3
    }
    fn __shim_kernel_v4() -> u32 {
        4
    }
    fn __shim_kernel_baseline() -> u32 {
        5
    }

    #[shim::kernel(simd)]
    fn kernel(v: &[u8], n: usize) -> u32 {
        let v = Block::external(v, [n]).cast::<u32>();
        v.indices().map(|[i]| v[[i]]).sum::<u32>()
            + __shim_kernel_v3()
            + __shim_kernel_v4()
            + __shim_kernel_baseline()
    }

    pub fn run() -> u32 {
        kernel(&[1; 8], 8)
    }

    pub fn want() -> u32 {
        20
    }
}

// `r#n` is `n`.
//@ panic | reject
mod raw_bound {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8], n: usize) -> u32 {
        let v = Block::external(v, [n]).cast::<u32>();
        let r#n = 100_000;
        let mut s = 0;
        for i in 0..n {
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

//@ panic
mod raw_loop_variable {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8], n: usize) -> u32 {
        let v = Block::external(v, [n]).cast::<u32>();
        let mut s = 0;
        for i in 0..n {
            for r#i in 100_000..100_001 {
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
mod raw_names_within_bounds {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(r#v: &[u8], r#n: usize) -> u32 {
        let r#t = Block::external(v, [n]).cast::<u32>();
        let mut s = 0;
        for r#i in 0..r#n {
            s += t[[i]];
        }
        for [i] in r#t.indices() {
            s += 10 * t[[r#i]];
        }
        s
    }

    pub fn run() -> u32 {
        kernel(&[1; 8], 8)
    }

    pub fn want() -> u32 {
        88
    }
}

//@ value
mod keywords_as_names {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(r#in: &[u8], r#type: usize) -> u32 {
        let r#loop = Block::external(r#in, [r#type]).cast::<u32>();
        let mut r#fn = 0;
        for r#for in 0..r#type {
            r#fn += r#loop[[r#for]];
        }
        for [r#match] in r#loop.indices() {
            r#fn += r#match as u32;
        }
        r#fn
    }

    pub fn run() -> u32 {
        kernel(&[1; 8], 8)
    }

    pub fn want() -> u32 {
        36
    }
}

//@ value
mod raw_function_and_template {
    use shim::prelude::*;

    #[shim::kernel]
    fn r#match(v: impl Tensor<u32, 1>, r#at: usize) -> u32 {
        v[[at]]
    }

    #[shim::kernel(simd)]
    fn r#loop(v: &[u8], r#const: usize) -> u32 {
        let v = Block::external(v, [8]).cast::<u32>();
        r#match(v, r#const)
    }

    pub fn run() -> u32 {
        r#loop(&[1, 2, 3, 4, 5, 6, 7, 8], 2)
    }

    pub fn want() -> u32 {
        3
    }
}

//@ value
mod raw_constant {
    use shim::prelude::*;

    const N: usize = 4;

    #[shim::kernel]
    fn kernel(v: &[u8]) -> u32 {
        const r#K: usize = 2;
        let v = Block::external(v, [r#N]).cast::<u32>();
        let mut s = v[[K]] * 100 + v[[r#K]];
        for i in 0..N {
            s += v[[i]];
        }
        s
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3, 4])
    }

    pub fn want() -> u32 {
        313
    }
}

//@ value
mod raw_unrolled_variable {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8]) -> u32 {
        let v = Block::external(v, [8]).cast::<u32>();
        let mut s = 0;
        #[unroll]
        for r#i in 0..4 {
            let k = 2 * i;
            s += v[[r#k]];
        }
        s
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3, 4, 5, 6, 7, 8])
    }

    pub fn want() -> u32 {
        16
    }
}

//@ value
mod raw_tensor_methods {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8], n: usize) -> u32 {
        let v = Block::r#external(v, [n]).r#cast::<u32>();
        let part = v.r#slice(0, 3);
        v.r#extent(0) as u32 + part[[]] * 0 + v.r#indices().r#map(|[i]| v[[i]]).r#sum::<u32>()
    }

    pub fn run() -> u32 {
        kernel(&[1; 8], 8)
    }

    pub fn want() -> u32 {
        16
    }
}

//@ value
mod raw_labels_and_names_of_shim {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8], n: usize) -> u32 {
        let v = r#Block::external(v, [n]).boundary(r#Clamp).cast::<r#u32>();
        let mut s = 0;
        'r#out: for i in 0..100 {
            if i > 9 {
                break 'r#out;
            }
            s += v[[i]];
        }
        s
    }

    pub fn run() -> u32 {
        kernel(&[1; 8], 8)
    }

    pub fn want() -> u32 {
        10
    }
}

// Names that differ for the eye alone.
//@ panic | reject
mod confusable_names {
    use shim::prelude::*;

    #[shim::kernel]
    #[allow(confusable_idents, uncommon_codepoints)]
    fn kernel(v: &[u8], n: usize, ո: usize) -> u32 {
        let v = Block::external(v, [n]).cast::<u32>();
        let mut s = 0;
        for i in 0..ո {
            if i > 90_000 {
                s += v[[i]];
            }
        }
        s
    }

    pub fn run() -> u32 {
        kernel(&[1; 8], 8, 100_000)
    }
}

// One name in two normal forms, which rustc takes for one.
//@ panic | reject
mod normal_forms_of_a_name {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8], é: usize) -> u32 {
        let v = Block::external(v, [é]).cast::<u32>();
        let é = 100_000;
        let mut s = 0;
        for i in 0..é {
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

//@ panic | reject
mod normal_forms_of_a_loop_variable {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8], n: usize) -> u32 {
        let v = Block::external(v, [n]).cast::<u32>();
        let mut s = 0;
        for é in 0..n {
            for é in 100_000usize..100_001 {
                s += v[[é]];
            }
        }
        s
    }

    pub fn run() -> u32 {
        kernel(&[1; 8], 8)
    }
}
