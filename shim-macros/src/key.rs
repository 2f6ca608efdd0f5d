//! Which call of a macro an expansion belongs to.

use proc_macro::{Ident, TokenStream, TokenTree};

use crate::Macro;
use crate::text::delimiters;

/// A hash of a call: the tokens of its attribute and its item, as rustc of any version has them. Documentation, whose
/// form depends on that version, and groups without delimiters, which macros by example leave, do not count.
pub(crate) fn key(called: Macro, attribute: &TokenStream, item: &TokenStream) -> u64 {
    let mut hash = Fnv::default();
    hash.text(called.name());
    hash.tokens(attribute.clone());
    hash.text("item");
    hash.tokens(item.clone());
    hash.0
}

/// The identifiers of a call, in their order.
pub(crate) fn identifiers(attribute: &TokenStream, item: &TokenStream) -> Vec<Ident> {
    fn collect(tokens: TokenStream, out: &mut Vec<Ident>) {
        for token in tokens {
            match token {
                TokenTree::Ident(ident) => out.push(ident),
                TokenTree::Group(group) => collect(group.stream(), out),
                TokenTree::Punct(_) | TokenTree::Literal(_) => {}
            }
        }
    }
    let mut out = Vec::new();
    collect(attribute.clone(), &mut out);
    collect(item.clone(), &mut out);
    out
}

/// The name of the item of a call.
pub(crate) fn name(item: &TokenStream) -> String {
    let mut tokens = item.clone().into_iter();
    let introduced = tokens.any(|token| {
        matches!(&token, TokenTree::Ident(ident) if ["fn", "struct", "const"].contains(&&*ident.to_string()))
    });
    match tokens.next() {
        Some(TokenTree::Ident(name)) if introduced => name.to_string(),
        _ => "chain".to_owned(),
    }
}

/// FNV-1a with 64 bits.
struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Self {
        Fnv(0xcbf2_9ce4_8422_2325)
    }
}

impl Fnv {
    /// A text and its end.
    fn text(&mut self, text: &str) {
        for byte in text.bytes().chain([0xff]) {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    fn tokens(&mut self, tokens: TokenStream) {
        let mut tokens = tokens.into_iter().peekable();
        while let Some(token) = tokens.next() {
            match token {
                TokenTree::Punct(punct)
                    if punct.as_char() == '#' && tokens.peek().is_some_and(is_documentation) =>
                {
                    tokens.next();
                }
                TokenTree::Punct(punct) => self.text(punct.as_char().encode_utf8(&mut [0; 4])),
                TokenTree::Ident(ident) => self.text(&ident.to_string()),
                TokenTree::Literal(literal) => self.text(&literal.to_string()),
                TokenTree::Group(group) => match delimiters(&group) {
                    Some([open, close]) => {
                        self.text(open);
                        self.tokens(group.stream());
                        self.text(close);
                    }
                    None => self.tokens(group.stream()),
                },
            }
        }
    }
}

/// Whether a token is the `[doc = ".."]` of an attribute.
fn is_documentation(token: &TokenTree) -> bool {
    let TokenTree::Group(group) = token else { return false };
    let mut tokens = group.stream().into_iter();
    matches!(tokens.next(), Some(TokenTree::Ident(name)) if name.to_string() == "doc")
        && matches!(tokens.next(), Some(TokenTree::Punct(punct)) if punct.as_char() == '=')
}
