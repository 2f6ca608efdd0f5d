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

/// Indices of another type than the loop's variable.
#[shim::kernel(schedules(composed))]
fn of_casts(#[shape(h, w)] src: &[u8], h: usize, w: usize, #[shape(h, w)] out: &mut [u8]) {
    #[schedule(composed, compute_at('row))]
    let halves = stage(|[y, x]| src.boundary(Clamp)[[y, x]] / 2);
    'row: for y in 0..h {
        for x in 0..w {
            let right = 2 * (x % 2) as i32 - 1;
            out[[y, x]] = halves[[y as i32 - 1, x as i32]] ^ halves[[y as i32 + 1, x as i32 / 2 + right]];
        }
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
    compare(of_casts, of_casts::composed, |sample| sample as u8);
}

/// Integers that may leave their types in elements that nothing reads: they wrap in all.
#[shim::kernel]
fn wrapped_a_sum(#[shape(h, w)] src: &[u8], h: usize, w: usize, #[shape(h, w)] out: &mut [u8]) {
    #[compute_at('t)]
    let sums = stage(|[y, x]| {
        let mut sum = 0;
        for k in -1..=1 {
            sum += src.boundary(Clamp)[[y, x + k]];
        }
        sum
    });
    #[tile([4, 4], 't)]
    for [y, x] in out.indices() {
        out[[y, x]] = sums[[y - 1, x]] ^ sums[[y + 2, x]];
    }
}

#[shim::kernel]
fn wrapped_a_chain(#[shape(h, w)] src: &[u8], h: usize, w: usize, #[shape(h, w)] out: &mut [u16]) {
    #[compute_at('t)]
    let sums = stage(|[y, x]| (0..300).map(|k| src.boundary(Clamp)[[y, x + k]] as u16).sum::<u16>());
    #[tile([4, 4], 't)]
    for [y, x] in out.indices() {
        out[[y, x]] = sums[[y - 1, x]] ^ sums[[y + 2, x]];
    }
}

#[shim::kernel]
fn wrapped_a_loop(#[shape(h, w)] src: &[u8], h: usize, w: usize, #[shape(h, w)] out: &mut [u16]) {
    #[compute_at('t)]
    let sums = stage(|[y, x]| {
        let mut sum = 0_u16;
        for k in 0..300 {
            sum += src.boundary(Clamp)[[y, x + k]] as u16;
        }
        sum
    });
    #[tile([4, 4], 't)]
    for [y, x] in out.indices() {
        out[[y, x]] = sums[[y - 1, x]] ^ sums[[y + 2, x]];
    }
}

#[shim::kernel]
fn wrapped_a_closure(#[shape(h, w)] src: &[u8], h: usize, w: usize, #[shape(h, w)] out: &mut [u8]) {
    #[compute_at('t)]
    let differences = stage::<u8>(|[y, x]| {
        let less = |a: u8, b: u8| a - b;
        less(src.boundary(Clamp)[[y, x]], src.boundary(Clamp)[[y, x + 1]])
    });
    #[tile([4, 4], 't)]
    for [y, x] in out.indices() {
        out[[y, x]] = differences[[y - 1, x]] ^ differences[[y + 2, x]];
    }
}

#[shim::kernel]
fn wrapped_least_values(#[shape(h, w)] src: &[i16], h: usize, w: usize, #[shape(h, w)] out: &mut [i16]) {
    #[compute_at('t)]
    let sizes = stage(|[y, x]| src.boundary(Clamp)[[y, x]].abs());
    #[tile([4, 4], 't)]
    for [y, x] in out.indices() {
        out[[y, x]] = sizes[[y - 1, x]] ^ sizes[[y + 2, x]];
    }
}

#[shim::kernel]
fn wrapped_an_assigned_number(#[shape(h, w)] src: &[u8], h: usize, w: usize, #[shape(h, w)] out: &mut [u8]) {
    #[compute_at('t)]
    let sums = stage(|[y, x]| {
        let mut level: u8 = 3;
        level = src.boundary(Clamp)[[y, x]];
        level += 1;
        level
    });
    #[tile([4, 4], 't)]
    for [y, x] in out.indices() {
        out[[y, x]] = sums[[y - 1, x]] ^ sums[[y + 2, x]];
    }
}

/// A tile reads rows apart: those of the stage that nobody reads are computed as well.
#[shim::kernel]
fn wrapped_rows(#[shape(h, w)] src: &[i32], h: usize, w: usize, #[shape(h, w)] out: &mut [i32]) {
    #[compute_at(root)]
    let products = stage(|[y, x]| {
        let own = src[[y, x]];
        let mut power = own.pow(3) * own - 5 * -own;
        power *= own;
        power -= 7;
        power
    });
    for y in 0..h / 2 {
        for x in 0..w {
            out[[2 * y, x]] = products[[2 * y, x]];
        }
    }
}

/// Both arms read the element, and so do both sides of a sum: a quotient may panic, as it does without words.
#[shim::kernel(schedules(composed))]
fn read_in_each_arm(#[shape(h, w)] src: &[u32], h: usize, w: usize, by: u32, #[shape(h, w)] out: &mut [u32]) {
    #[schedule(composed, compute_at('row))]
    let quotients = stage(|[y, x]| src[[y, x]] / by);
    #[schedule(composed, compute_at('row))]
    let rests = stage(|[y, x]| src[[y, x]] % by);
    'row: for y in 0..h {
        for x in 0..w {
            let own = if src[[y, x]] > 100 {
                if x % 3 == 0 { quotients[[y, x]] } else { quotients[[y, x]] + 1 }
            } else {
                match src[[y, x]] % 4 {
                    0 => 2 * quotients[[y, x]],
                    1 => 3,
                    _ => 4 + quotients[[y, x]],
                }
            };
            out[[y, x]] = own + quotients[[y, x]].max(rests[[y, x]]);
        }
    }
}

#[test]
fn integers_wrap_where_nothing_reads_an_element() {
    let clamped = |src: &[u8], w: usize, y: usize, x: usize| src[y * w + x.min(w - 1)];
    for [h, w] in [[0, 0], [1, 1], [2, 9], [5, 4], [8, 8], [13, 7]] {
        let src: Vec<u8> = noise(h * w, 256);
        let expected = |element: &dyn Fn(usize, usize) -> u16| -> Vec<u16> {
            let row = |y: i32| y.clamp(0, h as i32 - 1) as usize;
            let at = |place: usize| ((place / w) as i32, place % w);
            let value = |(y, x): (i32, usize)| element(row(y - 1), x) ^ element(row(y + 2), x);
            (0..h * w).map(|place| value(at(place))).collect()
        };
        let run = |kernel: fn(&[u8], usize, usize, &mut [u8])| {
            let mut out = vec![0; h * w];
            kernel(&src, h, w, &mut out);
            out.into_iter().map(u16::from).collect::<Vec<_>>()
        };
        let sum = |y: usize, x: usize| {
            let [before, own, behind] = [x.saturating_sub(1), x, x + 1].map(|x| clamped(&src, w, y, x));
            u16::from(before.wrapping_add(own).wrapping_add(behind))
        };
        assert_eq!(run(wrapped_a_sum), expected(&sum));
        let less =
            |y: usize, x: usize| u16::from(clamped(&src, w, y, x).wrapping_sub(clamped(&src, w, y, x + 1)));
        assert_eq!(run(wrapped_a_closure), expected(&less));
        let next = |y: usize, x: usize| u16::from(clamped(&src, w, y, x).wrapping_add(1));
        assert_eq!(run(wrapped_an_assigned_number), expected(&next));
        let long = |y: usize, x: usize| {
            (0..300).fold(0, |sum: u16, k| sum.wrapping_add(u16::from(clamped(&src, w, y, x + k))))
        };
        for kernel in [wrapped_a_chain, wrapped_a_loop] {
            let mut out = vec![0; h * w];
            kernel(&src, h, w, &mut out);
            assert_eq!(out, expected(&long));
        }
        let signed: Vec<i16> = src.iter().map(|value| i16::from(*value) << 7 << 1).collect();
        let mut out = vec![0; h * w];
        wrapped_least_values(&signed, h, w, &mut out);
        let size = |y: usize, x: usize| signed[y * w + x].wrapping_abs().cast_unsigned();
        assert_eq!(out.into_iter().map(i16::cast_unsigned).collect::<Vec<_>>(), expected(&size));
        let wide: Vec<i32> = noise::<i64>(h * w, 1 << 40).into_iter().map(|value| value as i32).collect();
        let mut out = vec![0; h * w];
        wrapped_rows(&wide, h, w, &mut out);
        for (place, value) in out.into_iter().enumerate() {
            let own = wide[place];
            let product = own.wrapping_pow(3).wrapping_mul(own).wrapping_add(own.wrapping_mul(5));
            let wanted = product.wrapping_mul(own).wrapping_sub(7);
            let is_read = place / w.max(1) % 2 == 0 && place / w.max(1) < h / 2 * 2;
            assert_eq!(value, if is_read { wanted } else { 0 });
        }
        let src: Vec<u32> = noise(h * w, 256);
        let [mut plain, mut composed] = [vec![0; h * w], vec![0; h * w]];
        read_in_each_arm(&src, h, w, 7, &mut plain);
        read_in_each_arm::composed(&src, h, w, 7, &mut composed);
        assert_eq!(plain, composed);
    }
}
