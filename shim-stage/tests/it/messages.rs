//! The catalog of messages: what each room of the compiler says, side by side, and whether a test shows it.
//!
//! A message stays beside the check that gives it. The catalog is read from the sources, so it cannot differ from them:
//! `tests/messages` has a file for each room, in which a change of wording, of an expectation or of a help line is
//! reviewed.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use proc_macro2::{TokenStream, TokenTree};
use syn::visit::{self, Visit};
use syn::{Expr, Lit};

/// Macros and methods whose text is for those who work on the compiler.
const INTERNAL: &[&str] = &[
    "assert",
    "assert_eq",
    "debug_assert",
    "expect",
    "panic",
    "unreachable",
    "remark",
    "quote",
    "parse_quote",
    "hygienic",
];

/// The texts of a file, in their order.
#[derive(Default)]
struct Texts(Vec<Text>);

/// A literal with words in it.
struct Text {
    text: String,
    is_help: bool,
}

impl Texts {
    fn literal(&mut self, text: &str, is_help: bool) {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        // A name, a token or a unit is part of another message.
        if text.split(' ').count() > 2 {
            self.0.push(Text { text, is_help });
        }
    }

    fn tokens(&mut self, tokens: TokenStream, is_help: bool) {
        for token in tokens {
            match token {
                TokenTree::Group(group) => self.tokens(group.stream(), is_help),
                TokenTree::Literal(literal) => {
                    if let Lit::Str(text) = Lit::new(literal) {
                        self.literal(&text.value(), is_help);
                    }
                }
                TokenTree::Ident(_) | TokenTree::Punct(_) => {}
            }
        }
    }

    /// A message, and the help that goes with it.
    fn pair<'ast>(&mut self, message: &'ast Expr, help: &'ast Expr) {
        self.visit_expr(message);
        let first = self.0.len();
        self.visit_expr(help);
        self.0[first..].iter_mut().for_each(|text| text.is_help = true);
    }
}

impl<'ast> Visit<'ast> for Texts {
    fn visit_attribute(&mut self, _: &'ast syn::Attribute) {}

    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        if item.ident != "tests" {
            visit::visit_item_mod(self, item);
        }
    }

    fn visit_lit_str(&mut self, literal: &'ast syn::LitStr) {
        self.literal(&literal.value(), false);
    }

    fn visit_macro(&mut self, mac: &'ast syn::Macro) {
        let name = mac.path.segments.last().map(|last| last.ident.to_string()).unwrap_or_default();
        if !INTERNAL.iter().any(|internal| name.starts_with(internal)) {
            self.tokens(mac.tokens.clone(), false);
        }
    }

    fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
        self.visit_expr(&call.receiver);
        let arguments: Vec<&Expr> = call.args.iter().collect();
        match (call.method.to_string().as_str(), &arguments[..]) {
            (name, _) if INTERNAL.contains(&name) => {}
            ("error" | "error_in_call", [_, message, help]) => self.pair(message, help),
            _ => arguments.into_iter().for_each(|argument| self.visit_expr(argument)),
        }
    }

    fn visit_expr_tuple(&mut self, tuple: &'ast syn::ExprTuple) {
        match &tuple.elems.iter().collect::<Vec<_>>()[..] {
            [message, help] => self.pair(message, help),
            _ => visit::visit_expr_tuple(self, tuple),
        }
    }
}

/// The files of a folder with an extension, those of tests aside.
fn files(folder: &Path, extension: &str, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
        let path = entry.expect("an entry").path();
        let is_test = path.file_stem().is_some_and(|stem| stem == "tests");
        if path.is_dir() && !is_test {
            files(&path, extension, found);
        } else if !is_test && path.extension().is_some_and(|own| own == extension) {
            found.push(path);
        }
    }
}

/// Whether a text shows a message, whatever is in its placeholders.
fn shows(shown: &str, message: &str) -> bool {
    let mut parts = message.split(['{', '}']).step_by(2).map(str::trim).filter(|part| !part.is_empty());
    let Some(first) = parts.next() else { return false };
    let parts: Vec<&str> = parts.collect();
    shown.match_indices(first).any(|(at, _)| {
        let mut rest = &shown[at + first.len()..];
        parts.iter().all(|part| {
            let found = rest.find(part).filter(|distance| *distance < 400);
            found.inspect(|at| rest = &rest[at + part.len()..]).is_some()
        })
    })
}

/// What the compile-fail cases print, one text each.
fn shown() -> Vec<String> {
    let mut paths = Vec::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a workspace");
    files(&root.join("tests"), "stderr", &mut paths);
    let text = |path: &PathBuf| std::fs::read_to_string(path).expect("text");
    // rustc draws a frame around the lines of a message.
    let words = |text: String| {
        text.split_whitespace().filter(|word| !matches!(*word, "|" | "=")).collect::<Vec<_>>().join(" ")
    };
    paths.iter().map(text).map(words).collect()
}

#[test]
fn every_message_is_in_the_catalog_of_its_room() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut paths = Vec::new();
    files(&source, "rs", &mut paths);
    paths.sort();
    let shown = shown();
    let mut rooms: BTreeMap<String, String> = BTreeMap::new();
    for path in paths {
        let own = path.strip_prefix(&source).expect("a source").display().to_string();
        let text = std::fs::read_to_string(&path).expect("text");
        let mut texts = Texts::default();
        texts.visit_file(&syn::parse_file(&text).expect("Rust"));
        if texts.0.is_empty() {
            continue;
        }
        let parts: Vec<&str> = own.split(['/', '.']).collect();
        let room = match parts[..] {
            // Dumps for those who work on the compiler.
            ["print" | "verify" | "ir", ..] | [] => continue,
            ["bind", room, _, ..] if own.matches('/').count() > 1 => format!("bind_{room}"),
            [room, ..] => room.to_owned(),
        };
        let catalog = rooms.entry(room).or_default();
        writeln!(catalog, "{own}").expect("a string");
        for Text { text, is_help } in texts.0 {
            let role = if is_help { "    help: " } else { "  " };
            let seen = shown.iter().any(|shown| shows(shown, &text));
            writeln!(catalog, "{role}{text}{}", if seen { "" } else { "  (no test shows this)" })
                .expect("a string");
        }
        catalog.push('\n');
    }
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../messages");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    for (room, catalog) in rooms {
        settings.bind(|| insta::assert_snapshot!(room, catalog));
    }
}
