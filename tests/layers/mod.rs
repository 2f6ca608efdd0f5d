//! Which file of a crate uses which: shared by the tests that keep modules in layers.
//!
//! Paths are resolved by their segments: modules are followed down, re-exports to where the item is. A file that only
//! re-exports an item does not use it.

#![allow(dead_code, reason = "each test uses a part")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// By file, the others that it uses; names are relative to the folder of sources.
pub(crate) type Uses = BTreeMap<String, BTreeSet<String>>;

/// Segments of a path.
type Segments = Vec<String>;

/// A module, in a file of its own or within its parent's.
#[derive(Default)]
struct Module {
    file: String,
    children: BTreeSet<String>,
    /// Imported names, and the paths that they stand for.
    imports: BTreeMap<String, Segments>,
    /// Imported names that are visible outside.
    exported: BTreeSet<String>,
    /// All other names, and paths of two segments or more.
    names: BTreeSet<String>,
    paths: BTreeSet<Segments>,
}

/// The modules of a crate by path.
#[derive(Default)]
struct Modules(BTreeMap<Segments, Module>);

/// Reads the sources of a crate whose root is `lib.rs`, without what is compiled for tests alone.
pub(crate) fn uses(src: &Path) -> Uses {
    let mut modules = Modules::default();
    modules.read_file(src, "lib.rs", Vec::new());
    let mut uses = Uses::new();
    for (path, module) in &modules.0 {
        let imports = module.imports.iter().filter(|(name, target)| {
            // The re-export of an item of a module below is no use of it.
            let below = modules.absolute(target, path).is_some_and(|target| target.starts_with(path));
            !(module.exported.contains(*name) && below) || module.names.contains(*name)
        });
        let own = uses.entry(module.file.clone()).or_default();
        for target in imports.map(|(_, target)| target).chain(&module.paths) {
            if let Some(file) = modules.file_of(target, path)
                && *file != module.file
            {
                own.insert(file.clone());
            }
        }
    }
    uses
}

/// The folders of the root that use one another; files in the root are left out.
pub(crate) fn folders(uses: &Uses) -> Uses {
    let folder = |file: &str| file.split_once('/').map(|(folder, _)| folder.to_owned());
    let mut found = Uses::new();
    for (file, used) in uses {
        let Some(own) = folder(file) else { continue };
        let others = used.iter().filter_map(|other| folder(other)).filter(|other| *other != own);
        found.entry(own.clone()).or_default().extend(others);
    }
    found
}

/// The files that need one another, in groups.
pub(crate) fn cycles(uses: &Uses) -> Vec<Vec<&str>> {
    let reached: BTreeMap<_, _> = uses.keys().map(|file| (&file[..], reach(uses, file))).collect();
    let mut groups = Vec::new();
    for (file, others) in &reached {
        let group: Vec<_> = others.iter().copied().filter(|other| reached[other].contains(file)).collect();
        // Each group is that of its first file.
        if group.first() == Some(file) {
            groups.push(group);
        }
    }
    groups
}

/// The files that a file uses, and those that they use.
fn reach<'u>(uses: &'u Uses, file: &'u str) -> BTreeSet<&'u str> {
    let (mut found, mut next) = (BTreeSet::new(), vec![file]);
    while let Some(file) = next.pop() {
        next.extend(uses[file].iter().map(String::as_str).filter(|other| found.insert(*other)));
    }
    found
}

impl Modules {
    fn read_file(&mut self, src: &Path, file: &str, path: Segments) {
        let text = std::fs::read_to_string(src.join(file)).unwrap_or_else(|error| panic!("{file}: {error}"));
        let tokens = text.parse().unwrap_or_else(|error| panic!("{file}: {error}"));
        self.read(src, file, path, tokens);
    }

    /// Reads the items of a module.
    fn read(&mut self, src: &Path, file: &str, path: Segments, tokens: TokenStream) {
        let mut module = Module { file: file.into(), ..Module::default() };
        let tokens: Vec<_> = tokens.into_iter().collect();
        let (mut rest, mut test, mut exported) = (&tokens[..], false, false);
        while let [first, others @ ..] = rest {
            rest = others;
            match (first, rest) {
                (TokenTree::Punct(hash), [TokenTree::Group(attribute), ..]) if hash.as_char() == '#' => {
                    test |= attribute.to_string().replace(' ', "") == "[cfg(test)]";
                    continue;
                }
                _ if test => {
                    if ends_item(first) {
                        test = false;
                    }
                    continue;
                }
                (TokenTree::Ident(word), _) if word == "pub" => {
                    exported = true;
                    continue;
                }
                (TokenTree::Group(within), _) if within.delimiter() == Delimiter::Parenthesis && exported => {
                    continue;
                }
                (TokenTree::Ident(word), _) if word == "use" => {
                    let end = rest.iter().position(ends_item_of_use).expect("a `;` ends a `use`");
                    module.import(&rest[..end], Vec::new(), exported);
                    rest = &rest[end..];
                }
                (TokenTree::Ident(word), [TokenTree::Ident(name), body, others @ ..]) if word == "mod" => {
                    let below = [&path[..], &[name.to_string()]].concat();
                    module.children.insert(name.to_string());
                    match body {
                        TokenTree::Group(body) => self.read(src, file, below, body.stream()),
                        _ => {
                            let stem = below.join("/");
                            let file = format!("{stem}.rs");
                            let file = if src.join(&file).exists() { file } else { format!("{stem}/mod.rs") };
                            self.read_file(src, &file, below);
                        }
                    }
                    rest = others;
                }
                _ => {
                    // As much as is up to the next item that is read by itself.
                    let paths = module.path_at(first, rest);
                    rest = &rest[paths..];
                }
            }
            exported = false;
        }
        self.0.insert(path, module);
    }

    /// A path from the root of the crate, if it is in it.
    fn absolute(&self, path: &[String], from: &[String]) -> Option<Segments> {
        let [first, rest @ ..] = path else { return Some(from.to_vec()) };
        match &first[..] {
            "crate" => Some(rest.to_vec()),
            "self" => Some([from, rest].concat()),
            "super" => {
                let (mut from, mut rest) = (from.split_last()?.1, rest);
                while let [again, others @ ..] = rest
                    && again == "super"
                {
                    (from, rest) = (from.split_last()?.1, others);
                }
                Some([from, rest].concat())
            }
            name => {
                let module = &self.0[from];
                if module.children.contains(name) {
                    return Some([from, path].concat());
                }
                let import = module.imports.get(name).filter(|import| import[0] != name)?;
                Some([self.absolute(import, from)?, rest.to_vec()].concat())
            }
        }
    }

    /// The file of the item that a path from a module names; none if that is a module, or is outside the crate.
    fn file_of(&self, path: &[String], from: &[String]) -> Option<&String> {
        let path = self.absolute(path, from)?;
        let mut depth = 0;
        while depth < path.len() && self.0[&path[..depth]].children.contains(&path[depth]) {
            depth += 1;
        }
        let (at, rest) = path.split_at(depth);
        let [name, ..] = rest else { return None };
        let module = &self.0[at];
        // A function may import what is beside it.
        match module.imports.get(name) {
            Some(import) if self.absolute(import, at).as_deref() != Some(&path[..=depth]) => {
                self.file_of(rest, at)
            }
            _ => Some(&module.file),
        }
    }
}

impl Module {
    /// Reads the tree of a `use`, up to its `;`.
    fn import(&mut self, tree: &[TokenTree], mut path: Segments, exported: bool) {
        let mut renamed = None;
        let mut rest = tree;
        while let [first, others @ ..] = rest {
            rest = others;
            match first {
                TokenTree::Group(group) => {
                    let group: Vec<_> = group.stream().into_iter().collect();
                    let comma =
                        |token: &TokenTree| matches!(token, TokenTree::Punct(p) if p.as_char() == ',');
                    for tree in group.split(comma).filter(|tree| !tree.is_empty()) {
                        self.import(tree, path.clone(), exported);
                    }
                    return;
                }
                // All names of a module, or of an enumeration.
                TokenTree::Punct(all) if all.as_char() == '*' => {
                    path.push("*".into());
                    self.paths.insert(path);
                    return;
                }
                TokenTree::Ident(word) if word == "as" => renamed = rest.first().map(ToString::to_string),
                TokenTree::Ident(word) if word == "self" && !path.is_empty() => {}
                TokenTree::Ident(word) if renamed.is_none() => path.push(word.to_string()),
                _ => {}
            }
        }
        let name = renamed.or_else(|| path.last().cloned()).expect("a `use` has a path");
        if exported {
            self.exported.insert(name.clone());
        }
        self.imports.insert(name, path);
    }

    /// Takes the path that begins with a token, or all within a group; returns how many tokens more it took.
    fn path_at(&mut self, first: &TokenTree, rest: &[TokenTree]) -> usize {
        match first {
            TokenTree::Group(group) => {
                let tokens: Vec<_> = group.stream().into_iter().collect();
                let mut rest = &tokens[..];
                while let [first, others @ ..] = rest {
                    rest = others;
                    if let TokenTree::Ident(word) = first
                        && word == "use"
                        && let Some(end) = rest.iter().position(ends_item_of_use)
                    {
                        self.import(&rest[..end], Vec::new(), false);
                        rest = &rest[end..];
                        continue;
                    }
                    rest = &rest[self.path_at(first, rest)..];
                }
                0
            }
            TokenTree::Ident(word) => {
                let (mut path, mut taken) = (vec![word.to_string()], 0);
                while let [TokenTree::Punct(a), TokenTree::Punct(b), TokenTree::Ident(next), ..] =
                    &rest[taken..]
                    && (a.as_char(), b.as_char()) == (':', ':')
                {
                    path.push(next.to_string());
                    taken += 3;
                }
                self.names.insert(path[0].clone());
                if path.len() > 1 {
                    self.paths.insert(path);
                }
                taken
            }
            _ => 0,
        }
    }
}

/// Whether an item that is left out ends with a token.
fn ends_item(token: &TokenTree) -> bool {
    match token {
        TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
        token => ends_item_of_use(token),
    }
}

fn ends_item_of_use(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == ';')
}
