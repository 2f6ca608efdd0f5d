//! U2: two names with the same text, of which a macro brought one, are two names.

// A family of kernels, the name of whose count is chosen by the caller.
//@ panic | reject
mod family_with_the_caller_s_count {
    use shim::prelude::*;

    macro_rules! sum_rows {
        ($name:ident, $count:ident) => {
            #[shim::kernel]
            fn $name(v: &[u8], $count: usize) -> u32 {
                let n = v.len();
                let v = Block::external(v, [n]).cast::<u32>();
                let mut s = 0;
                for i in 0..$count {
                    s += v[[i]];
                }
                s
            }
        };
    }
    sum_rows!(bad, n);

    pub fn run() -> u32 {
        bad(&[1; 8], 100_000)
    }
}

//@ value
mod family_with_another_name {
    use shim::prelude::*;

    macro_rules! sum_rows {
        ($name:ident, $count:ident) => {
            #[shim::kernel]
            fn $name(v: &[u8], $count: usize) -> u32 {
                let n = v.len();
                let v = Block::external(v, [n]).cast::<u32>();
                let mut s = 0;
                for i in 0..$count {
                    s += v[[i]];
                }
                s
            }
        };
    }
    sum_rows!(good, count);

    pub fn run() -> u32 {
        good(&[1; 8], 5)
    }

    pub fn want() -> u32 {
        5
    }
}

//@ value | reject
mod family_within_bounds {
    use shim::prelude::*;

    macro_rules! sum_rows {
        ($name:ident, $count:ident) => {
            #[shim::kernel]
            fn $name(v: &[u8], $count: usize) -> u32 {
                let n = v.len();
                let v = Block::external(v, [n]).cast::<u32>();
                let mut s = 0;
                for i in 0..$count {
                    s += v[[i]];
                }
                s + n as u32 * 100
            }
        };
    }
    sum_rows!(good, n);

    pub fn run() -> u32 {
        good(&[1; 8], 5)
    }

    pub fn want() -> u32 {
        805
    }
}

// The extent is the caller's name, the bound the macro's.
//@ panic | reject
mod family_with_the_caller_s_extent {
    use shim::prelude::*;

    macro_rules! sum {
        ($name:ident, $extent:ident) => {
            #[shim::kernel]
            fn $name(v: &[u8], $extent: usize) -> u32 {
                let v = Block::external(v, [$extent]).cast::<u32>();
                let n = 100_000;
                let mut s = 0;
                for i in 0..n {
                    if i > 90_000 {
                        s += v[[i]];
                    }
                }
                s
            }
        };
    }
    sum!(bad, n);

    pub fn run() -> u32 {
        bad(&[1; 8], 8)
    }
}

// Both are parameters.
//@ panic | reject
mod two_parameters_of_one_text {
    use shim::prelude::*;

    macro_rules! sum {
        ($name:ident, $count:ident) => {
            #[shim::kernel]
            fn $name(v: &[u8], n: usize, $count: usize) -> u32 {
                let v = Block::external(v, [n]).cast::<u32>();
                let mut s = 0;
                for i in 0..$count {
                    if i > 90_000 {
                        s += v[[i]];
                    }
                }
                s
            }
        };
    }
    sum!(bad, n);

    pub fn run() -> u32 {
        bad(&[1; 8], 8, 100_000)
    }
}

//@ panic | reject
mod two_parameters_the_other_way_round {
    use shim::prelude::*;

    macro_rules! sum {
        ($name:ident, $extent:ident) => {
            #[shim::kernel]
            fn $name(v: &[u8], $extent: usize, n: usize) -> u32 {
                let v = Block::external(v, [$extent]).cast::<u32>();
                let mut s = 0;
                for i in 0..n {
                    if i > 90_000 {
                        s += v[[i]];
                    }
                }
                s
            }
        };
    }
    sum!(bad, n);

    pub fn run() -> u32 {
        bad(&[1; 8], 8, 100_000)
    }
}

// An expression of the caller's means the caller's constant, not the macro's parameter.
//@ panic | reject
mod expression_of_the_caller {
    use shim::prelude::*;

    #[allow(non_upper_case_globals)]
    const n: usize = 100_000;

    macro_rules! sum {
        ($name:ident, $bound:expr) => {
            #[shim::kernel]
            fn $name(v: &[u8], m: usize) -> u32 {
                let v = Block::external(v, [m]).cast::<u32>();
                let mut s = 0;
                for i in 0..$bound {
                    if i > 90_000 {
                        s += v[[i]];
                    }
                }
                s
            }
        };
    }
    sum!(bad, n);

    pub fn run() -> u32 {
        bad(&[1; 8], 8)
    }
}

// Items have no hygiene: the caller's expression sees the macro's constant.
//@ value
mod items_of_a_macro_are_seen {
    use shim::prelude::*;

    macro_rules! sum {
        ($name:ident, $bound:expr) => {
            #[shim::kernel]
            fn $name(v: &[u8]) -> u32 {
                const N: usize = 4;
                let v = Block::external(v, [8]).cast::<u32>();
                let mut s = 0;
                for i in 0..$bound {
                    s += v[[i]];
                }
                s
            }
        };
    }
    #[allow(dead_code)]
    const N: usize = 100_000;
    sum!(sum_to, N);

    pub fn run() -> u32 {
        sum_to(&[1; 8])
    }

    pub fn want() -> u32 {
        4
    }
}

//@ panic | reject
mod loop_variable_of_the_caller {
    use shim::prelude::*;

    macro_rules! pairs {
        ($name:ident, $i:ident) => {
            #[shim::kernel]
            fn $name(v: &[u8]) -> u32 {
                let v = Block::external(v, [8]).cast::<u32>();
                let mut s = 0;
                for $i in 99_990..100_000 {
                    for i in 0..8 {
                        s += v[[i]];
                    }
                    s += v[[$i]];
                }
                s
            }
        };
    }
    pairs!(bad, i);

    pub fn run() -> u32 {
        bad(&[1; 8])
    }
}

//@ value | reject
mod loop_variable_of_the_caller_inside {
    use shim::prelude::*;

    macro_rules! pairs {
        ($name:ident, $i:ident) => {
            #[shim::kernel]
            fn $name(v: &[u8]) -> u32 {
                let v = Block::external(v, [8]).cast::<u32>();
                let mut s = 0;
                for i in 0..8 {
                    for $i in 0..2 {
                        s += 10 * v[[i]] + v[[$i]];
                    }
                }
                s
            }
        };
    }
    pairs!(good, i);

    pub fn run() -> u32 {
        good(&[1, 2, 3, 4, 5, 6, 7, 8])
    }

    pub fn want() -> u32 {
        2 * 360 + 8 * 3
    }
}

//@ panic | reject
mod index_variable_of_the_caller {
    use shim::prelude::*;

    macro_rules! pairs {
        ($name:ident, $i:ident) => {
            #[shim::kernel]
            fn $name(v: &[u8], n: usize, $i: usize) -> u32 {
                let v = Block::external(v, [n]).cast::<u32>();
                let mut s = 0;
                for [i] in v.indices() {
                    s += v[[i]] + v[[$i]];
                }
                s
            }
        };
    }
    pairs!(bad, i);

    pub fn run() -> u32 {
        bad(&[1; 8], 8, 100_000)
    }
}

//@ value | reject
mod tensors_of_one_text {
    use shim::prelude::*;

    macro_rules! two {
        ($name:ident, $t:ident) => {
            #[shim::kernel]
            fn $name(small: &[u8; 2], big: &[u8; 8]) -> u32 {
                let $t = Block::external(big, [8]).cast::<u32>();
                let t = Block::external(small, [2]).cast::<u32>();
                $t[[7]] * 100 + t[[1]]
            }
        };
    }
    two!(both, t);

    pub fn run() -> u32 {
        both(&[1, 2], &[1, 2, 3, 4, 5, 6, 7, 8])
    }

    pub fn want() -> u32 {
        802
    }
}

// A tensor of the macro's and a slice of the caller's.
//@ value | reject
mod tensor_and_slice_of_one_text {
    use shim::prelude::*;

    macro_rules! two {
        ($name:ident, $t:ident) => {
            #[shim::kernel]
            fn $name($t: &[u8], n: usize) -> u32 {
                let t = Block::external($t, [n]).cast::<u32>();
                t[[1]] + u32::from($t[2])
            }
        };
    }
    two!(both, t);

    pub fn run() -> u32 {
        both(&[10, 20, 30], 3)
    }

    pub fn want() -> u32 {
        50
    }
}

//@ panic | reject
mod static_of_the_caller {
    use shim::prelude::*;

    macro_rules! unrolled {
        ($name:ident, $k:ident) => {
            #[shim::kernel]
            fn $name(v: &[u8], $k: usize) -> u32 {
                let v = Block::external(v, [8]).cast::<u32>();
                let mut s = 0;
                #[unroll]
                for k in 0..4 {
                    s += v[[k]] + v[[$k]];
                }
                s
            }
        };
    }
    unrolled!(bad, k);

    pub fn run() -> u32 {
        bad(&[1; 8], 100_000)
    }
}

//@ value | reject
mod static_of_the_caller_within_bounds {
    use shim::prelude::*;

    macro_rules! unrolled {
        ($name:ident, $k:ident) => {
            #[shim::kernel]
            fn $name(v: &[u8], $k: usize) -> u32 {
                let v = Block::external(v, [8]).cast::<u32>();
                let mut s = 0;
                #[unroll]
                for k in 0..4 {
                    s += v[[k]] + 100 * v[[$k]];
                }
                s
            }
        };
    }
    unrolled!(good, k);

    pub fn run() -> u32 {
        good(&[1, 2, 3, 4, 5, 6, 7, 8], 7)
    }

    pub fn want() -> u32 {
        3210
    }
}

// A `let` of one hygiene between a name's definition and its use, of another.
//@ panic | reject
mod let_of_the_macro_between {
    use shim::prelude::*;

    macro_rules! between {
        ($name:ident, $n:ident) => {
            #[shim::kernel]
            fn $name(v: &[u8], $n: usize) -> u32 {
                let v = Block::external(v, [8]).cast::<u32>();
                let n = 4;
                v[[n]] + v[[$n]]
            }
        };
    }
    between!(bad, n);

    pub fn run() -> u32 {
        bad(&[1; 8], 100_000)
    }
}

//@ value | reject
mod mutable_and_not {
    use shim::prelude::*;

    macro_rules! between {
        ($name:ident, $n:ident) => {
            #[shim::kernel]
            fn $name(v: &[u8], $n: usize) -> u32 {
                let v = Block::external(v, [8]).cast::<u32>();
                let mut n = 0;
                n += 1;
                let part = v[[$n..$n + 2]];
                n += 1;
                part[[1]] * 100 + v[[n]]
            }
        };
    }
    between!(good, n);

    pub fn run() -> u32 {
        good(&[1, 2, 3, 4, 5, 6, 7, 8], 4)
    }

    pub fn want() -> u32 {
        603
    }
}

//@ panic | reject
mod mutable_of_the_caller {
    use shim::prelude::*;

    macro_rules! between {
        ($name:ident, $n:ident) => {
            #[shim::kernel]
            fn $name(v: &[u8]) -> u32 {
                let n = v.len();
                let mut $n = 0;
                let v = Block::external(v, [n]).cast::<u32>();
                let mut s = 0;
                while $n < 100_000 {
                    $n += 50_000;
                    s += v[[$n]];
                }
                s + v[[n - 1]]
            }
        };
    }
    between!(bad, n);

    pub fn run() -> u32 {
        bad(&[1; 8])
    }
}

// Labels have hygiene as well.
//@ value | reject
mod labels_of_one_text {
    use shim::prelude::*;

    macro_rules! until {
        ($name:ident, $label:lifetime, $leave:stmt) => {
            #[shim::kernel]
            fn $name(v: &[u8]) -> u32 {
                let v = Block::external(v, [8]).cast::<u32>();
                let mut s = 0;
                $label: for i in 0..8 {
                    'a: for j in 0..8 {
                        if j > i {
                            $leave
                        }
                        if v[[j]] == 0 {
                            break 'a;
                        }
                        s += v[[j]];
                    }
                    s += 1000;
                }
                s
            }
        };
    }
    until!(sum, 'a, continue 'a);

    pub fn run() -> u32 {
        sum(&[1; 8])
    }

    pub fn want() -> u32 {
        let v = [1u32; 8];
        let mut s = 0;
        'b: for i in 0..8 {
            'a: for j in 0..8 {
                if j > i {
                    continue 'b;
                }
                if v[j] == 0 {
                    break 'a;
                }
                s += v[j];
            }
            s += 1000;
        }
        s
    }
}

//@ value | reject
mod closure_parameter_of_the_caller {
    use shim::prelude::*;

    macro_rules! close {
        ($name:ident, $n:ident) => {
            #[shim::kernel]
            fn $name(v: &[u8], $n: usize) -> u32 {
                let v = Block::external(v, [8]).cast::<u32>();
                let at = |n: usize| v[[n]] * 100 + v[[$n]];
                at(1)
            }
        };
    }
    close!(good, n);

    pub fn run() -> u32 {
        good(&[1, 2, 3, 4, 5, 6, 7, 8], 6)
    }

    pub fn want() -> u32 {
        207
    }
}

//@ panic | reject
mod match_binding_of_the_macro {
    use shim::prelude::*;

    macro_rules! matched {
        ($name:ident, $n:ident) => {
            #[shim::kernel]
            fn $name(v: &[u8], $n: usize, o: Option<usize>) -> u32 {
                let v = Block::external(v, [8]).cast::<u32>();
                match o {
                    Some(n) if n < 8 => v[[n]] + v[[$n]],
                    _ => 0,
                }
            }
        };
    }
    matched!(bad, n);

    pub fn run() -> u32 {
        bad(&[1; 8], 100_000, Some(2))
    }
}

// A template's parameter and the macro's local.
//@ panic | reject
mod family_of_templates {
    use shim::prelude::*;

    macro_rules! template {
        ($name:ident, $k:ident) => {
            #[shim::kernel]
            fn $name(v: impl Tensor<u32, 1>, $k: usize) -> u32 {
                let k = 3;
                v[[k]] + v[[$k]]
            }
        };
    }
    template!(at, k);

    #[shim::kernel]
    fn kernel(v: &[u8], n: usize) -> u32 {
        let v = Block::external(v, [8]).cast::<u32>();
        at(v, n)
    }

    pub fn run() -> u32 {
        kernel(&[1; 8], 100_000)
    }
}

//@ panic | reject
mod family_of_generic_templates {
    use shim::prelude::*;

    macro_rules! template {
        ($name:ident, $k:ident) => {
            #[shim::kernel]
            fn $name<const K: usize>(v: impl Tensor<u32, 1>, $k: usize) -> u32 {
                let k = K;
                let mut s = 0;
                for i in k..$k {
                    s += v[[i]];
                }
                s
            }
        };
    }
    template!(range_sum, k);

    #[shim::kernel]
    fn kernel(v: &[u8], n: usize) -> u32 {
        let v = Block::external(v, [8]).cast::<u32>();
        range_sum::<3>(v, n)
    }

    pub fn run() -> u32 {
        kernel(&[1; 8], 100_000)
    }
}

// Two layers of macros, three hygienes.
//@ panic | reject
mod nested_macros {
    use shim::prelude::*;

    macro_rules! inner {
        ($name:ident, $a:ident, $b:ident) => {
            #[shim::kernel]
            fn $name(v: &[u8], $a: usize, $b: usize, n: usize) -> u32 {
                let v = Block::external(v, [n]).cast::<u32>();
                let mut s = 0;
                for i in 0..$a {
                    if i + 8 > $b {
                        s += v[[i]];
                    }
                }
                s
            }
        };
    }
    macro_rules! outer {
        ($name:ident, $a:ident) => {
            inner!($name, $a, n);
        };
    }
    outer!(bad, n);

    pub fn run() -> u32 {
        bad(&[1; 8], 100_000, 100_000, 8)
    }
}

// Macros of two crates, each with a `$crate::BLOCK`.
//@ panic | reject
mod dollar_crate_of_two_crates {
    use shim::prelude::*;

    hostile_chroma::chroma_kernel!(bad, ::hostile_luma::luma_block!());

    pub fn run() -> u32 {
        bad(&[1; 8])
    }
}

//@ panic | reject
mod dollar_crate_of_two_crates_by_path {
    use shim::prelude::*;

    macro_rules! twice {
        ($name:ident, $n:expr, $m:expr) => {
            #[shim::kernel]
            fn $name(v: &[u8]) -> u32 {
                let v = Block::external(v, [$n]).cast::<u32>();
                let mut s = 0;
                for i in 0..$m {
                    s += v[[i]];
                }
                s
            }
        };
    }
    macro_rules! relay {
        ($($crates:tt)*) => { twice!(bad, $($crates)*); };
    }
    relay!(::hostile_chroma::BLOCK, ::hostile_luma::BLOCK);

    pub fn run() -> u32 {
        bad(&[1; 8])
    }
}

//@ value
mod dollar_crate_within_bounds {
    use shim::prelude::*;

    hostile_luma::luma_kernel!(good, ::hostile_chroma::BLOCK);

    pub fn run() -> u32 {
        good(&[1; 16])
    }

    pub fn want() -> u32 {
        8
    }
}

// `$crate::BLOCK` is another crate's than `crate::BLOCK`, and than that of the next `$crate`.
//@ panic | reject
//@ alone
mod dollar_crate_and_crate {
    use shim::prelude::*;

    pub const BLOCK: usize = 8;

    macro_rules! own_block {
        ($name:ident, $bound:expr) => {
            #[shim::kernel]
            fn $name(v: &[u8]) -> u32 {
                let v = Block::external(v, [$crate::BLOCK]).cast::<u32>();
                let mut s = 0;
                for i in 0..$bound {
                    s += v[[i]];
                }
                s
            }
        };
    }
    own_block!(bad, hostile_luma::luma_block!());

    pub fn run() -> u32 {
        bad(&[1; 8])
    }
}

// A body of the caller's does not see the macro's parameter.
//@ reject
mod body_of_the_caller {
    use shim::prelude::*;

    macro_rules! with_count {
        ($name:ident, $v:ident, $body:block) => {
            #[shim::kernel]
            fn $name($v: &[u8], n: usize) -> u32 {
                let _ = n;
                $body
            }
        };
    }
    with_count!(bad, v, {
        let m = v.len();
        let v = Block::external(v, [m]).cast::<u32>();
        v[[n - 1]]
    });

    pub fn run() -> u32 {
        bad(&[1; 8], 8)
    }
}

// The macro's `n` is in an index, the caller's in the extent of a view.
//@ value | reject
mod views_of_two_hygienes {
    use shim::prelude::*;

    macro_rules! parts {
        ($name:ident, $r:ident) => {
            #[shim::kernel]
            fn $name(v: &[u8], $r: usize, r: usize) -> u32 {
                let v = Block::external(v, [8]).cast::<u32>();
                let a = v[[$r..$r + 2]];
                let b = v[[r..r + 2]];
                a[[0]] * 100 + b[[0]]
            }
        };
    }
    parts!(both, r);

    pub fn run() -> u32 {
        both(&[1, 2, 3, 4, 5, 6, 7, 8], 2, 5)
    }

    pub fn want() -> u32 {
        306
    }
}

// Guards of one hygiene say nothing about the other.
//@ panic | reject
mod guard_of_the_other {
    use shim::prelude::*;

    macro_rules! guarded {
        ($name:ident, $k:ident) => {
            #[shim::kernel]
            fn $name(v: &[u8], n: usize, $k: usize, k: usize) -> u32 {
                let v = Block::external(v, [n]).cast::<u32>();
                if k < n { v[[$k]] } else { 0 }
            }
        };
    }
    guarded!(bad, k);

    pub fn run() -> u32 {
        bad(&[1; 8], 8, 100_000, 3)
    }
}

// `shape` names a parameter.
//@ panic | reject
mod shape_of_the_caller {
    use shim::prelude::*;

    macro_rules! shaped {
        ($name:ident, $n:ident) => {
            #[shim::kernel]
            fn $name(#[shape($n)] v: &[u8], n: usize, $n: usize) -> u8 {
                v[[n]]
            }
        };
    }
    shaped!(bad, n);

    pub fn run() -> u8 {
        bad(&[1; 8], 100_000, 8)
    }
}

// An elementwise iterator of the macro's beside a variable of the caller's.
//@ panic | reject
mod iterator_of_the_macro {
    use shim::prelude::*;

    macro_rules! copied {
        ($name:ident, $i:ident) => {
            #[shim::kernel]
            fn $name(v: &[u8], out: &mut [u8; 4], $i: usize) {
                let v = Block::external(v, [8]);
                let out = Block::external(out, [4]);
                let [i] = iters();
                out[[i]] = v[[i]] + v[[$i]];
            }
        };
    }
    copied!(bad, i);

    pub fn run() -> [u8; 4] {
        let mut out = [0; 4];
        bad(&[1; 8], &mut out, 100_000);
        out
    }
}

// A reduction's closure of the macro's hygiene.
//@ value | reject
mod reduction_of_the_macro {
    use shim::prelude::*;

    macro_rules! reduced {
        ($name:ident, $i:ident) => {
            #[shim::kernel]
            fn $name(v: &[u8], $i: usize) -> u32 {
                let v = Block::external(v, [8]).cast::<u32>();
                v.indices().map(|[i]| v[[i]] * 100 + v[[$i]]).sum::<u32>()
            }
        };
    }
    reduced!(good, i);

    pub fn run() -> u32 {
        good(&[1, 2, 3, 4, 5, 6, 7, 8], 3)
    }

    pub fn want() -> u32 {
        3600 + 8 * 4
    }
}

// Names within a format string have the hygiene of the string.
//@ value | reject
mod format_string_of_the_macro {
    use shim::prelude::*;

    macro_rules! formatted {
        ($name:ident, $n:ident) => {
            #[shim::kernel]
            fn $name(v: &[u8], $n: usize) -> String {
                let n = 5;
                let v = Block::external(v, [8]);
                format!("{n} {} {}", $n, v[[n]])
            }
        };
    }
    formatted!(good, n);

    pub fn run() -> String {
        good(&[1, 2, 3, 4, 5, 6, 7, 8], 3)
    }

    pub fn want() -> String {
        "5 3 6".to_owned()
    }
}
