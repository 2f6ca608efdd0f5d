//! Prints how long pipelines of images take in several schedules.
//!
//! `cargo bench -p shim-benches --bench pipelines` has one thread; with `-- threads`, the schedules in tasks run on one
//! and on two. The versions `plain` are written without a library, one pass after the other, and `hand` are fused by
//! hand.

mod hand;

use shim_benches::case::Random;
use shim_benches::measure::compare;
use shim_pipelines::bilateral::{bilateral, plain as plain_bilateral};
use shim_pipelines::blur::{blur, plain as plain_blur};
use shim_pipelines::boxes::{boxes, plain as plain_boxes};
use shim_pipelines::camera::{camera, curve, plain as plain_camera};
use shim_pipelines::equalize::{equalize, plain as plain_equalize};
use shim_pipelines::gauss::{gauss, plain as plain_gauss};
use shim_pipelines::interpolate::{interpolate, plain as plain_interpolate};
use shim_pipelines::laplacian::{laplacian, plain as plain_laplacian};
use shim_pipelines::snake::{plain as plain_snake, snake};
use shim_pipelines::unsharp::{plain as plain_mask, unsharp};

/// A pipeline with its data.
struct Bench<D, F> {
    data: D,
    run: fn(&mut D, F),
}

impl<D, F: Copy> Bench<D, F> {
    fn new(title: &str, data: D, run: fn(&mut D, F)) -> Self {
        println!("{title}");
        Bench { data, run }
    }

    /// A version beside another one.
    fn row(&mut self, name: &str, version: F, beside: F) {
        let run = self.run;
        let (time, ratio) = compare(11, &mut self.data, |data| run(data, version), |data| run(data, beside));
        println!("  {name:42} {:12.2} {ratio}", time / 1e6);
    }
}

/// A filter of an image.
type Filter<T> = fn(&[T], [usize; 2], &mut [T]);

/// The source, its size and the result of a filter.
type Images<T> = (Vec<T>, [usize; 2], Vec<T>);

fn filter<T>((src, size, dst): &mut Images<T>, filter: Filter<T>) {
    filter(src, *size, dst);
}

/// Asserts that two filters have the same result.
fn assert_agreement<T: Copy + PartialEq>(data: &mut Images<T>, one: Filter<T>, other: Filter<T>) {
    filter(data, one);
    let expected = data.2.clone();
    filter(data, other);
    assert!(data.2 == expected, "a form by hand gives something else");
}

/// An image of random samples.
fn image<T: Clone>(size: [usize; 2], sample: impl Fn(u32) -> T) -> Images<T> {
    let mut random = Random::new(1);
    let src: Vec<T> = (0..size[0] * size[1]).map(|_| sample(random.bits())).collect();
    (src.clone(), size, src)
}

/// A sample from 0 to 1.
fn unit(bits: u32) -> f32 {
    f32::from(bits as u8) / 255.0
}

fn main() {
    if std::env::args().any(|argument| argument == "threads") {
        threads();
        return;
    }
    let cores = core_affinity::get_core_ids().unwrap_or_default();
    if let Some(core) = cores.last() {
        core_affinity::set_for_current(*core);
    }
    println!("{:44} {:>12} {:^20}", "", "milliseconds", "times as fast");
    println!("{:44} {:>12} {:>6} {:>6} {:>6}", "version, and beside what", "", "median", "10 %", "90 %");
    of_samples();
    of_bytes();
    of_floats();
    snakes();
    masks();
    cameras();
}

type Blur = fn(&[u16], usize, usize, &mut [u16]);

fn blur_bench() -> Bench<Images<u16>, Blur> {
    Bench::new(
        "blur of 4800 by 6400 samples of 16 bits",
        image([4800, 6400], |bits| (bits % 1024) as u16),
        |(src, [h, w], dst), blur| blur(src, *h, *w, dst),
    )
}

fn of_samples() {
    let mut bench = blur_bench();
    bench.row("inline / plain", blur, plain_blur);
    bench.row("root / plain", blur::root, plain_blur);
    bench.row("rows / plain", blur::rows, plain_blur);
    bench.row("sliding / plain", blur::sliding, plain_blur);
    bench.row("tiled / plain", blur::tiled, plain_blur);
    bench.row("strips / plain", blur::strips, plain_blur);
    bench.row("chunks / inline", blur::chunks, blur);
    bench.row("sliding / inline", blur::sliding, blur);
    bench.row("tiled / inline", blur::tiled, blur);
    bench.row("strips / inline", blur::strips, blur);
    assert_agreement(
        &mut bench.data,
        |src, [h, w], dst| blur(src, h, w, dst),
        |src, [h, w], dst| hand::blur(src, h, w, dst),
    );
    bench.row("chunks / hand", blur::chunks, hand::blur);
    bench.row("inline / hand", blur, hand::blur);
}

/// An image of bytes.
fn bytes() -> Images<u8> {
    image([2400, 3200], |bits| bits as u8)
}

fn of_bytes() {
    let mut bench = Bench::new("Gauss filter of 2400 by 3200 bytes", bytes(), filter);
    bench.row("inline / plain", gauss, plain_gauss);
    bench.row("root / plain", gauss::root, plain_gauss);
    bench.row("rows / plain", gauss::rows, plain_gauss);
    bench.row("sliding / plain", gauss::sliding, plain_gauss);
    bench.row("chunks / plain", gauss::chunks, plain_gauss);
    assert_agreement(&mut bench.data, gauss, hand::gauss);
    bench.row("chunks / hand", gauss::chunks, hand::gauss);
    bench.row("sliding / hand", gauss::sliding, hand::gauss);
    let mut bench = Bench::new("histogram equalization of 2400 by 3200 bytes", bytes(), filter);
    bench.row("kernel / plain", equalize, plain_equalize);
    let run = |(src, size, dst): &mut Images<u8>, boxes: fn(&[u8], [usize; 2], i32, &mut [u8])| {
        boxes(src, *size, 8, dst);
    };
    let mut bench = Bench::new("boxes of 17 by 17 of 2400 by 3200 bytes", bytes(), run);
    bench.row("kernel / plain", boxes, plain_boxes);
}

fn of_floats() {
    let size = [1536, 2560];
    let mut bench = Bench::new("filters of 1536 by 2560 floats", image(size, unit), filter);
    bench.row("bilateral grid / plain", bilateral, plain_bilateral);
    bench.row("local Laplacian / plain", laplacian, plain_laplacian);
    let pixels = image([768, 1280], |bits| {
        let opacity = if bits % 4 == 0 { 1.0 } else { 0.0 };
        [8, 16, 24, 32].map(|by| if by == 32 { opacity } else { opacity * unit(bits >> by) })
    });
    let mut bench = Bench::new("interpolation of 768 by 1280 pixels", pixels, filter);
    bench.row("kernel / plain", interpolate, plain_interpolate);
}

type Snake = fn(&[f32], &[f32], [usize; 2], &mut [f32]);

fn snakes() {
    let (phi, size, next) = image([1080, 1920], |bits| 8.0 * unit(bits) - 4.0);
    let edges: Vec<f32> = phi.iter().map(|value| value.abs() / 4.0).collect();
    let mut bench = Bench::new(
        "step of a snake of 1080 by 1920 floats",
        (phi, edges, size, next),
        |(phi, edges, size, next), snake: Snake| snake(phi, edges, *size, next),
    );
    bench.row("inline / plain", snake, plain_snake);
    bench.row("root / plain", snake::root, plain_snake);
    bench.row("rows / plain", snake::rows, plain_snake);
    bench.row("strips / plain", snake::strips, plain_snake);
}

type Mask = fn(&[f32], [usize; 2], f32, &mut [f32]);

fn masks() {
    let mut bench = Bench::new(
        "unsharp mask of 2160 by 3840 floats",
        image([2160, 3840], |bits| 255.0 * unit(bits)),
        |(src, size, dst), mask: Mask| mask(src, *size, 0.7, dst),
    );
    bench.row("inline / plain", unsharp, plain_mask);
    bench.row("root / plain", unsharp::root, plain_mask);
    bench.row("rows / plain", unsharp::rows, plain_mask);
    bench.row("strips / plain", unsharp::strips, plain_mask);
    bench.row("rows / hand", unsharp::rows, hand::unsharp);
}

type Camera = fn(&[u16], [usize; 2], &[u8], &mut [u8]);

fn cameras() {
    let (raw, ..) = image([1920, 2560], |bits| (bits % 1024) as u16);
    let rgb = vec![0; 3 * raw.len()];
    let mut bench = Bench::new(
        "camera pipeline of 1920 by 2560 samples",
        (raw, curve(), rgb),
        |(raw, curve, rgb), camera: Camera| camera(raw, [960, 1280], curve, rgb),
    );
    bench.row("inline / plain", camera, plain_camera);
    bench.row("root / plain", camera::root, plain_camera);
    bench.row("rows / plain", camera::rows, plain_camera);
    bench.row("strips / plain", camera::strips, plain_camera);
}

/// Schedules in tasks on two threads, beside one.
fn threads() {
    let pool = |count| rayon::ThreadPoolBuilder::new().num_threads(count).build().expect("threads");
    let (one, two) = (pool(1), pool(2));
    println!("{:44} {:>12} {:^20}", "", "milliseconds", "times as fast");
    let blurs = [
        ("tiles on two threads / on one", blur::tiled_in_tasks as Blur),
        ("strips on two threads / on one", blur::strips_in_tasks),
        ("sliding on two threads / on one", blur::sliding_in_tasks),
    ];
    on_threads(blur_bench(), [&one, &two], &blurs);
    let bench = Bench::new("Gauss filter of 2400 by 3200 bytes", bytes(), filter);
    on_threads(bench, [&one, &two], &[("sliding on two threads / on one", gauss::in_tasks as Filter<u8>)]);
}

/// Versions in one pool beside themselves in another one.
fn on_threads<D: Send, F: Copy + Send + Sync>(
    Bench { data, run }: Bench<D, F>,
    pools: [&rayon::ThreadPool; 2],
    versions: &[(&str, F)],
) {
    let mut bench = Bench {
        data: (data, run, pools),
        run: |(data, run, pools), (version, pool): (F, usize)| pools[pool].install(|| run(data, version)),
    };
    for (name, version) in versions {
        bench.row(name, (*version, 1), (*version, 0));
    }
}
