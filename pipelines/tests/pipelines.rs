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
