//! The compiler of shim for a page: a file of Rust in, the expansions of its kernels and their errors out, as JSON.
//!
//! It is built for `wasm32-unknown-unknown`, and called from a worker: see `src/worker.ts` in the folder above.

#[path = "../../../shim-stage/tests/common/world.rs"]
#[allow(dead_code, reason = "the tests use more of it")]
mod world;

#[cfg(target_arch = "wasm32")]
mod exports;
mod marks;
pub mod run;

use proc_macro2::{Span, TokenStream};
use quote::ToTokens;
use serde::Serialize;
use shim_stage::summary::Summary;
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
    /// The function itself, and one for each named schedule; none if the kernel calls a template, or takes a located
    /// struct, of another file.
    pub schedules: Vec<Schedule>,
}

/// A function that a kernel became.
#[derive(Debug, Serialize)]
pub struct Schedule {
    /// The kernel's name, or that of the schedule.
    pub name: String,
    /// The counts of accesses and the loop nest.
    pub loops: String,
    /// Formatted Rust.
    pub expansion: String,
    /// The accesses.
    pub accesses: Vec<Access>,
}

/// An access in the source, and where it is in the expansion.
#[derive(Debug, Serialize)]
pub struct Access {
    /// Where it is in the source.
    #[serde(flatten)]
    pub range: Range,
    /// The tensor that holds it, and the view that it is written with.
    pub tensor: String,
    /// How it is kept inside its block, in a few words; each way once.
    pub kept: Vec<&'static str>,
    /// Its loads, stores and tests in the expansion.
    pub emitted: Vec<Range>,
    /// The assertions about its tensor in the expansion, if one of them keeps it inside.
    pub asserted: Vec<Range>,
}

/// A range of a text: lines from 1 and columns from 0, in characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Range {
    /// Where it begins.
    pub from: [usize; 2],
    /// Behind its end.
    pub to: [usize; 2],
}

impl Range {
    fn between(first: Span, last: Span) -> Self {
        let (start, end) = (first.start(), last.end());
        Range { from: [start.line, start.column], to: [end.line, end.column] }
    }
}

/// An error and where it is.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct Error {
    /// With a line of help.
    pub message: String,
    /// Where it is in the source.
    #[serde(flatten)]
    pub range: Range,
}

impl Error {
    fn new(message: String, span: Span) -> Self {
        Error { message, range: Range::between(span, span) }
    }

    fn all_of(error: &syn::Error) -> impl Iterator<Item = Self> {
        error.into_iter().map(|part| Self::new(part.to_string(), part.span()))
    }
}

/// Expands each kernel of a file.
#[must_use]
pub fn expand(source: &str) -> Expansions {
    // proc-macro2 keeps the texts that it has parsed.
    proc_macro2::extra::invalidate_current_thread_spans();
    let mut found = Expansions::default();
    match world::summarized(source) {
        Err(error) => found.errors.extend(Error::all_of(&error)),
        Ok(kernels) => {
            for kernel in kernels {
                let schedules = kernel.expansion.map(|tokens| found.take(tokens, kernel.summaries));
                let (name, schedules) = (kernel.name, schedules.unwrap_or_default());
                found.kernels.push(Kernel { name, schedules });
            }
        }
    }
    found
}

impl Expansions {
    /// The functions of an expansion; its errors are put with the others.
    fn take(&mut self, tokens: TokenStream, summaries: Vec<Summary>) -> Vec<Schedule> {
        let functions = match syn::parse2::<syn::File>(tokens.clone()) {
            Ok(file) => {
                let mut reported = Reported(Vec::new());
                reported.visit_file(&file);
                // A template's error is reported by each of its callers.
                for error in reported.0 {
                    if !self.errors.contains(&error) {
                        self.errors.push(error);
                    }
                }
                by_function(file)
            }
            Err(error) => {
                self.errors.extend(Error::all_of(&error));
                vec![tokens]
            }
        };
        let mut summaries = summaries.into_iter();
        functions.into_iter().map(|tokens| shown(&tokens, summaries.next().unwrap_or_default())).collect()
    }
}

/// The items of an expansion up to each function; what follows the last one goes with the first.
fn by_function(file: syn::File) -> Vec<TokenStream> {
    let mut functions = vec![TokenStream::new()];
    for item in file.items {
        let last = functions.len() - 1;
        item.to_tokens(&mut functions[last]);
        if matches!(item, syn::Item::Fn(_)) {
            functions.push(TokenStream::new());
        }
    }
    match functions.pop() {
        Some(rest) if !functions.is_empty() => functions[0].extend(rest),
        rest => functions.extend(rest),
    }
    functions
}

fn shown(tokens: &TokenStream, summary: Summary) -> Schedule {
    let text = tokens.to_string().replace("$crate", "crate");
    let text = syn::parse_file(&text).map_or(text, |file| prettyplease::unparse(&file));
    let accesses = marks::accesses(tokens, &text, &summary.accesses);
    Schedule { name: summary.kernel, loops: summary.loops, expansion: text, accesses }
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

#[cfg(test)]
mod tests {
    use super::expand;

    #[test]
    fn kernels_are_expanded_and_errors_have_places() {
        let found = expand(
            "#[shim::kernel]\nfn first(v: &[u8]) -> u8 {\n    let v = Block::external(v, [v.len()]);\n    v[[0]]\n}\n",
        );
        assert!(found.errors.is_empty(), "{:?}", found.errors);
        let schedule = &found.kernels[0].schedules[0];
        assert!(schedule.expansion.contains("shim.load"));
        assert!(schedule.loops.starts_with("accesses elsewhere: 0 proven"), "{}", schedule.loops);
        let found = expand(
            "#[shim::kernel]\nfn first(v: &[u8; 1]) -> u8 {\n    let v = Block::external(v, [1]);\n    v[[2]]\n}\n",
        );
        assert_eq!(found.errors.len(), 1, "{:?}", found.errors);
        assert_eq!((found.errors[0].range.from, found.errors[0].range.to), ([4, 4], [4, 10]));
        let found = expand("fn first(");
        assert_eq!(found.errors.len(), 1);
    }

    #[test]
    fn each_schedule_is_a_function() {
        let found = expand(
            "#[shim::kernel(schedules(backwards))]\n\
             fn copy(#[shape(n)] a: &[u8], #[shape(n)] b: &mut [u8], n: usize) {\n\
                 #[schedule(backwards, order(row_major.reversed()))]\n\
                 for [i] in b.indices() {\n\
                     b[[i]] = a[[i]];\n\
                 }\n\
             }\n",
        );
        assert!(found.errors.is_empty(), "{:?}", found.errors);
        let schedules = &found.kernels[0].schedules;
        let names: Vec<&str> = schedules.iter().map(|own| own.name.as_str()).collect();
        assert_eq!(names, ["copy", "backwards"]);
        assert_ne!(schedules[0].expansion, schedules[1].expansion);
    }

    #[test]
    fn an_access_is_marked_with_its_assertion() {
        let source = "#[shim::kernel]\nfn sum(#[shape(n)] v: &[u32], n: usize, from: usize, to: usize) -> u32 {\n    let mut sum = 0;\n    for i in from..to {\n        sum += v[[i]];\n    }\n    sum\n}\n";
        let found = expand(source);
        assert!(found.errors.is_empty(), "{:?}", found.errors);
        let schedule = &found.kernels[0].schedules[0];
        let [access] = &schedule.accesses[..] else { panic!("{:?}", schedule.accesses) };
        assert_eq!((access.range.from, access.range.to), ([5, 15], [5, 21]));
        let text = |range: &super::Range| {
            let line = schedule.expansion.lines().nth(range.from[0] - 1).unwrap();
            assert_eq!(range.from[0], range.to[0], "one line");
            line[range.from[1]..range.to[1]].to_owned()
        };
        let emitted: Vec<String> = access.emitted.iter().map(text).collect();
        assert_eq!(
            emitted,
            ["unsafe { *shim.load(v_mem, (i as ::core::primitive::isize)) }"],
            "{}",
            schedule.expansion
        );
        let asserted: Vec<String> = access.asserted.iter().map(text).collect();
        assert_eq!(asserted, [r#"shim.assert_within("sum", "v", (..=shim.from_usize(to) - 1,), [n_i])"#]);
    }
}
