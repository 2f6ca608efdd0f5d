//! The filter against clause 8.7, sample by sample, over pictures with everything mixed.

use super::chroma::deblock_chroma;
use super::luma::deblock_luma;
use super::strength::strengths;
use super::{ALPHA, BETA, SliceFilter, TC0};
use crate::kernels::picture::Tables;
use crate::kernels::quantize::chroma_qp;
use crate::kernels::testing::Random;

/// A picture with all that the filter depends on.
struct Picture {
    /// Rows and columns of macroblocks.
    size: [usize; 2],
    planes: [Vec<u8>; 3],
    tables: Tables,
    filters: Vec<SliceFilter>,
    chroma_qp_index_offset: i8,
}

impl Picture {
    fn new(random: &mut Random, round: usize) -> Self {
        // Some have several tiles of eight macroblocks in a row.
        let widest = if round.is_multiple_of(7) { 30 } else { 5 };
        let size = [random.within(1, 4) as usize, random.within(1, widest) as usize];
        let mbs = size[0] * size[1];
        // From noise, where nearly nothing is filtered, to planes where all of it is.
        let swing = [127, 30, 12, 5, 2][round % 5];
        let plane = |random: &mut Random, samples: usize| {
            (0..samples * mbs).map(|_| (128 + random.within(-swing, swing)).clamp(0, 255) as u8).collect()
        };
        let planes = [plane(random, 256), plane(random, 64), plane(random, 64)];
        let slices = random.within(1, 3) as usize;
        let mut number = 0;
        let slice = (0..mbs)
            .map(|_| {
                if number + 1 < slices && random.within(0, 3) == 0 {
                    number += 1;
                }
                number as u16
            })
            .collect();
        let some_intra = random.within(1, 4);
        let middle = random.within(0, 51);
        let tables = Tables {
            intra: (0..mbs).map(|_| random.within(0, some_intra) == 0).collect(),
            luma_total: (0..16 * mbs).map(|_| random.within(-6, 16).max(0) as u8).collect(),
            mv: (0..16 * mbs)
                .map(|_| [random.within(-3, 3) as i16, 2 * random.within(-2, 2) as i16])
                .collect(),
            reference: (0..4 * mbs).map(|_| random.within(0, 4).max(2) as i8).collect(),
            qp: (0..mbs)
                .map(|_| {
                    if random.within(0, 9) == 0 {
                        0
                    } else {
                        (middle + random.within(-6, 6)).clamp(0, 51) as u8
                    }
                })
                .collect(),
            slice,
            ..Tables::new(size)
        };
        Self {
            size,
            planes,
            tables,
            filters: (0..slices)
                .map(|_| SliceFilter {
                    disable_deblocking_filter_idc: [0, 0, 1, 2][random.within(0, 3) as usize],
                    filter_offset_a: 2 * random.within(-6, 6) as i8,
                    filter_offset_b: 2 * random.within(-6, 6) as i8,
                })
                .collect(),
            chroma_qp_index_offset: random.within(-12, 12) as i8,
        }
    }

    /// bS of the 4x4 block at (y, x) and that before it, across a vertical edge or a horizontal one.
    fn bs(&self, y: usize, x: usize, vertical: bool) -> u8 {
        let w = self.size[1];
        let before = |y: usize, x: usize| if vertical { (y, x - 1) } else { (y - 1, x) };
        let macroblock = |(y, x): (usize, usize)| y / 4 * w + x / 4;
        let here = macroblock((y, x));
        let filter = self.filters[usize::from(self.tables.slice[here])];
        if (if vertical { x } else { y }) == 0 || filter.disable_deblocking_filter_idc == 1 {
            return 0;
        }
        let p = before(y, x);
        let there = macroblock(p);
        if filter.disable_deblocking_filter_idc == 2 && self.tables.slice[here] != self.tables.slice[there] {
            return 0;
        }
        if self.tables.intra[here] || self.tables.intra[there] {
            return if here == there { 3 } else { 4 };
        }
        let block = |(y, x): (usize, usize)| y * 4 * w + x;
        let (q, p) = (block((y, x)), block(p));
        let part = |(y, x): (usize, usize)| y / 2 * 2 * w + x / 2;
        if self.tables.luma_total[p] != 0 || self.tables.luma_total[q] != 0 {
            return 2;
        }
        let far = (0..2).any(|i| (self.tables.mv[p][i] - self.tables.mv[q][i]).abs() >= 4);
        u8::from(far || self.tables.reference[part((y, x))] != self.tables.reference[part(before(y, x))])
    }

    /// The deblocking filter process of a component, of which n by n samples belong to a macroblock.
    fn filter(&self, component: usize) -> Vec<u8> {
        let n = if component == 0 { 16 } else { 8 };
        let [h, w] = self.size;
        let stride = n * w;
        let mut s = self.planes[component].clone();
        let qpc = |mb: usize| {
            if component == 0 {
                self.tables.qp[mb]
            } else {
                chroma_qp(self.tables.qp[mb], self.chroma_qp_index_offset)
            }
        };
        for mb in 0..h * w {
            let (y, x) = (mb / w, mb % w);
            for vertical in [true, false] {
                for e in (0..n).step_by(4) {
                    for k in 0..n {
                        // q0, and how far it is from one sample across the edge to the next.
                        let (i, j) = if vertical { (k, e) } else { (e, k) };
                        let step = if vertical { 1 } else { stride };
                        let q0 = (n * y + i) * stride + n * x + j;
                        let (block_y, block_x) = (4 * y + i * 4 / n, 4 * x + j * 4 / n);
                        let bs = self.bs(block_y, block_x, vertical);
                        if bs == 0 {
                            continue;
                        }
                        let other = match (e, vertical) {
                            (0, true) => mb - 1,
                            (0, false) => mb - w,
                            _ => mb,
                        };
                        let qpav = (i32::from(qpc(other)) + i32::from(qpc(mb)) + 1) >> 1;
                        let filter = self.filters[usize::from(self.tables.slice[mb])];
                        line(&mut s, q0, step, component > 0, bs, qpav, filter);
                    }
                }
            }
        }
        s
    }
}

/// Filters one set of samples across an edge (8.7.2).
fn line(s: &mut [u8], at: usize, step: usize, chroma: bool, bs: u8, qpav: i32, filter: SliceFilter) {
    let index_a = (qpav + i32::from(filter.filter_offset_a)).clamp(0, 51) as usize;
    let index_b = (qpav + i32::from(filter.filter_offset_b)).clamp(0, 51) as usize;
    let (alpha, beta) = (i32::from(ALPHA[index_a]), i32::from(BETA[index_b]));
    // Chroma has no more than four samples that matter.
    let reach = if chroma { 2 } else { 4 };
    let mut p: Vec<i32> = (0..reach).map(|i| i32::from(s[at - (i + 1) * step])).collect();
    let mut q: Vec<i32> = (0..reach).map(|i| i32::from(s[at + i * step])).collect();
    if !((p[0] - q[0]).abs() < alpha && (p[1] - p[0]).abs() < beta && (q[1] - q[0]).abs() < beta) {
        return;
    }
    let (old_p, old_q) = (p.clone(), q.clone());
    if bs < 4 {
        let tc0 = i32::from(TC0[index_a][usize::from(bs) - 1]);
        let close = |s: &[i32]| !chroma && (s[2] - s[0]).abs() < beta;
        let tc = if chroma { tc0 + 1 } else { tc0 + i32::from(close(&p)) + i32::from(close(&q)) };
        let delta = ((((q[0] - p[0]) << 2) + (p[1] - q[1]) + 4) >> 3).clamp(-tc, tc);
        p[0] = (old_p[0] + delta).clamp(0, 255);
        q[0] = (old_q[0] - delta).clamp(0, 255);
        for (s, old) in [(&mut p, &old_p), (&mut q, &old_q)] {
            if close(old) {
                let sum = old[2] + ((old_p[0] + old_q[0] + 1) >> 1) - (old[1] << 1);
                s[1] = old[1] + (sum >> 1).clamp(-tc0, tc0);
            }
        }
    } else {
        for (s, a, b) in [(&mut p, &old_p, &old_q), (&mut q, &old_q, &old_p)] {
            if !chroma && (a[2] - a[0]).abs() < beta && (a[0] - b[0]).abs() < (alpha >> 2) + 2 {
                s[0] = (a[2] + 2 * a[1] + 2 * a[0] + 2 * b[0] + b[1] + 4) >> 3;
                s[1] = (a[2] + a[1] + a[0] + b[0] + 2) >> 2;
                s[2] = (2 * a[3] + 3 * a[2] + a[1] + a[0] + b[0] + 4) >> 3;
            } else {
                s[0] = (2 * a[1] + a[0] + b[1] + 2) >> 2;
            }
        }
    }
    for i in 0..reach {
        s[at - (i + 1) * step] = p[i] as u8;
        s[at + i * step] = q[i] as u8;
    }
}

/// Pools of threads, if the crate has threads.
struct Pools(#[cfg(feature = "rayon")] Vec<rayon::ThreadPool>);

impl Pools {
    fn new() -> Self {
        Pools(
            #[cfg(feature = "rayon")]
            [1, 2, 3, 8]
                .map(|count| rayon::ThreadPoolBuilder::new().num_threads(count).build().expect("a pool"))
                .into(),
        )
    }

    /// Works in one of them.
    #[cfg_attr(not(feature = "rayon"), expect(clippy::unused_self, reason = "there are none"))]
    fn run(&self, round: usize, work: impl FnOnce() + Send) {
        #[cfg(feature = "rayon")]
        self.0[round % self.0.len()].install(work);
        #[cfg(not(feature = "rayon"))]
        {
            let _ = round;
            work();
        }
    }
}

#[test]
fn whole_pictures() {
    let mut random = Random::new(7);
    let pools = Pools::new();
    let mut changed = 0;
    for round in 0..400 {
        let picture = Picture::new(&mut random, round);
        let [h, w] = picture.size;
        let mut tables = picture.tables.clone();
        tables.strengths = [vec![9; 16 * h * w], vec![9; 16 * h * w]];
        let cut = round % (h + 1);
        for rows in [0..cut, cut..h] {
            strengths(&mut tables, rows, &picture.filters);
        }
        let [left, upper] = &tables.strengths;
        for y in 0..4 * h {
            for x in 0..4 * w {
                assert_eq!(left[4 * w * y + x], picture.bs(y, x, true), "left of ({y}, {x})");
                assert_eq!(upper[4 * w * y + x], picture.bs(y, x, false), "above ({y}, {x})");
            }
        }
        let [mut luma, mut cb, mut cr] = picture.planes.clone();
        // In sequence, and by fronts on threads.
        let offset = picture.chroma_qp_index_offset;
        if round % 2 == 0 {
            for rows in [0..cut, cut..h] {
                deblock_luma(&mut luma, &tables, &picture.filters, rows.clone(), false);
                deblock_chroma(&mut cb, &mut cr, &tables, &picture.filters, offset, rows, false);
            }
        } else {
            pools.run(round / 2, || {
                for rows in [0..cut, cut..h] {
                    deblock_luma(&mut luma, &tables, &picture.filters, rows.clone(), true);
                    deblock_chroma(&mut cb, &mut cr, &tables, &picture.filters, offset, rows, true);
                }
            });
        }
        for (component, got) in [luma, cb, cr].iter().enumerate() {
            changed += usize::from(*got != picture.planes[component]);
            assert!(*got == picture.filter(component), "component {component} of round {round}");
        }
    }
    assert!(changed > 400, "{changed}");
}

#[test]
fn the_tables_grow() {
    for tables in [ALPHA, BETA] {
        assert!(tables.is_sorted() && tables[15] == 0 && tables[16] > 0);
    }
    assert!(TC0.is_sorted_by(|a, b| (0..3).all(|i| a[i] <= b[i])) && TC0.iter().all(|row| row.is_sorted()));
}
