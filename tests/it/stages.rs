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
    root_in_tiles
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
    let schedules: [(fn(&[u32], &mut [u32]), usize); 5] = [
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
