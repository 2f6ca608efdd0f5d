//! Prints how long programs of the papers take under several layouts and orders.
//!
//! `cargo bench -p shim-benches --bench papers`

use shim_benches::case::Random;
use shim_benches::measure::compare;
use shim_benches::papers::{alignment, memory, modes, packed, product, shapes, tables, transpose, triangle};

/// Interleaved pairs per row.
const PAIRS: usize = 101;

fn main() {
    let cores = core_affinity::get_core_ids().unwrap_or_default();
    if let Some(core) = cores.last() {
        core_affinity::set_for_current(*core);
    }
    println!("{:44} {:>12} {:^20}", "", "microseconds", "times as fast");
    println!("{:44} {:>12} {:>6} {:>6} {:>6}", "version, and beside what", "", "median", "10 %", "90 %");

    let mut data = alignment::Alignment::new(&mut Random::new(1), alignment::SIDE);
    let mut row = |name: &str, version: alignment::Version, beside: alignment::Version| {
        let (time, ratio) = compare(PAIRS, &mut data, |data| data.run(version), |data| data.run(beside));
        println!("{name:44} {:12.2} {ratio}", time / 1e3);
    };
    println!(
        "alignment of {0} and {0} symbols (LEGO, blocks in shared memory of a GPU: 1.4 to 2.1)",
        alignment::SIDE
    );
    row("  antidiagonals, contiguous / rows", alignment::fronts, alignment::rows);
    row("  antidiagonals in row-major memory / rows", alignment::fronts_of_rows, alignment::rows);
    row("  antidiagonals of 16x16 tiles / rows", alignment::tiles, alignment::rows);
    row("  antidiagonals in lanes, contiguous / rows", alignment::lanes, alignment::rows);
    row("  antidiagonals in lanes, in rows / rows", alignment::lanes_of_rows, alignment::rows);
    row("  the same of 32x32 tiles / rows", alignment::tiles_of_lanes, alignment::rows);
    row("  antidiagonals, contiguous / by hand", alignment::fronts, alignment::fronts_by_hand);
    row("  antidiagonals, contiguous / rows in plain Rust", alignment::fronts, alignment::rows_by_hand);
    row("  in lanes, contiguous / rows in plain Rust", alignment::lanes, alignment::rows_by_hand);
    row("  in lanes, in rows / rows in plain Rust", alignment::lanes_of_rows, alignment::rows_by_hand);
    row("  rows / rows in plain Rust", alignment::rows, alignment::rows_by_hand);

    let mut data = transpose::Transpose::new(&mut Random::new(1), [transpose::SIDE; 2]);
    let mut row = |name: &str, version: transpose::Version, beside: transpose::Version| {
        let (time, ratio) = compare(21, &mut data, |data| data.run(version), |data| data.run(beside));
        println!("{name:44} {:12.2} {ratio}", time / 1e3);
    };
    println!("transpose of {0}x{0} floats (LEGO: 1.0 beside the hand-written kernel)", transpose::SIDE);
    row("  tiles of 16x16 / rows", transpose::tiles, transpose::rows);
    row("  tiles of 16x16 / by hand", transpose::tiles, transpose::tiles_by_hand);

    let side = product::SIDE;
    let mut data: product::Product = product::Product::new(&mut Random::new(1), [side; 3]);
    let mut row = |name: &str, version: product::Version, beside: product::Version| {
        let (time, ratio) = compare(7, &mut data, |data| data.run(version), |data| data.run(beside));
        println!("{name:44} {:12.2} {ratio}", time / 1e3);
    };
    println!("product of {side}x{side} floats (LEGO: 1.0 beside Triton, 0.5 beside cuBLAS from MLIR)");
    row("  rows / formula", product::rows, product::formula);
    row("  panels / rows", product::panels, product::rows);
    row("  panels / by hand", product::panels, product::panels_by_hand);
    row("  registers / panels", product::registers, product::panels);
    row("  registers / matrixmultiply", product::registers, by_matrixmultiply);
    row("  registers / gemm", product::registers, by_gemm);
    let mut data: product::Product<i8, i32> = product::Product::new(&mut Random::new(1), [side; 3]);
    let (time, ratio) =
        compare(9, &mut data, |data| data.run(product::integers), |data| data.run(product::integers_by_hand));
    println!("{:44} {:12.2} {ratio}", "  registers of bytes in 32 bits / by hand", time / 1e3);
    let n = triangle::SIDE;
    let mut data = triangle::Triangle::new(&mut Random::new(1), n);
    let mut row = |name: &str, version: triangle::Version, beside: triangle::Version| {
        let (time, ratio) = compare(15, &mut data, |data| data.run(version), |data| data.run(beside));
        println!("{name:44} {:12.2} {ratio}", time / 1e3);
    };
    println!("products of {n}x{n} floats, the first matrix a triangle or a band");
    row("  triangle in tiles / rows", triangle::lower_in_tiles, triangle::lower);
    row("  triangle in tiles / by hand", triangle::lower_in_tiles, triangle::lower_by_hand);
    row("  triangle in registers / tiles by hand", triangle::lower_in_registers, triangle::lower_by_hand);
    row("  band in tiles / rows", triangle::band_in_tiles, triangle::band);
    row("  band in tiles / by hand", triangle::band_in_tiles, triangle::band_by_hand);
    packed_triangles();
    other_shapes();
    layouts();
    in_modes();
    in_copies();
    on_threads(&cores);
}

/// Triangles without padding.
fn packed_triangles() {
    println!(
        "product of a triangle of integers with a vector (position-dependent arrays: 2.0 to 2.3 beside dense)"
    );
    for n in [1024, packed::SIDE, 2 * packed::SIDE] {
        let mut data = packed::Packed::new(&mut Random::new(1), n);
        let own = |data: &mut packed::Packed| data.run_packed(packed::packed);
        let row = |name: &str, (time, ratio): (f64, shim_benches::measure::Ratio)| {
            println!("{:44} {:12.2} {ratio}", format!("  {n}: packed / {name}"), time / 1e3);
        };
        row("square", compare(31, &mut data, own, |data| data.run_dense(packed::square)));
        row("lower half of a square", compare(31, &mut data, own, |data| data.run_dense(packed::dense)));
        row("packed by hand", compare(31, &mut data, own, |data| data.run_packed(packed::packed_by_hand)));
    }
}

/// Other shapes.
fn other_shapes() {
    let mut data = shapes::Shapes::new(&mut Random::new(1), 768, 64);
    let row = |name: &str, (time, ratio): (f64, shim_benches::measure::Ratio)| {
        println!("{name:44} {:12.2} {ratio}", time / 1e3);
    };
    println!("768 rows of a band and a triangle, 64 groups of 0 to 255 rows");
    let (own, hand) = (shapes::band, shapes::band_by_hand);
    row("  band / by hand", compare(101, &mut data, |data| data.multiply(own), |data| data.multiply(hand)));
    let (own, hand) = (shapes::factor, shapes::factor_by_hand);
    row("  Cholesky / by hand", compare(9, &mut data, |data| data.factor(own), |data| data.factor(hand)));
    let (own, hand) = (shapes::grouped, shapes::grouped_by_hand);
    let ratio = compare(15, &mut data, |data| data.multiply_groups(own), |data| data.multiply_groups(hand));
    row("  products of groups / slices", ratio);
    let (own, hand) = (shapes::segments, shapes::segments_by_hand);
    row("  sums of segments / slices", compare(101, &mut data, |data| data.add(own), |data| data.add(hand)));
}

/// Programs in lanes.
fn in_modes() {
    let n = 512;
    let edges = modes::edges(&mut Random::new(1), n);
    let mut d = edges.clone();
    let mut row = |name: &str, version: modes::Paths, beside: modes::Paths| {
        // A run over shortest paths takes as long as one over edges.
        let (time, ratio) = compare(9, &mut d, |d| version(d, n), |d| beside(d, n));
        println!("{name:44} {:12.2} {ratio}", time / 1e3);
    };
    println!("shortest paths between {n} vertices (Floyd and Warshall)");
    row("  lanes / formula", modes::paths_in_lanes, modes::paths);
    row("  lanes / rows", modes::paths_in_lanes, modes::paths_in_rows);

    let size = [480, 640];
    let a = Random::new(1).bytes(size[0] * size[1]);
    println!("stencils over {} by {} samples, clamped", size[0], size[1]);
    let mut out = vec![0; size[0] * size[1]];
    for (k, stencil, by_tap) in modes::STENCILS {
        let (time, ratio) = compare(9, &mut out, |out| stencil(&a, size, out), |out| by_tap(&a, size, out));
        println!("{:44} {:12.2} {ratio}", format!("  {k} by {k} / clamped by hand"), time / 1e3);
    }

    println!("prefix sums of {} by {} samples", size[0], size[1]);
    let mut sums = vec![0; size[0] * size[1]];
    let (lanes, rows) = (modes::prefix_in_lanes, modes::prefix_in_rows);
    let (time, ratio) = compare(51, &mut sums, |sums| lanes(&a, size, sums), |sums| rows(&a, size, sums));
    println!("{:44} {:12.2} {ratio}", "  columns in lanes / rows", time / 1e3);
}

/// Tables in private copies.
fn in_copies() {
    let size = [480, 640];
    let noise = Random::new(1).bytes(size[0] * size[1]);
    let flat: Vec<u8> = (0..noise.len()).map(|at| (at / 2048) as u8).collect();
    let mut table = vec![0; 256];
    for (what, t) in [("noise", noise), ("a flat picture", flat)] {
        println!("histogram of {} by {} samples of {what}", size[0], size[1]);
        let versions: [(&str, tables::Histogram); 2] =
            [("four tables", tables::histogram_in_copies), ("one table", tables::histogram)];
        for (name, own) in versions {
            let by_hand = tables::histogram_by_hand;
            let run = |table: &mut Vec<u32>| own(&t, size, table);
            let (time, ratio) = compare(51, &mut table, run, |table| by_hand(&t, size, table));
            println!("{:44} {:12.2} {ratio}", format!("  {name} / four by hand"), time / 1e3);
        }
    }
}

/// Programs on two threads, each on a core of its own.
fn on_threads(cores: &[core_affinity::CoreId]) {
    if cores.len() < 2 {
        return;
    }
    let pool = |threads: usize| {
        let cores = cores.to_vec();
        rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .start_handler(move |at| {
                core_affinity::set_for_current(cores[at]);
            })
            .build()
            .expect("a pool of threads")
    };
    let (two, one) = (pool(2), pool(1));
    let size = [960, 1280];
    let a = Random::new(1).bytes(size[0] * size[1]);
    let edges = modes::edges(&mut Random::new(1), 512);
    println!("two threads beside one (two processes that share nothing: see `h264_threads`)");
    let row = |name: &str, run: &(dyn Fn() + Sync)| {
        let (time, ratio) = compare(15, &mut (), |()| two.install(run), |()| one.install(run));
        println!("{name:44} {:12.2} {ratio}", time / 1e3);
    };
    row("  stencil of 11 by 11", &|| {
        modes::stencil_11_in_tasks(&a, size, &mut vec![0; size[0] * size[1]]);
    });
    row("  prefix sums", &|| modes::prefix_in_tasks(&a, size, &mut vec![0; size[0] * size[1]]));
    row("  shortest paths", &|| modes::paths_in_tasks(&mut edges.clone(), 512));
    row("  histogram", &|| tables::histogram_in_tasks(&a, size, &mut [0; 256]));
}

/// Programs under several orders of memory.
fn layouts() {
    let side = product::SIDE;
    let mut random = Random::new(1);
    println!("product of {side}x{side} floats, the second matrix in an order of memory");
    let a = memory::matrix(&mut random, [side; 2], &shim_core::Order::RowMajor);
    let matrices = memory::orders().map(|order| memory::matrix(&mut Random::new(2), [side; 2], &order));
    let mut c = vec![0.0; side * side];
    for (own, name) in
        ["column_major", "tile([64, 256])", "tile([64, 256]).inner(quads)"].into_iter().enumerate()
    {
        let run = |at: usize| {
            let (product, b) = (memory::PRODUCTS[at], &matrices[at]);
            let a = &a;
            move |c: &mut Vec<f32>| product(a, b, c, [side; 3])
        };
        let (time, ratio) = compare(7, &mut c, run(own + 1), run(0));
        println!("{:44} {:12.2} {ratio}", format!("  {name} / row_major"), time / 1e3);
    }
    let groups = 256;
    println!("{groups} products of 32x32 floats");
    let [a, b] = [0; 2].map(|_| memory::matrix(&mut random, [groups, 1024], &shim_core::Order::RowMajor));
    let mut c = vec![0.0; groups * 1024];
    let (time, ratio) = compare(
        51,
        &mut c,
        |c| memory::grouped(&a, &b, c, groups),
        |c| memory::grouped_by_hand(&a, &b, c, groups),
    );
    println!("{:44} {:12.2} {ratio}", "  in one kernel / by hand", time / 1e3);
    let extents = [128, 128, 256];
    println!("mean of seven in a volume of {extents:?} floats");
    let volume: Vec<f32> = random.bytes(extents.iter().product()).into_iter().map(f32::from).collect();
    let mut out = vec![0.0; volume.len()];
    let (time, ratio) = compare(
        21,
        &mut out,
        |out| memory::smooth_bricks(&volume, out, extents),
        |out| memory::smooth(&volume, out, extents),
    );
    println!("{:44} {:12.2} {ratio}", "  bricks of 8x8x8 / rows", time / 1e3);
    let (time, ratio) = compare(
        21,
        &mut out,
        |out| memory::smooth_bricks(&volume, out, extents),
        |out| memory::smooth_bricks_by_hand(&volume, out, extents),
    );
    println!("{:44} {:12.2} {ratio}", "  bricks of 8x8x8 / by hand", time / 1e3);
    let (h, w) = (512, 1024);
    println!("softmax of {h} rows of {w} floats (LEGO: 1.0 beside Triton)");
    let (time, ratio) = compare(
        21,
        &mut out,
        |out| memory::softmax(&volume[..h * w], &mut out[..h * w], h, w),
        |out| memory::softmax_by_hand(&volume[..h * w], &mut out[..h * w], h, w),
    );
    println!("{:44} {:12.2} {ratio}", "  formula / by hand", time / 1e3);
}

/// `matrixmultiply`.
#[allow(unsafe_code, reason = "its functions take pointers")]
fn by_matrixmultiply(a: &[f32], b: &[f32], c: &mut [f32], [h, n, w]: [usize; 3]) {
    let (row, column) = (|extent: usize| extent as isize, 1);
    // SAFETY: the matrices are contiguous, of these extents.
    unsafe {
        matrixmultiply::sgemm(
            h,
            n,
            w,
            1.0,
            a.as_ptr(),
            row(n),
            column,
            b.as_ptr(),
            row(w),
            column,
            1.0,
            c.as_mut_ptr(),
            row(w),
            column,
        );
    }
}

/// `gemm`, which `faer` calls.
#[allow(unsafe_code, reason = "its functions take pointers")]
fn by_gemm(a: &[f32], b: &[f32], c: &mut [f32], [h, n, w]: [usize; 3]) {
    let serial = gemm::Parallelism::None;
    // SAFETY: the matrices are contiguous, of these extents.
    unsafe {
        gemm::gemm(
            h,
            w,
            n,
            c.as_mut_ptr(),
            1,
            w as isize,
            true,
            a.as_ptr(),
            1,
            n as isize,
            b.as_ptr(),
            1,
            w as isize,
            1.0,
            1.0,
            false,
            false,
            false,
            serial,
        );
    }
}
