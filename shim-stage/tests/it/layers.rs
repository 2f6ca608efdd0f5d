//! Modules of the compiler use only those before them, so that no two of them need each other.

#[path = "../../../tests/layers/mod.rs"]
mod files;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use syn::visit::{self, Visit};

/// Types that traits of std and of the runtime ask for.
const ASSOCIATED: &[&str] = &["Item", "IntoIter", "Output", "Rows", "Reborrowed", "View", "RowsMut"];

/// The modules, each after all that it may use.
const LAYERS: &[&str] = &[
    "syntax",
    "hygiene",
    "symbolic",
    "static_eval",
    "surface",
    "ir",
    "diagnostics",
    "parse",
    "link",
    "locate",
    "stand_in",
    "bind",
    "regions",
    "check",
    "tabulate",
    "depend",
    "schedule",
    "idiom",
    "clear",
    "split",
    "advice",
    "hoisted",
    "verify",
    "place",
    "mutability",
    "dead",
    "overflow",
    "print",
    "summary",
    "emit",
    "stage",
];

/// The layer of a file; none of the root.
fn layer(file: &str) -> Option<usize> {
    let own = file.split(['/', '.']).next().unwrap_or_default();
    let level = LAYERS.iter().position(|layer| *layer == own);
    (own != "lib").then(|| level.unwrap_or_else(|| panic!("`{own}` is no layer: add it to the list")))
}

#[test]
fn modules_use_only_those_before_them() {
    let mut wrong = Vec::new();
    for (file, used) in files::uses(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src")) {
        let Some(level) = layer(&file) else { continue };
        wrong.extend(
            used.iter()
                .filter(|other| layer(other).is_some_and(|other| other > level))
                .map(|other| format!("{file} uses {other}, which comes after it")),
        );
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The rooms that the emitter uses: no pass, and no prover.
const PRINTED: &[&str] =
    &["syntax", "hygiene", "symbolic", "static_eval", "ir", "parse", "overflow", "stand_in", "print", "emit"];

#[test]
fn the_emitter_uses_no_pass() {
    let uses = files::uses(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"));
    let emit = uses.iter().filter(|(file, _)| file.starts_with("emit/"));
    let wrong: Vec<_> = emit
        .flat_map(|(file, used)| used.iter().map(move |other| (file, other)))
        .filter(|(_, other)| !PRINTED.contains(&other.split(['/', '.']).next().unwrap_or_default()))
        .collect();
    assert!(wrong.is_empty(), "{wrong:?}");
}

/// The rooms of the binder, each after all whose items and methods it may use.
const ROOMS: &[&str] = &[
    "mod",
    "types",
    "walk",
    "names",
    "kinds",
    "effects",
    "arithmetic",
    "tensors",
    "templates",
    "loops",
    "rust",
    "entry",
];

/// The recursion over the syntax tree: what any room may ask of a room above it, because expressions, statements and
/// patterns hold one another.
const RECURSION: &[&str] = &[
    "block",
    "closure",
    "expression",
    "pattern",
    "place",
    "remaining",
    "statements",
    // An index may ask a tensor for its extents, and a tensor may be what a template returns.
    "query_value",
    "returned",
];

/// The room of a file in `bind/`.
fn room(file: &str) -> usize {
    let own = file.split(['/', '.']).next().unwrap_or_default();
    ROOMS
        .iter()
        .position(|room| *room == own)
        .unwrap_or_else(|| panic!("`bind/{own}` is no room: add it to the list"))
}

/// The methods of the binder that a syntax tree declares and calls.
#[derive(Default)]
struct Methods {
    declared: BTreeSet<String>,
    called: BTreeSet<String>,
    /// Whether `self` is a binder.
    in_binder: bool,
}

impl<'ast> Visit<'ast> for Methods {
    fn visit_item_mod(&mut self, _: &'ast syn::ItemMod) {}

    fn visit_item_impl(&mut self, item: &'ast syn::ItemImpl) {
        self.in_binder = matches!(&*item.self_ty, syn::Type::Path(ty)
            if ty.path.segments.last().is_some_and(|last| last.ident == "Binder"));
        if self.in_binder && item.trait_.is_none() {
            self.declared.extend(item.items.iter().filter_map(|item| match item {
                syn::ImplItem::Fn(method) => Some(method.sig.ident.to_string()),
                _ => None,
            }));
        }
        visit::visit_item_impl(self, item);
        self.in_binder = false;
    }

    fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
        let is_binder = match &*call.receiver {
            syn::Expr::Path(path) => {
                self.in_binder && path.path.is_ident("self") || path.path.is_ident("binder")
            }
            // The field of a visitor.
            syn::Expr::Field(field) => match &field.member {
                syn::Member::Named(name) => name == "binder",
                syn::Member::Unnamed(index) => index.index == 0 && !self.in_binder,
            },
            _ => false,
        };
        if is_binder {
            self.called.insert(call.method.to_string());
        }
        visit::visit_expr_method_call(self, call);
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let segments: Vec<&syn::Ident> = path.segments.iter().map(|segment| &segment.ident).collect();
        if let [.., ty, method] = segments[..]
            && ty == "Binder"
        {
            self.called.insert(method.to_string());
        }
        visit::visit_path(self, path);
    }
}

/// A room of the binder calls those below it, and those above only to go down the syntax tree.
#[test]
fn rooms_of_the_binder_call_downward() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files: BTreeMap<String, Methods> = BTreeMap::new();
    let mut wrong = Vec::new();
    for (file, used) in files::uses(&source) {
        let Some(own) = file.strip_prefix("bind/") else { continue };
        for other in used.iter().filter_map(|other| other.strip_prefix("bind/")) {
            // The binder holds what is known of names and of the walk.
            if own != "mod.rs" && room(other) > room(own) {
                wrong.push(format!("{own} uses {other}, which comes after it"));
            }
        }
        let text = std::fs::read_to_string(source.join(&file)).expect("text");
        let mut methods = Methods::default();
        methods.visit_file(&syn::parse_file(&text).expect("Rust"));
        files.insert(own.to_owned(), methods);
    }
    for (own, Methods { called, .. }) in &files {
        for method in called.iter().filter(|method| !RECURSION.contains(&method.as_str())) {
            let declaring = files.iter().filter(|(_, other)| other.declared.contains(method));
            if declaring.map(|(file, _)| room(file)).min().is_some_and(|lowest| lowest > room(own)) {
                wrong.push(format!("{own} calls `{method}`, which comes after it"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The names of the types that a file declares at the beginning of a line of its own, in functions as well.
fn declared(text: &str) -> impl Iterator<Item = &str> {
    let tests = text.find("#[cfg(test)]\nmod tests {").unwrap_or(text.len());
    text[..tests].lines().filter_map(|line| {
        let line = line.trim_start();
        let line = match line.strip_prefix("pub") {
            Some(rest) if rest.starts_with('(') => rest.split_once(") ")?.1,
            Some(rest) => rest.trim_start(),
            None => line,
        };
        let name = ["struct ", "enum ", "trait ", "type "].iter().find_map(|word| line.strip_prefix(word))?;
        let name = name.split(|c: char| !c.is_alphanumeric()).next()?;
        // Types that expansions declare have interpolated names.
        name.starts_with(char::is_uppercase).then_some(name)
    })
}

/// A reader meets each type under a name of its own.
#[test]
fn no_two_types_have_one_name() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut places: BTreeMap<String, BTreeSet<PathBuf>> = BTreeMap::new();
    let mut open = vec![source];
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder of the source") {
            let path = entry.expect("an entry").path();
            if path.is_dir() && !path.ends_with("tests") {
                open.push(path);
            } else if path.extension().is_some_and(|ext| ext == "rs") && !path.ends_with("tests.rs") {
                let text = std::fs::read_to_string(&path).expect("text");
                for name in declared(&text).filter(|name| !ASSOCIATED.contains(name)) {
                    places.entry(name.to_owned()).or_default().insert(path.clone());
                }
            }
        }
    }
    let twice: Vec<_> = places.into_iter().filter(|(_, places)| places.len() > 1).collect();
    assert!(twice.is_empty(), "{twice:#?}");
}
