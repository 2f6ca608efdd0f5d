//! Calls of rustc on batches of cases, with the library that cargo built for this test.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant, SystemTime};

use serde_json::Value;

use crate::case;

/// A build configuration.
#[derive(Clone, Debug)]
pub(crate) struct Config {
    pub(crate) name: &'static str,
    flags: &'static [&'static str],
    every: bool,
    /// Whether Miri runs the programs.
    pub(crate) interpreted: bool,
}

impl Config {
    /// Debug assertions make std abort on a failed precondition of unchecked access.
    pub(crate) const ALL: [Config; 6] = [
        Config { name: "debug", flags: &["-Cdebug-assertions=on"], every: false, interpreted: false },
        Config { name: "debug, every", flags: &["-Cdebug-assertions=on"], every: true, interpreted: false },
        Config {
            name: "release",
            flags: &["-Copt-level=3", "-Cdebug-assertions=on"],
            every: false,
            interpreted: false,
        },
        Config {
            name: "release, every",
            flags: &["-Copt-level=3", "-Cdebug-assertions=on"],
            every: true,
            interpreted: false,
        },
        Config {
            name: "asan",
            flags: &["-Copt-level=1", "-Zsanitizer=address"],
            every: false,
            interpreted: false,
        },
        Config { name: "miri", flags: &["-Cdebug-assertions=on"], every: false, interpreted: true },
    ];

    /// A folder's name.
    pub(crate) fn slug(&self) -> String {
        self.name.replace(", ", "_")
    }
}

/// Result of a compilation.
#[derive(Debug, Default)]
pub(crate) struct Report {
    /// The first error of each file that has one.
    pub(crate) errors: BTreeMap<PathBuf, String>,
    /// All errors of each file, after their codes.
    pub(crate) messages: BTreeMap<PathBuf, Vec<String>>,
    /// A crash of rustc.
    pub(crate) crash: Option<String>,
    /// Errors outside of every case.
    pub(crate) elsewhere: Vec<String>,
    pub(crate) success: bool,
}

/// rustc, and the libraries it links.
pub(crate) struct Toolchain {
    deps: PathBuf,
    shim: PathBuf,
    /// Where sources and programs are written.
    pub(crate) scratch: PathBuf,
    /// The crates that cases name, compiled.
    crates: Vec<(String, PathBuf)>,
}

/// Time limit of a compilation.
const PATIENCE: Duration = Duration::from_mins(4);

impl Toolchain {
    /// The newest library beside this test: cargo rebuilt it if it was stale.
    pub(crate) fn find(name: &str) -> Toolchain {
        let exe = std::env::current_exe().expect("the path of this test");
        let deps = exe.parent().expect("a folder").to_path_buf();
        let modified = |path: &Path| {
            fs::metadata(path).and_then(|meta| meta.modified()).unwrap_or(SystemTime::UNIX_EPOCH)
        };
        let shim = fs::read_dir(&deps)
            .expect("the folder of this test")
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|path| {
                let file =
                    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
                file.starts_with("libshim-") && path.extension().is_some_and(|extension| extension == "rlib")
            })
            .max_by_key(|path| modified(path))
            .expect("the library that this test is linked with");
        let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("hostile").join(name);
        let _ = fs::remove_dir_all(&scratch);
        fs::create_dir_all(&scratch).expect("a folder in target/");
        let mut toolchain = Toolchain { deps, shim, scratch, crates: Vec::new() };
        for (name, source) in case::crates() {
            let library = toolchain.scratch.join(format!("lib{name}.rlib"));
            let arguments = [
                "--crate-type=lib".to_owned(),
                format!("--crate-name={name}"),
                format!("-o{}", library.display()),
            ];
            let built = toolchain.rustc(&source, &arguments, &Config::ALL[0]);
            assert!(built.success, "{}: {built:?}", source.display());
            toolchain.crates.push((name, library));
        }
        toolchain
    }

    /// Compiles `root` to a program.
    pub(crate) fn program(&self, root: &Path, program: &Path, config: &Config) -> Report {
        self.rustc(root, &["--crate-name=batch".to_owned(), format!("-o{}", program.display())], config)
    }

    /// Checks the library of `root`.
    pub(crate) fn library(&self, root: &Path, config: &Config) -> Report {
        let written = format!("-o{}", self.scratch.join("libbatch.rmeta").display());
        self.rustc(root, &["--crate-type=lib".to_owned(), "--emit=metadata".to_owned(), written], config)
    }

    /// The command that interprets a program with Miri, in a package of its own in `folder`: rustc has compiled it, so
    /// that it has no errors. Requires `rustup +nightly component add miri rust-src`.
    pub(crate) fn interpreter(&self, root: &Path, folder: &Path) -> Command {
        let shim = env!("CARGO_MANIFEST_DIR");
        // Programs of one name would replace one another in the shared folder.
        let name = format!("batch{}", folder.file_name().unwrap_or_default().display());
        let manifest = format!(
            "[package]\nname = \"{name}\"\nedition = \"2024\"\n[[bin]]\nname = \"{name}\"\npath = \"{}\"\n\
             [dependencies]\nshim-dsl = {{ path = {shim:?} }}\n[lints.rust]\nwarnings = \"allow\"\n[workspace]\n",
            root.display()
        );
        fs::write(folder.join("Cargo.toml"), manifest).expect("a manifest");
        let mut command = Command::new("rustup");
        let _ = command
            .args(["run", "nightly", "cargo", "miri", "run", "--quiet", "--manifest-path"])
            .arg(folder.join("Cargo.toml"))
            .arg("--target-dir")
            .arg(self.scratch.join("miri-target"))
            .arg("--")
            // The memory of plain twins is leaked, as that of the process is.
            .env("MIRIFLAGS", "-Zmiri-disable-isolation -Zmiri-ignore-leaks")
            .current_dir(folder);
        for variable in ["CARGO", "RUSTC", "RUSTFLAGS", "RUSTUP_TOOLCHAIN", "RUSTDOC", "SHIM_CHECKS"] {
            let _ = command.env_remove(variable);
        }
        command
    }

    fn rustc(&self, root: &Path, arguments: &[String], config: &Config) -> Report {
        let mut command = Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
        let _ = command
            .arg(root)
            .args(["--edition=2024", "--error-format=json", "-Awarnings", "-Cdebuginfo=0"])
            .arg(format!("-Ldependency={}", self.deps.display()))
            .arg(format!("--extern=shim={}", self.shim.display()))
            .args(arguments)
            .args(config.flags)
            .env_remove("SHIM_CHECKS")
            .env_remove("SHIM_DUMP")
            .env("RUST_BACKTRACE", "0")
            .current_dir(&self.scratch)
            .stdin(Stdio::null())
            .stdout(Stdio::null());
        for (name, library) in &self.crates {
            let _ = command.arg(format!("--extern={name}={}", library.display()));
        }
        if config.every {
            let _ = command.env("SHIM_CHECKS", "every");
        }
        if config.flags.iter().any(|flag| flag.starts_with("-Z")) {
            let _ = command.env("RUSTC_BOOTSTRAP", "1");
        }
        // Into a file: a pipe that nobody empties would hold up a rustc that has much to say.
        let said = root.with_extension(format!("{}.json", config.slug()));
        let file = fs::File::create(self.scratch.join(said.file_name().expect("a name")))
            .expect("a file in target/");
        let _ = command.stderr(file);
        let mut child = command.spawn().expect("rustc runs");
        let start = Instant::now();
        let status = loop {
            match child.try_wait().expect("rustc's status") {
                Some(status) => break Some(status),
                None if start.elapsed() > PATIENCE => {
                    let _ = child.kill();
                    let _ = child.wait();
                    break None;
                }
                None => std::thread::sleep(Duration::from_millis(10)),
            }
        };
        let said = self.scratch.join(said.file_name().expect("a name"));
        let said = String::from_utf8_lossy(&fs::read(said).expect("what rustc says")).into_owned();
        let mut report =
            Report { success: status.is_some_and(|status| status.success()), ..Report::default() };
        for line in said.lines() {
            match serde_json::from_str::<Value>(line) {
                Ok(diagnostic) => self.read(&diagnostic, &mut report),
                // rustc's own panics and the report of a stack overflow are no JSON.
                Err(_) if line.contains("stack overflow") => {
                    report.crash = Some("rustc overflows its stack".to_owned());
                }
                Err(_) => {}
            }
        }
        match status {
            None => report.crash = Some("rustc does not come to an end".to_owned()),
            // 0 and 1 are its answers, 101 is its own panic; a signal has no code.
            Some(status) if !matches!(status.code(), Some(0 | 1)) => {
                let _ = report.crash.get_or_insert_with(|| format!("rustc crashes: {status}"));
            }
            Some(_) => {}
        }
        report
    }

    fn read(&self, diagnostic: &Value, report: &mut Report) {
        if diagnostic["level"] != "error" && diagnostic["level"] != "error: internal compiler error" {
            return;
        }
        let mut message = diagnostic["message"].as_str().unwrap_or_default().to_owned();
        if diagnostic["level"] != "error" {
            message.insert_str(0, "internal compiler error: ");
        }
        if message.starts_with("aborting due to") {
            return;
        }
        let spans = diagnostic["spans"].as_array().map_or(&[][..], Vec::as_slice);
        let primary = spans.iter().filter(|span| span["is_primary"] == true);
        let others = spans.iter().filter(|span| span["is_primary"] != true);
        match primary.chain(others).find_map(|span| self.file_of(span)) {
            Some(file) => {
                let code = diagnostic["code"]["code"].as_str();
                let coded = code.map_or_else(|| message.clone(), |code| format!("{code}: {message}"));
                report.messages.entry(file.clone()).or_default().push(coded);
                // The worst that is said of a file, else the first.
                let first = report.errors.entry(file).or_insert_with(|| message.clone());
                if is_crash(&message) && !is_crash(first) {
                    *first = message;
                }
            }
            None => report.elsewhere.push(message),
        }
    }

    /// The case that contains a span, or the macro call that it expands from.
    fn file_of(&self, span: &Value) -> Option<PathBuf> {
        let file = Path::new(span["file_name"].as_str()?);
        let file = if file.is_absolute() { file.to_path_buf() } else { self.scratch.join(file) };
        if file.starts_with(&self.scratch) && file.file_name().is_some_and(|name| name != "batch.rs") {
            return Some(file);
        }
        self.file_of(&span["expansion"]["span"])
    }
}

/// Whether an error reports a failure of the compiler.
pub(crate) fn is_crash(message: &str) -> bool {
    message.contains("panicked") && !message.contains("evaluation panicked")
        || message.contains("internal compiler error")
        || message.contains("proc macro server error")
}
