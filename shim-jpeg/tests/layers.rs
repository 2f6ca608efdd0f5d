//! No two files of the encoder need each other, nor do two folders.

#[path = "../../shim-stage/tests/layers/modules.rs"]
mod modules;

use std::collections::BTreeMap;
use std::path::Path;

use modules::Module;

fn uses() -> BTreeMap<Module, Vec<Module>> {
    modules::uses(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"))
}

#[test]
fn files_have_no_cycle() {
    let uses = uses();
    // What is known of them was found.
    let names = |path: &str| path.split("::").map(str::to_owned).collect::<Vec<_>>();
    assert!(uses[&names("session")].contains(&names("pipeline::plan")));
    assert_eq!(modules::cycle(&uses), None);
}

#[test]
fn folders_have_no_cycle() {
    let mut folders = BTreeMap::<Module, Vec<Module>>::new();
    for (module, used) in uses().into_iter().filter(|(module, _)| module.len() > 1) {
        let own = &module[..1];
        let others = used.iter().filter(|other| other.len() > 1 && other[0] != own[0]);
        folders.entry(own.to_vec()).or_default().extend(others.map(|other| other[..1].to_vec()));
    }
    assert_eq!(modules::cycle(&folders), None);
}
