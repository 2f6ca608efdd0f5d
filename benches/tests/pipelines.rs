//! Each schedule of a pipeline computes what plain Rust does.

use shim_benches::case::Random;
use shim_benches::pipelines::bilateral::{bilateral, plain as plain_bilateral};
use shim_benches::pipelines::blur::{blur, plain as plain_blur};
use shim_benches::pipelines::camera::{camera, curve, plain as plain_camera};
use shim_benches::pipelines::laplacian::{laplacian, plain as plain_laplacian};
use shim_benches::pipelines::unsharp::{plain as plain_mask, unsharp};

/// A camera pipeline: raw samples, the size, the curve, and the colors.
type Camera = fn(&[u16], [usize; 2], &[u8], &mut [u8]);

const SIZES: [[usize; 2]; 4] = [[2, 3], [5, 4], [40, 33], [130, 300]];

#[test]
fn blurs_agree() {
    for [h, w] in SIZES {
        let mut random = Random::new(1);
        let src: Vec<u16> = (0..h * w).map(|_| (random.bits() % 1024) as u16).collect();
        let of = |blur: fn(&[u16], usize, usize, &mut [u16])| {
            let mut dst = vec![0; h * w];
            blur(&src, h, w, &mut dst);
            dst
        };
        let expected = of(plain_blur);
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
            assert!(of(schedule) == expected, "{h}x{w}");
        }
    }
}

#[test]
fn unsharp_masks_agree() {
    for size in SIZES {
        let mut random = Random::new(2);
        let src: Vec<f32> = (0..size[0] * size[1]).map(|_| f32::from((random.bits() % 256) as u8)).collect();
        let of = |unsharp: fn(&[f32], [usize; 2], f32, &mut [f32])| {
            let mut dst = vec![0.0; src.len()];
            unsharp(&src, size, 0.7, &mut dst);
            dst
        };
        let expected = of(plain_mask);
        for schedule in [unsharp, unsharp::root, unsharp::rows, unsharp::strips] {
            let found = of(schedule);
            let apart = found.iter().zip(&expected).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
            assert!(apart < 1e-3, "{size:?}: {apart}");
        }
    }
}

#[test]
fn camera_pipelines_agree() {
    for [h, w] in SIZES {
        let mut random = Random::new(3);
        let raw: Vec<u16> = (0..4 * h * w).map(|_| (random.bits() % 1024) as u16).collect();
        let curve = curve();
        let of = |camera: Camera| {
            let mut rgb = vec![0; 12 * h * w];
            camera(&raw, [h, w], &curve, &mut rgb);
            rgb
        };
        let expected = of(plain_camera);
        for schedule in [camera, camera::root, camera::rows, camera::strips] {
            assert!(of(schedule) == expected, "{h}x{w}");
        }
    }
}

#[test]
fn filters_of_floats_agree() {
    type Filter = fn(&[f32], [usize; 2], &mut [f32]);
    let pairs: [(Filter, Filter); 2] = [(bilateral, plain_bilateral), (laplacian, plain_laplacian)];
    for (number, (filter, plain)) in pairs.into_iter().enumerate() {
        for size in SIZES {
            let mut random = Random::new(4);
            let src: Vec<f32> =
                (0..size[0] * size[1]).map(|_| f32::from((random.bits() % 256) as u8) / 255.0).collect();
            let [mut found, mut expected] = [vec![0.0; src.len()], vec![0.0; src.len()]];
            filter(&src, size, &mut found);
            plain(&src, size, &mut expected);
            let apart = found.iter().zip(&expected).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
            assert!(apart < 1e-4, "{number}, {size:?}: {apart}");
        }
    }
}
