//! A file of annotated items, expanded as rustc would: the part of rustc, which finds the macros that carry
//! templates, located structs and constants and chains them, is played here.

use std::collections::BTreeMap;

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use shim_stage::Recorder;
use shim_stage::summary::Summary;
use syn::{Attribute, ImplItem, Item, Meta};

/// What became of an annotated function.
pub(crate) enum Expanded {
    /// A template: it is staged where it is called.
    Template,
    /// A kernel, or errors and its signature.
    Kernel(TokenStream),
}

/// The templates, located structs and staged constants that are known so far.
#[derive(Default)]
pub(crate) struct World {
    /// By the item's name: what its macro appends to a chain.
    bundles: BTreeMap<String, TokenStream>,
    /// Keeps the summaries of kernels, where somebody wants them: they take time.
    recorder: Option<Recorder>,
}

impl World {
    /// Expands one annotated function to its end.
    ///
    /// `None` when it calls what is no template here, which rustc would report.
    pub(crate) fn expand(&mut self, attribute: TokenStream, item: TokenStream) -> Option<Expanded> {
        let mut tokens = match &self.recorder {
            Some(recorder) => recorder.kernel(attribute, item),
            None => shim_stage::kernel(attribute, item),
        };
        loop {
            // Neither a link of a chain nor a template.
            let mut trees = tokens.clone().into_iter();
            if !trees.any(|tree| matches!(tree, TokenTree::Punct(mark) if mark.as_char() == '!')) {
                return Some(Expanded::Kernel(tokens));
            }
            let Ok(file) = syn::parse2::<syn::File>(tokens.clone()) else {
                return Some(Expanded::Kernel(tokens));
            };
            if let [Item::Macro(definition), Item::Use(import), Item::Fn(_), ..] = &file.items[..]
                && definition.ident.is_some()
            {
                self.export(definition, import)?;
                return Some(Expanded::Template);
            }
            // A kernel with schedules is a chain for each.
            let links =
                |item: &Item| matches!(item, Item::Macro(call) if call.ident.is_none() && is_link(&call.mac));
            if !file.items.iter().any(links) {
                return Some(Expanded::Kernel(tokens));
            }
            tokens = TokenStream::new();
            for item in &file.items {
                match item {
                    Item::Macro(call) if links(item) => tokens.extend(self.step(&call.mac)?),
                    item => item.to_tokens(&mut tokens),
                }
            }
        }
    }

    /// Takes in what a located struct or a staged constant expands to, whose macro is there also when it has errors;
    /// whether it has none.
    pub(crate) fn declare(&mut self, mut expansion: TokenStream) -> bool {
        let file = loop {
            let Ok(file) = syn::parse2::<syn::File>(expansion) else { return false };
            match &file.items[..] {
                // Located structs among the fields of one arrive first.
                [Item::Macro(call)] if call.ident.is_none() && is_link(&call.mac) => {
                    let Some(next) = self.step(&call.mac) else { return false };
                    expansion = next;
                }
                _ => break file,
            }
        };
        let (mut definition, mut errors, mut exported) = (None, false, 0);
        for item in &file.items {
            match (item, definition) {
                (Item::Macro(item), _) if item.ident.is_some() => definition = Some(item),
                (Item::Macro(_), _) => errors = true,
                // A struct that is cut into rows exports that of its rows too.
                (Item::Use(import), Some(definition)) => {
                    exported += usize::from(self.export(definition, import).is_some());
                }
                _ => {}
            }
        }
        exported > 0 && !errors
    }

    /// Makes the macro known that carries an item.
    fn export(&mut self, definition: &syn::ItemMacro, import: &syn::ItemUse) -> Option<()> {
        let name = import.to_token_stream().to_string();
        let name = name.trim_end_matches([' ', ';']).rsplit(' ').next()?.to_owned();
        self.bundles.insert(name, bundle(definition.mac.tokens.clone())?);
        Some(())
    }

    /// Expands one call of the chain.
    fn step(&self, mac: &syn::Macro) -> Option<TokenStream> {
        let last = mac.path.segments.last()?.ident.to_string();
        if last == "resume" {
            let tokens = mac.tokens.clone();
            return Some(match &self.recorder {
                Some(recorder) => recorder.resume(tokens),
                None => shim_stage::resume(tokens),
            });
        }
        let bundle = self.bundles.get(&last)?;
        let mut trees = mac.tokens.clone().into_iter();
        let sigil = trees.next()?;
        let TokenTree::Group(list) = trees.next()? else { return None };
        let mut paths = list.stream().into_iter();
        let TokenTree::Group(next) = paths.next()? else { return None };
        let next = next.stream();
        Some(quote!(#next ! { #sigil [ #(#paths)* ] #(#trees)* #bundle }))
    }
}

/// Whether an item macro belongs to the chain: the state travels behind a `$`.
fn is_link(mac: &syn::Macro) -> bool {
    let last = mac.path.segments.last().is_some_and(|segment| segment.ident == "resume");
    let mut trees = mac.tokens.clone().into_iter();
    last || matches!(trees.next(), Some(TokenTree::Punct(sigil)) if sigil.as_char() == '$')
}

/// What the first rule of an exported macro appends, as it arrives at a caller.
fn bundle(definition: TokenStream) -> Option<TokenStream> {
    fn last_group(tokens: TokenStream) -> Option<TokenStream> {
        let groups = tokens.into_iter().filter_map(|tree| match tree {
            TokenTree::Group(group) => Some(group.stream()),
            _ => None,
        });
        groups.last()
    }
    let rules: Vec<TokenTree> = definition.into_iter().collect();
    // matcher `=` `>` transcriber `;` ..
    let Some(TokenTree::Group(transcriber)) = rules.get(3) else { return None };
    let bundle = transcribe(last_group(last_group(transcriber.stream())?)?);
    Some(Group::new(Delimiter::Brace, bundle).into_token_stream())
}

/// What `macro_rules!` makes of the fragments that a transcriber mentions: `$shim_dollar` is a `$`, `$crate` a crate.
fn transcribe(tokens: TokenStream) -> TokenStream {
    let mut trees = tokens.into_iter().peekable();
    let mut out = TokenStream::new();
    while let Some(tree) = trees.next() {
        match tree {
            TokenTree::Punct(punct) if punct.as_char() == '$' => match trees.peek() {
                Some(TokenTree::Ident(ident)) if ident == "shim_dollar" => {
                    trees.next();
                    out.extend([TokenTree::Punct(punct)]);
                }
                Some(TokenTree::Ident(ident)) if ident == "crate" => {
                    trees.next();
                    out.extend(quote!(crate));
                }
                _ => out.extend([TokenTree::Punct(punct)]),
            },
            TokenTree::Group(group) => {
                out.extend([TokenTree::Group(Group::new(group.delimiter(), transcribe(group.stream())))]);
            }
            other => out.extend([other]),
        }
    }
    out
}

/// A kernel of a file.
pub(crate) struct Kernel {
    pub(crate) name: String,
    /// What it expands to; none if it calls a template, or takes a located struct, of another file.
    pub(crate) expansion: Option<TokenStream>,
    /// The summary of each of its schedules.
    #[allow(dead_code, reason = "the page of `playground/` shows it")]
    pub(crate) summaries: Vec<Summary>,
}

/// Expands every annotated item of a file, methods included: the name and the expansion of each kernel in the order of
/// the file.
///
/// # Errors
/// The file is not Rust.
pub(crate) fn expand_file(source: &str) -> syn::Result<Vec<(String, Option<TokenStream>)>> {
    let kernels = World::default().kernels_of(source)?;
    Ok(kernels.into_iter().map(|kernel| (kernel.name, kernel.expansion)).collect())
}

/// The same with the summaries of the kernels.
///
/// # Errors
/// The file is not Rust.
#[allow(dead_code, reason = "the page of `playground/` shows them")]
pub(crate) fn summarized(source: &str) -> syn::Result<Vec<Kernel>> {
    World { recorder: Some(Recorder::default()), ..World::default() }.kernels_of(source)
}

impl World {
    fn kernels_of(mut self, source: &str) -> syn::Result<Vec<Kernel>> {
        let (mut functions, mut structs) = (Vec::new(), Vec::new());
        for item in syn::parse_file(source)?.items {
            match item {
                Item::Fn(function) => {
                    functions.push((function.to_token_stream(), function.sig.ident.to_string()));
                }
                Item::Impl(block) => {
                    for item in &block.items {
                        if let ImplItem::Fn(method) = item {
                            functions.push((method.to_token_stream(), method.sig.ident.to_string()));
                        }
                    }
                }
                Item::Struct(mut item) => {
                    if let Some(arguments) = taken(&mut item.attrs, "located") {
                        structs.push(shim_stage::located(arguments, item.into_token_stream()));
                    }
                }
                Item::Const(mut item) => {
                    if let Some(arguments) = taken(&mut item.attrs, "constant") {
                        self.declare(shim_stage::constant(arguments, item.into_token_stream()));
                    }
                }
                _ => {}
            }
        }
        // A struct may be above those among its fields.
        loop {
            let before = structs.len();
            structs.retain(|expansion| !self.declare(expansion.clone()));
            if structs.len() == before {
                break;
            }
        }
        let annotated =
            functions.into_iter().filter_map(|(function, name)| Some((annotated(function)?, name)));
        let mut left: Vec<_> = annotated.enumerate().collect();
        let mut kernels = BTreeMap::new();
        // A template may be below its callers: what it calls has to be known first.
        loop {
            let before = left.len();
            left.retain(|(place, ((attribute, function), name))| {
                match self.expand(attribute.clone(), function.clone()) {
                    Some(Expanded::Kernel(tokens)) => {
                        let summaries = self.recorder.as_ref().map(Recorder::take).unwrap_or_default();
                        let kernel = Kernel { name: name.clone(), expansion: Some(tokens), summaries };
                        kernels.insert(*place, kernel);
                    }
                    Some(Expanded::Template) => {}
                    None => return true,
                }
                false
            });
            if left.len() == before {
                break;
            }
        }
        let foreign = |name| Kernel { name, expansion: None, summaries: Vec::new() };
        kernels.extend(left.into_iter().map(|(place, (_, name))| (place, foreign(name))));
        Ok(kernels.into_values().collect())
    }
}

/// The arguments of `#[shim::kernel(..)]` on a function, and the function without it.
fn annotated(function: TokenStream) -> Option<(TokenStream, TokenStream)> {
    let mut function: syn::ItemFn = syn::parse2(function).ok()?;
    let arguments = taken(&mut function.attrs, "kernel")?;
    Some((arguments, function.into_token_stream()))
}

/// The arguments of the attribute of that name, which is taken off.
fn taken(attributes: &mut Vec<Attribute>, name: &str) -> Option<TokenStream> {
    let is_it =
        |attribute: &Attribute| attribute.path().segments.last().is_some_and(|segment| segment.ident == name);
    let at = attributes.iter().position(is_it)?;
    Some(match attributes.remove(at).meta {
        Meta::List(list) => list.tokens,
        _ => TokenStream::new(),
    })
}
