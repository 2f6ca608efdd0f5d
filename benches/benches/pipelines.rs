//! Prints how long pipelines of images take in several schedules.
//!
//! `cargo bench -p shim-benches --bench pipelines`

use shim_benches::case::Random;
use shim_benches::measure::compare;
use shim_benches::pipelines::blur::{blur, plain};

/// An image and what becomes of it.
struct Images {
    src: Vec<u16>,
    dst: Vec<u16>,
    extents: [usize; 2],
}

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
    row("  c1 / inline", blur::c1, blur);
    row("  c2 / inline", blur::c2, blur);
    row("  c3 / inline", blur::c3, blur);
    row("  t1 / inline", blur::t1, blur);
    row("  t2 / inline", blur::t2, blur);
    row("  t3 / inline", blur::t3, blur);
    row("  sliding / inline", blur::sliding, blur);
    row("  tiled / inline", blur::tiled, blur);
    row("  strips / inline", blur::strips, blur);
}
