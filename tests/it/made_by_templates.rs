//! Templates that make their tensors from a place, a located struct or a slice, without a tensor among their
//! parameters.

use shim::prelude::*;

#[shim::located(view as PictureView)]
#[derive(Clone, Debug)]
struct Picture {
    h: usize,
    w: usize,
    #[shape(h, w)]
    luma: Vec<u8>,
    #[shape(h / 2, w / 2)]
    #[coarsened(2, 2)]
    chroma: [Vec<u8>; 2],
}

impl Picture {
    fn new([h, w]: [usize; 2]) -> Self {
        let plane = |salt: usize, count: usize| (0..count).map(|i| (7 * i + salt) as u8).collect();
        Self { h, w, luma: plane(0, h * w), chroma: [plane(1, h * w / 4), plane(2, h * w / 4)] }
    }
}

/// The block that a vector moves a part to.
#[shim::kernel]
fn moved<const H: usize, const W: usize>(
    #[located] picture: &PictureView<'_>,
    part: Place<2>,
    mv: [i32; 2],
) -> impl Tensor<u8, 2> {
    let (high, wide) = (picture.luma.extent(0) as isize, picture.luma.extent(1) as isize);
    let top = (part.origin(0) + mv[0] as isize).clamp(0, high - H as isize) as usize;
    let left = (part.origin(1) + mv[1] as isize).clamp(0, wide - W as isize) as usize;
    picture.luma[[top..top + H, left..left + W]]
}

/// Rows of a slice.
#[shim::kernel]
fn rows_of(memory: &mut [u8], wide: usize) -> impl Tensor<u8, 2> {
    Block::external(memory, [memory.len() / wide, wide])
}

/// Two planes of one picture.
#[shim::kernel]
fn both(#[located] picture: &PictureView<'_>, part: Place<2>) -> (impl Tensor<u8, 2>, impl Tensor<u8, 2>) {
    (picture.chroma[0].footprint(part), picture.chroma[1].footprint(part))
}

#[shim::kernel(simd)]
fn sad(
    #[located] cur: &PictureView<'_>,
    #[shape(4, 4)] part: Place<2>,
    #[located] before: &PictureView<'_>,
    mv: [i32; 2],
) -> u32 {
    #[staged]
    use self::{both, moved};
    let (own, there) =
        (cur.luma.footprint(part).cast::<i32>(), moved::<4, 4>(before, part, mv).cast::<i32>());
    let mut sum = 0;
    for [y, x] in own.indices() {
        sum += (own[[y, x]] - there[[y, x]]).unsigned_abs();
    }
    let (cb, cr) = both(cur, part);
    for [y, x] in cb.indices() {
        sum += u32::from(cb[[y, x]].abs_diff(cr[[y, x]]));
    }
    sum
}

/// A template that calls one.
#[shim::kernel]
fn last_row(memory: &mut [u8], wide: usize) -> impl Tensor<u8, 1> {
    #[staged]
    use crate::made_by_templates::rows_of;
    let rows = rows_of(memory, wide);
    rows.slice(0, rows.extent(0) - 1)
}

#[shim::kernel]
fn clear_last(memory: &mut [u8], wide: usize) {
    #[staged]
    use self::last_row as last;
    let row = last(memory, wide);
    for [x] in row.indices() {
        row[[x]] = 0;
    }
}

#[test]
fn tensors_come_from_located_structs_and_slices() {
    let (cur, before) = (Picture::new([8, 12]), Picture::new([8, 12]));
    for y in 0..=4 {
        for x in 0..=8 {
            for mv in [[0, 0], [1, -2], [-100, 100], [3, 3]] {
                let part = Place::new([y, x], [4, 4]);
                let at =
                    |axis: usize, own: isize, extent: isize| (own + mv[axis] as isize).clamp(0, extent - 4);
                let (top, left) = (at(0, y, 8), at(1, x, 12));
                let mut expected = 0;
                for i in 0..4 {
                    for j in 0..4 {
                        let own = cur.luma[((y + i) * 12 + x + j) as usize];
                        let there = before.luma[((top + i) * 12 + left + j) as usize];
                        expected += u32::from(own.abs_diff(there));
                    }
                }
                // Cr is Cb and one more, but for the wrap.
                let coarse = |n: isize, m: isize| (n.div_euclid(2), (n + m + 1).div_euclid(2));
                let ((r, rows), (c, columns)) = (coarse(y, 4), coarse(x, 4));
                for i in r..rows {
                    for j in c..columns {
                        let at = (i * 6 + j) as usize;
                        expected += u32::from(cur.chroma[0][at].abs_diff(cur.chroma[1][at]));
                    }
                }
                let found = sad(&cur.view(), part, &before.view(), mv);
                if y % 2 == 0 && x % 2 == 0 {
                    assert_eq!(found, expected, "({y}, {x}) by {mv:?}");
                }
            }
        }
    }
    let mut memory = vec![1; 12];
    clear_last(&mut memory, 4);
    assert_eq!(memory, [1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0]);
}
