//! The pictures of orders and shapes are those that their program draws.

#[allow(dead_code, unreachable_pub, reason = "its `main` writes the files")]
#[path = "../../examples/layouts.rs"]
mod layouts;

const COMMAND: &str = "cargo run -p shim-core --example layouts -- docs/layouts.svg docs/shapes.svg";

fn is_drawn(name: &str, wanted: &str) {
    let path = format!("{}/../docs/{name}", env!("CARGO_MANIFEST_DIR"));
    let found = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    assert!(found == wanted, "run `{COMMAND}`");
}

#[test]
fn the_picture_shows_the_orders() {
    is_drawn("layouts.svg", &layouts::picture().expect("orders of an 8x8 block"));
}

#[test]
fn the_picture_shows_the_shapes() {
    is_drawn("shapes.svg", &layouts::picture_of_shapes().expect("closed forms"));
}
