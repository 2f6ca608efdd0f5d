//! Properties of every definition, and the library against plain interpreters.

#[path = "../common/mod.rs"]
mod common;

mod algebra;
mod boundaries;
mod integer;
mod layouts;
mod maps;
mod orders;
mod parts;
mod pictures;
mod points;
mod shapes;
mod tensor_spaces;
mod views;
