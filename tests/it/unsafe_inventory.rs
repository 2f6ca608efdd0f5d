//! `SOUNDNESS.md` lists every `unsafe`; here the list is compared with the sources and with what comes out.

use std::fs;
use std::path::{Path, PathBuf};

/// The sources below `folder`.
fn sources(folder: &Path, ending: &str, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            sources(&path, ending, found);
        } else if path.extension().is_some_and(|extension| extension == ending) {
            found.push(path);
        }
    }
}

/// Whether a line of code, comments aside, has an `unsafe` block, function, implementation or attribute.
fn is_unsafe(line: &str) -> bool {
    let code = line.split("//").next().unwrap_or_default();
    ["unsafe {", "unsafe fn", "unsafe impl", "unsafe trait", "unsafe extern", "unsafe("]
        .iter()
        .any(|form| code.contains(form))
}

#[test]
fn unsafe_code_is_where_the_page_says() {
    const PLACES: &[&str] = &[
        "src/private/call.rs",
        "src/private/element.rs",
        "src/private/prefetch.rs",
        "src/private/runtime.rs",
        "src/selection.rs",
    ];
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for folder in
        ["src", "shim-core/src", "shim-macros/src", "shim-jpeg/src", "shim-h264/src", "shim-cli/src"]
    {
        let mut files = Vec::new();
        sources(&root.join(folder), "rs", &mut files);
        for file in files {
            let name = file.strip_prefix(root).expect("below the root").to_string_lossy().replace('\\', "/");
            let text = fs::read_to_string(&file).expect("a source");
            // Tests of kernels over raw pointers say so beside themselves.
            let code = text.split("#[cfg(test)]").next().unwrap_or_default();
            let found = code.lines().position(is_unsafe);
            assert!(
                found.is_none() || PLACES.contains(&name.as_str()),
                "{name}:{}: SOUNDNESS.md does not list this `unsafe`",
                found.unwrap_or_default() + 1
            );
        }
    }
}

#[test]
fn expansions_call_one_method_in_an_unsafe_block() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut snapshots = Vec::new();
    sources(&root.join("shim-stage/tests/snapshots"), "snap", &mut snapshots);
    assert!(snapshots.len() > 30, "the golden expansions are read");
    let methods = ["load", "load_mut", "load_in_row", "load_in_row_mut", "slice", "slice_mut"];
    let mut blocks = 0;
    for file in snapshots {
        let text: String = fs::read_to_string(&file).expect("a snapshot").split_whitespace().collect();
        for block in text.split("unsafe{").skip(1) {
            let block = block.trim_start_matches('*');
            let known = block.starts_with("::shim::__private::Runtime::new(")
                || block.strip_prefix("shim.").is_some_and(|call| {
                    methods
                        .iter()
                        .any(|method| call.strip_prefix(method).is_some_and(|rest| rest.starts_with('(')))
                        || call.starts_with("call_")
                });
            assert!(known, "{}: `unsafe {{ {:.60}`", file.display(), block);
            blocks += 1;
        }
    }
    assert!(blocks > 100, "the golden expansions have unsafe blocks");
}
