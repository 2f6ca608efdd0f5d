//! Placement: where each value that several statements need is computed, and under which name.
//!
//! Nests are in their final form here, interiors split from edges. Conversions of user values, extents and parts of
//! offsets get a local at the outermost point that is control-equivalent to their uses and where their symbols are in
//! scope; all uses that the local dominates share it.

mod conversion;
mod extent;
mod fits;
mod offset;
#[cfg(test)]
mod tests;

use crate::ir::{NameSupply, Program};

/// Places the values of a program, and lowers coordinates to offsets.
pub fn place(program: &mut Program, names: &mut NameSupply) {
    conversion::place(program, names);
    extent::place(program, names);
    fits::mark(program);
    offset::place(program, names);
}
