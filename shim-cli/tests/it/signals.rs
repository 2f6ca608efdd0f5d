//! Signals at any time: no temporary file is left, no source is touched, and an output is whole or not there.
#![cfg(unix)]

use std::fs;
use std::io::Write;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, SystemTime};

use rustix::process::{Pid, Signal, kill_process};

use crate::common::{Folder, media};

const ALL: [Signal; 4] = [Signal::INT, Signal::TERM, Signal::HUP, Signal::KILL];

/// Times that differ from run to run.
struct Moments(u64);

impl Moments {
    fn new() -> Self {
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap();
        Self(now.as_nanos() as u64 | 1)
    }

    /// Up to so many milliseconds.
    fn next(&mut self, most: u64) -> Duration {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        Duration::from_micros(self.0 % (1000 * most))
    }
}

/// Frames that move.
fn y4m(width: usize, height: usize, frames: usize) -> Vec<u8> {
    let mut file = format!("YUV4MPEG2 W{width} H{height} F25:1 Ip C420jpeg\n").into_bytes();
    for n in 0..frames {
        file.extend(b"FRAME\n");
        file.extend((0..width * height * 3 / 2).map(|i| (i * i / 7 + 5 * n) as u8));
    }
    file
}

/// Whether this process, and so those that it starts, ignores a signal, as the background jobs of a script do.
fn is_ignored(signal: Signal) -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
    ignored >> (signal.as_raw() - 1) & 1 == 1
}

/// A signal before the first frame is not taken for the end of the input.
#[test]
fn a_signal_while_the_header_is_awaited() {
    let folder = Folder::new();
    let output = folder.path("out.264");
    for signal in [Signal::TERM, Signal::INT].into_iter().filter(|signal| !is_ignored(*signal)) {
        let mut child = shim()
            .args(["h264".as_ref(), "-".as_ref(), output.as_os_str()])
            .stdin(Stdio::piped())
            .spawn()
            .unwrap();
        thread::sleep(Duration::from_millis(300));
        kill_process(Pid::from_child(&child), signal).unwrap();
        let held = child.stdin.take();
        let ended = child.wait_with_output().unwrap();
        drop(held);
        let said = String::from_utf8_lossy(&ended.stderr).into_owned();
        assert!(said.contains("interrupted by"), "{said}");
        assert_eq!(ended.status.signal(), Some(signal.as_raw()), "{said}");
    }
    assert_eq!(folder.names(), [""; 0]);
}

/// With --fragment, what was written stays, also after SIGKILL; without it, nothing does.
#[test]
fn a_growing_video_survives() {
    let folder = Folder::new();
    let frames = y4m(64, 48, 200);
    let head = &frames[..frames.len() * 3 / 4];
    for (name, fragment) in [("grows.mp4", true), ("grows.264", true), ("whole.mp4", false)] {
        let output = folder.path(name);
        let mut command = shim();
        command.args(["h264".as_ref(), "-".as_ref(), output.as_os_str()]).args(["--keyint", "20"]);
        command.args(fragment.then_some("--fragment")).stdin(Stdio::piped());
        let mut child = command.spawn().unwrap();
        child.stdin.as_mut().unwrap().write_all(head).unwrap();
        let grown = || fs::metadata(&output).is_ok_and(|about| about.len() > 4000);
        for _ in 0..200 {
            if grown() || !fragment {
                break;
            }
            thread::sleep(Duration::from_millis(50));
        }
        assert_eq!(grown(), fragment, "{name}");
        kill_process(Pid::from_child(&child), Signal::KILL).unwrap();
        drop(child.wait_with_output().unwrap());
        assert_eq!(output.exists(), fragment, "{name}");
        if name == "grows.mp4" {
            let file = fs::read(&output).unwrap();
            let count = |kind: &[u8]| file.windows(4).filter(|window| *window == kind).count();
            assert!(count(b"moov") == 1 && count(b"moof") >= 1 && count(b"mdat") >= 1);
        }
    }
}

fn shim() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_shim"));
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn send(child: &Child, signal: Signal) {
    kill_process(Pid::from_child(child), signal).unwrap();
}

/// The end of a process: its status and what it said.
fn end(child: Child) -> (ExitStatus, String) {
    let output = child.wait_with_output().unwrap();
    (output.status, String::from_utf8(output.stderr).unwrap())
}

fn left(folder: &Folder) -> Vec<String> {
    folder.names().into_iter().filter(|name| name.starts_with(".shim-")).collect()
}

/// That a file has all its boxes, and `mdat` and `moov` among them.
fn is_whole_mp4(path: &Path) {
    let file = fs::read(path).unwrap();
    let (mut at, mut kinds) = (0, Vec::new());
    while at < file.len() {
        let short = u32::from_be_bytes(file[at..at + 4].try_into().unwrap()) as usize;
        kinds.push(file[at + 4..at + 8].to_vec());
        at += match short {
            1 => u64::from_be_bytes(file[at + 8..at + 16].try_into().unwrap()) as usize,
            length => length,
        };
    }
    assert_eq!(at, file.len());
    assert!(kinds.contains(&b"moov".to_vec()) && kinds.contains(&b"mdat".to_vec()));
}

#[test]
fn video() {
    let mut moments = Moments::new();
    let contents = y4m(96, 80, 60);
    for (round, signal) in ALL.into_iter().cycle().take(8).enumerate() {
        let folder = Folder::new();
        let (input, output) = (folder.with("in.y4m", &contents), folder.path("out.mp4"));
        let mut command = shim();
        command.arg("h264").args([&input, &output]).args(["--preset", "ultrafast"]);
        command.arg("--recon").arg(folder.path("recon.yuv")).arg("--trace").arg(folder.path("trace.txt"));
        if round % 3 == 2 {
            fs::write(&output, b"of before").unwrap();
        }
        // Named files are what other systems have; nothing can remove them after SIGKILL but the next run.
        if round % 2 == 1 && signal != Signal::KILL {
            command.env("SHIM_NAMED_TEMPORARY_FILES", "1");
        }
        let child = command.spawn().unwrap();
        thread::sleep(moments.next(600));
        send(&child, signal);
        let (status, said) = end(child);
        assert_eq!(left(&folder), [""; 0], "{signal:?}: {said}");
        assert!(fs::read(&input).unwrap() == contents, "{signal:?}");
        if output.exists() && fs::read(&output).unwrap() != b"of before" {
            is_whole_mp4(&output);
        }
        if status.success() || signal == Signal::KILL {
            continue;
        }
        // Before it has begun to handle signals, it says nothing.
        assert_eq!(status.signal(), Some(signal.as_raw()), "{said}");
        if said.contains("is complete") {
            is_whole_mp4(&output);
            assert!(folder.path("recon.yuv").exists() && folder.path("trace.txt").exists());
        } else {
            assert!(said.is_empty() || said.contains("nothing was written"), "{said}");
        }
    }
}

#[test]
fn images() {
    let mut moments = Moments::new();
    let image = fs::read(media("chelsea_227x149.png")).unwrap();
    for (round, signal) in ALL.into_iter().cycle().take(8).enumerate() {
        let folder = Folder::new();
        fs::create_dir_all(folder.path("in")).unwrap();
        fs::create_dir_all(folder.path("out")).unwrap();
        for n in 0..20 {
            folder.with(&format!("in/{n}.png"), &image);
        }
        let mut command = shim();
        command.arg("jpeg").arg(folder.path("in")).arg("-o").arg(folder.path("out"));
        command.args(["--trellis", "--progressive", "--force"]);
        if round % 3 == 2 {
            (0..20).for_each(|n| drop(folder.with(&format!("out/{n}.jpg"), b"of before")));
        }
        if round % 2 == 1 && signal != Signal::KILL {
            command.env("SHIM_NAMED_TEMPORARY_FILES", "1");
        }
        let child = command.spawn().unwrap();
        thread::sleep(moments.next(600));
        send(&child, signal);
        let (status, said) = end(child);
        assert!((0..20).all(|n| fs::read(folder.path(&format!("in/{n}.png"))).unwrap() == image));
        for entry in fs::read_dir(folder.path("out")).unwrap() {
            let path = entry.unwrap().path();
            assert!(path.extension().is_some_and(|extension| extension == "jpg"), "{path:?}: {said}");
            let file = fs::read(path).unwrap();
            assert!(file == b"of before" || file.ends_with(&[0xff, 0xd9]));
        }
        if !status.success() && signal != Signal::KILL {
            assert_eq!(status.signal(), Some(signal.as_raw()), "{said}");
            assert!(said.is_empty() || said.contains("interrupted by SIG"), "{said}");
        }
    }
}

/// Waits until a file is there, or the process has said something.
fn soon(mut happened: impl FnMut() -> bool) {
    for _ in 0..1000 {
        if happened() {
            return;
        }
        thread::sleep(Duration::from_millis(20));
    }
    panic!("it has not happened");
}

/// A signal that comes while input is waited for ends the wait.
#[test]
fn input_that_does_not_come() {
    for name in ["out.mp4", "out.264"] {
        let folder = Folder::new();
        let (output, trace) = (folder.path(name), folder.path("trace"));
        // A pipe is written to at once, and so tells that a frame was encoded; with a look-ahead it would not be yet.
        rustix_fifo(&trace);
        let mut child = shim();
        child
            .args(["h264", "-", "--lookahead", "0"])
            .arg(&output)
            .arg("--trace")
            .arg(&trace)
            .stdin(Stdio::piped());
        let mut child = child.spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let (send_rest, wait) = std::sync::mpsc::channel::<()>();
        let feeder = thread::spawn(move || {
            let contents = y4m(32, 32, 3);
            // The pipe stays open, with less than a frame in it.
            let _ = stdin.write_all(&contents[..contents.len() - 700]);
            let _ = wait.recv();
        });
        let mut traced = fs::File::open(&trace).unwrap();
        let mut text = String::new();
        let mut buffer = [0; 4096];
        while text.matches("first_mb_in_slice").count() < 2 {
            let length = std::io::Read::read(&mut traced, &mut buffer).unwrap();
            assert_ne!(length, 0, "the command ended: {text}");
            text.push_str(&String::from_utf8_lossy(&buffer[..length]));
        }
        let rest = thread::spawn(move || std::io::copy(&mut traced, &mut std::io::sink()));
        send(&child, Signal::TERM);
        let (status, said) = end(child);
        drop(rest.join().unwrap());
        assert_eq!(status.signal(), Some(Signal::TERM.as_raw()));
        let wanted =
            format!("warning: interrupted by SIGTERM after 2 frames: {} is complete", output.display());
        assert!(said.contains(&wanted), "{said}");
        assert!(output.exists());
        drop(send_rest);
        feeder.join().unwrap();
    }
}

fn rustix_fifo(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

/// What nohup does.
#[cfg(target_os = "linux")]
#[test]
fn a_signal_that_the_caller_has_ignored_stays_ignored() {
    let folder = Folder::new();
    let output = folder.path("out.264");
    let mut child = Command::new("sh");
    child.args(["-c", "trap '' HUP; exec \"$@\"", "sh", env!("CARGO_BIN_EXE_shim"), "h264", "-"]);
    child.arg(&output).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = child.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let contents = y4m(32, 32, 3);
    stdin.write_all(&contents[..2000]).unwrap();
    // The shell has become the command.
    soon(|| fs::read_to_string(format!("/proc/{}/comm", child.id())).is_ok_and(|name| name == "shim\n"));
    send(&child, Signal::HUP);
    thread::sleep(Duration::from_millis(100));
    stdin.write_all(&contents[2000..]).unwrap();
    drop(stdin);
    let (status, said) = end(child);
    assert!(status.success() && said.is_empty(), "{said}");
}

/// What SIGKILL leaves where files cannot be without a name, the next run removes.
#[test]
fn the_next_run_removes_what_is_left() {
    let folder = Folder::new();
    let input = folder.with("in.y4m", &y4m(32, 32, 2));
    let mut child = shim();
    child.args(["h264", "-"]).arg(folder.path("out.264")).stdin(Stdio::piped());
    let mut child = child.env("SHIM_NAMED_TEMPORARY_FILES", "1").spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(&y4m(32, 32, 1)).unwrap();
    soon(|| !left(&folder).is_empty());
    let run = || {
        for name in left(&folder) {
            let file = fs::File::options().write(true).open(folder.path(&name)).unwrap();
            file.set_modified(SystemTime::now() - Duration::from_mins(1)).unwrap();
        }
        let mut command = shim();
        command.env("SHIM_NAMED_TEMPORARY_FILES", "1").arg("h264").arg(&input).arg(folder.path("other.264"));
        assert!(command.status().unwrap().success());
    };
    run();
    assert_eq!(left(&folder).len(), 1, "it is in use");
    send(&child, Signal::KILL);
    end(child);
    assert_eq!(left(&folder).len(), 1);
    run();
    assert_eq!(folder.names(), ["in.y4m", "other.264"]);
}
