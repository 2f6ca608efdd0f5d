//! What each pass makes of some kernels of `tests/fixtures`, as text. After a change, `cargo insta review`, or
//! `INSTA_UPDATE=always cargo test -p shim-stage --test passes` and a look at the difference.

use crate::common::fixtures::FIXTURES;
use proc_macro2::TokenStream;
use quote::ToTokens;
use shim_stage::surface::HelperAttribute;

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

fn settings(folder: &str) -> insta::Settings {
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.set_snapshot_path(folder);
    settings
}

#[test]
fn passes_do_what_they_did() {
    for name in CHOSEN {
        let (_, source) = FIXTURES.iter().find(|(other, _)| other == name).expect("a fixture");
        settings("../passes").bind(|| insta::assert_snapshot!(*name, passes(source)));
    }
}

/// `CONTRIBUTING.md` and the page of the crate list the passes that there are.
#[test]
fn the_lists_of_passes_are_complete() {
    let read = |path: &str| {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
        std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    };
    let kernel = quote::quote!(
        fn k() {}
    );
    let passes = shim_stage::passes(TokenStream::new(), kernel).expect("no error");
    let mut names = vec!["parse", "link"];
    names.extend(passes.iter().map(|(name, _)| *name));
    names.push("emit");

    let contributing = read("../CONTRIBUTING.md");
    let contributing: Vec<&str> = contributing.split_whitespace().collect();
    let wanted = format!("goes through: {}.", names.join(", "));
    assert!(contributing.join(" ").contains(&wanted), "CONTRIBUTING.md does not say `{wanted}`");

    let page = read("src/lib.rs");
    let rows = page.lines().filter_map(|line| line.strip_prefix("//! | ")?.split(" | ").next());
    let rows: Vec<&str> = rows.filter(|name| *name != "pass").collect();
    assert_eq!(rows, names, "the table of passes in lib.rs");
}

/// Each word of an order with a loop that it is about.
const WORDS: &[(HelperAttribute, &str, &str)] = &[
    (
        HelperAttribute::Order,
        "#[order(antidiagonal)]",
        "for [y, x] in t.indices() { t[[y, x]] += s[[y, x]]; }",
    ),
    (HelperAttribute::Tile, "#[tile([8, _])]", "for [y, x] in t.indices() { t[[y, x]] += s[[y, x]]; }"),
    (
        HelperAttribute::Reorder,
        "#[reorder(x, y)]",
        "for y in 0..h { for x in 0..w { t[[y, x]] += s[[y, x]]; } }",
    ),
    (
        HelperAttribute::Wavefront,
        "#[wavefront(2 * y + x)]",
        "for y in 1..h { for x in 1..w { t[[y, x]] = t[[y - 1, x]] + t[[y, x - 1]]; } }",
    ),
    (
        HelperAttribute::Lanes,
        "#[lanes(16)]",
        "for [y, x] in t.indices() { let a = s[[y, x]]; t[[y, x]] = a + t[[y, x]]; }",
    ),
    (HelperAttribute::Parallel, "#[parallel]", "for [y, x] in t.indices() { t[[y, x]] += s[[y, x]]; }"),
    (
        HelperAttribute::Fuse,
        "#[fuse]",
        "for y in 0..h { t[[y, 0]] = s[[y, 0]]; } for y in 0..h { t[[y, 1]] = t[[y, 0]]; }",
    ),
    (
        HelperAttribute::Distribute,
        "#[distribute]",
        "for [y, x] in s.indices() { t[[y, x]] = s[[y, x]]; let a = t[[y, x]] / 2; t[[y, x]] = a + s[[y, x]]; }",
    ),
    (
        HelperAttribute::Copies,
        "#[copies(4)]",
        "for y in 0..h { for x in 0..w { t[[0, s[[y, x]] as usize % 16]] += 1; } }",
    ),
    (HelperAttribute::Unroll, "#[unroll(4)]", "for y in 0..h { for x in 0..w { t[[y, x]] += s[[y, x]]; } }"),
    (
        HelperAttribute::ComputeAt,
        "#[compute_at('row)]",
        "let c = stage::<i16>(|[y, x]| s[[y, x]] / 2);
         'row: for y in 0..h { for x in 1..w { t[[y, x]] = c[[y, x - 1]] + c[[y, x]]; } }",
    ),
    (
        HelperAttribute::StoreAt,
        "#[store_at(root)] #[compute_at('row)]",
        "let c = stage::<i16>(|[y, x]| s[[y, x]] / 2);
         'row: for y in 1..h { for x in 0..w { t[[y, x]] = c[[y - 1, x]] + c[[y, x]]; } }",
    ),
    (
        HelperAttribute::StoreIn,
        "#[store_in(memory)] #[compute_at('row)]",
        "let c = stage::<i16>(|[y, x]| s[[y, x]] / 2);
         'row: for y in 1..h { for x in 0..w { t[[y, x]] = c[[y - 1, x]] + c[[y, x]]; } }",
    ),
    (
        HelperAttribute::Pure,
        "#[tile([8, 8])] #[pure(f)]",
        "for [y, x] in t.indices() { t[[y, x]] = f(s[[y, x]]); }",
    ),
];

#[test]
fn each_word_does_what_it_did() {
    let is_tested = |word: &&HelperAttribute| WORDS.iter().any(|(own, ..)| own == *word);
    let untested = HelperAttribute::ALL.iter().filter(|word| word.is_schedule() && !is_tested(word));
    assert_eq!(untested.count(), 0);
    for (word, attribute, for_loop) in WORDS {
        let kernel = format!(
            "fn kernel(t: &mut [i16], s: &[i16], h: usize, w: usize, memory: &mut Vec<i16>) {{
                let t = Block::external(t, [h, w]);
                let s = Block::external(s, [h, w]);
                {attribute} {for_loop}
            }}"
        );
        let kernel = syn::parse_str::<syn::ItemFn>(&kernel).expect("a kernel");
        let passes = shim_stage::passes(TokenStream::new(), kernel.to_token_stream()).expect("no error");
        let (_, scheduled) = passes.iter().find(|(pass, _)| *pass == "schedule").expect("the pass");
        let shown = format!("{attribute}\n{for_loop}\n\n{scheduled}");
        settings("../passes/words").bind(|| insta::assert_snapshot!(word.name(), shown));
    }
}
