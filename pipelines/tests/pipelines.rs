//! Each schedule of a pipeline computes what plain Rust does.

use shim_pipelines::bilateral::{bilateral, plain as plain_bilateral};
use shim_pipelines::blur::{blur, plain as plain_blur};
use shim_pipelines::boxes::{boxes, plain as plain_boxes};
use shim_pipelines::camera::{camera, curve, plain as plain_camera};
use shim_pipelines::equalize::{equalize, plain as plain_equalize};
use shim_pipelines::gauss::{gauss, plain as plain_gauss};
use shim_pipelines::interpolate::{interpolate, plain as plain_interpolate};
use shim_pipelines::laplacian::{laplacian, plain as plain_laplacian};
use shim_pipelines::snake::{indicator, plain as plain_snake, snake};
use shim_pipelines::unsharp::{plain as plain_mask, unsharp};
use shim_pipelines::{flips, masks, morphology, video};

const SIZES: [[usize; 2]; 6] = [[1, 1], [1, 7], [2, 3], [5, 4], [40, 33], [130, 300]];

/// As many random numbers.
fn random(count: usize) -> impl Iterator<Item = u32> {
    let mut state = 1_u64;
    (0..count).map(move |_| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 32) as u32
    })
}

fn bytes(count: usize) -> Vec<u8> {
    random(count).map(|bits| bits as u8).collect()
}

/// Samples from 0 to `most`.
fn floats(count: usize, most: f32) -> Vec<f32> {
    random(count).map(|bits| f32::from(bits as u8) / 255.0 * most).collect()
}

/// Memory of `count` elements after `run` has written it.
fn written<T: Clone + Default>(count: usize, run: impl FnOnce(&mut [T])) -> Vec<T> {
    let mut dst = vec![T::default(); count];
    run(&mut dst);
    dst
}

fn assert_near(found: &[f32], expected: &[f32], most: f32, what: [usize; 2]) {
    let apart = found.iter().zip(expected).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
    assert!(apart < most, "{what:?}: {apart}");
}

#[test]
fn blurs_agree() {
    for [h, w] in SIZES {
        let src: Vec<u16> = random(h * w).map(|bits| (bits % 1024) as u16).collect();
        let expected = written(h * w, |dst| plain_blur(&src, h, w, dst));
        for schedule in [
            blur,
            blur::root,
            blur::rows,
            blur::sliding,
            blur::tiled,
            blur::tiled_in_tasks,
            blur::strips,
            blur::strips_in_tasks,
            blur::sliding_in_tasks,
            blur::chunks,
        ] {
            assert!(written(h * w, |dst| schedule(&src, h, w, dst)) == expected, "{h}x{w}");
        }
    }
}

#[test]
fn filters_of_bytes_agree() {
    type Filter = fn(&[u8], [usize; 2], &mut [u8]);
    let filters: [(&str, Filter, &[Filter]); 2] = [
        (
            "gauss",
            plain_gauss,
            &[gauss, gauss::root, gauss::rows, gauss::sliding, gauss::chunks, gauss::in_tasks],
        ),
        ("equalize", plain_equalize, &[equalize, equalize::in_tasks]),
    ];
    for (name, plain, schedules) in filters {
        for size @ [h, w] in SIZES {
            let src = bytes(h * w);
            let expected = written(h * w, |dst| plain(&src, size, dst));
            for schedule in schedules {
                assert_eq!(written(h * w, |dst| schedule(&src, size, dst)), expected, "{name}, {size:?}");
            }
        }
    }
    equalize(&[], [0, 5], &mut []);
}

#[test]
fn boxes_agree() {
    for size @ [h, w] in SIZES {
        for r in [0, 1, 8, 200] {
            let src = bytes(h * w);
            let expected = written(h * w, |dst| plain_boxes(&src, size, r, dst));
            assert_eq!(written(h * w, |dst| boxes(&src, size, r, dst)), expected, "{size:?}, {r}");
        }
    }
}

#[test]
fn unsharp_masks_agree() {
    for size @ [h, w] in SIZES {
        let src = floats(h * w, 255.0);
        let expected = written(h * w, |dst| plain_mask(&src, size, 0.7, dst));
        for schedule in [unsharp, unsharp::root, unsharp::rows, unsharp::strips] {
            assert_near(&written(h * w, |dst| schedule(&src, size, 0.7, dst)), &expected, 1e-3, size);
        }
    }
}

#[test]
fn camera_pipelines_agree() {
    for [h, w] in SIZES {
        let raw: Vec<u16> = random(4 * h * w).map(|bits| (bits % 1024) as u16).collect();
        let curve = curve();
        let expected = written(12 * h * w, |rgb| plain_camera(&raw, [h, w], &curve, rgb));
        for schedule in [camera, camera::root, camera::rows, camera::strips] {
            assert!(written(12 * h * w, |rgb| schedule(&raw, [h, w], &curve, rgb)) == expected, "{h}x{w}");
        }
    }
}

#[test]
fn filters_of_floats_agree() {
    type Filter = fn(&[f32], [usize; 2], &mut [f32]);
    let pairs: [(Filter, Filter); 2] = [(bilateral, plain_bilateral), (laplacian, plain_laplacian)];
    for (filter, plain) in pairs {
        for size @ [h, w] in SIZES {
            let src = floats(h * w, 1.0);
            let expected = written(h * w, |dst| plain(&src, size, dst));
            assert_near(&written(h * w, |dst| filter(&src, size, dst)), &expected, 1e-4, size);
        }
    }
}

#[test]
fn interpolations_agree() {
    for size @ [h, w] in SIZES {
        let src: Vec<[f32; 4]> = floats(4 * h * w, 1.0)
            .chunks_exact(4)
            .map(|pixel| if pixel[3] > 0.7 { [pixel[0], pixel[1], pixel[2], 1.0] } else { [0.0; 4] })
            .collect();
        let expected = written(h * w, |dst| plain_interpolate(&src, size, dst));
        let found = written(h * w, |dst| interpolate(&src, size, dst));
        assert_near(found.as_flattened(), expected.as_flattened(), 1e-3, size);
    }
}

#[test]
fn snakes_agree() {
    for size @ [h, w] in SIZES {
        let image = floats(h * w, 255.0);
        let edges = written(h * w, |dst| indicator(&image, size, dst));
        assert!(edges.iter().all(|edge| (0.0..=1.0).contains(edge)), "{size:?}");
        let phi: Vec<f32> = floats(h * w, 8.0).into_iter().map(|value| value - 4.0).collect();
        let expected = written(h * w, |next| plain_snake(&phi, &edges, size, next));
        for schedule in [snake, snake::root, snake::rows, snake::strips] {
            assert_near(&written(h * w, |next| schedule(&phi, &edges, size, next)), &expected, 1e-3, size);
        }
    }
}

/// A kernel of a mask, and the sums under it.
type Masked = (fn(&[u8], [usize; 2], &mut [u8]), fn(&[u8], [usize; 2], [usize; 2]) -> i16);

#[test]
fn masks_agree() {
    let filters: [Masked; 11] = [
        (masks::low_pass, |src, size, at| masks::plain(&masks::LOW_PASS, src, size, at) / 9),
        (masks::high_pass, |src, size, at| masks::plain(&masks::HIGH_PASS, src, size, at)),
        (masks::horizontal, |src, size, at| masks::plain(&masks::HORIZONTAL, src, size, at)),
        (masks::vertical, |src, size, at| masks::plain(&masks::VERTICAL, src, size, at)),
        (masks::rising, |src, size, at| masks::plain(&masks::RISING, src, size, at)),
        (masks::falling, |src, size, at| masks::plain(&masks::FALLING, src, size, at)),
        (masks::custom, |src, size, at| masks::plain(&masks::CUSTOM, src, size, at)),
        (masks::prewitt, |src, size, at| {
            masks::PREWITT.map(|mask| masks::plain(&mask, src, size, at)).into_iter().min().unwrap_or(0)
        }),
        (masks::prewitt_edges, |src, size, at| {
            masks::PREWITT.map(|mask| masks::plain(&mask, src, size, at).abs()).iter().sum()
        }),
        (masks::sobel, |src, size, at| {
            masks::SOBEL.map(|mask| masks::plain(&mask, src, size, at)).into_iter().min().unwrap_or(0)
        }),
        (masks::sobel_edges, |src, size, at| {
            masks::SOBEL.map(|mask| masks::plain(&mask, src, size, at).abs()).iter().sum()
        }),
    ];
    for [h, w] in SIZES {
        let src = bytes(h * w);
        for (number, (filter, plain)) in filters.iter().enumerate() {
            let found = written(h * w, |dst| filter(&src, [h, w], dst));
            let expected = |at: usize| plain(&src, [h, w], [at / w, at % w]).clamp(0, 255) as u8;
            let expected: Vec<u8> = (0..h * w).map(expected).collect();
            assert_eq!(found, expected, "mask {number} of {h}x{w}");
        }
    }
}

#[test]
fn morphology_agrees() {
    for [h, w] in SIZES {
        let src = bytes(h * w);
        let [eroded, dilated] = [u8::min as fn(u8, u8) -> u8, u8::max]
            .map(|op| written(h * w, |dst| morphology::plain(&src, [h, w], op, dst)));
        let opened = written(h * w, |dst| morphology::plain(&eroded, [h, w], u8::max, dst));
        let closed = written(h * w, |dst| morphology::plain(&dilated, [h, w], u8::min, dst));
        assert_eq!(written(h * w, |dst| morphology::erode(&src, [h, w], dst)), eroded, "{h}x{w}");
        assert_eq!(written(h * w, |dst| morphology::dilate(&src, [h, w], dst)), dilated, "{h}x{w}");
        assert_eq!(written(h * w, |dst| morphology::open(&src, [h, w], dst)), opened, "{h}x{w}");
        assert_eq!(written(h * w, |dst| morphology::close(&src, [h, w], dst)), closed, "{h}x{w}");
    }
}

#[test]
fn views_of_images_and_clips_agree() {
    for [h, w] in SIZES {
        let src = bytes(h * w);
        let of =
            |place: &dyn Fn(usize, usize) -> [usize; 2], [h, w]: [usize; 2], columns: usize| -> Vec<u8> {
                (0..h * w).map(|at| place(at / w, at % w)).map(|[y, x]| src[y * columns + x]).collect()
            };
        let run = |flip: fn(&[u8], [usize; 2], &mut [u8])| written(h * w, |dst| flip(&src, [h, w], dst));
        assert_eq!(run(flips::horizontal), of(&|y, x| [y, w - 1 - x], [h, w], w));
        assert_eq!(run(flips::vertical), of(&|y, x| [h - 1 - y, x], [h, w], w));
        assert_eq!(run(flips::turned), of(&|y, x| [h - 1 - y, w - 1 - x], [h, w], w));
        assert_eq!(run(flips::transposed), of(&|y, x| [x, y], [w, h], w));
        assert_eq!(run(flips::quartered), of(&|y, x| [(y + h / 2) % h, (x + w / 2) % w], [h, w], w));
        for n in [1, 2, 5] {
            let clip = bytes(n * h * w);
            let frame = |t: usize| &clip[t * h * w..][..h * w];
            let run = |filter: &dyn Fn(&mut [u8])| written(n * h * w, filter);
            let size = [n, h, w];
            let reversed: Vec<u8> = (0..n).rev().flat_map(frame).copied().collect();
            assert_eq!(run(&|dst| video::reverse(&clip, size, dst)), reversed);
            let mirrored: Vec<u8> = clip.chunks(w).flat_map(|row| row.iter().rev()).copied().collect();
            assert_eq!(run(&|dst| video::mirror(&clip, size, dst)), mirrored);
            let pairs = (0..n).flat_map(|t| frame(t).iter().zip(frame(t.saturating_sub(1))));
            let apart: Vec<u8> = pairs.map(|(own, before)| own.abs_diff(*before)).collect();
            assert_eq!(run(&|dst| video::subtract(&clip, size, dst)), apart);
            let moves: Vec<u8> = apart.iter().map(|apart| if *apart > 24 { 255 } else { 0 }).collect();
            assert_eq!(run(&|dst| video::motion(&clip, size, 24, dst)), moves);
        }
    }
}
