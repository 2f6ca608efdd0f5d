//! Streams are what they were: a change that makes encoding faster, or code clearer, leaves every byte and every sample
//! alone.
//!
//! The hashes are recorded in `reference/unchanged.tsv`. After a change that is meant to alter streams:
//!
//! ```text
//! cargo test -p shim-h264 --test it -- --ignored unchanged::record
//! ```

mod streams;

use std::fmt::Write;
use std::fs;
use std::path::Path;

use shim_h264::Config;
use streams::{Case, cases, recorded};

/// The lines of the record, made by as many threads as there are cores.
fn lines() -> Vec<String> {
    let cases = cases();
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let share = |first: usize| cases.iter().skip(first).step_by(threads).map(line).collect::<Vec<_>>();
    std::thread::scope(|scope| {
        let shares: Vec<_> = (0..threads).map(|first| scope.spawn(move || share(first))).collect();
        let mut shares: Vec<_> = shares
            .into_iter()
            .map(|share| share.join().expect("its streams are coded").into_iter())
            .collect();
        (0..cases.len()).filter_map(|number| shares[number % threads].next()).collect()
    })
}

/// The line of the record for a case, whose stream is the same for any number of threads.
fn line(case: &Case) -> String {
    let hashes = |threads: usize| {
        let mut config = case.config.clone();
        set_threads(&mut config, threads);
        case.hashes(config)
    };
    let one = hashes(1);
    if cfg!(feature = "rayon") && case.config.slices > 1 {
        assert_eq!(hashes(3), one, "{}: three threads", case.name);
    }
    case.line(one)
}

#[cfg(feature = "rayon")]
fn set_threads(config: &mut Config, threads: usize) {
    config.threads = threads;
}

#[cfg(not(feature = "rayon"))]
fn set_threads(_config: &mut Config, _threads: usize) {}

#[test]
fn streams_are_those_recorded() {
    let recorded = recorded();
    let now = lines();
    let differ: Vec<_> = now.iter().filter(|line| !recorded.contains(&&line[..])).collect();
    assert!(differ.is_empty(), "{} of {} streams differ: {differ:#?}", differ.len(), now.len());
    assert_eq!(now, recorded);
}

#[test]
#[ignore = "writes the record"]
fn record() {
    let mut record = String::from(
        "# Case, clip, FNV-1a of the stream and of the reconstructed pictures. Written by:\n\
         # cargo test -p shim-h264 --test it -- --ignored unchanged::record\n",
    );
    for line in lines() {
        writeln!(record, "{line}").unwrap();
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/reference/unchanged.tsv");
    fs::write(path, record).unwrap();
}
