//! Places that are moved and clamped, over planes that a number of the run time chooses.

use shim::prelude::*;

/// Planes with a margin that repeats their edges.
#[shim::located(view as PlanesView)]
#[derive(Debug)]
struct Planes {
    h: usize,
    w: usize,
    #[shape(h + 8, w + 8)]
    #[at(-4, -4)]
    luma: [Vec<u8>; 3],
    #[shape(h / 2 + 4, w / 2 + 4)]
    #[at(-4, -4)]
    #[coarsened(2, 2)]
    chroma: Vec<u8>,
}

/// The sum of the samples of plane `k` to which a vector moves a part, and of chroma there.
#[shim::kernel]
fn sums(#[located] planes: &Planes, part: Place<2>, mv: [i16; 2], k: usize) -> (u32, u32) {
    let plane = planes.luma[k];
    let there = part.shifted([mv[0] as isize, mv[1] as isize]).clamped(plane);
    let (luma, chroma) = (plane.footprint(there).cast::<u32>(), planes.chroma.footprint(there).cast::<u32>());
    (
        luma.indices().map(|[y, x]| luma[[y, x]]).sum::<u32>(),
        chroma.indices().map(|[y, x]| chroma[[y, x]]).sum::<u32>(),
    )
}

#[shim::kernel]
fn sum_of_view(
    #[located] planes: &PlanesView<'_>,
    #[shape(4, 4)] part: Place<2>,
    mv: [i16; 2],
    k: usize,
) -> u32 {
    let plane = planes.luma[k];
    let luma = plane.footprint(part.shifted([mv[0] as isize, mv[1] as isize]).clamped(plane)).cast::<u32>();
    luma.indices().map(|[y, x]| luma[[y, x]]).sum::<u32>()
}

fn planes(h: usize, w: usize) -> Planes {
    let mut next = 7_u32;
    let mut noise = |count: usize| {
        (0..count)
            .map(|_| {
                next = next.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                (next >> 24) as u8
            })
            .collect::<Vec<u8>>()
    };
    let luma = [(); 3].map(|()| noise((h + 8) * (w + 8)));
    Planes { h, w, luma, chroma: noise((h / 2 + 4) * (w / 2 + 4)) }
}

fn by_hand(planes: &Planes, [y, x]: [isize; 2], [high, wide]: [usize; 2], k: usize) -> u32 {
    let [rows, columns] = [planes.h + 8, planes.w + 8];
    let top = (y + 4).min(rows as isize - high as isize).max(0) as usize;
    let left = (x + 4).min(columns as isize - wide as isize).max(0) as usize;
    (top..top + high)
        .flat_map(|y| (left..left + wide).map(move |x| (y, x)))
        .map(|(y, x)| u32::from(planes.luma[k][y * columns + x]))
        .sum()
}

#[test]
fn a_place_stays_within_the_plane() {
    let planes = planes(8, 12);
    let view = planes.view();
    for k in 0..3 {
        for dy in -20..20 {
            for dx in [-30, -5, -4, -1, 0, 1, 7, 8, 12, 13, 40] {
                let part = Place::new([4, 4], [4, 4]);
                let expected = by_hand(&planes, [4 + dy, 4 + dx], [4, 4], k);
                assert_eq!(sums(&planes, part, [dy as i16, dx as i16], k).0, expected, "{dy}, {dx}");
                assert_eq!(sum_of_view(&view, part, [dy as i16, dx as i16], k), expected);
                let there = part.shifted([dy, dx]).clamped(Place::new([-4, -4], [16, 20]));
                assert_eq!(by_hand(&planes, there.origin(), [4, 4], k), expected);
            }
        }
    }
}

#[test]
fn another_plane_panics() {
    let planes = planes(8, 12);
    for k in [3, usize::MAX] {
        let part = Place::new([0, 0], [4, 4]);
        assert!(std::panic::catch_unwind(|| sums(&planes, part, [0, 0], k)).is_err());
        assert!(std::panic::catch_unwind(|| sum_of_view(&planes.view(), part, [0, 0], k)).is_err());
    }
}

#[test]
fn a_place_that_is_too_long_panics() {
    let planes = planes(8, 12);
    let part = Place::new([0, 0], [17, 4]);
    assert!(std::panic::catch_unwind(|| sums(&planes, part, [0, 0], 0)).is_err());
}

#[test]
fn vectors_that_leave_the_integers_panic() {
    let planes = planes(8, 12);
    let part = Place::new([isize::MAX, 0], [4, 4]);
    assert!(std::panic::catch_unwind(|| sums(&planes, part, [1, 0], 0)).is_err());
}
