//! The command `shim`: image files to JPEG by the encoder of [`shim_jpeg`].
//!
//! Exit codes: 0 when the work is done, 1 when a file could not be read, encoded or written, 2 when the command
//! line was wrong. Results go to stdout; progress and errors go to stderr.

#![forbid(unsafe_code)]

mod args;
mod failure;
mod jpeg;
mod jpeg_file;
mod output;
mod picture;
mod progress;

use std::process::ExitCode;

use clap::Parser;

use crate::args::{Args, Command};

fn main() -> ExitCode {
    // A wrong command line ends here, with clap's message and exit code 2.
    let Args { command } = Args::parse();
    let result = match command {
        Command::Jpeg(arguments) => jpeg::run(&arguments),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("error: {failure}");
            ExitCode::FAILURE
        }
    }
}
