//! rust-analyzer in a crate with kernels: what it knows of a kernel while someone types, and of one that is complete.

use std::fs;
use std::io::{BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// How long rust-analyzer may take to build the macro and load the crate.
const PATIENCE: Duration = Duration::from_mins(10);

/// A crate with `source` and shim as its only dependency.
fn project(source: &str) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let project = Path::new(env!("CARGO_TARGET_TMPDIR")).join("editor");
    fs::create_dir_all(project.join("src")).expect("a folder in target/");
    let manifest = fs::read_to_string(root.join("tests/user_crate/Cargo.toml")).expect("its manifest");
    let path = format!("path = {:?}", root.to_str().expect("a path in UTF-8"));
    fs::write(project.join("Cargo.toml"), manifest.replace(r#"path = "../..""#, &path))
        .expect("it is written");
    fs::copy(root.join("Cargo.lock"), project.join("Cargo.lock")).expect("the lock file");
    fs::write(project.join("src/lib.rs"), source).expect("its source");
    project
}

/// A running rust-analyzer.
struct Server {
    child: Child,
    input: ChildStdin,
    messages: Receiver<Value>,
    requests: u32,
    source: String,
    uri: String,
}

impl Server {
    fn start(source: &str) -> Option<Self> {
        let project = project(source);
        let mut command = Command::new("rust-analyzer");
        let spawned = command
            .current_dir(&project)
            // The macros as `user_crate.rs` builds them.
            .env("CARGO_TARGET_DIR", Path::new(env!("CARGO_TARGET_TMPDIR")).join("user_target"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .env_remove("SHIM_CHECKS")
            .env_remove("SHIM_DUMP")
            .spawn();
        let Some(mut child) = spawned.ok().filter(|_| is_installed()) else {
            assert!(std::env::var_os("CI").is_none(), "{MISSING}");
            eprintln!("skipped: {MISSING}");
            return None;
        };
        let mut output = BufReader::new(child.stdout.take().expect("a pipe"));
        let (sender, messages) = channel();
        std::thread::spawn(move || {
            while let Some(message) = read(&mut output) {
                if sender.send(message).is_err() {
                    break;
                }
            }
        });
        let input = child.stdin.take().expect("a pipe");
        let uri = format!("file://{}", project.join("src/lib.rs").display());
        let mut server = Server { child, input, messages, requests: 0, source: source.to_owned(), uri };
        let folder = format!("file://{}", project.display());
        server.request(
            "initialize",
            &json!({
                "processId": null,
                "rootUri": folder,
                "workspaceFolders": [{ "uri": folder, "name": "editor" }],
                "capabilities": {
                    "experimental": { "serverStatusNotification": true },
                    "textDocument": { "hover": { "contentFormat": ["plaintext"] } }
                },
                "initializationOptions": { "checkOnSave": false, "cachePriming": { "enable": false } }
            }),
        );
        server.send(&json!({ "jsonrpc": "2.0", "method": "initialized", "params": {} }));
        server.wait_until_quiet();
        let document =
            json!({ "uri": server.uri, "languageId": "rust", "version": 1, "text": server.source });
        let opened = json!({ "textDocument": document });
        server.send(&json!({ "jsonrpc": "2.0", "method": "textDocument/didOpen", "params": opened }));
        Some(server)
    }

    fn send(&mut self, message: &Value) {
        let text = message.to_string();
        write!(self.input, "Content-Length: {}\r\n\r\n{text}", text.len()).expect("it is written");
        self.input.flush().expect("it is written");
    }

    fn request(&mut self, method: &str, parameters: &Value) -> Value {
        self.requests += 1;
        let id = self.requests;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": parameters }));
        loop {
            let message = self.messages.recv_timeout(PATIENCE).expect("an answer");
            if message.get("method").is_some() {
                self.answer(&message);
            } else if message["id"] == id {
                return message["result"].clone();
            }
        }
    }

    /// Answers what the server asks of an editor.
    fn answer(&mut self, message: &Value) {
        if let Some(id) = message.get("id") {
            let result =
                if message["method"] == "workspace/configuration" { json!([null]) } else { Value::Null };
            let answer = json!({ "jsonrpc": "2.0", "id": id, "result": result });
            self.send(&answer);
        }
    }

    /// Waits until the crate is loaded and its macros are built.
    fn wait_until_quiet(&mut self) {
        let start = Instant::now();
        let (mut worked, mut quiet) = (false, false);
        // It is quiet for a moment before it begins as well.
        while !(worked && quiet) {
            assert!(start.elapsed() < PATIENCE, "rust-analyzer is still at work");
            match self.messages.recv_timeout(Duration::from_secs(5)) {
                Ok(message) if message["method"] == "experimental/serverStatus" => {
                    quiet = message["params"]["quiescent"] == true;
                    worked |= !quiet;
                }
                Ok(message) => self.answer(&message),
                Err(RecvTimeoutError::Timeout) => worked |= quiet,
                Err(RecvTimeoutError::Disconnected) => panic!("rust-analyzer ended"),
            }
        }
    }

    /// Asks about the place in the source that ends with `place`.
    fn ask(&mut self, method: &str, place: &str) -> Value {
        let end = self.source.find(place).unwrap_or_else(|| panic!("`{place}`")) + place.len();
        // A name is asked about by its last letter, a completion behind it.
        let end = if method == "completion" { end } else { end - 1 };
        let before = &self.source[..end];
        let line = before.matches('\n').count();
        let column = end - before.rfind('\n').map_or(0, |at| at + 1);
        let position = json!({ "line": line, "character": column });
        let parameters = json!({ "textDocument": { "uri": self.uri }, "position": position });
        self.request(&format!("textDocument/{method}"), &parameters)
    }

    fn hover(&mut self, place: &str) -> String {
        self.ask("hover", place)["contents"]["value"].as_str().unwrap_or_default().to_owned()
    }

    /// The line, counted from one, where a name is defined.
    fn definition(&mut self, place: &str) -> Option<u64> {
        let found = self.ask("definition", place);
        let range = found.get(0)?.get("range").or_else(|| found.get(0)?.get("targetRange"))?;
        Some(range["start"]["line"].as_u64()? + 1)
    }

    fn completions(&mut self, place: &str) -> Vec<String> {
        let found = self.ask("completion", place);
        let items = found.get("items").unwrap_or(&found).as_array().cloned().unwrap_or_default();
        items.iter().filter_map(|item| Some(item["label"].as_str()?.to_owned())).collect()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

const MISSING: &str = "`rustup component add rust-analyzer rust-src` is missing";

/// Whether rust-analyzer runs, and has the sources of std.
fn is_installed() -> bool {
    // rustup's proxy starts and fails where the component is not installed.
    let version = Command::new("rust-analyzer").arg("--version").output();
    let sysroot = Command::new("rustc").args(["--print", "sysroot"]).output();
    let sources = sysroot.is_ok_and(|output| {
        let sysroot = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        Path::new(&sysroot).join("lib/rustlib/src/rust/library/core").is_dir()
    });
    sources && version.is_ok_and(|output| output.status.success())
}

/// The next message, without its header.
fn read(output: &mut impl std::io::BufRead) -> Option<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if output.read_line(&mut line).ok()? == 0 {
            return None;
        }
        let line = line.trim();
        if line.is_empty() {
            break;
        }
        if let Some(value) = line.strip_prefix("Content-Length:") {
            length = value.trim().parse().ok()?;
        }
    }
    let mut text = vec![0; length];
    output.read_exact(&mut text).ok()?;
    serde_json::from_slice(&text).ok()
}

/// A kernel that is being typed, and one that is complete.
const SOURCE: &str = "\
use shim::prelude::*;

pub struct Settings {
    pub strength: i32,
}

#[shim::kernel]
pub fn typed(src: &[u8], h: usize, w: usize, settings: &Settings, #[shape(h, w)] dst: &mut [u8]) {
    let source = Block::external(src, [h, w]).boundary(Clamp).cast::<i32>();
    let half = source.coarsen([2, 2]);
    let strength = settings.stren;
    for [y, x] in half.indices() {
        let sum = half[[y, x]];
        let rest = half.perm;
    }
}

#[shim::kernel]
fn template(step: impl Template, v: impl Tensor<u8, 2>) -> impl Tensor<u8, 2> {
    let wide = v.cast::<i32>();
    let first = v[[0, 1]];
    let rest = wide.coar;
    v.permute([1, 0])
}

#[shim::kernel]
fn unfinished(v: impl Tensor<u8, 1>, #[specialize(1 | 2 | _)] n: usize) -> impl Tensor<u8, 1> {
    let narrow = v.cast::<i16>();
    let rest = narrow.shif;
}

#[shim::kernel]
pub fn complete(src: &[u8], n: usize, settings: &Settings) -> i32 {
    let source = Block::external(src, [n]).cast::<i32>();
    let factor = scaled(settings.strength);
    let mut sum = 0;
    for [i] in source.indices() {
        sum += factor * source[[i]];
    }
    sum
}

fn scaled(strength: i32) -> i32 {
    2 * strength
}
";

#[test]
fn names_types_and_completions_are_found() {
    let Some(mut server) = Server::start(SOURCE) else { return };
    // While the kernel has errors, it is the function as it was written.
    assert!(server.completions("settings.stren").contains(&"strength".to_owned()));
    let methods = server.completions("half.perm");
    for method in ["permute", "refine", "extent", "indices", "to_block"] {
        assert!(methods.contains(&method.to_owned()), "{method} among {methods:?}");
    }
    assert!(server.hover("in half").contains("Tensor<i32, 2>"), "{}", server.hover("in half"));
    assert!(server.hover("let sum").contains("i32"), "{}", server.hover("let sum"));
    assert_eq!(server.definition("in half"), Some(10));
    assert!(server.completions("wide.coar").contains(&"coarsen".to_owned()));
    assert!(server.completions("narrow.shif").contains(&"shifted".to_owned()));
    assert!(server.hover("let wide").contains("Tensor<i32, 2>"), "{}", server.hover("let wide"));
    assert!(server.hover("let first").contains("u8"), "{}", server.hover("let first"));
    assert_eq!(server.definition("settings.stren"), None);
    let help = server.hover("half.indices");
    assert!(help.contains("The points of the index space"), "{help}");
    // A complete kernel is what it expands to.
    assert!(server.hover("let factor").contains("i32"), "{}", server.hover("let factor"));
    assert_eq!(server.definition("= scaled"), Some(43));
    assert_eq!(server.definition("sum += factor"), Some(35));
    assert_eq!(server.definition("scaled(settings.strength"), Some(4));
}
