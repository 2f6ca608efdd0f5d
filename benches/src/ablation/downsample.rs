//! Chrominance at half the density of luminance on both axes (T.81 A.1.1).

use shim_core::{Block, Boundary, Located, LocationError, Space, TensorOps};

/// The averages of squares of two by two samples, so many to a row. Where there are no samples left, the last ones are
/// repeated. Halves are rounded down and up in turn.
///
/// # Errors
///
/// When the plane does not stand in the space.
pub fn halved(fine: &Block<u8, 2>, columns: usize, root: &Space<i64>) -> Result<Block<u8, 2>, LocationError> {
    let rows = fine.extent(0).div_ceil(2);
    let fine = fine.boundary(Boundary::Clamp);
    let mut coarse = Block::new([rows, columns]).in_space(root)?.coarsened([2, 2])?;
    for [y, x] in coarse.indices() {
        let cell = fine.coverage([2 * y, 2 * x], &coarse)?;
        let sum: u16 = cell.indices().map(|index| u16::from(cell[index])).sum();
        coarse[[y, x]] = ((sum + 1 + (x as u16 & 1)) >> 2) as u8;
    }
    Ok(coarse)
}
