//! Gives conversions and extents that several statements need one local each, and finds the ranges whose variable fits
//! `isize`.

mod capture;
mod ends;
mod extent;

use crate::ir::{NameSupply, Program};

/// Shares what several statements of a program need.
pub fn share(program: &mut Program, names: &mut NameSupply) {
    capture::share(program, names);
    extent::name(program, names);
    ends::mark(program);
}
