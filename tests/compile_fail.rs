//! Every rule of the language that can be broken, and what the compiler says then.
//!
//! The messages are pinned to the toolchain in `rust-toolchain.toml`; `TRYBUILD=overwrite` writes them anew.

#[test]
fn messages() {
    trybuild::TestCases::new().compile_fail("tests/ui/*.rs");
}
