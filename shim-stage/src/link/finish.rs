//! The end of the chain: the templates have arrived, and the function is staged or exported.

use std::collections::BTreeMap;

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use syn::{Error, ItemFn, Path, Result};

use crate::surface::tensor_type::is_template;

use super::callee::Callee;
use super::imports::Imported;
use super::interface::{Interface, Interfaces};
use super::transport::{Bundle, Carried, CarriedKind, Continuation, RawTemplate};
use super::{
    Library, Requested, Stager, Unit, calls, definition, for_editor, imports, layout_item, linked, located,
    refuse_ambiguous, shim_path, signature, start, text, transport,
};

/// Goes on with the bundles of the calls that were found.
pub(super) fn finish(state: Continuation, stage: &dyn Stager) -> TokenStream {
    let Continuation { kind, attribute, item, calls, bundles } = state;
    if let Some(error) = wrong_bundle(kind, &item, &calls, &bundles) {
        let error = error.to_compile_error();
        let rest = match syn::parse2(item.clone()) {
            Ok(mut declared) if kind == CarriedKind::Located => located::without_declaration(&mut declared),
            _ => signature(item),
        };
        return quote!(#error #rest);
    }
    if kind == CarriedKind::Layout {
        let imported = bundles.into_iter().map(|bundle| imported(bundle.carried));
        // The errors of a declaration are reported there.
        let Some(imported) = imported.collect::<Option<_>>() else { return signature(item) };
        return layout_item::declare(&attribute, &item, imported);
    }
    if kind == CarriedKind::Located {
        return with_nested(&attribute, item, bundles);
    }
    if kind == CarriedKind::Declared {
        return with_declarations(attribute, item, bundles, stage);
    }
    let own = |(callee, bundle): (&Callee, &Bundle)| Some((text(&callee.path), bundle.interface()?));
    let interfaces: Interfaces = calls.iter().zip(&bundles).filter_map(own).collect();
    if interfaces.values().any(|interface| *interface != Interface::default()) {
        let Ok(function) = syn::parse2::<ItemFn>(item.clone()) else { return signature(item) };
        let found = calls::calls(&function, &interfaces);
        let ambiguous = found.ambiguous.first();
        if let Some(path) = ambiguous.or_else(|| found.told_apart()) {
            return refuse_ambiguous(path, item);
        }
        let known = |callee: &Callee| calls.iter().any(|known| text(&known.path) == text(&callee.path));
        let more: Vec<Callee> = found.others.into_iter().filter(|callee| !known(callee)).collect();
        if !more.is_empty() {
            let calls = calls.into_iter().chain(more).collect();
            let shim = shim_path(&attribute);
            let state = Continuation { kind, attribute, item, calls, bundles };
            return transport::chain(&state, &quote!(#shim::__private::resume));
        }
    }
    let mut raw = BTreeMap::new();
    let mut resolved = Vec::new();
    for (callee, Bundle { key, carried, .. }) in calls.into_iter().zip(bundles) {
        if let Carried::Templates(templates) = carried {
            raw.extend(templates.into_iter().map(|template| (template.key.to_string(), template)));
        }
        resolved.push((callee, key));
    }
    if kind == CarriedKind::Template {
        return match syn::parse2(item) {
            Ok(function) => {
                let own = calls::calls(&function, &interfaces).recursive;
                define(attribute, function, &own, resolved, raw, stage)
            }
            Err(error) => error.to_compile_error(),
        };
    }
    let library = match Library::new(raw) {
        Ok(library) => library,
        Err(error) => {
            let error = error.to_compile_error();
            let signature = signature(item);
            return quote!(#error #signature);
        }
    };
    let callees = linked(&resolved);
    stage.kernel(&Unit { attribute, item, callees }, &library)
}

/// The error of a name that means another kind of declaration than wanted, or one of another version.
fn wrong_bundle(
    kind: CarriedKind,
    item: &TokenStream,
    calls: &[Callee],
    bundles: &[Bundle],
) -> Option<Error> {
    let declared = matches!(kind, CarriedKind::Declared | CarriedKind::Layout)
        .then(|| syn::parse2::<ItemFn>(item.clone()).and_then(|function| Requested::of(&function)));
    let structs = match kind {
        CarriedKind::Located => Some(calls.len()),
        _ => declared.and_then(Result::ok).map(|declared| declared.structs.len()),
    };
    calls.iter().zip(bundles).enumerate().find_map(|(number, (callee, bundle))| {
        let path = text(&callee.path);
        let wanted = match structs {
            Some(structs) if number < structs => "a located struct",
            Some(_) if kind == CarriedKind::Layout => "a staged constant or a layout",
            Some(_) => "a staged constant, a layout or a template",
            None => "a template",
        };
        let found = match &bundle.carried {
            Carried::Templates(_)
                if kind == CarriedKind::Declared && structs.is_some_and(|structs| number >= structs) =>
            {
                wanted
            }
            Carried::Templates(_) => "a template",
            Carried::Located(_) => "a located struct",
            Carried::Constant(_) | Carried::Layout(_) if structs.is_some_and(|structs| number >= structs) => {
                wanted
            }
            Carried::Constant(_) => "a staged constant",
            Carried::Layout(_) => "a layout",
            Carried::Broken => wanted,
        };
        let message = if !bundle.compatible {
            format!(
                "`{path}` was exported by an incompatible version of shim\n\
                 help: let all crates depend on the same version of shim"
            )
        } else if found != wanted {
            format!("`{path}` is {found}, not {wanted}\nhelp: name {wanted} here")
        } else {
            return None;
        };
        Some(Error::new_spanned(&callee.path, message))
    })
}

/// Goes on with a located struct whose nested ones have arrived.
fn with_nested(attribute: &TokenStream, item: TokenStream, bundles: Vec<Bundle>) -> TokenStream {
    let nested = bundles.into_iter().map(|bundle| match bundle.carried {
        Carried::Located(declaration) => Some(declaration),
        // Its errors are reported where it is declared.
        _ => None,
    });
    match (syn::parse2(item), nested.collect::<Option<Vec<_>>>()) {
        (Ok(mut declared), Some(nested)) => located::with_nested(attribute, &mut declared, &nested),
        (Ok(mut declared), None) => located::without_declaration(&mut declared),
        (Err(error), _) => error.to_compile_error(),
    }
}

/// The declaration in a bundle, if a function may import it.
fn imported(carried: Carried) -> Option<Imported> {
    match carried {
        Carried::Constant(constant) => Some(Imported::Constant(constant)),
        Carried::Layout(layout) => Some(Imported::Layout(layout)),
        Carried::Templates(_) => Some(Imported::Template),
        Carried::Located(_) | Carried::Broken => None,
    }
}

/// Begins again with the fields of located structs named, and constants in the place of their imports.
fn with_declarations(
    attribute: TokenStream,
    item: TokenStream,
    bundles: Vec<Bundle>,
    stage: &dyn Stager,
) -> TokenStream {
    let (mut declarations, mut keys, mut imports) = (Vec::new(), Vec::new(), Vec::new());
    for bundle in bundles {
        match bundle.carried {
            Carried::Located(declaration) => {
                declarations.push(declaration);
                keys.push(bundle.key);
            }
            other => match imported(other) {
                Some(import) => imports.push(import),
                // Its errors are reported where it is declared.
                None => return signature(item),
            },
        }
    }
    let shim = shim_path(&attribute);
    let named = syn::parse2::<ItemFn>(item.clone()).and_then(|mut function| {
        let declared = Requested::of(&function)?;
        let template = is_template(&function);
        let confirmations = imports::place(&mut function, declared.imports, imports, template)?;
        if !declared.structs.is_empty() {
            located::name(&mut function, &declared.structs, &declarations, &keys, &shim)?;
        }
        Ok((function, confirmations))
    });
    match named {
        Ok((function, confirmations)) => {
            let expansion = start(attribute, function.into_token_stream(), stage);
            quote!(#(#confirmations)* #expansion)
        }
        Err(error) => {
            let error = error.to_compile_error();
            let signature = signature(item);
            quote!(#error #signature)
        }
    }
}

/// Exports a template, and checks it where it stands.
fn define(
    attribute: TokenStream,
    mut function: ItemFn,
    recursive: &[Path],
    resolved: Vec<(Callee, Ident)>,
    mut raw: BTreeMap<String, RawTemplate>,
    stage: &dyn Stager,
) -> TokenStream {
    let shim = shim_path(&attribute);
    let own = RawTemplate::new(attribute, &function, recursive, resolved);
    raw.insert(own.key.to_string(), own.clone());
    let checked = definition::check(&own, &function, &shim, &raw, stage);
    // The items of one that is checked have its tokens.
    let written = match &checked {
        Ok(items) if !items.is_empty() => TokenStream::new(),
        _ => for_editor(function.to_token_stream()),
    };
    let checked = checked.unwrap_or_else(|error| {
        // Each call would repeat the errors.
        *function.block = syn::parse_quote!({ ::core::unreachable!() });
        error.to_compile_error()
    });
    let names = if own.has_home { stage.home_names(&function, &linked(&own.callees)) } else { Vec::new() };
    let export = transport::export(&own, function, raw, &names);
    quote!(#export #checked #written)
}
