//! Which identifiers are one name.
//!
//! To rustc two identifiers of one text are different locals where they come from different expansions of
//! `macro_rules!`, and `r#n` and `n` are one. Names are compared here as rustc does, never by their text alone.

use std::collections::HashSet;

use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use syn::{Pat, PatIdent};

use crate::syntax::visit::{self, Visit};

/// A name: its text, and the expansion that its identifier comes from.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Name {
    /// The text, without `r#`.
    pub text: String,
    /// The number of the expansion, see [`syntax_context`].
    pub syntax_context: u32,
}

impl Name {
    /// The name that an identifier is.
    pub fn of(ident: &Ident) -> Self {
        Name { text: text(ident), syntax_context: syntax_context(ident.span()) }
    }
}

/// The text of an identifier, without `r#`.
pub fn text(ident: &Ident) -> String {
    let text = ident.to_string();
    match text.strip_prefix("r#") {
        Some(plain) => plain.to_owned(),
        None => text,
    }
}

/// The tokens that are no groups, those in groups among them, in their order.
pub(crate) fn leaves(tokens: TokenStream) -> impl Iterator<Item = TokenTree> {
    let mut open = vec![tokens.into_iter()];
    std::iter::from_fn(move || {
        loop {
            match open.last_mut()?.next() {
                Some(TokenTree::Group(group)) => open.push(group.stream().into_iter()),
                Some(leaf) => return Some(leaf),
                None => drop(open.pop()),
            }
        }
    })
}

/// The identifiers among tokens.
pub(crate) fn identifiers(tokens: TokenStream) -> impl Iterator<Item = Ident> {
    leaves(tokens).filter_map(|leaf| match leaf {
        TokenTree::Ident(ident) => Some(ident),
        _ => None,
    })
}

/// The identifiers among tokens that may name something in scope: not those of fields and methods.
pub(crate) fn free_identifiers(tokens: TokenStream) -> Vec<Ident> {
    let mut found: Vec<Ident> = Vec::new();
    let mut dots = 0;
    for leaf in leaves(tokens) {
        match leaf {
            TokenTree::Punct(punct) if punct.as_char() == '.' => dots += 1,
            TokenTree::Ident(ident) => {
                // `a.b` has one dot, `a..b` has two.
                if dots != 1 && !found.iter().any(|other| same(other, &ident)) {
                    found.push(ident);
                }
                dots = 0;
            }
            _ => dots = 0,
        }
    }
    found
}

/// A group with other contents.
pub(crate) fn regrouped(group: &Group, contents: TokenStream) -> TokenTree {
    let mut other = Group::new(group.delimiter(), contents);
    other.set_span(group.span());
    other.into()
}

/// Visits the texts of identifiers among tokens, and of the words that a format string may capture.
pub(crate) fn words(tokens: TokenStream, visit: &mut dyn FnMut(String)) {
    for leaf in leaves(tokens) {
        match leaf {
            TokenTree::Ident(ident) => visit(text(&ident)),
            TokenTree::Literal(literal) if literal.to_string().contains('{') => {
                let text = literal.to_string();
                text.split(|c: char| !(c.is_alphanumeric() || c == '_'))
                    .for_each(|word| visit(word.to_owned()));
            }
            _ => {}
        }
    }
}

/// The texts of identifiers among tokens, and of the words that a format string may capture.
pub(crate) fn word_set(tokens: TokenStream) -> HashSet<String> {
    let mut found = HashSet::new();
    words(tokens, &mut |word| {
        found.insert(word);
    });
    found
}

/// Whether an identifier of this text is among tokens, or may be in a literal.
pub(crate) fn mentions(tokens: TokenStream, name: &str) -> bool {
    leaves(tokens).any(|leaf| match leaf {
        TokenTree::Ident(ident) => text(&ident) == name,
        // An inlined argument of a format string.
        TokenTree::Literal(literal) => literal.to_string().contains(name),
        _ => false,
    })
}

/// Whether two identifiers are one name.
pub fn same(a: &Ident, b: &Ident) -> bool {
    text(a) == text(b) && syntax_context(a.span()) == syntax_context(b.span())
}

/// Tokens as text, indices without the spaces that tokens may have in between.
pub(crate) fn source_text(tokens: &TokenStream) -> String {
    let text = tokens.to_string();
    text.replace(" [[", "[[").replace(" [", "[").replace("[ ", "[").replace(" ]", "]").replace(" ,", ",")
}

/// The number of the expansion that a span comes from: 0 is the source itself, and whatever does not say.
///
/// rustc prints a span as `#12 bytes(..)`, with the number of its syntax context. Spans of one number resolve alike.
/// Spans of two numbers may, if a procedural macro made one of them: an expansion that relies on their being different
/// lets rustc confirm it.
pub fn syntax_context(span: Span) -> u32 {
    let printed = format!("{span:?}");
    let number = printed.strip_prefix('#').and_then(|rest| rest.split(' ').next());
    number.and_then(|number| number.parse().ok()).unwrap_or(0)
}

/// Whether an identifier is `$crate`, which always comes from an expansion and names no local.
pub fn is_dollar_crate(ident: &Ident) -> bool {
    ident == "$crate"
}

/// Whether all identifiers come from one expansion, so that their texts tell them apart.
pub fn is_uniform(tokens: &TokenStream) -> bool {
    let mut first = None;
    identifiers(tokens.clone()).all(|ident| {
        let found = syntax_context(ident.span());
        is_dollar_crate(&ident) || *first.get_or_insert(found) == found
    })
}

/// Tokens in which no identifier is spelled `r#name` where `name` alone would be the same.
pub fn unraw(tokens: TokenStream) -> TokenStream {
    tokens
        .into_iter()
        .map(|token| match token {
            TokenTree::Ident(ident) => {
                let plain = ident.to_string().strip_prefix("r#").and_then(plain);
                TokenTree::Ident(plain.map_or(ident.clone(), |text| Ident::new(&text, ident.span())))
            }
            TokenTree::Group(group) => regrouped(&group, unraw(group.stream())),
            other => other,
        })
        .collect()
}

/// The text of a name that is no keyword, in any edition.
fn plain(text: &str) -> Option<String> {
    const NEWER: &[&str] = &["async", "await", "dyn", "gen", "try"];
    (!NEWER.contains(&text) && syn::parse_str::<Ident>(text).is_ok()).then(|| text.to_owned())
}

/// What the identifiers begin with that the compiler and its expansions use among themselves.
pub const RESERVED: &str = "__shim";

/// What the identifiers begin with that stand for holes in a kernel's syntax tree.
pub const HOLE: &str = "__shim_hole_";

/// The argument of `Block::external` that marks a block whose length was checked where its memory was made.
pub const CHECKED: &str = "__shim_checked";

/// Whether expansions made a name.
pub fn is_reserved(name: &Ident) -> bool {
    text(name).starts_with(RESERVED)
}

/// The first identifier that begins with what is reserved, also in strings, which may be formats.
pub fn reserved(tokens: &TokenStream) -> Option<TokenTree> {
    leaves(tokens.clone()).find(|leaf| match leaf {
        TokenTree::Ident(ident) => text(ident).starts_with(RESERVED),
        TokenTree::Literal(literal) => literal.to_string().contains(HOLE),
        _ => false,
    })
}

/// Collects the names that the patterns it visits bind, in the user's spelling.
pub(crate) struct PatternNames(Vec<Ident>);

impl PatternNames {
    /// The names that the patterns bind that `visit` visits.
    pub(crate) fn of(visit: impl FnOnce(&mut Self)) -> Vec<Ident> {
        let mut names = PatternNames(Vec::new());
        visit(&mut names);
        names.0
    }
}

impl<'ast> Visit<'ast> for PatternNames {
    fn visit_pat_ident(&mut self, name: &'ast PatIdent) {
        self.0.push(name.ident.clone());
        visit::visit_pat_ident(self, name);
    }
}

/// The names that a pattern binds; a guard binds nothing.
pub(crate) fn bound_names(pattern: &Pat) -> Vec<Ident> {
    let pattern = if let Pat::Guard(guarded) = pattern { &guarded.pat } else { pattern };
    PatternNames::of(|names| names.visit_pat(pattern))
}
