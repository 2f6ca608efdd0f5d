//! The three colors of a Bayer mosaic, of which each pixel has one: a boundary rule that keeps the colors apart.

use shim::prelude::*;

/// Bilinear demosaicing of an RGGB mosaic. `Reflect` takes row -1 to row 1, whose colors it has. With `Mirror`, which
/// repeats row 0, green and red would be mixed.
#[shim::kernel]
pub fn demosaic(#[shape(h, w)] raw: &[u8], h: usize, w: usize, #[shape(h, w, 3)] rgb: &mut [u8]) {
    let raw = raw.boundary(Reflect).cast::<u32>();
    let rgb = rgb.cast::<u32>();
    for [y, x] in raw.indices() {
        let across = raw[[y, x - 1]] + raw[[y, x + 1]];
        let down = raw[[y - 1, x]] + raw[[y + 1, x]];
        let corners = raw[[y - 1, x - 1]] + raw[[y - 1, x + 1]] + raw[[y + 1, x - 1]] + raw[[y + 1, x + 1]];
        let own = raw[[y, x]];
        let [r, g, b] = match (y & 1, x & 1) {
            (0, 0) => [own, (across + down + 2) / 4, (corners + 2) / 4],
            (0, _) => [(across + 1) / 2, own, (down + 1) / 2],
            (_, 0) => [(down + 1) / 2, own, (across + 1) / 2],
            _ => [(corners + 2) / 4, (across + down + 2) / 4, own],
        };
        rgb[[y, x, 0]] = r;
        rgb[[y, x, 1]] = g;
        rgb[[y, x, 2]] = b;
    }
}

fn main() {
    // A mosaic of one color stays that color up to the corners.
    let (h, w) = (4, 6);
    let color = [200, 120, 40];
    let raw: Vec<u8> = (0..h * w).map(|at| color[at / w % 2 + at % w % 2]).collect();
    let mut rgb = vec![0; h * w * 3];
    demosaic(&raw, h, w, &mut rgb);
    assert!(rgb.chunks(3).all(|pixel| pixel == color));
    println!("{} pixels of {color:?}", rgb.len() / 3);
}
