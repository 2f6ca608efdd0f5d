//! The options of `#[shim::kernel(..)]`.

use proc_macro2::TokenStream;
use quote::quote;
use syn::parse::{Parse, ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::{Ident, LitStr, Token};

/// What stands between the attribute's parentheses.
#[derive(Debug, Clone)]
pub struct Options {
    /// `simd`: versions for instruction sets beside the baseline, chosen at run time.
    pub simd: bool,
    /// `checks = "every"`: a check per access besides the assertions.
    pub checks: bool,
    /// `crate = path`: where `shim` is found, `::shim` unless renamed.
    pub krate: TokenStream,
}

impl Default for Options {
    fn default() -> Self {
        Options { simd: false, checks: false, krate: quote!(::shim) }
    }
}

enum Option_ {
    Simd(Ident),
    Checks(Ident, LitStr),
    Crate(syn::Path),
}

impl Parse for Option_ {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        if input.peek(Token![crate]) {
            input.parse::<Token![crate]>()?;
            input.parse::<Token![=]>()?;
            return Ok(Option_::Crate(input.call(syn::Path::parse_mod_style)?));
        }
        let name: Ident = input.parse()?;
        match name.to_string().as_str() {
            "simd" => Ok(Option_::Simd(name)),
            "checks" => {
                input.parse::<Token![=]>()?;
                Ok(Option_::Checks(name, input.parse()?))
            }
            other => Err(syn::Error::new(
                name.span(),
                format!(
                    "unknown option `{other}`\nhelp: the options are `simd`, `checks = \"every\"` and `crate = path`"
                ),
            )),
        }
    }
}

impl Options {
    /// Reads the attribute's arguments.
    ///
    /// # Errors
    /// An unknown option, an option given twice, or a value that it does not take; each on its tokens.
    pub fn parse(attribute: TokenStream) -> syn::Result<Self> {
        let given = Punctuated::<Option_, Token![,]>::parse_terminated.parse2(attribute)?;
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
                Option_::Simd(_) => options.simd = true,
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
        assert!(options.simd && options.checks);
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
