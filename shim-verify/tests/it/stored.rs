//! Proofs in files.

use std::fs;
use std::path::{Path, PathBuf};

use shim_verify::{Expansions, Proofs, Report};

/// The folder of the crate.
pub(crate) fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_owned()
}

/// Checks that all goals are shown, but for those in `proofs/NAME.open`. `SHIM_PROOFS=write` asks the solvers, and
/// writes that file and `proofs/NAME.txt`.
pub(crate) fn check(name: &str, expansions: &Expansions) -> Report {
    let [store, list] = ["txt", "open"].map(|end| folder().join(format!("proofs/{name}.{end}")));
    let mut proofs = Proofs::load(&store).expect("it can be read");
    let writes = std::env::var("SHIM_PROOFS").is_ok_and(|value| value == "write");
    let report = if writes {
        let report = expansions.prove(&mut proofs, |_, _| Ok(())).expect("z3 and cvc5 run");
        proofs.save(&store).expect("it can be written");
        report
    } else {
        expansions.check(&proofs)
    };
    let open = report.open_goals().iter().fold(String::new(), |open, line| open + line + "\n");
    if writes {
        fs::write(&list, &open).expect("it can be written");
    }
    let known = fs::read_to_string(&list).expect("it can be read");
    assert!(
        open == known,
        "open:\n{open}if the expansions changed as they should: SHIM_PROOFS=write cargo test -p shim-verify {name}"
    );
    report
}
