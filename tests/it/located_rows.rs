//! Rows of located structs, which keep their place.

use crate::common::{noise, panics_with};
use shim::prelude::*;

type Vector = [i16; 2];

/// The numbers of coefficients of a picture, in samples of luma.
#[shim::located(rows(h) as TotalRows)]
#[derive(Clone, Debug, PartialEq)]
struct Totals {
    h: usize,
    w: usize,
    #[shape(4 * h, 4 * w)]
    #[coarsened(4, 4)]
    luma: Vec<u8>,
    #[shape(2 * h, 2 * w)]
    #[coarsened(8, 8)]
    chroma: [Vec<u8>; 2],
}

/// Weights by slice, which have no rows.
#[shim::located]
#[derive(Clone, Debug, PartialEq)]
struct Weights {
    n: usize,
    #[shape(n)]
    of: Vec<i32>,
}

/// A picture of macroblocks.
#[shim::located(rows(h) as PictureRows)]
#[derive(Clone, Debug, PartialEq)]
struct Picture {
    h: usize,
    w: usize,
    count: usize,
    #[shape(16 * h, 16 * w)]
    luma: Box<[u8]>,
    #[shape(h, w)]
    #[coarsened(16, 16)]
    slice: Vec<u16>,
    #[shape((h * 2) * 2, 4 * w)]
    #[coarsened(4, 4)]
    mv: Vec<Vector>,
    /// Four samples between two.
    #[shape(h * 64, w)]
    #[refined(4, 1)]
    #[coarsened(1, 16)]
    fine: Vec<u8>,
    /// The same for all rows.
    #[shape(count)]
    table: Vec<u32>,
    #[located]
    totals: Totals,
    #[located]
    levels: [Totals; 2],
    #[located]
    weights: Weights,
    name: String,
}

fn totals(h: usize, w: usize) -> Totals {
    let chroma = [noise(4 * h * w, 9), noise(4 * h * w, 8)];
    Totals { h, w, luma: noise(16 * h * w, 16), chroma }
}

fn picture(h: usize, w: usize) -> Picture {
    Picture {
        h,
        w,
        count: 3,
        luma: noise(256 * h * w, 255).into(),
        slice: noise(h * w, 2),
        mv: noise::<u8>(16 * h * w, 99).into_iter().map(|n| [i16::from(n), -i16::from(n)]).collect(),
        fine: noise(64 * h * w, 255),
        table: vec![5, 6, 7],
        totals: totals(h, w),
        levels: [totals(h, w), totals(h, w)],
        weights: Weights { n: 2, of: vec![10, 20] },
        name: "picture".into(),
    }
}

/// Writes to all fields of a macroblock from its neighbor above, where that is among the rows.
#[shim::kernel]
fn change(#[located] picture: &mut PictureRows<'_>, #[shape(16, 16)] mb: Place<2>, number: u16) -> bool {
    let (luma, slice) = (picture.luma.footprint(mb), picture.slice.footprint(mb));
    let there = slice.get([-1, 0]);
    slice[[0, 0]] = number + there.unwrap_or(0);
    for [y, x] in luma.indices() {
        luma[[y, x]] = luma[[y, x]].wrapping_add(number as u8);
    }
    let (mv, total) = (picture.mv.footprint(mb), picture.totals.luma.footprint(mb));
    for [y, x] in mv.indices() {
        total[[y, x]] = (mv[[y, x]][0] as u8).wrapping_add(picture.table[[1]] as u8);
    }
    let chroma = picture.totals.chroma[1].footprint(mb);
    let level = picture.levels[1].chroma[0].footprint(mb);
    for [y, x] in chroma.indices() {
        chroma[[y, x]] = level[[y, x]].wrapping_add(picture.weights.of[[0]] as u8);
        level[[y, x]] = 1;
    }
    there.is_some()
}

/// The same in Rust, on the whole picture, whose rows from `first` on are those that the kernel has.
fn change_plainly(picture: &mut Picture, first: usize, [row, column]: [usize; 2], number: u16) -> bool {
    let w = picture.w;
    let there = (row > first).then(|| picture.slice[(row - 1) * w + column]);
    picture.slice[row * w + column] = number + there.unwrap_or(0);
    for y in 16 * row..16 * row + 16 {
        for x in 16 * column..16 * column + 16 {
            let sample = &mut picture.luma[y * 16 * w + x];
            *sample = sample.wrapping_add(number as u8);
        }
    }
    for y in 4 * row..4 * row + 4 {
        for x in 4 * column..4 * column + 4 {
            picture.totals.luma[y * 4 * w + x] = (picture.mv[y * 4 * w + x][0] as u8).wrapping_add(6);
        }
    }
    for y in 2 * row..2 * row + 2 {
        for x in 2 * column..2 * column + 2 {
            let at = y * 2 * w + x;
            picture.totals.chroma[1][at] = picture.levels[1].chroma[0][at].wrapping_add(10);
            picture.levels[1].chroma[0][at] = 1;
        }
    }
    there.is_some()
}

fn macroblock([row, column]: [usize; 2]) -> Place<2> {
    Place::new([16 * row as isize, 16 * column as isize], [16, 16])
}

#[test]
fn rows_keep_their_place() {
    for (h, w) in [(1, 1), (2, 3), (5, 2), (7, 1)] {
        for cut in 0..=h {
            let (mut found, mut wanted) = (picture(h, w), picture(h, w));
            let (above, below) = found.rows(0..h).split_at_row(cut);
            assert_eq!((above.range(), below.range()), (0..cut, cut..h));
            for (mut rows, number) in [(above, 3), (below, 7)] {
                let first = rows.range().start;
                for row in rows.range() {
                    for column in 0..w {
                        let at = [row, column];
                        let known = change(&mut rows, macroblock(at), number);
                        assert_eq!(
                            known,
                            change_plainly(&mut wanted, first, at, number),
                            "{at:?} of {h}x{w}"
                        );
                    }
                }
            }
            assert_eq!(found, wanted, "{h}x{w} cut at {cut}");
        }
    }
}

#[test]
fn threads_have_rows_of_their_own() {
    let (mut found, mut wanted) = (picture(6, 2), picture(6, 2));
    let (first, rest) = found.rows(0..6).split_at_row(1);
    let (second, third) = rest.split_at_row(4);
    std::thread::scope(|scope| {
        for mut rows in [first, second, third] {
            scope.spawn(move || {
                for row in rows.range() {
                    let mut one = rows.rows(row..row + 1);
                    change(&mut one, macroblock([row, 1]), row as u16);
                }
            });
        }
    });
    for row in 0..6 {
        change_plainly(&mut wanted, row, [row, 1], row as u16);
    }
    assert_eq!(found, wanted);
}

/// What a kernel sees of its rows.
#[shim::kernel]
fn seen(#[located] picture: &PictureRows<'_>) -> [usize; 6] {
    let fine = picture.fine.extent(0);
    [
        picture.h,
        picture.first_row,
        picture.luma.origin(0) as usize,
        picture.fine.origin(0) as usize,
        fine,
        picture.totals.first_row + picture.weights.n,
    ]
}

#[test]
fn kernels_see_the_rows_that_they_have() {
    let mut picture = picture(5, 2);
    assert_eq!(seen(&picture.rows(0..5)), [5, 0, 0, 0, 320, 2]);
    assert_eq!(seen(&picture.rows(2..4)), [2, 2, 32, 32, 128, 4]);
    assert_eq!(seen(&picture.rows(5..5)), [0, 5, 80, 80, 0, 7]);
    let rows = picture.rows(1..4);
    assert_eq!(format!("{rows:?}"), "PictureRows(1..4)");
}

/// A template takes rows as well.
#[shim::kernel]
fn slice_of(p: impl Tensor<u8, 2>, #[located] picture: &PictureRows<'_>) -> u16 {
    picture.slice[p][[0, 0]]
}

#[shim::kernel]
fn first_slice(#[located] picture: &PictureRows<'_>) -> u16 {
    slice_of(picture.luma, picture)
}

#[test]
fn templates_take_rows() {
    let mut picture = picture(3, 2);
    let wanted = picture.slice[4];
    assert_eq!(first_slice(&picture.rows(2..3)), wanted);
}

#[test]
fn lengths_are_checked_where_rows_are_made() {
    let mut short = picture(3, 2);
    short.slice.pop();
    panics_with(move || short.rows(0..1).range(), &["Picture", "`slice`", "5"]);
    let mut short = picture(3, 2);
    short.levels[1].chroma[0].pop();
    panics_with(move || short.rows(0..1).range(), &["Totals", "`chroma[0]`"]);
    let mut huge = picture(1, 1);
    huge.w = usize::MAX / 3;
    panics_with(move || huge.rows(0..1).range(), &["overflows"]);
    let mut other = picture(3, 2);
    other.levels[0] = totals(2, 2);
    panics_with(move || other.rows(0..1).range(), &["`levels[0]` has rows 0..2", "0..3"]);
    // More memory than that is fine.
    let mut long = picture(3, 2);
    long.mv.extend([[7; 2]; 5]);
    assert_eq!(seen(&long.rows(1..3))[0], 2);
}

#[test]
fn rows_that_are_not_there_cannot_be_had() {
    let all = || picture(3, 2);
    panics_with(|| all().rows(1..4).range(), &["rows 1..4", "0..3"]);
    panics_with(|| all().rows(2..3).rows(1..2).range(), &["rows 1..2", "2..3"]);
    #[expect(clippy::reversed_empty_ranges, reason = "it is refused")]
    let reversed = 2..1;
    panics_with(|| all().rows(reversed).range(), &["rows 2..1"]);
    panics_with(|| all().rows(1..2).split_at_row(3).0.range(), &["at row 3", "1..2"]);
    panics_with(|| all().rows(1..2).split_at_row(0).0.range(), &["at row 0", "1..2"]);
    panics_with(|| change(&mut all().rows(1..2), macroblock([0, 0]), 1), &["picture_"]);
}

/// Memory by reference, and shared memory.
#[shim::located(rows(rows) as TableRows)]
struct Table<'t> {
    rows: usize,
    #[shape(rows, crate::located_rows::LANES)]
    entries: &'t mut [i32],
    #[shape(2 * rows)]
    sums: &'t [i64],
    #[shape(rows)]
    pairs: [&'t mut [u8]; 2],
    #[located]
    weights: &'t Weights,
}

const LANES: usize = 4;

#[shim::kernel]
fn enter(#[located] table: &mut TableRows<'_>) {
    for [y, x] in table.entries.indices() {
        table.entries[[y, x]] = (table.sums[[2 * y]] + x as i64) as i32 + table.weights.of[[1]];
    }
    for [y] in table.pairs[0].indices() {
        table.pairs[1][[y]] = table.pairs[0][[y]] + 1;
    }
}

#[test]
fn references_are_cut_as_well() {
    let (mut entries, sums) = ([0; 12], [1, 2, 3, 4, 5, 6]);
    let (mut a, mut b) = ([1, 2, 3], [0; 3]);
    let weights = Weights { n: 2, of: vec![0, 100] };
    let mut table =
        Table { rows: 3, entries: &mut entries, sums: &sums, pairs: [&mut a, &mut b], weights: &weights };
    enter(&mut table.rows(1..3));
    assert_eq!(entries, [0, 0, 0, 0, 103, 104, 105, 106, 105, 106, 107, 108]);
    assert_eq!(b, [0, 3, 4]);
}

/// A struct of structs alone.
#[shim::located(rows(h) as PairRows)]
struct Pair {
    h: usize,
    #[located]
    first: Totals,
    #[located]
    others: [Totals; 2],
}

#[shim::kernel]
fn set(#[located] totals: &mut TotalRows<'_>, value: u8) {
    for [y, x] in totals.luma.indices() {
        totals.luma[[y, x]] = value;
    }
}

#[shim::kernel]
fn set_all(#[located] pair: &mut PairRows<'_>, value: u8) {
    for [y, x] in pair.first.chroma[0].indices() {
        pair.first.chroma[0][[y, x]] = value + pair.h as u8;
        pair.others[0].chroma[1][[y, x]] = value;
    }
}

#[test]
fn rows_give_the_rows_of_nested_structs() {
    let all = || totals(3, 1);
    let mut pair = Pair { h: 3, first: all(), others: [all(), all()] };
    let mut rows = pair.rows(1..3);
    set(&mut rows.first_mut(), 90);
    assert_eq!(rows.first().range(), 1..3);
    for (mut totals, value) in rows.others_mut().into_iter().zip([91, 92]) {
        set(&mut totals, value);
    }
    set_all(&mut rows, 40);
    for (totals, value) in [(&pair.first, 90), (&pair.others[0], 91), (&pair.others[1], 92)] {
        assert_eq!(totals.luma[..16], all().luma[..16]);
        assert_eq!(totals.luma[16..], [value; 32]);
    }
    assert_eq!(pair.first.chroma[0][4..], [42; 8]);
    assert_eq!(pair.others[0].chroma[1][4..], [40; 8]);
    assert_eq!(pair.others[0].chroma[1][..4], all().chroma[1][..4]);
}

/// One level, which is only looked at.
#[shim::located(view as LevelView)]
struct Level {
    n: usize,
    #[shape(n)]
    samples: Vec<u8>,
}

/// A plane with a margin, and tiles.
#[shim::located(view as PlaneView)]
struct Plane<'p> {
    h: usize,
    w: usize,
    #[shape(h + 4, w + 4)]
    #[at(-2, -2)]
    padded: &'p mut [u8],
    #[shape(4 * h, 4 * w)]
    #[coarsened(4, 4)]
    #[stored(tile([2, 2]))]
    tiled: Vec<u16>,
    #[shape(2 * h)]
    both: [Box<[u8]>; 2],
    #[located]
    levels: [Level; 2],
    #[located]
    totals: Totals,
}

#[shim::kernel]
fn read_all(#[located] plane: &PlaneView<'_>, #[shape(2, 2)] block: Place<2>) -> u32 {
    let padded = plane.padded.footprint(block);
    u32::from(padded[[-2, -2]])
        + u32::from(plane.tiled[[1, 1]])
        + u32::from(plane.both[1][[0]])
        + u32::from(plane.levels[1].samples[[plane.levels[1].n - 1]])
        + u32::from(plane.totals.luma[[0, 0]])
}

#[shim::kernel]
fn by_value(#[located] level: LevelView<'_>) -> u8 {
    level.samples[[0]]
}

#[test]
fn views_check_lengths_once() {
    let mut padded: Vec<u8> = (0..8 * 8).collect();
    let mut plane = Plane {
        h: 4,
        w: 4,
        padded: &mut padded,
        tiled: (0..256).collect(),
        both: [vec![0; 8].into(), vec![7; 8].into()],
        levels: [Level { n: 1, samples: vec![1] }, Level { n: 3, samples: vec![1, 2, 100] }],
        totals: totals(1, 1),
    };
    let wanted = 9 + 3 + 7 + 100 + u32::from(plane.totals.luma[0]);
    let view = plane.view();
    let found = std::thread::scope(|scope| {
        let found = [(); 2].map(|()| scope.spawn(|| read_all(&view, Place::new([1, 1], [2, 2]))));
        found.map(|thread| thread.join().expect("a value"))
    });
    assert_eq!(found, [wanted; 2]);
    assert_eq!(by_value(plane.levels[1].view()), 1);
    assert_eq!(format!("{view:?}"), "PlaneView { .. }");
    plane.levels[0].n = 2;
    panics_with(|| plane.view(), &["Level", "`samples`"]);
    plane.levels[0].n = 1;
    plane.both[0] = Box::new([]);
    panics_with(|| plane.view(), &["Plane", "`both[0]`"]);
}
