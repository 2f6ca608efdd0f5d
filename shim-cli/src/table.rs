//! Tables on a terminal.

use comfy_table::{CellAlignment, Table, presets};

/// A table of columns of numbers, but for the first, without lines.
pub(crate) fn new(header: &[&str]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_header(header.iter().copied());
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}
