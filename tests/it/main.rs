//! The language as a user's crate sees it: compiled kernels against plain Rust loops.

#[path = "../common/mod.rs"]
mod common;

mod access;
mod arrays;
mod boundary;
mod boundary_axes;
mod choices;
mod closures;
mod constants;
mod control_flow;
mod corners;
mod evaluation_order;
mod first_hour;
mod generics;
mod inclusive;
mod index_arithmetic;
mod language;
mod lists;
mod located;
mod located_views;
mod memory;
mod named_layouts;
mod natural;
mod outside_kernels;
mod parameters;
mod passed_templates;
mod places;
mod plain_lets;
mod points;
mod reductions;
mod reshape;
mod returned_tensors;
mod scans;
mod select;
mod specialize;
mod strides;
mod tabulate;
mod templates;
mod tiles;
mod transposed;
mod uncleared;
mod unsafe_inventory;
mod views;
mod within;
mod zones;
