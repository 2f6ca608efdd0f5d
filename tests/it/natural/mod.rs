//! Eighteen programs in their most natural form against plain Rust. `cargo bench -p shim-benches --bench natural`
//! compares the times.

mod cases;
mod kernels;
mod plain;

use cases::{By, cases};

#[test]
fn programs_in_their_natural_form() {
    for scale in [0, 1, 3] {
        for mut case in cases(scale) {
            let [kernel, plain] = [By::Kernel, By::Plain].map(|by| (case.run)(by, true));
            assert!(kernel == plain, "{} at scale {scale}", case.name);
        }
    }
}
