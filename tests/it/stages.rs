//! Stages: functions of an index, computed where they are read or in memory before.

use std::cell::Cell;

use crate::common::noise;
use shim::prelude::*;

thread_local! {
    static EVALUATIONS: Cell<usize> = const { Cell::new(0) };
}

/// A value, counted.
fn counted(value: u32) -> u32 {
    EVALUATIONS.set(EVALUATIONS.get() + 1);
    value
}

/// The evaluations in a call.
fn evaluations(call: impl FnOnce()) -> usize {
    EVALUATIONS.set(0);
    call();
    EVALUATIONS.get()
}

/// The blur of the Halide paper on clamped edges: means of three along rows, then along columns.
fn blurred(src: &[u16], h: usize, w: usize) -> Vec<u16> {
    let at = |y: i32, x: i32| {
        let clamped = |at: i32, extent: usize| at.clamp(0, extent as i32 - 1) as usize;
        u32::from(src[clamped(y, h) * w + clamped(x, w)])
    };
    let across = |y: i32, x: i32| (at(y, x - 1) + at(y, x) + at(y, x + 1)) / 3;
    let points = (0..h as i32).flat_map(|y| (0..w as i32).map(move |x| (y, x)));
    points.map(|(y, x)| ((across(y - 1, x) + across(y, x) + across(y + 1, x)) / 3) as u16).collect()
}

/// The schedules of figure 3 of the first paper, and more.
#[shim::kernel(schedules(
    root,
    rows,
    elements,
    sliding,
    sliding_in_both,
    sliding_in_a_row,
    tiled,
    small_tiles,
    strips,
    sliding_strips,
    in_two_tiles,
    root_in_tiles,
    peeled,
    shifted,
    tiles_of_shifted,
    shifted_in_tiles,
    shifted_twice
))]
fn blur(#[shape(h, w)] src: &[u16], h: usize, w: usize, #[shape(h, w)] dst: &mut [u16]) {
    let src = src.boundary(Clamp).cast::<u32>();
    #[pure(counted)]
    #[schedule(root, compute_at(root))]
    #[schedule(rows, compute_at('row))]
    #[schedule(elements, compute_at('column))]
    #[schedule(sliding, store_at(root), compute_at('row))]
    #[schedule(sliding_in_both, store_at(root), compute_at('column))]
    #[schedule(sliding_in_a_row, store_at('row), compute_at('column))]
    #[schedule(tiled, compute_at('tile))]
    #[schedule(small_tiles, compute_at('tile))]
    #[schedule(strips, compute_at('tile), lanes(8))]
    #[schedule(sliding_strips, store_at(root), compute_at('tile))]
    #[schedule(peeled, compute_at('tile))]
    #[schedule(shifted, compute_at('tile))]
    #[schedule(tiles_of_shifted, compute_at('inner))]
    #[schedule(shifted_in_tiles, compute_at('inner))]
    #[schedule(shifted_twice, compute_at('inner))]
    #[schedule(in_two_tiles, compute_at('inner))]
    #[schedule(root_in_tiles, compute_at(root), tile([16, 16]))]
    let across = stage::<u32>(|[y, x]| counted((src[[y, x - 1]] + src[[y, x]] + src[[y, x + 1]]) / 3));
    #[pure(counted)]
    #[schedule(rows, tile([1, _], 'row))]
    #[schedule(elements, tile([1, 1], 'column))]
    #[schedule(sliding, tile([1, _], 'row))]
    #[schedule(sliding_in_both, tile([1, _], 'row), tile([_, 1], 'column))]
    #[schedule(sliding_in_a_row, tile([1, _], 'row), tile([_, 1], 'column))]
    #[schedule(tiled, tile([32, 256], 'tile))]
    #[schedule(small_tiles, tile([2, 3], 'tile))]
    #[schedule(strips, tile([8, _], 'tile), lanes(8))]
    #[schedule(sliding_strips, tile([8, _], 'tile))]
    #[schedule(peeled, tile([8, 16], 'tile, peel))]
    #[schedule(shifted, tile([8, 16], 'tile, shift))]
    #[schedule(tiles_of_shifted, tile([20, 40], 'outer, shift), tile([8, 16], 'inner))]
    #[schedule(shifted_in_tiles, tile([20, 40], 'outer), tile([8, 16], 'inner, shift))]
    #[schedule(shifted_twice, tile([20, 40], 'outer, shift), tile([8, 16], 'inner, shift))]
    #[schedule(in_two_tiles, tile([16, 64], 'outer), tile([4, 8], 'inner))]
    #[schedule(root_in_tiles, tile([8, 32]))]
    for [y, x] in dst.indices() {
        dst[[y, x]] = ((across[[y - 1, x]] + across[[y, x]] + across[[y + 1, x]]) / 3) as u16;
    }
}

/// The same on threads.
#[shim::kernel(schedules(tiled, strips))]
fn blur_in_tasks(#[shape(h, w)] src: &[u16], h: usize, w: usize, #[shape(h, w)] dst: &mut [u16]) {
    let src = src.boundary(Clamp).cast::<u32>();
    #[schedule(tiled, compute_at('tile))]
    #[schedule(strips, store_at('strip), compute_at('part))]
    let across = stage(|[y, x]| (src[[y, x - 1]] + src[[y, x]] + src[[y, x + 1]]) / 3);
    #[parallel]
    #[schedule(tiled, tile([16, 32], 'tile))]
    #[schedule(strips, tile([16, _], 'strip), tile([2, _], 'part))]
    for [y, x] in dst.indices() {
        dst[[y, x]] = ((across[[y - 1, x]] + across[[y, x]] + across[[y + 1, x]]) / 3) as u16;
    }
}

/// The same over ranges, whose loops have labels.
#[shim::kernel(schedules(rows, sliding, sliding_in_both))]
fn blur_of_ranges(#[shape(h, w)] src: &[u16], h: usize, w: usize, #[shape(h, w)] dst: &mut [u16]) {
    let src = src.boundary(Clamp).cast::<u32>();
    #[schedule(rows, compute_at('row))]
    #[schedule(sliding, store_at(root), compute_at('row))]
    #[schedule(sliding_in_both, store_at(root), compute_at('column))]
    let across = stage::<u32>(|[y, x]| (src[[y, x - 1]] + src[[y, x]] + src[[y, x + 1]]) / 3);
    'row: for y in 0..h {
        'column: for x in 0..w {
            dst[[y, x]] = ((across[[y - 1, x]] + across[[y, x]] + across[[y + 1, x]]) / 3) as u16;
        }
    }
}

type Blur = fn(&[u16], usize, usize, &mut [u16]);

const BLURS: &[(&str, Blur)] = &[
    ("inline", blur),
    ("root", blur::root),
    ("rows", blur::rows),
    ("elements", blur::elements),
    ("sliding", blur::sliding),
    ("sliding in both", blur::sliding_in_both),
    ("sliding in a row", blur::sliding_in_a_row),
    ("tiled", blur::tiled),
    ("small tiles", blur::small_tiles),
    ("strips", blur::strips),
    ("sliding strips", blur::sliding_strips),
    ("in two tiles", blur::in_two_tiles),
    ("peeled", blur::peeled),
    ("shifted", blur::shifted),
    ("tiles of shifted ones", blur::tiles_of_shifted),
    ("shifted in tiles", blur::shifted_in_tiles),
    ("shifted twice", blur::shifted_twice),
    ("root in tiles", blur::root_in_tiles),
    ("tasks", blur_in_tasks),
    ("tiled tasks", blur_in_tasks::tiled),
    ("strips of tasks", blur_in_tasks::strips),
    ("ranges", blur_of_ranges),
    ("rows of ranges", blur_of_ranges::rows),
    ("sliding over ranges", blur_of_ranges::sliding),
    ("sliding over both ranges", blur_of_ranges::sliding_in_both),
];

#[test]
fn every_schedule_of_a_blur_has_the_same_result() {
    let sizes = [[0, 0], [0, 3], [3, 0], [1, 1], [5, 4], [4, 5], [40, 33], [100, 300], [600, 16], [800, 600]];
    for [h, w] in sizes {
        let src: Vec<u16> = noise(h * w, 1000);
        let expected = blurred(&src, h, w);
        for (name, blur) in BLURS {
            let mut dst = vec![0; h * w];
            blur(&src, h, w, &mut dst);
            assert_eq!(dst, expected, "{name}, {h}x{w}");
        }
    }
}

/// Evaluations of the producer for each element, as in the paper: once, three times, 34/32 and 10/8.
#[test]
fn a_schedule_computes_as_much_as_the_paper_says() {
    let [h, w] = [64, 512];
    let src: Vec<u16> = noise(h * w, 1000);
    let of = |blur: Blur| {
        let mut dst = vec![0; h * w];
        evaluations(|| blur(&src, h, w, &mut dst))
    };
    assert_eq!(of(blur), 3 * h * w);
    assert_eq!(of(blur::root), (h + 2) * w);
    assert_eq!(of(blur::rows), 3 * h * w);
    assert_eq!(of(blur::sliding), (h + 2) * w);
    assert_eq!(of(blur::sliding_in_both), (h + 2) * w);
    assert_eq!(of(blur::sliding_in_a_row), 3 * h * w);
    assert_eq!(of(blur::tiled), h * w * 34 / 32);
    assert_eq!(of(blur::strips), h * w * 10 / 8);
    assert_eq!(of(blur::sliding_strips), (h + 2) * w);
}

/// The example of appendix A.8 of the thesis: a 4x4 mean of a product, whose square roots are counted.
#[shim::kernel(schedules(root, rows, sliding, sliding_in_both, tiles))]
fn means(#[shape(5, 5)] src: &[u32], #[shape(4, 4)] dst: &mut [u32]) {
    #[pure(counted)]
    #[schedule(root, compute_at(root))]
    #[schedule(rows, compute_at('y))]
    #[schedule(sliding, store_at(root), compute_at('y))]
    #[schedule(sliding_in_both, store_at(root), compute_at('x))]
    #[schedule(tiles, compute_at('tile))]
    let producer = stage::<u32>(|[y, x]| counted(src[[y, x]]));
    #[pure(counted)]
    #[schedule(rows, tile([1, _], 'y))]
    #[schedule(sliding, tile([1, _], 'y))]
    #[schedule(sliding_in_both, tile([1, _], 'y), tile([_, 1], 'x))]
    #[schedule(tiles, tile([2, 2], 'tile))]
    for [y, x] in dst.indices() {
        dst[[y, x]] = (producer[[y, x]] & 255)
            + (producer[[y, x + 1]] & 255)
            + (producer[[y + 1, x]] & 255)
            + (producer[[y + 1, x + 1]] & 255);
    }
}

type Means = fn(&[u32], &mut [u32]);

#[test]
fn counts_are_those_of_the_appendix() {
    let src: Vec<u32> = noise(25, 100);
    let of = |means: fn(&[u32], &mut [u32])| {
        let mut dst = vec![0; 16];
        let count = evaluations(|| means(&src, &mut dst));
        (count, dst)
    };
    let (count, expected) = of(means);
    assert_eq!(count, 64);
    let schedules: [(Means, usize); 5] = [
        (means::root, 25),
        (means::rows, 40),
        (means::sliding, 25),
        (means::sliding_in_both, 25),
        (means::tiles, 36),
    ];
    for (number, (schedule, wanted)) in schedules.into_iter().enumerate() {
        assert_eq!(of(schedule), (wanted, expected.clone()), "{number}");
    }
}

/// The sum of three elements in a row, a template.
#[shim::kernel]
fn three(t: impl Tensor<i32, 2>, y: i32, x: i32) -> i32 {
    t[[y, x - 1]] + t[[y, x]] + t[[y, x + 1]]
}

/// Stages that read one another, through a template too, with several readers: Harris corners without the threshold.
#[shim::kernel(schedules(root, rows, tiled, mixed, sliding))]
fn corners(#[shape(h, w)] src: &[u8], h: usize, w: usize, #[shape(h, w)] dst: &mut [i32]) {
    let src = src.boundary(Mirror).cast::<i32>();
    #[schedule(root, compute_at(root))]
    #[schedule(rows, compute_at('row))]
    #[schedule(tiled, compute_at('tile))]
    #[schedule(mixed, compute_at('tile))]
    #[schedule(sliding, store_at(root), compute_at('row))]
    let slope = stage::<(i32, i32)>(|[y, x]| {
        let (down, up): (i32, i32) = (three(src, y + 1, x), three(src, y - 1, x));
        (down.wrapping_sub(up), src[[y, x + 1]] - src[[y, x - 1]])
    });
    #[schedule(root, compute_at(root))]
    #[schedule(rows, compute_at('row))]
    #[schedule(tiled, compute_at('tile))]
    #[schedule(sliding, store_at(root), compute_at('row))]
    let product = stage::<i32>(|[y, x]| {
        let (a, b) = slope[[y, x]];
        a.wrapping_mul(b)
    });
    #[schedule(sliding, store_at(root), compute_at('row))]
    let square = stage::<i32>(|[y, x]| slope[[y, x]].0.wrapping_mul(slope[[y, x]].0));
    #[schedule(rows, tile([1, _], 'row))]
    #[schedule(tiled, tile([8, 8], 'tile))]
    #[schedule(mixed, tile([4, 16], 'tile))]
    #[schedule(sliding, tile([1, _], 'row))]
    for [y, x] in dst.indices() {
        dst[[y, x]] = product[[y - 1, x]]
            .wrapping_add(three(product, y, x))
            .wrapping_add(product[[y + 1, x]])
            .wrapping_sub(square[[y, x - 1]])
            .wrapping_add(square[[y + 1, x + 1]]);
    }
}

#[test]
fn stages_read_stages() {
    for [h, w] in [[1, 1], [3, 5], [17, 33]] {
        let src: Vec<u8> = noise(h * w, 251);
        let of = |corners: fn(&[u8], usize, usize, &mut [i32])| {
            let mut dst = vec![0; h * w];
            corners(&src, h, w, &mut dst);
            dst
        };
        let expected = of(corners);
        for (name, schedule) in [
            ("root", corners::root as fn(&[u8], usize, usize, &mut [i32])),
            ("rows", corners::rows),
            ("tiled", corners::tiled),
            ("mixed", corners::mixed),
            ("sliding", corners::sliding),
        ] {
            assert_eq!(of(schedule), expected, "{name}, {h}x{w}");
        }
    }
}

/// Stages of other densities: halves of halves, and elements that are read doubled.
#[shim::kernel(schedules(root, tiled, strips))]
fn halves(#[shape(h, w)] src: &[u8], h: usize, w: usize, #[shape(h / 4, w / 4)] dst: &mut [u32]) {
    let src = src.boundary(Clamp).cast::<u32>();
    #[schedule(root, compute_at(root))]
    #[schedule(tiled, compute_at('tile))]
    #[schedule(strips, compute_at('strip))]
    let half = stage::<u32>(|[y, x]| {
        src[[2 * y, 2 * x]] + src[[2 * y, 2 * x + 1]] + src[[2 * y + 1, 2 * x]] + src[[2 * y + 1, 2 * x + 1]]
    });
    #[schedule(root, compute_at(root))]
    #[schedule(tiled, compute_at('tile))]
    let twice = stage::<u32>(|[y, x]| half[[y / 2, x / 2]] & 0xffff);
    #[schedule(tiled, tile([3, 5], 'tile))]
    #[schedule(strips, tile([2, _], 'strip))]
    for [y, x] in dst.indices() {
        dst[[y, x]] = half[[2 * y, 2 * x]] * 3 + half[[2 * y + 1, 2 * x + 1]] + twice[[4 * y + 3, 4 * x + 1]];
    }
}

#[test]
fn stages_have_densities_of_their_own() {
    for [h, w] in [[0, 9], [4, 4], [37, 64]] {
        let src: Vec<u8> = noise(h * w, 251);
        let of = |halves: fn(&[u8], usize, usize, &mut [u32])| {
            let mut dst = vec![0; (h / 4) * (w / 4)];
            halves(&src, h, w, &mut dst);
            dst
        };
        let expected = of(halves);
        assert_eq!(of(halves::root), expected);
        assert_eq!(of(halves::tiled), expected);
        assert_eq!(of(halves::strips), expected);
    }
}

/// Stages with extents: an integral image, a histogram and its sums, a median of three by a local array.
#[shim::kernel]
fn with_extents(
    #[shape(h, w)] src: &[u8],
    h: usize,
    w: usize,
    #[shape(h, w)] sums_out: &mut [u64],
    #[shape(256)] below: &mut [u32],
    #[shape(h, w)] median: &mut [u8],
) {
    let sums = stage::<u64>([h, w], |s, [y, x]| {
        let s = s.boundary(Fill(0));
        u64::from(src[[y, x]]) + s[[y - 1, x]] + s[[y, x - 1]] - s[[y - 1, x - 1]]
    });
    let digits = stage::<[u32; 16]>([16], |[high]| {
        let mut counts = [0_u32; 16];
        for [y, x] in src.indices() {
            if i32::from(src[[y, x]] >> 4) == high {
                counts[usize::from(src[[y, x]] & 15)] += 1;
            }
        }
        counts
    });
    let up_to = stage::<u32>([256], |s, [i]| s.boundary(Fill(0))[[i - 1]] + digits[[i / 16]][i % 16]);
    let around = src.boundary(Clamp);
    let sorted = stage(|[y, x]| {
        let mut three = [around[[y, x - 1]], around[[y, x]], around[[y, x + 1]]];
        three.sort_unstable();
        three[1]
    });
    for [y, x] in sums_out.indices() {
        sums_out[[y, x]] = sums[[y, x]];
        median[[y, x]] = sorted[[y, x]];
    }
    for [i] in below.indices() {
        below[[i]] = up_to[[i]];
    }
}

#[test]
fn stages_with_extents_are_tensors() {
    for [h, w] in [[0, 3], [1, 1], [7, 9]] {
        let src: Vec<u8> = noise(h * w, 200);
        let (mut sums, mut below, mut median) = (vec![0; h * w], vec![0; 256], vec![0; h * w]);
        with_extents(&src, h, w, &mut sums, &mut below, &mut median);
        for y in 0..h {
            for x in 0..w {
                let own = (0..=y).map(|y| src[y * w..=y * w + x].iter().map(|v| u64::from(*v)).sum::<u64>());
                assert_eq!(sums[y * w + x], own.sum::<u64>());
                let mut three = [x.saturating_sub(1), x, (x + 1).min(w - 1)].map(|x| src[y * w + x]);
                three.sort_unstable();
                assert_eq!(median[y * w + x], three[1]);
            }
        }
        for (i, below) in below.iter().enumerate() {
            assert_eq!(*below as usize, src.iter().filter(|v| usize::from(**v) <= i).count());
        }
    }
}

/// The blur of a part of an image that begins far from its corner.
#[shim::kernel(schedules(root, rows, anew, sliding, sliding_in_both))]
fn blur_from(#[shape(h, w)] src: &[u16], h: usize, w: usize, #[shape(h, w)] dst: &mut [u16]) {
    let src = src.boundary(Clamp).cast::<u32>();
    #[pure(counted)]
    #[schedule(root, compute_at(root))]
    #[schedule(rows, compute_at('row))]
    #[schedule(anew, store_at('row), compute_at('row))]
    #[schedule(sliding, store_at(root), compute_at('row))]
    #[schedule(sliding_in_both, store_at(root), compute_at('column))]
    let across = stage::<u32>(|[y, x]| counted((src[[y, x - 1]] + src[[y, x]] + src[[y, x + 1]]) / 3));
    #[pure(counted)]
    'row: for y in 100..h {
        'column: for x in 50..w {
            dst[[y, x]] = ((across[[y - 1, x]] + across[[y, x]] + across[[y + 1, x]]) / 3) as u16;
        }
    }
}

#[test]
fn a_part_of_an_image_needs_the_stage_around_it_alone() {
    for [h, w] in [[105, 54], [101, 51], [100, 50], [3, 3], [140, 90]] {
        let src: Vec<u16> = noise(h * w, 1000);
        let whole = blurred(&src, h, w);
        let expected: Vec<u16> = whole
            .iter()
            .enumerate()
            .map(|(at, value)| if at / w >= 100 && at % w >= 50 { *value } else { 0 })
            .collect();
        let (rows, columns) = (h.saturating_sub(100), w.saturating_sub(50));
        let halo = if rows * columns > 0 { (rows + 2) * columns } else { 0 };
        let schedules: [(Blur, usize); 6] = [
            (blur_from, 3 * rows * columns),
            (blur_from::root, halo),
            (blur_from::rows, halo),
            (blur_from::anew, 3 * rows * columns),
            (blur_from::sliding, halo),
            (blur_from::sliding_in_both, halo),
        ];
        for (number, (blur, count)) in schedules.into_iter().enumerate() {
            let mut dst = vec![0; h * w];
            let evaluated = evaluations(|| blur(&src, h, w, &mut dst));
            assert_eq!(dst, expected, "{h}x{w}, schedule {number}");
            assert_eq!(evaluated, count, "{h}x{w}, schedule {number}");
        }
    }
}

/// Elements that are arrays, whose indices are in range by the loops around them: what is computed for nobody cannot
/// panic.
#[shim::kernel]
fn arrays_around_a_cross(#[shape(h, w)] src: &[u8], h: usize, w: usize, #[shape(h, w)] dst: &mut [f32]) {
    let src = src.boundary(Clamp);
    #[compute_at('row)]
    let powers = stage::<[f32; 4]>(|[y, x]| {
        let mut powers: [f32; 4] = [1.0; 4];
        for k in 1..4 {
            powers[k] = powers[k - 1] * f32::from(src[[y, x]]);
        }
        powers
    });
    'row: for y in 0..h {
        for x in 0..w {
            let upright: f32 = powers[[y - 1, x]][1] + powers[[y + 1, x]][2];
            dst[[y, x]] = upright + powers[[y, x - 2]][3];
        }
    }
}

#[test]
fn arrays_are_elements_where_nobody_reads() {
    for [h, w] in [[0, 3], [1, 1], [5, 7]] {
        let src: Vec<u8> = noise(h * w, 20);
        let mut dst = vec![0.0; h * w];
        arrays_around_a_cross(&src, h, w, &mut dst);
        let at = |y: usize, x: usize| f32::from(src[y * w + x]);
        for (place, found) in dst.into_iter().enumerate() {
            let (y, x) = (place / w, place % w);
            let (up, down) = (at(y.saturating_sub(1), x), at((y + 1).min(h - 1), x));
            let left = at(y, x.saturating_sub(2));
            assert_eq!(
                found.to_bits(),
                (up + down * down + left * left * left).to_bits(),
                "{h}x{w}, {y}, {x}"
            );
        }
    }
}
