//! Stages: functions of an index, computed where they are read or in memory before.

use crate::common::noise;
use shim::prelude::*;

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

macro_rules! blur {
    ($name:ident, [$($stage:tt)*], [$($outer:tt)*]) => {
        #[shim::kernel]
        fn $name(#[shape(h, w)] src: &[u16], h: usize, w: usize, #[shape(h, w)] dst: &mut [u16]) {
            let src = src.boundary(Clamp).cast::<u32>();
            $($stage)*
            let across = stage::<u32>(|[y, x]| (src[[y, x - 1]] + src[[y, x]] + src[[y, x + 1]]) / 3);
            $($outer)* for [y, x] in dst.indices() {
                dst[[y, x]] = ((across[[y - 1, x]] + across[[y, x]] + across[[y + 1, x]]) / 3) as u16;
            }
        }
    };
}

blur!(inline, [], []);
blur!(root, [#[compute_at(root)]], []);
blur!(tiled, [#[compute_at('tile)]], [#[tile([32, 256], 'tile)]]);
blur!(small_tiles, [#[compute_at('tile)]], [#[tile([2, 3], 'tile)]]);
blur!(tiled_on_threads, [#[compute_at('tile)]], [#[tile([16, 32], 'tile)] #[parallel]]);
blur!(in_strips, [#[compute_at('tile)] #[lanes(8)]], [#[tile([8, _], 'tile)] #[parallel] #[lanes(8)]]);
blur!(sliding_strips, [#[store_at(root)] #[compute_at('tile)]], [#[tile([8, _], 'tile)]]);
blur!(strips_in_tasks, [#[store_at('strip)] #[compute_at('part)]], [#[tile([16, _], 'strip)] #[parallel] #[tile([2, _], 'part)]]);
blur!(in_two_tiles, [#[compute_at('inner)]], [#[tile([16, 64], 'outer)] #[tile([4, 8], 'inner)] #[parallel]]);

macro_rules! blur_by_rows {
    ($name:ident, [$row:lifetime, $column:lifetime], [$($stage:tt)*]) => {
        #[shim::kernel]
        fn $name(#[shape(h, w)] src: &[u16], h: usize, w: usize, #[shape(h, w)] dst: &mut [u16]) {
            let src = src.boundary(Clamp).cast::<u32>();
            $($stage)*
            let across = stage::<u32>(|[y, x]| (src[[y, x - 1]] + src[[y, x]] + src[[y, x + 1]]) / 3);
            $row: for y in 0..h {
                $column: for x in 0..w {
                    dst[[y, x]] = ((across[[y - 1, x]] + across[[y, x]] + across[[y + 1, x]]) / 3) as u16;
                }
            }
        }
    };
}

blur_by_rows!(by_rows, ['row, 'column], [#[compute_at('row)]]);
blur_by_rows!(sliding, ['row, 'column], [#[store_at(root)] #[compute_at('row)]]);
blur_by_rows!(sliding_in_both, ['row, 'column], [#[store_at(root)] #[compute_at('column)]]);
blur_by_rows!(sliding_in_a_row, ['row, 'column], [#[store_at('row)] #[compute_at('column)]]);
blur_by_rows!(by_elements, ['row, 'column], [#[compute_at('column)]]);

type Blur = fn(&[u16], usize, usize, &mut [u16]);

const BLURS: &[(&str, Blur)] = &[
    ("inline", inline),
    ("root", root),
    ("rows", by_rows),
    ("sliding", sliding),
    ("sliding in both", sliding_in_both),
    ("sliding in a row", sliding_in_a_row),
    ("elements", by_elements),
    ("sliding strips", sliding_strips),
    ("strips in tasks", strips_in_tasks),
    ("tiled", tiled),
    ("small tiles", small_tiles),
    ("on threads", tiled_on_threads),
    ("in strips", in_strips),
    ("in two tiles", in_two_tiles),
];

#[test]
fn every_schedule_of_a_blur_has_the_same_result() {
    let sizes = [[0, 0], [0, 3], [3, 0], [1, 1], [5, 4], [4, 5], [40, 33], [100, 300]];
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
