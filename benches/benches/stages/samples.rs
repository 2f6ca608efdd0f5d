//! From pixels to coefficients.

use shim_benches::ablation::headers::Headers;
use shim_benches::picture::Picture;
use shim_jpeg::kernels::color::{to_ycbcr, to_ycbcr16};
use shim_jpeg::kernels::color_420::to_ycbcr_420;
use shim_jpeg::kernels::downsample::downsample;
use shim_jpeg::kernels::element::Element;
use shim_jpeg::kernels::planes::Plane;
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
    fine: [Plane<T>; 3],
    /// Chrominance at half of it.
    coarse: [Plane<T>; 2],
}

impl<T: Element> Planes<T> {
    /// Memory for a row of MCUs, of `columns` and of as many of chrominance at half the density.
    fn new(frame: &Frame, [columns, halved]: [usize; 2]) -> Self {
        let plane = |columns: usize| Plane::new(frame.mcu(), columns);
        Self { fine: [(); 3].map(|()| plane(columns)), coarse: [(); 2].map(|()| plane(halved)) }
    }

    /// Makes the planes as high as `rows` rows of the picture, which tiles complete to an even number.
    fn set_rows(&mut self, rows: usize) {
        self.fine.iter_mut().for_each(|plane| plane.rows = rows);
        self.coarse.iter_mut().for_each(|plane| plane.rows = rows.div_ceil(2));
    }

    /// Averages chrominance.
    fn downsample(&mut self) {
        for (fine, coarse) in self.fine[1..].iter().zip(&mut self.coarse) {
            downsample(fine, [2, 2], coarse);
        }
    }

    /// The plane of each component.
    fn shaped(&self, halved: bool) -> [&Plane<T>; 3] {
        let ([y, cb, cr], [coarse_cb, coarse_cr]) = (&self.fine, &self.coarse);
        if halved { [y, coarse_cb, coarse_cr] } else { [y, cb, cr] }
    }
}

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
        let encoder =
            Encoder::new().quality(QUALITY).subsampling(subsampling).libjpeg_compatible(way == Way::Exact);
        clock.time("a whole file", || {
            encoder.encode_to(&image, std::io::sink()).expect("a sink does not fail");
        });
        let (halved, fast) = (frame.factor == 2, way == Way::Fast);
        let columns = match (halved, fast) {
            (true, true) => [128, 64].map(|tile| tile * width.div_ceil(128)),
            _ => [*width, 8 * frame.mcus_wide()],
        };
        let mut planes = Planes::<u8>::new(&frame, columns);
        let mut run = McuRun::new(&frame);
        let coder = &mut self.coders[usize::from(frame.factor == 1)];
        let complete = coder.is_complete();
        coder.begin();
        for index in 0..frame.mcus_high() {
            let (first, rows) = frame.rows(index);
            let pixels = image.raster().rows(first, rows);
            planes.set_rows(if halved && fast { rows.next_multiple_of(2) } else { rows });
            let Planes { fine: [y, cb, cr], coarse: [coarse_cb, coarse_cr] } = &mut planes;
            if halved && fast {
                clock.time("conversion with downsampling", || {
                    to_ycbcr_420(pixels, false, y, coarse_cb, coarse_cr);
                });
            } else {
                clock.time("conversion", || to_ycbcr(pixels, y, cb, cr));
                if halved {
                    clock.time("downsampling", || planes.downsample());
                }
            }
            for mcu in frame.runs() {
                run.move_to(&frame, index, mcu);
                let (scratch, out) = (&mut self.scratch, &mut run.coefficients);
                for (c, plane) in planes.shaped(halved).into_iter().enumerate() {
                    let (table, own) = (usize::from(c > 0), run.blocks[c]);
                    clock.time("transform", || match way {
                        Way::Fast => {
                            let by = &self.reciprocals[table];
                            transform_fast(plane, by, own, scratch, out);
                        }
                        Way::Exact => {
                            transform(plane, &self.divisors[table], own, scratch, out);
                        }
                    });
                }
                coder.code(mcu, &run, clock);
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
        let mut planes = Planes::<u16>::new(&frame, [width, 8 * frame.mcus_wide()]);
        let mut run = McuRun::new(&frame);
        for index in 0..frame.mcus_high() {
            let (first, rows) = frame.rows(index);
            planes.set_rows(rows);
            let [y, cb, cr] = &mut planes.fine;
            clock.time("conversion", || to_ycbcr16(image.raster().rows(first, rows), y, cb, cr));
            clock.time("downsampling", || planes.downsample());
            for mcu in frame.runs() {
                run.move_to(&frame, index, mcu);
                for (c, plane) in planes.shaped(true).into_iter().enumerate() {
                    let (by, own) = (&self.divisors[usize::from(c > 0)], run.blocks[c]);
                    let (scratch, out) = (&mut self.scratch, &mut run.coefficients);
                    clock.time("transform", || {
                        transform_wide(plane, by, own, scratch, out);
                    });
                }
            }
        }
    }
}
