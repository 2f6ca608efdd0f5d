//! The programs in `examples/`, which assert what they print.

use std::path::Path;
use std::process::Command;

#[test]
fn examples_run() {
    // cargo builds them beside the tests: target/PROFILE/deps/THIS and target/PROFILE/examples/NAME.
    let this = std::env::current_exe().expect("a test has a path");
    let built = this.parent().and_then(Path::parent).expect("target/PROFILE").join("examples");
    let mut count = 0;
    for source in Path::new(env!("CARGO_MANIFEST_DIR")).join("examples").read_dir().expect("examples/") {
        let source = source.expect("an entry").path();
        let name = source.file_stem().expect("a name").to_str().expect("in ASCII");
        let program = built.join(name).with_extension(std::env::consts::EXE_EXTENSION);
        assert!(
            program.is_file(),
            "{name} is not built: run `cargo build --examples`, or plain `cargo test`"
        );
        let output = Command::new(&program).output().expect("it starts");
        let complaints = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{name}: {complaints}");
        assert!(!output.stdout.is_empty(), "{name} prints nothing");
        count += 1;
    }
    assert!(count >= 8, "{count} examples");
}
