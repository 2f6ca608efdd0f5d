//! Expansions as text.
//!
//! Text has no spans, by which rustc tells locals apart and finds the code that a message is about. An identifier of the
//! expansion therefore has the span of the first identifier of the call that has its text, and that of the macro if
//! there is none. The exceptions are written as *marks*: [`TOKEN`] and a number is that identifier of the call, and
//! [`OWN`] and a name is one of the macro. No other identifier begins like these: names of expansions
//! that are not hygienic begin with `__shim_`.

use proc_macro::{Delimiter, Group, Ident, Literal, Punct, Spacing, Span, TokenStream, TokenTree};

/// The prefix of the number of an identifier of the call.
pub(crate) const TOKEN: &str = "__shim0token_";
/// The prefix of the name of an identifier of the macro.
pub(crate) const OWN: &str = "__shim0own_";
/// The mark before a group that has no delimiters.
pub(crate) const GROUP: &str = "__shim0group";

/// Whether an identifier is a keyword that means the same whatever its span is. The one of `unsafe` is the macro's,
/// whose code rustc's lints do not report.
pub(crate) fn is_keyword(text: &str) -> bool {
    matches!(
        text,
        "as" | "async"
            | "await"
            | "break"
            | "const"
            | "continue"
            | "dyn"
            | "else"
            | "enum"
            | "extern"
            | "false"
            | "fn"
            | "for"
            | "if"
            | "impl"
            | "in"
            | "let"
            | "loop"
            | "match"
            | "mod"
            | "move"
            | "mut"
            | "pub"
            | "ref"
            | "return"
            | "static"
            | "struct"
            | "trait"
            | "true"
            | "type"
            | "unsafe"
            | "use"
            | "where"
            | "while"
    )
}

/// The delimiters of a group, if it has some.
pub(crate) fn delimiters(group: &Group) -> Option<[&'static str; 2]> {
    match group.delimiter() {
        Delimiter::Parenthesis => Some(["(", ")"]),
        Delimiter::Brace => Some(["{", "}"]),
        Delimiter::Bracket => Some(["[", "]"]),
        Delimiter::None => None,
    }
}

/// The text of an identifier, without `r#`.
pub(crate) fn plain(ident: &Ident) -> String {
    let text = ident.to_string();
    text.strip_prefix("r#").map(str::to_owned).unwrap_or(text)
}

/// A `compile_error!`.
pub(crate) fn error(message: &str) -> TokenStream {
    let span = Span::call_site();
    let mut arguments = Literal::string(message);
    arguments.set_span(span);
    let arguments = TokenStream::from(TokenTree::from(arguments));
    let tokens: [TokenTree; 8] = [
        Punct::new(':', Spacing::Joint).into(),
        Punct::new(':', Spacing::Alone).into(),
        Ident::new("core", span).into(),
        Punct::new(':', Spacing::Joint).into(),
        Punct::new(':', Spacing::Alone).into(),
        Ident::new("compile_error", span).into(),
        Punct::new('!', Spacing::Alone).into(),
        Group::new(Delimiter::Brace, arguments).into(),
    ];
    tokens.into_iter().collect()
}
