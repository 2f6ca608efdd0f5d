//! Files are the same, byte for byte, for any number of threads.

#![cfg(feature = "rayon")]

use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;

use crate::common::Picture;
use rayon::prelude::*;
use shim_jpeg::{Encoder, Error, Image, Pixels, Predictor, Process, Restart, Subsampling};

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
                    encoder.clone().libjpeg_compatible(true),
                    encoder.clone().optimized(true),
                    encoder.process(Process::Progressive),
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
fn lossless_files_by_every_number_of_threads() {
    let cat = Picture::media("chelsea.png");
    let small = [(200, 300), (33, 170), (7, 1), (9, 17)].map(|(width, height)| cat.part(0, 0, width, height));
    for picture in small.iter().chain([&cat]) {
        let image = picture.image();
        let planes: Vec<Vec<u8>> =
            (0..3).map(|c| picture.samples[c..].iter().step_by(3).copied().collect()).collect();
        let planes = [&planes[0][..], &planes[1], &planes[2]];
        let planar = Image::rgb_planes(planes, picture.width, picture.height).unwrap();
        for predictor in [Predictor::Left, Predictor::Plane, Predictor::Average] {
            for restart in [Restart::Never, Restart::Rows(1), Restart::Rows(12)] {
                let encoder = Encoder::new()
                    .process(Process::Lossless { predictor, point_transform: 1 })
                    .restart(restart);
                for encoder in [encoder.clone(), encoder.optimized(false)] {
                    let one = encoder.encode(&image).unwrap();
                    for threads in [0, 2, 5] {
                        let encoder = encoder.clone().threads(threads);
                        assert!(encoder.encode(&image).unwrap() == one, "{threads} threads, {encoder:?}");
                        assert!(encoder.encode(&planar).unwrap() == one, "planes, {threads}, {encoder:?}");
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
    let mut strips = encoder.threads(2).strips(Pixels::Rgb, cat.width, cat.height, Vec::new()).unwrap();
    for strip in cat.samples.chunks(3 * cat.width * 37) {
        strips.push(&Image::rgb(strip, cat.width, strip.len() / cat.width / 3).unwrap()).unwrap();
    }
    assert_eq!(strips.finish().unwrap(), whole);
}

/// In a pool whose threads all encode, those that an image asks for may never come: none may wait for another.
#[test]
fn many_images_in_one_pool() {
    let cat = Picture::media("chelsea.png");
    let own = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    for encoder in [Encoder::new(), Encoder::new().process(Process::Progressive)] {
        let wanted = encoder.encode(&cat.image()).unwrap();
        let encoder = encoder.threads(0);
        let files: Vec<Vec<u8>> =
            own.install(|| (0..24).into_par_iter().map(|_| encoder.encode(&cat.image()).unwrap()).collect());
        assert!(files.iter().all(|file| *file == wanted));
    }
}

/// Copies of an encoder share its threads, from whatever thread they are asked.
#[test]
fn one_encoder_for_several_threads() {
    let cat = Picture::media("chelsea.png");
    let wanted = Encoder::new().quality(70).encode(&cat.image()).unwrap();
    let encoder = Encoder::new().threads(3);
    thread::scope(|scope| {
        for _ in 0..4 {
            let encoder = encoder.clone().quality(70);
            scope.spawn(|| {
                let encoder = encoder;
                for _ in 0..5 {
                    assert!(encoder.encode(&cat.image()).unwrap() == wanted);
                }
            });
        }
    });
}

/// A writer that takes so many bytes.
struct Small(usize);

impl Write for Small {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 = self.0.checked_sub(bytes.len()).ok_or(io::ErrorKind::StorageFull)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_writer_that_fails_stops_all_threads() {
    let cat = Picture::media("chelsea.png");
    for encoder in
        [Encoder::new(), Encoder::new().optimized(true), Encoder::new().process(Process::Progressive)]
    {
        let encoder = encoder.threads(2);
        for bytes in [0, 1000, 5000] {
            let refused = encoder.encode_to(&cat.image(), Small(bytes));
            assert!(matches!(refused, Err(Error::Io(error)) if error.kind() == io::ErrorKind::StorageFull));
        }
    }
}

#[test]
fn a_panic_of_the_caller_ends_the_encoding_and_not_the_encoder() {
    let cat = Picture::media("chelsea.png");
    let encoder = Encoder::new().threads(2);
    let ended = catch_unwind(AssertUnwindSafe(|| {
        encoder.encode_with_progress(&cat.image(), io::sink(), |done, _| assert!(done < 100))
    }));
    assert!(ended.is_err());
    assert_eq!(encoder.encode(&cat.image()).unwrap(), Encoder::new().encode(&cat.image()).unwrap());
}
