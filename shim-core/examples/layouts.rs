//! Pictures of the orders of elements: the position in memory of each element of an 8x8 block, and the line through
//! them.
//!
//! `cargo run -p shim-core --example layouts -- docs/layouts.svg`

use std::fmt::Write as _;

use shim_core::{Curve, LocationError, Order};

const SIDE: i64 = 8;
/// The width of an element, of a panel and of the space for its title, in pixels.
const CELL: i64 = 26;
const PANEL: i64 = SIDE * CELL + 24;
const TITLE: i64 = 30;
const COLUMNS: usize = 4;

fn tile(extents: [i64; 2], outer: Order, inner: Order) -> Order {
    Order::Tile { extents: extents.to_vec(), outer: Box::new(outer), inner: Box::new(inner) }
}

/// Rows in which every third element follows.
fn thirds() -> Order {
    Order::from_fn(&[SIDE, SIDE], |at| SIDE * at[0] + 3 * at[1] % SIDE)
        .expect("3 and 8 have no common factor")
}

/// The orders and how kernels write them.
fn orders() -> Vec<(&'static str, Order)> {
    let rows = || Order::RowMajor;
    vec![
        ("row_major", rows()),
        ("column_major", Order::ColumnMajor),
        ("row_major.reversed()", Order::Reversed(Box::new(rows()))),
        ("tile([4, 2])", Order::tile(&[4, 2])),
        ("tile([4, 4]).outer(column_major)", tile([4, 4], Order::ColumnMajor, rows())),
        ("tile([2, 2]).outer(antidiagonal)", tile([2, 2], Order::Curve(Curve::Antidiagonal), rows())),
        ("tile([4, 4]).inner(tile([2, 2]))", tile([4, 4], rows(), Order::tile(&[2, 2]))),
        ("lanes(4)", Order::tile(&[4, 1])),
        ("morton", Order::Morton),
        ("antidiagonal", Order::Curve(Curve::Antidiagonal)),
        ("zigzag", Order::Curve(Curve::Zigzag)),
        ("swizzle(8)", Order::Swizzle(8)),
        ("tile([2, 4]).inner(column_major)", tile([2, 4], rows(), Order::ColumnMajor)),
        ("zigzag.reversed()", Order::Reversed(Box::new(Order::Curve(Curve::Zigzag)))),
        ("hilbert", Order::Curve(Curve::Hilbert)),
        ("by(|[y, x]| 8 * y + 3 * x % 8)", thirds()),
    ]
}

/// All orders as one picture.
///
/// # Errors
/// None: each of the orders is defined for this block.
pub fn picture() -> Result<String, LocationError> {
    let orders = orders();
    let rows = orders.len().div_ceil(COLUMNS) as i64;
    let (width, height) = (PANEL * COLUMNS as i64, (PANEL + TITLE) * rows);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"monospace\">\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>\n"
    );
    for (number, (name, order)) in orders.iter().enumerate() {
        let left = (number % COLUMNS) as i64 * PANEL + 12;
        let top = (number / COLUMNS) as i64 * (PANEL + TITLE) + TITLE;
        panel(&mut svg, name, order, [top, left])?;
    }
    svg.push_str("</svg>\n");
    Ok(svg)
}

fn panel(svg: &mut String, name: &str, order: &Order, [top, left]: [i64; 2]) -> Result<(), LocationError> {
    let layout = order.layout(&[SIDE, SIDE])?;
    let center = |at: i64| at * CELL + CELL / 2;
    let _ = writeln!(svg, "<text x=\"{left}\" y=\"{}\" font-size=\"11\">{name}</text>", top - 8);
    let mut line = String::new();
    for offset in 0..SIDE * SIDE {
        let at = layout.coordinates(&offset)?;
        let (y, x) = (top + at[0] * CELL, left + at[1] * CELL);
        let lightness = 96 - 40 * offset / (SIDE * SIDE);
        let _ = writeln!(
            svg,
            "<rect x=\"{x}\" y=\"{y}\" width=\"{CELL}\" height=\"{CELL}\" fill=\"hsl(210,60%,{lightness}%)\" \
             stroke=\"#ffffff\"/>"
        );
        let _ = write!(line, "{},{} ", left + center(at[1]), top + center(at[0]));
    }
    let line = line.trim_end();
    let _ = writeln!(
        svg,
        "<polyline points=\"{line}\" fill=\"none\" stroke=\"#d04020\" stroke-opacity=\"0.5\"/>"
    );
    for offset in 0..SIDE * SIDE {
        let at = layout.coordinates(&offset)?;
        let (y, x) = (top + center(at[0]) + 4, left + center(at[1]));
        let _ = writeln!(
            svg,
            "<text x=\"{x}\" y=\"{y}\" font-size=\"10\" text-anchor=\"middle\">{offset}</text>"
        );
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let picture = picture()?;
    match std::env::args().nth(1) {
        Some(path) => std::fs::write(path, picture)?,
        None => print!("{picture}"),
    }
    Ok(())
}
