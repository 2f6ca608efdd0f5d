//! Prints how long the kernels of the H.264 encoder take beside the same by hand.
//!
//! `cargo bench -p shim-benches --bench h264_kernels [-- [--check] [PART OF A NAME]]`; with `--check` it fails when the
//! median of the ratios is above the limit.
//!
//! The hand-written versions are plain Rust without intrinsics, as fast as their author could make it, compiled for the
//! same instruction sets as a kernel with `simd` and chosen in the same way. Both versions must agree before they are
//! measured.

mod filter;
mod hand;

use std::hint::black_box;
use std::process::ExitCode;

use shim::prelude::Place;
use shim_benches::case::Random;
use shim_benches::measure::{compare, median};
use shim_h264::kernels::deblock::SliceFilter;
use shim_h264::kernels::deblock::luma::deblock_luma;
use shim_h264::kernels::inter::Part;
use shim_h264::kernels::inter::luma::predict_luma;
use shim_h264::kernels::inter::planes::{LUMA_MARGIN, extend_luma, interpolate};
use shim_h264::kernels::inter::search::{Center, Pass, VectorRate, search_16x16};
use shim_h264::kernels::metrics::satd_16x16;
use shim_h264::kernels::picture::{MotionBefore, ReferenceRows, Samples, Tables};
use shim_h264::kernels::quantize::Quantizer;
use shim_h264::kernels::residual::Residual;
use shim_h264::kernels::residual::luma::code_luma;

/// Interleaved pairs.
const PAIRS: usize = 101;
/// The median of the ratios of staged to hand-written.
const LIMIT_OF_MEDIAN: f64 = 1.05;
/// Rows and columns of the pictures.
const SIZE: [usize; 2] = [144, 176];
/// The QP of all macroblocks.
const QP: u8 = 30;

/// Rows and columns of macroblocks.
const MBS: [usize; 2] = [SIZE[0] / 16, SIZE[1] / 16];

/// Rows and columns of the planes of a reference picture.
const WITH_MARGIN: [usize; 2] = [SIZE[0] + 2 * LUMA_MARGIN, SIZE[1] + 2 * LUMA_MARGIN];

/// The macroblock at which the pictures are compared and predicted.
fn macroblock() -> Place<2> {
    black_box(Place::new([16, 32], [16, 16]))
}

/// The luma planes of a reference picture.
fn staged_planes(plane: &[u8], planes: &mut [Vec<u8>; 4]) {
    let [rows, columns] = WITH_MARGIN;
    let [g, b, h, j] = planes;
    extend_luma(plane, SIZE[0], SIZE[1], 0, rows, g);
    interpolate(g, rows, columns, rows, 0, rows, b, h, j);
}

/// A reference picture.
struct Reference {
    luma: [Vec<u8>; 4],
    chroma: Vec<u8>,
    motion: Vec<MotionBefore>,
}

impl Reference {
    fn new() -> Self {
        let [rows, columns] = WITH_MARGIN;
        Self {
            luma: [(); 4].map(|()| vec![0; rows * columns]),
            chroma: vec![0; rows / 2 * (columns / 2)],
            motion: vec![MotionBefore::default(); MBS[0] * MBS[1]],
        }
    }

    fn rows(&self) -> ReferenceRows<'_> {
        let [rows, columns] = WITH_MARGIN;
        ReferenceRows {
            rows,
            columns,
            mb_rows: MBS[0],
            mbs_wide: MBS[1],
            luma: self.luma.each_ref().map(Vec::as_slice),
            chroma: [&self.chroma; 2],
            motion: &self.motion,
        }
    }
}

/// All that the kernels read and write.
struct Data {
    source: Samples,
    other: Vec<u8>,
    reference: Reference,
    pred: [u8; 256],
    quantizer: Quantizer,
    factors: hand::Factors,
    residual: Residual,
    filtered: Vec<u8>,
    tables: Tables,
    sum: u32,
}

impl Data {
    fn new() -> Self {
        let mut random = Random::new(1);
        let [h, w] = SIZE;
        let smooth = |random: &mut Random| -> Vec<u8> {
            (0..h * w).map(|i| (96 + i / w % 64 + i % w / 4 + random.within(0, 7)) as u8).collect()
        };
        let (cur, other) = (smooth(&mut random), smooth(&mut random));
        let mut reference = Reference::new();
        staged_planes(&other, &mut reference.luma);
        let mbs = h / 16 * (w / 16);
        let mut table = || (0..16 * mbs).map(|_| random.within(0, 3) as u8).collect::<Vec<_>>();
        let (mut left, mut upper) = (table(), table());
        // Every fourth macroblock is Intra coded, and nothing is filtered at the edge of the picture.
        for y in 0..h / 4 {
            for x in 0..w / 4 {
                let block = y * (w / 4) + x;
                if x % 16 == 0 {
                    left[block] = 4;
                }
                if y % 16 == 0 {
                    upper[block] = 4;
                }
                if x == 0 {
                    left[block] = 0;
                }
                if y == 0 {
                    upper[block] = 0;
                }
            }
        }
        Self {
            filtered: cur.clone(),
            source: Samples { luma: cur, ..Samples::new(MBS) },
            other,
            reference,
            pred: std::array::from_fn(|i| (100 + i % 16) as u8),
            quantizer: Quantizer::new(QP, 6),
            factors: hand::Factors::new(QP, 6),
            residual: Residual::default(),
            tables: Tables { qp: vec![QP; mbs], strengths: [left, upper], ..Tables::new(MBS) },
            sum: 0,
        }
    }

    /// The macroblock in the source, for the version by hand.
    fn cur(&self) -> hand::Place<'_> {
        hand::Place { plane: &self.source.luma, size: SIZE, at: black_box([16, 32]) }
    }

    /// What the versions wrote, and forgets it.
    fn take(&mut self) -> (Vec<u8>, Vec<i16>, u32) {
        let mut samples = self.reference.luma.concat();
        samples.extend(&self.filtered);
        samples.extend(&self.pred);
        let mut levels = self.residual.luma.to_vec();
        levels.extend(self.residual.luma_nonzero.map(|bits| bits as i16));
        let sum = self.sum;
        *self = Self::new();
        (samples, levels, sum)
    }
}

/// Two versions of a kernel.
type Version = fn(&mut Data);

/// The vector of the prediction, whose samples are an average.
const MV: [i16; 2] = [7, 6];

const CASES: [(&str, Version, Version); 6] = [
    (
        "4x4 transform and quantization, 16 blocks",
        |data| {
            let Data { source, pred, quantizer, residual, .. } = data;
            code_luma(&source.view(), macroblock(), black_box(pred), quantizer, black_box(residual));
        },
        |data| {
            let cur = hand::Place { plane: &data.source.luma, size: SIZE, at: black_box([16, 32]) };
            hand::code_luma(cur, black_box(&data.pred), &data.factors, black_box(&mut data.residual));
        },
    ),
    (
        "16x16 SAD",
        |data| {
            // From row 16 and column 32 to row -13 and column 5, which is row 19 and column 37 of the plane with its
            // margin.
            let steps = black_box([[4 * (5 - 32), 4 * (-13 - 16)]]);
            let center = Center::Origin;
            let pass = Pass { steps: &steps, next: &[], rounds: 1, center, above: 0, upto: u32::MAX };
            let rate = VectorRate { predicted: [0; 2], lambda: 0, ref_idx_bits: 0, max_vmv_r: 512 };
            let (source, reference) = (data.source.view(), data.reference.rows());
            let reference = reference.view();
            let found = search_16x16(&source, macroblock(), &reference, &rate, &[pass], (u32::MAX, [0; 2]));
            data.sum = black_box(found.0);
        },
        |data| {
            let size = SIZE.map(|n| n + 64);
            let there = hand::Place { plane: &data.reference.luma[0], size, at: black_box([19, 37]) };
            data.sum = black_box(hand::sad_16x16(data.cur(), there));
        },
    ),
    (
        "16x16 SATD",
        |data| data.sum = black_box(satd_16x16(&data.source.view(), macroblock(), black_box(&data.pred))),
        |data| {
            let pred = hand::Place { plane: black_box(&data.pred), size: [16, 16], at: [0, 0] };
            data.sum = black_box(hand::satd_16x16(data.cur(), pred));
        },
    ),
    (
        "half-sample planes of 144x176",
        |data| staged_planes(black_box(&data.other), black_box(&mut data.reference.luma)),
        |data| hand::interpolate(black_box(&data.other), SIZE, black_box(&mut data.reference.luma)),
    ),
    (
        "16x16 quarter-sample prediction",
        |data| {
            let Data { reference, pred, .. } = data;
            predict_luma(
                &reference.rows().view(),
                macroblock(),
                black_box(MV),
                black_box(Part::WHOLE),
                black_box(pred),
            );
        },
        |data| {
            let (at, part) = black_box(([16, 32], Part::WHOLE));
            hand::predict_luma(
                &data.reference.luma,
                SIZE,
                at,
                black_box(MV),
                part,
                black_box(&mut data.pred),
            );
        },
    ),
    (
        "deblocking of luma, 144x176",
        |data| {
            data.filtered.copy_from_slice(&data.source.luma);
            let Data { filtered, tables, .. } = data;
            deblock_luma(filtered, tables, &[SliceFilter::default()], 0..MBS[0], false);
        },
        |data| {
            data.filtered.copy_from_slice(&data.source.luma);
            let Tables { qp, strengths: [left, upper], .. } = &data.tables;
            filter::deblock_luma(&mut data.filtered, MBS, qp, left, upper);
        },
    ),
];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let check = arguments.iter().any(|argument| argument == "--check");
    let part = arguments.iter().find(|argument| !argument.starts_with("--")).map_or("", String::as_str);
    if let Some(core) = core_affinity::get_core_ids().and_then(|cores| cores.last().copied()) {
        core_affinity::set_for_current(core);
    }
    println!("{:42} {:>10} {:^20}", "", "hand", "staged / hand");
    println!("{:42} {:>10} {:>6} {:>6} {:>6}", "kernel", "ns", "median", "10 %", "90 %");
    let mut ratios = Vec::new();
    for (name, staged, hand) in CASES {
        if !name.contains(part) {
            continue;
        }
        let mut data = Data::new();
        staged(&mut data);
        let expected = data.take();
        hand(&mut data);
        assert!(data.take() == expected, "{name}: staged and hand-written differ");
        let (nanoseconds, ratio) = compare(PAIRS, &mut data, hand, staged);
        println!("{name:42} {nanoseconds:10.1} {ratio}");
        ratios.push(ratio.median);
    }
    if ratios.is_empty() {
        println!("no kernel of that name");
        return ExitCode::FAILURE;
    }
    let median = median(ratios);
    println!("median: {median:.3} (limit {LIMIT_OF_MEDIAN})");
    if check && median > LIMIT_OF_MEDIAN { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}
