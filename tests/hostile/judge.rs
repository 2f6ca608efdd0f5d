//! Compile cases in batches, set those with errors aside until the rest compiles, and run the rest in a child process.

use std::collections::BTreeMap;
use std::fmt;
use std::fmt::Write as _;
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use crate::build::{Config, Toolchain, is_crash};
use crate::case::Case;

/// Outcome of a case.
#[derive(Clone, Debug)]
pub(crate) enum Outcome {
    /// The value of its twin.
    Value(String),
    /// Another value than that of its twin, or one where the twin panics or there is none.
    Wrong { run: String, want: String },
    /// A panic with a message of shim, or any panic if the twin panics as well.
    Panic(String),
    /// Any other panic.
    OtherPanic(String),
    /// An error, from shim or from rustc.
    Reject(String),
    /// A panic of the macro, or a crash of rustc.
    Crash(String),
    /// An abort or a signal: a failed precondition of unchecked access, or a sanitizer report.
    Undefined(String),
    /// No end within [`PATIENCE`].
    Hang,
}

impl Outcome {
    /// Spelling in an expectation.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Outcome::Value(_) => "value",
            Outcome::Wrong { .. } => "wrong value",
            Outcome::Panic(_) => "panic",
            Outcome::OtherPanic(_) => "other panic",
            Outcome::Reject(_) => "reject",
            Outcome::Crash(_) => "crash",
            Outcome::Undefined(_) => "undefined behavior",
            Outcome::Hang => "hang",
        }
    }

    /// Rank among failures, the worst highest.
    pub(crate) fn severity(&self) -> u8 {
        match self {
            Outcome::Undefined(_) => 6,
            Outcome::Wrong { .. } => 5,
            Outcome::Crash(_) | Outcome::Hang => 4,
            Outcome::OtherPanic(_) => 3,
            Outcome::Value(_) | Outcome::Panic(_) => 2,
            Outcome::Reject(_) => 1,
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let short =
            |text: &str| text.lines().next().unwrap_or_default().chars().take(150).collect::<String>();
        match self {
            Outcome::Value(text)
            | Outcome::Panic(text)
            | Outcome::OtherPanic(text)
            | Outcome::Reject(text)
            | Outcome::Crash(text)
            | Outcome::Undefined(text) => write!(f, "{}: {}", self.kind(), short(text)),
            Outcome::Wrong { run, want } => write!(f, "{}: {} for {}", self.kind(), short(run), short(want)),
            Outcome::Hang => f.write_str(self.kind()),
        }
    }
}

/// Time limit of a case. The slowest generated program takes 2 s in a debug build on an idle core.
const PATIENCE: Duration = Duration::from_mins(2);

/// Cases compiled together. An error in one makes rustc start over on the others.
const BATCH: usize = 150;

/// The outcome of each case under `config`.
pub(crate) fn judge(toolchain: &Toolchain, cases: &[Case], config: &Config) -> Vec<Outcome> {
    let mut outcomes: Vec<Option<Outcome>> = vec![None; cases.len()];
    let (alone, together): (Vec<usize>, Vec<usize>) = (0..cases.len()).partition(|i| cases[*i].alone);
    let single = alone.chunks(1).map(<[usize]>::to_vec);
    let batches = together.chunks(BATCH).map(<[usize]>::to_vec).chain(single);
    for (number, members) in batches.enumerate() {
        let folder = toolchain.scratch.join(config.slug()).join(number.to_string());
        fs::create_dir_all(&folder).expect("a folder in target/");
        let batch = Batch { toolchain, cases, config, folder };
        let members = batch.compile(members, &mut outcomes);
        batch.run(&members, &mut outcomes);
    }
    let judged = outcomes.into_iter().zip(cases);
    judged
        .map(|(outcome, case)| outcome.unwrap_or_else(|| panic!("{} is not judged", case.full_name())))
        .collect()
}

struct Batch<'a> {
    toolchain: &'a Toolchain,
    cases: &'a [Case],
    config: &'a Config,
    folder: PathBuf,
}

impl Batch<'_> {
    fn program(&self) -> PathBuf {
        self.folder.join("batch")
    }

    fn file(&self, i: usize) -> PathBuf {
        self.folder.join(format!("{}.rs", self.cases[i].name))
    }

    fn is_alone(&self, members: &[usize]) -> bool {
        matches!(members, [one] if self.cases[*one].alone)
    }

    /// The root's source.
    fn root(&self, members: &[usize]) -> PathBuf {
        if self.is_alone(members) { self.file(members[0]) } else { self.folder.join("batch.rs") }
    }

    /// Writes the sources and returns the root's.
    fn write(&self, members: &[usize]) -> PathBuf {
        let alone = self.is_alone(members);
        let mut root = String::new();
        for &i in members {
            let case = &self.cases[i];
            if alone {
                let _ = write!(root, "{}{}", HEAD, case.text);
            } else {
                fs::write(self.file(i), &case.text).expect("a source");
                let _ = writeln!(root, "#[path = \"{}\"]\nmod {};", self.file(i).display(), case.name);
            }
        }
        let mut table = String::new();
        for &i in members {
            let case = &self.cases[i];
            let path = if alone { "crate".to_owned() } else { format!("crate::{}", case.name) };
            let call = |name: &str| format!("|| ::std::format!(\"{{:?}}\", {path}::{name}())");
            let want = if case.has_twin() {
                format!("::std::option::Option::Some({})", call("want"))
            } else {
                "::std::option::Option::None".to_owned()
            };
            let _ = writeln!(table, "({i}, {}, {want}),", call("run"));
        }
        let tail = MAIN.replace("TABLE", &table);
        let file = self.root(members);
        let head = if alone { "" } else { HEAD };
        fs::write(&file, format!("{head}{root}{tail}")).expect("the root");
        file
    }

    /// Sets cases with errors aside until the rest compiles, and returns the rest.
    fn compile(&self, mut members: Vec<usize>, outcomes: &mut [Option<Outcome>]) -> Vec<usize> {
        let mut retries = 0;
        while !members.is_empty() {
            let report = self.toolchain.program(&self.write(&members), &self.program(), self.config);
            if report.success {
                break;
            }
            let before = members.len();
            members.retain(|&i| match report.errors.get(&self.file(i)) {
                Some(message) => {
                    let crash = is_crash(message);
                    let outcome = if crash { Outcome::Crash } else { Outcome::Reject };
                    outcomes[i] = Some(outcome(message.clone()));
                    false
                }
                None => true,
            });
            if members.len() == before {
                // No diagnostic names a case: bisect.
                let why = report.crash.clone().unwrap_or_else(|| report.elsewhere.join("; "));
                self.isolate(&members, &why, outcomes);
                members.retain(|&i| outcomes[i].is_none());
                // A machine under load may exceed the time limit once.
                retries += usize::from(members.len() == before);
                assert!(retries < 3, "the cases fail together, and none of them alone: {why}");
            }
        }
        members
    }

    /// Bisects `members`, which fail together, down to the cases that fail alone.
    fn isolate(&self, members: &[usize], why: &str, outcomes: &mut [Option<Outcome>]) {
        if let [one] = members {
            outcomes[*one] = Some(Outcome::Crash(why.to_owned()));
            return;
        }
        for half in members.chunks(members.len().div_ceil(2)) {
            let report = self.toolchain.program(&self.write(half), &self.program(), self.config);
            let nobody = !half.iter().any(|&i| report.errors.contains_key(&self.file(i)));
            if !report.success && nobody {
                let why = report.crash.clone().unwrap_or_else(|| report.elsewhere.join("; "));
                self.isolate(half, &why, outcomes);
            }
        }
    }

    /// Runs the program, and resumes it behind each case that ends the process.
    fn run(&self, members: &[usize], outcomes: &mut [Option<Outcome>]) {
        let mut from = 0;
        while from < members.len() {
            let lines = self.run_from(members, from);
            let mut begun = None;
            let mut results: BTreeMap<usize, [Option<Result<String, String>>; 2]> = BTreeMap::new();
            for line in &lines.said {
                let mut parts = line.splitn(3, '\t');
                let (what, number, text) = (parts.next(), parts.next(), parts.next().unwrap_or_default());
                let (Some(what), Some(Ok(i))) = (what, number.map(str::parse::<usize>)) else { continue };
                let text = text.to_owned();
                let result = results.entry(i).or_default();
                match what {
                    "begin" => begun = Some(i),
                    "run-value" => result[0] = Some(Ok(text)),
                    "run-panic" => result[0] = Some(Err(text)),
                    "want-value" => result[1] = Some(Ok(text)),
                    "want-panic" => result[1] = Some(Err(text)),
                    "end" => begun = None,
                    _ => {}
                }
            }
            for (i, [run, want]) in results {
                let Some(run) = run else { continue };
                outcomes[i] = Some(compare(run, want));
            }
            if lines.success {
                break;
            }
            let Some(ended) = begun else { panic!("the batch ends between two cases: {}", lines.errors) };
            outcomes[ended] =
                Some(if lines.hang { Outcome::Hang } else { Outcome::Undefined(why(&lines.errors)) });
            from = members.iter().position(|&i| i == ended).expect("a member") + 1;
        }
    }

    fn run_from(&self, members: &[usize], from: usize) -> Lines {
        let mut command = if self.config.interpreted {
            self.toolchain.interpreter(&self.root(members), &self.folder)
        } else {
            Command::new(self.program())
        };
        let mut child = command
            .arg(from.to_string())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the batch runs");
        let (send, lines) = mpsc::channel();
        let out = child.stdout.take().expect("a pipe");
        let mut err = child.stderr.take().expect("a pipe");
        let reader = std::thread::spawn(move || {
            for line in BufReader::new(out).lines() {
                let Ok(line) = line else { break };
                if send.send(line).is_err() {
                    break;
                }
            }
        });
        let errors = std::thread::spawn(move || {
            let mut text = Vec::new();
            let _ = err.read_to_end(&mut text);
            String::from_utf8_lossy(&text).into_owned()
        });
        let mut said = Vec::new();
        let hang = loop {
            match lines.recv_timeout(PATIENCE) {
                Ok(line) => said.push(line),
                Err(mpsc::RecvTimeoutError::Disconnected) => break false,
                Err(mpsc::RecvTimeoutError::Timeout) => {
                    let _ = child.kill();
                    break true;
                }
            }
        };
        let status = child.wait().expect("a status");
        reader.join().expect("the reader");
        let errors = errors.join().expect("the reader");
        Lines { said, errors: format!("{errors}{status}"), success: status.success() && !hang, hang }
    }
}

/// Output and exit of a program.
struct Lines {
    said: Vec<String>,
    errors: String,
    success: bool,
    hang: bool,
}

/// The most informative line of a crash report.
fn why(errors: &str) -> String {
    let line = errors
        .lines()
        .find(|line| {
            line.contains("unsafe precondition")
                || line.contains("AddressSanitizer")
                || line.contains("overflow")
        })
        .or(errors.lines().last());
    line.unwrap_or_default().to_owned()
}

fn compare(run: Result<String, String>, want: Option<Result<String, String>>) -> Outcome {
    match (run, want) {
        (Ok(run), Some(Ok(want))) if run == want => Outcome::Value(run),
        (Ok(run), Some(Ok(want))) => Outcome::Wrong { run, want },
        (Ok(run), Some(Err(panic))) => Outcome::Wrong { run, want: format!("a panic, {panic}") },
        (Ok(run), None) => Outcome::Wrong { run, want: "no value".to_owned() },
        (Err(panic), _) if panic.starts_with("\"shim: ") => Outcome::Panic(panic),
        (Err(panic), Some(Err(_))) => Outcome::Panic(panic),
        (Err(panic), _) => Outcome::OtherPanic(panic),
    }
}

/// Whether rustc sees that a program always overflows depends on the build; that it does is an outcome of all builds.
const HEAD: &str = "#![forbid(unsafe_code)]\n#![allow(warnings, arithmetic_overflow, unconditional_panic)]\n";

/// `main` of a batch: runs each case and prints its outcome on a line.
const MAIN: &str = r#"
fn main() {
    use ::std::io::Write as _;
    fn caught(call: fn() -> ::std::string::String) -> (&'static str, ::std::string::String) {
        match ::std::panic::catch_unwind(call) {
            ::std::result::Result::Ok(value) => ("value", value),
            ::std::result::Result::Err(payload) => {
                let text = match (payload.downcast_ref::<&str>(), payload.downcast_ref::<::std::string::String>()) {
                    (::std::option::Option::Some(text), _) => ::std::string::ToString::to_string(text),
                    (_, ::std::option::Option::Some(text)) => ::std::clone::Clone::clone(text),
                    _ => ::std::string::String::new(),
                };
                ("panic", text)
            }
        }
    }
    fn say(line: ::std::string::String) {
        let mut out = ::std::io::stdout();
        let _ = ::std::writeln!(out, "{line}");
        let _ = out.flush();
    }
    type Call = fn() -> ::std::string::String;
    // A panic is reported once it is known whether it was meant.
    ::std::panic::set_hook(::std::boxed::Box::new(|info| {
        let text = ::std::string::ToString::to_string(info);
        if text.contains("unsafe precondition") {
            ::std::eprintln!("{text}");
        }
    }));
    let cases: &[(usize, Call, ::std::option::Option<Call>)] = &[
TABLE    ];
    let from: usize = ::std::env::args().nth(1).and_then(|from| from.parse().ok()).unwrap_or(0);
    for (i, run, want) in &cases[from..] {
        say(::std::format!("begin\t{i}"));
        if let ::std::option::Option::Some(want) = want {
            let (what, text) = caught(*want);
            say(::std::format!("want-{what}\t{i}\t{text:?}"));
        }
        let (what, text) = caught(*run);
        say(::std::format!("run-{what}\t{i}\t{text:?}"));
        say(::std::format!("end\t{i}"));
    }
}
"#;
