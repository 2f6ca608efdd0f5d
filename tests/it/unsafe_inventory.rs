//! `SOUNDNESS.md` lists every `unsafe`; here its table is compared with the sources and with what comes out.

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

/// Whether a line of code, comments and messages aside, has an `unsafe` block, function, implementation or attribute.
fn is_unsafe(line: &str) -> bool {
    let code = line.split("//").next().unwrap_or_default().replace("`unsafe", "");
    ["unsafe {", "unsafe fn", "unsafe impl", "unsafe trait", "unsafe extern", "unsafe("]
        .iter()
        .any(|form| code.contains(form))
}

/// The rows of the page's table: the texts in backquotes of the first column, or its words, and those of the second.
fn rows() -> Vec<(String, Vec<String>)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = fs::read_to_string(root.join("SOUNDNESS.md")).expect("the page");
    let table = page.lines().skip_while(|line| !line.starts_with("| where |")).skip(2);
    let quoted = |cell: &str| cell.split('`').skip(1).step_by(2).map(str::to_owned).collect::<Vec<String>>();
    table
        .take_while(|line| line.starts_with('|'))
        .map(|line| {
            let cells: Vec<&str> = line.trim_matches('|').split(" | ").map(str::trim).collect();
            (quoted(cells[0]).pop().unwrap_or_else(|| cells[0].to_owned()), quoted(cells[1]))
        })
        .collect()
}

#[test]
fn unsafe_code_is_where_the_page_says() {
    const CRATES: &[&str] = &[
        "src",
        "shim-core/src",
        "shim-stage/src",
        "shim-macros/src",
        "shim-jpeg/src",
        "shim-h264/src",
        "shim-cli/src",
        "shim-capi/src",
    ];
    let places: Vec<String> =
        rows().into_iter().map(|(place, _)| place).filter(|place| place.contains('/')).collect();
    let mut seen = vec![false; places.len()];
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for folder in CRATES {
        let mut files = Vec::new();
        sources(&root.join(folder), "rs", &mut files);
        for file in files {
            let name = file.strip_prefix(root).expect("below the root").to_string_lossy().replace('\\', "/");
            // Tests of kernels over raw pointers, and of tokens, say so beside themselves.
            if name.contains("/tests/") || name.ends_with("/tests.rs") {
                continue;
            }
            let text = fs::read_to_string(&file).expect("a source");
            let code = text.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
            let Some(line) = code.lines().position(is_unsafe) else { continue };
            let listed = places.iter().position(|place| {
                if place.ends_with('/') { name.starts_with(place) } else { name == *place }
            });
            let listed = listed
                .unwrap_or_else(|| panic!("{name}:{}: SOUNDNESS.md does not list this `unsafe`", line + 1));
            seen[listed] = true;
        }
    }
    let empty: Vec<_> = places.iter().zip(seen).filter(|(_, seen)| !seen).collect();
    assert!(empty.is_empty(), "SOUNDNESS.md lists what has no `unsafe`: {empty:?}");
}

#[test]
fn expansions_call_one_method_in_an_unsafe_block() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut snapshots = Vec::new();
    sources(&root.join("shim-stage/tests/snapshots"), "snap", &mut snapshots);
    assert!(snapshots.len() > 30, "the golden expansions are read");
    let methods: Vec<String> = rows()
        .into_iter()
        .filter(|(place, _)| place == "expansions")
        .flat_map(|(_, methods)| methods)
        .collect();
    assert!(methods.len() > 5, "the page is read: {methods:?}");
    let mut blocks = 0;
    for file in snapshots {
        let text: String = fs::read_to_string(&file).expect("a snapshot").split_whitespace().collect();
        for block in text.split("unsafe{").skip(1) {
            let block = block.trim_start_matches('*');
            // A kernel that names `shim` has another name for the local.
            let call =
                ["::shim::__private::", "shim.", "shim_2."].iter().find_map(|by| block.strip_prefix(by));
            let name = call.and_then(|call| call.split('(').next()).unwrap_or_default();
            let name = name.split("::<").next().unwrap_or_default();
            let known = methods.iter().any(|method| method == name);
            assert!(known, "{}: `unsafe {{ {:.60}`", file.display(), block);
            blocks += 1;
        }
    }
    assert!(blocks > 100, "the golden expansions have unsafe blocks");
}
