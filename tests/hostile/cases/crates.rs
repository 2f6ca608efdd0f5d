//! U9: crates that pass for shim or for core, and kernels whose `crate` is a module of the user's.

// Safe functions that test nothing in the place of those that do.
//@ panic | reject
mod crate_is_a_module {
    use shim::prelude::*;

    pub mod fake {
        pub mod __private {
            pub use shim::__private::*;

            pub fn assert_fits<const N: usize>(_: &str, _: &str, _: [isize; N], _: usize) {}
            pub fn assert_within<R, const N: usize>(_: &str, _: &str, _: R, _: [isize; N]) {}
        }
    }

    #[shim::kernel(crate = crate::crate_is_a_module::fake)]
    fn kernel(v: &[u8], n: usize) -> u8 {
        let v = Block::external(v, [n]);
        v[[90_000]]
    }

    pub fn run() -> u8 {
        kernel(&[1; 8], 100_000)
    }
}

// A runtime of the user's, whose unchecked functions are those of the real one.
//@ panic | reject
mod runtime_over_the_real_one {
    use shim::prelude::*;

    pub mod fake {
        pub mod __private {
            pub use shim::__private::*;

            #[derive(Clone, Copy)]
            pub struct Runtime;

            impl core::ops::Deref for Runtime {
                type Target = shim::__private::Runtime;
                fn deref(&self) -> &shim::__private::Runtime {
                    panic!("shim: there is no runtime here")
                }
            }

            impl Runtime {
                pub fn new(_: [Option<&str>; 2]) -> Self {
                    Runtime
                }
                pub fn from_usize(self, value: usize) -> isize {
                    value as isize
                }
                pub fn assert_fits<const N: usize>(self, _: &str, _: &str, _: [isize; N], _: usize) {}
                pub fn assert_within<R, const N: usize>(self, _: &str, _: &str, _: R, _: [isize; N]) {}
            }
        }
    }

    #[shim::kernel(crate = crate::runtime_over_the_real_one::fake)]
    fn kernel(v: &[u8], n: usize) -> u8 {
        let v = Block::external(v, [n]);
        v[[90_000]]
    }

    pub fn run() -> u8 {
        kernel(&[1; 8], 100_000)
    }
}

// The constructor as a constant of the type of a function, which safe code may name and not call.
//@ panic | reject
mod constructor_of_the_real_runtime {
    use shim::prelude::*;

    pub mod fake {
        pub mod __private {
            pub use shim::__private::resume;

            #[allow(non_upper_case_globals)]
            pub struct Runtime;

            impl Runtime {
                #[allow(non_upper_case_globals)]
                pub const new: unsafe fn([Option<&str>; 2]) -> shim::__private::Runtime =
                    shim::__private::Runtime::new;
            }
        }
    }

    #[shim::kernel(crate = self::fake)]
    fn kernel(v: &[u8], n: usize) -> u8 {
        let v = Block::external(v, [n]);
        v[[90_000]]
    }

    pub fn run() -> u8 {
        kernel(&[1; 8], 100_000)
    }
}

//@ panic | reject
mod crate_is_a_module_by_a_relative_path {
    use shim::prelude::*;

    pub mod fake {
        pub mod __private {
            pub use shim::__private::*;

            pub fn assert_fits<const N: usize>(_: &str, _: &str, _: [isize; N], _: usize) {}
            pub fn assert_within<R, const N: usize>(_: &str, _: &str, _: R, _: [isize; N]) {}
        }
    }

    #[shim::kernel(crate = self::fake)]
    fn kernel(v: &[u8], n: usize) -> u8 {
        let v = Block::external(v, [n]);
        v[[90_000]]
    }

    pub fn run() -> u8 {
        kernel(&[1; 8], 100_000)
    }
}

// What is computed for an index is the user's.
//@ panic | reject | value
mod conversions_of_the_user_s {
    use shim::prelude::*;

    pub mod fake {
        pub mod __private {
            pub use shim::__private::*;

            pub fn from_usize(n: usize) -> isize {
                use std::sync::atomic::{AtomicIsize, Ordering::Relaxed};
                static NEXT: AtomicIsize = AtomicIsize::new(0);
                n as isize + 100_000 * NEXT.fetch_add(1, Relaxed)
            }
            pub fn sub(a: isize, b: isize) -> isize {
                0
            }
            pub fn add(a: isize, b: isize) -> isize {
                0
            }
            pub fn index(_: impl shim::__private::ToIndex) -> isize {
                1
            }
        }
    }

    #[shim::kernel(crate = self::fake)]
    fn kernel(v: &[u8], n: usize, k: usize) -> u32 {
        let v = Block::external(v, [n]).cast::<u32>();
        let mut s = 0;
        for i in 0..k {
            s += v[[i + k - 1]];
        }
        s
    }

    pub fn run() -> u32 {
        kernel(&[1; 8], 8, 100_000)
    }

    pub fn want() -> u32 {
        u32::MAX
    }
}

//@ panic | reject
mod inside_of_the_user_s {
    use shim::prelude::*;

    pub mod fake {
        pub mod __private {
            pub use shim::__private::*;

            pub fn inside<const N: usize>(_: [isize; N], _: [isize; N]) -> bool {
                true
            }
            pub fn offset<const N: usize>(
                _: &str,
                _: &str,
                at: [isize; N],
                _: [isize; N],
                base: isize,
                strides: [isize; N],
            ) -> usize {
                shim::__private::flat(at, base, strides)
            }
            pub fn flat<const N: usize>(_: [isize; N], _: isize, _: [isize; N]) -> usize {
                100_000
            }
        }
    }

    #[shim::kernel(crate = self::fake)]
    fn kernel(v: &[u8], n: usize, k: usize) -> u8 {
        let v = Block::external(v, [n]);
        if k > 3 { v[[k]] } else { 0 }
    }

    pub fn run() -> u8 {
        kernel(&[1; 8], 8, 100_000)
    }
}

//@ panic | reject | value
mod boundary_of_the_user_s {
    use shim::prelude::*;

    pub mod fake {
        pub mod __private {
            pub use shim::__private::*;

            pub fn clamped(_: isize, _: isize) -> isize {
                100_000
            }
            pub fn clamp(_: &str, _: &str, _: isize, _: isize) -> isize {
                100_000
            }
            pub fn mirrored(_: isize, _: isize) -> isize {
                100_000
            }
            pub fn wrapped(_: isize, _: isize) -> isize {
                100_000
            }
        }
    }

    #[shim::kernel(crate = self::fake)]
    fn kernel(v: &[u8], n: usize) -> u32 {
        let t = Block::external(v, [n]).cast::<u32>();
        let (a, b, c) = (t.boundary(Clamp), t.boundary(Mirror), t.boundary(Wrap));
        let mut s = 0;
        for [i] in t.indices() {
            s += a[[i - 1]] + b[[i + 1]] + c[[i - 1]];
        }
        s
    }

    pub fn run() -> u32 {
        kernel(&[1; 8], 8)
    }

    pub fn want() -> u32 {
        24
    }
}

// `parts` of a runtime tensor that claims to be larger than its memory.
//@ panic | reject
mod parts_of_the_user_s {
    use shim::prelude::*;

    pub mod fake {
        pub mod __private {
            pub use shim::__private::*;

            pub fn parts<T>(_: &T) -> (&'static [u8], [isize; 1], isize, [isize; 1]) {
                (&[1, 2, 3], [100_000], 0, [1])
            }
        }
    }

    #[shim::kernel(crate = self::fake)]
    fn kernel(v: View<'_, u8, 1>) -> u8 {
        v[[90_000]]
    }

    pub fn run() -> u8 {
        let t = Block::<u8, 1>::new([4]);
        kernel(t.view())
    }
}

//@ value | panic | reject
mod heap_of_the_user_s {
    use shim::prelude::*;

    pub mod fake {
        pub mod __private {
            pub use shim::__private::*;

            pub fn heap<T: Copy + Default>(_: usize) -> Box<[T]> {
                vec![T::default(); 1].into()
            }
            pub fn stack<T: Copy + Default, const N: usize>() -> [T; 1] {
                [T::default()]
            }
        }
    }

    #[shim::kernel(crate = self::fake)]
    fn kernel(n: usize) -> u8 {
        let h = Block::heap::<u8>([n]);
        let k = Block::stack::<u8>([100_000]);
        h[[90_000]] + k[[90_000]]
    }

    pub fn run() -> u8 {
        kernel(100_000)
    }

    pub fn want() -> u8 {
        0
    }
}

//@ panic | reject
mod rows_of_the_user_s {
    use shim::prelude::*;

    pub mod fake {
        pub mod __private {
            pub use shim::__private::*;

            pub fn assert_rows_fit<T>(_: &str, _: &str, _: [isize; 2], _: &[T]) {}
            pub fn row_offset(_: &str, _: &str, at: [isize; 2], _: [isize; 2]) -> (usize, usize) {
                (at[0] as usize, at[1] as usize)
            }
        }
    }

    #[shim::kernel(crate = self::fake)]
    fn kernel(v: &[Vec<u8>], h: usize, w: usize, k: usize) -> u8 {
        let t = Block::external(v, [h, w]);
        t[[k, k]] + t[[h - 1, 90_000]]
    }

    pub fn run() -> u8 {
        kernel(&[vec![1; 8], vec![1; 8]], 2, 100_000, 1)
    }
}

// A trait of the user's in the place of `Row`, whose method's result is indexed unchecked.
//@ panic | reject | value
mod row_trait_of_the_user_s {
    use shim::prelude::*;

    struct Odd(Vec<u8>);

    impl shim::__private::Row for Odd {
        type Element = u8;
        fn row(&self) -> &[u8] {
            use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
            static NEXT: AtomicUsize = AtomicUsize::new(0);
            if NEXT.fetch_add(1, Relaxed) < 2 { &self.0 } else { &[] }
        }
    }

    #[shim::kernel]
    fn kernel(v: &[Odd], w: usize) -> u32 {
        let t = Block::rows(v, [2, w]).cast::<u32>();
        let mut s = 0;
        for [y, x] in t.indices() {
            s += t[[y, x]];
        }
        s
    }

    pub fn run() -> u32 {
        kernel(&[Odd(vec![1; 8]), Odd(vec![1; 8])], 8)
    }

    pub fn want() -> u32 {
        16
    }
}

// Another crate under the name of shim, for this module alone.
//@ value | panic | reject
mod shim_is_renamed_in_a_module {
    extern crate hostile_shim as shim;
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8], n: usize) -> u8 {
        let v = Block::external(v, [n]);
        v[[n - 1]]
    }

    pub fn run() -> u8 {
        kernel(&[1; 8], 8)
    }

    pub fn want() -> u8 {
        1
    }
}

// And for the whole crate, where `::shim` is that one as well.
//@ panic | reject
//@ alone
mod shim_is_another_crate {
    extern crate hostile_shim as shim;
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8], n: usize) -> u8 {
        let v = Block::external(v, [n]);
        v[[90_000]]
    }

    pub fn run() -> u8 {
        kernel(&[1; 8], 100_000)
    }
}

//@ panic | reject
//@ alone
mod shim_is_another_crate_to_a_template {
    extern crate hostile_shim as shim;
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8], n: usize) -> u32 {
        let v = Block::external(v, [n]).cast::<u32>();
        let mut s = hostile_luma::pick(v);
        for i in 0..n {
            if i > 90_000 {
                s += v[[i]];
            }
        }
        s
    }

    pub fn run() -> u32 {
        kernel(&[1; 8], 100_000)
    }
}

// The real one's attribute, and a module of the root that is found before the crate.
//@ panic | reject
//@ alone
mod shim_is_a_module_of_the_root {
    extern crate shim as real;

    pub mod shim {
        pub use ::real::prelude;
        pub mod __private {
            pub use ::real::__private::*;

            pub fn assert_fits<const N: usize>(_: &str, _: &str, _: [isize; N], _: usize) {}
            pub fn assert_within<R, const N: usize>(_: &str, _: &str, _: R, _: [isize; N]) {}
        }
    }
    use real::prelude::*;

    #[real::kernel(crate = crate::shim)]
    fn kernel(v: &[u8], n: usize) -> u8 {
        let v = Block::external(v, [n]);
        v[[90_000]]
    }

    pub fn run() -> u8 {
        kernel(&[1; 8], 100_000)
    }
}

// `::core` is what the root says.
//@ value | panic | reject
//@ alone
mod core_is_another_crate {
    extern crate hostile_core as core;
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8], n: usize, k: usize) -> u32 {
        let v = Block::external(v, [n]).cast::<u32>();
        let m = v.boundary(Clamp);
        let mut s = 0;
        for i in 0..k {
            s += m[[i]];
        }
        for i in (0..n).rev() {
            s += v[[i.min(k)]];
        }
        for [i] in v.indices() {
            s += v[[i / 2 + 3 - i / 2]];
        }
        s + v.indices().map(|[i]| v[[i]]).max().unwrap_or(0)
    }

    pub fn run() -> u32 {
        kernel(&[1; 8], 8, 7)
    }

    pub fn want() -> u32 {
        24
    }
}

//@ value | reject
//@ alone
mod core_is_another_crate_with_an_isize {
    extern crate hostile_core as core;
    use shim::prelude::*;

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
        kernel(&[1; 200], 200)
    }

    pub fn want() -> u32 {
        200
    }
}

//@ value | panic | reject
//@ alone
mod core_is_another_crate_with_least_and_greatest {
    extern crate hostile_core as core;
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8], a: isize, b: isize) -> u32 {
        let v = Block::external(v, [8]).cast::<u32>();
        let p = v[[0..a.min(b)]];
        let q = v[[a.max(2)..8]];
        let mut s = 0;
        for [i] in p.indices() {
            s += p[[i]];
        }
        for [i] in q.indices() {
            s += q[[i]];
        }
        s
    }

    pub fn run() -> u32 {
        kernel(&[1; 8], 3, 100_000)
    }

    pub fn want() -> u32 {
        8
    }
}

// The real crate under another name.
//@ value
//@ alone
mod shim_is_renamed {
    extern crate shim as arrays;
    use arrays::prelude::*;

    #[arrays::kernel(crate = arrays)]
    fn kernel(v: &[u8], n: usize) -> u8 {
        let v = Block::external(v, [n]);
        v[[n - 1]]
    }

    pub fn run() -> u8 {
        kernel(&[1; 8], 8)
    }

    pub fn want() -> u8 {
        1
    }
}

// The real crate by a path of the user's.
//@ value
mod shim_is_re_exported {
    mod vendored {
        pub mod arrays {
            #[doc(hidden)]
            pub use ::shim::__private;
            pub use ::shim::*;
        }
    }
    use vendored::arrays::prelude::*;

    #[shim::kernel(crate = crate::shim_is_re_exported::vendored::arrays)]
    fn kernel(v: &[u8], n: usize) -> u8 {
        let v = Block::external(v, [n]);
        v[[n - 1]]
    }

    pub fn run() -> u8 {
        kernel(&[1; 8], 8)
    }

    pub fn want() -> u8 {
        1
    }
}

// The attribute and the continuation may be called by anybody, with anything.
//@ reject
mod resume_is_called_by_the_user {
    shim::__private::resume!(
        fn kernel() {}
    );

    pub fn run() -> u8 {
        1
    }
}

//@ reject
mod resume_is_called_with_nothing {
    shim::__private::resume! {}
    shim::__private::resume! { [] [] [] }
    shim::__private::resume! { { crate } { fn f(v: &[u8]) -> u8 { 1 } } }
    shim::__private::resume! { "text" 1 2 3 }

    pub fn run() -> u8 {
        f(&[])
    }
}

// The traits of `__private` are for the library's own types.
//@ reject
mod readable_of_the_user_s {
    struct Odd;

    impl shim::__private::ToIndex for Odd {
        fn to_index(self) -> Option<isize> {
            Some(100_000)
        }
    }

    pub fn run() -> u8 {
        1
    }
}
