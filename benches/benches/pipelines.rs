//! Prints how long pipelines of images take in several schedules.
//!
//! `cargo bench -p shim-benches --bench pipelines`

use shim_benches::case::Random;
use shim_benches::measure::compare;
use shim_benches::pipelines::bilateral::{bilateral, plain as plain_bilateral};
use shim_benches::pipelines::blur::{blur, plain};
use shim_benches::pipelines::camera::{camera, curve, plain as plain_camera};
use shim_benches::pipelines::laplacian::{laplacian, plain as plain_laplacian};
use shim_benches::pipelines::unsharp::{plain as plain_mask, unsharp};

/// An image and what becomes of it.
struct Images {
    src: Vec<u16>,
    dst: Vec<u16>,
    extents: [usize; 2],
}

type Mask = fn(&[f32], [usize; 2], f32, &mut [f32]);
type Camera = fn(&[u16], [usize; 2], &[u8], &mut [u8]);
type Filter = fn(&[f32], [usize; 2], &mut [f32]);
type Blur = fn(&[u16], usize, usize, &mut [u16]);

fn main() {
    let cores = core_affinity::get_core_ids().unwrap_or_default();
    if let Some(core) = cores.last() {
        core_affinity::set_for_current(*core);
    }
    println!("{:44} {:>12} {:^20}", "", "milliseconds", "times as fast");
    println!("{:44} {:>12} {:>6} {:>6} {:>6}", "version, and beside what", "", "median", "10 %", "90 %");
    let extents = [4800, 6400];
    let mut random = Random::new(1);
    let src: Vec<u16> = (0..extents[0] * extents[1]).map(|_| (random.bits() % 1024) as u16).collect();
    let dst = vec![0; src.len()];
    let mut data = Images { src, dst, extents };
    let mut row = |name: &str, version: Blur, beside: Blur| {
        let run =
            |data: &mut Images, blur: Blur| blur(&data.src, data.extents[0], data.extents[1], &mut data.dst);
        let (time, ratio) = compare(11, &mut data, |data| run(data, version), |data| run(data, beside));
        println!("{name:44} {:12.2} {ratio}", time / 1e6);
    };
    println!("blur of {} by {} samples of 16 bits", extents[0], extents[1]);
    row("  inline / plain", blur, plain);
    row("  root / plain", blur::root, plain);
    row("  rows / plain", blur::rows, plain);
    row("  sliding / plain", blur::sliding, plain);
    row("  tiled / plain", blur::tiled, plain);
    row("  strips / plain", blur::strips, plain);
    row("  chunks / inline", blur::chunks, blur);
    row("  sliding / inline", blur::sliding, blur);
    row("  tiled / inline", blur::tiled, blur);
    row("  strips / inline", blur::strips, blur);
    masks();
    cameras();
    filters();
}

/// Unsharp masks of floats.
fn masks() {
    let size = [2160, 3840];
    let mut random = Random::new(1);
    let src: Vec<f32> = (0..size[0] * size[1]).map(|_| f32::from((random.bits() % 256) as u8)).collect();
    let mut data = (src.clone(), src);
    println!("unsharp mask of {} by {} floats", size[0], size[1]);
    let mut row = |name: &str, version: Mask, beside: Mask| {
        let run = |data: &mut (Vec<f32>, Vec<f32>), mask: Mask| mask(&data.0, size, 0.7, &mut data.1);
        let (time, ratio) = compare(11, &mut data, |data| run(data, version), |data| run(data, beside));
        println!("{name:44} {:12.2} {ratio}", time / 1e6);
    };
    row("  inline / plain", unsharp, plain_mask);
    row("  root / plain", unsharp::root, plain_mask);
    row("  rows / plain", unsharp::rows, plain_mask);
    row("  strips / plain", unsharp::strips, plain_mask);
}

/// Camera pipelines.
fn cameras() {
    let size = [960, 1280];
    let mut random = Random::new(1);
    let raw: Vec<u16> = (0..4 * size[0] * size[1]).map(|_| (random.bits() % 1024) as u16).collect();
    let curve = curve();
    let mut data = (vec![0; 3 * raw.len()], raw);
    println!("camera pipeline of {} by {} samples", 2 * size[0], 2 * size[1]);
    let mut row = |name: &str, version: Camera, beside: Camera| {
        let run = |data: &mut (Vec<u8>, Vec<u16>), camera: Camera| camera(&data.1, size, &curve, &mut data.0);
        let (time, ratio) = compare(11, &mut data, |data| run(data, version), |data| run(data, beside));
        println!("{name:44} {:12.2} {ratio}", time / 1e6);
    };
    row("  inline / plain", camera, plain_camera);
    row("  root / plain", camera::root, plain_camera);
    row("  rows / plain", camera::rows, plain_camera);
    row("  strips / plain", camera::strips, plain_camera);
}

/// Filters of floats from 0 to 1.
fn filters() {
    let size = [1536, 2560];
    let mut random = Random::new(1);
    let src: Vec<f32> =
        (0..size[0] * size[1]).map(|_| f32::from((random.bits() % 256) as u8) / 255.0).collect();
    let mut data = (src.clone(), src);
    println!("filters of {} by {} floats", size[0], size[1]);
    let mut row = |name: &str, version: Filter, beside: Filter| {
        let run = |data: &mut (Vec<f32>, Vec<f32>), filter: Filter| filter(&data.0, size, &mut data.1);
        let (time, ratio) = compare(7, &mut data, |data| run(data, version), |data| run(data, beside));
        println!("{name:44} {:12.2} {ratio}", time / 1e6);
    };
    row("  bilateral grid / plain", bilateral, plain_bilateral);
    row("  local Laplacian / plain", laplacian, plain_laplacian);
}
