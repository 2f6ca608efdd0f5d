//! A snake: a contour that moves to the edges of an image. It is where a function of the image's place is zero, and the
//! function changes step by step (Li and others, "Level set evolution without re-initialization", equation 10).

use shim::prelude::*;

/// The weight of the term that keeps the function's slope near one; μ.
const SLOPE: f32 = 0.04;

/// The weight of the contour's length; λ.
const LENGTH: f32 = 5.0;

/// The weight of the area inside; ν.
const AREA: f32 = 1.5;

/// The length of a step; τ.
const STEP: f32 = 5.0;

/// Half the width of the band around the contour in which it moves; ε.
const BAND: f32 = 1.5;

/// A bump of area one around zero, for the δ of the paper, without its cosine.
fn bump(value: f32) -> f32 {
    let t = 1.0 - (value / BAND) * (value / BAND);
    if t > 0.0 { t * t * (0.9375 / BAND) } else { 0.0 }
}

/// Where an image of samples from 0 to 255 has no edge, near one, and near zero where it has; g.
#[shim::kernel(simd)]
pub fn indicator(#[shape(h, w)] src: &[f32], [h, w]: [usize; 2], #[shape(h, w)] dst: &mut [f32]) {
    let src = src.boundary(Clamp);
    // Of 1, 2, 1 along both axes.
    #[compute_at('strip)]
    let smooth = stage::<f32>(|[y, x]| {
        let above: f32 = src[[y - 1, x - 1]] + 2.0 * src[[y - 1, x]] + src[[y - 1, x + 1]];
        let own: f32 = src[[y, x - 1]] + 2.0 * src[[y, x]] + src[[y, x + 1]];
        let below: f32 = src[[y + 1, x - 1]] + 2.0 * src[[y + 1, x]] + src[[y + 1, x + 1]];
        (above + 2.0 * own + below) * 0.0625
    });
    #[tile([8, _], 'strip)]
    for [y, x] in dst.indices() {
        let down: f32 = 0.5 * (smooth[[y + 1, x]] - smooth[[y - 1, x]]);
        let across: f32 = 0.5 * (smooth[[y, x + 1]] - smooth[[y, x - 1]]);
        dst[[y, x]] = 1.0 / (1.0 + down * down + across * across);
    }
}

/// A step: the function at the next moment.
#[shim::kernel(simd, schedules(root, rows, strips))]
pub fn snake(
    #[shape(h, w)] phi: &[f32],
    #[shape(h, w)] edges: &[f32],
    [h, w]: [usize; 2],
    #[shape(h, w)] next: &mut [f32],
) {
    let phi = phi.boundary(Clamp);
    let edges = edges.boundary(Clamp);
    // The direction in which the function rises.
    #[schedule(root, compute_at(root))]
    #[schedule(rows, compute_at('row))]
    #[schedule(strips, compute_at('row))]
    let normal = stage::<[f32; 2]>(|[y, x]| {
        let down: f32 = 0.5 * (phi[[y + 1, x]] - phi[[y - 1, x]]);
        let across: f32 = 0.5 * (phi[[y, x + 1]] - phi[[y, x - 1]]);
        let length: f32 = (down * down + across * across + 1e-10).sqrt();
        [down / length, across / length]
    });
    #[pure(bump)]
    #[schedule(rows, tile([1, _], 'row))]
    #[schedule(strips, tile([8, _], 'row))]
    for [y, x] in next.indices() {
        let [down, across]: [f32; 2] = normal[[y, x]];
        let curvature: f32 = 0.5
            * (normal[[y + 1, x]][0] - normal[[y - 1, x]][0] + normal[[y, x + 1]][1] - normal[[y, x - 1]][1]);
        let slope_down: f32 = 0.5 * (edges[[y + 1, x]] - edges[[y - 1, x]]);
        let slope_across: f32 = 0.5 * (edges[[y, x + 1]] - edges[[y, x - 1]]);
        let laplacian: f32 =
            phi[[y - 1, x]] + phi[[y + 1, x]] + phi[[y, x - 1]] + phi[[y, x + 1]] - 4.0 * phi[[y, x]];
        let own: f32 = phi[[y, x]];
        let g: f32 = edges[[y, x]];
        let length: f32 = slope_down * down + slope_across * across + g * curvature;
        next[[y, x]] =
            own + STEP * (SLOPE * (laplacian - curvature) + bump(own) * (LENGTH * length + AREA * g));
    }
}

/// A step as it is written without a library, one pass after the other.
pub fn plain(phi: &[f32], edges: &[f32], [h, w]: [usize; 2], next: &mut [f32]) {
    let clamped =
        |y: isize, x: isize| y.clamp(0, h as isize - 1) as usize * w + x.clamp(0, w as isize - 1) as usize;
    let slopes = |t: &[f32], y: isize, x: isize| {
        [
            0.5 * (t[clamped(y + 1, x)] - t[clamped(y - 1, x)]),
            0.5 * (t[clamped(y, x + 1)] - t[clamped(y, x - 1)]),
        ]
    };
    // With a margin of one sample, whose places are clamped as those of the function are.
    let (rows, columns) = (h as isize, w as isize);
    let mut normal = Vec::with_capacity((h + 2) * (w + 2));
    for y in -1..=rows {
        for x in -1..=columns {
            let [down, across] = slopes(phi, y, x);
            let length = (down * down + across * across + 1e-10).sqrt();
            normal.push([down / length, across / length]);
        }
    }
    let normal = |y: isize, x: isize| normal[((y + 1) * (columns + 2) + x + 1) as usize];
    for y in 0..rows {
        for x in 0..columns {
            let curvature =
                0.5 * (normal(y + 1, x)[0] - normal(y - 1, x)[0] + normal(y, x + 1)[1] - normal(y, x - 1)[1]);
            let [down, across] = normal(y, x);
            let [slope_down, slope_across] = slopes(edges, y, x);
            let at = |y, x| phi[clamped(y, x)];
            let laplacian = at(y - 1, x) + at(y + 1, x) + at(y, x - 1) + at(y, x + 1) - 4.0 * at(y, x);
            let (own, g) = (at(y, x), edges[clamped(y, x)]);
            let length = slope_down * down + slope_across * across + g * curvature;
            next[clamped(y, x)] =
                own + STEP * (SLOPE * (laplacian - curvature) + bump(own) * (LENGTH * length + AREA * g));
        }
    }
}
