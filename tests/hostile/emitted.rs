//! The names of emitted locals, as names in user code.
//!
//! The fixtures of `shim-stage` and their recorded expansions say what names there are. Every one that a fixture does
//! not mention is bound in it, in each way that Rust has, to a value that no operation takes: rustc accepts the result
//! only if nothing of the expansion means that binding. And where the fixture mentions such a name, rustc has to say
//! that there is none.

use std::collections::BTreeSet;
use std::fs;
use std::ops::Range;
use std::path::Path;

use syn::spanned::Spanned as _;
use syn::visit::{self, Visit};

use crate::build::{Config, Toolchain};

/// A file of kernels.
struct Fixture {
    name: String,
    source: String,
    /// Identifiers of its expansion that it does not mention itself.
    emitted: BTreeSet<String>,
    /// Those that the expansion binds.
    locals: BTreeSet<String>,
}

const KEYWORDS: &[&str] = &[
    "as", "break", "const", "continue", "crate", "dyn", "else", "enum", "extern", "false", "fn", "for", "if",
    "impl", "in", "let", "loop", "match", "mod", "move", "mut", "pub", "ref", "return", "self", "static",
    "struct", "super", "trait", "true", "type", "unsafe", "use", "where", "while", "_",
];

/// The words of a text that may be names of values, with what is before each.
fn words(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let mut rest = 0;
    std::iter::from_fn(move || {
        loop {
            let start = rest + text[rest..].find(is_part)?;
            let len = text[start..].find(|c| !is_part(c)).unwrap_or(text.len() - start);
            rest = start + len;
            let word = &text[start..rest];
            if word.starts_with(|c: char| c.is_lowercase() || c == '_') && !KEYWORDS.contains(&word) {
                return Some((&text[..start], word));
            }
        }
    })
}

fn fixtures() -> Vec<Fixture> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("shim-stage/tests");
    let read =
        |path: &Path| fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let entries = fs::read_dir(folder.join("fixtures")).expect("the fixtures");
    let mut fixtures: Vec<Fixture> = entries
        .map(|entry| {
            let path = entry.expect("an entry").path();
            let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
            let (source, expansion) = (read(&path), read(&folder.join(format!("snapshots/{name}.snap"))));
            // It becomes a module behind what it needs.
            let source = source.replace("//!", "//");
            let mentioned: BTreeSet<&str> = words(&source).map(|(_, word)| word).collect();
            let new = || words(&expansion).filter(|(_, word)| !mentioned.contains(word));
            let emitted = new().map(|(_, word)| word.to_owned()).collect();
            // Every expansion has it, and every fixture the module of that name.
            let new = || new().chain([("let ", "shim")]);
            let is_bound =
                |before: &str| ["let ", "let mut ", "for "].iter().any(|start| before.ends_with(start));
            let locals =
                new().filter(|(before, _)| is_bound(before)).map(|(_, word)| word.to_owned()).collect();
            Fixture { name, source, emitted, locals }
        })
        .collect();
    fixtures.sort_by(|a, b| a.name.cmp(&b.name));
    fixtures
}

/// Where names may be bound in the kernels of a file, as bytes of its text.
#[derive(Default)]
struct Places {
    /// Between the braces of bodies and of the blocks in them.
    blocks: Vec<Range<usize>>,
    /// In front of the last statements of bodies and of loops.
    ends: Vec<Range<usize>>,
    /// Values that are assigned.
    values: Vec<Range<usize>>,
    in_kernel: bool,
}

impl Places {
    fn of(source: &str) -> Places {
        let file = syn::parse_file(source).expect("a fixture is Rust");
        let mut places = Places::default();
        places.visit_file(&file);
        places
    }

    fn kernel(&mut self, attributes: &[syn::Attribute], visit: impl FnOnce(&mut Self)) {
        let is_kernel = |attribute: &syn::Attribute| {
            attribute.path().segments.last().is_some_and(|segment| segment.ident == "kernel")
        };
        let before = std::mem::replace(&mut self.in_kernel, attributes.iter().any(is_kernel));
        visit(self);
        self.in_kernel = before;
    }

    fn end_of(&mut self, block: &syn::Block) {
        if let Some(last) = block.stmts.last().filter(|_| self.in_kernel && !is_one_loop(block)) {
            let start = last.span().byte_range().start;
            self.ends.push(start..start);
        }
    }
}

impl<'ast> Visit<'ast> for Places {
    fn visit_item_fn(&mut self, function: &'ast syn::ItemFn) {
        self.kernel(&function.attrs, |places| {
            places.end_of(&function.block);
            visit::visit_item_fn(places, function);
        });
    }

    fn visit_impl_item_fn(&mut self, function: &'ast syn::ImplItemFn) {
        self.kernel(&function.attrs, |places| {
            places.end_of(&function.block);
            visit::visit_impl_item_fn(places, function);
        });
    }

    fn visit_block(&mut self, block: &'ast syn::Block) {
        if self.in_kernel && !is_one_loop(block) {
            let (open, close) = (block.brace_token.span.open(), block.brace_token.span.close());
            self.blocks.push(open.byte_range().end..close.byte_range().start);
        }
        visit::visit_block(self, block);
    }

    fn visit_expr_for_loop(&mut self, for_loop: &'ast syn::ExprForLoop) {
        self.end_of(&for_loop.body);
        visit::visit_expr_for_loop(self, for_loop);
    }

    fn visit_expr_assign(&mut self, assign: &'ast syn::ExprAssign) {
        if self.in_kernel {
            self.values.push(assign.right.span().byte_range());
        }
    }
}

/// Whether a block is a loop alone, which a word before a loop around it needs as it is.
fn is_one_loop(block: &syn::Block) -> bool {
    matches!(&block.stmts[..], [syn::Stmt::Expr(syn::Expr::ForLoop(_), _)])
}

/// A text with others inserted, by the byte.
fn inserted(source: &str, mut insertions: Vec<(usize, &str)>) -> String {
    let mut text = source.to_owned();
    // Stable, so that what is inserted at one byte keeps its sequence; from behind, so that bytes stay where they are.
    insertions.sort_by_key(|(at, _)| *at);
    for (at, insertion) in insertions.into_iter().rev() {
        text.insert_str(at, insertion);
    }
    text
}

/// Text in front of each range and behind it.
fn around(source: &str, ranges: &[Range<usize>], before: &str, behind: &str) -> String {
    inserted(source, ranges.iter().flat_map(|range| [(range.start, before), (range.end, behind)]).collect())
}

/// A file of a fixture, with the types that it needs.
fn module(text: &str) -> String {
    format!(
        "use shim::prelude::*;\nuse std::cell::RefCell;\nuse std::sync::Mutex;\n\
         pub enum Kind {{ None, From(usize), Row(usize, usize) }}\n\
         pub struct Picture {{ data: Vec<u8>, height: usize, width: usize }}\n\
         #[derive(Clone, Copy)]\npub struct Poison;\n{text}\n"
    )
}

/// The fixture with all emitted names bound, in each way.
fn hidden(fixture: &Fixture) -> Vec<(&'static str, String)> {
    let (source, names) = (&fixture.source, &fixture.emitted);
    let Places { blocks, values, .. } = Places::of(source);
    let each = |text: &str| -> String { names.iter().map(|name| text.replace('@', name)).collect() };
    let arguments = "Poison, ".repeat(names.len());
    let (pattern, parameters) = (each("@, "), each("@: Poison, "));
    let variants = [
        ("let", around(source, &blocks, &each("let @ = Poison; "), "")),
        ("pattern", around(source, &blocks, &format!("match ({arguments}) {{ ({pattern}) => {{ "), " } }")),
        ("constant", around(source, &blocks, &each("const @: Poison = Poison; "), "")),
        ("parameter", around(source, &values, &format!("(|{parameters}| "), &format!(")({arguments})"))),
        (
            "macro",
            each("macro_rules! @ { ($($any:tt)*) => { ::core::compile_error!(\"captured\") } }\n") + source,
        ),
    ];
    variants.map(|(role, text)| (role, module(&text))).into()
}

/// rustc on a library of these files: the errors of each, with their codes. Files with an error of shim's are left out
/// of further calls, because they hide what rustc would say of the others.
fn check(toolchain: &Toolchain, files: &[(String, String)]) -> Vec<Vec<String>> {
    let path = |name: &str| toolchain.scratch.join(format!("{name}.rs"));
    let mut all: Vec<Vec<String>> = vec![Vec::new(); files.len()];
    for (name, text) in files {
        fs::write(path(name), text).expect("a source");
    }
    loop {
        let rest: Vec<usize> = (0..files.len()).filter(|i| all[*i].is_empty()).collect();
        let modules: Vec<String> = rest.iter().map(|i| format!("mod {};\n", files[*i].0)).collect();
        let modules = modules.concat();
        let root = toolchain.scratch.join("batch.rs");
        fs::write(&root, format!("#![forbid(unsafe_code)]\n#![allow(warnings)]\n{modules}"))
            .expect("the root");
        let report = toolchain.library(&root, &Config::ALL[0]);
        assert!(report.crash.is_none() && report.elsewhere.is_empty(), "{report:?}");
        let (before, mut of_shim) = (all.clone(), false);
        for i in rest {
            all[i] = report.messages.get(&path(&files[i].0)).cloned().unwrap_or_default();
            of_shim |= all[i].iter().any(|message| !message.starts_with('E'));
        }
        if report.success {
            return all;
        }
        assert!(before != all, "{report:?}");
        if !of_shim {
            return all;
        }
        // Only what shim says is final.
        for (now, before) in all.iter_mut().zip(before) {
            if before.is_empty() && now.iter().all(|message| message.starts_with('E')) {
                now.clear();
            }
        }
    }
}

#[test]
fn no_name_of_a_user_hides_one_of_an_expansion() {
    let variants: Vec<(String, String)> = fixtures()
        .iter()
        .flat_map(|fixture| {
            let hidden = hidden(fixture);
            hidden
                .into_iter()
                .map(|(role, text)| (format!("{}_{role}", fixture.name), text))
                .collect::<Vec<_>>()
        })
        .collect();
    let errors = check(&Toolchain::find("emitted"), &variants);
    let (mut failures, mut refused) = (Vec::new(), Vec::new());
    for ((name, _), errors) in variants.iter().zip(&errors) {
        if let Some(error) = errors.iter().find(|error| error.starts_with('E') || error.contains("captured"))
        {
            failures.push(format!("{name}: {error}"));
        } else if let Some(error) = errors.first() {
            refused.push(format!("{name}: {error}"));
        }
    }
    assert!(failures.is_empty(), "{} of {}:\n{}", failures.len(), variants.len(), failures.join("\n"));
    assert!(
        refused.len() * 10 <= variants.len(),
        "{} of {}:\n{}",
        refused.len(),
        variants.len(),
        refused.join("\n")
    );
}

#[test]
fn no_name_of_an_expansion_is_seen_by_a_user() {
    let fixtures: Vec<Fixture> =
        fixtures().into_iter().filter(|fixture| !fixture.locals.is_empty()).collect();
    let files: Vec<(String, String)> = fixtures
        .iter()
        .map(|fixture| {
            let uses: Vec<String> = fixture.locals.iter().map(|name| format!("let _ = &{name}; ")).collect();
            let text = around(&fixture.source, &Places::of(&fixture.source).ends, &uses.concat(), "");
            (fixture.name.clone(), module(&text))
        })
        .collect();
    let errors = check(&Toolchain::find("mentioned"), &files);
    let mut failures = Vec::new();
    for (fixture, errors) in fixtures.iter().zip(&errors) {
        for name in &fixture.locals {
            let missing = match name.as_str() {
                "shim" => "E0423: expected value, found crate `shim`".to_owned(),
                _ => format!("E0425: cannot find value `{name}` in this scope"),
            };
            if !errors.contains(&missing) {
                failures.push(format!("{}: `{name}`: {:?}", fixture.name, errors.first()));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
