//! `unsafe` in kernels of crates that forbid it: rustc finds it wherever it is written.

//@ reject
mod a_tail {
    #![forbid(unsafe_code)]

    #[shim::kernel]
    fn kernel(w: &[u32], n: usize) -> u32 {
        unsafe { *w.get_unchecked(n) }
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3, 4], 2)
    }
}

//@ reject
mod a_tail_in_versions {
    #![forbid(unsafe_code)]

    #[shim::kernel(simd)]
    fn kernel(w: &[u32], n: usize) -> u32 {
        unsafe { *w.get_unchecked(n) }
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3, 4], 2)
    }
}

//@ reject
mod a_statement {
    #![forbid(unsafe_code)]

    #[shim::kernel]
    fn kernel(w: &[u32], n: usize) -> u32 {
        let a = unsafe { *w.get_unchecked(n) };
        a
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3, 4], 2)
    }
}

//@ reject
mod an_index {
    #![forbid(unsafe_code)]

    #[shim::kernel]
    fn kernel(#[shape(w.len())] w: &[u32], n: usize) -> u32 {
        w[[unsafe { n.unchecked_add(1) }]]
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3, 4], 2)
    }
}

//@ reject
mod a_loop {
    #![forbid(unsafe_code)]

    #[shim::kernel]
    fn kernel(w: &[u32], n: usize) -> u32 {
        let mut s = 0;
        for i in 0..n {
            s += unsafe { *w.get_unchecked(i) };
        }
        s
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3, 4], 2)
    }
}

//@ reject
mod a_loop_in_versions {
    #![forbid(unsafe_code)]

    #[shim::kernel(simd)]
    fn kernel(w: &[u32], n: usize) -> u32 {
        let mut s = 0;
        for i in 0..n {
            s += unsafe { *w.get_unchecked(i) };
        }
        s
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3, 4], 2)
    }
}

//@ reject
mod an_unrolled_loop {
    #![forbid(unsafe_code)]

    #[shim::kernel]
    fn kernel(w: &[u32], n: usize) -> u32 {
        let mut s = 0;
        #[unroll]
        for i in 0..3 {
            s += unsafe { *w.get_unchecked(i) };
        }
        s
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3, 4], 2)
    }
}

//@ reject
mod a_closure {
    #![forbid(unsafe_code)]

    #[shim::kernel]
    fn kernel(w: &[u32], n: usize) -> u32 {
        let at = |i: usize| unsafe { *w.get_unchecked(i) };
        at(n)
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3, 4], 2)
    }
}

//@ reject
mod a_condition {
    #![forbid(unsafe_code)]

    #[shim::kernel]
    fn kernel(w: &[u32], n: usize) -> u32 {
        if unsafe { *w.get_unchecked(n) } > 3 { 1 } else { 2 }
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3, 4], 2)
    }
}

//@ reject
mod an_arm {
    #![forbid(unsafe_code)]

    #[shim::kernel]
    fn kernel(w: &[u32], n: usize) -> u32 {
        match n {
            0 => unsafe { *w.get_unchecked(n) },
            _ => 3,
        }
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3, 4], 2)
    }
}

//@ reject
mod a_labeled_block {
    #![forbid(unsafe_code)]

    #[shim::kernel]
    fn kernel(w: &[u32], n: usize) -> u32 {
        'a: {
            if n > 3 {
                break 'a unsafe { *w.get_unchecked(n) };
            }
            3
        }
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3, 4], 2)
    }
}

//@ reject
mod an_assertion {
    #![forbid(unsafe_code)]

    #[shim::kernel]
    fn kernel(w: &[u32], n: usize) -> u32 {
        assert!(unsafe { *w.get_unchecked(n) } > 3);
        w[n]
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3, 4], 2)
    }
}

//@ reject
mod an_elementwise_assignment {
    #![forbid(unsafe_code)]

    #[shim::kernel]
    fn kernel(#[shape(4)] v: &mut [u32], w: &[u32], n: usize) {
        let [i] = iters();
        v[[i]] = unsafe { *w.get_unchecked(n) };
    }

    pub fn run() -> u32 {
        {
            let mut v = [0; 4];
            kernel(&mut v, &[1, 2, 3, 4], 2);
            v[0]
        }
    }
}

//@ reject
mod a_reduction {
    #![forbid(unsafe_code)]

    #[shim::kernel]
    fn kernel(#[shape(w.len())] w: &[u32], n: usize) -> u32 {
        w.indices().map(|[i]| w[[i]] + unsafe { n.unchecked_add(1) } as u32).sum()
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3, 4], 2)
    }
}

//@ reject
mod a_shape {
    #![forbid(unsafe_code)]

    #[shim::kernel]
    fn kernel(#[shape(unsafe { n.unchecked_add(1) })] w: &[u32], n: usize) -> u32 {
        w[[0]]
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3, 4], 2)
    }
}

//@ reject
mod an_unsafe_kernel {
    #![forbid(unsafe_code)]

    #[shim::kernel]
    unsafe fn kernel(w: &[u32], n: usize) -> u32 {
        w[n]
    }

    pub fn run() -> u32 {
        3
    }
}

//@ reject
mod an_unsafe_kernel_in_versions {
    #![forbid(unsafe_code)]

    #[shim::kernel(simd)]
    unsafe fn kernel(w: &[u32], n: usize) -> u32 {
        w[n]
    }

    pub fn run() -> u32 {
        3
    }
}

//@ reject
mod a_while {
    #![forbid(unsafe_code)]

    #[shim::kernel]
    fn kernel(w: &[u32], mut n: usize) -> u32 {
        while unsafe { *w.get_unchecked(n) } > 3 {
            n += 1;
        }
        3
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3, 4], 2)
    }
}

//@ reject
mod a_template {
    #![forbid(unsafe_code)]

    use shim::prelude::*;

    #[shim::kernel]
    fn at(v: impl Tensor<u32, 1>, w: &[u32], n: usize) -> u32 {
        v[[0]] + unsafe { *w.get_unchecked(n) }
    }

    #[shim::kernel]
    fn kernel(#[shape(4)] v: &[u32], w: &[u32], n: usize) -> u32 {
        at(v, w, n)
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3, 4], &[1, 2, 3, 4], 2)
    }
}

//@ reject
mod a_method {
    #![forbid(unsafe_code)]

    struct Table;

    impl Table {
        #[shim::kernel]
        unsafe fn kernel(&self, w: &[u32], n: usize) -> u32 {
            w[n]
        }
    }

    pub fn run() -> u32 {
        3
    }
}

//@ value
mod a_kernel_without_it {
    #![forbid(unsafe_code)]

    #[shim::kernel(simd)]
    fn kernel(#[shape(4)] v: &mut [u32], n: usize) -> u32 {
        for i in 0..4 {
            v[[i]] += n as u32;
        }
        v.indices().map(|[i]| v[[i]]).sum()
    }

    pub fn run() -> u32 {
        kernel(&mut [1, 2, 3, 4], 2)
    }

    pub fn want() -> u32 {
        18
    }
}
