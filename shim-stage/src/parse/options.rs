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
    pub simd: Option<Simd>,
    /// `checks = ".."`: where accesses are tested.
    pub checks: Checks,
    /// `schedules(tiled)`: the functions of the kernel in other schedules.
    pub schedules: Vec<Ident>,
    /// `crate = path`: where `shim` is found, `::shim` unless renamed.
    pub krate: TokenStream,
}

/// Where accesses are tested that are not proven inside.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Checks {
    /// Before a loop, or in it where that takes a test of each element.
    #[default]
    Needed,
    /// `checks = "every"`: each access is tested besides, for debugging.
    Every,
    /// `checks = "hoisted"`: before loops alone. An access that needs a test in a loop is an error.
    Hoisted,
}

impl Checks {
    fn parse(value: &LitStr) -> syn::Result<Self> {
        match value.value().as_str() {
            "every" => Ok(Self::Every),
            "hoisted" => Ok(Self::Hoisted),
            _ => Err(syn::Error::new(
                value.span(),
                "unknown value for `checks`\nhelp: `checks = \"hoisted\"` forbids tests in loops, `checks = \"every\"` adds one to each access",
            )),
        }
    }
}

/// The option `simd`.
#[derive(Debug, Clone)]
pub struct Simd {
    /// Its name.
    pub name: Ident,
    /// The levels with a version of their own, the highest first.
    pub levels: Vec<Level>,
}

/// A level of the x86-64 architecture above the baseline.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// x86-64-v2.
    V2,
    /// x86-64-v3.
    V3,
    /// x86-64-v4.
    V4,
}

impl Level {
    const ALL: [Self; 3] = [Self::V2, Self::V3, Self::V4];

    /// The name in `simd(..)`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::V2 => "v2",
            Self::V3 => "v3",
            Self::V4 => "v4",
        }
    }

    /// The number in its name.
    #[must_use]
    pub const fn number(self) -> u32 {
        match self {
            Self::V2 => 2,
            Self::V3 => 3,
            Self::V4 => 4,
        }
    }
}

impl Simd {
    /// Parses the levels behind the name: v3 and v4 unless they are listed.
    fn parse(name: Ident, input: ParseStream) -> syn::Result<Self> {
        let mut levels = vec![Level::V4, Level::V3];
        if input.peek(syn::token::Paren) {
            let list;
            let paren = syn::parenthesized!(list in input);
            levels.clear();
            for given in Punctuated::<Ident, Token![,]>::parse_terminated_with(&list, Ident::parse_any)
                .map_err(|error| wrong(&error, "a level is a name"))?
            {
                let level = Level::ALL.into_iter().find(|level| given == level.name());
                let level = level.ok_or_else(|| {
                    let text = format!("unknown instruction-set level `{given}`\nhelp: {LEVELS_HELP}");
                    syn::Error::new(given.span(), text)
                })?;
                if levels.contains(&level) {
                    let text = format!("level `{given}` given twice\nhelp: remove one of them");
                    return Err(syn::Error::new(given.span(), text));
                }
                levels.push(level);
            }
            if levels.is_empty() {
                let text = format!("`simd` without a level\nhelp: {LEVELS_HELP}");
                return Err(syn::Error::new(paren.span.join(), text));
            }
            levels.sort_by(|a, b| b.cmp(a));
        }
        Ok(Self { name, levels })
    }
}

impl Default for Options {
    fn default() -> Self {
        Options { simd: None, checks: Checks::default(), schedules: Vec::new(), krate: quote!(::shim) }
    }
}

enum Option_ {
    Simd(Simd),
    Checks(Ident, LitStr),
    Schedules(Ident, Vec<Ident>),
    Crate(syn::Path),
}

/// The help of every message about the options.
const HELP: &str = "the options are `simd`, `simd(v2, v3, v4)`, `checks = \"hoisted\"` or `\"every\"`, `schedules(tiled, ..)` and `crate = path`";

/// The help of every message about levels.
const LEVELS_HELP: &str = "the levels are `v2`, `v3` and `v4`; `simd` alone is `simd(v3, v4)`";

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
            Some(KernelOption::Simd) => Simd::parse(name, input).map(Option_::Simd),
            Some(KernelOption::Checks) => {
                value(&name)?;
                let value =
                    input.parse().map_err(|error| wrong(&error, "the value of `checks` is a string"))?;
                Ok(Option_::Checks(name, value))
            }
            Some(KernelOption::Schedules) => schedules(name, input),
            Some(KernelOption::Crate) => {
                value(&name)?;
                let path = input.call(syn::Path::parse_mod_style);
                Ok(Option_::Crate(path.map_err(|error| wrong(&error, "the value of `crate` is a path"))?))
            }
            None => Err(syn::Error::new(name.span(), format!("unknown option `{name}`\nhelp: {HELP}"))),
        }
    }
}

/// Parses the names behind `schedules`.
fn schedules(name: Ident, input: ParseStream) -> syn::Result<Option_> {
    let list;
    let no_list =
        |error: syn::Error| wrong(&error, "`schedules` takes names, as in `schedules(tiled, by_rows)`");
    syn::parenthesized!(list in input);
    let given = Punctuated::<Ident, Token![,]>::parse_terminated(&list).map_err(no_list)?;
    let mut names: Vec<Ident> = Vec::new();
    for own in given {
        if names.contains(&own) {
            let text = format!("schedule `{own}` given twice\nhelp: remove one of them");
            return Err(syn::Error::new(own.span(), text));
        }
        names.push(own);
    }
    if names.is_empty() {
        let text = format!("`schedules` without a name\nhelp: {HELP}");
        return Err(syn::Error::new(name.span(), text));
    }
    Ok(Option_::Schedules(name, names))
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
        let mut seen = [false; 4];
        for option in given {
            let (slot, span) = match &option {
                Option_::Simd(simd) => (0, simd.name.span()),
                Option_::Checks(name, _) => (1, name.span()),
                Option_::Crate(path) => (2, syn::spanned::Spanned::span(path)),
                Option_::Schedules(name, _) => (3, name.span()),
            };
            if std::mem::replace(&mut seen[slot], true) {
                return Err(syn::Error::new(span, "option given twice\nhelp: remove one of them"));
            }
            match option {
                Option_::Simd(simd) => options.simd = Some(simd),
                Option_::Checks(_, value) => options.checks = Checks::parse(&value)?,
                Option_::Schedules(_, names) => options.schedules = names,
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
        assert!(options.simd.is_some() && options.checks == Checks::Every);
        assert_eq!(Options::parse(quote!(checks = "hoisted")).expect("valid").checks, Checks::Hoisted);
        assert_eq!(options.krate.to_string(), ":: other :: shim");
        assert_eq!(Options::parse(quote!()).expect("empty").krate.to_string(), ":: shim");
    }

    #[test]
    fn levels_are_tried_from_the_highest_on() {
        let levels = |tokens| Options::parse(tokens).expect("valid").simd.expect("given").levels;
        assert_eq!(levels(quote!(simd)), [Level::V4, Level::V3]);
        assert_eq!(levels(quote!(simd(v2, v4, v3,))), [Level::V4, Level::V3, Level::V2]);
        assert_eq!(levels(quote!(simd(v3))), [Level::V3]);
    }

    #[test]
    fn mistakes_are_named() {
        for (tokens, text) in [
            (quote!(smid), "unknown option `smid`"),
            (quote!(simd, simd), "option given twice"),
            (quote!(simd(v3), simd), "option given twice"),
            (quote!(simd()), "`simd` without a level"),
            (quote!(simd(v1)), "unknown instruction-set level `v1`"),
            (quote!(simd(v3, v3)), "level `v3` given twice"),
            (quote!(simd(3)), "a level is a name"),
            (quote!(checks = "some"), "unknown value for `checks`"),
        ] {
            let error = Options::parse(tokens).expect_err("invalid").to_string();
            assert!(error.starts_with(text) && error.contains("help:"), "{error}");
        }
    }
}
