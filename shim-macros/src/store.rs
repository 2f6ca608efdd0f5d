//! Writing the expansions of a crate to the file in which `stored.rs` finds them.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;
use std::sync::Mutex;

use proc_macro::{Ident, Spacing, Span, TokenStream, TokenTree};

use crate::Macro;
use crate::key::{identifiers, key, name};
use crate::text::{GROUP, OWN, TOKEN, delimiters, is_keyword, plain};

/// How long a line is at most, unless one token is longer.
const COLUMNS: usize = 120;

/// Whether expansions are stored, by `shim expand --store`.
pub(crate) fn is_wanted() -> bool {
    std::env::var_os("SHIM_STORE").is_some_and(|wanted| !wanted.is_empty())
}

/// The records of this crate so far: rustc runs all its macros in one process.
static RECORDS: Mutex<BTreeMap<(String, u64), String>> = Mutex::new(BTreeMap::new());

/// Adds an expansion to the file of the crate.
///
/// # Errors
/// A sentence, when it cannot be written.
pub(crate) fn record(
    called: Macro,
    attribute: &TokenStream,
    item: &TokenStream,
    expansion: &TokenStream,
) -> Result<(), String> {
    let key = key(called, attribute, item);
    let mut writer = Writer::new(identifiers(attribute, item));
    writer.tokens(expansion.clone());
    let text = writer.text;
    let title = format!("{} {}", called.name(), name(item));
    let record = format!("//@ {title} {key:016x} {}\n{text}\n", text.len());
    let mut records = RECORDS.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    records.insert((title, key), record);
    let all: String = records.values().map(String::as_str).collect();
    let file = file()?;
    let written = file.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| fs::write(&file, all));
    written.map_err(|error| format!("SHIM_STORE: {}: {error}", file.display()))
}

/// The file of the crate, in the folder that is wanted. A relative one is beside the manifest.
fn file() -> Result<PathBuf, String> {
    let variable =
        |name| std::env::var(name).map_err(|_| format!("SHIM_STORE: Cargo sets {name}, and it is not set"));
    let folder = PathBuf::from(variable("CARGO_MANIFEST_DIR")?).join(variable("SHIM_STORE")?);
    Ok(folder.join(format!("{}.tokens", variable("CARGO_CRATE_NAME")?)))
}

struct Writer {
    text: String,
    column: usize,
    /// The first identifier of the call that has a text, by its syntax context.
    first: HashMap<String, String>,
    /// The number of the first one that has a text and a syntax context.
    numbers: HashMap<(String, String), usize>,
}

impl Writer {
    fn new(call: Vec<Ident>) -> Self {
        let (mut first, mut numbers) = (HashMap::new(), HashMap::new());
        for (number, ident) in call.iter().enumerate() {
            let (text, context) = (plain(ident), syntax_context(ident.span()));
            first.entry(text.clone()).or_insert_with(|| context.clone());
            numbers.entry((text, context)).or_insert(number);
        }
        Writer { text: String::new(), column: 0, first, numbers }
    }

    fn tokens(&mut self, tokens: TokenStream) {
        for token in tokens {
            match token {
                TokenTree::Ident(ident) => self.ident(&ident),
                TokenTree::Literal(literal) => self.token(&literal.to_string(), true),
                TokenTree::Punct(punct) => {
                    let mut bytes = [0; 4];
                    self.token(punct.as_char().encode_utf8(&mut bytes), punct.spacing() == Spacing::Alone);
                }
                TokenTree::Group(group) => {
                    let [open, close] = delimiters(&group).unwrap_or_else(|| {
                        self.token(GROUP, true);
                        ["(", ")"]
                    });
                    self.token(open, true);
                    self.tokens(group.stream());
                    self.token(close, true);
                }
            }
        }
    }

    fn ident(&mut self, ident: &Ident) {
        let (text, context) = (plain(ident), syntax_context(ident.span()));
        let follows_rule = match self.first.get(&text) {
            Some(first) => text != "$crate" && *first == context,
            None => true,
        };
        if is_keyword(&text) || follows_rule {
            return self.token(&ident.to_string(), true);
        }
        match self.numbers.get(&(text.clone(), context)) {
            Some(number) => self.token(&format!("{TOKEN}{number}"), true),
            None => self.token(&format!("{OWN}{text}"), true),
        }
    }

    /// A token, and whether it ends before the next one begins.
    fn token(&mut self, token: &str, alone: bool) {
        if self.column + token.len() > COLUMNS && self.text.ends_with(' ') {
            self.text.pop();
            self.text.push('\n');
            self.column = 0;
        }
        let _ = write!(self.text, "{token}{}", if alone { " " } else { "" });
        self.column += token.len() + usize::from(alone);
    }
}

/// The expansion that a span comes from, which rustc prints as in `#12 bytes(..)`.
fn syntax_context(span: Span) -> String {
    let printed = format!("{span:?}");
    printed.split(' ').next().unwrap_or_default().to_owned()
}
