//! Prints the times of operations of the Mathematics of Arrays over those of loops that are fused by hand.
//!
//! `cargo bench -p shim-benches --bench algebra`

use shim_benches::algebra::{self, Data, ELEMENTS, SIDE};
use shim_benches::case::Random;
use shim_benches::measure::compare;
use shim_benches::papers::product;
use shim_pipelines::masks;

/// An operation of floats.
type Version = fn(&[f32], &mut [f32]);

/// A filter of bytes.
type Filter = fn(&[u8], [usize; 2], &mut [u8]);

/// Interleaved pairs per row.
const PAIRS: usize = 61;

fn main() {
    if let Some(core) = core_affinity::get_core_ids().unwrap_or_default().last() {
        core_affinity::set_for_current(*core);
    }
    println!("{:36} {:>12} {:^20}", "", "microseconds", "over by hand");
    println!("{:36} {:>12} {:>6} {:>6} {:>6}", "operation", "by hand", "median", "10 %", "90 %");
    let mut data = Data::new();
    let mut row = |name: &str, hand: fn(&mut Data), own: fn(&mut Data)| {
        let (time, ratio) = compare(PAIRS, &mut data, hand, own);
        println!("{name:36} {:12.2} {ratio}", time / 1e3);
    };
    row(
        "ten operations",
        |data| algebra::ten_by_hand(&data.a, &data.b, SIDE, &mut data.out),
        |data| algebra::ten(&data.a, &data.b, SIDE, &mut data.out),
    );
    row(
        "cat",
        |data| algebra::catenated_by_hand(&data.a, &data.b, SIDE, &mut data.out),
        |data| algebra::catenated(&data.a, &data.b, SIDE, &mut data.out),
    );
    row(
        "rotate",
        |data| algebra::rotated_by_hand(&data.a, SIDE, 317, &mut data.out),
        |data| algebra::rotated(&data.a, SIDE, 317, &mut data.out),
    );
    row(
        "reduce + along axis 0",
        |data| algebra::sums_by_hand(&data.floats, SIDE, &mut data.sums),
        |data| algebra::sums_of_columns(&data.floats, SIDE, &mut data.sums),
    );
    row(
        "reduce max along axis 0",
        |data| algebra::greatest_by_hand(&data.floats, SIDE, &mut data.sums),
        |data| algebra::greatest_of_columns(&data.floats, SIDE, &mut data.sums),
    );
    row(
        "scan + along axis 0",
        |data| algebra::running_by_hand(&data.floats, SIDE, &mut data.sums),
        |data| algebra::running_sums(&data.floats, SIDE, &mut data.sums),
    );
    row(
        "outer *",
        |data| algebra::products_by_hand(&data.floats, SIDE, &mut data.sums),
        |data| algebra::products(&data.floats, SIDE, &mut data.sums),
    );
    row(
        "compress along axis 0",
        |data| {
            let mask: [bool; SIDE] = std::array::from_fn(|k| k % 2 == 0);
            algebra::rows_by_hand(&data.floats, SIDE, &mask, &mut data.sums);
        },
        |data| {
            let mask: [bool; SIDE] = std::array::from_fn(|k| k % 2 == 0);
            algebra::rows_under_mask(&data.floats, SIDE, &mask, &mut data.sums);
        },
    );
    let side = product::SIDE;
    let mut matrices: product::Product = product::Product::new(&mut Random::new(1), [side; 3]);
    let (time, ratio) =
        compare(7, &mut matrices, |data| data.run(product::registers), |data| data.run(algebra::product));
    println!("{:36} {:12.2} {ratio}", "inner + * of 1024x1024 / registers", time / 1e3);

    println!("a pointwise operation of {ELEMENTS} floats by rank: nested over flat, library over flat");
    let versions: [(Version, Version, Version); 6] = [
        (algebra::flat_1, algebra::rank_1, algebra::library_1),
        (algebra::flat_2, algebra::rank_2, algebra::library_2),
        (algebra::flat_3, algebra::rank_3, algebra::library_3),
        (algebra::flat_4, algebra::rank_4, algebra::library_4),
        (algebra::flat_5, algebra::rank_5, algebra::library_5),
        (algebra::flat_6, algebra::rank_6, algebra::library_6),
    ];
    for (rank, (flat, nested, library)) in versions.into_iter().enumerate() {
        let (mut from, mut to) = (vec![0.5_f32; ELEMENTS], vec![0.0; ELEMENTS]);
        let mut both = (&mut from, &mut to);
        let (time, nested) = compare(PAIRS, &mut both, |(a, b)| flat(a, b), |(a, b)| nested(a, b));
        let (_, library) = compare(5, &mut both, |(a, b)| flat(a, b), |(a, b)| library(a, b));
        println!("  rank {:29} {:12.2} {nested} {:10.1}", rank + 1, time / 1e3, library.median);
    }

    println!("masks of 3x3 on {SIDE}x{SIDE} bytes, microseconds");
    let filters: [(&str, Filter); 3] =
        [("low pass", masks::low_pass), ("high pass", masks::high_pass), ("Sobel", masks::sobel_edges)];
    for (name, filter) in filters {
        let (time, _) = compare(
            15,
            &mut data,
            |data| filter(&data.a, [SIDE; 2], &mut data.out[..SIDE * SIDE]),
            |data| filter(&data.a, [SIDE; 2], &mut data.out[..SIDE * SIDE]),
        );
        println!("  {name:34} {:12.2}", time / 1e3);
    }
}
