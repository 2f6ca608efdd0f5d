//! Macros of the user's with the names of std's: they do what the user says, and the kernel may not assume otherwise.

//@ panic | reject
mod println_defines {
    use shim::prelude::*;

    macro_rules! println {
        ($n:ident, $e:expr) => {
            let $n = $e;
        };
    }

    #[shim::kernel]
    fn kernel(v: &[u8], n: usize) -> u32 {
        let v = Block::external(v, [n]).cast::<u32>();
        println!(n, 100_000usize);
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
mod assert_defines {
    use shim::prelude::*;

    macro_rules! assert {
        ($n:ident, $e:expr) => {
            let $n = $e;
        };
    }

    #[shim::kernel]
    fn kernel(v: &[u8], n: usize) -> u32 {
        let v = Block::external(v, [n]).cast::<u32>();
        assert!(n, 100_000usize);
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
mod assert_tests_nothing {
    use shim::prelude::*;

    macro_rules! assert {
        ($($t:tt)*) => {};
    }

    #[shim::kernel]
    fn kernel(v: &[u8], k: usize) -> u32 {
        let v = Block::external(v, [8]).cast::<u32>();
        assert!(k < 8);
        v[[k]]
    }

    pub fn run() -> u32 {
        kernel(&[1; 8], 100_000)
    }
}

//@ panic | reject
mod panic_goes_on {
    use shim::prelude::*;

    macro_rules! panic {
        ($($t:tt)*) => {
            ()
        };
    }

    #[shim::kernel]
    fn kernel(v: &[u8], k: usize) -> u32 {
        let v = Block::external(v, [8]).cast::<u32>();
        if k >= 8 {
            panic!("too large");
        }
        v[[k]]
    }

    pub fn run() -> u32 {
        kernel(&[1; 8], 100_000)
    }
}

//@ panic | reject
mod unreachable_goes_on {
    use shim::prelude::*;

    macro_rules! unreachable {
        () => {
            100_000
        };
    }

    #[shim::kernel]
    fn kernel(v: &[u8], k: usize) -> u32 {
        let v = Block::external(v, [8]).cast::<u32>();
        let at = match k {
            0 => 3,
            _ => unreachable!(),
        };
        v[[at]]
    }

    pub fn run() -> u32 {
        kernel(&[1; 8], 1)
    }
}

//@ value | reject
mod matches_is_the_contrary {
    use shim::prelude::*;

    macro_rules! matches {
        ($e:expr, $p:pat) => {
            !::core::matches!($e, $p)
        };
    }

    #[shim::kernel]
    fn kernel(v: &[u8]) -> bool {
        let v = Block::external(v, [8]);
        matches!(v[[0]], 1)
    }

    pub fn run() -> bool {
        kernel(&[1; 8])
    }

    pub fn want() -> bool {
        false
    }
}

//@ value | reject
mod matches_without_tensors {
    use shim::prelude::*;

    macro_rules! matches {
        ($e:expr, $p:pat) => {
            !::core::matches!($e, $p)
        };
    }

    #[shim::kernel]
    fn kernel(v: &[u8], k: usize) -> u8 {
        let v = Block::external(v, [8]);
        if matches!(k, 0..8) { 77 } else { v[[k]] }
    }

    pub fn run() -> u8 {
        kernel(&[1; 8], 3)
    }

    pub fn want() -> u8 {
        1
    }
}

//@ value | reject
mod vec_has_its_own_length {
    use shim::prelude::*;

    macro_rules! vec {
        ($e:expr; $n:expr) => {
            ::std::vec![$e; $n + 1]
        };
    }

    #[shim::kernel]
    fn kernel(v: &[u8]) -> usize {
        let v = Block::external(v, [8]);
        let w = vec![v[[0]]; 3];
        w.len()
    }

    pub fn run() -> usize {
        kernel(&[1; 8])
    }

    pub fn want() -> usize {
        4
    }
}

// The arguments are not evaluated at all.
//@ value | reject
mod assert_does_not_evaluate {
    use shim::prelude::*;

    macro_rules! debug_assert {
        ($($t:tt)*) => {};
    }

    #[shim::kernel]
    fn kernel(v: &[u8]) -> u8 {
        let v = Block::external(v, [8]);
        debug_assert!(v[[100]] == 1);
        v[[1]]
    }

    pub fn run() -> u8 {
        kernel(&[1; 8])
    }

    pub fn want() -> u8 {
        1
    }
}

// They are evaluated twice.
//@ value | reject
mod assert_evaluates_twice {
    use shim::prelude::*;

    macro_rules! assert {
        ($e:expr) => {
            $e;
            $e;
        };
    }

    #[shim::kernel]
    fn kernel(v: &mut [u8]) -> u8 {
        let v = Block::external(v, [8]);
        assert!({
            v[[0]] += 1;
            true
        });
        v[[0]]
    }

    pub fn run() -> u8 {
        kernel(&mut [1; 8])
    }

    pub fn want() -> u8 {
        3
    }
}

// `assert_eq` that swallows its operands' tokens: those of the kernel, not those of what it became.
//@ value | reject
mod assert_eq_is_stringify {
    use shim::prelude::*;

    macro_rules! format {
        ($($t:tt)*) => {
            stringify!($($t)*).len()
        };
    }

    #[shim::kernel]
    fn kernel(v: &[u8], k: usize) -> usize {
        let v = Block::external(v, [8]);
        let _ = v[[k]];
        format!("{}", k)
    }

    pub fn run() -> usize {
        kernel(&[1; 8], 3)
    }

    pub fn want() -> usize {
        stringify!("{}", k).len()
    }
}

// Imported under the name of one of std's.
//@ panic | reject
mod write_is_imported {
    use shim::prelude::*;

    mod helpers {
        macro_rules! set {
            ($n:ident, $e:expr) => {
                let $n = $e;
            };
        }
        pub(crate) use set;
    }
    use helpers::set as write;

    #[shim::kernel]
    fn kernel(v: &[u8], n: usize) -> u32 {
        let v = Block::external(v, [n]).cast::<u32>();
        write!(n, 100_000usize);
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

// Within the kernel's body, after the statement that it is used in.
//@ panic | reject
mod defined_in_the_body {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8], n: usize) -> u32 {
        macro_rules! print {
            ($n:ident, $e:expr) => {
                let $n = $e;
            };
        }
        let v = Block::external(v, [n]).cast::<u32>();
        print!(n, 100_000usize);
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

// A path whose last segment is one of std's.
//@ panic | reject
mod by_a_path {
    use shim::prelude::*;

    mod helpers {
        macro_rules! eprintln {
            ($n:ident, $e:expr) => {
                let $n = $e;
            };
        }
        pub(crate) use eprintln;
    }

    #[shim::kernel]
    fn kernel(v: &[u8], n: usize) -> u32 {
        let v = Block::external(v, [n]).cast::<u32>();
        helpers::eprintln!(n, 100_000usize);
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

// A module of the user's in std's place.
//@ panic | reject
mod by_a_path_through_std {
    use shim::prelude::*;

    mod std {
        macro_rules! eprintln {
            ($n:ident, $e:expr) => {
                let $n = $e;
            };
        }
        pub(crate) use eprintln;
    }

    #[shim::kernel]
    fn kernel(v: &[u8], n: usize) -> u32 {
        let v = Block::external(v, [n]).cast::<u32>();
        std::eprintln!(n, 100_000usize);
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

// std's own, as they are.
//@ value
mod those_of_std {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8], n: usize) -> String {
        let v = Block::external(v, [n]);
        assert!(v[[0]] == 1, "{n}");
        assert_eq!(v[[1]], 2, "at {}", 1);
        let w = vec![v[[2]]; 2];
        let many = matches!(v[[3]], 4 | 5 if n > 2);
        format!("{} {w:?} {many} {n:>4} {0}", v[[4]])
    }

    pub fn run() -> String {
        kernel(&[1, 2, 3, 4, 5, 6, 7, 8], 8)
    }

    pub fn want() -> String {
        format!("{} {:?} {} {:>4} {0}", 5, [3, 3], true, 8)
    }
}

// `format_args` is std's as well.
//@ value | reject
mod format_args_of_std {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8], n: usize) -> String {
        let v = Block::external(v, [n]);
        std::fmt::format(format_args!("{}", v[[4]]))
    }

    pub fn run() -> String {
        kernel(&[1, 2, 3, 4, 5, 6, 7, 8], 8)
    }

    pub fn want() -> String {
        "5".to_owned()
    }
}
