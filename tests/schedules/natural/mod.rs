//! Fifty-three programs in the form in which a Rust author writes them first, against plain Rust.
//! `cargo bench -p shim-benches --bench natural` compares their times.

#![allow(
    clippy::cast_precision_loss,
    clippy::float_cmp,
    clippy::many_single_char_names,
    clippy::manual_midpoint
)]

mod authors;
mod cases;
mod kernels;
mod plain;
mod unseen;

use cases::{By, Case, cases};

/// Small and odd extents.
const SIZES: [[usize; 2]; 8] = [[0, 3], [1, 1], [1, 4], [2, 2], [3, 5], [6, 8], [9, 7], [13, 18]];

fn check(cases: Vec<Case>, size: impl std::fmt::Debug) {
    for mut case in cases {
        let [kernel, plain] = [By::Kernel, By::Plain].map(|by| (case.run)(by, true));
        assert!(kernel == plain, "{} at {size:?}", case.name);
    }
}

#[test]
fn programs_in_their_natural_form() {
    for scale in [0, 1, 3] {
        check(cases(scale), scale);
    }
}

#[test]
fn programs_of_authors() {
    for size in SIZES {
        check(authors::cases::pictures(size), size);
        check(authors::cases::channels(size, [3, 2]), size);
    }
    for n in [0, 1, 2, 5, 9, 17, 40] {
        check(authors::cases::matrices(n), n);
        check(authors::cases::sequences(n), n);
    }
}

#[test]
fn programs_that_were_not_seen() {
    for size in [[2, 2], [3, 5], [6, 8], [9, 7], [13, 70]] {
        check(unseen::cases::cases(size), size);
    }
}

/// The digest of `abc` in FIPS 180-4.
#[test]
fn digests() {
    let mut message = [0; 64];
    message[..4].copy_from_slice(b"abc\x80");
    message[63] = 24;
    let mut state = [
        0x6a09_e667,
        0xbb67_ae85,
        0x3c6e_f372,
        0xa54f_f53a,
        0x510e_527f,
        0x9b05_688c,
        0x1f83_d9ab,
        0x5be0_cd19,
    ];
    authors::signals::digest(&message, &mut state);
    let digest = [
        0xba78_16bf,
        0x8f01_cfea,
        0x4141_40de,
        0x5dae_2223,
        0xb003_61a3,
        0x9617_7a9c,
        0xb410_ff61,
        0xf200_15ad,
    ];
    assert_eq!(state, digest);
}
