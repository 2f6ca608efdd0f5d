//! The encoders touch samples, coefficients, vectors and modes in kernels. What indexes memory outside of one stands in a list, with a
//! reason for each function.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use syn::visit::{self, Visit};

const LIST: &str = "tests/outside_kernels.txt";

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

/// Whether an item is a kernel, or compiled for tests alone.
fn is_left_out(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let path: Vec<_> =
            attribute.path().segments.iter().map(|segment| segment.ident.to_string()).collect();
        let test = || attribute.parse_args::<syn::Ident>().is_ok_and(|condition| condition == "test");
        match path.iter().map(String::as_str).collect::<Vec<_>>()[..] {
            ["shim", "kernel"] | ["test"] => true,
            ["cfg"] => test(),
            _ => false,
        }
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

/// Functions that index something by what is known only when they run.
#[derive(Default)]
struct Indexing {
    /// The functions around, of which the last indexes or does not.
    around: Vec<(String, bool)>,
    found: Vec<String>,
}

impl Indexing {
    fn function(&mut self, name: &syn::Ident, body: &syn::Block) {
        self.around.push((name.to_string(), false));
        visit::visit_block(self, body);
        if let Some((name, true)) = self.around.pop() {
            self.found.push(name);
        }
    }
}

impl<'a> Visit<'a> for Indexing {
    fn visit_item_mod(&mut self, module: &'a syn::ItemMod) {
        if !is_left_out(&module.attrs) {
            visit::visit_item_mod(self, module);
        }
    }

    fn visit_item_impl(&mut self, block: &'a syn::ItemImpl) {
        if !is_left_out(&block.attrs) {
            visit::visit_item_impl(self, block);
        }
    }

    // Evaluated when the program is compiled.
    fn visit_item_const(&mut self, _: &'a syn::ItemConst) {}
    fn visit_impl_item_const(&mut self, _: &'a syn::ImplItemConst) {}
    fn visit_item_static(&mut self, _: &'a syn::ItemStatic) {}

    fn visit_item_fn(&mut self, function: &'a syn::ItemFn) {
        if !is_left_out(&function.attrs) {
            self.function(&function.sig.ident, &function.block);
        }
    }

    fn visit_impl_item_fn(&mut self, function: &'a syn::ImplItemFn) {
        if !is_left_out(&function.attrs) {
            self.function(&function.sig.ident, &function.block);
        }
    }

    fn visit_trait_item_fn(&mut self, function: &'a syn::TraitItemFn) {
        if let Some(body) = &function.default {
            self.function(&function.sig.ident, body);
        }
    }

    fn visit_expr_index(&mut self, expression: &'a syn::ExprIndex) {
        let mut memory = &*expression.expr;
        while let syn::Expr::Index(inner) = memory {
            memory = &inner.expr;
        }
        // Tables of the standard are no memory of a picture.
        let table = matches!(memory, syn::Expr::Path(path) if names_constant(path));
        if let Some((_, indexes)) = self.around.last_mut() {
            *indexes |= !table && !is_constant(&expression.index);
        }
        visit::visit_expr_index(self, expression);
    }
}

/// `file function` of all functions outside of kernels that index, in the order of the files.
fn indexing(root: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for folder in ["shim-h264/src", "shim-jpeg/src"] {
        let mut files = Vec::new();
        sources(&root.join(folder), &mut files);
        files.sort();
        for file in files {
            let name = file.strip_prefix(root).expect("below the root").to_string_lossy().replace('\\', "/");
            if name.ends_with("/tests.rs") || name.ends_with("/testing.rs") {
                continue;
            }
            let text = fs::read_to_string(&file).expect("a source");
            let mut indexing = Indexing::default();
            indexing.visit_file(&syn::parse_file(&text).unwrap_or_else(|error| panic!("{name}: {error}")));
            let mut functions = indexing.found;
            functions.dedup();
            found.extend(functions.into_iter().map(|function| format!("{name} {function}")));
        }
    }
    found
}

#[test]
fn every_function_that_indexes_has_a_reason() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = fs::read_to_string(root.join(LIST)).expect("the list");
    let (reasons, listed): (Vec<_>, Vec<_>) = text
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .partition(|line| line.contains(": "));
    let reasons: BTreeMap<_, _> = reasons.iter().filter_map(|line| line.split_once(": ")).collect();
    let listed: BTreeMap<_, _> = listed.iter().filter_map(|line| line.rsplit_once(' ')).collect();
    let found = indexing(root);
    let mut wrong = String::new();
    for function in &found {
        match listed.get(function.as_str()) {
            Some(reason) if reasons.contains_key(reason) => {}
            Some(reason) => writeln!(wrong, "{function}: {reason:?} is no reason").expect("memory"),
            None => writeln!(wrong, "{function}: not in {LIST}").expect("memory"),
        }
    }
    for function in listed.keys().filter(|listed| !found.iter().any(|found| found == *listed)) {
        writeln!(wrong, "{function}: in {LIST}, and indexes nothing").expect("memory");
    }
    assert!(wrong.is_empty(), "{wrong}");
}
