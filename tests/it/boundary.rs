//! Boundary rules in nests: folded once where they change, in interiors and at edges, on axes of every length.

use std::panic::{AssertUnwindSafe, catch_unwind};

use shim::prelude::*;

/// Where a rule reads, one step at a time.
fn folded(rule: char, at: i64, extent: i64) -> i64 {
    let mut at = at;
    while !(0..extent).contains(&at) {
        at = match rule {
            'c' => at.signum().max(0) * (extent - 1),
            'm' if at < 0 => -1 - at,
            'm' => 2 * extent - 1 - at,
            'r' if extent == 1 => 0,
            'r' if at < 0 => -at,
            'r' => 2 * (extent - 1) - at,
            _ if at < 0 => at + extent,
            _ => at - extent,
        };
    }
    at
}

fn samples(count: usize) -> Vec<u8> {
    (0..count).map(|at| (at * 37 + at / 7 * 11 + 5) as u8).collect()
}

fn message(run: impl FnOnce()) -> String {
    let panic = catch_unwind(AssertUnwindSafe(run)).expect_err("it panics");
    let text = panic.downcast_ref::<&str>().map(ToString::to_string);
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default()
}

macro_rules! stencils {
    ($($name:ident, $looped:ident, $across:ident, $rows:ident, $rule:expr;)*) => { $(
        /// Every tap is static.
        #[shim::kernel]
        fn $name(src: &[u8], h: usize, w: usize, dst: &mut [u32]) {
            let src = Block::external(src, [h, w]).boundary($rule).cast::<u32>();
            let dst = Block::external(dst, [h, w]);
            for [y, x] in dst.indices() {
                let mut sum = 0;
                #[unroll]
                for dy in -2..=3 {
                    #[unroll]
                    for dx in -3..=1 {
                        sum = (sum * 3 + src[[y + dy, x + dx]]) % 65521;
                    }
                }
                dst[[y, x]] = sum;
            }
        }

        /// The same with loops that stay.
        #[shim::kernel]
        fn $looped(src: &[u8], h: usize, w: usize, dst: &mut [u32]) {
            let src = Block::external(src, [h, w]).boundary($rule).cast::<u32>();
            let dst = Block::external(dst, [h, w]);
            for [y, x] in dst.indices() {
                let mut sum = 0_u32;
                for dy in -2..4_i32 {
                    for dx in -3..2_i32 {
                        sum = (sum * 3 + src[[y + dy, x + dx]]) % 65521;
                    }
                }
                dst[[y, x]] = sum;
            }
        }

        /// Columns outside, rows inside, in another place than the source.
        #[shim::kernel]
        fn $across(src: &[u8], h: usize, w: usize, dy: isize, dx: isize, dst: &mut [u32]) {
            let src = Block::external(src, [h, w]).boundary($rule).cast::<u32>();
            let dst = Block::external(dst, [w, h]).on_axes([1, 0]);
            for [x, y] in dst.indices() {
                dst[[x, y]] = src[[y + dy, x + dx]];
            }
        }

        /// Over rows of their own.
        #[shim::kernel]
        fn $rows(src: &[&[u8]], h: usize, w: usize, dst: &mut [u32]) {
            let src = Block::rows(src, [h, w]).boundary($rule).cast::<u32>();
            let dst = Block::external(dst, [h, w]);
            for [y, x] in dst.indices() {
                dst[[y, x]] = src[[y - 2, x + 1]] * 3 + src[[y + 1, x - 2]];
            }
        }
    )* };
}

stencils! {
    clamped, clamped_looped, clamped_across, clamped_rows, Clamp;
    mirrored, mirrored_looped, mirrored_across, mirrored_rows, Mirror;
    reflected, reflected_looped, reflected_across, reflected_rows, Reflect;
    ruled, ruled_looped, ruled_across, ruled_rows, By(|i, n| (i % n + n) % n);
    wrapped, wrapped_looped, wrapped_across, wrapped_rows, Wrap;
}

type Stencil = fn(&[u8], usize, usize, &mut [u32]);
type Across = fn(&[u8], usize, usize, isize, isize, &mut [u32]);
type Rows = fn(&[&[u8]], usize, usize, &mut [u32]);

#[test]
fn stencils_agree_with_single_steps() {
    let kernels: [(char, [Stencil; 2], Across, Rows); 5] = [
        ('c', [clamped, clamped_looped], clamped_across, clamped_rows),
        ('m', [mirrored, mirrored_looped], mirrored_across, mirrored_rows),
        ('r', [reflected, reflected_looped], reflected_across, reflected_rows),
        ('w', [ruled, ruled_looped], ruled_across, ruled_rows),
        ('w', [wrapped, wrapped_looped], wrapped_across, wrapped_rows),
    ];
    for (rule, stencils, across, rows) in kernels {
        for h in 0..9 {
            for w in (0..9).chain([31, 40]) {
                let src = samples(h * w);
                let at = |y: i64, x: i64| {
                    let (y, x) = (folded(rule, y, h as i64), folded(rule, x, w as i64));
                    u32::from(src[y as usize * w + x as usize])
                };
                let places = || (0..h as i64).flat_map(|y| (0..w as i64).map(move |x| (y, x)));
                let wanted: Vec<u32> = places()
                    .map(|(y, x)| {
                        let taps = (-2..4).flat_map(|dy| (-3..2).map(move |dx| (dy, dx)));
                        taps.fold(0, |sum, (dy, dx)| (sum * 3 + at(y + dy, x + dx)) % 65521)
                    })
                    .collect();
                for stencil in stencils {
                    let mut found = vec![0; h * w];
                    stencil(&src, h, w, &mut found);
                    assert_eq!(found, wanted, "{rule} {h}x{w}");
                }

                for (dy, dx) in [(0, 0), (-1, 2), (7, -9), (-20, 31)] {
                    let mut found = vec![0; h * w];
                    across(&src, h, w, dy, dx, &mut found);
                    for (y, x) in places() {
                        let shifted = at(y + dy as i64, x + dx as i64);
                        assert_eq!(found[x as usize * h + y as usize], shifted, "{rule} {h}x{w} {dy} {dx}");
                    }
                }

                let lines: Vec<&[u8]> = (0..h).map(|y| &src[y * w..][..w]).collect();
                let mut found = vec![0; h * w];
                rows(&lines, h, w, &mut found);
                let wanted: Vec<u32> =
                    places().map(|(y, x)| at(y - 2, x + 1) * 3 + at(y + 1, x - 2)).collect();
                assert_eq!(found, wanted, "{rule} rows {h}x{w}");
            }
        }
    }
}

/// Blocks that a rule completes, and the taps of a filter around one sample.
macro_rules! blocks {
    ($block:ident, $around:ident, $rule:expr) => {
        #[shim::kernel(simd)]
        fn $block(src: &[u8], h: usize, w: usize, y0: isize, x0: isize) -> [u8; 32] {
            let src = Block::external(src, [h, w]).boundary($rule);
            let mut out = [0; 32];
            let found = Block::external(&mut out, [4, 8]);
            for [y, x] in found.indices() {
                found[[y, x]] = src[[y0 + y, x0 + x]];
            }
            out
        }

        #[shim::kernel]
        fn $around(src: &[u8], h: usize, w: usize, y0: isize, x0: isize, most: usize) -> Vec<u8> {
            let src = Block::external(src, [h, w]).boundary($rule);
            let mut found = Vec::new();
            for y in (-1..3).rev() {
                for x in (0..5).step_by(2) {
                    if found.len() == most {
                        break;
                    }
                    found.push(src[[y0 - y, x0 + x]]);
                }
            }
            found
        }
    };
}

blocks!(clamped_block, around_clamped, Clamp);
blocks!(mirrored_block, around_mirrored, Mirror);
blocks!(wrapped_block, around_wrapped, Wrap);
blocks!(reflected_block, around_reflected, Reflect);
blocks!(filled_block, around_filled, Fill(99));

type CopyBlock = fn(&[u8], usize, usize, isize, isize) -> [u8; 32];
type Around = fn(&[u8], usize, usize, isize, isize, usize) -> Vec<u8>;

#[test]
fn blocks_agree_with_single_elements_wherever_they_are() {
    let kernels: [(char, CopyBlock, Around); 5] = [
        ('c', clamped_block, around_clamped),
        ('m', mirrored_block, around_mirrored),
        ('w', wrapped_block, around_wrapped),
        ('r', reflected_block, around_reflected),
        ('f', filled_block, around_filled),
    ];
    for (rule, block, around) in kernels {
        for (h, w) in [(1, 1), (3, 2), (4, 8), (5, 9), (12, 7), (9, 20)] {
            let src = samples(h * w);
            let at = |y: i64, x: i64| {
                if rule == 'f' {
                    let inside = (0..h as i64).contains(&y) && (0..w as i64).contains(&x);
                    return if inside { src[y as usize * w + x as usize] } else { 99 };
                }
                src[folded(rule, y, h as i64) as usize * w + folded(rule, x, w as i64) as usize]
            };
            for y0 in -9..h as isize + 6 {
                for x0 in -11..w as isize + 6 {
                    let (y, x) = (y0 as i64, x0 as i64);
                    let wanted = core::array::from_fn(|i| at(y + i as i64 / 8, x + i as i64 % 8));
                    assert_eq!(block(&src, h, w, y0, x0), wanted, "{rule} {h}x{w} at {y0}, {x0}");
                    for most in [0, 5, 99] {
                        let taps = (-1..3).rev().flat_map(|dy| (0..5).step_by(2).map(move |dx| (dy, dx)));
                        let wanted: Vec<u8> = taps.take(most).map(|(dy, dx)| at(y - dy, x + dx)).collect();
                        assert_eq!(around(&src, h, w, y0, x0, most), wanted, "{rule} {h}x{w} at {y0}, {x0}");
                    }
                }
            }
        }
    }
}

/// The axis may be empty while the loop runs.
#[shim::kernel]
fn before(src: &[u8], h: usize, n: usize, out: &mut [u8]) {
    let src = Block::external(src, [h]).boundary(Mirror);
    let out = Block::external(out, [n]);
    for [i] in out.indices() {
        out[[i]] = src[[i - 1]];
    }
}

/// The same where the read is not certain to run.
#[shim::kernel]
fn before_if(src: &[u8], h: usize, n: usize, wanted: bool, out: &mut [u8]) {
    let src = Block::external(src, [h]).boundary(Wrap);
    let out = Block::external(out, [n]);
    for [i] in out.indices() {
        out[[i]] = if wanted { src[[i - 1]] } else { 7 };
    }
}

/// A row that is folded outside of the whole nest.
#[shim::kernel]
fn above(src: &[u8], h: usize, w: usize, n: usize, out: &mut [u8]) {
    let src = Block::external(src, [h, w]).boundary(Clamp);
    let out = Block::external(out, [n]);
    for [x] in out.indices() {
        out[[x]] = src[[-1, x + 1]];
    }
}

#[test]
fn an_empty_axis_panics_where_it_is_read_and_nowhere_else() {
    before(&[], 0, 0, &mut []);
    before_if(&[], 0, 0, true, &mut []);
    above(&[], 0, 3, 0, &mut []);
    above(&[], 3, 0, 0, &mut []);
    let mut out = [9; 3];
    assert_eq!(
        message(|| before(&[], 0, 3, &mut out)),
        "shim: `before` reads `src` by a boundary rule, and it is empty"
    );
    assert_eq!(out, [9; 3], "nothing is written before the panic");
    assert!(message(|| before_if(&[], 0, 3, true, &mut out)).contains("`before_if` reads `src`"));
    before_if(&[], 0, 3, false, &mut out);
    assert_eq!(out, [7; 3]);
    for (h, w) in [(0, 3), (3, 0), (0, 0)] {
        assert!(message(|| above(&[], h, w, 3, &mut out)).contains("`above` reads `src`"));
    }
    above(&[1, 2, 3, 4], 2, 2, 3, &mut out);
    assert_eq!(out, [2, 2, 2]);
}

#[shim::kernel]
fn far(src: &[u8], from: isize, n: usize, read: bool, out: &mut [u8]) {
    let src = Block::external(src, [src.len()]).boundary(Clamp);
    let out = Block::external(out, [n]);
    for [i] in out.indices() {
        out[[i]] = 1;
        if read {
            out[[i]] = src[[i + from]];
        }
    }
}

#[shim::kernel]
fn far_always(src: &[u8], from: isize, n: usize, out: &mut [u8]) {
    let src = Block::external(src, [src.len()]).boundary(Clamp);
    let out = Block::external(out, [n]);
    for [i] in out.indices() {
        out[[i]] = src[[i + from]];
    }
}

#[test]
fn an_index_that_overflows_panics_before_it_is_folded() {
    let mut out = [9; 3];
    assert!(message(|| far_always(&[5, 6], isize::MAX - 1, 3, &mut out)).contains("overflow"));
    assert_eq!(out, [9; 3], "nothing is written before the panic");
    far_always(&[5, 6], isize::MAX - 1, 0, &mut []);
    far_always(&[5, 6], isize::MAX - 3, 3, &mut out);
    assert_eq!(out, [6; 3]);
    far_always(&[5, 6], isize::MIN + 3, 3, &mut out);
    assert_eq!(out, [5; 3]);
    far(&[5, 6], isize::MAX - 1, 3, false, &mut out);
    assert_eq!(out, [1; 3]);
    assert!(message(|| far(&[5, 6], isize::MAX - 1, 3, true, &mut out)).contains("overflow"));
}
