//! Stages that are computed in a loop, whose elements stay for its next iteration by themselves.

use crate::common::noise;

/// A loop over `y` that reads a stage, computed where it is read or in memory.
macro_rules! pairs {
    ($($name:ident: |$src:ident, $s:ident, $out:ident, $h:ident, $w:ident| $body:block)*) => {
        $(mod $name {
            use shim::prelude::*;

            #[shim::kernel(schedules(rows, anew))]
            pub(super) fn run(
                #[shape($h, $w)] $src: &[u32],
                [$h, $w]: [usize; 2],
                #[shape($h, $w)] $out: &mut [u32],
            ) {
                let near = $src.boundary(Clamp);
                #[schedule(rows, compute_at('row))]
                #[schedule(anew, store_at('row), compute_at('row))]
                let $s = stage::<u32>(|[y, x]| near[[y, x]].wrapping_mul(5) ^ near[[y, x + 1]]);
                $body
            }
        })*

        #[test]
        fn rows_stay_in_memory() {
            for [h, w] in [[0, 3], [1, 1], [2, 4], [3, 2], [9, 7], [17, 5]] {
                let src: Vec<u32> = noise(h * w, 1 << 20);
                $({
                    let [mut expected, mut rows, mut anew] = [(); 3].map(|()| vec![7; h * w]);
                    $name::run(&src, [h, w], &mut expected);
                    $name::run::rows(&src, [h, w], &mut rows);
                    $name::run::anew(&src, [h, w], &mut anew);
                    assert_eq!(rows, expected, "{}, {h}x{w}", stringify!($name));
                    assert_eq!(anew, expected, "{}, {h}x{w}", stringify!($name));
                })*
            }
        }
    };
}

pairs! {
    stencil: |src, s, out, h, w| {
        'row: for y in 0..h {
            for x in 0..w {
                out[[y, x]] = s[[y - 1, x]] ^ s[[y, x]].wrapping_mul(3) ^ s[[y + 2, x]];
            }
        }
    }
    backwards: |src, s, out, h, w| {
        'row: for y in (0..h).rev() {
            for x in 0..w {
                out[[y, x]] = s[[y - 1, x]] ^ s[[y + 1, x]];
            }
        }
    }
    falling: |src, s, out, h, w| {
        'row: for y in 0..h {
            for x in 0..w {
                out[[y, x]] = s[[h - y, x]] ^ s[[h - y - 2, x]];
            }
        }
    }
    by_threes: |src, s, out, h, w| {
        'row: for y in (0..h).step_by(3) {
            for x in 0..w {
                out[[y, x]] = s[[y - 2, x]] ^ s[[y + 2, x]];
            }
        }
    }
    in_some_rows: |src, s, out, h, w| {
        'row: for y in 0..h {
            if src[[y, 0]] % 3 > 0 {
                for x in 0..w {
                    out[[y, x]] = s[[y - 1, x]] ^ s[[y + 1, x]];
                }
            }
        }
    }
    with_jumps: |src, s, out, h, w| {
        'row: for y in 0..h {
            if src[[y, 0]] % 4 == 0 {
                continue;
            }
            for x in 0..w {
                out[[y, x]] = s[[y - 1, x]] ^ s[[y + 1, x]];
            }
            if src[[y, 0]] % 16 == 1 {
                break;
            }
        }
    }
    in_a_triangle: |src, s, out, h, w| {
        'row: for y in 0..h {
            for x in 0..(y + 1).min(w) {
                out[[y, x]] = s[[y - 1, x]] ^ s[[y + 1, x + 1]];
            }
        }
    }
    halves: |src, s, out, h, w| {
        'row: for y in 0..h {
            for x in 0..w {
                out[[y, x]] = s[[y / 2, x]] ^ s[[y / 2 + 1, x]].wrapping_mul(7) ^ s[[y / 2 + y % 2, x]];
            }
        }
    }
    in_tasks: |src, s, out, h, w| {
        #[parallel]
        for x in 0..w {
            'row: for y in 0..h {
                out[[y, x]] = s[[y - 1, x]] ^ s[[y + 1, x]];
            }
        }
    }
    in_an_ordered_loop: |src, s, out, h, w| {
        #[parallel]
        'row: for y in 0..h {
            for x in 0..w {
                out[[y, x]] = s[[y - 1, x]] ^ s[[y + 1, x]];
            }
        }
    }
    in_a_fused_loop: |src, s, out, h, w| {
        #[fuse]
        for y in 0..h {
            for x in 0..w {
                out[[y, x]] = 1;
            }
        }
        'row: for y in 0..h {
            for x in 0..w {
                out[[y, x]] ^= s[[y - 1, x]] ^ s[[y + 1, x]];
            }
        }
    }
    of_what_the_loop_writes: |src, s, out, h, w| {
        let t = stage::<u32>(|[y, x]| s[[y, x]].wrapping_add(9));
        'row: for y in 1..h {
            for x in 0..w {
                let above = out[[y - 1, x]];
                out[[y, x]] = above ^ t[[y - 1, x]] ^ t[[y + 1, x]];
            }
        }
    }
}
