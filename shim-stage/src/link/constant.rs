//! Constants that are static in kernels of other modules and crates.
//!
//! `#[shim::constant]` leaves a constant as it is, and exports its type and value beside it as a macro of its name, as
//! [templates](super) are. A kernel whose body has `#[staged] use crate::scan::ZIGZAG;` expands first to a call of that
//! macro, and then to a kernel with the constant in the place of the import:
//!
//! ```text
//! const ZIGZAG: [usize; 64] = [0usize, 1usize, 8usize, ..];
//! ```

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};
use syn::parse::{Parse, ParseStream};
use syn::{Expr, Item, ItemConst, Path, Result, Type, braced};

use crate::diagnostics::Diagnostics;
use crate::static_eval::{self, NoNames, Value};

use super::{refusal, text, tokens, transport};

/// A constant as it arrives in a kernel.
#[derive(Clone, Debug)]
pub(super) struct Constant {
    pub(super) ty: Type,
    pub(super) value: Expr,
}

/// The expansion of `#[shim::constant]`.
pub fn declare(attribute: &TokenStream, item: &TokenStream) -> TokenStream {
    let mut diagnostics = Diagnostics::default();
    if !attribute.is_empty() {
        diagnostics.error(attribute, "`#[shim::constant]` takes no arguments", "write `#[shim::constant]`");
    }
    let Ok(mut declared) = syn::parse2::<ItemConst>(item.clone()) else {
        let help = "put it before a `const` with a name, a type and a value";
        diagnostics.error(refusal::header(item), "`#[shim::constant]` goes on a constant", help);
        let error = diagnostics.finish().map(|error| error.to_compile_error());
        return quote!(#error #item);
    };
    let constant = read(&declared, &mut diagnostics);
    // Its only uses may be in kernels, where rustc sees no more than the confirmation of its value.
    declared.attrs.push(syn::parse_quote!(#[allow(dead_code)]));
    let error = diagnostics.finish().map(|error| error.to_compile_error());
    let constant = if error.is_some() { None } else { constant };
    let export = (declared.ident != "_").then(|| export(&declared, constant.as_ref()));
    quote!(#error #declared #export)
}

/// The type and the value of a constant.
fn read(declared: &ItemConst, diagnostics: &mut Diagnostics) -> Option<Constant> {
    if declared.ident == "_" {
        diagnostics.error(&declared.ident, "a staged constant needs a name", "kernels import it by its name");
        return None;
    }
    let value = match static_eval::eval_as(&declared.expr, &declared.ty, &NoNames) {
        Ok(Some(value)) => value,
        Ok(None) => {
            diagnostics.error(
                &declared.expr,
                format!("the value of `{}` is not known when the macro is expanded", declared.ident),
                "a staged constant is an integer, a `bool`, or an array or a tuple of these; write literals and arithmetic on them",
            );
            return None;
        }
        Err(error) => {
            diagnostics.push(error);
            return None;
        }
    };
    let ty = type_of(&value, &declared.ty);
    Some(Constant { ty, value: static_eval::literal(&value, Span::call_site()) })
}

/// A type that means the same in every module, where the one that is written may name constants.
fn type_of(value: &Value, declared: &Type) -> Type {
    match (value, declared) {
        (_, Type::Paren(inner)) => type_of(value, &inner.elem),
        (_, Type::Group(inner)) => type_of(value, &inner.elem),
        (Value::Array(elements), Type::Array(array)) => {
            let element =
                elements.first().map_or_else(|| (*array.elem).clone(), |first| type_of(first, &array.elem));
            let length = elements.len();
            syn::parse_quote!([#element; #length])
        }
        (Value::Tuple(elements), Type::Tuple(tuple)) => {
            let elements = elements.iter().zip(&tuple.elems).map(|(element, ty)| type_of(element, ty));
            syn::parse_quote!((#(#elements,)*))
        }
        _ => declared.clone(),
    }
}

/// The macro that carries the constant; that of one with an error carries nothing, so that kernels do not repeat it.
fn export(declared: &ItemConst, constant: Option<&Constant>) -> TokenStream {
    let name = &declared.ident;
    let key = tokens::mangled(name, &declared.to_token_stream());
    let misuse =
        format!("`{name}` is a constant: import it in a kernel, as in `#[staged] use crate::{name};`");
    let carried = match constant {
        Some(Constant { ty, value }) => quote!(constant { { #ty } { #value } }),
        None => quote!(broken {}),
    };
    transport::carrier(&key, name, &declared.vis, &[], carried, &misuse)
}

impl Parse for Constant {
    fn parse(input: ParseStream) -> Result<Self> {
        let (ty, value);
        braced!(ty in input);
        braced!(value in input);
        Ok(Self { ty: ty.parse()?, value: value.parse()? })
    }
}

/// Lets rustc confirm that an import's path has the value that its macro carries: the names of both may come from
/// different places, and what the declaration says may mean something else than it does to the macro, such as `u8`
/// beside `type u8 = u16;`.
pub(super) fn confirmation(import: &Path, constant: &Constant) -> Item {
    let mut path = import.clone();
    if path.leading_colon.is_none() && path.segments.len() == 1 {
        path.segments.insert(0, Ident::new("self", Span::call_site()).into());
    }
    let value = &constant.value;
    let message = format!("shim: `{}` is not what its declaration says", text(&path));
    syn::parse_quote!(const _: () = match #path { #value => (), #[allow(unreachable_patterns)] _ => ::core::panic!(#message) };)
}
