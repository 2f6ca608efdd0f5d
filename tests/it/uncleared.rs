//! Blocks on the stack: zero, whether or not the kernel writes them whole before it reads them.

use crate::common::noise;
use shim::prelude::*;

/// Leaves something else than zeros where the next call has its locals.
#[inline(never)]
fn soil() -> u8 {
    let soil = std::hint::black_box([0xa5_u8; 16 << 10]);
    soil[std::hint::black_box(77)]
}

/// Leaves a loop where no macro of shim's sees it.
macro_rules! leave {
    () => {
        break
    };
}

/// A kernel over eight elements, a number and a condition.
type Kernel = fn(&[i32; 8], usize, bool) -> [i32; 8];

/// Kernels with the elements that they leave in a block of their own, each as plain Rust.
macro_rules! kernels {
    ($($name:ident($t:ident, $n:ident, $c:ident, $own:ident) { $($body:tt)* } $plain:expr;)*) => {
        $(
            #[shim::kernel]
            fn $name(t: &[i32; 8], n: usize, c: bool) -> [i32; 8] {
                let $t = Block::external(t, [8]);
                let ($n, $c) = (n, c);
                let mut out = [0; 8];
                let all = Block::external(&mut out, [8]);
                let $own = Block::stack::<i32>([8]);
                $($body)*
                for i in 0..8 {
                    all[[i]] = $own[[i]];
                }
                out
            }
        )*
        const KERNELS: &[(&str, Kernel, Kernel)] = &[$((stringify!($name), $name, $plain)),*];
    };
}

kernels! {
    whole(t, n, c, own) { for i in 0..8 { own[[i]] = t[[i]] + n as i32 + i32::from(c); } }
        |t, n, c| t.map(|v| v + n as i32 + i32::from(c));
    but_one(t, n, c, own) { for i in 0..7 { own[[i]] = t[[i]]; } let _ = (n, c); }
        |t, _, _| core::array::from_fn(|i| if i < 7 { t[i] } else { 0 });
    halves(t, n, c, own) { for i in 0..4 { own[[i]] = t[[i]]; } let _ = (n, c); for i in 4..8 { own[[i]] = -t[[i]]; } }
        |t, _, _| core::array::from_fn(|i| if i < 4 { t[i] } else { -t[i] });
    every_other(t, n, c, own) { for i in (0..8).step_by(2) { own[[i]] = t[[i]]; } let _ = (n, c); }
        |t, _, _| core::array::from_fn(|i| if i % 2 == 0 { t[i] } else { 0 });
    some(t, n, c, own) { for i in 0..n { own[[i]] = t[[i]]; } let _ = c; }
        |t, n, _| core::array::from_fn(|i| if i < n { t[i] } else { 0 });
    if_asked(t, n, c, own) { if c { for i in 0..8 { own[[i]] = t[[i]]; } } let _ = n; }
        |t, _, c| t.map(|v| if c { v } else { 0 });
    each_if(t, n, c, own) { for i in 0..8 { if t[[i]] > 3 { own[[i]] = t[[i]]; } } let _ = (n, c); }
        |t, _, _| t.map(|v| if v > 3 { v } else { 0 });
    until(t, n, c, own) { for i in 0..8 { if c && i == 3 { break; } own[[i]] = t[[i]]; } let _ = n; }
        |t, _, c| core::array::from_fn(|i| if c && i > 2 { 0 } else { t[i] });
    without(t, n, c, own) { for i in 0..8 { if c && i == 3 { continue; } own[[i]] = t[[i]]; } let _ = n; }
        |t, _, c| core::array::from_fn(|i| if c && i == 3 { 0 } else { t[i] });
    left(t, n, c, own) { 'a: { if c { break 'a; } for i in 0..8 { own[[i]] = t[[i]]; } } let _ = n; }
        |t, _, c| t.map(|v| if c { 0 } else { v });
    unrolled_until(t, n, c, own) { #[unroll] for i in 0..8 { if c && i > 4 { break; } own[[i]] = t[[i]]; } let _ = n; }
        |t, _, c| core::array::from_fn(|i| if c && i > 4 { 0 } else { t[i] });
    summed(t, n, c, own) { for i in 0..8 { own[[i]] += t[[i]]; } let _ = (n, c); }
        |t, _, _| *t;
    from_the_one_before(t, n, c, own) { own[[0]] = t[[0]]; for i in 1..8 { own[[i]] = own[[i - 1]] + t[[i]]; } let _ = (n, c); }
        |t, _, _| core::array::from_fn(|i| t[..=i].iter().sum());
    from_the_next(t, n, c, own) { for i in 0..7 { own[[i]] = own[[i + 1]] + t[[i]]; } let _ = (n, c); }
        |t, _, _| core::array::from_fn(|i| if i < 7 { t[i] } else { 0 });
    by_another_view(t, n, c, own) {
        let square = own.reshape([2, 4]).permute([1, 0]);
        for [x, y] in square.indices() { square[[x, y]] = t[[4 * y + x]]; }
        let _ = (n, c);
    }
        |t, _, _| *t;
    by_a_cast(t, n, c, own) { let wide = own.cast::<i64>(); for i in 0..8 { wide[[i]] = i64::from(t[[i]]) << 32 | 7; } let _ = (n, c); }
        |_, _, _| [7; 8];
    copied(t, n, c, own) { let copy = own.to_stack().copied(); for i in 0..8 { own[[i]] = t[[i]] + copy[[i]]; } let _ = (n, c); }
        |t, _, _| *t;
    seen_by_a_macro(t, n, c, own) {
        for i in 0..8 { own[[i]] = t[[i]]; }
        assert_eq!(own[[3]], t[[3]], "{} of {n}, {c}", own[[2]]);
    }
        |t, _, _| *t;
    borrowed(t, n, c, own) { for i in 0..8 { own[[i]] = t[[i]]; } let first = &mut own[[0]]; *first += 1; let _ = (n, c); }
        |t, _, _| core::array::from_fn(|i| t[i] + i32::from(i == 0));
    from_a_closure(t, n, c, own) {
        let fill = |i: i32| t[[i]] + 1;
        for i in 0..8 { own[[i]] = fill(i); }
        let _ = (n, c);
    }
        |t, _, _| t.map(|v| v + 1);
    in_lanes(t, n, c, own) { #[lanes(4)] for i in 0..8 { own[[i]] = t[[i]] * 2; if c { own[[i]] = t[[i]]; } } let _ = n; }
        |t, _, c| t.map(|v| if c { v } else { 2 * v });
    in_tiles(t, n, c, own) {
        let square = own.reshape([2, 4]);
        #[tile([2, 3])]
        for [y, x] in square.indices() { square[[y, x]] = t[[4 * y + x]]; }
        let _ = (n, c);
    }
        |t, _, _| *t;
    fused(t, n, c, own) {
        let twice = Block::stack::<i32>([8]);
        #[fuse]
        for i in 0..8 { twice[[i]] = 2 * t[[i]]; }
        for i in 0..8 { own[[i]] = twice[[i]]; }
        let _ = (n, c);
    }
        |t, _, _| t.map(|v| 2 * v);
    fused_in_lanes(t, n, c, own) {
        let twice = Block::stack::<i32>([8]);
        #[fuse]
        #[lanes(4)]
        for i in 0..8 {
            twice[[i]] = 2 * t[[i]];
        }
        for i in 0..8 {
            own[[i]] = twice[[i]];
            if c {
                own[[i]] = t[[i]];
            }
        }
        let _ = n;
    }
        |t, _, c| t.map(|v| if c { v } else { 2 * v });
    again(t, n, c, own) {
        for round in 0..3 {
            let inner = Block::stack::<i32>([8]);
            if round == n { for i in 0..8 { inner[[i]] = t[[i]]; } }
            for i in 0..8 { own[[i]] = if c { own[[i]] } else { 0 } + inner[[i]]; }
        }
    }
        |t, n, c| t.map(|v| if n == 2 || c && n < 3 { v } else { 0 });
    in_part_of_it(t, n, c, own) {
        let few = own.within(|[i]| i != 5);
        if c { for i in 0..5 { few[[i]] = t[[i]]; } } else { for i in 0..8 { own[[i]] = t[[i]]; } }
        let _ = n;
    }
        |t, _, c| core::array::from_fn(|i| if c && i > 4 { 0 } else { t[i] });
    left_by_a_macro(t, n, c, own) {
        for i in 0..8 {
            if c && i == 2 { leave!(); }
            own[[i]] = t[[i]];
        }
        let _ = n;
    }
        |t, _, c| core::array::from_fn(|i| if c && i > 1 { 0 } else { t[i] });
    left_out(t, n, c, own) { #[cfg(any())] for i in 0..8 { own[[i]] = t[[i]]; } let _ = (n, c); }
        |_, _, _| [0; 8];
    left_out_within(t, n, c, own) { for i in 0..8 { #[cfg(any())] { own[[i]] = t[[i]]; } let _ = i; } let _ = (n, c); }
        |_, _, _| [0; 8];
    lazily(t, n, c, own) {
        let _ = c && { for i in 0..8 { own[[i]] = t[[i]]; } true };
        let _ = n;
    }
        |t, _, c| t.map(|v| if c { v } else { 0 });
    until_found(t, n, c, own) {
        let _ = t.indices().any(|[i]| { own[[i]] = t[[i]]; t[[i]] % 2 == 1 });
        let _ = (n, c);
    }
        |t, _, _| {
            let end = t.iter().position(|v| v % 2 == 1).map_or(8, |at| at + 1);
            core::array::from_fn(|i| if i < end { t[i] } else { 0 })
        };
    filtered(t, n, c, own) {
        t.indices().filter(|[i]| t[[*i]] > 2).for_each(|[i]| own[[i]] = t[[i]]);
        let _ = (n, c);
    }
        |t, _, _| t.map(|v| if v > 2 { v } else { 0 });
    chained(t, n, c, own) { t.indices().for_each(|[i]| own[[i]] = t[[i]]); let _ = (n, c); }
        |t, _, _| *t;
    backwards(t, n, c, own) { for i in (1..8).step_by(2).rev() { own[[i]] = t[[i]]; } for i in (0..=6).step_by(2) { own[[i]] = -t[[i]]; } let _ = (n, c); }
        |t, _, _| core::array::from_fn(|i| if i % 2 == 1 { t[i] } else { -t[i] });
    in_one_arm(t, n, c, own) { match n { 3 => for i in 0..8 { own[[i]] = t[[i]]; }, _ => {} } let _ = c; }
        |t, n, _| t.map(|v| if n == 3 { v } else { 0 });
    asked(t, n, c, own) { let fits = own.contains([n as i32 - 1]); for i in 0..8 { own[[i]] = t[[i]] + i32::from(fits); } let _ = c; }
        |t, n, _| t.map(|v| v + i32::from(n > 0));
    with_an_index_read_from_it(t, n, c, own) { for i in 0..8 { own[[own[[i]] + i]] = t[[i]]; } let _ = (n, c); }
        |t, _, _| {
            let mut own = [0; 8];
            for i in 0..8 { own[own[i] as usize + i] = t[i]; }
            own
        };
    by_a_template(t, n, c, own) { from::<8>(t, own); let _ = (n, c); }
        |t, _, _| *t;
    by_a_template_that_returns(t, n, c, own) { unless(t, own, c); let _ = n; }
        |t, _, c| t.map(|v| if c { 0 } else { v });
}

/// Copies elements, a template.
#[shim::kernel]
fn from<const N: usize>(t: impl Tensor<i32, 1>, own: impl Tensor<i32, 1>) {
    for i in 0..N {
        own[[i]] = t[[i]];
    }
}

/// Copies elements unless a condition holds, a template.
#[shim::kernel]
fn unless(t: impl Tensor<i32, 1>, own: impl Tensor<i32, 1>, c: bool) {
    if c {
        return;
    }
    let [i] = iters();
    own[[i]] = t[[i]];
}

#[test]
fn what_is_not_written_is_zero() {
    for seed in [1, 5, 9] {
        let t: [i32; 8] = noise::<i32>(8, seed).try_into().unwrap();
        for (name, kernel, plain) in KERNELS {
            for n in 0..=8 {
                for c in [false, true] {
                    soil();
                    assert_eq!(kernel(&t, n, c), plain(&t, n, c), "{name} of {n}, {c}");
                }
            }
        }
    }
}
