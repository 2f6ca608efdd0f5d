//! The compiler of shim for a page: a file of Rust in, the expansions of its kernels and their errors out, as JSON.
//!
//! It is built for `wasm32-unknown-unknown`, and called from a worker: see `src/worker.ts` in the folder above.

#[path = "../../../shim-stage/tests/common/world.rs"]
mod world;

use proc_macro2::{Span, TokenStream};
use serde::Serialize;
use syn::visit::{self, Visit};

/// What became of a file.
#[derive(Debug, Default, Serialize)]
pub struct Expansions {
    /// The kernels, in the order of the file.
    pub kernels: Vec<Kernel>,
    /// What is wrong.
    pub errors: Vec<Error>,
}

/// A kernel and what it expands to.
#[derive(Debug, Serialize)]
pub struct Kernel {
    /// Its name.
    pub name: String,
    /// Formatted Rust; none if it calls a template, or takes a located struct, of another file.
    pub expansion: Option<String>,
}

/// An error and where it is.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct Error {
    /// With a line of help.
    pub message: String,
    /// The line and the column where it begins, from 1 and from 0.
    pub from: [usize; 2],
    /// The line and the column behind its end.
    pub to: [usize; 2],
}

impl Error {
    fn new(message: String, span: Span) -> Self {
        let (start, end) = (span.start(), span.end());
        Error { message, from: [start.line, start.column], to: [end.line, end.column] }
    }

    fn all_of(error: &syn::Error) -> impl Iterator<Item = Self> {
        error.into_iter().map(|part| Self::new(part.to_string(), part.span()))
    }
}

/// Expands each kernel of a file.
#[must_use]
pub fn expand(source: &str) -> Expansions {
    let mut found = Expansions::default();
    match world::expand_file(source) {
        Err(error) => found.errors.extend(Error::all_of(&error)),
        Ok(kernels) => {
            for (name, tokens) in kernels {
                let expansion = tokens.map(|tokens| found.take(tokens));
                found.kernels.push(Kernel { name, expansion });
            }
        }
    }
    found
}

impl Expansions {
    /// The text of an expansion; its errors are put with the others.
    fn take(&mut self, tokens: TokenStream) -> String {
        let text = tokens.to_string().replace("$crate", "crate");
        match syn::parse2::<syn::File>(tokens) {
            Ok(file) => {
                let mut reported = Reported(Vec::new());
                reported.visit_file(&file);
                // A template's error is reported by each of its callers.
                for error in reported.0 {
                    if !self.errors.contains(&error) {
                        self.errors.push(error);
                    }
                }
            }
            Err(error) => self.errors.extend(Error::all_of(&error)),
        }
        syn::parse_file(&text).map_or(text, |file| prettyplease::unparse(&file))
    }
}

/// The errors that an expansion reports by `compile_error!`.
struct Reported(Vec<Error>);

impl<'ast> Visit<'ast> for Reported {
    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        let last = call.path.segments.last();
        if last.is_some_and(|segment| segment.ident == "compile_error")
            && let Ok(message) = call.parse_body::<syn::LitStr>()
        {
            let begins =
                call.path.segments.first().map_or_else(Span::call_site, |segment| segment.ident.span());
            let span = begins.join(message.span()).unwrap_or(begins);
            self.0.push(Error::new(message.value(), span));
        }
        visit::visit_macro(self, call);
    }
}

/// The functions that the worker calls.
#[cfg(target_arch = "wasm32")]
mod exports {
    use std::cell::RefCell;

    thread_local! {
        static SOURCE: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
        static ANSWER: RefCell<String> = const { RefCell::new(String::new()) };
    }

    /// Memory for a source of so many bytes of UTF-8.
    #[unsafe(no_mangle)]
    pub extern "C" fn source(length: usize) -> *mut u8 {
        SOURCE.with_borrow_mut(|source| {
            source.clear();
            source.resize(length, b' ');
            source.as_mut_ptr()
        })
    }

    /// Expands the source; the length of the answer.
    #[unsafe(no_mangle)]
    pub extern "C" fn expand() -> usize {
        let source = SOURCE.take();
        let found = crate::expand(&String::from_utf8_lossy(&source));
        let json = serde_json::to_string(&found).unwrap_or_default();
        ANSWER.with_borrow_mut(|answer| {
            *answer = json;
            answer.len()
        })
    }

    /// The answer, in UTF-8.
    #[unsafe(no_mangle)]
    pub extern "C" fn answer() -> *const u8 {
        ANSWER.with_borrow(|answer| answer.as_ptr())
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn kernels_are_expanded_and_errors_have_places() {
        let found = super::expand(
            "#[shim::kernel]\nfn first(v: &[u8]) -> u8 {\n    let v = Block::external(v, [v.len()]);\n    v[[0]]\n}\n",
        );
        assert!(found.errors.is_empty(), "{:?}", found.errors);
        assert!(found.kernels[0].expansion.as_ref().is_some_and(|text| text.contains("shim.load")));
        let found = super::expand(
            "#[shim::kernel]\nfn first(v: &[u8; 1]) -> u8 {\n    let v = Block::external(v, [1]);\n    v[[2]]\n}\n",
        );
        assert_eq!(found.errors.len(), 1, "{:?}", found.errors);
        assert_eq!((found.errors[0].from, found.errors[0].to), ([4, 4], [4, 10]));
        let found = super::expand("fn first(");
        assert_eq!(found.errors.len(), 1);
    }
}
