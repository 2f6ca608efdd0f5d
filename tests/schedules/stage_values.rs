//! Stages in memory whose element type and whose freedom from panics follow from what their closures show.

use crate::common::noise;
use shim::prelude::*;

/// Checks that both versions of a kernel write the same.
fn compare<T: Copy + Default, U: Copy + Default + PartialEq + std::fmt::Debug>(
    plain: fn(&[T], usize, usize, &mut [U]),
    composed: fn(&[T], usize, usize, &mut [U]),
    sample: fn(u32) -> T,
) {
    for [h, w] in [[0, 0], [1, 1], [2, 9], [5, 4], [8, 8], [13, 7]] {
        let src: Vec<T> = noise::<u32>(h * w, 256).into_iter().map(sample).collect();
        let run = |transform: fn(&[T], usize, usize, &mut [U])| {
            let mut out = vec![U::default(); h * w];
            transform(&src, h, w, &mut out);
            out
        };
        assert_eq!(run(plain), run(composed), "{h}x{w}");
    }
}

/// A method of the element itself.
#[shim::kernel(schedules(composed))]
fn of_a_method(#[shape(h, w)] src: &[u32], h: usize, w: usize, #[shape(h, w)] out: &mut [u32]) {
    #[schedule(composed, compute_at('t))]
    let s = stage(|[y, x]| src.boundary(Clamp)[[y, x]].wrapping_mul(0x9e37_79b9));
    #[schedule(composed, tile([4, 4], 't))]
    for [y, x] in out.indices() {
        out[[y, x]] = s[[y - 1, x]] ^ s[[y + 2, x]];
    }
}

/// The `let` that ends the closure, whose range those before it give: a difference of bytes has an absolute value in `i16`.
#[shim::kernel(schedules(composed))]
fn of_lets(#[shape(h, w)] src: &[u8], h: usize, w: usize, #[shape(h, w)] out: &mut [i16]) {
    #[schedule(composed, compute_at('t))]
    let gradient = stage(|[y, x]| {
        let here = src.boundary(Clamp)[[y, x]] as i16;
        let right = src.boundary(Clamp)[[y, x + 1]] as i16;
        let difference = right - here;
        let strength: i16 = difference.abs() * 3;
        if difference < 0 { -strength } else { strength.min(700) }
    });
    #[schedule(composed, tile([4, 4], 't))]
    for [y, x] in out.indices() {
        out[[y, x]] = gradient[[y - 1, x]] ^ gradient[[y + 2, x]];
    }
}

/// An array and a tuple.
#[shim::kernel(schedules(composed))]
fn of_arrays(#[shape(h, w)] src: &[u8], h: usize, w: usize, #[shape(h, w)] out: &mut [u16]) {
    #[schedule(composed, compute_at('t))]
    let pairs = stage(|[y, x]| {
        let value = src.boundary(Clamp)[[y, x]] as u16;
        [value, value * 2]
    });
    #[schedule(composed, compute_at('t))]
    let both = stage(|[y, x]| (src.boundary(Mirror)[[y, x]] / 3, src.boundary(Mirror)[[y, x]] > 7));
    #[schedule(composed, tile([4, 4], 't))]
    for [y, x] in out.indices() {
        let (third, is_large) = both[[y + 1, x - 1]];
        out[[y, x]] = pairs[[y - 1, x]][0] ^ pairs[[y + 2, x]][1] ^ third as u16 ^ is_large as u16;
    }
}

/// Sums over taps: in a number without a type, and of a chain.
#[shim::kernel(schedules(composed))]
fn of_sums(#[shape(h, w)] src: &[u8], h: usize, w: usize, #[shape(h, w)] out: &mut [u16]) {
    #[schedule(composed, compute_at('t))]
    let across = stage(|[y, x]| {
        let mut sum = 0;
        for k in -2..=2 {
            sum += src.boundary(Clamp)[[y, x + k]] as u16;
            if k == 0 {
                sum += 9;
            }
        }
        sum / 5
    });
    #[schedule(composed, compute_at('t))]
    let down = stage(|[y, x]| (-1..=1).map(|k| src.boundary(Mirror)[[y + k, x]] as u16).sum::<u16>());
    #[schedule(composed, tile([4, 4], 't))]
    for [y, x] in out.indices() {
        out[[y, x]] = across[[y - 1, x]] ^ across[[y + 2, x]] ^ down[[y, x - 1]] ^ down[[y, x + 2]];
    }
}

/// Closures that are written where they are called, and the arms of a `match`.
#[shim::kernel(schedules(composed))]
fn of_closures(#[shape(h, w)] src: &[u8], h: usize, w: usize, #[shape(h, w)] out: &mut [u8]) {
    #[schedule(composed, compute_at('t))]
    let edges = stage(|[y, x]| {
        let at = |dy: i32, dx: i32| src.boundary(Clamp)[[y + dy, x + dx]] as i16;
        let across = at(0, 1) - at(0, -1);
        let (down, here) = (at(1, 0) - at(-1, 0), at(0, 0));
        match here > 99 {
            true => (across.abs() + down.abs()).min(255) as u8,
            false => (across.abs().max(down.abs()) / 2) as u8,
        }
    });
    #[schedule(composed, tile([4, 4], 't))]
    for [y, x] in out.indices() {
        out[[y, x]] = edges[[y - 1, x]].max(edges[[y + 2, x]]);
    }
}

#[test]
fn stages_show_their_types() {
    compare(of_a_method, of_a_method::composed, |sample| sample);
    compare(of_lets, of_lets::composed, |sample| sample as u8);
    compare(of_arrays, of_arrays::composed, |sample| sample as u8);
    compare(of_sums, of_sums::composed, |sample| sample as u8);
    compare(of_closures, of_closures::composed, |sample| sample as u8);
}
