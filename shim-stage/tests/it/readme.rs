//! What the README shows as the output of the compiler is its output.

use quote::ToTokens;

/// The text of the README's first fenced block that begins with `fence` and has the function `name`.
fn block<'a>(readme: &'a str, fence: &str, name: &str) -> &'a str {
    let mut blocks = readme.split("\n```").skip(1).step_by(2);
    let found = blocks.find_map(|block| {
        let block = block.strip_prefix(fence)?.strip_prefix('\n')?;
        block.contains(&format!("fn {name}(")).then_some(block)
    });
    found.unwrap_or_else(|| panic!("the README has no block of `{fence}` with `{name}`")).trim()
}

/// Without white space and commas at the end of lists, which are matters of taste.
fn squeezed(source: &str) -> String {
    let text: String = source.split_whitespace().collect();
    text.replace(",)", ")").replace(",]", "]")
}

#[test]
fn the_readme_shows_the_example_and_its_expansion() {
    let read = |path: &str| {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path);
        std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    };
    let (readme, example) = (read("README.md"), read("examples/vertical_right.rs"));

    let kernel = block(&readme, "rust", "vertical_right");
    assert!(example.contains(kernel), "the README's kernel is not that of examples/vertical_right.rs");

    let blur = block(&readme, "rust", "blur");
    assert!(read("examples/blur.rs").contains(blur), "the README's kernel is not that of examples/blur.rs");

    let mut items = syn::parse_file(kernel).expect("a kernel").items.into_iter();
    let function =
        items.find_map(|item| if let syn::Item::Fn(function) = item { Some(function) } else { None });
    let mut function = function.expect("a function");
    function.attrs.clear();
    let expansion = shim_stage::kernel(proc_macro2::TokenStream::new(), function.to_token_stream());
    let expansion = squeezed(&expansion.to_string());

    // The parts between the comments stand in the output in this order.
    let mut rest = expansion.as_str();
    for part in block(&readme, "rust,ignore", "vertical_right").trim_end_matches('}').split("// ..") {
        let part = squeezed(part);
        let Some(at) = rest.find(&part) else {
            panic!("the README shows\n\n{part}\n\nwhich does not come out here:\n\n{rest}");
        };
        rest = &rest[at + part.len()..];
    }
}
