//! The encoders touch samples, coefficients, vectors and modes in kernels. A function outside of kernels that indexes
//! memory, or in the core of an encoder runs over it, is on a list with a reason; the lines of a reason only become
//! fewer, and the share of kernels in the core only rises.
//!
//! `SHIM_UPDATE_OUTSIDE=1` writes the numbers of the list anew where they are better than before.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use syn::spanned::Spanned as _;
use syn::visit::{self, Visit};

const LIST: &str = "tests/outside_kernels.txt";

/// The encoders, and what in each is no part of its core: syntax, formats, rate control, memory that threads share, and
/// what a user calls.
const ENCODERS: [(&str, &[&str]); 2] = [
    (
        "shim-h264/src",
        &[
            "syntax/",
            "rate/",
            "bitstream/",
            "gop.rs",
            "level.rs",
            "headers.rs",
            "encoder.rs",
            "batch.rs",
            "plan.rs",
            "slot.rs",
            "queue.rs",
            "picture/reference.rs",
            "tune.rs",
            "config.rs",
            "control.rs",
            "error.rs",
            "lib.rs",
            "frame.rs",
            "color.rs",
            "conversion.rs",
            "pool.rs",
            "random.rs",
            "decide/preset.rs",
            "decide/random.rs",
        ],
    ),
    (
        "shim-jpeg/src",
        &[
            "format/",
            "input/",
            "syntax.rs",
            "settings.rs",
            "encoder.rs",
            "error.rs",
            "lib.rs",
            "pool.rs",
            "random.rs",
            "threads.rs",
        ],
    ),
];

/// What the encoders share: it counts in each of them.
const SHARED: &str = "shim-codec/src";

/// Methods that run over memory, cut it or copy it.
const OVER_MEMORY: [&str; 24] = [
    "iter",
    "iter_mut",
    "zip",
    "chunks",
    "chunks_mut",
    "chunks_exact",
    "chunks_exact_mut",
    "as_chunks",
    "as_chunks_mut",
    "copy_from_slice",
    "clone_from_slice",
    "fill",
    "fill_with",
    "split_at",
    "split_at_mut",
    "split_off",
    "split_off_mut",
    "split_first",
    "split_last",
    "rotate_left",
    "rotate_right",
    "windows",
    "step_by",
    "each_mut",
];

/// The Rust sources below a folder.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// Whether an item is compiled for tests alone.
fn is_test(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("test")
            || attribute.path().is_ident("cfg")
                && attribute.parse_args::<syn::Ident>().is_ok_and(|condition| condition == "test")
    })
}

/// Whether a function is a kernel.
fn is_kernel(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let path: Vec<_> =
            attribute.path().segments.iter().map(|segment| segment.ident.to_string()).collect();
        path == ["shim", "kernel"]
    })
}

/// Whether a path is a constant or a static, by its case.
fn names_constant(path: &syn::ExprPath) -> bool {
    path.path.segments.last().is_some_and(|last| {
        last.ident.to_string().chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_')
    })
}

/// Whether an index is known when the program is compiled.
fn is_constant(index: &syn::Expr) -> bool {
    match index {
        syn::Expr::Lit(_) => true,
        syn::Expr::Path(path) => names_constant(path),
        syn::Expr::Range(range) => {
            [&range.start, &range.end].into_iter().flatten().all(|end| is_constant(end))
        }
        syn::Expr::Binary(binary) => is_constant(&binary.left) && is_constant(&binary.right),
        syn::Expr::Paren(paren) => is_constant(&paren.expr),
        _ => false,
    }
}

/// A function.
struct Function {
    /// `Type::name`, or its name alone.
    name: String,
    /// Lines of code, its attributes among them.
    lines: usize,
    is_kernel: bool,
    /// Whether it indexes by what is known only when it runs, or runs over memory.
    touches: bool,
}

/// The functions of a file.
struct Functions<'f> {
    /// The lines of the file.
    lines: Vec<&'f str>,
    /// Whether methods that run over memory count.
    is_core: bool,
    /// The types around, and whether the functions around touch memory.
    types: Vec<String>,
    around: Vec<bool>,
    found: Vec<Function>,
}

impl Functions<'_> {
    fn function(&mut self, attributes: &[syn::Attribute], name: &syn::Ident, body: &syn::Block) {
        if is_test(attributes) {
            return;
        }
        let start = attributes.iter().map(|attribute| attribute.span().start().line).min();
        let start = start.unwrap_or_else(|| name.span().start().line);
        let lines = &self.lines[start - 1..body.span().end().line];
        let is_code = |line: &&&str| !line.trim().is_empty() && !line.trim().starts_with("//");
        let lines = lines.iter().filter(is_code).count();
        self.around.push(false);
        visit::visit_block(self, body);
        let touches = self.around.pop().unwrap_or(false);
        // A function in another one is part of it.
        if self.around.is_empty() {
            let name = match self.types.last() {
                Some(own) => format!("{own}::{name}"),
                None => name.to_string(),
            };
            self.found.push(Function { name, lines, is_kernel: is_kernel(attributes), touches });
        } else if touches && !is_kernel(attributes) {
            self.touched();
        }
    }

    fn touched(&mut self) {
        if let Some(touches) = self.around.last_mut() {
            *touches = true;
        }
    }
}

impl<'a> Visit<'a> for Functions<'_> {
    fn visit_item_mod(&mut self, module: &'a syn::ItemMod) {
        if !is_test(&module.attrs) {
            visit::visit_item_mod(self, module);
        }
    }

    fn visit_item_impl(&mut self, block: &'a syn::ItemImpl) {
        if is_test(&block.attrs) {
            return;
        }
        let own = match &*block.self_ty {
            syn::Type::Path(path) => path.path.segments.last().map(|last| last.ident.to_string()),
            _ => None,
        };
        self.types.push(own.unwrap_or_else(|| "impl".to_owned()));
        visit::visit_item_impl(self, block);
        self.types.pop();
    }

    fn visit_item_trait(&mut self, item: &'a syn::ItemTrait) {
        self.types.push(item.ident.to_string());
        visit::visit_item_trait(self, item);
        self.types.pop();
    }

    // Evaluated when the program is compiled.
    fn visit_item_const(&mut self, _: &'a syn::ItemConst) {}
    fn visit_impl_item_const(&mut self, _: &'a syn::ImplItemConst) {}
    fn visit_item_static(&mut self, _: &'a syn::ItemStatic) {}

    fn visit_item_fn(&mut self, function: &'a syn::ItemFn) {
        self.function(&function.attrs, &function.sig.ident, &function.block);
    }

    fn visit_impl_item_fn(&mut self, function: &'a syn::ImplItemFn) {
        self.function(&function.attrs, &function.sig.ident, &function.block);
    }

    fn visit_trait_item_fn(&mut self, function: &'a syn::TraitItemFn) {
        if let Some(body) = &function.default {
            self.function(&function.attrs, &function.sig.ident, body);
        }
    }

    fn visit_expr_index(&mut self, expression: &'a syn::ExprIndex) {
        let mut memory = &*expression.expr;
        while let syn::Expr::Index(inner) = memory {
            memory = &inner.expr;
        }
        // Tables of the standard are no memory of a picture.
        let table = matches!(memory, syn::Expr::Path(path) if names_constant(path));
        if !table && !is_constant(&expression.index) {
            self.touched();
        }
        visit::visit_expr_index(self, expression);
    }

    fn visit_expr_method_call(&mut self, call: &'a syn::ExprMethodCall) {
        if self.is_core && OVER_MEMORY.iter().any(|name| call.method == name) {
            self.touched();
        }
        visit::visit_expr_method_call(self, call);
    }
}

/// What the sources of the encoders have.
#[derive(Default)]
struct Census {
    /// `file function` of those outside of kernels that touch memory, with their lines.
    outside: BTreeMap<String, usize>,
    /// Lines of kernels and of all functions in the core of each encoder.
    core: [(usize, usize); 2],
}

fn census(root: &Path) -> Census {
    let mut census = Census::default();
    for ((folder, apart), core) in ENCODERS.into_iter().zip(&mut census.core) {
        let mut files = Vec::new();
        sources(&root.join(folder), &mut files);
        sources(&root.join(SHARED), &mut files);
        files.sort();
        for file in files {
            let name = file.strip_prefix(root).expect("below the root").to_string_lossy().replace('\\', "/");
            if name.ends_with("/tests.rs") || name.ends_with("/testing.rs") {
                continue;
            }
            let (_, below) = name.split_once("/src/").expect("a file of a crate");
            let is_core = !apart.iter().any(|prefix| below.starts_with(prefix));
            let text = fs::read_to_string(&file).expect("a source");
            let mut functions = Functions {
                lines: text.lines().collect(),
                is_core,
                types: Vec::new(),
                around: Vec::new(),
                found: Vec::new(),
            };
            functions.visit_file(&syn::parse_file(&text).unwrap_or_else(|error| panic!("{name}: {error}")));
            for function in functions.found {
                if is_core {
                    core.0 += if function.is_kernel { function.lines } else { 0 };
                    core.1 += function.lines;
                }
                // Functions that are shared are on the list once.
                let is_listed = name.starts_with(folder) || folder == ENCODERS[0].0;
                if function.touches && !function.is_kernel && is_listed {
                    *census.outside.entry(format!("{name} {}", function.name)).or_default() += function.lines;
                }
            }
        }
    }
    census
}

/// The list: the share of kernels in per mille by encoder, the reasons with their lines, and the functions with their
/// reasons.
struct Listed {
    shares: BTreeMap<String, usize>,
    reasons: BTreeMap<String, (usize, String)>,
    functions: BTreeMap<String, String>,
    comments: String,
}

impl Listed {
    fn read(text: &str) -> Self {
        let (mut shares, mut reasons, mut functions) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        let mut comments = String::new();
        for line in text.lines().filter(|line| !line.is_empty()) {
            if line.starts_with('#') {
                comments.push_str(line);
                comments.push('\n');
            } else if let Some(share) = line.strip_prefix("share ") {
                let (encoder, share) = share.split_once(' ').expect("an encoder and its share");
                shares.insert(encoder.to_owned(), share.parse().expect("per mille"));
            } else if let Some((reason, meaning)) = line.split_once(": ") {
                let (reason, lines) = reason.split_once(' ').expect("a reason and its lines");
                reasons.insert(reason.to_owned(), (lines.parse().expect("lines"), meaning.to_owned()));
            } else {
                let (function, reason) = line.rsplit_once(' ').expect("a function and its reason");
                functions.insert(function.to_owned(), reason.to_owned());
            }
        }
        Self { shares, reasons, functions, comments }
    }

    fn write(&self) -> String {
        let mut text = format!("{}\n", self.comments);
        for (encoder, share) in &self.shares {
            writeln!(text, "share {encoder} {share}").expect("memory");
        }
        text.push('\n');
        for (reason, (lines, meaning)) in &self.reasons {
            writeln!(text, "{reason} {lines}: {meaning}").expect("memory");
        }
        text.push('\n');
        for (function, reason) in &self.functions {
            writeln!(text, "{function} {reason}").expect("memory");
        }
        text
    }
}

#[test]
fn what_is_outside_of_kernels_has_a_reason_and_becomes_less() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut listed = Listed::read(&fs::read_to_string(root.join(LIST)).expect("the list"));
    let census = census(root);
    let mut wrong = String::new();
    let mut lines: BTreeMap<&str, usize> = BTreeMap::new();
    for (function, own) in &census.outside {
        match listed.functions.get(function) {
            Some(reason) if listed.reasons.contains_key(reason) => *lines.entry(reason).or_default() += own,
            Some(reason) => writeln!(wrong, "{function}: {reason:?} is no reason").expect("memory"),
            None => writeln!(wrong, "{function}: not in {LIST}").expect("memory"),
        }
    }
    for function in listed.functions.keys().filter(|function| !census.outside.contains_key(*function)) {
        writeln!(wrong, "{function}: in {LIST}, and touches no memory").expect("memory");
    }
    let lines: BTreeMap<String, usize> =
        lines.into_iter().map(|(reason, lines)| (reason.to_owned(), lines)).collect();
    for (reason, (most, _)) in &mut listed.reasons {
        let own = lines.get(reason).copied().unwrap_or(0);
        if own > *most {
            writeln!(wrong, "{reason}: {own} lines, more than the {most} before").expect("memory");
        }
        *most = own.min(*most);
    }
    for ((folder, _), (kernels, all)) in ENCODERS.into_iter().zip(census.core) {
        let encoder = folder.trim_end_matches("/src");
        let least = listed.shares.entry(encoder.to_owned()).or_default();
        let share = 1000 * kernels / all;
        if share < *least {
            writeln!(
                wrong,
                "{encoder}: {share} per mille of its core are kernels, less than the {least} before"
            )
            .expect("memory");
        }
        *least = share.max(*least);
    }
    eprintln!("{:?}", census.core);
    assert!(wrong.is_empty(), "{wrong}");
    if std::env::var_os("SHIM_UPDATE_OUTSIDE").is_some() {
        fs::write(root.join(LIST), listed.write()).expect("the list is written");
    }
}
