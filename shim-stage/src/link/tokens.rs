//! Token streams made fit for the way through `macro_rules!`.

use proc_macro2::{Delimiter, Group, Ident, Punct, Spacing, Span, TokenStream, TokenTree};
use syn::Expr;

use crate::hygiene;

/// Removes the invisible delimiters that macro fragments leave.
///
/// Macro matching does not keep them, so that `$e * 3` with an `$e` of `1 + 2` would become `1 + 2 * 3` on the way.
/// Where the contents are an expression that binds less tightly than a postfix operator, they become parentheses.
pub fn ungroup(tokens: TokenStream) -> TokenStream {
    let mut out = TokenStream::new();
    for tree in tokens {
        match tree {
            TokenTree::Group(group) => {
                let inner = ungroup(group.stream());
                let delimiter = match group.delimiter() {
                    Delimiter::None if binds_loosely(&inner) => Delimiter::Parenthesis,
                    Delimiter::None => {
                        out.extend(inner);
                        continue;
                    }
                    other => other,
                };
                let mut regrouped = Group::new(delimiter, inner);
                regrouped.set_span(group.span());
                out.extend([TokenTree::Group(regrouped)]);
            }
            other => out.extend([other]),
        }
    }
    out
}

/// How deep brackets may stand in one another: the syntax tree is walked by functions that call themselves.
pub const MAX_NESTING: usize = 128;

/// How many operators may stand on the way from a function to a part of an expression, for the same reason.
const MAX_CHAIN: usize = 512;

/// The first token that stands in more than `levels` brackets, or too far along a chain of operators.
pub fn nested_below(tokens: &TokenStream, levels: usize) -> Option<TokenTree> {
    deeper(tokens, levels, 0)
}

/// The tokens without what stands in more than `levels` brackets.
pub fn cut(tokens: &TokenStream, levels: usize) -> TokenStream {
    let shallow = |tree| match tree {
        TokenTree::Group(group) => {
            let inner = levels.checked_sub(1).map(|below| cut(&group.stream(), below));
            hygiene::regrouped(&group, inner.unwrap_or_default())
        }
        other => other,
    };
    tokens.clone().into_iter().map(shallow).collect()
}

/// The same as [`nested_below`] for what stands in brackets behind `base` operators.
fn deeper(tokens: &TokenStream, levels: usize, base: usize) -> Option<TokenTree> {
    let mut chain = base;
    // `else if` is a chain of its own, which goes on behind braces.
    let mut branches = 0;
    let mut last: Option<TokenTree> = None;
    for tree in tokens.clone() {
        let after = |delimiters: &[Delimiter]| match &last {
            Some(TokenTree::Group(group)) => delimiters.contains(&group.delimiter()),
            _ => false,
        };
        let after_word = |word: &str| matches!(&last, Some(TokenTree::Ident(own)) if own == word);
        // A statement ends at a brace, unless an operator takes its value.
        let goes_on = match &tree {
            TokenTree::Punct(punct) => punct.as_char() != '#',
            TokenTree::Ident(ident) => ident == "as",
            TokenTree::Group(_) | TokenTree::Literal(_) => false,
        };
        if after(&[Delimiter::Brace]) && !goes_on {
            chain = base;
        }
        match &tree {
            TokenTree::Group(group) => {
                // `f()()` and `t[i][j]`.
                if after(&[Delimiter::Parenthesis, Delimiter::Bracket]) {
                    chain += 1;
                }
                let Some(levels) = levels.checked_sub(1) else { return Some(tree) };
                if let Some(deep) = deeper(&group.stream(), levels, chain + branches) {
                    return Some(deep);
                }
                if after_word("else") {
                    branches = 0;
                }
            }
            TokenTree::Punct(punct) => match punct.as_char() {
                ';' | ',' => chain = base,
                // An arm of a `match`, which needs no comma.
                '>' if matches!(&last, Some(TokenTree::Punct(own)) if own.as_char() == '=' && own.spacing() == Spacing::Joint) =>
                {
                    chain = base;
                }
                _ => chain += 1,
            },
            TokenTree::Ident(ident) => {
                let nests = ["as", "break", "if", "in", "let", "match", "return", "while", "yield"];
                if ident == "if" {
                    branches = if after_word("else") { branches + 1 } else { 0 };
                }
                chain += usize::from(nests.iter().any(|word| ident == word));
            }
            TokenTree::Literal(_) => {}
        }
        if chain + branches > MAX_CHAIN {
            return Some(tree);
        }
        last = Some(tree);
    }
    None
}

/// Whether these tokens are an expression whose neighbors could tear it apart. Types and patterns that parse as one,
/// such as `&T` and `A | B`, may stand in parentheses as well.
fn binds_loosely(tokens: &TokenStream) -> bool {
    // Most fragments are a single token; none of these needs anything.
    if tokens.clone().into_iter().nth(1).is_none() {
        return false;
    }
    match syn::parse2::<Expr>(tokens.clone()) {
        Ok(expr) => matches!(
            expr,
            Expr::Assign(_)
                | Expr::Binary(_)
                | Expr::Break(_)
                | Expr::Cast(_)
                | Expr::Closure(_)
                | Expr::Range(_)
                | Expr::RawAddr(_)
                | Expr::Reference(_)
                | Expr::Return(_)
                | Expr::Unary(_)
        ),
        Err(_) => false,
    }
}

/// Makes tokens survive in the body of a `macro_rules!` rule whose metavariable `dollar` is bound to `$`.
///
/// Every `$` becomes that metavariable, and `crate::` becomes `$crate::`: paths mean the crate where they were
/// written. `pub(crate)` stays, since it has no `::`.
pub(super) fn embed(tokens: TokenStream, dollar: &Ident) -> TokenStream {
    let mut out = TokenStream::new();
    let mut trees = tokens.into_iter().peekable();
    while let Some(tree) = trees.next() {
        match tree {
            TokenTree::Punct(punct) if punct.as_char() == '$' => {
                // A `$crate` in a macro that the template defines: it means the template's crate as well.
                let is_crate = matches!(trees.peek(), Some(TokenTree::Ident(ident)) if ident == "crate");
                let next = trees.next_if(|_| is_crate);
                out.extend([TokenTree::Punct(sigil(punct.span()))]);
                out.extend([next.unwrap_or_else(|| TokenTree::Ident(dollar.clone()))]);
            }
            TokenTree::Ident(ident) if ident == "crate" => {
                let heads_path = matches!(trees.peek(), Some(TokenTree::Punct(punct))
                    if punct.as_char() == ':' && punct.spacing() == Spacing::Joint);
                if heads_path {
                    out.extend([TokenTree::Punct(sigil(ident.span()))]);
                }
                out.extend([TokenTree::Ident(ident)]);
            }
            TokenTree::Group(group) => {
                out.extend([hygiene::regrouped(&group, embed(group.stream(), dollar))]);
            }
            other => out.extend([other]),
        }
    }
    out
}

/// A `$`.
pub(super) fn sigil(span: Span) -> Punct {
    let mut punct = Punct::new('$', Spacing::Alone);
    punct.set_span(span);
    punct
}

/// A name for the exported macro that no other template has, in this crate or another.
///
/// The place alone is not enough: build systems other than Cargo may compile two crates whose files have the same
/// relative path, and a macro can define templates of one name at one place in several modules.
pub(super) fn mangled(name: &Ident, item: &TokenStream) -> Ident {
    use syn::ext::IdentExt as _;
    let span = name.span();
    let mut hash = Fnv::new();
    for variable in ["CARGO_PKG_NAME", "CARGO_PKG_VERSION", "CARGO_CRATE_NAME"] {
        hash.write(&std::env::var(variable).unwrap_or_default());
    }
    hash.write(&span.file());
    hash.write(&item.to_string());
    hash.write(&expansion(span));
    let start = span.start();
    let name = name.unraw();
    Ident::new(&format!("__shim_{name}_{:016x}_{}_{}", hash.0, start.line, start.column + 1), span)
}

/// The number of a mangled name.
pub(super) fn number(mangled: &Ident) -> u64 {
    let mut hash = Fnv::new();
    hash.write(&mangled.to_string());
    hash.0
}

/// The expansion that a span comes from; empty for code written by hand. It is the only thing that differs between two
/// uses of one macro.
fn expansion(span: Span) -> String {
    match hygiene::syntax_context(span) {
        0 => String::new(),
        number => number.to_string(),
    }
}

/// The hash of Fowler, Noll and Vo: the standard library's may change between versions of the compiler.
struct Fnv(u64);

impl Fnv {
    fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    fn write(&mut self, text: &str) {
        // The zero byte keeps `ab` and `c` from being `a` and `bc`.
        for byte in text.bytes().chain([0]) {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

/// The number of tokens.
pub(super) fn count(tokens: TokenStream) -> usize {
    let own = |token| match token {
        TokenTree::Group(group) => 1 + count(group.stream()),
        TokenTree::Ident(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => 1,
    };
    tokens.into_iter().map(own).sum()
}

/// Tokens that mean what they do, and are shown at another place.
pub(super) fn located_at(tokens: TokenStream, place: Span) -> TokenStream {
    let there = |tree: TokenTree| {
        let mut tree = match tree {
            TokenTree::Group(group) => {
                Group::new(group.delimiter(), located_at(group.stream(), place)).into()
            }
            other => other,
        };
        tree.set_span(tree.span().located_at(place));
        tree
    };
    tokens.into_iter().map(there).collect()
}
