//! The filter of an edge (8.7.2): 16 sets of samples across it, each in a lane.
//!
//! In a tile that begins behind the edge, q<sub>i</sub> is `t[[i, l]]` and p<sub>i</sub> is `t[[-1 - i, l]]`.

use shim::prelude::*;

pub(super) use super::Thresholds;

/// Filters an edge whose four strengths are `bs`, not all 0; a template. A strength is that of four lanes of luma, or of two lanes
/// of Cb, lanes 0 to 7, and of Cr.
#[shim::kernel]
pub(super) fn edge<const CHROMA: bool>(
    t: impl Tensor<u8, 2>,
    bs: impl Tensor<u8, 1>,
    thresholds: Thresholds,
) {
    let (alpha, beta) = (thresholds.alpha, thresholds.beta);
    let t = t.cast::<i16>();
    // Two macroblocks of which one is Intra coded: all four are 4, or none.
    if bs[[0]] == 4 {
        strong::<CHROMA>(t, alpha, beta);
    } else {
        let own = thresholds.tc0;
        let own = [
            own[usize::from(bs[[0]] & 7)],
            own[usize::from(bs[[1]] & 7)],
            own[usize::from(bs[[2]] & 7)],
            own[usize::from(bs[[3]] & 7)],
        ];
        let tc0 = Block::stack::<i16>([16]);
        #[unroll]
        for l in 0..16 {
            tc0[[l]] = own[if CHROMA { l % 8 / 2 } else { l / 4 }];
        }
        normal::<CHROMA>(t, tc0, alpha, beta);
    }
}

/// Filters an edge with a bS below 4 (8.7.2.3), a template; where bS is 0, `tc0` is negative.
#[shim::kernel]
fn normal<const CHROMA: bool>(t: impl Tensor<i16, 2>, tc0: impl Tensor<i16, 1>, alpha: i16, beta: i16) {
    #[lanes(16)]
    for l in 0..16 {
        let [p0, p1, q0, q1] = [t[[-1, l]], t[[-2, l]], t[[0, l]], t[[1, l]]];
        let tc0 = tc0[[l]];
        if tc0 >= 0 && (p0 - q0).abs() < alpha && (p1 - p0).abs() < beta && (q1 - q0).abs() < beta {
            if CHROMA {
                let delta = ((((q0 - p0) << 2) + (p1 - q1) + 4) >> 3).max(-(tc0 + 1)).min(tc0 + 1);
                t[[-1, l]] = (p0 + delta).clamp(0, 255);
                t[[0, l]] = (q0 - delta).clamp(0, 255);
            } else {
                let (p2, q2) = (t[[-3, l]], t[[2, l]]);
                let (ap, aq) = ((p2 - p0).abs() < beta, (q2 - q0).abs() < beta);
                let tc = tc0 + i16::from(ap) + i16::from(aq);
                let delta = ((((q0 - p0) << 2) + (p1 - q1) + 4) >> 3).max(-tc).min(tc);
                t[[-1, l]] = (p0 + delta).clamp(0, 255);
                t[[0, l]] = (q0 - delta).clamp(0, 255);
                if ap {
                    t[[-2, l]] = p1 + ((p2 + ((p0 + q0 + 1) >> 1) - (p1 << 1)) >> 1).max(-tc0).min(tc0);
                }
                if aq {
                    t[[1, l]] = q1 + ((q2 + ((p0 + q0 + 1) >> 1) - (q1 << 1)) >> 1).max(-tc0).min(tc0);
                }
            }
        }
    }
}

/// Filters an edge with a bS of 4 (8.7.2.4), a template. All lanes are written, those that are not filtered as they were.
#[shim::kernel]
fn strong<const CHROMA: bool>(t: impl Tensor<i16, 2>, alpha: i16, beta: i16) {
    #[lanes(16)]
    for l in 0..16 {
        let [p0, p1, q0, q1] = [t[[-1, l]], t[[-2, l]], t[[0, l]], t[[1, l]]];
        let on = ((p0 - q0).abs() < alpha) & ((p1 - p0).abs() < beta) & ((q1 - q0).abs() < beta);
        let (weak_p, weak_q) = ((2 * p1 + p0 + q1 + 2) >> 2, (2 * q1 + q0 + p1 + 2) >> 2);
        if CHROMA {
            t[[-1, l]] = if on { weak_p } else { p0 };
            t[[0, l]] = if on { weak_q } else { q0 };
        } else {
            let [p2, p3, q2, q3] = [t[[-3, l]], t[[-4, l]], t[[2, l]], t[[3, l]]];
            let near = on & ((p0 - q0).abs() < (alpha >> 2) + 2);
            let (ap, aq) = (near & ((p2 - p0).abs() < beta), near & ((q2 - q0).abs() < beta));
            let (weak_p, weak_q) = (if on { weak_p } else { p0 }, if on { weak_q } else { q0 });
            t[[-1, l]] = if ap { (p2 + 2 * p1 + 2 * p0 + 2 * q0 + q1 + 4) >> 3 } else { weak_p };
            t[[-2, l]] = if ap { (p2 + p1 + p0 + q0 + 2) >> 2 } else { p1 };
            t[[-3, l]] = if ap { (2 * p3 + 3 * p2 + p1 + p0 + q0 + 4) >> 3 } else { p2 };
            t[[0, l]] = if aq { (p1 + 2 * p0 + 2 * q0 + 2 * q1 + q2 + 4) >> 3 } else { weak_q };
            t[[1, l]] = if aq { (p0 + q0 + q1 + q2 + 2) >> 2 } else { q1 };
            t[[2, l]] = if aq { (2 * q3 + 3 * q2 + q1 + q0 + p0 + 4) >> 3 } else { q2 };
        }
    }
}
