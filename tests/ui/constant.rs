//! Constants whose value is not known when their macro is expanded, and what is no constant.

use shim::prelude::*;

const SIDE: usize = 4;

#[shim::constant]
const AREA: usize = SIDE * SIDE;

#[shim::constant]
const HALF: f32 = 0.5;

#[shim::constant]
const SMALL: u8 = 200 + 100;

#[shim::constant]
const TABLE: [u8; 4] = {
    let mut table = [0; 4];
    table[1] = 1;
    table
};

#[shim::constant(static)]
const GIVEN: u8 = 1;

#[shim::constant]
static MEMORY: u8 = 1;

#[shim::constant]
const _: u8 = 1;

/// The error stands where the constant does, and not once more here.
#[shim::kernel]
fn of_a_wrong_one(#[shape(4)] t: &[u8]) -> u8 {
    #[staged]
    use crate::SMALL;
    t[[SMALL as usize]]
}

fn main() {}
