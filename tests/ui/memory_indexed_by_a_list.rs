//! A slice without a shape is not a tensor.

#[shim::kernel]
fn first(a: &[u8]) -> u8 {
    a[[0]]
}

#[shim::kernel]
fn last(a: &mut Vec<u16>, table: [u8; 4], y: usize) {
    let a = a;
    a[y] = 3;
    table[[y, 1]] += 1;
}

/// A type of the user's may be indexed by a list.
struct Grid([u8; 4]);

impl core::ops::Index<[usize; 2]> for Grid {
    type Output = u8;

    fn index(&self, [y, x]: [usize; 2]) -> &u8 {
        &self.0[2 * y + x]
    }
}

#[shim::kernel]
fn of_a_grid(grid: &Grid) -> u8 {
    grid[[1, 0]]
}

fn main() {}
