//! Paths in templates to what is outside of them: a kernel's blocks, generic parameters and macros hide none of it.

//@ value
mod module_that_a_block_renames {
    use shim::prelude::*;

    mod a {
        pub const N: usize = 1;
    }
    mod b {
        pub const N: usize = 5;
    }

    #[shim::kernel]
    fn at(v: impl Tensor<u32, 1>) -> u32 {
        v[[a::N]]
    }

    #[shim::kernel]
    fn kernel(v: &[u8]) -> u32 {
        use b as a;
        let v = Block::external(v, [8]).cast::<u32>();
        at(v) * 100 + v[[a::N]]
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3, 4, 5, 6, 7, 8])
    }

    pub fn want() -> u32 {
        206
    }
}

//@ value
mod constant_of_the_caller {
    use shim::prelude::*;

    const N: usize = 1;

    #[shim::kernel]
    fn at(v: impl Tensor<u32, 1>) -> u32 {
        let table = [0u32; N + 2];
        assert!(N < 2);
        v[[N]] + N as u32 + table.len() as u32
    }

    #[shim::kernel]
    fn kernel(v: &[u8]) -> u32 {
        const N: usize = 5;
        let v = Block::external(v, [8]).cast::<u32>();
        at(v) * 100 + v[[N]]
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3, 4, 5, 6, 7, 8])
    }

    pub fn want() -> u32 {
        606
    }
}

//@ value
mod static_of_the_caller_beside_a_template {
    use shim::prelude::*;

    const N: usize = 1;

    #[shim::kernel]
    fn at(v: impl Tensor<u32, 1>) -> u32 {
        v[[N]] + N as u32
    }

    #[shim::kernel]
    fn kernel(v: &[u8]) -> u32 {
        let v = Block::external(v, [8]).cast::<u32>();
        let a = {
            static N: usize = 5;
            at(v) * 100 + v[[N]]
        };
        a * 10 + v[[N]]
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3, 4, 5, 6, 7, 8])
    }

    pub fn want() -> u32 {
        3062
    }
}

//@ value
mod function_of_the_caller {
    use shim::prelude::*;

    fn place(k: usize) -> usize {
        k + 1
    }

    #[shim::kernel]
    fn at(v: impl Tensor<u32, 1>, k: usize) -> u32 {
        v[[place(k)]]
    }

    #[shim::kernel]
    fn kernel(v: &[u8]) -> u32 {
        fn place(k: usize) -> usize {
            k + 5
        }
        let v = Block::external(v, [8]).cast::<u32>();
        at(v, 1) * 100 + v[[place(1)]]
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3, 4, 5, 6, 7, 8])
    }

    pub fn want() -> u32 {
        307
    }
}

// A closure is a local, and a local of the caller is none of the template's.
//@ value
mod closure_of_the_caller {
    use shim::prelude::*;

    fn place(k: usize) -> usize {
        k + 1
    }

    #[shim::kernel]
    fn at(v: impl Tensor<u32, 1>, k: usize) -> u32 {
        v[[place(k)]]
    }

    #[shim::kernel]
    fn kernel(v: &[u8]) -> u32 {
        let place = |k: usize| k + 5;
        let v = Block::external(v, [8]).cast::<u32>();
        at(v, 1) * 100 + v[[place(1)]]
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3, 4, 5, 6, 7, 8])
    }

    pub fn want() -> u32 {
        307
    }
}

//@ value
mod type_of_the_caller {
    use shim::prelude::*;

    type Wide = u64;

    #[shim::kernel]
    fn widened(v: impl Tensor<u8, 1>, k: Wide) -> Wide {
        let sum: Wide = v[[0]] as Wide * 100;
        sum + k + core::mem::size_of::<Wide>() as Wide
    }

    #[shim::kernel]
    fn kernel(v: &[u8]) -> u64 {
        type Wide = u8;
        let v = Block::external(v, [8]);
        let k: Wide = 3;
        widened(v, 1000) + u64::from(k)
    }

    pub fn run() -> u64 {
        kernel(&[10, 2, 3, 4, 5, 6, 7, 8])
    }

    pub fn want() -> u64 {
        2011
    }
}

//@ value
mod struct_trait_and_enum_of_the_caller {
    use shim::prelude::*;

    struct Scale;
    impl Scale {
        const BY: u32 = 2;
    }
    trait Offset {
        fn offset() -> u32;
    }
    impl Offset for u8 {
        fn offset() -> u32 {
            7
        }
    }
    #[derive(Clone, Copy)]
    enum Mode {
        Low,
        High,
    }

    #[shim::kernel]
    fn scaled(v: impl Tensor<u32, 1>, mode: Mode) -> u32 {
        match mode {
            Mode::Low => v[[0]],
            Mode::High => v[[1]] * Scale::BY + <u8 as Offset>::offset(),
        }
    }

    #[shim::kernel]
    fn kernel(v: &[u8], mode: Mode) -> u32 {
        struct Scale;
        impl Scale {
            const BY: u32 = 50;
        }
        trait Offset {
            fn offset() -> u32;
        }
        impl Offset for u8 {
            fn offset() -> u32 {
                1000
            }
        }
        enum Mode {
            High,
            Low,
        }
        let v = Block::external(v, [8]).cast::<u32>();
        scaled(v, mode) + Scale::BY
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3, 4, 5, 6, 7, 8], Mode::High)
    }

    pub fn want() -> u32 {
        61
    }
}

//@ value
mod imports_of_every_form {
    use shim::prelude::*;

    mod a {
        pub const N: usize = 1;
        pub const M: usize = 2;
        pub const K: usize = 3;
    }
    mod b {
        pub const N: usize = 5;
        pub const OTHER: usize = 6;
        pub mod c {
            pub const K: usize = 7;
        }
    }
    use a::{K, M, N};

    #[shim::kernel]
    fn at(v: impl Tensor<u32, 1>) -> u32 {
        v[[N]] * 100 + v[[M]] * 10 + v[[K]]
    }

    #[shim::kernel]
    fn kernel(v: &[u8]) -> u32 {
        use b::{N, OTHER as M, c::*};
        let v = Block::external(v, [8]).cast::<u32>();
        at(v) * 1000 + v[[N]] * 100 + v[[M]] * 10 + v[[K]]
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3, 4, 5, 6, 7, 8])
    }

    pub fn want() -> u32 {
        234_678
    }
}

//@ reject
mod glob_import_of_the_caller {
    use shim::prelude::*;

    const N: usize = 1;
    fn place(k: usize) -> usize {
        k + 1
    }
    macro_rules! twice {
        ($e:expr) => {
            2 * $e
        };
    }
    mod other {
        #[allow(non_camel_case_types)]
        pub type u32 = u64;
        #[allow(non_upper_case_globals)]
        pub const Some: u8 = 3;
        pub const N: usize = 5;
        pub fn place(k: usize) -> usize {
            k + 6
        }
        macro_rules! assert {
            ($($t:tt)*) => {
                panic!("not this one")
            };
        }
        pub(crate) use assert;
    }

    #[shim::kernel]
    fn at(v: impl Tensor<u8, 1>) -> usize {
        assert!(N == 1, "{N}");
        let other = u32::from(v[[place(N)]]);
        let sum: u32 = u32::from(v[[N]]) + twice!(other);
        let size = core::mem::size_of::<u32>() + N;
        match Some(sum) {
            Some(sum) => sum as usize * 10 + size,
            None => 0,
        }
    }

    #[shim::kernel]
    fn kernel(v: &[u8]) -> usize {
        use other::*;
        let v = Block::external(v, [8]);
        at(v) + N
    }

    pub fn run() -> usize {
        kernel(&[1, 2, 3, 4, 5, 6, 7, 8])
    }

    pub fn want() -> usize {
        90
    }
}

//@ value
mod constant_that_a_macro_of_the_caller_defines {
    use shim::prelude::*;

    const N: usize = 1;
    macro_rules! define {
        () => {
            const N: usize = 5;
        };
    }

    #[shim::kernel]
    fn at(v: impl Tensor<u32, 1>) -> u32 {
        let n = N;
        v[[N]] * 10 + v[[n]]
    }

    #[shim::kernel]
    fn kernel(v: &[u8]) -> u32 {
        define!();
        let v = Block::external(v, [8]).cast::<u32>();
        at(v) * 100 + v[[N]]
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3, 4, 5, 6, 7, 8])
    }

    pub fn want() -> u32 {
        2206
    }
}

//@ reject
mod names_in_the_arguments_of_a_macro {
    use shim::prelude::*;

    const N: usize = 1;
    macro_rules! plus {
        ($a:expr, $b:expr) => {
            $a + $b
        };
    }

    #[shim::kernel]
    fn at(v: impl Tensor<u32, 1>) -> u32 {
        v[[plus!(N, 1)]]
    }

    #[shim::kernel]
    fn kernel(v: &[u8]) -> u32 {
        const N: usize = 5;
        let v = Block::external(v, [8]).cast::<u32>();
        at(v) * 100 + v[[plus!(N, 1)]]
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3, 4, 5, 6, 7, 8])
    }

    pub fn want() -> u32 {
        307
    }
}

// Tokens that are no expressions may be anything.
//@ reject
mod names_among_tokens_of_a_macro {
    use shim::prelude::*;

    const N: usize = 1;
    macro_rules! plus {
        ($a:ident to $b:literal) => {
            $a + $b
        };
    }

    #[shim::kernel]
    fn at(v: impl Tensor<u32, 1>) -> u32 {
        v[[plus!(N to 1)]]
    }

    #[shim::kernel]
    fn kernel(v: &[u8]) -> u32 {
        const N: usize = 5;
        let v = Block::external(v, [8]).cast::<u32>();
        at(v) * 100 + v[[N]]
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3, 4, 5, 6, 7, 8])
    }
}

//@ reject
mod macro_that_the_caller_defines {
    use shim::prelude::*;

    macro_rules! place {
        () => {
            1
        };
    }

    #[shim::kernel]
    fn at(v: impl Tensor<u32, 1>) -> u32 {
        v[[place!()]]
    }

    #[shim::kernel]
    fn kernel(v: &[u8]) -> u32 {
        macro_rules! place {
            () => {
                5
            };
        }
        let v = Block::external(v, [8]).cast::<u32>();
        at(v) * 100 + v[[place!()]]
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3, 4, 5, 6, 7, 8])
    }
}

//@ reject
mod macro_that_the_caller_imports {
    use shim::prelude::*;

    macro_rules! place {
        () => {
            1
        };
    }
    mod other {
        macro_rules! place {
            () => {
                5
            };
        }
        pub(crate) use place as elsewhere;
    }

    #[shim::kernel]
    fn at(v: impl Tensor<u32, 1>) -> u32 {
        let place = place!();
        v[[place]]
    }

    #[shim::kernel]
    fn kernel(v: &[u8]) -> u32 {
        use other::elsewhere;
        let v = Block::external(v, [8]).cast::<u32>();
        at(v) * 100 + v[[elsewhere!()]]
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3, 4, 5, 6, 7, 8])
    }

    pub fn want() -> u32 {
        206
    }
}

//@ reject
mod const_generic_of_the_caller {
    use shim::prelude::*;

    const N: usize = 1;

    #[shim::kernel]
    fn at(v: impl Tensor<u32, 1>) -> u32 {
        v[[N]]
    }

    #[shim::kernel]
    fn kernel<const N: usize>(v: &[u8]) -> u32 {
        let v = Block::external(v, [8]).cast::<u32>();
        at(v) * 100 + v[[N]]
    }

    pub fn run() -> u32 {
        kernel::<5>(&[1, 2, 3, 4, 5, 6, 7, 8])
    }
}

//@ reject
mod type_parameter_of_the_caller {
    use shim::prelude::*;

    struct T;
    impl T {
        const N: usize = 1;
    }
    trait Has {
        const N: usize;
    }
    impl Has for u8 {
        const N: usize = 5;
    }

    #[shim::kernel]
    fn at(v: impl Tensor<u32, 1>) -> u32 {
        v[[T::N]]
    }

    #[shim::kernel]
    fn kernel<T: Has>(v: &[u8]) -> u32 {
        let v = Block::external(v, [8]).cast::<u32>();
        at(v)
    }

    pub fn run() -> u32 {
        kernel::<u8>(&[1, 2, 3, 4, 5, 6, 7, 8])
    }
}

//@ value
mod const_generic_of_a_template_between {
    use shim::prelude::*;

    const N: usize = 1;

    #[shim::kernel]
    fn at(v: impl Tensor<u32, 1>) -> u32 {
        v[[N]]
    }

    #[shim::kernel]
    fn both<const N: usize>(v: impl Tensor<u32, 1>) -> u32 {
        at(v) * 100 + v[[N]]
    }

    #[shim::kernel]
    fn kernel(v: &[u8]) -> u32 {
        let v = Block::external(v, [8]).cast::<u32>();
        both::<5>(v)
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3, 4, 5, 6, 7, 8])
    }

    pub fn want() -> u32 {
        206
    }
}

//@ value
mod items_of_a_template_between {
    use shim::prelude::*;

    mod a {
        pub const N: usize = 1;
    }
    mod b {
        pub const N: usize = 5;
    }
    const M: usize = 2;

    #[shim::kernel]
    fn at(v: impl Tensor<u32, 1>) -> u32 {
        v[[a::N]] * 10 + v[[M]]
    }

    #[shim::kernel]
    fn between(v: impl Tensor<u32, 1>) -> u32 {
        const M: usize = 6;
        use b as a;
        at(v) * 100 + v[[a::N]] * 10 + v[[M]]
    }

    #[shim::kernel]
    fn kernel(v: &[u8]) -> u32 {
        const M: usize = 0;
        let v = Block::external(v, [8]).cast::<u32>();
        between(v) * 10 + v[[M]]
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3, 4, 5, 6, 7, 8])
    }

    pub fn want() -> u32 {
        23671
    }
}

//@ value
mod items_of_the_template_itself {
    use shim::prelude::*;

    const N: usize = 7;
    mod a {
        pub const N: usize = 1;
        pub const M: usize = 4;
    }

    #[shim::kernel]
    fn at(v: impl Tensor<u32, 1>) -> u32 {
        const N: usize = 2;
        use a::M;
        fn next(n: usize) -> usize {
            n + N + a::N
        }
        let inner = {
            use a::*;
            v[[N]]
        };
        v[[next(N)]] * 100 + inner * 10 + v[[M]]
    }

    #[shim::kernel]
    fn kernel(v: &[u8]) -> u32 {
        const N: usize = 5;
        const M: usize = 6;
        mod a {
            pub const N: usize = 3;
            pub const M: usize = 3;
        }
        let v = Block::external(v, [8]).cast::<u32>();
        at(v) * 100 + v[[N]] * 10 + v[[M]]
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3, 4, 5, 6, 7, 8])
    }

    pub fn want() -> u32 {
        62567
    }
}

//@ value
mod paths_from_self_super_and_crate {
    use shim::prelude::*;

    pub const N: usize = 1;
    mod inner {
        use shim::prelude::*;

        pub const N: usize = 2;

        #[shim::kernel]
        fn at(v: impl Tensor<u32, 1>) -> u32 {
            v[[self::N]] * 100 + v[[super::N]] * 10 + v[[crate::paths_from_self_super_and_crate::inner::N]]
        }

        #[shim::kernel]
        pub fn kernel(v: &[u8]) -> u32 {
            const N: usize = 5;
            mod inner {}
            let v = Block::external(v, [8]).cast::<u32>();
            at(v) * 10 + v[[N]]
        }
    }

    pub fn run() -> u32 {
        inner::kernel(&[1, 2, 3, 4, 5, 6, 7, 8])
    }

    pub fn want() -> u32 {
        3236
    }
}

// What a pattern of the template binds is a local, not the caller's constant.
//@ value | reject
mod pattern_of_a_template_and_a_constant_of_the_caller {
    use shim::prelude::*;

    #[shim::kernel]
    fn at(v: impl Tensor<u32, 1>, k: Option<usize>) -> u32 {
        match k {
            Some(n) => v[[n]],
            None => 0,
        }
    }

    #[shim::kernel]
    #[allow(non_upper_case_globals)]
    fn kernel(v: &[u8], k: Option<usize>) -> u32 {
        const n: usize = 5;
        let v = Block::external(v, [8]).cast::<u32>();
        at(v, k) * 100 + v[[n]]
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3, 4, 5, 6, 7, 8], Some(1))
    }

    pub fn want() -> u32 {
        206
    }
}

//@ value | reject
mod pattern_of_a_template_and_a_glob_import_of_the_caller {
    use shim::prelude::*;

    mod other {
        #[allow(non_upper_case_globals)]
        pub const n: usize = 5;
    }

    #[shim::kernel]
    fn at(v: impl Tensor<u32, 1>, k: usize) -> u32 {
        match k {
            n if n > 4 => 0,
            n => v[[n]],
        }
    }

    #[shim::kernel]
    fn kernel(v: &[u8], k: usize) -> u32 {
        use other::*;
        let v = Block::external(v, [8]).cast::<u32>();
        at(v, k) * 100 + v[[n]]
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3, 4, 5, 6, 7, 8], 1)
    }

    pub fn want() -> u32 {
        206
    }
}

//@ value
mod kernel_in_a_function_with_items {
    use shim::prelude::*;

    const N: usize = 7;

    pub fn run() -> u32 {
        const N: usize = 1;
        #[shim::kernel]
        fn at(v: impl Tensor<u32, 1>) -> u32 {
            v[[N]]
        }
        #[shim::kernel]
        fn kernel(v: &[u8]) -> u32 {
            const N: usize = 5;
            let v = Block::external(v, [8]).cast::<u32>();
            at(v) * 100 + v[[N]]
        }
        kernel(&[1, 2, 3, 4, 5, 6, 7, 8])
    }

    pub fn want() -> u32 {
        206
    }
}

//@ value
mod methods_and_versions {
    use shim::prelude::*;

    const N: usize = 1;

    #[shim::kernel]
    fn at(v: impl Tensor<u32, 1>) -> u32 {
        v[[N]]
    }

    struct Blocks;
    impl Blocks {
        #[shim::kernel(simd)]
        fn kernel(&self, v: &[u8]) -> u32 {
            const N: usize = 5;
            let v = Block::external(v, [8]).cast::<u32>();
            at(v) * 100 + v[[N]]
        }
    }

    #[shim::kernel(simd)]
    fn kernel(v: &[u8]) -> u32 {
        const N: usize = 6;
        let v = Block::external(v, [8]).cast::<u32>();
        at(v) * 100 + v[[N]]
    }

    pub fn run() -> u32 {
        let v = [1, 2, 3, 4, 5, 6, 7, 8];
        Blocks.kernel(&v) * 1000 + kernel(&v)
    }

    pub fn want() -> u32 {
        206_207
    }
}

// The caller's cast means what it means where it was written.
//@ value | reject
mod cast_of_the_caller_by_a_name_of_the_template {
    use shim::prelude::*;

    type Wide = u64;

    #[shim::kernel]
    fn sum(v: impl Tensor<Wide, 1>) -> Wide {
        let one: Wide = 1;
        v[[0]] as Wide * 200 + one
    }

    #[shim::kernel]
    fn kernel(v: &[u32]) -> u64 {
        type Wide = u8;
        let v = Block::external(v, [8]).cast::<Wide>();
        sum(v)
    }

    pub fn run() -> u64 {
        kernel(&[300; 8])
    }

    pub fn want() -> u64 {
        8801
    }
}

// A local of the caller, of which emitted code may make use in the template, and a name of the template.
//@ value | reject
mod local_of_the_caller_beside_a_name_of_the_template {
    use shim::prelude::*;

    #[allow(non_upper_case_globals)]
    const k: usize = 1;
    mod other {
        #[allow(non_upper_case_globals)]
        pub const k: usize = 5;
    }

    #[shim::kernel]
    fn at(v: impl Tensor<u32, 1>) -> u32 {
        v[[k]]
    }

    #[shim::kernel]
    fn kernel(v: &[u8]) -> u32 {
        let v = Block::external(v, [8]).cast::<u32>();
        let mut s = 0;
        for k in 2..4 {
            use other::*;
            s = s * 10 + at(v[[k..k + 2]]);
        }
        s
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3, 4, 5, 6, 7, 8])
    }

    pub fn want() -> u32 {
        45
    }
}

// A method of a trait may be another one in the module of the caller.
//@ reject
mod methods_of_two_traits {
    mod home {
        use shim::prelude::*;

        pub struct U(pub u32);

        pub trait Get2 {
            fn get2(&self) -> u32;
        }

        impl Get2 for U {
            fn get2(&self) -> u32 {
                self.0
            }
        }

        #[shim::kernel]
        pub fn template(t: impl Tensor<u32, 1>, u: &U) -> u32 {
            t[[0]] + u.get2()
        }
    }

    mod other {
        use super::home::{U, template};
        use shim::prelude::*;

        pub trait Get2 {
            fn get2(&self) -> u32;
        }

        impl Get2 for U {
            fn get2(&self) -> u32 {
                1000
            }
        }

        #[shim::kernel]
        pub fn kernel(#[shape(2)] t: &[u32], u: &U) -> u32 {
            template(t, u)
        }
    }

    pub fn run() -> u32 {
        other::kernel(&[1, 2], &home::U(3))
    }

    pub fn want() -> u32 {
        4
    }
}

//@ value
mod methods_of_a_type_and_of_a_trait {
    mod home {
        use shim::prelude::*;

        #[derive(Clone, Copy)]
        pub struct U(pub u32);

        impl U {
            pub fn get3(self) -> u32 {
                self.0
            }
        }

        #[shim::kernel]
        pub fn template(t: impl Tensor<U, 1>, u: U) -> u32 {
            let first: U = t[[0]];
            first.get3() + u.get3()
        }
    }

    mod other {
        use super::home::{U, template};
        use shim::prelude::*;

        pub trait Get3 {
            fn get3(&self) -> u32;
        }

        impl Get3 for U {
            fn get3(&self) -> u32 {
                1000
            }
        }

        #[shim::kernel]
        pub fn kernel(#[shape(2)] t: &[U], u: U) -> u32 {
            template(t, u)
        }
    }

    pub fn run() -> u32 {
        other::kernel(&[home::U(1), home::U(2)], home::U(3))
    }

    pub fn want() -> u32 {
        4
    }
}

//@ reject
mod macros_of_two_modules {
    mod home {
        use shim::prelude::*;

        macro_rules! answer {
            () => {
                1
            };
        }

        #[shim::kernel]
        pub fn template(t: impl Tensor<u32, 1>) -> u32 {
            t[[0]] + answer!()
        }
    }

    mod other {
        use super::home::template;
        use shim::prelude::*;

        macro_rules! answer {
            () => {
                1000
            };
        }

        #[shim::kernel]
        pub fn kernel(#[shape(2)] t: &[u32]) -> u32 {
            template(t)
        }
    }

    pub fn run() -> u32 {
        other::kernel(&[1, 2])
    }

    pub fn want() -> u32 {
        2
    }
}

//@ value
mod staged_templates_of_one_name {
    use shim::prelude::*;

    mod a {
        use shim::prelude::*;

        #[shim::kernel]
        pub(super) fn half(v: &[u8]) -> impl Tensor<u8, 1> {
            Block::external(v, [8])[[0..4]]
        }
    }
    mod b {
        use shim::prelude::*;

        #[shim::kernel]
        pub(super) fn half(v: &[u8]) -> impl Tensor<u8, 1> {
            Block::external(v, [8])[[4..8]]
        }
    }

    fn half(v: &[u8]) -> u32 {
        v.len() as u32
    }

    #[shim::kernel]
    fn kernel(v: &[u8]) -> u32 {
        let first = {
            #[staged]
            use self::a::half;
            half(v)[[1]] as u32
        };
        let second = {
            #[staged]
            use self::b::half;
            let value = half(v)[[1]] as u32;
            let half = |v: &[u8]| v[0] as u32;
            value * 10 + half(v)
        };
        half(v) * 10_000 + first * 1000 + second
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3, 4, 5, 6, 7, 8])
    }

    pub fn want() -> u32 {
        82_061
    }
}

//@ value
mod a_staged_template_whose_body_names_what_the_kernel_has {
    use shim::prelude::*;

    const N: usize = 2;

    #[shim::kernel]
    fn from(v: &[u8], x: usize) -> impl Tensor<u8, 1> {
        let y = x + N;
        Block::external(v, [8])[[y..8]]
    }

    #[shim::kernel]
    fn kernel(v: &[u8]) -> u32 {
        #[staged]
        use self::from;
        let (x, y) = (100, 3);
        let t = from(v, 1);
        t[[0]] as u32 + 10 * t.extent(0) as u32 + x * y
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3, 4, 5, 6, 7, 8])
    }

    pub fn want() -> u32 {
        354
    }
}

//@ value
mod the_memory_of_a_staged_template {
    use shim::prelude::*;

    #[shim::kernel]
    fn half(v: Vec<u8>) -> impl Tensor<u8, 1> {
        Block::external(&v, [8])
    }

    #[shim::kernel]
    fn kernel() -> u32 {
        #[staged]
        use self::half;
        let t = half(vec![1; 8]);
        t[[7]] as u32
    }

    pub fn run() -> u32 {
        kernel()
    }

    pub fn want() -> u32 {
        1
    }
}

//@ reject
mod a_staged_template_in_a_macro_beside_a_function_of_its_name {
    use shim::prelude::*;

    mod a {
        use shim::prelude::*;

        #[shim::kernel]
        pub(super) fn half(v: &[u8]) -> impl Tensor<u8, 1> {
            Block::external(v, [8])[[0..4]]
        }
    }

    fn half(v: &[u8]) -> u32 {
        v.len() as u32
    }

    #[shim::kernel]
    fn kernel(v: &[u8]) -> u32 {
        {
            #[staged]
            use self::a::half;
            assert!(half(v)[[1]] == 2);
        }
        half(v)
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3, 4, 5, 6, 7, 8])
    }

    pub fn want() -> u32 {
        8
    }
}

//@ value
mod a_staged_template_in_a_macro {
    use shim::prelude::*;

    #[shim::kernel]
    fn half(v: &[u8]) -> impl Tensor<u8, 1> {
        Block::external(v, [8])[[0..4]]
    }

    #[shim::kernel]
    fn sum(make: impl Template, v: impl Tensor<u8, 1>) -> u32 {
        v.indices().map(|[x]| u32::from(v[[x]])).sum::<u32>()
    }

    #[shim::kernel]
    fn kernel(v: &[u8]) -> u32 {
        #[staged]
        use self::half;
        assert!(half(v)[[1]] == 2);
        let t = half(v);
        sum(half, t)
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3, 4, 5, 6, 7, 8])
    }

    pub fn want() -> u32 {
        10
    }
}
