//! Orders of loops that the compiler accepts keep every dependence, by brute force over the points of a box.

use proc_macro2::TokenStream;
use quote::quote;
use shim_core::{Curve, Order};

const EXTENTS: [i64; 2] = [9, 11];

/// An order as an attribute, and the position at which it visits a point. Points of one front have one position.
struct Schedule {
    attribute: TokenStream,
    position: Box<dyn Fn([i64; 2]) -> i64>,
}

fn schedules() -> Vec<Schedule> {
    let tile = |extents: [i64; 2], outer: Order, inner: Order| Order::Tile {
        extents: extents.to_vec(),
        outer: Box::new(outer),
        inner: Box::new(inner),
    };
    let antidiagonal = || Order::Curve(Curve::Antidiagonal);
    let orders = [
        (quote!(#[order(row_major)]), Order::RowMajor),
        (quote!(#[reorder(x, y)]), Order::ColumnMajor),
        (quote!(#[tile([2, 3])]), Order::tile(&[2, 3])),
        (quote!(#[tile([1, 4])]), Order::tile(&[1, 4])),
        (
            quote!(#[order(tile([4, 4]).outer(column_major).inner(antidiagonal))]),
            tile([4, 4], Order::ColumnMajor, antidiagonal()),
        ),
        (quote!(#[order(row_major.reversed())]), Order::Reversed(Box::new(Order::RowMajor))),
        (
            quote!(#[order(tile([3, 3]).inner(row_major.reversed()))]),
            tile([3, 3], Order::RowMajor, Order::Reversed(Box::new(Order::RowMajor))),
        ),
        (quote!(#[order(antidiagonal)]), antidiagonal()),
    ];
    let orders = orders.into_iter().map(|(attribute, order)| {
        let layout = order.layout(&EXTENTS).expect("an order of this box");
        Schedule { attribute, position: Box::new(move |at| layout.offset(&at).expect("a point of the box")) }
    });
    let fronts = (1..4_i64).map(|slope| {
        let factor = proc_macro2::Literal::i64_unsuffixed(slope);
        let attribute = quote!(#[wavefront(#factor * y + x)]);
        Schedule { attribute, position: Box::new(move |[y, x]| slope * y + x) }
    });
    orders.chain(fronts).collect()
}

/// Whether each two points at a distance are visited in the sequence of their source, and not in one front.
fn keeps(schedule: &Schedule, [dy, dx]: [i64; 2]) -> bool {
    let inside = |[y, x]: [i64; 2]| (0..EXTENTS[0]).contains(&y) && (0..EXTENTS[1]).contains(&x);
    let points = (0..EXTENTS[0]).flat_map(|y| (0..EXTENTS[1]).map(move |x| [y, x]));
    points.map(|[y, x]| ([y, x], [y + dy, x + dx])).filter(|(_, to)| inside(*to)).all(|(from, to)| {
        let [before, after] = [from, to].map(|at| (schedule.position)(at));
        (dy, dx) == (0, 0) || before.cmp(&after) == from.cmp(&to)
    })
}

fn accepts(attribute: &TokenStream, body: &TokenStream) -> bool {
    let kernel = quote! {
        fn k(#[shape(h, w)] t: &mut [u32], h: usize, w: usize) {
            let zero = t.boundary(Fill(0));
            #attribute
            for [y, x] in t.indices() { #body }
        }
    };
    !shim_stage::kernel(TokenStream::new(), kernel).to_string().contains("compile_error")
}

#[test]
fn accepted_orders_keep_every_dependence() {
    let (mut accepted, mut rejected, mut careful) = (0, 0, 0);
    for schedule in schedules() {
        for [dy, dx] in (-2..3_i64).flat_map(|dy| (-2..3_i64).map(move |dx| [dy, dx])) {
            let [y, x] = [dy, dx].map(proc_macro2::Literal::i64_unsuffixed);
            // The element that is read is written `[-dy, -dx]` iterations later, or was that long before.
            let bodies = [
                quote!(t[[y, x]] = zero[[y + #y, x + #x]];),
                quote!(t[[y, x]] += 1; t[[y, x]] ^= zero.get([y + #y, x + #x]).unwrap_or(3);),
                quote!(t[[y + 2, x + 2]] = zero[[y + 2 + #y, x + 2 + #x]];),
            ];
            let kept = keeps(&schedule, [-dy, -dx]);
            for body in bodies {
                let accepts = accepts(&schedule.attribute, &body);
                assert!(!accepts || kept, "{} over {body} of [{dy}, {dx}]", schedule.attribute);
                accepted += usize::from(accepts);
                rejected += usize::from(!accepts && !kept);
                careful += usize::from(!accepts && kept);
            }
        }
    }
    println!("{accepted} accepted, {rejected} rejected, {careful} rejected though the box keeps them");
    // Tiles may keep a distance of mixed signs by their extents, which is not looked at.
    assert!(accepted > 300 && rejected > 150 && careful < 60, "{accepted}, {rejected}, {careful}");
}

/// What `wavefront` of each slope is for.
#[test]
fn slopes_of_wavefronts() {
    let left_and_top = quote!(t[[y, x]] = zero[[y, x - 1]] ^ zero[[y - 1, x]];);
    let top_right = quote!(t[[y, x]] = zero[[y, x - 1]] ^ zero[[y - 1, x + 1]];);
    let one = quote!(#[wavefront(y + x)]);
    let two = quote!(#[wavefront(2 * y + x)]);
    assert!(accepts(&one, &left_and_top) && accepts(&two, &left_and_top));
    assert!(!accepts(&one, &top_right) && accepts(&two, &top_right));
    let two_to_the_right = quote!(t[[y, x]] = zero[[y - 1, x + 2]];);
    assert!(
        !accepts(&two, &two_to_the_right) && accepts(&quote!(#[wavefront(3 * y + x)]), &two_to_the_right)
    );
}
