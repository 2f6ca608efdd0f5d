//! What each pass makes of some kernels of `tests/fixtures`, as text. After a change, `cargo insta review`, or
//! `INSTA_UPDATE=always cargo test -p shim-stage --test passes` and a look at the difference.

use crate::common::fixtures::FIXTURES;
use proc_macro2::TokenStream;
use quote::ToTokens;

/// Fixtures in which every pass has something to do, and none calls a template.
const CHOSEN: &[&str] =
    &["boundary_clamp", "capture", "guards", "nests", "operands", "uncleared", "unroll", "walking_up"];

/// The first kernel of a file after each pass.
fn passes(source: &str) -> String {
    let file = syn::parse_file(source).expect("a fixture");
    let kernel = file.items.into_iter().find_map(|item| match item {
        syn::Item::Fn(function) if !function.attrs.is_empty() => Some(function),
        _ => None,
    });
    let mut kernel = kernel.expect("a kernel");
    kernel.attrs.clear();
    let passes = shim_stage::passes(TokenStream::new(), kernel.to_token_stream()).expect("no error");
    let mut shown = String::new();
    let mut before = String::new();
    for (pass, text) in passes {
        let changed = if text == before { "nothing changes\n" } else { &text };
        shown.extend(["-- ", pass, "\n", changed, "\n"]);
        before = text;
    }
    shown
}

#[test]
fn passes_do_what_they_did() {
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.set_snapshot_path("../passes");
    for name in CHOSEN {
        let (_, source) = FIXTURES.iter().find(|(other, _)| other == name).expect("a fixture");
        settings.bind(|| insta::assert_snapshot!(*name, passes(source)));
    }
}
