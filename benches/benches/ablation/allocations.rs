//! Prints how often the encoder allocates through the runtime library, and staged, and how many bytes.
//!
//! `cargo bench -p shim-benches --bench allocations`. The pictures are those of `--bench ablation`.

#![expect(clippy::cast_precision_loss, reason = "counts of allocations are far below 2^52")]

use allocation_counter::{AllocationInfo, measure};
use subject::{QUALITY, SIDES, Subject};

mod subject;

fn main() {
    let alive = measure(|| drop(std::hint::black_box(vec![1_u8; 1000])));
    assert!((alive.count_total, alive.bytes_total) == (1, 1000), "allocations are not counted");
    println!("4:2:0, quality {QUALITY}, exact; allocations, their bytes, and the most bytes at a time");
    println!(
        "{:>12} {:>12} {:>14} {:>12} {:>16} {:>10} {:>18} {:>12}",
        "picture", "staged", "bytes", "most", "library", "a pixel", "bytes", "most"
    );
    for side in SIDES {
        let subject = Subject::new(side);
        let info = |encode: fn(&Subject) -> Vec<u8>| measure(|| drop(encode(&subject)));
        let AllocationInfo { count_total: staged, bytes_total, bytes_max, .. } = info(Subject::staged);
        let library = info(Subject::library);
        println!(
            "{:>12} {staged:12} {bytes_total:14} {bytes_max:12} {:16} {:10.1} {:18} {:12}",
            format!("{side}x{side}"),
            library.count_total,
            library.count_total as f64 / subject.pixels(),
            library.bytes_total,
            library.bytes_max
        );
    }
}
