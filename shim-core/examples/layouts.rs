//! Pictures of the orders of elements: the position in memory of each element of an 8x8 block and of some shapes, and the
//! line through them.
//!
//! `cargo run -p shim-core --example layouts -- docs/layouts.svg docs/shapes.svg`

use std::fmt::Write as _;

use shim_core::{Curve, Extent, Layout, LocationError, Order, Shape, Table};

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

/// The places of elements by their positions in memory.
type Places = Vec<[i64; 2]>;

/// The elements of an 8x8 block in an order.
fn of_order(order: &Order) -> Result<Places, LocationError> {
    let layout = order.layout(&[SIDE, SIDE])?;
    let at = |offset: i64| layout.coordinates(&offset).map(|at| [at[0], at[1]]);
    (0..SIDE * SIDE).map(at).collect()
}

/// The elements of a shape in tiles. Those of several groups of rows and columns are drawn beside one another.
fn of_shape(extents: Vec<Extent<i64>>, tile: &[i64]) -> Result<Places, LocationError> {
    let shape = Shape::new(extents)?;
    let layout = Layout::shaped_tiles(shape.tiled(tile)?, tile.to_vec(), &Order::ColumnMajor)?;
    let (mut found, mut left) = (Vec::new(), 0);
    for first in 0..SIDE {
        let mut wide = 0;
        for (y, x) in (0..SIDE).flat_map(|y| (0..SIDE).map(move |x| (y, x))) {
            let (at, place) = match shape.rank() {
                2 => (vec![first, x], [first, x]),
                _ => (vec![first, y, x], [y, left + x]),
            };
            if shape.contains(&at)? && (shape.rank() > 2 || y == 0) {
                found.push((layout.offset(&at)?, place));
                wide = wide.max(x + 1);
            }
        }
        left += wide;
    }
    found.sort_unstable();
    Ok(found.into_iter().map(|(_, place)| place).collect())
}

/// The shapes and how kernels write them.
fn shapes() -> Result<Vec<(&'static str, Places)>, LocationError> {
    let fixed = Extent::constant;
    let row = Extent::index(0);
    let end = row.plus(&fixed(2))?.min(&fixed(SIDE))?;
    let start = row.scale(-1)?.plus(&fixed(2))?.min(&fixed(0))?;
    let listed = |entries: &[i64]| Extent::Listed { axis: 0, extents: Table::new(entries.to_vec()) };
    let starts = Table::new(vec![0, 3, 8, 8, 9, 15, 17, 24, 28]);
    let whole = |extents: Vec<Extent<i64>>| {
        let tile = vec![1; extents.len()];
        of_shape(extents, &tile)
    };
    Ok(vec![
        ("[8, |i| i + 1]", whole(vec![fixed(SIDE), row.plus(&fixed(1))?])?),
        ("[8, |i| 8 - i]", whole(vec![fixed(SIDE), row.scale(-1)?.plus(&fixed(SIDE))?])?),
        ("a band: p = 2, q = 1", whole(vec![fixed(SIDE), end.plus(&start)?])?),
        ("[4, |l| 1 << l]", whole(vec![fixed(4), Extent::Power { axis: 0, factor: 1 }])?),
        ("[8, |i| starts[i]..starts[i + 1]]", whole(vec![fixed(SIDE), Extent::Ragged { axis: 0, starts }])?),
        ("[3, |g| h[g], |g| w[g]]", whole(vec![fixed(3), listed(&[4, 2, 6]), listed(&[3, 3, 2])])?),
        ("[4, |l| 8 >> l, |l| 4 >> l]", whole(vec![fixed(4), listed(&[8, 4, 2, 1]), listed(&[4, 2, 1, 1])])?),
        (
            "the same, tile([1, 1, 2])",
            of_shape(vec![fixed(3), listed(&[8, 4, 2]), listed(&[4, 2, 2])], &[1, 1, 2])?,
        ),
    ])
}

/// All orders as one picture.
///
/// # Errors
/// None: each of the orders is defined for this block.
pub fn picture() -> Result<String, LocationError> {
    let all = orders().into_iter().map(|(name, order)| Ok((name, of_order(&order)?)));
    Ok(panels(&all.collect::<Result<Vec<_>, LocationError>>()?))
}

/// All shapes as one picture.
///
/// # Errors
/// None: each of the shapes has a closed form.
pub fn picture_of_shapes() -> Result<String, LocationError> {
    Ok(panels(&shapes()?))
}

fn panels(all: &[(&str, Places)]) -> String {
    let rows = all.len().div_ceil(COLUMNS) as i64;
    let (width, height) = (PANEL * COLUMNS as i64, (PANEL + TITLE) * rows);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"monospace\">\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>\n"
    );
    for (number, (name, places)) in all.iter().enumerate() {
        let left = (number % COLUMNS) as i64 * PANEL + 12;
        let top = (number / COLUMNS) as i64 * (PANEL + TITLE) + TITLE;
        panel(&mut svg, name, places, [top, left]);
    }
    svg.push_str("</svg>\n");
    svg
}

fn panel(svg: &mut String, name: &str, places: &[[i64; 2]], [top, left]: [i64; 2]) {
    let center = |at: i64| at * CELL + CELL / 2;
    let _ = writeln!(svg, "<text x=\"{left}\" y=\"{}\" font-size=\"11\">{name}</text>", top - 8);
    let mut line = String::new();
    for (offset, at) in (0..).zip(places) {
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
    for (offset, at) in (0..).zip(places) {
        let offset: i64 = offset;
        let (y, x) = (top + center(at[0]) + 4, left + center(at[1]));
        let _ = writeln!(
            svg,
            "<text x=\"{x}\" y=\"{y}\" font-size=\"10\" text-anchor=\"middle\">{offset}</text>"
        );
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let pictures = [picture()?, picture_of_shapes()?];
    for (number, picture) in pictures.into_iter().enumerate() {
        match std::env::args().nth(number + 1) {
            Some(path) => std::fs::write(path, picture)?,
            None => print!("{picture}"),
        }
    }
    Ok(())
}
