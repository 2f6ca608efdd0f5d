//! The macros of std whose arguments are staged like any other expression.

use std::collections::HashSet;

use syn::parse::{ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::{Block, Expr, Item, Macro, Pat, Token};

use crate::hygiene;
use crate::syntax::visit::Visit;

/// Macros whose arguments are expressions with commas between them, and the number of the one that is a format string.
const LISTS: &[(&str, Option<usize>)] = &[
    ("assert", Some(1)),
    ("assert_eq", Some(2)),
    ("assert_ne", Some(2)),
    ("dbg", None),
    ("debug_assert", Some(1)),
    ("debug_assert_eq", Some(2)),
    ("debug_assert_ne", Some(2)),
    ("eprint", Some(0)),
    ("eprintln", Some(0)),
    ("format", Some(0)),
    ("format_args", Some(0)),
    ("panic", Some(0)),
    ("print", Some(0)),
    ("println", Some(0)),
    ("todo", Some(0)),
    ("unimplemented", Some(0)),
    ("unreachable", Some(0)),
    ("vec", None),
    ("write", Some(1)),
    ("writeln", Some(1)),
];

/// Other macros in the prelude.
const OTHERS: &[&str] = &[
    "cfg",
    "column",
    "compile_error",
    "concat",
    "env",
    "file",
    "include",
    "include_bytes",
    "include_str",
    "line",
    "matches",
    "module_path",
    "option_env",
    "stringify",
    "thread_local",
    "try",
];

/// The arguments of a macro call.
#[derive(Clone, Debug)]
pub enum MacroArguments {
    /// `name!(a, b)`, and which argument is a format string.
    List(Vec<Expr>, Option<usize>),
    /// `vec![value; len]`
    Repeat(Box<Expr>, Box<Expr>),
    /// `matches!(value, pattern if guard)`; a guard is a `Pat::Guard`.
    Matches(Box<Expr>, Box<Pat>),
}

impl MacroArguments {
    /// Visits the expressions and the pattern.
    pub(crate) fn visit(&self, visitor: &mut impl for<'ast> Visit<'ast>) {
        self.parts().for_each(|expr| visitor.visit_expr(expr));
        if let Self::Matches(_, pattern) = self {
            visitor.visit_pat(pattern);
        }
    }

    /// The expressions among them.
    pub fn parts(&self) -> impl Iterator<Item = &Expr> {
        let (list, pair) = match self {
            Self::List(list, _) => (&list[..], [None, None]),
            Self::Repeat(value, length) => (&[][..], [Some(&**value), Some(&**length)]),
            Self::Matches(value, _) => (&[][..], [Some(&**value), None]),
        };
        list.iter().chain(pair.into_iter().flatten())
    }
}

/// The names of the macros that a block defines, which are not std's whatever they are called.
pub fn defined(block: &Block) -> HashSet<String> {
    struct Definitions(HashSet<String>);
    impl<'ast> Visit<'ast> for Definitions {
        fn visit_item(&mut self, item: &'ast Item) {
            if let Item::Macro(definition) = item
                && let Some(name) = &definition.ident
            {
                self.0.insert(hygiene::text(name));
            }
        }
    }
    let mut found = Definitions(HashSet::new());
    found.visit_block(block);
    found.0
}

/// The arguments of a call of one of std's expression macros, if it is one and they parse.
pub fn arguments(mac: &Macro) -> Option<MacroArguments> {
    let name = mac.path.segments.last()?.ident.to_string();
    // `std::println!` and `core::assert!` are the same macros; `log::debug!` is not.
    let known_root = match mac.path.segments.len() {
        1 => mac.path.leading_colon.is_none(),
        2 => matches!(mac.path.segments[0].ident.to_string().as_str(), "std" | "core" | "alloc"),
        _ => false,
    };
    if !known_root {
        return None;
    }
    if name == "matches" {
        let parse = |input: ParseStream| {
            let value: Expr = input.parse()?;
            input.parse::<Token![,]>()?;
            let mut pattern = Pat::parse_multi_with_leading_vert(input)?;
            if input.peek(Token![if]) {
                pattern = Pat::Guard(syn::PatGuard {
                    attrs: Vec::new(),
                    pat: Box::new(pattern),
                    if_token: input.parse()?,
                    guard: input.parse()?,
                });
            }
            input.parse::<Option<Token![,]>>()?;
            Ok(MacroArguments::Matches(Box::new(value), Box::new(pattern)))
        };
        return parse.parse2(mac.tokens.clone()).ok();
    }
    let (_, format) = LISTS.iter().find(|(known, _)| *known == name)?;
    if name == "vec" {
        let parse = |input: ParseStream| {
            let value = input.parse()?;
            input.parse::<Token![;]>()?;
            Ok(MacroArguments::Repeat(Box::new(value), Box::new(input.parse()?)))
        };
        if let Ok(repeat) = parse.parse2(mac.tokens.clone()) {
            return Some(repeat);
        }
    }
    let list = Punctuated::<Expr, Token![,]>::parse_terminated.parse2(mac.tokens.clone()).ok()?;
    // What std's macro would not take is another's.
    let is_format = |argument: &Expr| match argument {
        Expr::Lit(literal) => matches!(literal.lit, syn::Lit::Str(_)),
        Expr::Macro(_) => true,
        _ => false,
    };
    if format.and_then(|at| list.iter().nth(at)).is_some_and(|argument| !is_format(argument)) {
        return None;
    }
    Some(MacroArguments::List(list.into_iter().collect(), *format))
}

/// Whether every module knows a macro of this name without an import.
pub fn is_prelude_macro(name: &str) -> bool {
    LISTS.iter().any(|(known, _)| *known == name) || OTHERS.contains(&name)
}

/// The names of the macros of which arguments are staged.
pub fn names() -> impl Iterator<Item = &'static str> {
    LISTS.iter().map(|(name, _)| *name).chain(["matches"])
}

/// The names that a format string captures: `"{y}, {width$}"`.
pub fn inline_captures(argument: Option<&Expr>) -> Vec<String> {
    let Some(Expr::Lit(literal)) = argument else { return Vec::new() };
    let syn::Lit::Str(text) = &literal.lit else { return Vec::new() };
    let text = text.value();
    let mut names: Vec<String> = Vec::new();
    let mut note = |name: &str| {
        let starts = name.chars().next().is_some_and(|c| c.is_alphabetic() || c == '_');
        if starts && name.chars().all(|c| c.is_alphanumeric() || c == '_') && !names.iter().any(|n| n == name)
        {
            names.push(name.to_owned());
        }
    };
    let mut rest = text.as_str();
    while let Some(open) = rest.find('{') {
        rest = &rest[open + 1..];
        if let Some(after) = rest.strip_prefix('{') {
            rest = after;
            continue;
        }
        let Some(close) = rest.find('}') else { break };
        let (name, format) = rest[..close].split_once(':').unwrap_or((&rest[..close], ""));
        note(name.trim());
        // `{:width$.precision$}` capture as well.
        for part in format.split(['.', '<', '>', '^', '+', '#']) {
            if let Some(argument) = part.split('$').next().filter(|_| part.contains('$')) {
                note(argument);
            }
        }
        rest = &rest[close + 1..];
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;
    use syn::parse_quote;

    #[test]
    fn captures_are_read_from_the_string() {
        let text: Expr = parse_quote!("{{}} {x} {y:>w$.p$} {} {0} {z:?}");
        assert_eq!(inline_captures(Some(&text)), ["x", "y", "w", "p", "z"]);
    }
}
