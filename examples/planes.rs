//! Interleaved pixels as planes, and back: nothing but the order of the axes differs.

use shim::prelude::*;

/// The planes of an interleaved picture: `planes[c][y][x]` is `pixels[y][x][c]`.
#[shim::kernel]
pub fn to_planes(pixels: &[u8], h: usize, w: usize, planes: &mut [u8]) {
    let pixels = Block::external(pixels, [h, w, 3]);
    let planes = Block::external(planes, [3, h, w]);
    let by_channel = pixels.permute([2, 0, 1]);
    let [c, y, x] = iters();
    planes[[c, y, x]] = by_channel[[c, y, x]];
}

/// The other way round. The view stands on the left this time: what is written to it lands interleaved.
#[shim::kernel]
pub fn to_pixels(planes: &[u8], h: usize, w: usize, pixels: &mut [u8]) {
    let planes = Block::external(planes, [3, h, w]);
    let pixels = Block::external(pixels, [h, w, 3]);
    let by_channel = pixels.permute([2, 0, 1]);
    let [c, y, x] = iters();
    by_channel[[c, y, x]] = planes[[c, y, x]];
}

fn main() {
    let (h, w) = (2, 4);
    let pixels: Vec<u8> = (0..h * w).flat_map(|i| [i as u8, 100 + i as u8, 200 + i as u8]).collect();
    let mut planes = vec![0; 3 * h * w];
    to_planes(&pixels, h, w, &mut planes);
    for (name, plane) in ["red", "green", "blue"].iter().zip(planes.chunks(h * w)) {
        println!("{name:5} {plane:?}");
    }
    assert_eq!(planes[..8], [0, 1, 2, 3, 4, 5, 6, 7]);
    assert_eq!(planes[8..16], [100, 101, 102, 103, 104, 105, 106, 107]);

    let mut back = vec![0; pixels.len()];
    to_pixels(&planes, h, w, &mut back);
    assert_eq!(back, pixels);
}
