//! From pixels to coefficients.

use shim_benches::ablation::headers::Headers;
use shim_benches::picture::Picture;
use shim_jpeg::kernels::color::{to_ycbcr, to_ycbcr_420, to_ycbcr16};
use shim_jpeg::kernels::downsample::downsample;
use shim_jpeg::kernels::quantize::{Divisors, Reciprocals, WideDivisors};
use shim_jpeg::kernels::transform::{Scratch, WideScratch, transform, transform_fast, transform_wide};
use shim_jpeg::{Encoder, Image, Pixels, Subsampling};

use crate::QUALITY;
use crate::clock::Clock;
use crate::entropy::Coder;
use crate::frame::{Frame, McuRun};

/// Rows of components.
struct Planes<T> {
    /// Components at the density of the picture.
    fine: [Vec<T>; 3],
    /// Chrominance at half of it.
    coarse: [Vec<T>; 2],
}

impl<T: Clone + Default> Planes<T> {
    /// Memory for a row of MCUs.
    fn new(frame: &Frame) -> Self {
        let memory = |columns: usize| vec![T::default(); frame.mcu() * columns];
        let columns = frame.width.next_multiple_of(128);
        Self { fine: [(); 3].map(|()| memory(columns)), coarse: [(); 2].map(|()| memory(columns)) }
    }
}

/// The plane of each component, with its rows and columns.
type Shaped<'a, T> = [(&'a [T], usize, usize); 3];

/// How samples of 8 bits become coefficients.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    Fast,
    Exact,
}

/// The stages of samples of 8 bits.
pub(crate) struct Narrow<'p> {
    picture: &'p Picture,
    reciprocals: [Box<Reciprocals>; 2],
    divisors: [Divisors; 2],
    scratch: Box<Scratch>,
    /// At 4:2:0, and at 4:4:4.
    coders: [Coder; 2],
}

/// The headers with the tables of luminance and of chrominance.
fn headers(picture: &Picture) -> Headers {
    let Picture { pixels, width, height } = picture;
    let image = Image::rgb(pixels, *width, *height).expect("a valid image");
    let file = Encoder::new().quality(QUALITY).encode(&image).expect("memory does not fail");
    Headers::of(&file).expect("a baseline file")
}

/// The quantization tables.
fn tables(headers: &Headers) -> [[u16; 64]; 2] {
    [0, 1].map(|number| {
        let elements = headers.quantization[number].as_slice();
        std::array::from_fn(|place| elements[place] as u16)
    })
}

impl<'p> Narrow<'p> {
    pub(crate) fn new(picture: &'p Picture) -> Self {
        let headers = headers(picture);
        let tables = tables(&headers);
        Self {
            picture,
            reciprocals: tables.each_ref().map(|table| Reciprocals::new(table).expect("a coarse table")),
            divisors: tables.each_ref().map(Divisors::new),
            scratch: Box::default(),
            coders: [2, 1].map(|factor| Coder::new(Frame::new(picture, factor), &headers)),
        }
    }

    /// The stages at 4:2:0 and at 4:4:4.
    pub(crate) fn run(&mut self, clock: &mut Clock) {
        let [halved, full] = [2, 1].map(|factor| Frame::new(self.picture, factor));
        clock.begin("4:2:0");
        self.encode(halved, Way::Fast, clock);
        self.coders[0].tokens(clock);
        self.coders[0].progressive(clock);
        clock.begin("4:2:0, exact");
        self.encode(halved, Way::Exact, clock);
        clock.begin("4:4:4");
        self.encode(full, Way::Fast, clock);
        self.coders[1].tokens(clock);
        self.coders[1].progressive(clock);
        clock.begin("4:4:4, exact");
        self.encode(full, Way::Exact, clock);
    }

    /// All stages of a baseline file, row after row, and of the fast way the tokens and words by themselves; before
    /// them the encoder as a whole, to compare with their sum.
    fn encode(&mut self, frame: Frame, way: Way, clock: &mut Clock) {
        let Picture { pixels, width, height } = self.picture;
        let image = Image::rgb(pixels, *width, *height).expect("a valid image");
        let subsampling = if frame.factor == 2 { Subsampling::S420 } else { Subsampling::S444 };
        let encoder = Encoder::new().quality(QUALITY).subsampling(subsampling).exact(way == Way::Exact);
        clock.time("a whole file", || {
            encoder.encode_to(&image, std::io::sink()).expect("a sink does not fail");
        });
        let mut planes = Planes::<u8>::new(&frame);
        let mut run = McuRun::new(&frame);
        let coder = &mut self.coders[usize::from(frame.factor == 1)];
        let complete = coder.is_complete();
        coder.begin();
        for index in 0..frame.mcus_high() {
            let (first, rows) = frame.rows(index);
            let Planes { fine: [y, cb, cr], coarse: [coarse_cb, coarse_cr] } = &mut planes;
            let halved = rows.div_ceil(2);
            let shaped: Shaped<'_, u8> = if frame.factor == 2 && way == Way::Fast {
                let columns = 64 * width.div_ceil(128);
                clock.time("conversion with downsampling", || {
                    let pixels = image.raster().rows(first, rows);
                    to_ycbcr_420(pixels, way == Way::Exact, 2 * columns, 0, [y, coarse_cb, coarse_cr]);
                });
                [(y, rows, 2 * columns), (coarse_cb, halved, columns), (coarse_cr, halved, columns)]
            } else {
                clock.time("conversion", || {
                    to_ycbcr(image.raster().rows(first, rows), *width, 0, [y, cb, cr]);
                });
                if frame.factor == 2 {
                    let columns = 8 * frame.mcus_wide();
                    clock.time("downsampling", || {
                        for (fine, coarse) in [(&*cb, &mut *coarse_cb), (&*cr, &mut *coarse_cr)] {
                            downsample(fine, [rows, *width], [2, 2], coarse, [halved, columns]);
                        }
                    });
                    [(y, rows, *width), (coarse_cb, halved, columns), (coarse_cr, halved, columns)]
                } else {
                    [(y, rows, *width), (cb, rows, *width), (cr, rows, *width)]
                }
            };
            for mcu in frame.runs() {
                run.move_to(&frame, index, mcu);
                let (scratch, out) = (&mut self.scratch, &mut run.coefficients);
                for (c, (plane, rows, columns)) in shaped.into_iter().enumerate() {
                    let (table, own) = (usize::from(c > 0), run.blocks[c]);
                    clock.time("transform", || match way {
                        Way::Fast => {
                            let by = &self.reciprocals[table];
                            transform_fast(plane, rows, columns, by, own, scratch, out);
                        }
                        Way::Exact => {
                            transform(plane, rows, columns, &self.divisors[table], own, scratch, out);
                        }
                    });
                }
                coder.code(&image, [index, mcu], &run, clock);
                if way == Way::Fast {
                    coder.find(mcu, &run, clock);
                    if !complete {
                        coder.store(mcu, &run);
                    }
                }
            }
        }
    }
}

/// The stages of samples of 12 bits.
pub(crate) struct Wide {
    frame: Frame,
    samples: Vec<u16>,
    divisors: [WideDivisors; 2],
    scratch: Box<WideScratch>,
}

impl Wide {
    pub(crate) fn new(picture: &Picture) -> Self {
        Self {
            frame: Frame::new(picture, 2),
            samples: picture.pixels.iter().map(|&sample| u16::from(sample) << 4).collect(),
            divisors: tables(&headers(picture)).each_ref().map(WideDivisors::new),
            scratch: Box::default(),
        }
    }

    /// The stages at 4:2:0.
    pub(crate) fn run(&mut self, clock: &mut Clock) {
        clock.begin("12 bits, 4:2:0");
        let frame @ Frame { width, height, .. } = self.frame;
        let image = Image::interleaved16(&self.samples, 12, Pixels::Rgb, width, height, 3 * width)
            .expect("a valid image");
        let mut planes = Planes::<u16>::new(&frame);
        let mut run = McuRun::new(&frame);
        for index in 0..frame.mcus_high() {
            let (first, rows) = frame.rows(index);
            let (halved, columns) = (rows.div_ceil(2), 8 * frame.mcus_wide());
            let Planes { fine: [y, cb, cr], coarse: [coarse_cb, coarse_cr] } = &mut planes;
            clock.time("conversion", || to_ycbcr16(image.raster().rows(first, rows), width, 0, [y, cb, cr]));
            clock.time("downsampling", || {
                for (fine, coarse) in [(&*cb, &mut *coarse_cb), (&*cr, &mut *coarse_cr)] {
                    downsample(fine, [rows, width], [2, 2], coarse, [halved, columns]);
                }
            });
            let shaped: Shaped<'_, u16> =
                [(y, rows, width), (coarse_cb, halved, columns), (coarse_cr, halved, columns)];
            for mcu in frame.runs() {
                run.move_to(&frame, index, mcu);
                for (c, (plane, rows, columns)) in shaped.into_iter().enumerate() {
                    let (by, own) = (&self.divisors[usize::from(c > 0)], run.blocks[c]);
                    let (scratch, out) = (&mut self.scratch, &mut run.coefficients);
                    clock.time("transform", || {
                        transform_wide(plane, rows, columns, by, own, scratch, out);
                    });
                }
            }
        }
    }
}
