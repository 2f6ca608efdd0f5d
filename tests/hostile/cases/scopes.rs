//! Scopes of plain Rust that change what a name means: patterns, closures, labels, conditions, nested items.

//@ panic
mod closure_parameter {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8], n: usize) -> u32 {
        let v = Block::external(v, [n]).cast::<u32>();
        let last = |n: usize| v[[n - 1]];
        let mut s = 0;
        for i in 0..n {
            s += last(i + 1);
        }
        s + last(100_000)
    }

    pub fn run() -> u32 {
        kernel(&[1; 8], 8)
    }
}

//@ panic
mod closure_parameter_of_a_loop_variable {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8], n: usize) -> u32 {
        let v = Block::external(v, [n]).cast::<u32>();
        let mut s = 0;
        for i in 0..n {
            let far = |i: usize| v[[i]];
            s += far(i) + far(i + 100_000);
        }
        s
    }

    pub fn run() -> u32 {
        kernel(&[1; 8], 8)
    }
}

//@ panic
mod closure_that_grows_a_bound {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8], mut n: usize) -> u32 {
        let v = Block::external(v, [8]).cast::<u32>();
        let mut s = 0;
        let mut grow = || n += 100_000;
        grow();
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
mod closure_called_in_an_index {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8]) -> u32 {
        let v = Block::external(v, [8]).cast::<u32>();
        let mut k = 0;
        let mut next = || {
            k += 50_000;
            k - 50_000
        };
        v[[next()]] + v[[next()]]
    }

    pub fn run() -> u32 {
        kernel(&[1; 8])
    }
}

//@ panic
mod match_binding {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8], n: usize, o: Option<usize>) -> u32 {
        let v = Block::external(v, [n]).cast::<u32>();
        match o {
            Some(n) => v[[n - 1]],
            None => v[[n - 1]],
        }
    }

    pub fn run() -> u32 {
        kernel(&[1; 8], 8, Some(100_000))
    }
}

//@ panic
mod match_binding_at_an_or {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8], n: usize, r: Result<usize, usize>) -> u32 {
        let v = Block::external(v, [n]).cast::<u32>();
        match r {
            Ok(n @ 0..8) | Err(n) => v[[n]],
            Ok(_) => v[[n - 1]],
        }
    }

    pub fn run() -> u32 {
        kernel(&[1; 8], 8, Err(100_000))
    }
}

//@ panic
mod match_guard {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8], n: usize, k: usize) -> u32 {
        let v = Block::external(v, [n]).cast::<u32>();
        match k {
            n if n < 8 => v[[n]],
            n => v[[n]],
        }
    }

    pub fn run() -> u32 {
        kernel(&[1; 8], 8, 100_000)
    }
}

//@ panic
mod if_let_binding {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8], n: usize, o: Option<usize>) -> u32 {
        let v = Block::external(v, [n]).cast::<u32>();
        if let Some(n) = o { v[[n - 1]] } else { v[[n - 1]] }
    }

    pub fn run() -> u32 {
        kernel(&[1; 8], 8, Some(100_000))
    }
}

//@ panic
mod if_let_chain {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8], n: usize, o: Option<usize>) -> u32 {
        let v = Block::external(v, [8]).cast::<u32>();
        if n < 8
            && let Some(n) = o
            && n > 3
        {
            v[[n]]
        } else {
            v[[n]]
        }
    }

    pub fn run() -> u32 {
        kernel(&[1; 8], 3, Some(100_000))
    }
}

//@ value
mod if_let_chain_within_bounds {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8], n: usize, o: Option<usize>) -> u32 {
        let v = Block::external(v, [8]).cast::<u32>();
        let a = if n < 8
            && let Some(n) = o
            && n < 8
            && let k = n / 2
            && v[[k]] > 1
        {
            v[[n]] * 10 + v[[k]]
        } else {
            v[[n]]
        };
        a * 100 + v[[n]]
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3, 4, 5, 6, 7, 8], 3, Some(6))
    }

    pub fn want() -> u32 {
        7404
    }
}

//@ panic
mod let_else_binding {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8], n: usize, o: Option<usize>) -> u32 {
        let v = Block::external(v, [n]).cast::<u32>();
        let Some(n) = o else { return v[[n - 1]] };
        v[[n - 1]]
    }

    pub fn run() -> u32 {
        kernel(&[1; 8], 8, Some(100_000))
    }
}

//@ value
mod let_else_keeps_the_outer_name {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8], n: usize, o: Option<usize>) -> u32 {
        let v = Block::external(v, [8]).cast::<u32>();
        let Some(n) = o else { return v[[n]] };
        v[[n]] * 100
    }

    pub fn run() -> (u32, u32) {
        let v = [1, 2, 3, 4, 5, 6, 7, 8];
        (kernel(&v, 2, None), kernel(&v, 2, Some(5)))
    }

    pub fn want() -> (u32, u32) {
        (3, 600)
    }
}

//@ panic
mod while_let_binding {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8], n: usize, stack: &mut Vec<usize>) -> u32 {
        let v = Block::external(v, [n]).cast::<u32>();
        let mut s = v[[n - 1]];
        while let Some(n) = stack.pop() {
            s += v[[n]];
        }
        s
    }

    pub fn run() -> u32 {
        kernel(&[1; 8], 8, &mut vec![100_000, 3])
    }
}

//@ panic
mod for_over_a_slice {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8], n: usize, at: &[usize]) -> u32 {
        let v = Block::external(v, [n]).cast::<u32>();
        let mut s = v[[n - 1]];
        for &n in at {
            s += v[[n]];
        }
        s
    }

    pub fn run() -> u32 {
        kernel(&[1; 8], 8, &[3, 100_000])
    }
}

//@ value
mod scrutinee_sees_the_outer_name {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8], n: usize) -> u32 {
        let v = Block::external(v, [8]).cast::<u32>();
        let n = n + 1;
        let n = match v[[n]] {
            n if n > 100 => 0,
            n => n as usize,
        };
        let n = if let n @ 0..8 = n - 1 { v[[n]] } else { v[[n]] };
        n
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3, 4, 5, 6, 7, 8], 2)
    }

    pub fn want() -> u32 {
        4
    }
}

//@ panic
mod bound_of_a_loop_over_its_own_name {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8], n: usize) -> u32 {
        let v = Block::external(v, [n]).cast::<u32>();
        let mut s = 0;
        for n in n - 1..n + 1 {
            s += v[[n]];
        }
        s
    }

    pub fn run() -> u32 {
        kernel(&[1; 8], 8)
    }
}

//@ value
mod loops_over_their_own_names {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8], i: usize) -> u32 {
        let v = Block::external(v, [8]).cast::<u32>();
        let mut s = 0;
        for i in i..i + 2 {
            for i in i..i + 2 {
                for [i] in v[[i..i + 2]].indices() {
                    s += 10 * v[[i]];
                }
                s += v[[i]];
            }
        }
        s
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3, 4, 5, 6, 7, 8], 2)
    }

    pub fn want() -> u32 {
        let v = [1, 2, 3, 4, 5, 6, 7, 8u32];
        let i = 2;
        let mut s = 0;
        for i in i..i + 2 {
            for i in i..i + 2 {
                for i in 0..2 {
                    s += 10 * v[i];
                }
                s += v[i];
            }
        }
        s
    }
}

//@ panic
mod label_of_an_inner_loop {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8], n: usize) -> u32 {
        let v = Block::external(v, [8]).cast::<u32>();
        let mut s = 0;
        'a: for i in 0..n {
            'a: for j in 0..n {
                if j + i > 6 {
                    break 'a;
                }
                s += v[[i + j]];
            }
            if i > 8 {
                s += v[[i]];
            }
        }
        s
    }

    pub fn run() -> u32 {
        kernel(&[1; 8], 20)
    }
}

//@ value
mod labels_that_shadow {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8], n: usize) -> u32 {
        let v = Block::external(v, [8]).cast::<u32>();
        let mut s = 0;
        'a: for [i] in v.indices() {
            'a: loop {
                s += v[[i]];
                if s > 3 {
                    break 'a;
                }
                if s > 1 {
                    break;
                }
            }
            if i as usize > n {
                continue 'a;
            }
            s += 100;
        }
        s
    }

    pub fn run() -> u32 {
        kernel(&[1; 8], 2)
    }

    pub fn want() -> u32 {
        let v = [1u32; 8];
        let mut s = 0;
        'a: for i in 0..8 {
            'b: loop {
                s += v[i];
                if s > 3 {
                    break 'b;
                }
                if s > 1 {
                    break;
                }
            }
            if i > 2 {
                continue 'a;
            }
            s += 100;
        }
        s
    }
}

//@ value
mod labels_of_a_template_and_its_caller {
    use shim::prelude::*;

    #[shim::kernel]
    fn until(v: impl Tensor<u32, 1>, k: u32) -> u32 {
        let mut s = 0;
        'a: for [i] in v.indices() {
            'until: loop {
                if v[[i]] > k {
                    break 'a;
                }
                s += v[[i]];
                break 'until;
            }
        }
        s
    }

    #[shim::kernel]
    fn kernel(v: &[u8]) -> u32 {
        let v = Block::external(v, [8]).cast::<u32>();
        let mut s = 0;
        'until: for k in 0..9 {
            'a: loop {
                s += until(v, k);
                if k > 5 {
                    break 'until;
                }
                break 'a;
            }
        }
        s
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3, 4, 5, 6, 7, 8])
    }

    pub fn want() -> u32 {
        (0..=6).map(|k| (1..=k).sum::<u32>()).sum()
    }
}

//@ value
mod shadowed_before_and_after_a_view {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8], r: usize) -> u32 {
        let t = Block::external(v, [8]).cast::<u32>();
        let part = t[[r..r + 2]];
        let r = 100_000;
        let q = {
            let r = 3;
            t[[r..r + 2]][[1]]
        };
        part[[1]] * 100 + q + r * 0
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3, 4, 5, 6, 7, 8], 5)
    }

    pub fn want() -> u32 {
        705
    }
}

//@ panic
mod shadowed_extent {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8], n: usize) -> u32 {
        let v = Block::external(v, [n]).cast::<u32>();
        let n = n * 20_000;
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
mod shadowed_in_the_loop_after_its_use {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8], n: usize) -> u32 {
        let v = Block::external(v, [n]).cast::<u32>();
        let mut s = 0;
        for i in 0..n {
            s += v[[i]];
            let i = i + 100_000;
            s += v[[i]];
        }
        s
    }

    pub fn run() -> u32 {
        kernel(&[1; 8], 8)
    }
}

//@ panic
mod destructured {
    use shim::prelude::*;

    struct Size {
        n: usize,
        m: usize,
    }

    #[shim::kernel]
    fn kernel(v: &[u8], n: usize, size: Size) -> u32 {
        let v = Block::external(v, [n]).cast::<u32>();
        let Size { n: m, m: n } = size;
        v[[m]] + v[[n]]
    }

    pub fn run() -> u32 {
        kernel(&[1; 8], 8, Size { n: 3, m: 100_000 })
    }
}

//@ panic
mod struct_shorthand {
    use shim::prelude::*;

    struct Size {
        n: usize,
    }

    #[shim::kernel]
    fn kernel(v: &[u8], n: usize, size: Size) -> u32 {
        let v = Block::external(v, [n]).cast::<u32>();
        let Size { n } = size;
        v[[n]]
    }

    pub fn run() -> u32 {
        kernel(&[1; 8], 8, Size { n: 100_000 })
    }
}

//@ panic
mod assigned_by_destructuring {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8], mut n: usize, mut m: usize) -> u32 {
        let v = Block::external(v, [n]).cast::<u32>();
        let a = v[[n - 1]];
        (n, m) = (m, n);
        let mut s = a + v[[m - 1]];
        for i in 0..n {
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

//@ panic
mod assigned_through_a_reference {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8], mut n: usize) -> u32 {
        let v = Block::external(v, [n]).cast::<u32>();
        let r = &mut n;
        *r = 100_000;
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
mod assigned_through_a_method {
    use shim::prelude::*;

    trait Grow {
        fn grow(&mut self) -> usize;
    }
    impl Grow for usize {
        fn grow(&mut self) -> usize {
            *self += 100_000;
            0
        }
    }

    #[shim::kernel]
    fn kernel(v: &[u8], mut n: usize) -> u32 {
        let v = Block::external(v, [n]).cast::<u32>();
        let mut s = v[[n.grow()]];
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

// `min` by reference, with an effect, on what the compiler takes for std's.
//@ panic
mod assigned_through_a_method_with_the_name_of_a_pure_one {
    use shim::prelude::*;
    use std::cell::Cell;

    struct Counter(Cell<usize>);
    impl Counter {
        fn min(&self, _: usize) -> usize {
            self.0.set(self.0.get() + 50_000);
            self.0.get() - 50_000
        }
    }

    #[shim::kernel]
    fn kernel(v: &[u8], c: &Counter) -> u32 {
        let v = Block::external(v, [8]).cast::<u32>();
        v[[c.min(8)]] + v[[c.min(8)]]
    }

    pub fn run() -> u32 {
        kernel(&[1; 8], &Counter(Cell::new(0)))
    }
}

//@ panic
mod cell_in_a_bound {
    use shim::prelude::*;
    use std::cell::Cell;

    #[shim::kernel]
    fn kernel(v: &[u8], c: &Cell<usize>) -> u32 {
        let v = Block::external(v, [c.get()]).cast::<u32>();
        let mut s = 0;
        for i in 0..c.get() {
            s += v[[i]];
            c.set(100_000);
            if i + 1 < c.get() {
                s += v[[c.get() - 1]];
            }
        }
        s
    }

    pub fn run() -> u32 {
        kernel(&[1; 8], &Cell::new(8))
    }
}

//@ panic
mod field_that_changes {
    use shim::prelude::*;

    struct State {
        n: usize,
    }
    impl State {
        fn grow(&mut self) {
            self.n = 100_000;
        }

        #[shim::kernel]
        fn kernel(&mut self, v: &[u8]) -> u32 {
            let v = Block::external(v, [self.n]).cast::<u32>();
            let mut s = v[[self.n - 1]];
            self.grow();
            for i in 0..self.n {
                if i > 90_000 {
                    s += v[[i]];
                }
            }
            s
        }
    }

    pub fn run() -> u32 {
        State { n: 8 }.kernel(&[1; 8])
    }
}

// The place is a `Vec` that the user empties once the tensor is no longer used; then it is used again.
//@ reject
mod memory_that_shrinks {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(mut m: Vec<u8>) -> u8 {
        let v = Block::external(m, [8]);
        let a = v[[0]];
        m.clear();
        m.shrink_to_fit();
        a + v[[7]]
    }

    pub fn run() -> u8 {
        kernel(vec![1; 8])
    }
}

//@ panic
mod nested_function_with_a_parameter {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8], n: usize) -> u32 {
        fn far(n: usize) -> usize {
            n + 100_000
        }
        let v = Block::external(v, [n]).cast::<u32>();
        v[[far(n)]]
    }

    pub fn run() -> u32 {
        kernel(&[1; 8], 8)
    }
}

// A function item of the name of a local.
//@ panic | reject
mod function_of_the_name_of_a_parameter {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8], n: usize) -> u32 {
        let v = Block::external(v, [n]).cast::<u32>();
        {
            fn n() -> usize {
                100_000
            }
            v[[n()]]
        }
    }

    pub fn run() -> u32 {
        kernel(&[1; 8], 8)
    }
}

//@ value
mod nested_impl_and_struct {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8], n: usize) -> u32 {
        struct At {
            n: usize,
        }
        impl At {
            const N: usize = 1;
            fn n(&self, n: usize) -> usize {
                self.n + n - Self::N
            }
        }
        let v = Block::external(v, [n]).cast::<u32>();
        let at = At { n: 3 };
        v[[at.n]] * 100 + v[[at.n(2)]]
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3, 4, 5, 6, 7, 8], 8)
    }

    pub fn want() -> u32 {
        405
    }
}

// A tensor's name is hidden by an item of an inner block.
//@ value | reject
mod constant_of_a_tensor_s_name {
    use shim::prelude::*;

    #[shim::kernel]
    #[allow(non_upper_case_globals)]
    fn kernel(v: &[u8]) -> u8 {
        let t = Block::external(v, [8]);
        let a = {
            const t: [[u8; 2]; 2] = [[10, 20], [30, 40]];
            t[1][0]
        };
        a + t[[1]]
    }

    pub fn run() -> u8 {
        kernel(&[1, 2, 3, 4, 5, 6, 7, 8])
    }

    pub fn want() -> u8 {
        32
    }
}

//@ value | reject
mod static_of_a_tensor_s_name_is_indexed {
    use shim::prelude::*;
    use std::ops::Index;

    pub struct Table;
    impl Index<[usize; 1]> for Table {
        type Output = u8;
        fn index(&self, _: [usize; 1]) -> &u8 {
            &50
        }
    }

    #[shim::kernel]
    #[allow(non_upper_case_globals)]
    fn kernel(v: &[u8]) -> u8 {
        let t = Block::external(v, [8]);
        let a = {
            static t: Table = Table;
            t[[1]]
        };
        a + t[[1]]
    }

    pub fn run() -> u8 {
        kernel(&[1, 2, 3, 4, 5, 6, 7, 8])
    }

    pub fn want() -> u8 {
        52
    }
}

// `self` in a closure, a block and a nested function.
//@ value
mod generics_hidden_by_generics {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel<const N: usize>(v: &[u8; N]) -> usize {
        fn inner<const N: usize>() -> usize {
            N
        }
        let t = Block::external(v, [N]);
        t.extent(0) * 100 + inner::<3>() + usize::from(t[[N - 1]])
    }

    pub fn run() -> usize {
        kernel(&[1; 8])
    }

    pub fn want() -> usize {
        804
    }
}

// An unrolled loop's variable is a constant of the body; one that the user defines hides it.
//@ value
mod unrolled_variable_is_shadowed {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8], n: usize) -> u32 {
        let v = Block::external(v, [8]).cast::<u32>();
        let mut s = 0;
        #[unroll]
        for i in 0..3 {
            let k = i;
            let i = n;
            s = s * 10 + v[[i]] + v[[k]];
            if let Some(k) = Some(7usize) {
                s += v[[k]];
            }
        }
        s
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3, 4, 5, 6, 7, 8], 4)
    }

    pub fn want() -> u32 {
        ((6 + 8) * 10 + 7 + 8) * 10 + 8 + 8
    }
}

// Aliased memory is the borrow checker's business.
//@ reject
mod two_writable_blocks_of_one_memory {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(m: &mut [u8]) -> u8 {
        let a = Block::external(m, [8]);
        let b = Block::external(m, [4]);
        a[[0]] = 1;
        b[[0]] = 2;
        a[[0]]
    }

    pub fn run() -> u8 {
        kernel(&mut [1; 8])
    }
}

// A raw pointer needs an `unsafe fn`, which this crate cannot have.
//@ reject
mod raw_pointer_in_a_safe_function {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(m: *const u8) -> u8 {
        let a = Block::external(m, [8]);
        a[[0]]
    }

    pub fn run() -> u8 {
        kernel(&1)
    }
}

// A `return` of a closure, a `?`, a `break` with a value: the accesses behind them may not run.
//@ value
mod exits_before_accesses {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8], n: usize, o: Option<usize>) -> Option<u32> {
        let v = Block::external(v, [8]).cast::<u32>();
        let first = || {
            if n > 8 {
                return 0;
            }
            v[[n - 1]]
        };
        let a = first();
        let b = 'out: {
            if n > 8 {
                break 'out 1;
            }
            v[[n - 1]]
        };
        let k = o?;
        Some(a + b + v[[k + n]])
    }

    pub fn run() -> Option<u32> {
        kernel(&[1; 8], 100_000, None)
    }

    pub fn want() -> Option<u32> {
        None
    }
}

// Rust takes the type of `k` from the index of a slice, and so what it is one less than.
//@ value | reject
mod a_number_gets_its_type_elsewhere {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(data: &[u32], v: &[u32]) -> u32 {
        let v = Block::external(v, [8]);
        let k = 0;
        let mut s = data[k];
        for n in 0..=k.saturating_sub(1) {
            s += v[[n]] + 10;
        }
        s
    }

    pub fn run() -> u32 {
        kernel(&[1; 8], &[2; 8])
    }

    pub fn want() -> u32 {
        13
    }
}

// A split loop asks about a value that its body converts for itself.
//@ value
mod a_split_loop_asks_before_its_body {
    use shim::prelude::*;

    macro_rules! nothing {
        () => {};
    }

    #[shim::kernel]
    fn kernel(data: &[u32], m: usize) -> u32 {
        let t = Block::external(data, [m.max(5) / 2 + 38]);
        let mut s = 0u32;
        for [j] in t.indices() {
            s = s.wrapping_mul(31).wrapping_add(t[[m]]);
            for k in (1..7).step_by(2) {
                nothing!();
                s = s.wrapping_mul(31).wrapping_add(t[[m]] + (j + k) as u32);
            }
        }
        s
    }

    pub fn run() -> u32 {
        let data: [u32; 64] = core::array::from_fn(|i| i as u32);
        kernel(&data, 20)
    }

    pub fn want() -> u32 {
        let mut s = 0u32;
        for j in 0..48 {
            s = s.wrapping_mul(31).wrapping_add(20);
            for k in [1, 3, 5] {
                s = s.wrapping_mul(31).wrapping_add(20 + j + k);
            }
        }
        s
    }
}
