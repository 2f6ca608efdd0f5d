//! Places: values that say where, of the root that a kernel's blocks stand in.

use crate::common::{SHAPES, noise, panics_with};
use shim::prelude::*;
use shim::{Located, Place, Space, TensorOps};

/// A motion vector.
#[derive(Clone, Copy, Default, Debug, PartialEq)]
struct Mv(i16, i16);

/// The vectors left of, above and right above a block (6.4.11.7): the table has one vector for 4x4 samples.
#[shim::kernel]
fn neighbors(
    #[shape(h, w)]
    #[coarsened(4, 4)]
    vectors: &[Mv],
    h: usize,
    w: usize,
    part: Place<2>,
) -> [Mv; 3] {
    let near = vectors[part].boundary(Fill(Mv(-1, -1)));
    [near[[0, -1]], near[[-1, 0]], near[[-1, part.extent(1)]]]
}

#[test]
fn a_place_indexes_tables_of_any_density() {
    for &(h, w) in SHAPES {
        let vectors: Vec<Mv> = noise::<i16>(2 * h * w, 99).chunks(2).map(|v| Mv(v[0], v[1])).collect();
        let at = |y: isize, x: isize| {
            let (y, x) = (y.div_euclid(4), x.div_euclid(4));
            let inside = (0..h as isize).contains(&y) && (0..w as isize).contains(&x);
            if inside { vectors[y as usize * w + x as usize] } else { Mv(-1, -1) }
        };
        for (y, x, rows, columns) in [(0, 0, 16, 16), (4, 8, 8, 4), (7, 3, 1, 2), (-4, 5, 4, 4)] {
            let part = Place::new([y, x], [rows, columns]);
            let wanted = [at(y, x - 1), at(y - 1, x), at(y - 1, x + columns as isize)];
            assert_eq!(neighbors(&vectors, h, w, part), wanted, "{h}x{w}, {part:?}");
        }
    }
}

/// Fills a part of a table that has one element for 4x4 samples, in a version for each size that a part has; says how
/// wide it is.
#[shim::kernel]
fn fill(
    #[shape(h, w)]
    #[coarsened(4, 4)]
    table: &mut [u8],
    h: usize,
    w: usize,
    #[specialize(4 | 8)] high: usize,
    #[shape(high, wide)] part: Place<2>,
    value: u8,
) -> usize {
    let part = table.footprint(part);
    let [y, x] = iters();
    part[[y, x]] = value;
    wide
}

/// The extents of a square and of two places as large as one another.
#[shim::kernel]
fn extents(#[shape(n, n)] square: Place<2>, #[shape(4, n + 1)] other: Place<2>) -> [usize; 4] {
    [square.extent(0), square.extent(1), other.extent(0), other.extent(1)]
}

#[test]
fn a_place_has_the_extents_of_its_shape() {
    let (h, w) = (4, 5);
    for high in [4, 8] {
        for wide in 0..=12 {
            let mut table = vec![0; h * w];
            assert_eq!(fill(&mut table, h, w, high, Place::new([4, 8], [high, wide]), 9), wide);
            let inside = |i: usize| {
                (1..1 + high / 4).contains(&(i / w)) && (2..2 + wide.div_ceil(4)).contains(&(i % w))
            };
            let wanted: Vec<u8> = (0..h * w).map(|i| if inside(i) { 9 } else { 0 }).collect();
            assert_eq!(table, wanted, "{high}x{wide}");
        }
    }
    let mut table = [0; 20];
    let mut fill_place = |high, place| fill(&mut table, h, w, high, place, 9);
    panics_with(|| fill_place(4, Place::new([0, 0], [8, 8])), &["`fill`", "`part`", "8", "4"]);
    panics_with(|| fill_place(8, Place::new([12, 0], [8, 8])), &["`fill`", "reaches outside"]);
    assert_eq!(extents(Place::new([0, 0], [3, 3]), Place::new([-9, 0], [4, 4])), [3, 3, 4, 4]);
    panics_with(|| extents(Place::new([0, 0], [3, 2]), Place::new([0, 0], [4, 4])), &["`square`"]);
    panics_with(|| extents(Place::new([0, 0], [3, 3]), Place::new([0, 0], [4, 3])), &["`other`"]);
}

/// Places that a kernel makes, moves, and gives back.
#[shim::kernel]
fn places(
    #[shape(8, 8)] fine: &[u8],
    #[shape(4, 4)]
    #[coarsened(2, 2)]
    coarse: &[u8],
    y: usize,
    x: usize,
) -> [Place<2>; 4] {
    let part = fine[[y..y + 3, x..x + 2]];
    let half = coarse[[y / 2.., x / 2..x / 2 + 1]];
    let moved = part.place().shifted([-1, 2]);
    [part.place(), half.place(), moved, coarse.place()]
}

#[test]
fn a_kernel_gives_places_back() {
    let (fine, coarse) = ([0; 64], [0; 16]);
    assert_eq!(
        places(&fine, &coarse, 5, 2),
        [
            Place::new([5, 2], [3, 2]),
            Place::new([4, 2], [4, 2]),
            Place::new([4, 4], [3, 2]),
            Place::new([0, 0], [8, 8]),
        ]
    );
}

/// A block at a place, filled with what lies there.
#[shim::kernel]
fn at_place(#[shape(h, w)] plane: &[i32], h: usize, w: usize, list: &[Place<2>]) -> i32 {
    let mut sum = 0;
    for i in 0..list.len() {
        let place: Place<2> = list[i];
        let block = Block::stack::<i32>([2, 3]).at(place);
        let [y, x] = iters();
        block[[y, x]] = plane[block][[y, x]];
        let shifted = place.shifted([1, 1]);
        sum += block[[1, 2]] + 10 * plane[shifted][[0, 1]];
        sum += i32::from(place.contains([0, 3])) + plain(place.shifted([0, 1]));
        sum += i32::from(place == list[0]) + place.extents()[0] as i32 + borrowed(&place);
    }
    sum
}

fn borrowed(place: &Place<2>) -> i32 {
    place.origin()[0] as i32
}

fn plain(place: Place<2>) -> i32 {
    1000 * place.origin()[1] as i32
}

#[test]
fn blocks_stand_at_places() {
    let (h, w) = (6, 7);
    let plane = noise::<i32>(h * w, 50);
    let list = [Place::new([0, 0], [2, 3]), Place::new([3, 2], [2, 4]), Place::new([4, 4], [2, 3])];
    let wanted: i32 = list
        .iter()
        .map(|place| {
            let [y, x] = place.origin().map(|at| at as usize);
            let at = plane[(y + 1) * w + x + 2];
            let own = i32::from(*place == list[0]) + 2 + y as i32;
            11 * at + i32::from(place.extents()[1] > 3) + 1000 * (x as i32 + 1) + own
        })
        .sum();
    assert_eq!(at_place(&plane, h, w, &list), wanted);
}

/// The sum of a tensor's elements at a place, whatever the tensor's density is.
#[shim::kernel]
fn sum_at(t: impl Tensor<i32, 2>, place: Place<2>) -> i32 {
    let part = t[place];
    part.indices().map(|[y, x]| part[[y, x]]).sum::<i32>()
}

#[shim::kernel]
fn sums(
    #[shape(8, 8)] fine: &[i32],
    #[shape(4, 4)]
    #[coarsened(2, 2)]
    coarse: &[i32],
    place: Place<2>,
) -> [i32; 3] {
    [
        sum_at(fine, place),
        sum_at(coarse, place.shifted([0, 1])),
        sum_at(coarse, Place::new([place.origin(0), 0], [2, 2])),
    ]
}

#[test]
fn templates_take_places() {
    let (fine, coarse) = (noise::<i32>(64, 50), noise::<i32>(16, 50));
    let sum = |t: &[i32], shift: usize, y: usize, x: usize, rows: usize, columns: usize| -> i32 {
        let points = (y..y + rows).flat_map(|y| (x..x + columns).map(move |x| (y, x)));
        points.map(|(y, x)| t[(y >> shift) * (8 >> shift) + (x >> shift)]).sum()
    };
    let place = Place::new([3, 2], [4, 5]);
    let wanted = [sum(&fine, 0, 3, 2, 4, 5), sum(&coarse, 1, 3, 3, 4, 5), sum(&coarse, 1, 3, 0, 2, 2)];
    assert_eq!(sums(&fine, &coarse, place), wanted);
}

/// The library is the oracle of places as of everything else.
#[test]
fn the_library_has_the_same_places() {
    let root = Space::root(2);
    let block = Block::from_fn([6, 5], |[y, x]| 10 * y + x).in_space(&root).expect("rank 2");
    let coarse = block.clone().coarsened([2, 4]).expect("factors").at([3, -1]);
    let place = coarse.place().expect("on axes 0 and 1");
    assert_eq!(place, Place::new([3, -1], [12, 20]));
    let seen =
        block.seen_from::<2>(place.shifted([0, 2]).in_root(&root).expect("in rank")).expect("one root");
    assert_eq!((seen[[0, 0]], seen.extents()), (31, [12, 20]));
    let moved = block.shifted([2, 1]).expect("a view");
    assert_eq!(moved.get([0, 0]), Some(&21));
    let slab = Block::<u8, 3>::new([2, 2, 2]).slice::<2>(0, 1).map(|view| view.place().is_err());
    assert_eq!(slab, Ok(true), "it stands on axes 1 and 2");
}

#[test]
fn an_extent_that_no_tensor_has_is_refused() {
    let place = Place::new([0, 0], [1, usize::MAX]);
    panics_with(|| neighbors(&[], 0, 0, place), &["`part`", "does not fit `isize`"]);
}

/// A copy of one layer, seen from the place of another.
#[shim::kernel]
fn seen_from(#[shape(d, h, w)] frames: &[u8], [d, h, w]: [usize; 3], own: usize, from: usize) -> Vec<u8> {
    let layer = frames.slice(0, own).to_block();
    layer.indices().for_each(|[y, x]| layer[[y, x]] = 200);
    let seen = layer[frames.slice(0, from)];
    let mut found = Vec::new();
    for [y, x] in seen.indices() {
        found.push(seen[[y, x]]);
    }
    found
}

/// The same for a write, of which only the copy is told.
#[shim::kernel]
fn written_from(#[shape(d, h, w)] frames: &[u8], [d, h, w]: [usize; 3], own: usize, from: usize) -> u8 {
    let layer = frames.slice(0, own).to_block();
    let seen = layer[frames.slice(0, from)];
    seen[[1, 2]] = 77;
    layer[[1, 2]]
}

/// A plane has no place along the layers: it is met from each of them, and meets each.
#[shim::kernel]
fn planes(
    #[shape(d, h, w)] frames: &[u8],
    #[shape(h, w)]
    #[on_axes(1, 2)]
    plane: &[u8],
    [d, h, w]: [usize; 3],
    own: usize,
) -> [u8; 4] {
    let layer = frames.slice(0, own).to_block().copied();
    let in_plane = plane[frames.slice(0, own)];
    let of_plane = layer[plane];
    let rule = layer[frames.slice(0, own + 1)].boundary(Clamp);
    [in_plane[[1, 2]], of_plane[[1, 2]], rule[[1, 2]], u8::from(in_plane.contains([0, 0]))]
}

#[test]
fn an_element_is_in_a_copy_of_its_own_layer_alone() {
    let (d, h, w) = (5, 3, 4);
    let frames = noise::<u8>(d * h * w, 100);
    let layer = |k: usize| &frames[k * h * w..][..h * w];
    for own in 0..d {
        for from in 0..d {
            let wanted = if own == from { vec![200; h * w] } else { layer(from).to_vec() };
            assert_eq!(seen_from(&frames, [d, h, w], own, from), wanted, "{own} from {from}");
            let written = || written_from(&frames, [d, h, w], own, from);
            if own == from {
                assert_eq!(written(), 77);
            } else {
                let message = format!("index {} on axis 2, extents [3, 4, 1]", from as isize - own as isize);
                panics_with(written, &[&message]);
            }
        }
    }
    let plane = noise::<u8>(h * w, 100);
    let at = w + 2;
    for own in 0..d - 1 {
        let wanted = [plane[at], layer(own)[at], layer(own + 1)[at], 1];
        assert_eq!(planes(&frames, &plane, [d, h, w], own), wanted);
    }
}

#[test]
fn the_library_projects_as_kernels_do() {
    let frames = shim::Block::<u8, 3>::new([5, 3, 4]);
    let layer = |k: isize| -> View<'_, u8, 2> { frames.view().slice(0, k).expect("a layer") };
    let copy = layer(2).to_block();
    for from in 0..5 {
        let seen: View<'_, u8, 2> = copy.view().colocate(&layer(from)).expect("one root");
        assert_eq!(seen.contains([1, 2]), from == 2);
        assert_eq!(seen.get([1, 2]).is_some(), from == 2);
    }
}

/// Indices of luma for chroma, and of chroma for luma.
#[shim::kernel]
fn sums_by_wrong_indices(
    #[shape(2 * h, 2 * w)] luma: &[u8],
    h: usize,
    w: usize,
    #[shape(h, w)]
    #[coarsened(2, 2)]
    chroma: &[u8],
    fine: bool,
) -> u32 {
    let mut sum = 0;
    if fine {
        for [y, x] in luma.indices() {
            sum += u32::from(luma[[y, x]]) + u32::from(chroma[[y, x]]);
        }
    } else {
        for [y, x] in chroma.indices() {
            sum += u32::from(luma[[y + 9, x]]);
        }
    }
    sum
}

#[test]
fn a_panic_names_the_density() {
    let (luma, chroma) = ([1; 24], [2; 6]);
    panics_with(
        || sums_by_wrong_indices(&luma, 2, 3, &chroma, true),
        &[
            "outside of `chroma` by indices of `luma`, which has 2x2 elements for each of its own; they are those of `chroma[luma]`: index 3 on axis 0, extents [2, 3]",
        ],
    );
    panics_with(
        || sums_by_wrong_indices(&luma, 2, 3, &chroma, false),
        &[
            "outside of `luma` by indices of `chroma`, which has one element for 2x2 of its own; they are those of `luma[chroma]`",
        ],
    );
}
