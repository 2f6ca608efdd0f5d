//! Files are the same, byte for byte, for any number of threads.

#![cfg(feature = "rayon")]

mod common;

use common::Picture;
use shim_jpeg::{Encoder, Image, Pixels, Restart, Subsampling};

#[test]
fn every_mode_by_every_number_of_threads() {
    let cat = Picture::media("chelsea.png");
    let pictures = [(200, 300), (33, 170), (7, 1)].map(|(width, height)| cat.part(0, 0, width, height));
    let restarts =
        [Restart::Never, Restart::Rows(1), Restart::Rows(3), Restart::Mcus(5), Restart::Mcus(1000)];
    for picture in &pictures {
        for subsampling in [Subsampling::S420, Subsampling::S444, Subsampling::S411] {
            for restart in restarts {
                let encoder = Encoder::new().subsampling(subsampling).restart(restart);
                let processes = [
                    encoder.clone(),
                    encoder.clone().exact(true),
                    encoder.clone().optimised(true),
                    encoder.progressive(true),
                ];
                for encoder in processes {
                    let one = encoder.encode(&picture.image()).unwrap();
                    for threads in [0, 2, 5] {
                        let several = encoder.clone().threads(threads).encode(&picture.image()).unwrap();
                        assert!(one == several, "{threads} threads, {encoder:?}");
                    }
                }
            }
        }
    }
}

#[test]
fn strips_and_threads() {
    let cat = Picture::media("chelsea.png");
    let encoder = Encoder::new();
    let whole = encoder.encode(&cat.image()).unwrap();
    let mut strips = encoder.threads(2).strips(cat.width, cat.height, Pixels::Rgb, Vec::new()).unwrap();
    for strip in cat.samples.chunks(3 * cat.width * 37) {
        strips.push(&Image::rgb(strip, cat.width, strip.len() / cat.width / 3).unwrap()).unwrap();
    }
    assert_eq!(strips.finish().unwrap(), whole);
}
