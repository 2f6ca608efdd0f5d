//! `docs/language/reference.md` is written from the tables of `shim_stage::surface`.
//!
//! After a change of a table: `SHIM_UPDATE_REFERENCE=1 cargo test -p shim-stage --test it reference`.

use std::fmt::Write as _;

use shim_stage::surface::{
    Constructor, HelperAttribute, KernelOption, LayoutWord, MethodKind, PointMethod, TensorMethod, std_macro,
};

const HEAD: &str =
    "<!-- Written by shim-stage/tests/it/reference.rs from the tables in shim-stage/src/surface. -->
Each name of the surface language, on one page. The other pages say what they mean together.
";

const METHODS: &str = "
# Methods of std

These methods only compute: loops with words and stages may call them. A stage in memory may call those that have a value for the elements that nothing reads
([stages](crate::language::stages#what-is-computed)). Any other method may do anything, unless `#[pure(method)]` before the loop names it.

| methods | names |
|---|---|
";

fn table(page: &mut String, title: &str, form: &str, rows: impl Iterator<Item = (String, String)>) {
    let _ = write!(page, "\n# {title}\n\n| {form} | meaning |\n|---|---|\n");
    for (form, meaning) in rows {
        let _ = writeln!(page, "| {form} | {meaning} |");
    }
}

/// The form in the usage line of a table, which is between its first backticks.
fn form(usage: &str) -> String {
    let form = usage.split('`').nth(1).unwrap_or_else(|| panic!("{usage}: no form"));
    // A bar separates the cells of a table, in code as well.
    format!("`{}`", form.replace('|', "\\|"))
}

fn reference() -> String {
    let mut page = HEAD.to_owned();
    let constructors = Constructor::ALL.iter();
    let constructors = constructors.map(|one| (form(one.usage()), one.meaning().to_owned()));
    table(&mut page, "Blocks", "constructor", constructors);
    for (kind, title) in [
        (MethodKind::Placement, "Where a block is, and how it is stored"),
        (MethodKind::View, "Views"),
        (MethodKind::Copy, "Copies"),
        (MethodKind::Query, "Queries"),
        (MethodKind::Indices, "Indices"),
        (MethodKind::List, "Lists"),
    ] {
        let methods = TensorMethod::ALL.iter().filter(|method| method.kind() == kind);
        let rows = methods.map(|method| (form(method.usage()), method.meaning().to_owned()));
        table(&mut page, title, "method", rows);
        if kind == MethodKind::Placement {
            page.push_str(
                "\nEach is an attribute as well, of a parameter with a shape or a tensor of the runtime library: `#[coarsened(2, 2)]`.\n",
            );
            let words = LayoutWord::ALL.iter();
            let words = words.map(|one| (form(one.usage()), one.meaning().to_owned()));
            table(&mut page, "Orders of elements", "order", words);
        }
    }
    let methods = PointMethod::ALL.iter();
    let methods = methods.map(|one| (form(one.usage()), one.meaning().to_owned()));
    table(&mut page, "Points", "method", methods);
    let attributes = HelperAttribute::ALL.iter();
    let attributes =
        attributes.map(|one| (format!("`{}`", one.usage().replace('|', "\\|")), one.meaning().to_owned()));
    table(&mut page, "Attributes in a kernel", "attribute", attributes);
    let options = KernelOption::ALL.iter();
    let options =
        options.map(|one| (format!("`{}`", one.usage().replace('|', "\\|")), one.meaning().to_owned()));
    table(&mut page, "Options of the kernel", "option", options);
    page.push_str(METHODS);
    for (meaning, names) in shim_stage::static_eval::methods::groups() {
        let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
        let _ = writeln!(page, "| {meaning} | {} |", names.join(", "));
    }
    let macros: Vec<String> = std_macro::names().map(|name| format!("`{name}!`")).collect();
    let _ = write!(
        page,
        "\n# Macros of std\n\nThe arguments of these macros are staged as any other expression: {}.\n",
        macros.join(", ")
    );
    page
}

#[test]
fn the_reference_lists_every_name() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/language/reference.md");
    let wanted = reference();
    if std::env::var_os("SHIM_UPDATE_REFERENCE").is_some() {
        std::fs::write(&path, &wanted).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(found, wanted, "docs/language/reference.md is not what the tables say");
}

/// A method or constructor that rust-analyzer would not know.
#[test]
fn editors_know_every_name() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../shim-core/src/editor.rs");
    let source = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    for method in TensorMethod::ALL {
        assert!(source.contains(&format!("    {}[", method.name())), "`{}` is missing", method.name());
    }
    for constructor in Constructor::ALL {
        assert!(
            source.contains(&format!("pub fn {}<", constructor.name())),
            "`{}` is missing",
            constructor.name()
        );
    }
}
