//! The options of `#[shim::kernel(..)]`.

use proc_macro2::TokenStream;
use quote::quote;
use syn::ext::IdentExt as _;
use syn::parse::{Parse, ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::{Ident, LitStr, Token};

use crate::surface::KernelOption;

/// What stands between the attribute's parentheses.
#[derive(Debug, Clone)]
pub struct Options {
    /// `simd`: versions for instruction sets beside the baseline, chosen at run time.
    pub simd: Option<Ident>,
    /// `checks = "every"`: a check per access besides the assertions.
    pub checks: bool,
    /// `crate = path`: where `shim` is found, `::shim` unless renamed.
    pub krate: TokenStream,
}

impl Default for Options {
    fn default() -> Self {
        Options { simd: None, checks: false, krate: quote!(::shim) }
    }
}

enum Option_ {
    Simd(Ident),
    Checks(Ident, LitStr),
    Crate(syn::Path),
}

/// What every message about the options says.
const HELP: &str = "the options are `simd`, `checks = \"every\"` and `crate = path`";

impl Parse for Option_ {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        let name = input.call(Ident::parse_any).map_err(|error| wrong(&error, "an option is a name"))?;
        let value = |name: &Ident| {
            let given: Option<Token![=]> = input.parse()?;
            given.map(|_| ()).ok_or_else(|| {
                syn::Error::new(name.span(), format!("the option `{name}` needs a value\nhelp: {HELP}"))
            })
        };
        match KernelOption::of(&name) {
            Some(KernelOption::Simd) => Ok(Option_::Simd(name)),
            Some(KernelOption::Checks) => {
                value(&name)?;
                let value =
                    input.parse().map_err(|error| wrong(&error, "the value of `checks` is a string"))?;
                Ok(Option_::Checks(name, value))
            }
            Some(KernelOption::Crate) => {
                value(&name)?;
                let path = input.call(syn::Path::parse_mod_style);
                Ok(Option_::Crate(path.map_err(|error| wrong(&error, "the value of `crate` is a path"))?))
            }
            None => Err(syn::Error::new(name.span(), format!("unknown option `{name}`\nhelp: {HELP}"))),
        }
    }
}

/// `message` where `error` is.
fn wrong(error: &syn::Error, message: &str) -> syn::Error {
    syn::Error::new(error.span(), format!("{message}\nhelp: {HELP}"))
}

impl Options {
    /// Reads the attribute's arguments.
    ///
    /// # Errors
    /// An unknown option, an option given twice, or a value that it does not take; each on its tokens.
    pub fn parse(attribute: TokenStream) -> syn::Result<Self> {
        let given =
            Punctuated::<Option_, Token![,]>::parse_terminated.parse2(attribute).map_err(|error| {
                // What syn says of a missing comma has no help.
                if error.to_string().contains("help:") {
                    error
                } else {
                    wrong(&error, "expected a comma between options")
                }
            })?;
        let mut options = Options::default();
        let mut seen = [false; 3];
        for option in given {
            let (slot, span) = match &option {
                Option_::Simd(name) => (0, name.span()),
                Option_::Checks(name, _) => (1, name.span()),
                Option_::Crate(path) => (2, syn::spanned::Spanned::span(path)),
            };
            if std::mem::replace(&mut seen[slot], true) {
                return Err(syn::Error::new(span, "option given twice\nhelp: remove one of them"));
            }
            match option {
                Option_::Simd(name) => options.simd = Some(name),
                Option_::Checks(_, value) => {
                    if value.value() != "every" {
                        return Err(syn::Error::new(
                            value.span(),
                            "unknown value for `checks`\nhelp: the one value is `checks = \"every\"`, a check per access",
                        ));
                    }
                    options.checks = true;
                }
                Option_::Crate(path) => options.krate = quote!(#path),
            }
        }
        Ok(options)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_read() {
        let options = Options::parse(quote!(simd, checks = "every", crate = ::other::shim)).expect("valid");
        assert!(options.simd.is_some() && options.checks);
        assert_eq!(options.krate.to_string(), ":: other :: shim");
        assert_eq!(Options::parse(quote!()).expect("empty").krate.to_string(), ":: shim");
    }

    #[test]
    fn mistakes_are_named() {
        for (tokens, text) in [
            (quote!(smid), "unknown option `smid`"),
            (quote!(simd, simd), "option given twice"),
            (quote!(checks = "some"), "unknown value for `checks`"),
        ] {
            let error = Options::parse(tokens).expect_err("invalid").to_string();
            assert!(error.starts_with(text) && error.contains("help:"), "{error}");
        }
    }
}
