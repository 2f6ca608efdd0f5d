//! The cases of the corpus.

use shim_jpeg::{
    ColorSpace, Density, Encoder, Pixels, Predictor, Process, Restart, ScanSpec, SimdLevel, Subsampling,
};

use crate::picture::{Format, Memory};

/// The goal of an encoding.
#[derive(Clone, Copy)]
pub(crate) enum Goal {
    Settings,
    /// A size of so many bytes.
    Within(usize),
    /// A PSNR of so many decibels.
    Reaching(f64),
}

/// One line of the record: the hash of the files of several images.
pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) encoder: Encoder,
    pub(crate) format: Format,
    /// None are those of the photograph.
    pub(crate) sizes: Vec<[usize; 2]>,
    pub(crate) goal: Goal,
    /// The levels of instruction sets at which the case is encoded beside the best that the machine has.
    pub(crate) levels: &'static [SimdLevel],
}

/// A name and a change of settings.
type Change = (&'static str, fn(Encoder) -> Encoder);

/// Sizes at and around those of blocks, MCUs, tiles and runs of MCUs.
const SIZES: [[usize; 2]; 22] = [
    [1, 1],
    [2, 3],
    [8, 8],
    [7, 13],
    [15, 17],
    [16, 16],
    [17, 16],
    [16, 300],
    [31, 33],
    [5, 65],
    [48, 5],
    [64, 64],
    [100, 37],
    [128, 128],
    [129, 65],
    [255, 34],
    [256, 49],
    [257, 70],
    [400, 100],
    [511, 33],
    [520, 50],
    [1100, 40],
];

const ALL_PIXELS: [Pixels; 9] = [
    Pixels::Rgb,
    Pixels::Bgr,
    Pixels::Rgba,
    Pixels::Bgra,
    Pixels::Gray,
    Pixels::GrayAlpha,
    Pixels::YCbCr,
    Pixels::Cmyk,
    Pixels::Ycck,
];

const ALL_SUBSAMPLINGS: [Subsampling; 5] =
    [Subsampling::S420, Subsampling::S444, Subsampling::S422, Subsampling::S440, Subsampling::S411];

/// Sampling factors that no subsampling has; the last two make MCUs of more blocks than one scan can have.
const FACTORS: [[[u8; 2]; 3]; 7] = [
    [[2, 2], [2, 1], [1, 2]],
    [[4, 2], [1, 1], [1, 1]],
    [[1, 4], [1, 1], [1, 2]],
    [[3, 1], [1, 1], [3, 1]],
    [[1, 1], [2, 2], [1, 1]],
    [[4, 2], [2, 1], [2, 1]],
    [[4, 4], [2, 2], [1, 1]],
];

/// The processes by coefficients and what chooses them.
const PROCESSES: [Change; 15] = [
    ("baseline", |e| e),
    ("optimized", |e| e.optimized(true)),
    ("exact", |e| e.libjpeg_compatible(true)),
    ("exact optimized", |e| e.libjpeg_compatible(true).optimized(true)),
    ("progressive", |e| e.process(Process::Progressive)),
    ("exact progressive", |e| e.libjpeg_compatible(true).process(Process::Progressive)),
    ("trellis", |e| e.trellis(true)),
    ("trellis optimized", |e| e.trellis(true).optimized(true)),
    ("trellis progressive", |e| e.trellis(true).process(Process::Progressive)),
    ("scans", |e| e.process(Process::Scans(whole_scans()))),
    ("scans optimized", |e| e.process(Process::Scans(whole_scans())).optimized(true)),
    ("scans progressive", |e| e.process(Process::Scans(partial_scans()))),
    ("arithmetic", |e| e.arithmetic(true)),
    ("arithmetic progressive", |e| e.arithmetic(true).process(Process::Progressive)),
    ("arithmetic scans", |e| e.arithmetic(true).process(Process::Scans(partial_scans()))),
];

const RESTARTS: [Change; 5] = [
    ("never", |e| e),
    ("row", |e| e.restart(Restart::Rows(1))),
    ("3 rows", |e| e.restart(Restart::Rows(3))),
    ("1", |e| e.restart(Restart::Mcus(1))),
    ("7", |e| e.restart(Restart::Mcus(7))),
];

/// Sequential scans, two components of which are together.
fn whole_scans() -> Vec<ScanSpec> {
    vec![ScanSpec::new(&[1], [0, 63], [0, 0]), ScanSpec::new(&[0, 2], [0, 63], [0, 0])]
}

/// Progressive scans with several refinements.
fn partial_scans() -> Vec<ScanSpec> {
    let mut scans = vec![ScanSpec::new(&[0, 1, 2], [0, 0], [0, 2])];
    scans.extend([[2, 1], [1, 0]].map(|bits| ScanSpec::new(&[0, 1, 2], [0, 0], bits)));
    for c in 0..3 {
        scans.extend([[1, 9], [10, 63]].map(|band| ScanSpec::new(&[c], band, [0, 3])));
        scans.extend([[3, 2], [2, 1], [1, 0]].map(|bits| ScanSpec::new(&[c], [1, 63], bits)));
    }
    scans
}

/// All cases, in the order of the record.
pub(crate) fn cases() -> Vec<Case> {
    let mut corpus = Corpus(Vec::new());
    corpus.sizes();
    corpus.samplings();
    corpus.small();
    corpus.formats();
    corpus.lossless();
    corpus.quantization();
    corpus.targets();
    corpus.photograph();
    corpus.0
}

struct Corpus(Vec<Case>);

impl Corpus {
    fn add(&mut self, name: String, encoder: Encoder, format: Format, sizes: &[[usize; 2]]) -> &mut Case {
        let (sizes, goal) = (sizes.to_vec(), Goal::Settings);
        self.0.push(Case { name, encoder, format, sizes, goal, levels: &[] });
        self.0.last_mut().expect("the one that was added")
    }

    /// Each of the sizes by itself.
    fn sizes(&mut self) {
        let new = Encoder::new;
        let progressive = |e: Encoder| e.process(Process::Progressive);
        for (name, pixels, encoder) in [
            ("default", Pixels::Rgb, new()),
            ("q1", Pixels::Rgb, new().quality(1)),
            ("q75", Pixels::Rgb, new().quality(75)),
            ("q100", Pixels::Rgb, new().quality(100)),
            ("444", Pixels::Rgb, new().quality(75).subsampling(Subsampling::S444)),
            ("422", Pixels::Bgr, new().quality(75).subsampling(Subsampling::S422)),
            ("440", Pixels::Rgba, new().quality(75).subsampling(Subsampling::S440)),
            ("411", Pixels::Bgra, new().quality(75).subsampling(Subsampling::S411)),
            ("bgra", Pixels::Bgra, new().quality(60)),
            ("factors", Pixels::Rgb, new().sampling_factors(&[[2, 2], [2, 1], [1, 2]])),
            ("many blocks", Pixels::Rgb, new().sampling_factors(&[[4, 2], [2, 1], [2, 1]])),
            ("gray", Pixels::Gray, new().quality(75)),
            ("gray of rgb", Pixels::Rgb, new().quality(75).color_space(ColorSpace::Gray)),
            ("rgb", Pixels::Rgb, new().quality(75).color_space(ColorSpace::Rgb)),
            ("ycbcr", Pixels::YCbCr, new().quality(75)),
            ("cmyk", Pixels::Cmyk, new().quality(75)),
            ("ycck", Pixels::Cmyk, new().quality(75).color_space(ColorSpace::Ycck)),
            ("restart", Pixels::Rgb, new().restart(Restart::Mcus(3))),
            ("restart rows", Pixels::Rgb, new().restart(Restart::Rows(2))),
            ("exact", Pixels::Rgb, new().quality(75).libjpeg_compatible(true)),
            (
                "exact 444",
                Pixels::Rgb,
                new().quality(95).libjpeg_compatible(true).subsampling(Subsampling::S444),
            ),
            ("exact q5", Pixels::Rgb, new().quality(5).libjpeg_compatible(true)),
            ("optimized", Pixels::Rgb, new().quality(75).optimized(true)),
            ("progressive", Pixels::Rgb, progressive(new().quality(75))),
            ("progressive exact", Pixels::Rgb, progressive(new().quality(85)).libjpeg_compatible(true)),
            ("trellis", Pixels::Rgb, new().quality(75).trellis(true)),
            ("trellis progressive", Pixels::Rgb, progressive(new().quality(75)).trellis(true)),
            ("lossless", Pixels::Rgb, new().process(Process::lossless(Predictor::Average))),
        ] {
            for size in SIZES {
                self.add(name.to_owned(), encoder.clone(), Format::interleaved(pixels), &[size]);
            }
        }
    }

    /// Processes by samplings, of 8 and of 12 bits, with the restarts in turn.
    fn samplings(&mut self) {
        let usual = ALL_SUBSAMPLINGS.map(|s| (format!("{s:?}"), Encoder::new().subsampling(s)));
        let factors = FACTORS.map(|f| (format!("{f:?}"), Encoder::new().sampling_factors(&f)));
        for (k, (sampling, encoder)) in usual.into_iter().chain(factors).enumerate() {
            for (number, (process, change)) in PROCESSES.into_iter().enumerate() {
                // Only sequential files have a scan for each component where one cannot hold all.
                if k >= 10 && (process.contains("scans") || process.ends_with("progressive")) {
                    continue;
                }
                // Two of the restarts for 8 bits and one for 12, others for the next process and the next sampling.
                for (step, bits) in [(0, 8), (2, 8), (1, 12)] {
                    let (restart, restarted) = RESTARTS[(k + number + step) % RESTARTS.len()];
                    let format = if bits == 8 { Format::RGB } else { Format::RGB.words(bits) };
                    let name = format!("{process}, {sampling}, restart {restart}, {bits} bits");
                    self.add(name, restarted(change(encoder.clone())), format, &[[75, 41]]);
                }
            }
        }
    }

    /// All widths and heights up to 17, at each level of instruction sets.
    fn small(&mut self) {
        let sizes = (1..=17).map(|n| [n, 1 + 7 * n % 17]).collect::<Vec<_>>();
        let lossless: Change = ("lossless", |e| e.process(Process::lossless(Predictor::Plane)));
        for (process, change) in PROCESSES.into_iter().chain([lossless]) {
            for subsampling in ALL_SUBSAMPLINGS {
                let encoder = change(Encoder::new()).subsampling(subsampling).restart(Restart::Rows(1));
                for (bits, format) in [(8, Format::RGB), (12, Format::RGB.words(12))] {
                    if bits == 12 && !matches!(subsampling, Subsampling::S420 | Subsampling::S444) {
                        continue;
                    }
                    let name = format!("{process}, {subsampling:?}, {bits} bits");
                    self.add(name, encoder.clone(), format, &sizes).levels = SimdLevel::ALL;
                }
            }
        }
    }

    /// Pixels by their order in memory by what files hold, at each level of instruction sets.
    fn formats(&mut self) {
        let spaces =
            [ColorSpace::Gray, ColorSpace::YCbCr, ColorSpace::Rgb, ColorSpace::Cmyk, ColorSpace::Ycck];
        let processes: [Change; 4] = [
            ("baseline", |e| e),
            ("444", |e| e.subsampling(Subsampling::S444)),
            ("exact progressive", |e| e.libjpeg_compatible(true).process(Process::Progressive)),
            ("lossless", |e| e.process(Process::lossless(Predictor::Left))),
        ];
        for pixels in ALL_PIXELS {
            for space in spaces.into_iter().filter(|&space| converts(pixels, space)) {
                for memory in [Memory::Interleaved, Memory::Planar] {
                    for (process, change) in processes {
                        for bits in [None, Some(8), Some(12), Some(2), Some(16)] {
                            let coded = matches!(bits, None | Some(8 | 12));
                            if process != "lossless" && !coded {
                                continue;
                            }
                            let gap = self.0.len() % 3;
                            let format = Format { pixels, memory, bits, gap };
                            let encoder = change(Encoder::new()).color_space(space);
                            let name = format!(
                                "{process}, {pixels:?} as {space:?}, {memory:?}, bits {bits:?}, gap {gap}"
                            );
                            self.add(name, encoder, format, &[[29, 17], [130, 3]]).levels = SimdLevel::ALL;
                        }
                    }
                }
            }
        }
        for subsampling in ALL_SUBSAMPLINGS {
            for (process, change) in processes.into_iter().take(3) {
                for gap in [0, 7] {
                    let memory = Memory::Subsampled(subsampling);
                    let format = Format { pixels: Pixels::YCbCr, memory, bits: None, gap };
                    let encoder = change(Encoder::new()).subsampling(subsampling);
                    let name = format!("{process}, planes {subsampling:?}, gap {gap}");
                    self.add(name, encoder, format, &[[61, 35], [16, 16], [3, 1]]).levels = SimdLevel::ALL;
                }
            }
        }
    }

    /// Predictors by point transforms by bits by tables by restarts.
    fn lossless(&mut self) {
        for number in 1..=7 {
            let predictor = Predictor::try_from(number).expect("one of seven");
            for (pixels, bits) in [
                (Pixels::Rgb, None),
                (Pixels::Gray, None),
                (Pixels::Cmyk, None),
                (Pixels::Gray, Some(3)),
                (Pixels::Rgb, Some(10)),
                (Pixels::Rgba, Some(16)),
            ] {
                for (optimized, restart, point_transform) in [
                    (true, Restart::Never, 0),
                    (true, Restart::Rows(2), 1),
                    (false, Restart::Never, 2),
                    (false, Restart::Rows(1), 0),
                ] {
                    let encoder = Encoder::new()
                        .process(Process::Lossless { predictor, point_transform })
                        .optimized(optimized)
                        .restart(restart);
                    let format = Format { bits, ..Format::interleaved(pixels) };
                    let name = format!(
                        "lossless {number}, {pixels:?}, bits {bits:?}, optimized {optimized}, restart {restart:?}, \
                         point transform {point_transform}"
                    );
                    self.add(name, encoder, format, &[[67, 35], [1, 9]]);
                }
            }
        }
    }

    /// Qualities and tables.
    fn quantization(&mut self) {
        let processes: [Change; 5] = [PROCESSES[0], PROCESSES[2], PROCESSES[4], PROCESSES[6], PROCESSES[8]];
        for (process, change) in processes {
            for quality in [1, 10, 23, 24, 50, 75, 90, 96, 97, 100] {
                for format in [Format::RGB, Format::RGB.words(12)] {
                    let name = format!("{process}, quality {quality}, bits {:?}", format.bits);
                    self.add(name, change(Encoder::new().quality(quality)), format, &[[90, 50]]);
                }
            }
            let tables: [[u16; 64]; 2] = [std::array::from_fn(|k| 1 + k as u16 * 4), [7; 64]];
            let encoder = change(Encoder::new()).quantization_tables(tables[0], tables[1]);
            self.add(format!("{process}, tables"), encoder, Format::RGB, &[[90, 50]]);
            let encoder = change(Encoder::new()).baseline(true).quality(9);
            self.add(format!("{process}, within a byte"), encoder, Format::RGB, &[[90, 50]]);
            let encoder = change(Encoder::new())
                .density(Density::PerInch(300, 200))
                .icc_profile(&vec![3; 70_000])
                .exif(b"II*\0")
                .xmp(b"<x/>")
                .app_segment(7, b"seven")
                .comment(b"a comment");
            self.add(format!("{process}, metadata"), encoder, Format::RGB, &[[9, 5]]);
        }
    }

    /// Searches for a size and for a PSNR.
    fn targets(&mut self) {
        for (process, change) in [PROCESSES[0], PROCESSES[2], PROCESSES[4], PROCESSES[6]] {
            for format in [Format::RGB, Format::RGB.words(12), Format::interleaved(Pixels::Gray)] {
                for (name, goal) in [
                    ("within 2500", Goal::Within(2500)),
                    ("within 9999", Goal::Within(9999)),
                    ("reaching 30", Goal::Reaching(30.0)),
                    ("reaching 37.5", Goal::Reaching(37.5)),
                ] {
                    let name = format!("{process}, {:?}, bits {:?}, {name}", format.pixels, format.bits);
                    self.add(name, change(Encoder::new()), format, &[[70, 40]]).goal = goal;
                }
            }
        }
    }

    /// Processes by subsamplings of the photograph.
    fn photograph(&mut self) {
        for (process, change) in PROCESSES {
            for subsampling in [Subsampling::S420, Subsampling::S444] {
                let encoder = change(Encoder::new().quality(80)).subsampling(subsampling);
                self.add(format!("{process}, photograph, {subsampling:?}"), encoder, Format::RGB, &[]);
            }
        }
        for number in [1, 4, 7] {
            let predictor = Predictor::try_from(number).expect("one of seven");
            let encoder = Encoder::new().process(Process::lossless(predictor));
            self.add(format!("lossless {number}, photograph"), encoder, Format::RGB, &[]);
        }
    }
}

/// Whether files of a color space can hold such pixels.
fn converts(pixels: Pixels, space: ColorSpace) -> bool {
    match pixels {
        Pixels::Rgb | Pixels::Bgr | Pixels::Rgba | Pixels::Bgra => {
            matches!(space, ColorSpace::Gray | ColorSpace::YCbCr | ColorSpace::Rgb)
        }
        Pixels::Gray | Pixels::GrayAlpha => space == ColorSpace::Gray,
        Pixels::YCbCr => matches!(space, ColorSpace::Gray | ColorSpace::YCbCr),
        Pixels::Cmyk => matches!(space, ColorSpace::Cmyk | ColorSpace::Ycck),
        _ => space == ColorSpace::Ycck,
    }
}
