//! The picture of the orders of elements is the one that its program draws.

#[allow(dead_code, unreachable_pub, reason = "its `main` writes the file")]
#[path = "../../examples/layouts.rs"]
mod layouts;

#[test]
fn the_picture_shows_the_orders() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/layouts.svg");
    let found = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let wanted = layouts::picture().expect("orders of an 8x8 block");
    assert!(found == wanted, "run `cargo run -p shim-core --example layouts -- docs/layouts.svg`");
}
