//! The runtime library is the compiler's oracle: one algebra over two integers, with the same answers.
//!
//! The same comparison as in the fuzz target `chains`, over random bytes. `PROPTEST_CASES` sets how many.

use arbitrary::Unstructured;
use proptest::prelude::*;

use crate::common::chains;

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn symbols_land_where_numbers_do(bytes in prop::collection::vec(any::<u8>(), 64..640)) {
        // Running out of bytes is no error: what is missing counts as zeros.
        let _ = chains::compare(&mut Unstructured::new(&bytes));
    }
}

/// The generator must not lose its power unnoticed.
#[test]
fn chains_reach_far() {
    let mut all = [0; 2];
    for seed in 0..64_u64 {
        let bytes: Vec<u8> =
            (0..512_u64).map(|i| (i * i * (2 * seed + 7) + seed * 131 + i / 3) as u8).collect();
        let found = chains::compare(&mut Unstructured::new(&bytes)).unwrap_or_default();
        all = [all[0] + found[0], all[1] + found[1]];
    }
    assert!(all[0] > 1000 && all[1] > 50, "{all:?} coordinates and offsets");
}

/// A coverage of a coverage across a coarsened and a finer block: more operations than were once remembered as written.
#[test]
fn long_ways_cost_no_more_than_their_parts() {
    let bytes = [
        8, 10, 212, 160, 36, 212, 190, 255, 255, 251, 88, 46, 255, 223, 255, 255, 255, 251, 88, 46, 212, 190,
        160, 88, 1, 57, 122, 88, 255, 46, 20, 192, 122, 255, 46, 223, 255, 251, 88, 255, 255, 255, 255, 255,
        223, 255, 255, 255, 255, 22, 1, 219,
    ];
    assert!(chains::compare(&mut Unstructured::new(&bytes)).is_ok());
}
