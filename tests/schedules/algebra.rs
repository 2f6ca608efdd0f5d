//! Views over memory, and tensors of several pieces, under the words of an order.

use shim::prelude::*;

/// Views that each iteration makes anew.
macro_rules! forms {
    ($($name:ident $(#[$word:meta])*;)*) => {$(
        #[shim::kernel]
        fn $name(#[shape(h, w)] t: &[i32], #[shape(h, w)] out: &mut [i32], h: usize, w: usize) {
            $(#[$word])*
            for [y, x] in out.indices() {
                let part = t[[y.., x..]].take([1, 1]).rev(1);
                let row = t[[y..y + 1, ..]].rev(1).cat(1, t[[y..y + 1, ..]]);
                out[[y, x]] = part[[0, 0]] * 1000 + row[[0, x]] + row[[0, x + w as i32]];
            }
        }
    )*};
}
forms! {
    plain;
    tiled #[tile([2, 3])];
    peeled #[tile([2, 4], peel)];
    reordered #[reorder(x, y)];
    lanes #[lanes(4)];
    parallel #[parallel];
    unrolled #[tile([2, 2], peel)] #[unroll(y, x)];
    wave #[wavefront(y + x)];
}

/// Reads of a rotated tensor.
macro_rules! pieces {
    ($($name:ident $(#[$word:meta])*;)*) => {$(
        #[shim::kernel]
        fn $name(#[shape(h, w)] t: &[i32], #[shape(h, w)] out: &mut [i32], h: usize, w: usize, r: isize) {
            let turned = t.rotate([r, 2]);
            $(#[$word])*
            for [y, x] in out.indices() {
                out[[y, x]] = turned[[y, x]] * 3 + t[[y, x]];
            }
        }
    )*};
}
pieces! {
    p_plain;
    p_tiled #[tile([40, 40])];
    p_peeled #[tile([4, 40], peel)];
    p_reordered #[reorder(x, y)];
    p_lanes #[lanes(8)];
    p_parallel #[parallel];
    p_unrolled #[tile([2, 2], peel)] #[unroll(y, x)];
    p_wave #[wavefront(y + x)];
    p_strip #[parallel] #[tile([16, _])];
}

/// A stage over a rotated tensor, tile by tile.
#[shim::kernel]
fn stages(#[shape(h, w)] t: &[i32], #[shape(h, w)] out: &mut [i32], h: usize, w: usize, r: isize) {
    let turned = t.rotate([r, 2]);
    #[compute_at('tile)]
    let s = stage::<i32>(|[y, x]| turned.boundary(Fill(7))[[y, x]] + turned.boundary(Fill(7))[[y, x + 1]]);
    #[tile([8, 8], 'tile)]
    for [y, x] in out.indices() {
        out[[y, x]] = s[[y, x]] + s[[y + 1, x]];
    }
}

/// A tensor and its own mirror image.
#[shim::kernel]
fn in_place(#[shape(n)] t: &mut [i32], n: usize) {
    let back = t.rev(0);
    for [i] in t.indices() {
        t[[i]] += back[[i]];
    }
}

/// Writes through views, also of elements that several indices reach.
#[shim::kernel]
fn writes(#[shape(h, w)] t: &mut [i32], h: usize, w: usize) {
    let r = t.rev(0).permute([1, 0]);
    for [x, y] in r.indices() {
        r[[x, y]] = (x * 100 + y) as i32;
    }
    let windows = t.windows([2, 1]);
    for p in windows.indices() {
        windows[p] += 1;
    }
}

type Form = fn(&[i32], &mut [i32], usize, usize);
type Turned = fn(&[i32], &mut [i32], usize, usize, isize);

const FORMS: [(&str, Form); 8] = [
    ("plain", plain),
    ("tiled", tiled),
    ("peeled", peeled),
    ("reordered", reordered),
    ("lanes", lanes),
    ("parallel", parallel),
    ("unrolled", unrolled),
    ("wave", wave),
];

const TURNED: [(&str, Turned); 9] = [
    ("plain", p_plain),
    ("tiled", p_tiled),
    ("peeled", p_peeled),
    ("reordered", p_reordered),
    ("lanes", p_lanes),
    ("parallel", p_parallel),
    ("unrolled", p_unrolled),
    ("wave", p_wave),
    ("strips", p_strip),
];

const SIZES: [(usize, usize); 7] = [(1, 1), (3, 5), (8, 9), (50, 70), (0, 4), (4, 0), (33, 100)];

fn numbers(count: usize) -> Vec<i32> {
    (0..count).map(|k| (k * 37 % 101) as i32).collect()
}

#[test]
fn views_of_an_iteration_agree() {
    for (h, w) in SIZES {
        let t = numbers(h * w);
        let mirrored = |k: usize| t[k / w * w + w - 1 - k % w];
        let expected: Vec<i32> = (0..h * w).map(|k| t[k] * 1000 + mirrored(k) + t[k]).collect();
        for (name, form) in FORMS {
            let mut out = vec![0; h * w];
            form(&t, &mut out, h, w);
            assert_eq!(out, expected, "{name} {h}x{w}");
        }
    }
}

#[test]
fn rotated_tensors_agree() {
    for (h, w) in SIZES {
        let t = numbers(h * w);
        for r in [0, 1, -1, 7, 49] {
            let turned =
                |y: usize, x: usize| t[(y as isize + r).rem_euclid(h as isize) as usize * w + (x + 2) % w];
            let expected: Vec<i32> = (0..h * w).map(|k| turned(k / w, k % w) * 3 + t[k]).collect();
            for (name, form) in TURNED {
                let mut out = vec![0; h * w];
                form(&t, &mut out, h, w, r);
                assert_eq!(out, expected, "{name} {h}x{w} by {r}");
            }
            let at = |y: usize, x: usize| if y < h && x < w { turned(y, x) } else { 7 };
            let s = |y, x| at(y, x) + at(y, x + 1);
            let expected: Vec<i32> = (0..h * w).map(|k| s(k / w, k % w) + s(k / w + 1, k % w)).collect();
            let mut out = vec![0; h * w];
            stages(&t, &mut out, h, w, r);
            assert_eq!(out, expected, "a stage of {h}x{w} by {r}");
        }
    }
}

#[test]
fn writes_through_views_agree() {
    for (h, w) in SIZES {
        let t = numbers(h * w);
        let (mut found, mut expected) = (t.clone(), t.clone());
        in_place(&mut found, h * w);
        for i in 0..h * w {
            expected[i] += expected[h * w - 1 - i];
        }
        assert_eq!(found, expected);
        let mut found = t;
        writes(&mut found, h, w);
        let windows = |y: usize| if h < 2 { 0 } else { 1 + i32::from(y > 0 && y < h - 1) };
        let expected = (0..h * w).map(|k| (k % w * 100 + h - 1 - k / w) as i32 + windows(k / w));
        assert_eq!(found, expected.collect::<Vec<i32>>(), "{h}x{w}");
    }
}
