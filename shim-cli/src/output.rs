//! Outputs whose errors name the file.

use std::io;

use shim_files::{Output, Target};

use crate::failure::{Failure, Reason};

/// A target whose errors are failures of the command.
pub(crate) trait Named {
    /// Says beforehand what cannot be written.
    fn checked(&self) -> Result<(), Failure>;

    /// Begins the file.
    fn opened(&self) -> Result<Output, Failure>;

    /// Writes the file.
    fn written(&self, bytes: &[u8]) -> Result<(), Failure>;

    /// Ends the file.
    fn finished(&self, output: Output) -> Result<(), Failure>;

    fn failure(&self, error: io::Error) -> Failure;
}

impl Named for Target {
    fn checked(&self) -> Result<(), Failure> {
        self.check().map_err(|error| self.failure(error))
    }

    fn opened(&self) -> Result<Output, Failure> {
        self.open().map_err(|error| self.failure(error))
    }

    fn written(&self, bytes: &[u8]) -> Result<(), Failure> {
        self.write(bytes).map_err(|error| self.failure(error))
    }

    fn finished(&self, output: Output) -> Result<(), Failure> {
        output.finish(self).map_err(|error| self.failure(error))
    }

    fn failure(&self, error: io::Error) -> Failure {
        let there = error.kind() == io::ErrorKind::AlreadyExists && !self.replace;
        Failure::output(&self.path, if there { Reason::Exists } else { Reason::Write(error) })
    }
}
