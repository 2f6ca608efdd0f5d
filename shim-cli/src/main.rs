//! The command `shim`: image files to JPEG by the encoder of [`shim_jpeg`], video to H.264 by that of [`shim_h264`], and the
//! expansions of kernels to files.
//!
//! Exit codes: 0 when the work is done, 1 when a file could not be read to its end, encoded or written, 2 when the
//! command line or a setting is wrong. Results go to stdout; progress, warnings and errors go to stderr.

#![forbid(unsafe_code)]

mod args;
mod compare;
mod expand;
mod extension;
mod failure;
mod h264;
mod identity;
mod jobs;
mod jpeg;
mod output;
#[cfg(feature = "plot")]
mod plot;
mod progress;
mod report;
mod scan_script;
mod settings;
mod signals;
mod standard;
mod stats;
mod table;
mod table_file;

use std::process::ExitCode;

use clap::Parser;

use crate::args::{Args, Command};

fn main() -> ExitCode {
    // A wrong command line ends here, with clap's message and exit code 2.
    if let Some((name, message)) = args::foreign_option(&std::env::args_os().collect::<Vec<_>>()) {
        args::wrong(name, &message);
    }
    let Args { command } = Args::parse();
    let result = match command {
        Command::Jpeg(mut arguments) => {
            arguments.files.settle();
            jpeg::run(&arguments)
        }
        Command::H264(arguments) => h264::run(&arguments),
        Command::Expand(arguments) => {
            return match expand::run(&arguments) {
                Ok(()) => ExitCode::SUCCESS,
                Err(error) => {
                    eprintln!("error: {error}");
                    ExitCode::from(failure::FAILED)
                }
            };
        }
    };
    match result {
        Ok(all) => all,
        Err(failure) => {
            eprintln!("error: {}", failure.message());
            ExitCode::from(failure.code())
        }
    }
}
