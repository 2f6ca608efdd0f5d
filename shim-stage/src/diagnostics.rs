//! The errors of one kernel, collected so that all of them are reported together.

use std::fmt::{Display, Write as _};

use proc_macro2::Span;
use quote::ToTokens;
use shim_core::LocationError;

use crate::ir::{Change, TemplateCall};

/// Collects what is wrong with a kernel; nothing is emitted half checked.
#[derive(Debug, Default)]
pub struct Diagnostics {
    errors: Vec<syn::Error>,
    /// The template calls that are being staged, outermost first: where an error inside a template came from.
    calls: Vec<TemplateCall>,
    /// Whether a template is staged at its definition, where its arguments are unknown.
    definition: bool,
    /// Whether such a staging met what depends on the arguments.
    undecided: bool,
}

/// What a stage without errors has found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// The next stage can begin.
    Sound,
    /// A template at its definition is what its calls make of it.
    DependsOnCall,
}

impl Diagnostics {
    /// Diagnostics of a template at its definition: errors that depend on its arguments are left to its calls.
    pub fn of_definition() -> Self {
        Self { definition: true, ..Self::default() }
    }

    /// Whether a template is staged at its definition.
    pub fn is_of_definition(&self) -> bool {
        self.definition
    }

    /// Reports an error that other arguments of a template, or other places of its tensors, may not cause.
    pub fn error_in_call(&mut self, tokens: impl ToTokens, message: impl Display, help: impl Display) {
        if self.definition {
            self.undecided = true;
        } else {
            self.error(tokens, message, help);
        }
    }

    /// Reports `message` on `tokens`, with a line that says what to do instead.
    pub fn error(&mut self, tokens: impl ToTokens, message: impl Display, help: impl Display) {
        self.push(syn::Error::new_spanned(tokens, format!("{message}\nhelp: {help}")));
    }

    /// Reports an error that another stage of the pipeline has made.
    pub fn push(&mut self, error: syn::Error) {
        let Some(outermost) = self.calls.first() else {
            self.errors.push(error);
            return;
        };
        // Inside a template the kernel's call is underlined and the place in the template is named.
        for part in error {
            let text = format!("{part}{}", self.backtrace(part.span()));
            self.errors.push(syn::Error::new_spanned(&outermost.site, text));
        }
    }

    /// A note for each template around the tokens at `span`, innermost first.
    fn backtrace(&self, span: Span) -> String {
        let mut notes: Vec<(String, usize)> = Vec::new();
        let mut inner = location(span);
        for call in self.calls.iter().rev() {
            // Tokens that a macro of the user's made stand elsewhere: the template itself is named then.
            let place = if file(&inner) == file(&call.location) { &inner } else { &call.location };
            let note = format!("\nnote: in the template `{}`, {place}", call.template);
            match notes.last_mut() {
                Some((last, times)) if *last == note => *times += 1,
                _ => notes.push((note, 1)),
            }
            inner =
                call.site.clone().into_iter().next().map_or_else(String::new, |token| location(token.span()));
        }
        let mut text = String::new();
        for (note, times) in notes {
            text.push_str(&note);
            if times > 1 {
                let _ = write!(text, " ({times} times)");
            }
        }
        text
    }

    /// Notes that errors until [`Diagnostics::leave`] happen inside a template staged at `call`.
    pub fn enter(&mut self, call: TemplateCall) {
        self.calls.push(call);
    }

    /// Leaves the innermost template.
    pub fn leave(&mut self) {
        self.calls.pop();
    }

    /// How many templates are being staged into one another.
    pub fn depth(&self) -> usize {
        self.calls.len()
    }

    /// The template calls that are being staged, for an error that a later stage may find.
    pub fn calls(&self) -> &[TemplateCall] {
        &self.calls
    }

    /// Reports on tokens that were staged inside `calls`.
    pub fn within(&mut self, calls: &[TemplateCall], report: impl FnOnce(&mut Self)) {
        let outer = std::mem::replace(&mut self.calls, calls.to_vec());
        report(self);
        self.calls = outer;
    }

    /// Whether nothing was reported.
    pub fn is_empty(&self) -> bool {
        self.errors.is_empty()
    }

    /// How many errors were reported.
    pub fn count(&self) -> usize {
        self.errors.len()
    }

    /// Ends a stage.
    ///
    /// # Errors
    /// Every error so far as one.
    pub fn settle(&mut self) -> syn::Result<Outcome> {
        match self.take() {
            Some(error) => Err(error),
            None if self.undecided => Ok(Outcome::DependsOnCall),
            None => Ok(Outcome::Sound),
        }
    }

    /// Every error as one, or `None`.
    pub fn finish(mut self) -> Option<syn::Error> {
        self.take()
    }

    fn take(&mut self) -> Option<syn::Error> {
        // The same mistake in an unrolled loop is one mistake.
        let mut seen: Vec<String> = Vec::new();
        let mut all: Option<syn::Error> = None;
        for error in std::mem::take(&mut self.errors) {
            let key = format!("{:?} {}", error.span().start(), without_numbers(&error.to_string()));
            if seen.contains(&key) {
                continue;
            }
            seen.push(key);
            match &mut all {
                Some(first) => first.combine(error),
                None => all = Some(error),
            }
        }
        all
    }
}

/// `file:line:column` as rustc writes it.
pub fn location(span: Span) -> String {
    let start = span.start();
    format!("{}:{}:{}", span.file(), start.line, start.column + 1)
}

/// The file of `file:line:column`.
fn file(location: &str) -> Option<&str> {
    location.rsplitn(3, ':').nth(2)
}

/// A message without what differs between the copies of an unrolled loop: the numbers before its notes.
fn without_numbers(message: &str) -> String {
    let (text, notes) = message.split_once("\nnote:").unwrap_or((message, ""));
    let text: String = text.chars().filter(|c| !c.is_ascii_digit() && *c != '-').collect();
    text + notes
}

/// `1 axis`, `2 axes`.
pub fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

/// The error about an order of a loop that may be left, or has effects, and its help.
pub(crate) const ORDER_OF_EFFECTS: (&str, &str) = (
    "cannot reorder: the body may exit early or have side effects",
    "`return`, `break`, `continue`, `?`, unknown functions and macros happen in the order of the iterations: remove them or the attribute, \
     or name functions that only compute, as in `#[pure(f)]`",
);

/// The error about an operation in a loop with an order whose effect is not known, and its help.
pub(crate) const UNKNOWN_EFFECT: (&str, &str) = (
    "cannot reorder: this operation may have side effects",
    "operators and methods of primitive numbers have none where the kernel shows the type, as in `let x: f32 = ..` or `t.cast::<f32>()`: \
     write the type, evaluate the operation before the loop, or name a function that only computes, as in `#[pure(f)]`",
);

/// The error about a variable or a list that keeps the iterations of a loop in sequence, and its help.
pub(crate) fn carries(change: &Change) -> (String, &'static str) {
    if change.is_list {
        return (
            format!("the loop appends to the list `{}`", change.name),
            "elements are appended in the order of the iterations: remove the attribute, or append in a loop of its own",
        );
    }
    if change.rounds {
        return (
            format!(
                "`{}` is a sum or a product of floats, which depends on the order of the iterations",
                change.name
            ),
            "keep the order, or let the order be part of the value: `(0..n).map(|i| ..).sum_in::<f32, 8>()` adds up the sums of every eighth item, \
             in vectors",
        );
    }
    (format!("`{}` carries a value from one iteration to the next", change.name), CARRIES)
}

const CARRIES: &str = "sums, products, bit sets and extremes (`+=`, `*=`, `|=`, `&=`, `^=`, `m = m.max(..)`) of integers and `bool`s, as in \
     `let mut sum: u32 = 0`, may be carried in any order if nothing else in the loop reads them; an array of sums is a block with a table for each task, \
     as the histogram of the page on modes has";

/// The help line for an error of the algebra.
pub fn location_help(error: &LocationError) -> &'static str {
    match error {
        LocationError::Overflow => "the constants of a location must fit in 64 bits",
        LocationError::DifferentRoots => "only tensors of one kernel can be compared",
        LocationError::RankRises { .. } => "a view may drop axes of a tensor, never add one",
        LocationError::Length { .. } => "give one entry per axis",
        LocationError::Axis { .. } | LocationError::RepeatedAxis { .. } => {
            "name each axis of the tensor once, counted from 0"
        }
        LocationError::Factor { .. } => {
            "factors and the extents of tiles are at least one, and the modulus of a swizzle is a power of two"
        }
        LocationError::Costly { .. } => {
            "each `then` takes the digits of the order before it apart again: write a shorter chain, or the closure of `by`"
        }
        LocationError::NotABijection { .. } => {
            "give each element a position of its own, from 0 on and below the number of elements"
        }
        LocationError::Undefined { order, .. } => match *order {
            "then" => "`then` takes the extents of a box that has room for every element",
            "tile" => "the extents of a tile are multiples of those of the tiles in it",
            "morton" => "the extents of a tile in Morton order are powers of two",
            "swizzle" => {
                "a swizzle needs two axes, and tiles in it whose extents are multiples of its modulus"
            }
            "hilbert" => "Hilbert's curve runs through a square whose side is a power of two",
            _ => "a curve runs through two axes of at most 2^30 elements",
        },
        LocationError::Dynamic => {
            "`morton`, `hilbert`, `by` and `then` need extents that are known when the kernel is expanded; a square in memory along Hilbert's curve has sides of at most 64"
        }
        _ => "see the rules for views in the documentation of `shim::kernel`",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_reported_together_and_once() {
        let mut diagnostics = Diagnostics::default();
        diagnostics.error(quote::quote!(a), "first", "do this");
        diagnostics.error(quote::quote!(a), "first", "do this");
        diagnostics.error(quote::quote!(b), "second", "do that");
        let error = diagnostics.finish().expect("two errors");
        let messages: Vec<String> = error.into_iter().map(|e| e.to_string()).collect();
        assert_eq!(messages, ["first\nhelp: do this", "second\nhelp: do that"]);
    }

    #[test]
    fn copies_of_an_unrolled_loop_make_one_mistake() {
        let mut diagnostics = Diagnostics::default();
        diagnostics.error(quote::quote!(a), "coordinate -1 of 4", "do this");
        diagnostics.error(quote::quote!(a), "coordinate 10 of 4", "do this");
        let error = diagnostics.finish().expect("an error").to_string();
        assert_eq!(error, "coordinate -1 of 4\nhelp: do this");
    }

    #[test]
    fn a_recursive_template_is_named_once() {
        let mut diagnostics = Diagnostics::default();
        for _ in 0..3 {
            let site = quote::quote!(f(v));
            diagnostics.enter(TemplateCall { template: "f".into(), location: "f.rs:3:1".into(), site });
        }
        diagnostics.error(quote::quote!(x), "wrong", "mend it");
        let error = diagnostics.finish().expect("an error").to_string();
        assert_eq!(error, "wrong\nhelp: mend it\nnote: in the template `f`, f.rs:3:1 (3 times)");
    }

    #[test]
    fn an_error_in_a_template_names_its_place() {
        let mut diagnostics = Diagnostics::default();
        let site = quote::quote!(dct1d(v));
        diagnostics.enter(TemplateCall { template: "dct1d".into(), location: "dct.rs:3:1".into(), site });
        diagnostics.error(quote::quote!(x), "wrong", "mend it");
        diagnostics.leave();
        let error = diagnostics.finish().expect("an error").to_string();
        assert_eq!(error, "wrong\nhelp: mend it\nnote: in the template `dct1d`, dct.rs:3:1");
    }
}
