//! `SHIM_DUMP=dir`: each kernel's expansion in a file of its own, formatted, with its loop nest in a header, and beside
//! it the program after each pass.

use std::fmt::Write as _;
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use proc_macro2::TokenStream;
use quote::ToTokens as _;

use crate::print::Passes;

/// What a dump shows of a kernel.
pub struct Shown<'k> {
    /// Its name.
    pub kernel: &'k str,
    /// Where it is.
    pub source: &'k str,
    /// Its loop nests.
    pub loops: &'k str,
    /// Its expansion.
    pub expansion: &'k TokenStream,
}

/// Writes what is shown of a kernel, and its `passes`, to files named after it in `directory`.
///
/// # Errors
/// The directory or the file cannot be written.
pub fn dump(directory: &Path, shown: &Shown<'_>, passes: &Passes) -> std::io::Result<PathBuf> {
    let Shown { kernel, source, loops, expansion } = shown;
    std::fs::create_dir_all(directory)?;
    let code = code_of(expansion);
    let mut text = format!("// Kernel `{kernel}`, {source}\n//\n");
    for line in loops.lines() {
        let _ = writeln!(text, "{}", format!("// {line}").trim_end());
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

/// Writes the expansion of a located struct to a file in `directory`, named after the type of its fields and its key:
/// kernels rely on the lengths that it checks. Writes nothing if the expansion declares none.
///
/// # Errors
/// The directory or the file cannot be written.
pub fn declaration(directory: &Path, expansion: &TokenStream) -> std::io::Result<()> {
    let Ok(file) = syn::parse2::<syn::File>(expansion.clone()) else { return Ok(()) };
    // `impl Fields<KEY> for NAME`
    let declared = |item: &syn::Item| {
        let syn::Item::Impl(item) = item else { return None };
        let checked = item.trait_.as_ref()?.0.segments.last()?;
        let syn::Type::Path(fields) = &*item.self_ty else { return None };
        let key = checked.arguments.to_token_stream().to_string();
        let key: String =
            key.chars().skip_while(|c| !c.is_numeric()).take_while(char::is_ascii_digit).collect();
        (checked.ident == "Fields").then_some((fields.path.segments.last()?.ident.to_string(), key))
    };
    let Some((name, key)) = file.items.iter().find_map(declared) else { return Ok(()) };
    std::fs::create_dir_all(directory)?;
    let path = directory.join(format!("located{name}_{key}.rs"));
    std::fs::write(path, code_of(expansion))
}

/// An expansion as formatted Rust.
fn code_of(expansion: &TokenStream) -> String {
    // `$crate` begins the paths of templates, and Rust outside of a macro does not know it.
    formatted(&expansion.to_string().replace("$crate", "crate"))
}

/// How long rustfmt may take: the time doubles with each level of some expressions.
const PATIENCE: Duration = Duration::from_secs(5);

/// `code` formatted by rustfmt, or unchanged if rustfmt is missing or takes too long.
fn formatted(code: &str) -> String {
    let format = || -> Option<String> {
        let mut child = Command::new("rustfmt")
            .args(["--edition", "2024", "--emit", "stdout"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .ok()?;
        let (mut stdin, mut stdout) = (child.stdin.take()?, child.stdout.take()?);
        let (sender, receiver) = mpsc::channel();
        std::thread::spawn(move || {
            let mut text = String::new();
            let read = stdout.read_to_string(&mut text).map(|_| text);
            // The other end is gone where rustfmt took too long.
            let _ = sender.send(read);
        });
        stdin.write_all(code.as_bytes()).ok()?;
        drop(stdin);
        let text = receiver.recv_timeout(PATIENCE);
        if text.is_err() {
            child.kill().ok()?;
        }
        let succeeds = child.wait().ok()?.success();
        text.ok()?.ok().filter(|_| succeeds)
    };
    format().unwrap_or_else(|| format!("{code}\n"))
}
