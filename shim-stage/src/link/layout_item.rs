//! The declaration of a [layout](super::layout).
//!
//! `#[shim::layout]` leaves a function that returns an order as one that can be called, and exports its parameters and
//! its order beside it as a macro of its name, as [templates](super) are.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::parse::{ParseStream, Parser};
use syn::{ExprClosure, ExprPath, FnArg, Item, ItemFn, Pat, PatIdent, Path, ReturnType, Stmt, Token};

use crate::diagnostics::Diagnostics;
use crate::hygiene;
use crate::hygiene::PatternNames;
use crate::surface::{HelperAttribute, LayoutWord};
use crate::syntax::visit::Visit;
use crate::syntax::visit_mut::{self, VisitMut};

use super::imports::{Import, Imported, imports};
use super::layout::{Layout, LayoutArguments, LayoutCalls};
use super::{refusal, tokens, transport};

const USAGE: &str =
    "write `fn blocks(h: usize, w: usize) -> Order { row_major.then([h / 4, 4, w], axes([1, 0, 2])) }`";

/// The expansion of `#[shim::layout]` where the layouts and constants that it imports are at hand.
pub(super) fn declare(attribute: &TokenStream, item: &TokenStream, imported: Vec<Imported>) -> TokenStream {
    let mut diagnostics = Diagnostics::default();
    if !attribute.is_empty() && !is_path(attribute) {
        let help =
            "write `#[shim::layout]`, or `#[shim::layout(crate = path)]` where the crate `shim` is renamed";
        diagnostics.error(attribute, "`#[shim::layout]` takes no argument but the path of the crate", help);
    }
    let Ok(mut declared) = syn::parse2::<ItemFn>(item.clone()) else {
        diagnostics.error(refusal::header(item), "`#[shim::layout]` goes on a function", USAGE);
        let error = diagnostics.finish().map(|error| error.to_compile_error());
        return quote!(#error #item);
    };
    let layout = read(&declared, imported, &mut diagnostics);
    let error = diagnostics.finish().map(|error| error.to_compile_error());
    let layout = layout.filter(|_| error.is_none());
    let export = export(&declared, layout.as_ref());
    if layout.is_none() {
        let signature = super::signature(declared.to_token_stream());
        return quote!(#error #signature #export);
    }
    // rustc resolves the imports, and the words of orders before names of the module.
    let shim = super::shim_path(attribute);
    for statement in &mut declared.block.stmts {
        if let Stmt::Item(Item::Use(import)) = statement {
            import.attrs.retain(|attribute| !HelperAttribute::Staged.is(attribute));
        }
    }
    // Positions outlive the call.
    OwnsCaptures.visit_block_mut(&mut declared.block);
    declared.block.stmts.insert(0, syn::parse_quote!(#[allow(unused_imports)] use #shim::orders::*;));
    declared.attrs.push(syn::parse_quote!(#[allow(dead_code)]));
    quote!(#declared #export)
}

/// Whether an attribute's arguments are the path of the crate: `crate = path`.
fn is_path(attribute: &TokenStream) -> bool {
    let path = |input: ParseStream<'_>| {
        input.parse::<Token![crate]>()?;
        input.parse::<Token![=]>()?;
        Path::parse_mod_style(input)?;
        input.parse::<Option<Token![,]>>()
    };
    path.parse2(attribute.clone()).is_ok()
}

/// The parameters and the order of a layout.
fn read(declared: &ItemFn, imported: Vec<Imported>, diagnostics: &mut Diagnostics) -> Option<Layout> {
    let signature = &declared.sig;
    if !signature.generics.params.is_empty() {
        diagnostics.error(
            &signature.generics,
            "a layout has no generics",
            "take extents as parameters of type `usize`",
        );
        return None;
    }
    if signature.output == ReturnType::Default {
        diagnostics.error(signature, "expected `-> Order` for a layout", USAGE);
        return None;
    }
    let mut parameters = Vec::new();
    for input in &signature.inputs {
        match input {
            FnArg::Typed(typed) if typed.ty.to_token_stream().to_string() == "usize" => match &*typed.pat {
                Pat::Ident(PatIdent { ident, by_ref: None, mutability: None, subpat: None, .. }) => {
                    parameters.push(ident.clone());
                }
                pattern => {
                    diagnostics.error(pattern, "a parameter of a layout has a plain name", USAGE);
                    return None;
                }
            },
            _ => {
                diagnostics.error(input, "expected `usize` for a parameter of a layout", USAGE);
                return None;
            }
        }
    }
    let [before @ .., Stmt::Expr(order, None)] = &declared.block.stmts[..] else {
        diagnostics.error(&declared.block, "the body of a layout is an order", USAGE);
        return None;
    };
    for statement in before {
        if !matches!(statement, Stmt::Item(Item::Use(_))) {
            diagnostics.error(
                statement,
                "expected an order, after imports, as the body of a layout",
                "write the arithmetic into the lists of the order",
            );
            return None;
        }
    }
    let mut order = order.clone();
    ClosureNames.visit_expr_mut(&mut order);
    let (mut layouts, mut constants) = (Vec::new(), Vec::new());
    for (Import { name, .. }, imported) in imports(declared).ok()?.into_iter().zip(imported) {
        match imported {
            Imported::Layout(layout) => layouts.push((name, *layout)),
            Imported::Constant(constant) => constants.push((name, constant.value)),
            // Reported already: a layout wants none.
            Imported::Template => {}
        }
    }
    LayoutCalls::new(&layouts, diagnostics).order(&mut order);
    LayoutArguments(&constants).visit_expr_mut(&mut order);
    UnknownNames { parameters: &parameters, diagnostics }.visit_expr(&order);
    Some(Layout { parameters, order })
}

/// Lets closures own what they capture.
struct OwnsCaptures;

impl VisitMut for OwnsCaptures {
    fn visit_expr_closure_mut(&mut self, closure: &mut ExprClosure) {
        closure.capture = Some(syn::parse_quote!(move));
    }
}

/// Gives the names that closures bind others, which no argument of a layout has.
struct ClosureNames;

impl VisitMut for ClosureNames {
    fn visit_expr_closure_mut(&mut self, closure: &mut ExprClosure) {
        let bound = PatternNames::of(|names| names.visit_expr_closure(closure));
        Renames(bound).visit_expr_closure_mut(closure);
    }
}

struct Renames(Vec<Ident>);

impl Renames {
    fn rename(&self, name: &mut Ident) {
        if self.0.iter().any(|bound| hygiene::same(bound, name)) {
            *name = format_ident!("{PREFIX}{}", name, span = name.span());
        }
    }
}

/// The prefix of the names that closures in layouts bind.
const PREFIX: &str = "__shim_layout_";

impl VisitMut for Renames {
    fn visit_pat_ident_mut(&mut self, pattern: &mut PatIdent) {
        self.rename(&mut pattern.ident);
        visit_mut::visit_pat_ident_mut(self, pattern);
    }

    fn visit_expr_path_mut(&mut self, path: &mut ExprPath) {
        if path.path.get_ident().is_some() {
            self.rename(&mut path.path.segments[0].ident);
        }
    }
}

/// Reports names of a layout that mean nothing where it is used.
struct UnknownNames<'a> {
    parameters: &'a [Ident],
    diagnostics: &'a mut Diagnostics,
}

impl<'ast> Visit<'ast> for UnknownNames<'_> {
    fn visit_expr_path(&mut self, path: &'ast ExprPath) {
        let Some(name) = path.path.get_ident() else { return };
        let known = LayoutWord::of(name).is_some()
            || hygiene::text(name).starts_with(PREFIX)
            || self.parameters.iter().any(|parameter| hygiene::same(parameter, name));
        if !known {
            self.diagnostics.error(
                path,
                format!("`{name}` is not known where the layout is used"),
                "take it as a parameter, or import a constant or a layout, as in `#[staged] use crate::scan::ZIGZAG;`",
            );
        }
    }
}

/// The macro that carries the layout; that of one with an error carries nothing, so that kernels do not repeat it.
fn export(declared: &ItemFn, layout: Option<&Layout>) -> TokenStream {
    let name = &declared.sig.ident;
    let key = tokens::mangled(name, &declared.to_token_stream());
    let misuse = format!("`{name}` is a layout: import it in a kernel, as in `#[staged] use crate::{name};`");
    let carried = match layout {
        Some(Layout { parameters, order }) => quote!(layout { [ #(#parameters)* ] { #order } }),
        None => quote!(broken {}),
    };
    transport::carrier(&key, name, &declared.vis, &[], carried, &misuse)
}
