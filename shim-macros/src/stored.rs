//! Finding the expansions that a crate has stored.

use std::collections::HashMap;
use std::fs;
use std::path::PathBuf;
use std::sync::OnceLock;

use proc_macro::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};

use crate::Macro;
use crate::key::{identifiers, key, name};
use crate::text::{GROUP, OWN, TOKEN, is_keyword, plain};

/// The environment variables that change what the compiler writes.
const COMPILER: [&str; 4] = ["SHIM_CHECKS", "SHIM_DUMP", "SHIM_NOTES", "SHIM_SCHEDULE"];

/// The expansion of a call.
///
/// # Errors
/// A sentence, when there is none.
pub(crate) fn find(
    called: Macro,
    attribute: &TokenStream,
    item: &TokenStream,
) -> Result<TokenStream, String> {
    if let Some(name) =
        COMPILER.iter().find(|name| std::env::var_os(name).is_some_and(|value| !value.is_empty()))
    {
        return Err(format!(
            "{name} is set, and shim is built without its compiler\nhelp: enable its feature `compiler`"
        ));
    }
    let records = RECORDS.get_or_init(Records::read).as_ref().map_err(String::clone)?;
    let Some(text) = records.texts.get(&key(called, attribute, item)) else {
        return Err(format!(
            "the expansion of `{}` is not in {}, and shim is built without its compiler\nhelp: run `shim expand --store`, or enable \
             the feature `compiler` of shim",
            name(item),
            records.file.display(),
        ));
    };
    let tokens =
        text.parse::<TokenStream>().map_err(|error| format!("{}: {error}", records.file.display()))?;
    let call = identifiers(attribute, item);
    let mut spans = HashMap::new();
    for ident in &call {
        let text = plain(ident);
        if !is_keyword(&text) {
            spans.entry(text).or_insert_with(|| ident.span());
        }
    }
    Ok(Restorer { call, spans }.tokens(tokens))
}

/// The expansions of this crate: rustc runs all its macros in one process.
static RECORDS: OnceLock<Result<Records, String>> = OnceLock::new();

struct Records {
    file: PathBuf,
    texts: HashMap<u64, String>,
}

impl Records {
    fn read() -> Result<Self, String> {
        let variable = |name| std::env::var(name).unwrap_or_default();
        let file = PathBuf::from(variable("CARGO_MANIFEST_DIR"))
            .join("expanded")
            .join(format!("{}.tokens", variable("CARGO_CRATE_NAME")));
        let text = fs::read_to_string(&file).map_err(|error| {
            format!(
                "shim is built without its compiler, and {} cannot be read: {error}\nhelp: enable the feature `compiler` of shim, or run \
                 `shim expand --store`",
                file.display(),
            )
        })?;
        let texts = records(&text).ok_or_else(|| format!("{} is damaged", file.display()))?;
        Ok(Records { file, texts })
    }
}

/// The texts of a file by their keys.
fn records(mut file: &str) -> Option<HashMap<u64, String>> {
    let mut texts = HashMap::new();
    while !file.is_empty() {
        let (head, rest) = file.strip_prefix("//@ ")?.split_once('\n')?;
        let mut fields = head.rsplit(' ');
        let length: usize = fields.next()?.parse().ok()?;
        let key = u64::from_str_radix(fields.next()?, 16).ok()?;
        texts.insert(key, rest.get(..length)?.to_owned());
        file = rest.get(length..)?.strip_prefix('\n')?;
    }
    Some(texts)
}

/// Gives the tokens of a text their spans.
struct Restorer {
    /// The identifiers of the call.
    call: Vec<Ident>,
    /// The span of the first one that has a text.
    spans: HashMap<String, Span>,
}

impl Restorer {
    fn tokens(&self, tokens: TokenStream) -> TokenStream {
        let mut out = TokenStream::new();
        let mut bare = false;
        for mut token in tokens {
            let token = match &token {
                TokenTree::Ident(ident) if ident.to_string() == GROUP => {
                    bare = true;
                    continue;
                }
                TokenTree::Ident(ident) => self.ident(ident).into(),
                TokenTree::Group(group) => {
                    let delimiter = if bare { Delimiter::None } else { group.delimiter() };
                    let mut group = Group::new(delimiter, self.tokens(group.stream()));
                    group.set_span(Span::mixed_site());
                    group.into()
                }
                TokenTree::Punct(_) | TokenTree::Literal(_) => {
                    token.set_span(Span::mixed_site());
                    token
                }
            };
            bare = false;
            out.extend([token]);
        }
        out
    }

    fn ident(&self, ident: &Ident) -> Ident {
        let text = ident.to_string();
        if let Some(number) = text.strip_prefix(TOKEN)
            && let Some(ident) = number.parse::<usize>().ok().and_then(|number| self.call.get(number))
        {
            return ident.clone();
        }
        if let Some(name) = text.strip_prefix(OWN) {
            return Ident::new(name, Span::mixed_site());
        }
        let span = self.spans.get(&plain(ident)).copied().unwrap_or_else(Span::mixed_site);
        let mut ident = ident.clone();
        ident.set_span(span);
        ident
    }
}
