//! U3: what a user's macro expands to is unknown: it may define, assign and hide whatever it is given, and any item.

//@ panic | reject
mod defines_a_bound {
    use shim::prelude::*;

    macro_rules! set {
        ($n:ident, $e:expr) => {
            let $n = $e;
        };
    }

    #[shim::kernel]
    fn kernel(v: &[u8]) -> u32 {
        let n = v.len();
        let v = Block::external(v, [n]).cast::<u32>();
        let mut s = 0;
        set!(n, 100000usize);
        for i in 0..n {
            if i == 90000 {
                s += v[[i]];
            }
        }
        s
    }

    pub fn run() -> u32 {
        kernel(&[1; 8])
    }
}

//@ value | reject
mod defines_a_smaller_bound {
    use shim::prelude::*;

    macro_rules! set {
        ($n:ident, $e:expr) => {
            let $n = $e;
        };
    }

    #[shim::kernel]
    fn kernel(v: &[u8]) -> u32 {
        let n = v.len();
        let v = Block::external(v, [n]).cast::<u32>();
        let mut s = 0;
        set!(n, 3);
        for i in 0..n {
            s += v[[i]];
        }
        s * 100 + v[[n]]
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3, 4, 5, 6, 7, 8])
    }

    pub fn want() -> u32 {
        604
    }
}

//@ panic | reject
mod defines_the_loop_variable {
    use shim::prelude::*;

    macro_rules! set {
        ($n:ident, $e:expr) => {
            let $n = $e;
        };
    }

    #[shim::kernel]
    fn kernel(v: &[u8]) -> u32 {
        let v = Block::external(v, [8]).cast::<u32>();
        let mut s = 0;
        for i in 0..8 {
            set!(i, 100_000usize);
            s += v[[i]];
        }
        s
    }

    pub fn run() -> u32 {
        kernel(&[1; 8])
    }
}

//@ panic | reject
mod defines_the_index_variable {
    use shim::prelude::*;

    macro_rules! set {
        ($n:ident, $e:expr) => {
            let $n = $e;
        };
    }

    #[shim::kernel]
    fn kernel(v: &[u8], n: usize) -> u32 {
        let v = Block::external(v, [n]).cast::<u32>();
        let mut s = 0;
        for [i] in v.indices() {
            set!(i, 100_000usize);
            s += v[[i]];
        }
        s
    }

    pub fn run() -> u32 {
        kernel(&[1; 8], 8)
    }
}

//@ value | reject
mod defines_the_variable_of_an_unrolled_loop {
    use shim::prelude::*;

    macro_rules! set {
        ($n:ident, $e:expr) => {
            let $n = $e;
        };
    }

    #[shim::kernel]
    fn kernel(v: &[u8]) -> u32 {
        let v = Block::external(v, [8]).cast::<u32>();
        let mut s = 0;
        #[unroll]
        for i in 0..4 {
            s += v[[i]];
            set!(i, 7usize);
            s += 100 * v[[i]];
        }
        s
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3, 4, 5, 6, 7, 8])
    }

    pub fn want() -> u32 {
        3210
    }
}

//@ panic | reject
mod defines_in_a_template {
    use shim::prelude::*;

    macro_rules! set {
        ($n:ident, $e:expr) => {
            let $n = $e;
        };
    }

    #[shim::kernel]
    fn at(v: impl Tensor<u32, 1>, k: usize) -> u32 {
        set!(k, 100_000usize);
        v[[k]]
    }

    #[shim::kernel]
    fn kernel(v: &[u8]) -> u32 {
        let v = Block::external(v, [8]).cast::<u32>();
        at(v, 2)
    }

    pub fn run() -> u32 {
        kernel(&[1; 8])
    }
}

//@ value | reject
mod defines_a_static_argument_in_a_template {
    use shim::prelude::*;

    macro_rules! set {
        ($n:ident, $e:expr) => {
            let $n = $e;
        };
    }

    #[shim::kernel]
    fn at<const K: usize>(v: impl Tensor<u32, 1>) -> u32 {
        let k = K;
        set!(k, 5usize);
        v[[k]]
    }

    #[shim::kernel]
    fn kernel(v: &[u8]) -> u32 {
        let v = Block::external(v, [8]).cast::<u32>();
        at::<2>(v)
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3, 4, 5, 6, 7, 8])
    }

    pub fn want() -> u32 {
        6
    }
}

// The same with braces, which makes a macro a statement of its own.
//@ panic | reject
mod defines_in_braces {
    use shim::prelude::*;

    macro_rules! set {
        ($n:ident, $e:expr) => {
            let $n = $e;
        };
    }

    #[shim::kernel]
    fn kernel(v: &[u8]) -> u32 {
        let n = v.len();
        let v = Block::external(v, [n]).cast::<u32>();
        let mut s = 0;
        set! { n, 100000usize }
        for i in 0..n {
            if i == 90000 {
                s += v[[i]];
            }
        }
        s
    }

    pub fn run() -> u32 {
        kernel(&[1; 8])
    }
}

//@ panic | reject
mod defines_by_path {
    use shim::prelude::*;

    mod helpers {
        macro_rules! set {
            ($n:ident, $e:expr) => {
                let $n = $e;
            };
        }
        pub(crate) use set;
    }

    #[shim::kernel]
    fn kernel(v: &[u8]) -> u32 {
        let n = v.len();
        let v = Block::external(v, [n]).cast::<u32>();
        let mut s = 0;
        self::helpers::set!(n, 100000usize);
        for i in 0..n {
            if i == 90000 {
                s += v[[i]];
            }
        }
        s
    }

    pub fn run() -> u32 {
        kernel(&[1; 8])
    }
}

//@ panic | reject
mod defines_by_a_macro_of_the_body {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8]) -> u32 {
        macro_rules! set {
            ($n:ident, $e:expr) => {
                let $n = $e;
            };
        }
        let n = v.len();
        let v = Block::external(v, [n]).cast::<u32>();
        let mut s = 0;
        set!(n, 100000usize);
        for i in 0..n {
            if i == 90000 {
                s += v[[i]];
            }
        }
        s
    }

    pub fn run() -> u32 {
        kernel(&[1; 8])
    }
}

// A pattern that names more than one.
//@ panic | reject
mod defines_by_a_pattern {
    use shim::prelude::*;

    macro_rules! swap {
        ($a:ident, $b:ident) => {
            let ($a, $b) = ($b, $a);
        };
    }

    #[shim::kernel]
    fn kernel(v: &[u8], n: usize, m: usize) -> u32 {
        let v = Block::external(v, [n]).cast::<u32>();
        let mut s = 0;
        swap!(n, m);
        for i in 0..n {
            if i == 90000 {
                s += v[[i]];
            }
        }
        s + v[[m - 1]]
    }

    pub fn run() -> u32 {
        kernel(&[1; 8], 8, 100_000)
    }
}

// The name stands within a longer expression.
//@ panic | reject
mod defines_a_name_among_tokens {
    use shim::prelude::*;

    macro_rules! where_is {
        (let the $n:ident be $e:expr, please) => {
            let $n = $e;
        };
    }

    #[shim::kernel]
    fn kernel(v: &[u8], n: usize) -> u32 {
        let v = Block::external(v, [n]).cast::<u32>();
        where_is!(let the n be 100_000usize, please);
        let mut s = 0;
        for i in 0..n {
            if i == 90000 {
                s += v[[i]];
            }
        }
        s
    }

    pub fn run() -> u32 {
        kernel(&[1; 8], 8)
    }
}

// No name is given to it, and yet items have no hygiene.
//@ panic | reject
mod defines_a_constant {
    use shim::prelude::*;

    const N: usize = 8;

    macro_rules! enlarge {
        () => {
            const N: usize = 100_000;
        };
    }

    #[shim::kernel]
    fn kernel(v: &[u8]) -> u32 {
        let v = Block::external(v, [N]).cast::<u32>();
        let mut s = 0;
        {
            enlarge!();
            for i in 0..N {
                if i == 90000 {
                    s += v[[i]];
                }
            }
        }
        s
    }

    pub fn run() -> u32 {
        kernel(&[1; 8])
    }
}

// Even after its use.
//@ panic | reject
mod defines_a_constant_at_the_end {
    use shim::prelude::*;

    const N: usize = 8;

    macro_rules! enlarge {
        () => {
            const N: usize = 100_000;
        };
    }

    #[shim::kernel]
    fn kernel(v: &[u8]) -> u32 {
        let v = Block::external(v, [N]).cast::<u32>();
        let mut s = 0;
        {
            for i in 0..N {
                if i == 90000 {
                    s += v[[i]];
                }
            }
            enlarge!();
        }
        s
    }

    pub fn run() -> u32 {
        kernel(&[1; 8])
    }
}

// A constant of the body is static to the compiler; one from a macro is nearer.
//@ panic | reject
mod defines_a_constant_over_a_static_one {
    use shim::prelude::*;

    macro_rules! enlarge {
        () => {
            const K: usize = 100_000;
        };
    }

    #[shim::kernel]
    fn kernel(v: &[u8]) -> u32 {
        const K: usize = 3;
        let v = Block::external(v, [8]).cast::<u32>();
        let mut s = v[[K]];
        {
            enlarge!();
            s += v[[K]];
        }
        s
    }

    pub fn run() -> u32 {
        kernel(&[1; 8])
    }
}

//@ value | reject
mod defines_a_constant_over_a_local {
    use shim::prelude::*;

    macro_rules! choose {
        () => {
            #[allow(non_upper_case_globals)]
            const k: usize = 5;
        };
    }

    #[shim::kernel]
    fn kernel(v: &[u8], k: usize) -> u32 {
        let v = Block::external(v, [8]).cast::<u32>();
        let s = v[[k]];
        {
            choose!();
            s * 100 + v[[k]]
        }
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3, 4, 5, 6, 7, 8], 2)
    }

    pub fn want() -> u32 {
        306
    }
}

//@ panic | reject
mod imports_a_constant {
    use shim::prelude::*;

    use hostile_chroma::BLOCK;

    macro_rules! other {
        () => {
            use hostile_luma::BLOCK;
        };
    }

    #[shim::kernel]
    fn kernel(v: &[u8]) -> u32 {
        let v = Block::external(v, [BLOCK]).cast::<u32>();
        let mut s = 0;
        {
            other!();
            for i in 0..BLOCK {
                s += v[[i]];
            }
        }
        s
    }

    pub fn run() -> u32 {
        kernel(&[1; 8])
    }
}

//@ panic | reject
mod defines_a_primitive_type {
    use shim::prelude::*;

    macro_rules! narrow {
        () => {
            #[allow(non_camel_case_types)]
            type isize = i8;
        };
    }

    #[shim::kernel]
    fn kernel(v: &[u8], n: usize) -> u32 {
        narrow!();
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
mod defines_a_primitive_type_within_bounds {
    use shim::prelude::*;

    macro_rules! narrow {
        () => {
            #[allow(non_camel_case_types)]
            type isize = i8;
        };
    }

    #[shim::kernel]
    fn kernel(v: &[u8], n: usize) -> u32 {
        narrow!();
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

//@ reject
mod defines_over_a_tensor {
    use shim::prelude::*;

    macro_rules! set {
        ($n:ident, $e:expr) => {
            let $n = $e;
        };
    }

    #[shim::kernel]
    fn kernel(v: &[u8]) -> u8 {
        let t = Block::external(v, [8]);
        set!(t, [[1u8, 2], [3, 4]]);
        t[[0]]
    }

    pub fn run() -> u8 {
        kernel(&[1; 8])
    }
}

// The tensor's name is within the macro alone: a local of the same text, but of another hygiene.
//@ value | reject
mod local_of_a_macro_with_a_tensor_s_name {
    use shim::prelude::*;

    macro_rules! five {
        () => {{
            let t = 5u8;
            t
        }};
    }

    #[shim::kernel]
    fn kernel(v: &[u8]) -> u8 {
        let t = Block::external(v, [8]);
        five!() + t[[0]]
    }

    pub fn run() -> u8 {
        kernel(&[1; 8])
    }

    pub fn want() -> u8 {
        6
    }
}

//@ panic | reject
mod assigns_a_bound {
    use shim::prelude::*;

    macro_rules! bump {
        ($n:ident) => {
            $n += 100_000;
        };
    }

    #[shim::kernel]
    fn kernel(v: &[u8]) -> u32 {
        let mut n = v.len();
        let v = Block::external(v, [n]).cast::<u32>();
        let mut s = 0;
        bump!(n);
        for i in 0..n {
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

// As an expression, where its value is wanted.
//@ panic | reject
mod assigns_within_an_expression {
    use shim::prelude::*;

    macro_rules! bump {
        ($n:ident) => {{
            $n += 100_000;
            0
        }};
    }

    #[shim::kernel]
    fn kernel(v: &[u8]) -> u32 {
        let mut n = 3;
        let v = Block::external(v, [8]).cast::<u32>();
        let a = v[[n]] + bump!(n);
        a + v[[n]]
    }

    pub fn run() -> u32 {
        kernel(&[1; 8])
    }
}

//@ panic | reject
mod assigns_within_an_index {
    use shim::prelude::*;

    macro_rules! bump {
        ($n:ident) => {{
            $n += 50_000;
            $n
        }};
    }

    #[shim::kernel]
    fn kernel(v: &[u8]) -> u32 {
        let mut n = 3;
        let v = Block::external(v, [8, 100_000]).cast::<u32>();
        v[[0, bump!(n)]] + v[[0, bump!(n)]]
    }

    pub fn run() -> u32 {
        kernel(&[1; 800_000])
    }
}

//@ panic | reject
mod assigns_inside_a_loop {
    use shim::prelude::*;

    macro_rules! bump {
        ($n:ident) => {
            $n += 10_000
        };
    }

    #[shim::kernel]
    fn kernel(v: &[u8]) -> u32 {
        let mut n = 0;
        let v = Block::external(v, [8]).cast::<u32>();
        let mut s = 0;
        for i in 0..4 {
            s += v[[i + n]];
            bump!(n);
        }
        s
    }

    pub fn run() -> u32 {
        kernel(&[1; 8])
    }
}

//@ panic | reject
mod shadows_inside_a_nested_loop {
    use shim::prelude::*;

    macro_rules! set {
        ($n:ident, $e:expr) => {
            let $n = $e;
        };
    }

    #[shim::kernel]
    fn kernel(v: &[u8], h: usize, w: usize) -> u32 {
        let t = Block::external(v, [h, w]).cast::<u32>();
        let mut s = 0;
        for y in 0..h {
            set!(w, 100_000);
            for x in 0..w {
                if x > 90_000 {
                    s += t[[y, x]];
                }
            }
        }
        s
    }

    pub fn run() -> u32 {
        kernel(&[1; 8], 2, 4)
    }
}

// A macro as a pattern, a type, a bound, an extent.
//@ value | reject
mod as_a_pattern {
    use shim::prelude::*;

    macro_rules! pair {
        ($a:ident) => {
            ($a, _)
        };
    }

    #[shim::kernel]
    fn kernel(v: &[u8], n: usize) -> u32 {
        let v = Block::external(v, [8]).cast::<u32>();
        let pair!(n) = (n + 1, 0);
        v[[n]]
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3, 4, 5, 6, 7, 8], 2)
    }

    pub fn want() -> u32 {
        4
    }
}

//@ panic | reject
mod as_a_pattern_out_of_bounds {
    use shim::prelude::*;

    macro_rules! pair {
        ($a:ident) => {
            ($a, _)
        };
    }

    #[shim::kernel]
    fn kernel(v: &[u8], n: usize) -> u32 {
        let v = Block::external(v, [n]).cast::<u32>();
        let pair!(n) = (n + 100_000, 0);
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

//@ panic | reject
mod as_a_pattern_of_a_match {
    use shim::prelude::*;

    macro_rules! bind {
        ($a:ident) => {
            Some($a)
        };
    }

    #[shim::kernel]
    fn kernel(v: &[u8], n: usize, o: Option<usize>) -> u32 {
        let v = Block::external(v, [n]).cast::<u32>();
        let mut s = 0;
        match o {
            bind!(n) => {
                for i in 0..n {
                    if i > 90_000 {
                        s += v[[i]];
                    }
                }
            }
            None => {}
        }
        s
    }

    pub fn run() -> u32 {
        kernel(&[1; 8], 8, Some(100_000))
    }
}

//@ panic | reject
mod as_a_pattern_of_if_let {
    use shim::prelude::*;

    macro_rules! bind {
        ($a:ident) => {
            Some($a)
        };
    }

    #[shim::kernel]
    fn kernel(v: &[u8], n: usize, o: Option<usize>) -> u32 {
        let v = Block::external(v, [n]).cast::<u32>();
        let mut s = 0;
        if let bind!(n) = o {
            for i in 0..n {
                if i > 90_000 {
                    s += v[[i]];
                }
            }
        }
        s
    }

    pub fn run() -> u32 {
        kernel(&[1; 8], 8, Some(100_000))
    }
}

//@ panic | reject
mod as_the_pattern_of_a_for {
    use shim::prelude::*;

    macro_rules! bind {
        ($a:ident) => {
            (_, $a)
        };
    }

    #[shim::kernel]
    fn kernel(v: &[u8], n: usize) -> u32 {
        let v = Block::external(v, [n]).cast::<u32>();
        let mut s = 0;
        for bind!(n) in [(0, 100_000usize)] {
            for i in 0..n {
                if i > 90_000 {
                    s += v[[i]];
                }
            }
        }
        s
    }

    pub fn run() -> u32 {
        kernel(&[1; 8], 8)
    }
}

//@ panic | reject
mod as_the_parameter_of_a_closure {
    use shim::prelude::*;

    macro_rules! bind {
        ($a:ident) => {
            $a
        };
    }

    #[shim::kernel]
    fn kernel(v: &[u8], n: usize) -> u32 {
        let v = Block::external(v, [n]).cast::<u32>();
        let last = |bind!(n): usize| v[[n - 1]];
        last(100_000)
    }

    pub fn run() -> u32 {
        kernel(&[1; 8], 8)
    }
}

//@ panic | reject
mod as_an_extent_that_changes {
    use shim::prelude::*;
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

    static NEXT: AtomicUsize = AtomicUsize::new(0);

    macro_rules! next {
        () => {
            [8, 100_000][NEXT.fetch_add(1, Relaxed) & 1]
        };
    }

    #[shim::kernel]
    fn kernel(v: &[u8]) -> u32 {
        let v = Block::external(v, [next!()]).cast::<u32>();
        let mut s = 0;
        for i in 0..next!() {
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

// Called once for an extent, once for each bound, once for each index.
//@ value | reject
mod evaluated_once {
    use shim::prelude::*;
    use std::cell::Cell;

    thread_local!(static CALLS: Cell<usize> = const { Cell::new(0) });

    macro_rules! counted {
        ($e:expr) => {{
            CALLS.set(CALLS.get() + 1);
            $e
        }};
    }

    #[shim::kernel]
    fn kernel(v: &[u8]) -> u32 {
        let v = Block::external(v, [counted!(8)]).cast::<u32>();
        let part = v[[counted!(2)..counted!(6)]];
        let mut s = 0;
        for i in 0..counted!(4) {
            s += part[[i]] + part[[counted!(0)]];
        }
        s
    }

    pub fn run() -> (u32, usize) {
        CALLS.set(0);
        (kernel(&[1, 2, 3, 4, 5, 6, 7, 8]), CALLS.get())
    }

    pub fn want() -> (u32, usize) {
        (3 + 4 + 5 + 6 + 12, 8)
    }
}

//@ reject
mod sees_no_tensor {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8]) -> u8 {
        let t = Block::external(v, [8]);
        macro_rules! at {
            ($i:expr) => {
                t[[$i]]
            };
        }
        at!(3)
    }

    pub fn run() -> u8 {
        kernel(&[1; 8])
    }
}

// A macro of the body means the `n` where it is defined.
//@ panic | reject
mod remembers_its_definition {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8]) -> u32 {
        let n = 100_000;
        macro_rules! end {
            () => {
                n
            };
        }
        let n = v.len();
        let v = Block::external(v, [n]).cast::<u32>();
        let mut s = 0;
        for i in 0..end!() {
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

//@ value | reject
mod remembers_a_smaller_definition {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8]) -> u32 {
        let n = 2;
        macro_rules! end {
            () => {
                n
            };
        }
        let n = v.len();
        let v = Block::external(v, [n]).cast::<u32>();
        let mut s = 0;
        for i in 0..end!() {
            s += v[[i]];
        }
        s * 10 + n as u32
    }

    pub fn run() -> u32 {
        kernel(&[1; 8])
    }

    pub fn want() -> u32 {
        28
    }
}

// The kernel's constants, loop bounds and extents are all there is to see in the macro's arguments.
//@ value | reject
mod reads_an_index_variable {
    use shim::prelude::*;

    macro_rules! twice {
        ($e:expr) => {
            2 * $e
        };
    }

    #[shim::kernel]
    fn kernel(v: &[u8], n: usize) -> i32 {
        let v = Block::external(v, [n]).cast::<i32>();
        let mut s = 0;
        for [i] in v.indices() {
            s += twice!(i) + v[[i]];
        }
        s
    }

    pub fn run() -> i32 {
        kernel(&[1; 8], 8)
    }

    pub fn want() -> i32 {
        64
    }
}

// A variable of an unrolled loop, seen by a macro.
//@ value | reject
mod reads_a_static_variable {
    use shim::prelude::*;

    macro_rules! twice {
        ($e:expr) => {
            2 * $e
        };
    }

    #[shim::kernel]
    fn kernel(v: &[u8]) -> i32 {
        let v = Block::external(v, [8]).cast::<i32>();
        let mut s = 0;
        #[unroll]
        for i in 0..4 {
            s += twice!(i) + v[[i]];
        }
        s
    }

    pub fn run() -> i32 {
        kernel(&[1; 8])
    }

    pub fn want() -> i32 {
        16
    }
}

// The macro leaves the loop or the kernel.
//@ value | reject
mod leaves_the_loop {
    use shim::prelude::*;

    macro_rules! leave_if {
        ($e:expr) => {
            if $e {
                break;
            }
        };
    }

    #[shim::kernel]
    fn kernel(v: &[u8]) -> u32 {
        let v = Block::external(v, [8]).cast::<u32>();
        let mut s = 0;
        for i in 0..100 {
            leave_if!(i >= 8);
            s += v[[i]];
        }
        s
    }

    pub fn run() -> u32 {
        kernel(&[1; 8])
    }

    pub fn want() -> u32 {
        8
    }
}

//@ value | reject
mod leaves_the_template {
    use shim::prelude::*;

    macro_rules! leave_if {
        ($e:expr) => {
            if $e {
                return 7;
            }
        };
    }

    #[shim::kernel]
    fn at(v: impl Tensor<u32, 1>, k: usize) -> u32 {
        leave_if!(k >= 8);
        v[[k]]
    }

    #[shim::kernel]
    fn kernel(v: &[u8]) -> u32 {
        let v = Block::external(v, [8]).cast::<u32>();
        at(v, 100) * 10 + at(v, 1)
    }

    pub fn run() -> u32 {
        kernel(&[1; 8])
    }

    pub fn want() -> u32 {
        71
    }
}

// A macro in a pattern binds a name of which the value was known.
//@ value
mod macros_in_patterns_over_static_values {
    use shim::prelude::*;

    macro_rules! first {
        ($n:ident) => {
            ($n, _)
        };
    }
    macro_rules! some {
        ($n:ident) => {
            Some($n)
        };
    }

    #[shim::kernel]
    fn kernel(v: &[u8], k: usize) -> u32 {
        let v = Block::external(v, [8]).cast::<u32>();
        let mut s = 0;
        {
            let n = 1;
            s = s * 10 + v[[n]];
            let first!(n) = (k, 0);
            s = s * 10 + v[[n]];
        }
        match 5 {
            n if n < 6 => {
                let first!(n) = (k + 1, 0);
                s = s * 10 + v[[n]];
            }
            _ => {}
        }
        #[unroll]
        for n in 0..1 {
            if let some!(n) = Some(k + 2) {
                s = s * 10 + v[[n]];
            }
            let at = |first!(n): (usize, usize)| v[[n]];
            s = s * 10 + at((k + 3, 0));
            s = s * 10 + v[[n]];
        }
        for [n] in v.indices() {
            let first!(n) = (k + 4, 0);
            s += v[[n]];
        }
        s
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3, 4, 5, 6, 7, 8], 2)
    }

    pub fn want() -> u32 {
        234_561 + 8 * 7
    }
}
