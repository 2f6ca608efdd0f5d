//! `SHIM_DUMP=dir`: each kernel's expansion in a file of its own, formatted, with its loop nest in a header, and beside it
//! the program after each pass.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use proc_macro2::TokenStream;

use crate::check::{Checked, Verdict};
use crate::ir::{AccessKind, ContextId, ContextKind, LoopKind, Program};
use crate::print::Passes;

/// Writes the expansion of a kernel with its `loops`, and its `passes`, to files named after it in `directory`.
///
/// # Errors
/// The directory or the file cannot be written.
pub fn dump(
    directory: &Path,
    source: &str,
    kernel: &str,
    loops: &str,
    passes: &Passes,
    expansion: &TokenStream,
) -> std::io::Result<PathBuf> {
    std::fs::create_dir_all(directory)?;
    // Of a template's own paths, which Rust outside of a macro does not know.
    let code = formatted(&expansion.to_string().replace("$crate", "crate"));
    let mut text = format!("// Kernel `{kernel}`, {source}\n//\n");
    for line in loops.lines() {
        let _ = writeln!(text, "// {line}");
    }
    text.push('\n');
    text.push_str(&code);
    // Two kernels may have one name: the place in the source tells them apart.
    let place: String = source.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    let path = directory.join(format!("{kernel}__{place}.rs"));
    std::fs::write(&path, text)?;
    let passes: Vec<String> =
        passes.texts().iter().map(|(pass, text)| format!("-- {pass}\n{text}")).collect();
    std::fs::write(path.with_extension("passes"), passes.join("\n"))?;
    Ok(path)
}

/// `code` as rustfmt has it, or as it is where there is no rustfmt.
fn formatted(code: &str) -> String {
    let format = || -> Option<String> {
        let mut child = Command::new("rustfmt")
            .args(["--edition", "2024", "--emit", "stdout"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .ok()?;
        child.stdin.take()?.write_all(code.as_bytes()).ok()?;
        let output = child.wait_with_output().ok()?;
        output.status.success().then(|| String::from_utf8(output.stdout).ok())?
    };
    format().unwrap_or_else(|| format!("{code}\n"))
}

/// The loops of a kernel and what is accessed in them.
pub fn nest(program: &Program, checked: &Checked) -> String {
    let mut text = String::new();
    describe(program, checked, ContextId::BODY, 0, &mut text);
    text
}

fn describe(program: &Program, checked: &Checked, context: ContextId, depth: usize, text: &mut String) {
    let mut depth = depth;
    if let ContextKind::Nest(nest) = program.contexts[context].kind {
        for id in &program.nests[nest].loops {
            let looping = &program.loops[*id];
            let _ = write!(text, "{}for {}", "    ".repeat(depth), looping.symbol.name());
            match &looping.kind {
                LoopKind::Index { extent } => {
                    let _ = write!(text, " in 0..{extent}");
                }
                LoopKind::Range { .. } => {
                    let _ = write!(text, " in {}..={}", looping.first, looping.last);
                }
            }
            if let Some(peel) = checked.peels.get(id) {
                let list = |syms: &[crate::symbolic::Sym]| {
                    syms.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
                };
                text.push_str(", with an interior");
                for (syms, word) in [(&peel.starts, "from"), (&peel.ends, "to")] {
                    if !syms.is_empty() {
                        let _ = write!(text, " {word} {}", list(syms));
                    }
                }
            }
            text.push('\n');
            depth += 1;
        }
    }
    for (access, verdict) in program.accesses.iter().zip(&checked.verdicts) {
        if access.position.context != context {
            continue;
        }
        let index: Vec<String> = access.index.iter().map(ToString::to_string).collect();
        let what = match access.kind {
            AccessKind::Read | AccessKind::Place => "reads",
            AccessKind::Test => "looks for",
            AccessKind::Prefetch => "prefetches",
            AccessKind::Write | AccessKind::PlaceMut => "writes",
            AccessKind::Update => "updates",
        };
        let how = match verdict {
            Verdict::Inside(_) => "",
            Verdict::Folded(_) => ", folded",
            Verdict::Tested(_) => ", tested",
        };
        let pad = "    ".repeat(depth);
        let _ = writeln!(text, "{pad}{what} {}[{}]{how}", access.view.name, index.join(", "));
    }
    for (inner, other) in program.contexts.enumerated() {
        if inner != context && other.parent.is_some_and(|parent| parent.context == context) {
            describe(program, checked, inner, depth, text);
        }
    }
}
