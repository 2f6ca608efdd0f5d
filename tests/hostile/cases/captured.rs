//! Names of the kernel that hide what a location mentions, between where the location is made and where it is used.

// A refutable pattern keeps the identifier of the user.
//@ value
mod if_let_hides_a_loop_variable {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(#[shape(n)] out: &mut [u8], n: usize, q: Option<i32>) {
        for [x] in out.indices() {
            let j = x;
            if let Some(x) = q {
                let _ = x;
                out[[j]] += 7;
            }
        }
    }

    pub fn run() -> u32 {
        let mut out = [0; 4];
        kernel(&mut out, 4, Some(1 << 30));
        out.iter().map(|byte| u32::from(*byte)).sum()
    }

    pub fn want() -> u32 {
        28
    }
}

//@ value
mod match_arms_and_guards_hide_a_loop_variable {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(#[shape(n)] out: &mut [u8], n: usize, q: Option<i32>) {
        for [x] in out.indices() {
            let j = x;
            match q {
                Some(x)
                    if {
                        out[[j]] += 1;
                        x > 1 << 20
                    } =>
                {
                    out[[j]] += 7;
                }
                Some(x) | Some(x) if x > 5 => out[[j]] += 2,
                x => {
                    let _ = x;
                    out[[j]] += 3;
                }
            }
        }
    }

    pub fn run() -> u32 {
        let mut out = [0; 4];
        kernel(&mut out, 4, Some(1 << 30));
        kernel(&mut out, 4, Some(6));
        kernel(&mut out, 4, None);
        out.iter().map(|byte| u32::from(*byte)).sum()
    }

    pub fn want() -> u32 {
        4 * (1 + 7 + 1 + 2 + 3)
    }
}

//@ value
mod matches_and_chains_hide_a_loop_variable {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(#[shape(n)] out: &mut [u8], n: usize, q: Option<i32>) {
        let b = Block::stack::<u8>([64]);
        for [x] in out.indices() {
            let j = x;
            if matches!(q, Some(x) if x > 5 && out[[j]] < 9) {
                out[[j]] += 1;
            }
            if let Some(x) = q
                && x > 5
                && out[[j]] < 9
                && let Some(n) = q
            {
                let _ = (x, n);
                out[[j]] += b[[j]] + 4;
            }
        }
    }

    pub fn run() -> u32 {
        let mut out = [0; 4];
        kernel(&mut out, 4, Some(1 << 30));
        out.iter().map(|byte| u32::from(*byte)).sum()
    }

    pub fn want() -> u32 {
        20
    }
}

//@ value
mod while_let_and_let_else_hide_a_loop_variable {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(#[shape(n)] out: &mut [u8], n: usize, q: Option<i32>) {
        for [x] in out.indices() {
            let j = x;
            let mut left = q;
            while let Some(x) = left {
                let _ = x;
                out[[j]] += 1;
                left = None;
            }
            let Some(x) = q else { return };
            let _ = x;
            out[[j]] += 2;
        }
    }

    pub fn run() -> u32 {
        let mut out = [0; 4];
        kernel(&mut out, 4, Some(1 << 30));
        out.iter().map(|byte| u32::from(*byte)).sum()
    }

    pub fn want() -> u32 {
        12
    }
}

//@ value
mod a_pattern_hides_the_local_behind_another_and_a_view {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(#[shape(64)] a: &mut [u8], n: usize, q: Option<usize>) {
        let m = n;
        let v = a[[n..]];
        for r in 0..4 {
            let s = r;
            let w = v[[s..]];
            if let Some(n) = q
                && let Some(r) = q
            {
                let _ = (n, r);
                a[[m]] += 1;
                v[[s]] += 2;
                w[[0]] += 3;
            }
        }
    }

    pub fn run() -> u32 {
        let mut a = [0; 64];
        kernel(&mut a, 3, Some(1 << 40));
        a.iter().enumerate().map(|(i, byte)| i as u32 * u32::from(*byte)).sum()
    }

    pub fn want() -> u32 {
        4 * 3 + 5 * (3 + 4 + 5 + 6)
    }
}

//@ value
mod a_nested_constant_hides_a_loop_variable {
    #![allow(non_upper_case_globals)]
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(#[shape(n)] out: &mut [u8], n: usize) {
        for [x] in out.indices() {
            let j = x;
            {
                const x: isize = 1 << 30;
                let _ = x;
                out[[j]] += 7;
            }
        }
        for x in 0..n {
            let j = x;
            {
                const x: usize = 1 << 30;
                let _ = x;
                out[[j]] += 1;
            }
        }
    }

    pub fn run() -> u32 {
        let mut out = [0; 4];
        kernel(&mut out, 4);
        out.iter().map(|byte| u32::from(*byte)).sum()
    }

    pub fn want() -> u32 {
        32
    }
}

//@ value | reject
mod an_import_hides_a_loop_variable {
    #![allow(non_upper_case_globals)]
    use shim::prelude::*;

    mod far {
        pub const x: isize = 1 << 30;
        pub const y: usize = 1 << 30;
    }

    #[shim::kernel]
    fn kernel(#[shape(n)] out: &mut [u8], n: usize) {
        for [x] in out.indices() {
            let j = x;
            {
                use far::x;
                let _ = x;
                out[[j]] += 7;
            }
        }
        for y in 0..n {
            let j = y;
            {
                use far::y;
                let _ = y;
                out[[j]] += 7;
            }
        }
    }

    pub fn run() -> u32 {
        let mut out = [0; 4];
        kernel(&mut out, 4);
        out.iter().map(|byte| u32::from(*byte)).sum()
    }

    pub fn want() -> u32 {
        56
    }
}

// The names of emitted locals, by imports that the macro does not see into.
//@ value | reject
mod a_glob_import_hides_a_conversion {
    #![allow(non_upper_case_globals)]
    use shim::prelude::*;

    mod far {
        pub const n_i: isize = 1 << 30;
    }

    #[shim::kernel]
    fn kernel(a: &mut [u8], n: usize) {
        let a = Block::external(a, [64]);
        let v = a[[n..]];
        {
            use far::*;
            v[[0]] += 7;
        }
    }

    pub fn run() -> u32 {
        let mut a = [0; 64];
        kernel(&mut a, 4);
        u32::from(a[4])
    }

    pub fn want() -> u32 {
        7
    }
}

//@ value | reject
mod a_glob_import_hides_the_memory {
    #![allow(non_upper_case_globals)]
    use shim::prelude::*;

    mod far {
        pub static a_mem: [u8; 1] = [9];
        pub const v_base: isize = 1 << 30;
    }

    #[shim::kernel]
    fn kernel(a: &[u8], n: usize) -> u32 {
        let a = Block::external(a, [64]);
        let v = a[[n..]];
        let mut sum = 0;
        for [x] in v.indices() {
            use far::*;
            sum += u32::from(v[[x]]);
        }
        sum
    }

    pub fn run() -> u32 {
        kernel(&[1; 64], 4)
    }

    pub fn want() -> u32 {
        60
    }
}

//@ value | reject
mod a_glob_import_brings_a_function {
    #![allow(non_upper_case_globals)]
    use shim::prelude::*;

    mod far {
        pub fn n_i() {}
        pub fn r() {}
        pub fn r_2() {}
        pub fn v_base() {}
        pub trait Numbers {
            fn wrapping_add(self, _: isize) -> isize;
            fn wrapping_mul(self, _: isize) -> isize;
            fn div_euclid(self, _: isize) -> isize;
            fn rem_euclid(self, _: isize) -> isize;
        }
        impl<F: Fn()> Numbers for F {
            fn wrapping_add(self, _: isize) -> isize {
                1 << 30
            }
            fn wrapping_mul(self, _: isize) -> isize {
                1 << 30
            }
            fn div_euclid(self, _: isize) -> isize {
                1 << 30
            }
            fn rem_euclid(self, _: isize) -> isize {
                1 << 30
            }
        }
    }

    #[shim::kernel]
    fn kernel(a: &[u8], n: usize) -> u32 {
        let a = Block::external(a, [64]);
        let v = a[[n..]];
        let mut sum = 0;
        for r in 0..8 {
            let s = r;
            use far::*;
            sum += u32::from(v[[s]]);
        }
        sum
    }

    pub fn run() -> u32 {
        kernel(&[1; 64], 4)
    }

    pub fn want() -> u32 {
        8
    }
}

//@ value | reject
mod a_macro_brings_constants {
    #![allow(non_upper_case_globals)]
    use shim::prelude::*;

    macro_rules! bring {
        () => {
            const n_i: isize = 1 << 30;
            const x: isize = 1 << 30;
            const s_2: isize = 1 << 30;
        };
    }

    #[shim::kernel]
    fn kernel(a: &mut [u8], n: usize) {
        let a = Block::external(a, [64]);
        let v = a[[n..]];
        for [x] in v.indices() {
            let s = x;
            {
                bring!();
                v[[s]] += 7;
            }
        }
    }

    pub fn run() -> u32 {
        let mut a = [0; 64];
        kernel(&mut a, 4);
        u32::from(a[4])
    }

    pub fn want() -> u32 {
        7
    }
}

// The loops of fused nests have names of their own, whatever these are called.
//@ value
mod fused_nests_exchange_their_names {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(#[shape(4, 4)] a: &mut [u8], #[shape(4, 4)] b: &mut [u8]) {
        #[fuse]
        for [y, x] in a.indices() {
            a[[y, x]] = (10 * y + x) as u8;
        }
        for [x, y] in b.indices() {
            b[[x, y]] = a[[x, y]] + (100 * x + y) as u8;
        }
    }

    pub fn run() -> u32 {
        let (mut a, mut b) = ([0; 16], [0; 16]);
        kernel(&mut a, &mut b);
        b.iter().fold(0, |s: u32, v| s.wrapping_mul(31).wrapping_add(u32::from(*v)))
    }

    pub fn want() -> u32 {
        let all = (0..4).flat_map(|y| (0..4).map(move |x| (110 * y + 2 * x) as u8));
        all.fold(0, |s: u32, v| s.wrapping_mul(31).wrapping_add(u32::from(v)))
    }
}

//@ value
mod a_name_in_the_second_fused_body_hides_a_variable_of_the_first {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(#[shape(8)] a: &mut [u8], #[shape(8)] b: &mut [u8], i: usize) {
        #[fuse]
        for [y] in a.indices() {
            a[[y]] = y as u8;
        }
        for [x] in b.indices() {
            let y = 3_i32;
            let z = 1 << 30;
            if let Some(y) = Some(z) {
                let _ = y;
                b[[x]] = a[[x]] + 1;
            }
            let y = y + 1;
            b[[x]] += y as u8;
        }
        #[fuse]
        for [i] in a.indices() {
            a[[i]] += 1;
        }
        for [k] in b.indices() {
            b[[k]] += i as u8;
        }
    }

    pub fn run() -> u32 {
        let (mut a, mut b) = ([0; 8], [0; 8]);
        kernel(&mut a, &mut b, 5);
        a.iter().chain(&b).fold(0, |s: u32, v| s.wrapping_mul(31).wrapping_add(u32::from(*v)))
    }

    pub fn want() -> u32 {
        let a = (0..8).map(|y| y + 1);
        let b = (0..8).map(|x| x + 1 + 4 + 5);
        a.chain(b).fold(0, |s: u32, v: u32| s.wrapping_mul(31).wrapping_add(v))
    }
}

//@ value
mod fused_nests_in_lanes_and_tiles_exchange_their_names {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(#[shape(8, 8)] a: &mut [u8], #[shape(8, 8)] b: &mut [u8]) {
        #[fuse]
        #[tile([3, 4])]
        #[lanes(4)]
        for [y, x] in a.indices() {
            a[[y, x]] = (10 * y + x) as u8;
        }
        for [x, y] in b.indices() {
            b[[x, y]] = a[[x, y]] + (2 * x + y) as u8;
        }
    }

    pub fn run() -> u32 {
        let (mut a, mut b) = ([0; 64], [0; 64]);
        kernel(&mut a, &mut b);
        b.iter().fold(0, |s: u32, v| s.wrapping_mul(31).wrapping_add(u32::from(*v)))
    }

    pub fn want() -> u32 {
        let all = (0..8).flat_map(|y| (0..8).map(move |x| (12 * y + 2 * x) as u8));
        all.fold(0, |s: u32, v| s.wrapping_mul(31).wrapping_add(u32::from(v)))
    }
}

// A closure that is written where it is called keeps what its names meant.
//@ value
mod names_of_an_inlined_closure {
    #[shim::kernel]
    fn kernel(#[shape(8)] v: &[u32]) -> u32 {
        let k = 1;
        let at = |i: i32| v[[i + k]];
        let before = at(2);
        let k = 4;
        let i = 3;
        before * 100 + at(i) * 10 + v[[k]]
    }

    pub fn run() -> u32 {
        kernel(&[0, 1, 2, 3, 4, 5, 6, 7])
    }

    pub fn want() -> u32 {
        344
    }
}

//@ value | reject
mod a_type_of_an_inlined_closure {
    #[allow(non_camel_case_types)]
    type i32 = u8;

    #[shim::kernel]
    fn kernel(#[shape(8)] v: &[u32]) -> u32 {
        let at = |i: i32| v[[i]];
        at(7) + at(3)
    }

    pub fn run() -> u32 {
        kernel(&[0, 1, 2, 3, 4, 5, 6, 7])
    }

    pub fn want() -> u32 {
        10
    }
}

//@ panic
mod an_inlined_closure_outside {
    #[shim::kernel]
    fn kernel(#[shape(8)] v: &[u32], n: i32) -> u32 {
        let at = |i: i32| v[[i - 1]];
        let mut s = 0;
        for i in 0..n {
            s += at(i);
        }
        s
    }

    pub fn run() -> u32 {
        kernel(&[1; 8], 3)
    }
}

//@ reject
mod a_variable_of_an_inlined_closure_changes {
    #[shim::kernel]
    fn kernel(#[shape(8)] v: &[u32]) -> u32 {
        let mut k = 1;
        let at = |i: i32| v[[i + k]];
        let first = at(1);
        k += 1;
        first + at(2)
    }

    pub fn run() -> u32 {
        kernel(&[1; 8])
    }
}
