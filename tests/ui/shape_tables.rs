//! Extents by tables, shapes of fields, triangles of dense blocks, and pieces.

use shim::prelude::*;

#[shim::kernel]
fn too_many(a: &[u8], rows: &[usize]) -> u8 {
    let a = Block::external(a, [65, |g| rows[g]]);
    a[[0, 0]]
}

#[shim::kernel]
fn unknown_number(a: &[u8], rows: &[usize], n: usize) -> u8 {
    let a = Block::external(a, [n, |g| rows[g]]);
    a[[0, 0]]
}

#[shim::kernel]
fn two_indices(a: &[u8], rows: &[usize]) -> u8 {
    let a = Block::external(a, [2, 3, |g, h| rows[g + h]]);
    a[[0, 0, 0]]
}

#[shim::kernel]
fn negative(a: &[u8]) -> u8 {
    let a = Block::external(a, [3, |g| [1, -1, 2][g]]);
    a[[0, 0]]
}

#[shim::kernel]
fn starts_of_another(a: &[u8], starts: &[u32], ends: &[u32], n: usize) -> u8 {
    let a = Block::external(a, [n, |i| starts[i]..ends[i]]);
    a[[0, 0]]
}

#[shim::kernel]
fn starts_to_the_end(a: &[u8], starts: &[u32], n: usize) -> u8 {
    let a = Block::external(a, [n, |i| starts[i]..=starts[i + 1]]);
    a[[0, 0]]
}

#[shim::kernel]
fn starts_in_a_tensor(a: &[u8], #[shape(n + 1)] starts: &[u32], n: usize) -> u8 {
    let a = Block::external(a, [n, |i| starts[i]..starts[i + 1]]);
    a[[0, 0]]
}

#[shim::kernel]
fn rows_of_rows(a: &[u8], starts: &[u32], n: usize) -> u8 {
    let a = Block::external(a, [n, |i| i + 1, |_, j| starts[j]..starts[j + 1]]);
    a[[0, 0, 0]]
}

#[shim::kernel]
fn no_triangle(a: &[u8]) -> u8 {
    let a = Block::external(a, [4, 4]);
    let lower = a.shaped([4]);
    let upper = a.shaped(4);
    0
}

#[shim::kernel]
fn stored(a: &[u8], b: &[u8], n: usize) -> u8 {
    let a = Block::external(a, [n, |i| i + 1]).stored(tile([1, 4]));
    let b = Block::external(b, [n, |i| 4 * i]).stored(tile([2, 4]));
    0
}

#[shim::kernel]
fn pieces(a: &[u8], b: &[u8]) -> i32 {
    let (a, b) = (Block::external(a, [4]), Block::external(b, [4, 4]));
    let other_rank = a.or(b);
    let cast = a.cast::<i32>().or(a);
    let ruled = a.or(a.boundary(Fill(0)));
    let folded = a.or(a).boundary(Clamp);
    0
}

#[shim::located]
struct NotIntegers {
    rows: [f32; 3],
    #[shape(3, |g| rows[g])]
    values: Vec<u8>,
}

#[shim::located]
struct NoField {
    #[shape(3, |g| rows[g])]
    values: Vec<u8>,
}

#[shim::located]
struct NotAName {
    rows: [usize; 3],
    #[shape(3, |g| self.rows[g])]
    values: Vec<u8>,
}

#[shim::located(view as CutView)]
struct Cut {
    rows: [usize; 3],
    #[shape(3, |g| rows[g])]
    values: Vec<u8>,
}

fn main() {}
