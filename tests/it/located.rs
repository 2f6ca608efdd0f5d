//! Located structs: fields that are tensors in the kernels that take the struct.

use crate::common::{SHAPES, noise, panics_with};
use shim::prelude::*;

type Vector = [i16; 2];

/// A picture of macroblocks, in samples of luma.
#[shim::located]
#[derive(Clone, Debug, Default)]
struct Picture {
    h: usize,
    w: usize,
    #[shape(16 * h, 16 * w)]
    luma: Vec<u8>,
    #[shape(8 * h, 8 * w)]
    #[coarsened(2, 2)]
    cb: Vec<u8>,
    #[shape(4 * h, 4 * w)]
    #[coarsened(4, 4)]
    mv: Vec<Vector>,
    #[shape(2 * h, 2 * w)]
    #[coarsened(8, 8)]
    ref_idx: Vec<i8>,
    #[shape(h, w)]
    #[coarsened(16, 16)]
    slice: Vec<u16>,
    /// Not a tensor.
    number: u16,
}

impl Picture {
    fn noise(h: usize, w: usize) -> Self {
        let count = h * w;
        let mv = noise::<i16>(16 * count, 5).into_iter().zip(noise::<i16>(16 * count, 7));
        Picture {
            h,
            w,
            luma: noise(256 * count, 255),
            cb: noise(64 * count, 255),
            mv: mv.map(|(a, b)| [a, b]).collect(),
            ref_idx: noise::<u8>(4 * count, 3).into_iter().map(|r| r as i8 - 1).collect(),
            slice: noise(count, 2),
            number: 1,
        }
    }
}

/// Motion of the block at the left of a place, in the picture's slice alone.
#[shim::kernel]
fn left(#[located] picture: &Picture, block: Place<2>) -> ([i16; 2], i8) {
    let slice = picture.slice[block];
    let same = picture.mv[block].within(|p| slice[p] == picture.number).boundary(Fill([-1, -1]));
    let ref_idx = picture.ref_idx[block].within(|p| slice[p] == picture.number).boundary(Fill(-2));
    (same[[0, -1]], ref_idx[[0, -1]])
}

#[test]
fn fields_are_found_from_a_place() {
    for &(h, w) in SHAPES {
        let picture = Picture::noise(h, w);
        for y in (0..16 * h).step_by(4) {
            for x in (0..16 * w).step_by(4) {
                let found = left(&picture, Place::new([y as isize, x as isize], [4, 4]));
                // The index -1 of coarser fields is that of the coarse element around x - 1.
                let at = |x: usize, n: usize| y / n * (16 / n * w) + x / n;
                let slice = |x: usize| picture.slice[at(x, 16)] == 1;
                let mv = if x > 0 && slice(x - 1) { picture.mv[at(x - 1, 4)] } else { [-1, -1] };
                let ref_idx = if x > 0 && slice(x - 1) { picture.ref_idx[at(x - 1, 8)] } else { -2 };
                assert_eq!(found, (mv, ref_idx), "{h}x{w} at {y}, {x}");
            }
        }
    }
}

/// Writes one field of one picture from two of another, and an extent in an index, a value and a shape.
#[shim::kernel]
fn third(
    #[located] to: &mut Picture,
    #[located] from: &Picture,
    #[shape(16 * from.h, 16 * from.w)] other: &[u8],
    rows: &mut usize,
) {
    assert_eq!(to.h, from.h, "{} rows", to.h);
    for [y, x] in to.cb.indices() {
        let sum = from.luma[[2 * y, 2 * x]] as u32 + u32::from(other[[2 * y + 1, 2 * x + 1]]);
        to.cb[[y, x]] = (sum / 3) as u8;
    }
    to.number += 1;
    *rows = 16 * to.h;
}

#[test]
fn several_structs_in_one_kernel() {
    for &(h, w) in SHAPES {
        let from = Picture::noise(h, w);
        let mut to = Picture::noise(h, w);
        let mut rows = 0;
        third(&mut to, &from, &from.luma, &mut rows);
        assert_eq!((rows, to.number), (16 * h, 2));
        for (k, &found) in to.cb.iter().enumerate() {
            let (y, x) = (k / (8 * w), k % (8 * w));
            let at = |y: usize, x: usize| u32::from(from.luma[y * 16 * w + x]);
            assert_eq!(u32::from(found), (at(2 * y, 2 * x) + at(2 * y + 1, 2 * x + 1)) / 3);
        }
    }
}

/// A template takes tensors of a struct, and a struct.
#[shim::kernel]
fn sum(t: impl Tensor<u8, 2>, #[located] picture: &Picture) -> u32 {
    let mut sum = u32::from(picture.slice[[0, 0]]);
    for p in t.indices() {
        sum += u32::from(t[p]);
    }
    sum
}

#[shim::kernel]
fn sums(#[located] picture: &Picture) -> u32 {
    sum(picture.luma, picture) + sum(picture.cb[[0..1, 0..2]], picture)
}

#[test]
fn templates_take_fields() {
    let picture = Picture::noise(2, 3);
    let luma: u32 = picture.luma.iter().copied().map(u32::from).sum();
    let cb = u32::from(picture.cb[0]) + u32::from(picture.cb[1]);
    assert_eq!(sums(&picture), luma + cb + 2 * u32::from(picture.slice[0]));
}

/// Fields of slices, extents that are no multiples of one another, a constant, and a lifetime.
#[shim::located]
struct Table<'a> {
    rows: usize,
    #[shape(rows, crate::located::located_lanes::LANES)]
    entries: &'a mut [i32],
    #[shape(rows + 1)]
    sums: &'a [i64],
}

mod located_lanes {
    pub(crate) const LANES: usize = 4;

    impl super::Table<'_> {
        /// A method takes the struct as `self`.
        #[shim::kernel]
        pub(crate) fn total(#[located(super::Table)] &self, row: usize) -> i64 {
            let mut sum = 0;
            for k in 0..LANES {
                sum += i64::from(self.entries[[row, k]]);
            }
            sum + self.sums[[row + 1]] - self.sums[[row]]
        }

        #[shim::kernel]
        pub(crate) fn clear(#[located(super::Table)] &mut self) {
            for p in self.entries.indices() {
                self.entries[p] = 0;
            }
        }
    }
}

#[test]
fn methods_take_their_struct() {
    let mut entries = [1, 2, 3, 4, 10, 20, 30, 40];
    let mut table = Table { rows: 2, entries: &mut entries, sums: &[0, 100, 300] };
    assert_eq!((table.total(0), table.total(1)), (110, 300));
    table.clear();
    assert_eq!((table.total(0), table.total(1)), (100, 200));
}

#[test]
fn lengths_are_checked() {
    let mut picture = Picture::noise(2, 2);
    picture.mv.pop();
    panics_with(|| left(&picture, Place::new([0, 0], [4, 4])), &["`picture_mv`", "63"]);
    // Fields that a kernel does not mention are not looked at.
    assert_eq!(sums(&picture), sums(&Picture { mv: Vec::new(), ..picture.clone() }));
    picture.w = usize::MAX;
    panics_with(|| sums(&picture), &["does not fit `isize`"]);
    assert_eq!(sums_of_nothing(&Picture::default()), 0);
}

#[shim::kernel]
fn sums_of_nothing(#[located] picture: &Picture) -> u32 {
    let mut sum = 0;
    for p in picture.luma.indices() {
        sum += u32::from(picture.luma[p]);
    }
    sum
}

mod of_another_crate {
    use shim_exported_templates::Table;

    /// Not the exporting crate's.
    #[allow(dead_code)]
    const LANES: usize = 100;

    #[shim::kernel]
    pub(crate) fn last(#[located] table: &Table) -> u16 {
        table.entries[[table.rows - 1, 3]]
    }
}

#[test]
fn declarations_travel_between_crates() {
    let table = shim_exported_templates::Table { rows: 2, entries: (0..8).collect() };
    assert_eq!(of_another_crate::last(&table), 7);
}

/// Chroma of a picture whose sides may be odd.
#[shim::located]
struct Planes {
    h: usize,
    w: usize,
    #[shape(h, w)]
    luma: Vec<u8>,
    #[shape(h.div_ceil(2), w.div_ceil(2))]
    #[coarsened(2, 2)]
    cb: Vec<u8>,
    #[shape(h.min(2).max(1), w.next_multiple_of(4).saturating_sub(1))]
    rest: Vec<u8>,
}

#[shim::kernel]
fn sum_of_both(#[located] planes: &Planes) -> (u32, usize) {
    let cb = planes.cb[planes.luma].cast::<u32>();
    let luma = planes.luma.cast::<u32>();
    let sum = luma.indices().map(|[y, x]| luma[[y, x]] * cb[[y, x]]).sum::<u32>();
    (sum, planes.rest.extent(0) * 100 + planes.rest.extent(1))
}

#[test]
fn shapes_call_methods_of_usize() {
    let planes = Planes { h: 3, w: 5, luma: vec![1; 15], cb: vec![1, 2, 3, 4, 5, 6], rest: vec![0; 14] };
    // Rows 0 and 1: twice 1 + 1 + 2 + 2 + 3; row 2: 4 + 4 + 5 + 5 + 6.
    assert_eq!(sum_of_both(&planes), (2 * 9 + 24, 207));
    panics_with(|| sum_of_both(&Planes { cb: vec![0; 5], ..planes }), &["`planes_cb`", "5"]);
}

/// The numbers of coefficients of a picture, by color component.
#[shim::located]
#[derive(Clone, Debug, Default)]
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

/// One level of a pyramid.
#[shim::located]
#[derive(Clone, Debug)]
pub(crate) struct Level {
    h: usize,
    w: usize,
    #[shape(h, w)]
    samples: Box<[u8]>,
}

/// Structs in a struct, in arrays and in one another.
#[shim::located]
#[derive(Clone, Debug)]
struct Nested {
    h: usize,
    #[shape(16 * h)]
    sums: Vec<u32>,
    #[located]
    totals: Totals,
    #[located(crate::located::Level)]
    levels: [Level; 3],
}

/// A struct around it.
#[shim::located]
struct Outer<'n> {
    #[located]
    inner: &'n mut Nested,
    n: usize,
    #[shape(n)]
    first: [[u8; 4]; 2],
}

#[shim::kernel]
fn nested(#[located] it: &mut Nested, y: usize, x: usize) -> u32 {
    it.totals.chroma[1][it.totals.luma][[y, x]] = 7;
    for [i] in it.sums.indices() {
        it.sums[[i]] = u32::from(it.levels[0].samples[[0, 0]]) + it.totals.h as u32;
    }
    u32::from(it.totals.luma[[y, x]]) + u32::from(it.levels[2].samples[[y, x]]) + it.levels[2].w as u32
}

#[shim::kernel]
fn outer(#[located] it: &mut Outer<'_>) -> usize {
    it.inner.totals.luma[[0, 0]] = it.first[[1]][2];
    // Outside of a tensor a field is what it is in Rust.
    it.inner.levels.len() + it.inner.totals.chroma.iter().map(Vec::len).sum::<usize>()
}

fn a_nested_struct() -> Nested {
    let levels = [4, 2, 9].map(|n| Level { h: n, w: n + 1, samples: (0..(n * (n + 1)) as u8).collect() });
    let chroma = [vec![0; 24], vec![0; 24]];
    Nested { h: 1, sums: vec![0; 16], totals: Totals { h: 2, w: 3, luma: noise(96, 255), chroma }, levels }
}

#[test]
fn structs_are_nested() {
    let mut it = a_nested_struct();
    let found = nested(&mut it, 3, 5);
    assert_eq!(found, u32::from(it.totals.luma[3 * 12 + 5]) + u32::from(it.levels[2].samples[35]) + 10);
    assert_eq!(it.totals.chroma[1].iter().position(|&n| n == 7), Some(6 + 2));
    assert_eq!(it.sums, vec![2; 16]);
    let mut around = Outer { inner: &mut it, n: 2, first: [[1; 4], [9; 4]] };
    assert_eq!(outer(&mut around), 3 + 48);
    assert_eq!(it.totals.luma[0], 9);
}

#[test]
fn the_lengths_of_nested_fields_are_checked() {
    let mut it = a_nested_struct();
    it.levels[2].w += 1;
    panics_with(move || nested(&mut it, 0, 0), &["`it_levels_2_samples`"]);
    let mut it = a_nested_struct();
    it.totals.chroma[1].pop();
    panics_with(move || nested(&mut it, 0, 0), &["`it_totals_chroma_1`"]);
}
