//! Files and streams have the same bytes on every machine.
//!
//! The tests `unchanged` of the encoders compare their corpora with the recorded hashes. So does this program, which
//! depends on no decoder, test harness or threads, and so runs wherever the encoders do: under an emulator, or in a
//! runtime of `WebAssembly`. `.ci/run` has the commands for aarch64 and wasm32.

#[path = "../../../shim-h264/tests/clips/mod.rs"]
mod clips;
#[path = "../../../shim-h264/tests/common/samples.rs"]
mod common;
#[path = "../../../shim-jpeg/tests/unchanged/corpus.rs"]
mod corpus;
#[path = "../../../shim-jpeg/tests/unchanged/picture.rs"]
mod picture;
#[path = "../../../shim-jpeg/tests/unchanged/record.rs"]
mod record;
#[path = "../../../shim-h264/tests/it/unchanged/streams.rs"]
mod streams;

use std::process::ExitCode;

fn main() -> ExitCode {
    let files: Vec<_> = corpus::cases().iter().map(corpus::Case::line).collect();
    let files = are_same("files", &record::recorded(), &files);
    let line = |case: &streams::Case| case.line(case.hashes(case.config.clone()));
    let streams: Vec<_> = streams::cases().iter().map(line).collect();
    let streams = are_same("streams", &streams::recorded(), &streams);
    if files && streams { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Prints the lines that differ from those of the record, and how many do.
fn are_same(what: &str, recorded: &[&str], now: &[String]) -> bool {
    let differ: Vec<_> = now.iter().zip(recorded).filter(|(now, recorded)| now != recorded).collect();
    for (now, recorded) in &differ {
        println!("{now}, recorded: {recorded}");
    }
    println!("{} of {} {what} differ", differ.len(), now.len());
    differ.is_empty() && now.len() == recorded.len()
}
