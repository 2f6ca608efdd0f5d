//! A workload for the tuner: a blur of two stages.

use shim::prelude::*;

/// The formula.
#[shim::kernel(simd)]
fn blur(#[shape(h, w)] src: &[u16], [h, w]: [usize; 2], #[shape(h, w)] dst: &mut [u16]) {
    let src = src.boundary(Clamp);
    #[compute_at('tile)]
    let across = stage::<u16>(|[y, x]| (src[[y, x - 1]] + src[[y, x]] + src[[y, x + 1]]) / 3);
    #[tile([1, _], 'tile)]
    for [y, x] in dst.indices() {
        dst[[y, x]] = (across[[y - 1, x]] + across[[y, x]] + across[[y + 1, x]]) / 3;
    }
}

/// What is timed.
pub fn workload() -> impl FnMut() {
    let size = [2160, 3840];
    let (src, mut dst) = (vec![3; size[0] * size[1]], vec![0; size[0] * size[1]]);
    move || blur(&src, size, &mut dst)
}
