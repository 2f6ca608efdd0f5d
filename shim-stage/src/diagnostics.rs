//! The errors of one kernel, collected so that all of them are reported together.

use std::fmt::Display;

use proc_macro2::TokenStream;
use quote::ToTokens;

/// Collects what is wrong with a kernel; nothing is emitted half checked.
#[derive(Debug, Default)]
pub struct Diagnostics {
    errors: Vec<syn::Error>,
    /// The template calls that are being staged, outermost first: where an error inside a template came from.
    calls: Vec<Call>,
}

/// One template call on the way to the tokens being staged.
#[derive(Debug, Clone)]
pub struct Call {
    /// The template's name.
    pub template: String,
    /// `file:line:column` of the template's definition.
    pub location: String,
    /// The tokens of the call in the kernel, where rustc can show an error: the tokens of a template from
    /// another crate have no source to show.
    pub site: TokenStream,
}

impl Diagnostics {
    /// Reports `message` on `tokens`, with a line that says what to do instead.
    pub fn error(&mut self, tokens: impl ToTokens, message: impl Display, help: impl Display) {
        self.push(syn::Error::new_spanned(tokens, format!("{message}\nhelp: {help}")));
    }

    /// Reports an error that another stage of the pipeline has made.
    pub fn push(&mut self, error: syn::Error) {
        let Some(call) = self.calls.last() else {
            self.errors.push(error);
            return;
        };
        // Inside a template the kernel's call is underlined and the template's place is named.
        let mut text = String::new();
        for part in &error {
            if !text.is_empty() {
                text.push('\n');
            }
            text.push_str(&part.to_string());
        }
        for inner in self.calls.iter().rev() {
            text.push_str(&format!("\nnote: in the template `{}`, {}", inner.template, inner.location));
        }
        let site = self.calls.first().map_or_else(|| call.site.clone(), |outermost| outermost.site.clone());
        self.errors.push(syn::Error::new_spanned(site, text));
    }

    /// Notes that errors until [`Diagnostics::leave`] happen inside a template staged at `call`.
    pub fn enter(&mut self, call: Call) {
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

    /// Whether nothing was reported.
    pub fn is_empty(&self) -> bool {
        self.errors.is_empty()
    }

    /// Every error as one, or `None`.
    pub fn finish(self) -> Option<syn::Error> {
        // The same mistake in an unrolled loop is one mistake.
        let mut seen: Vec<String> = Vec::new();
        let mut all: Option<syn::Error> = None;
        for error in self.errors {
            let key = format!("{:?} {error}", error.span().start());
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
    fn an_error_in_a_template_names_its_place() {
        let mut diagnostics = Diagnostics::default();
        let site = quote::quote!(dct1d(v));
        diagnostics.enter(Call { template: "dct1d".into(), location: "dct.rs:3:1".into(), site });
        diagnostics.error(quote::quote!(x), "wrong", "mend it");
        diagnostics.leave();
        let error = diagnostics.finish().expect("an error").to_string();
        assert_eq!(error, "wrong\nhelp: mend it\nnote: in the template `dct1d`, dct.rs:3:1");
    }
}
