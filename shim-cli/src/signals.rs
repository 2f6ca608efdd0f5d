//! Handling of SIGINT, SIGTERM and SIGHUP.

use std::path::Path;

use crate::failure::{Failure, Reason};

/// The reaction to the first signal. At the second the process ends at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AtSignal {
    /// Nothing is left of files that are not complete.
    Abandon,
    /// The file is completed with what is encoded so far.
    Finish,
}

/// Has signals do what the policy says.
pub(crate) fn watch(policy: AtSignal) -> Result<(), Failure> {
    imp::watch(policy).map_err(|error| Failure::input(Path::new("signals"), Reason::Signals(error)))
}

/// The name of the signal that has come, if the work is to be finished.
pub(crate) fn interrupted() -> Option<&'static str> {
    imp::interrupted().map(name)
}

/// Ends the process as the signal would have.
pub(crate) fn end_by_signal() -> ! {
    imp::end()
}

pub(crate) use imp::Input;

fn name(signal: i32) -> &'static str {
    match signal {
        1 => "SIGHUP",
        2 => "SIGINT",
        15 => "SIGTERM",
        _ => "a signal",
    }
}

#[cfg(unix)]
mod imp {
    use std::fs::{self, File};
    use std::io::{self, IsTerminal, PipeReader, Read};
    use std::os::fd::AsFd;
    use std::path::Path;
    use std::process;
    use std::sync::OnceLock;
    use std::sync::atomic::{AtomicI32, Ordering};
    use std::thread;

    use rustix::event::{PollFd, PollFlags, poll};
    use rustix::io::Errno;
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;
    use signal_hook::low_level::emulate_default_handler;

    use super::{AtSignal, name};
    use crate::standard::is_standard;

    /// The signal that has come.
    static SIGNAL: AtomicI32 = AtomicI32::new(0);

    /// Is closed when a signal comes, for whoever waits for input.
    static WAKE: OnceLock<PipeReader> = OnceLock::new();

    pub(super) fn watch(policy: AtSignal) -> io::Result<()> {
        // What the caller has had ignored, as nohup does, stays so.
        let ignored = ignored();
        let handled = [SIGHUP, SIGINT, SIGTERM].into_iter().filter(|signal| ignored >> (signal - 1) & 1 == 0);
        let mut signals = Signals::new(handled)?;
        let (wake, alarm) = io::pipe()?;
        let _ = WAKE.set(wake);
        let mut alarm = Some(alarm);
        thread::Builder::new().name("signals".to_owned()).spawn(move || {
            for signal in signals.forever() {
                if policy == AtSignal::Finish
                    && let Some(alarm) = alarm.take()
                {
                    SIGNAL.store(signal, Ordering::SeqCst);
                    drop(alarm);
                    continue;
                }
                shim_files::remove_all();
                let clear = if io::stderr().is_terminal() { "\r\x1b[K" } else { "" };
                eprintln!("{clear}error: interrupted by {}: unfinished files are not kept", name(signal));
                end_by(signal);
            }
        })?;
        Ok(())
    }

    pub(super) fn interrupted() -> Option<i32> {
        Some(SIGNAL.load(Ordering::SeqCst)).filter(|&signal| signal != 0)
    }

    pub(super) fn end() -> ! {
        end_by(SIGNAL.load(Ordering::SeqCst))
    }

    /// Ends as if nothing had handled the signal, so that a shell knows that its loop is to end, too.
    fn end_by(signal: i32) -> ! {
        let _ = emulate_default_handler(signal);
        process::exit(128 + signal)
    }

    /// The signals that are ignored, a bit each from 1 on, where the system says so.
    fn ignored() -> u64 {
        let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
        let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
    }

    /// A file or stdin that ends when a signal comes, even while it is waited for.
    #[derive(Debug)]
    pub(crate) struct Input(File);

    impl Input {
        /// Opens a file, or stdin.
        pub(crate) fn open(path: &Path) -> io::Result<Self> {
            if is_standard(path) {
                // Without the buffer of the library's, which cannot be waited for.
                return Ok(Self(File::from(io::stdin().as_fd().try_clone_to_owned()?)));
            }
            File::open(path).map(Self)
        }
    }

    impl Read for Input {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let Some(wake) = WAKE.get() else { return self.0.read(buffer) };
            let mut both = [PollFd::new(&self.0, PollFlags::IN), PollFd::new(wake, PollFlags::IN)];
            loop {
                match poll(&mut both, None) {
                    Ok(_) => break,
                    Err(Errno::INTR) => {}
                    Err(error) => return Err(error.into()),
                }
            }
            if !both[1].revents().is_empty() {
                return Ok(0);
            }
            self.0.read(buffer)
        }
    }
}

/// Where there are no such signals, the system ends the process.
#[cfg(not(unix))]
mod imp {
    use std::fs::File;
    use std::io::{self, Read};
    use std::path::Path;
    use std::process;

    use super::AtSignal;
    use crate::standard::is_standard;

    pub(super) fn watch(_policy: AtSignal) -> io::Result<()> {
        Ok(())
    }

    pub(super) fn interrupted() -> Option<i32> {
        None
    }

    pub(super) fn end() -> ! {
        process::exit(1)
    }

    /// A file or stdin.
    #[derive(Debug)]
    pub(crate) struct Input(Option<File>);

    impl Input {
        /// Opens a file, or stdin.
        pub(crate) fn open(path: &Path) -> io::Result<Self> {
            Ok(Self(if is_standard(path) { None } else { Some(File::open(path)?) }))
        }
    }

    impl Read for Input {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            match &mut self.0 {
                Some(file) => file.read(buffer),
                None => io::stdin().read(buffer),
            }
        }
    }
}
