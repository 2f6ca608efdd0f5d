//! U1: a constant is what its path means where it stands, not what its text meant elsewhere.

// Two crates, each with a `BLOCK`; the inner block imports the other one.
//@ panic
mod inner_use {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(chroma: &[u8]) -> u32 {
        use hostile_chroma::BLOCK;
        let c = Block::external(chroma, [BLOCK]).cast::<u32>();
        let mut s = 0;
        {
            use hostile_luma::BLOCK;
            for i in 0..BLOCK {
                s += c[[i]];
            }
        }
        s
    }

    pub fn run() -> u32 {
        kernel(&[1; 8])
    }
}

// The same the other way round: nothing is outside, and half of the block is summed.
//@ value
mod inner_use_smaller {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(luma: &[u8]) -> u32 {
        use hostile_luma::BLOCK;
        let c = Block::external(luma, [BLOCK]).cast::<u32>();
        let mut s = 0;
        {
            use hostile_chroma::BLOCK;
            for i in 0..BLOCK {
                s += c[[i]];
            }
        }
        for i in 0..BLOCK {
            s += 100 * c[[i]];
        }
        s
    }

    pub fn run() -> u32 {
        kernel(&[1; 16])
    }

    pub fn want() -> u32 {
        8 + 1600
    }
}

//@ panic
mod inner_const {
    use shim::prelude::*;

    const N: usize = 8;

    #[shim::kernel]
    fn kernel(v: &[u8]) -> u32 {
        let v = Block::external(v, [N]).cast::<u32>();
        let mut s = 0;
        {
            const N: usize = 16;
            for i in 0..N {
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
mod outer_const_after_an_inner_one {
    use shim::prelude::*;

    const N: usize = 8;

    #[shim::kernel]
    fn kernel(v: &[u8]) -> u32 {
        let mut s = 0;
        {
            const N: usize = 2;
            s += N as u32 * 1000;
        }
        let v = Block::external(v, [N]).cast::<u32>();
        for i in 0..N {
            s += v[[i]];
        }
        s
    }

    pub fn run() -> u32 {
        kernel(&[1; 8])
    }

    pub fn want() -> u32 {
        2008
    }
}

//@ panic
mod inner_static {
    use shim::prelude::*;

    const N: usize = 8;

    #[shim::kernel]
    fn kernel(v: &[u8]) -> u32 {
        let v = Block::external(v, [N]).cast::<u32>();
        let mut s = 0;
        {
            static N: usize = 100_000;
            for i in 0..N {
                if i > 90_000 {
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

//@ panic
mod static_outside_const_inside {
    use shim::prelude::*;

    static N: usize = 8;

    #[shim::kernel]
    fn kernel(v: &[u8]) -> u32 {
        let v = Block::external(v, [N]).cast::<u32>();
        let mut s = 0;
        if s == 0 {
            const N: usize = 100_000;
            s += v[[N - 1]];
        }
        s
    }

    pub fn run() -> u32 {
        kernel(&[1; 8])
    }
}

// The template's own constant, as templates.md recommends.
//@ panic
mod const_in_a_template {
    use shim::prelude::*;

    const N: usize = 8;

    #[shim::kernel]
    fn sum(v: impl Tensor<u32, 1>) -> u32 {
        const N: usize = 16;
        let mut s = 0;
        for i in 0..N {
            s += v[[i]];
        }
        s
    }

    #[shim::kernel]
    fn kernel(v: &[u8]) -> u32 {
        let v = Block::external(v, [N]).cast::<u32>();
        sum(v)
    }

    pub fn run() -> u32 {
        kernel(&[1; 8])
    }
}

//@ panic
mod use_in_a_template {
    use shim::prelude::*;

    use hostile_chroma::BLOCK;

    #[shim::kernel]
    fn sum(v: impl Tensor<u32, 1>) -> u32 {
        use hostile_luma::BLOCK;
        let mut s = 0;
        for i in 0..BLOCK {
            s += v[[i]];
        }
        s
    }

    #[shim::kernel]
    fn kernel(v: &[u8]) -> u32 {
        let v = Block::external(v, [BLOCK]).cast::<u32>();
        sum(v)
    }

    pub fn run() -> u32 {
        kernel(&[1; 8])
    }
}

// A use of another crate's template, whose constant is its own.
//@ panic
mod const_in_a_template_of_a_crate {
    use hostile_chroma::BLOCK;
    use hostile_luma::block_sum;
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8]) -> u32 {
        let v = Block::external(v, [BLOCK]).cast::<u32>();
        let mut s = 0;
        for i in 0..BLOCK {
            s += v[[i]];
        }
        s + block_sum(v)
    }

    pub fn run() -> u32 {
        kernel(&[1; 8])
    }
}

//@ panic
mod glob_in_a_block {
    use shim::prelude::*;

    mod small {
        pub const N: usize = 8;
    }
    mod big {
        pub const N: usize = 100_000;
    }
    use small::N;

    #[shim::kernel]
    fn kernel(v: &[u8]) -> u32 {
        let v = Block::external(v, [N]).cast::<u32>();
        let mut s = 0;
        {
            use big::*;
            for i in 0..N {
                if i > 90_000 {
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

//@ panic
mod glob_in_a_template {
    use shim::prelude::*;

    pub mod small {
        pub const N: usize = 8;
    }
    pub mod big {
        pub const N: usize = 100_000;
    }
    use small::N;

    #[shim::kernel]
    fn sum(v: impl Tensor<u32, 1>) -> u32 {
        use crate::glob_in_a_template::big::*;
        let mut s = 0;
        for i in 0..N {
            if i > 90_000 {
                s += v[[i]];
            }
        }
        s
    }

    #[shim::kernel]
    fn kernel(v: &[u8]) -> u32 {
        let v = Block::external(v, [N]).cast::<u32>();
        sum(v)
    }

    pub fn run() -> u32 {
        kernel(&[1; 8])
    }
}

// The path's first segment is what the inner `use` renames.
//@ panic
mod renamed_module {
    use shim::prelude::*;

    mod small {
        pub const N: usize = 8;
    }
    mod big {
        pub const N: usize = 16;
    }

    #[shim::kernel]
    fn kernel(v: &[u8]) -> u32 {
        let v = Block::external(v, [small::N]).cast::<u32>();
        let mut s = 0;
        {
            use big as small;
            for i in 0..small::N {
                s += v[[i]];
            }
        }
        s
    }

    pub fn run() -> u32 {
        kernel(&[1; 8])
    }
}

//@ panic
mod inner_module {
    use shim::prelude::*;

    mod cfg {
        pub const N: usize = 8;
    }

    #[shim::kernel]
    fn kernel(v: &[u8]) -> u32 {
        let v = Block::external(v, [cfg::N]).cast::<u32>();
        let mut s = 0;
        {
            mod cfg {
                pub const N: usize = 16;
            }
            for i in 0..cfg::N {
                s += v[[i]];
            }
        }
        s
    }

    pub fn run() -> u32 {
        kernel(&[1; 8])
    }
}

//@ panic
mod inner_type_alias {
    use shim::prelude::*;

    struct Small;
    struct Big;
    impl Small {
        const N: usize = 8;
    }
    impl Big {
        const N: usize = 16;
    }
    type Cfg = Small;

    #[shim::kernel]
    fn kernel(v: &[u8]) -> u32 {
        let v = Block::external(v, [Cfg::N]).cast::<u32>();
        let mut s = 0;
        {
            type Cfg = Big;
            for i in 0..Cfg::N {
                s += v[[i]];
            }
        }
        s
    }

    pub fn run() -> u32 {
        kernel(&[1; 8])
    }
}

//@ panic
mod inner_struct_with_a_constant {
    use shim::prelude::*;

    struct Cfg;
    impl Cfg {
        const N: usize = 8;
    }

    #[shim::kernel]
    fn kernel(v: &[u8]) -> u32 {
        let v = Block::external(v, [Cfg::N]).cast::<u32>();
        let mut s = 0;
        {
            struct Cfg;
            impl Cfg {
                const N: usize = 16;
            }
            for i in 0..Cfg::N {
                s += v[[i]];
            }
        }
        s
    }

    pub fn run() -> u32 {
        kernel(&[1; 8])
    }
}

//@ panic
mod qualified_constant_of_an_inner_alias {
    use shim::prelude::*;

    trait Layout {
        const N: usize;
    }
    impl Layout for u8 {
        const N: usize = 8;
    }
    impl Layout for u16 {
        const N: usize = 16;
    }
    type Sample = u8;

    #[shim::kernel]
    fn kernel(v: &[u8]) -> u32 {
        let v = Block::external(v, [<Sample as Layout>::N]).cast::<u32>();
        let mut s = 0;
        {
            type Sample = u16;
            for i in 0..<Sample as Layout>::N {
                s += v[[i]];
            }
        }
        s
    }

    pub fn run() -> u32 {
        kernel(&[1; 8])
    }
}

// Two traits of the same name give the same path two values.
//@ panic
mod inner_trait_with_a_constant {
    use shim::prelude::*;

    trait Layout {
        const N: usize;
    }
    impl Layout for u8 {
        const N: usize = 8;
    }

    #[shim::kernel]
    fn kernel(v: &[u8]) -> u32 {
        let v = Block::external(v, [<u8 as Layout>::N]).cast::<u32>();
        let mut s = 0;
        {
            trait Layout {
                const N: usize;
            }
            impl Layout for u8 {
                const N: usize = 16;
            }
            for i in 0..<u8 as Layout>::N {
                s += v[[i]];
            }
        }
        s
    }

    pub fn run() -> u32 {
        kernel(&[1; 8])
    }
}

// An item is visible in its whole block, also before it.
//@ panic
mod use_at_the_end_of_a_block {
    use shim::prelude::*;

    const BLOCK: usize = 8;

    #[shim::kernel]
    fn kernel(v: &[u8]) -> u32 {
        let v = Block::external(v, [BLOCK]).cast::<u32>();
        let mut s = 0;
        {
            for i in 0..BLOCK {
                s += v[[i]];
            }
            use hostile_luma::BLOCK;
        }
        s
    }

    pub fn run() -> u32 {
        kernel(&[1; 8])
    }
}

//@ panic
mod const_at_the_end_of_a_block {
    use shim::prelude::*;

    const N: usize = 8;

    #[shim::kernel]
    fn kernel(v: &[u8]) -> u32 {
        let v = Block::external(v, [N]).cast::<u32>();
        let mut s = 0;
        {
            for i in 0..N {
                s += v[[i]];
            }
            const N: usize = 16;
        }
        s
    }

    pub fn run() -> u32 {
        kernel(&[1; 8])
    }
}

//@ value
mod const_at_the_end_of_the_body {
    use shim::prelude::*;

    const N: usize = 100;

    #[shim::kernel]
    fn kernel(v: &[u8]) -> u32 {
        let v = Block::external(v, [N]).cast::<u32>();
        let mut s = 0;
        for i in 0..N {
            s += v[[i]];
        }
        return s;
        const N: usize = 8;
    }

    pub fn run() -> u32 {
        kernel(&[1; 8])
    }

    pub fn want() -> u32 {
        8
    }
}

// A constant in the body hides the parameter: the body's items are nearer than the parameters.
//@ panic
mod const_over_a_parameter {
    use shim::prelude::*;

    #[shim::kernel]
    #[allow(non_upper_case_globals)]
    fn kernel(v: &[u8], n: usize) -> u32 {
        const n: usize = 16;
        let v = Block::external(v, [n]).cast::<u32>();
        let mut s = 0;
        for i in 0..n {
            s += v[[i]];
        }
        s
    }

    pub fn run() -> u32 {
        kernel(&[1; 8], 8)
    }
}

//@ value | reject
mod const_over_a_parameter_of_a_loop {
    use shim::prelude::*;

    #[shim::kernel]
    #[allow(non_upper_case_globals)]
    fn kernel(v: &[u8], n: usize) -> u32 {
        let v = Block::external(v, [8]).cast::<u32>();
        let mut s = 0;
        for i in 0..n {
            s += v[[i]];
        }
        return s;
        const n: usize = 4;
    }

    pub fn run() -> u32 {
        kernel(&[1; 8], 1_000_000)
    }

    pub fn want() -> u32 {
        4
    }
}

// A constant of an inner block hides the local variable of the outer one.
//@ panic
mod const_over_a_local {
    use shim::prelude::*;

    #[shim::kernel]
    #[allow(non_upper_case_globals)]
    fn kernel(v: &[u8]) -> u32 {
        let n = v.len();
        let v = Block::external(v, [n]).cast::<u32>();
        let mut s = 0;
        {
            const n: usize = 100_000;
            for i in 0..n {
                if i > 90_000 {
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

//@ panic
mod static_over_a_local {
    use shim::prelude::*;

    #[shim::kernel]
    #[allow(non_upper_case_globals)]
    fn kernel(v: &[u8]) -> u32 {
        let n = v.len();
        let v = Block::external(v, [n]).cast::<u32>();
        let mut s = 0;
        {
            static n: usize = 100_000;
            for i in 0..n {
                if i > 90_000 {
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

//@ panic
mod use_over_a_local {
    use shim::prelude::*;

    #[allow(non_upper_case_globals)]
    mod big {
        pub const n: usize = 100_000;
    }

    #[shim::kernel]
    fn kernel(v: &[u8]) -> u32 {
        let n = v.len();
        let v = Block::external(v, [n]).cast::<u32>();
        let mut s = 0;
        {
            use big::n;
            for i in 0..n {
                if i > 90_000 {
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

// A local is nearer than a glob of the same block, and a glob of an inner block is nearer than a local.
//@ panic | reject
mod glob_over_a_local {
    use shim::prelude::*;

    #[allow(non_upper_case_globals)]
    mod big {
        pub const n: usize = 100_000;
    }

    #[shim::kernel]
    fn kernel(v: &[u8]) -> u32 {
        let n = v.len();
        let v = Block::external(v, [n]).cast::<u32>();
        let mut s = 0;
        {
            use big::*;
            for i in 0..n {
                if i > 90_000 {
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

//@ panic | reject
mod const_over_a_loop_variable {
    use shim::prelude::*;

    #[shim::kernel]
    #[allow(non_upper_case_globals)]
    fn kernel(v: &[u8]) -> u32 {
        let v = Block::external(v, [8]).cast::<u32>();
        let mut s = 0;
        for i in 0..8 {
            const i: usize = 100_000;
            s += v[[i]];
        }
        s
    }

    pub fn run() -> u32 {
        kernel(&[1; 8])
    }
}

//@ panic | reject
mod const_over_an_index_variable {
    use shim::prelude::*;

    #[shim::kernel]
    #[allow(non_upper_case_globals)]
    fn kernel(v: &[u8], n: usize) -> u32 {
        let v = Block::external(v, [n]).cast::<u32>();
        let mut s = 0;
        for [i] in v.indices() {
            const i: i32 = 100_000;
            s += v[[i]];
        }
        s
    }

    pub fn run() -> u32 {
        kernel(&[1; 8], 8)
    }
}

//@ value
mod const_in_an_unrolled_loop {
    use shim::prelude::*;

    #[shim::kernel]
    #[allow(non_upper_case_globals)]
    fn kernel(v: &[u8]) -> u32 {
        let v = Block::external(v, [8]).cast::<u32>();
        let mut s = 0;
        #[unroll]
        for i in 0..4 {
            {
                const i: i32 = 7;
                s += 10 * v[[i]];
            }
            s += v[[i]];
        }
        s
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3, 4, 5, 6, 7, 8])
    }

    pub fn want() -> u32 {
        4 * 80 + 10
    }
}

//@ panic
mod const_in_a_closure {
    use shim::prelude::*;

    const N: usize = 8;

    #[shim::kernel]
    fn kernel(v: &[u8]) -> u32 {
        let v = Block::external(v, [N]).cast::<u32>();
        let last = || {
            const N: usize = 100_000;
            v[[N - 1]]
        };
        v[[N - 1]] + last()
    }

    pub fn run() -> u32 {
        kernel(&[1; 8])
    }
}

//@ panic
mod const_in_a_match_arm {
    use shim::prelude::*;

    const N: usize = 8;

    #[shim::kernel]
    fn kernel(v: &[u8], which: bool) -> u32 {
        let v = Block::external(v, [N]).cast::<u32>();
        match which {
            true => {
                const N: usize = 16;
                let mut s = 0;
                for i in 0..N {
                    s += v[[i]];
                }
                s
            }
            false => v[[N - 1]],
        }
    }

    pub fn run() -> u32 {
        kernel(&[1; 8], true)
    }
}

//@ panic
mod const_in_a_labeled_block {
    use shim::prelude::*;

    const N: usize = 8;

    #[shim::kernel]
    fn kernel(v: &[u8]) -> u32 {
        let v = Block::external(v, [N]).cast::<u32>();
        let s = 'sum: {
            const N: usize = 16;
            let mut s = 0;
            for i in 0..N {
                s += v[[i]];
                if s > 100 {
                    break 'sum s;
                }
            }
            s
        };
        s + v[[N - 1]]
    }

    pub fn run() -> u32 {
        kernel(&[1; 8])
    }
}

//@ panic
mod const_in_the_block_of_an_initializer {
    use shim::prelude::*;

    const N: usize = 8;

    #[shim::kernel]
    fn kernel(v: &[u8]) -> u32 {
        let v = Block::external(v, [N]).cast::<u32>();
        let end = {
            const N: usize = 16;
            N
        };
        let mut s = 0;
        for i in 0..end {
            s += v[[i]];
        }
        s
    }

    pub fn run() -> u32 {
        kernel(&[1; 8])
    }
}

//@ panic
mod const_in_the_block_of_an_index {
    use shim::prelude::*;

    const N: usize = 8;

    #[shim::kernel]
    fn kernel(v: &[u8]) -> u32 {
        let v = Block::external(v, [N]).cast::<u32>();
        v[[N - 1]]
            + v[[{
                const N: usize = 100_000;
                N - 1
            }]]
    }

    pub fn run() -> u32 {
        kernel(&[1; 8])
    }
}

// The extent itself is a block with a constant in it.
//@ value
mod const_in_the_block_of_an_extent {
    use shim::prelude::*;

    const N: usize = 100_000;

    #[shim::kernel]
    fn kernel(v: &[u8]) -> usize {
        let v = Block::external(
            v,
            [{
                const N: usize = 8;
                N
            }],
        );
        v.extent(0) + N
    }

    pub fn run() -> usize {
        kernel(&[1; 8])
    }

    pub fn want() -> usize {
        100_008
    }
}

//@ panic | reject
mod const_generic_hidden_by_a_const {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel<const N: usize>(v: &[u8; N]) -> u32 {
        let v = Block::external(v, [N]).cast::<u32>();
        let mut s = v[[N - 1]];
        {
            const N: usize = 100_000;
            s += v[[N - 1]];
        }
        s
    }

    pub fn run() -> u32 {
        kernel(&[1; 8])
    }
}

//@ panic | reject
mod const_generic_of_a_template_hidden_by_a_const {
    use shim::prelude::*;

    #[shim::kernel]
    fn at<const N: usize>(v: impl Tensor<u32, 1>) -> u32 {
        let s = v[[N]];
        {
            const N: usize = 100_000;
            s + v[[N]]
        }
    }

    #[shim::kernel]
    fn kernel(v: &[u8]) -> u32 {
        let v = Block::external(v, [8]).cast::<u32>();
        at::<3>(v)
    }

    pub fn run() -> u32 {
        kernel(&[1; 8])
    }
}

// A block's constant in the place of the const generic that the extent is.
//@ value
mod const_generic_hidden_by_a_smaller_one {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel<const N: usize>(v: &[u8; N]) -> usize {
        let v = Block::external(v, [N]);
        let inner = {
            const N: usize = 3;
            v[[0..N]].extent(0)
        };
        inner * 10 + v.extent(0)
    }

    pub fn run() -> usize {
        kernel(&[1; 8])
    }

    pub fn want() -> usize {
        38
    }
}

//@ panic
mod enum_with_an_inner_namesake {
    use shim::prelude::*;

    enum Size {
        Small = 8,
    }

    #[shim::kernel]
    fn kernel(v: &[u8]) -> u32 {
        let v = Block::external(v, [Size::Small as usize]).cast::<u32>();
        let mut s = 0;
        {
            enum Size {
                Small = 16,
            }
            for i in 0..Size::Small as usize {
                s += v[[i]];
            }
        }
        s
    }

    pub fn run() -> u32 {
        kernel(&[1; 8])
    }
}

//@ panic
mod sibling_blocks_with_two_uses {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8]) -> u32 {
        let mut s = 0;
        {
            use hostile_chroma::BLOCK;
            let v = Block::external(v, [BLOCK]).cast::<u32>();
            for i in 0..BLOCK {
                s += v[[i]];
            }
        }
        {
            use hostile_luma::BLOCK;
            let v = Block::external(v, [BLOCK]).cast::<u32>();
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

//@ value
mod two_constants_side_by_side {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8]) -> u32 {
        let v = Block::external(v, [hostile_luma::BLOCK]).cast::<u32>();
        let mut s = 0;
        for i in 0..hostile_chroma::BLOCK {
            s += v[[i]];
        }
        for i in hostile_chroma::BLOCK..hostile_luma::BLOCK {
            s += 10 * v[[i]];
        }
        s
    }

    pub fn run() -> u32 {
        kernel(&[1; 16])
    }

    pub fn want() -> u32 {
        88
    }
}

// The stride is one constant at the block and another one where the access is.
//@ value
mod stride_with_an_inner_namesake {
    use shim::prelude::*;

    const STRIDE: usize = 4;

    #[shim::kernel]
    fn kernel(v: &[u8]) -> u8 {
        let t = Block::external(v, [2, 2]).strided([STRIDE, 1]);
        {
            const STRIDE: usize = 1_000_000;
            let _ = STRIDE;
            t[[1, 1]]
        }
    }

    pub fn run() -> u8 {
        kernel(&[0, 1, 2, 3, 4, 5, 6, 7])
    }

    pub fn want() -> u8 {
        5
    }
}

//@ value
mod place_with_an_inner_namesake {
    use shim::prelude::*;

    const AT: isize = 1;

    #[shim::kernel]
    fn kernel(v: &[u8]) -> (u8, isize) {
        let t = Block::external(v, [8]);
        let small = Block::stack::<u8>([2]).at([AT]);
        {
            const AT: isize = 100_000;
            let seen = t[small];
            (seen[[0]], small.origin(0) + AT)
        }
    }

    pub fn run() -> (u8, isize) {
        kernel(&[0, 1, 2, 3, 4, 5, 6, 7])
    }

    pub fn want() -> (u8, isize) {
        (1, 100_001)
    }
}

// The view is made where `K` is 2, and read where it is 6.
//@ value
mod view_made_with_another_constant {
    use shim::prelude::*;

    mod two {
        pub const K: usize = 2;
    }
    mod six {
        pub const K: usize = 6;
    }

    #[shim::kernel]
    fn kernel(v: &[u8]) -> u8 {
        use two::K;
        let t = Block::external(v, [4, 2]);
        let row = t.slice(0, K);
        {
            use six::K;
            let _ = K;
            row[[1]]
        }
    }

    pub fn run() -> u8 {
        kernel(&[0, 1, 2, 3, 4, 5, 6, 7])
    }

    pub fn want() -> u8 {
        5
    }
}

// A function's path, used in an extent: called again, it would be another function.
//@ panic
mod inner_const_fn {
    use shim::prelude::*;

    const fn size() -> usize {
        8
    }

    #[shim::kernel]
    fn kernel(v: &[u8]) -> u32 {
        let v = Block::external(v, [size()]).cast::<u32>();
        let mut s = 0;
        {
            const fn size() -> usize {
                16
            }
            for i in 0..size() {
                s += v[[i]];
            }
        }
        s
    }

    pub fn run() -> u32 {
        kernel(&[1; 8])
    }
}

// A static table's entry, and an inner table of the same name.
//@ panic
mod inner_table {
    use shim::prelude::*;

    const SIZES: [usize; 2] = [8, 4];

    #[shim::kernel]
    fn kernel(v: &[u8]) -> u32 {
        let v = Block::external(v, [SIZES[0]]).cast::<u32>();
        let mut s = 0;
        {
            const SIZES: [usize; 2] = [16, 4];
            for i in 0..SIZES[0] {
                s += v[[i]];
            }
        }
        s
    }

    pub fn run() -> u32 {
        kernel(&[1; 8])
    }
}

// A static with interior mutability, read twice.
//@ panic
mod atomic_static {
    use shim::prelude::*;
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

    static N: AtomicUsize = AtomicUsize::new(8);

    #[shim::kernel]
    fn kernel(v: &[u8]) -> u32 {
        let v = Block::external(v, [N.load(Relaxed)]).cast::<u32>();
        N.store(100_000, Relaxed);
        let mut s = 0;
        for i in 0..N.load(Relaxed) {
            s += v[[i]];
        }
        s
    }

    pub fn run() -> u32 {
        kernel(&[1; 8])
    }
}

// A constant whose type has no place in an index list until it is converted.
//@ value | reject
mod constant_of_a_wide_type {
    use shim::prelude::*;

    const FAR: u128 = 1 << 100;

    #[shim::kernel]
    fn kernel(v: &[u8]) -> u8 {
        let v = Block::external(v, [8]);
        if v.extent(0) > 100 { v[[FAR]] } else { v[[1]] }
    }

    pub fn run() -> u8 {
        kernel(&[0, 1, 2, 3, 4, 5, 6, 7])
    }

    pub fn want() -> u8 {
        1
    }
}

// Parameters of a nested function share names with the kernel's constants.
//@ value
mod nested_function_with_the_same_names {
    use shim::prelude::*;

    const N: usize = 8;

    #[shim::kernel]
    fn kernel(v: &[u8]) -> usize {
        fn inner(v: usize) -> usize {
            const N: usize = 5;
            v + N
        }
        let t = Block::external(v, [N]);
        let end = inner(N);
        let mut s = 0;
        for i in 0..end {
            s += usize::from(t.contains([i]));
        }
        s * 100 + end
    }

    pub fn run() -> usize {
        kernel(&[1; 8])
    }

    pub fn want() -> usize {
        813
    }
}

// The access stands in the loop where the item is; its assertion stands before the loop.
//@ panic
mod renamed_module_in_a_loop {
    use shim::prelude::*;

    mod small {
        pub const N: usize = 2;
    }
    mod big {
        pub const N: usize = 100_000;
    }

    #[shim::kernel]
    fn kernel(v: &[u8], k: usize) -> u32 {
        let v = Block::external(v, [8]).cast::<u32>();
        let mut s = 0;
        for _ in 0..=small::N {
            use big as small;
            s += v[[small::N - k]];
        }
        s
    }

    pub fn run() -> u32 {
        kernel(&[1; 8], 1)
    }
}

//@ panic
mod use_in_a_loop {
    use shim::prelude::*;

    use hostile_chroma::BLOCK;

    #[shim::kernel]
    fn kernel(v: &[u8], n: usize) -> u32 {
        let v = Block::external(v, [n]).cast::<u32>();
        let mut s = v[[BLOCK]];
        for i in 0..n / 2 {
            use hostile_luma::BLOCK;
            s += v[[i + BLOCK]];
        }
        s
    }

    pub fn run() -> u32 {
        kernel(&[1; 12], 12)
    }
}

//@ value
mod use_in_a_loop_within_bounds {
    use shim::prelude::*;

    use hostile_luma::BLOCK;

    #[shim::kernel]
    fn kernel(v: &[u8], n: usize) -> u32 {
        let v = Block::external(v, [n]).cast::<u32>();
        let mut s = v[[BLOCK]] * 1000;
        for i in 0..3 {
            use hostile_chroma::BLOCK;
            s += v[[i + BLOCK]];
        }
        s
    }

    pub fn run() -> u32 {
        kernel(&(0..20).collect::<Vec<u8>>(), 20)
    }

    pub fn want() -> u32 {
        16_000 + 8 + 9 + 10
    }
}

//@ reject
mod the_type_of_a_staged_constant_is_another {
    mod library {
        #[allow(non_camel_case_types)]
        type u8 = u16;

        #[shim::constant]
        pub const N: u8 = !0;
    }

    #[shim::kernel]
    fn kernel(#[shape(300)] v: &[u32]) -> u32 {
        #[staged]
        use self::library::N;
        v[[N as usize % 300]] + N as u32
    }

    pub fn run() -> u32 {
        kernel(&[1; 300])
    }
}

//@ reject
mod an_element_of_a_staged_constant_is_configured_away {
    #[shim::constant]
    pub const LIST: [usize; 2] = [
        0,
        #[cfg(any())]
        1,
        2,
    ];

    #[shim::kernel]
    fn kernel(#[shape(4)] v: &[u32]) -> u32 {
        #[staged]
        use self::LIST;
        v[[LIST[1]]]
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3, 4])
    }
}

//@ reject
mod the_value_and_the_macro_of_a_staged_constant_come_from_two_places {
    mod a {
        pub const N: usize = 1;
    }

    mod b {
        #[shim::constant]
        pub const N: usize = 2;
    }

    mod both {
        pub use super::a::N;
        pub use super::b::*;
    }

    #[shim::kernel]
    fn kernel(#[shape(4)] v: &[u32]) -> u32 {
        #[staged]
        use self::both::N;
        v[[N]]
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3, 4])
    }
}

//@ reject
mod a_template_imports_from_two_places {
    use shim::prelude::*;

    mod a {
        pub const N: usize = 1;
    }

    mod b {
        #[shim::constant]
        pub const N: usize = 2;
    }

    mod both {
        pub use super::a::N;
        pub use super::b::*;
    }

    #[shim::kernel]
    fn at(t: impl Tensor<u32, 1>) -> u32 {
        #[staged]
        use self::both::N;
        t[[N]]
    }

    #[shim::kernel]
    fn kernel(#[shape(4)] v: &[u32]) -> u32 {
        at(v)
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3, 4])
    }
}
