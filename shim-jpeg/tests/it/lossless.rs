//! Files of the lossless process (T.81 Annex H), decoded to the very samples by the decoder below and by one of others.

use std::io;

use crate::common::Picture;
use jpeg_decoder::PixelFormat;
use proptest::prelude::*;
use shim_jpeg::{ColorSpace, Encoder, Error, Image, Pixels, Predictor, Process, Restart};

/// A file as the standard says it is to be read: plain, and without anything of the encoder's.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Decoded {
    bits: u8,
    width: usize,
    height: usize,
    identifiers: Vec<u8>,
    /// Pixel after pixel.
    samples: Vec<u16>,
    /// Which SSSS occurred.
    categories: [bool; 17],
    restarts: usize,
    /// The markers of all segments.
    markers: Vec<u8>,
}

/// The values of codes, each at its bits with a one before them; 255 where there is none.
type Table = Vec<u8>;

/// DHT, without its length: codes by Annex C.
fn tables(mut parameters: &[u8], found: &mut [Table; 4]) {
    while let [destination, rest @ ..] = parameters {
        let (lengths, mut values) = rest.split_at(16);
        let mut table = vec![255; 1 << 17];
        let mut code = 0;
        for (length, &count) in (1_u32..).zip(lengths) {
            for &value in &values[..count.into()] {
                table[1 << length | code] = value;
                code += 1;
            }
            assert!(code < 1 << length, "a code of ones alone");
            values = &values[count.into()..];
            code <<= 1;
        }
        found[usize::from(*destination)] = table;
        parameters = values;
    }
}

/// The bits of a scan up to a marker.
struct Bits<'f> {
    bytes: &'f [u8],
    byte: u8,
    /// Bits of the byte that are left.
    left: u32,
}

impl Bits<'_> {
    fn next(&mut self) -> u32 {
        if self.left == 0 {
            self.byte = self.bytes[0];
            assert!(self.byte != 0xff || self.bytes[1] == 0, "a marker inside the bits");
            self.bytes = &self.bytes[if self.byte == 0xff { 2 } else { 1 }..];
            self.left = 8;
        }
        self.left -= 1;
        u32::from(self.byte >> self.left & 1)
    }

    fn number(&mut self, count: u32) -> u32 {
        (0..count).fold(0, |number, _| number << 1 | self.next())
    }

    fn value(&mut self, table: &Table) -> u32 {
        let mut code = 1;
        loop {
            code = code << 1 | self.next() as usize;
            if table[code] != 255 {
                return table[code].into();
            }
        }
    }

    /// What is left of the last byte is ones, and a marker follows.
    fn marker(&mut self) -> u8 {
        while self.left > 0 {
            assert_eq!(self.next(), 1, "padding of zeros");
        }
        assert_eq!(self.bytes[0], 0xff);
        let marker = self.bytes[1];
        self.bytes = &self.bytes[2..];
        marker
    }
}

/// Decodes a file of one scan.
fn decode(file: &[u8]) -> Decoded {
    let mut it = Decoded::default();
    let mut codes: [Table; 4] = Default::default();
    let mut interval = 0;
    assert_eq!(file[..2], [0xff, 0xd8]);
    let mut rest = &file[2..];
    loop {
        let (marker, length) = (rest[1], usize::from(u16::from_be_bytes([rest[2], rest[3]])));
        assert_eq!(rest[0], 0xff);
        let parameters = &rest[4..2 + length];
        rest = &rest[2 + length..];
        it.markers.push(marker);
        let short = |at: usize| usize::from(u16::from_be_bytes([parameters[at], parameters[at + 1]]));
        match marker {
            0xc3 => {
                (it.bits, it.height, it.width) = (parameters[0], short(1), short(3));
                assert_eq!(parameters.len(), 6 + 3 * usize::from(parameters[5]));
                for component in parameters[6..].chunks(3) {
                    it.identifiers.push(component[0]);
                    assert_eq!(component[1..], [0x11, 0]);
                }
            }
            0xc4 => tables(parameters, &mut codes),
            0xdd => interval = short(0),
            0xda => {
                let n = usize::from(parameters[0]);
                let mut scan = Vec::new();
                for (component, id) in parameters[1..=2 * n].chunks(2).zip(&it.identifiers) {
                    assert_eq!((component[0], component[1] & 15), (*id, 0));
                    scan.push(&codes[usize::from(component[1] >> 4)]);
                }
                let [predictor, 0, pt] = parameters[2 * n + 1..] else { panic!("Se or Ah") };
                decode_scan(&mut it, rest, &scan, interval, predictor, u32::from(pt));
                return it;
            }
            0xe0..=0xef | 0xfe => {}
            other => panic!("marker {other:x}"),
        }
    }
}

fn decode_scan(it: &mut Decoded, bytes: &[u8], tables: &[&Table], interval: usize, predictor: u8, pt: u32) {
    let (n, w) = (tables.len(), it.width);
    assert!(interval.is_multiple_of(w));
    let mut bits = Bits { bytes, byte: 0, left: 0 };
    // As decoded, before the point transform is undone.
    let mut all: Vec<i32> = vec![0; n * w * it.height];
    let mut begins = 0;
    for y in 0..it.height {
        if interval > 0 && y > 0 && (y * w).is_multiple_of(interval) {
            assert_eq!(usize::from(bits.marker()), 0xd0 + it.restarts % 8);
            it.restarts += 1;
            begins = y;
        }
        for x in 0..w {
            for (c, table) in tables.iter().enumerate() {
                let at = |y: usize, x: usize| all[(y * w + x) * n + c];
                let prediction = match (y == begins, x == 0) {
                    (true, true) => 1 << (u32::from(it.bits) - pt - 1),
                    (true, false) => at(y, x - 1),
                    (false, true) => at(y - 1, x),
                    (false, false) => {
                        let (ra, rb, rc) = (at(y, x - 1), at(y - 1, x), at(y - 1, x - 1));
                        match predictor {
                            1 => ra,
                            2 => rb,
                            3 => rc,
                            4 => ra + rb - rc,
                            5 => ra + ((rb - rc) >> 1),
                            6 => rb + ((ra - rc) >> 1),
                            7 => (ra + rb) >> 1,
                            other => panic!("predictor {other}"),
                        }
                    }
                };
                let ssss = bits.value(table);
                it.categories[ssss as usize] = true;
                let difference = match ssss {
                    0 => 0,
                    16 => 32_768,
                    _ => {
                        let number = bits.number(ssss) as i32;
                        if number < 1 << (ssss - 1) { number - (1 << ssss) + 1 } else { number }
                    }
                };
                all[(y * w + x) * n + c] = (prediction + difference) & 0xffff;
            }
        }
    }
    assert_eq!(bits.marker(), 0xd9);
    assert!(bits.bytes.is_empty());
    it.samples = all.into_iter().map(|sample| (sample << pt) as u16).collect();
}

const PREDICTORS: [Predictor; 7] = [
    Predictor::Left,
    Predictor::Above,
    Predictor::AboveLeft,
    Predictor::Plane,
    Predictor::LeftPlane,
    Predictor::AbovePlane,
    Predictor::Average,
];

/// Samples of so many bits.
#[derive(Clone, Debug)]
struct Samples {
    bits: u8,
    width: usize,
    height: usize,
    components: usize,
    all: Vec<u16>,
}

impl Samples {
    fn new(bits: u8, [width, height]: [usize; 2], components: usize, of: impl FnMut(usize) -> u16) -> Self {
        let all = (0..width * height * components).map(of).collect();
        Self { bits, width, height, components, all }
    }

    /// A photograph: 8 bits, and what is above or below of them is noise.
    fn photograph(bits: u8, size: [usize; 2], components: usize) -> Self {
        let cat = Picture::media("chelsea.png").part(100, 90, size[0], size[1]);
        let cat = if components == 1 { cat.green() } else { cat };
        let noise = Picture::noise(size[0], size[1], components, 3).samples;
        Self::new(bits, size, components, |i| {
            let sixteen = u16::from(cat.samples[i]) << 8 | u16::from(noise[i]);
            sixteen >> (16 - bits)
        })
    }

    fn noise(bits: u8, size: [usize; 2], components: usize, seed: u64) -> Self {
        let noise = Picture::noise(2 * size[0], size[1], components, seed).samples;
        Self::new(bits, size, components, |i| {
            u16::from_be_bytes([noise[2 * i], noise[2 * i + 1]]) >> (16 - bits)
        })
    }

    fn pixels(&self) -> Pixels {
        [Pixels::Gray, Pixels::Rgb, Pixels::Cmyk][self.components / 2]
    }

    fn image(&self) -> Image<'_> {
        let Self { bits, width, height, components, .. } = *self;
        Image::interleaved16(&self.all, bits, self.pixels(), width, height, components * width).unwrap()
    }

    fn check(&self, encoder: &Encoder, pt: u8) -> Decoded {
        let file = encoder.encode(&self.image()).unwrap();
        self.compare(&file, pt)
    }

    /// Whether a file holds these samples without the `pt` lowest bits.
    fn compare(&self, file: &[u8], pt: u8) -> Decoded {
        let decoded = decode(file);
        assert_eq!(
            (decoded.bits, decoded.width, decoded.height, decoded.identifiers.len()),
            (self.bits, self.width, self.height, self.components)
        );
        let wanted = self.all.iter().map(|sample| sample >> pt << pt);
        assert!(decoded.samples.iter().copied().eq(wanted), "samples differ");
        decoded
    }
}

#[test]
fn every_predictor_point_transform_precision_size_and_layout() {
    for size in [[1, 1], [1, 7], [7, 1], [17, 13], [45, 22]] {
        for bits in [2, 8, 12, 16] {
            for samples in [1, 3].map(|components| Samples::photograph(bits, size, components)) {
                let narrow: Vec<u8> = samples.all.iter().map(|&sample| sample as u8).collect();
                let planes: Vec<Vec<u16>> = (0..samples.components)
                    .map(|c| samples.all[c..].iter().step_by(samples.components).copied().collect())
                    .collect();
                let planes = planes.iter().map(|plane| &plane[..]).collect::<Vec<_>>();
                let planar = Image::planar16(&planes, bits, samples.pixels(), size[0], size[1], size[0]);
                for predictor in PREDICTORS {
                    for pt in [0, 1, 3].into_iter().filter(|&pt| pt < bits) {
                        for restart in [Restart::Never, Restart::Rows(1), Restart::Rows(3)] {
                            for optimized in [true, false] {
                                let encoder = Encoder::new()
                                    .process(Process::Lossless { predictor, point_transform: pt });
                                let encoder = encoder.restart(restart).optimized(optimized);
                                let file = encoder.encode(&samples.image()).unwrap();
                                let decoded = samples.compare(&file, pt);
                                let rows = match restart {
                                    Restart::Rows(rows) => usize::from(rows),
                                    _ => size[1],
                                };
                                assert_eq!(decoded.restarts, size[1].div_ceil(rows) - 1);
                                assert_eq!(encoder.encode(planar.as_ref().unwrap()).unwrap(), file);
                                if bits == 8 {
                                    let stride = samples.components * size[0];
                                    let image = Image::interleaved(
                                        &narrow,
                                        samples.pixels(),
                                        size[0],
                                        size[1],
                                        stride,
                                    );
                                    assert_eq!(encoder.encode(&image.unwrap()).unwrap(), file);
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn every_category_of_differences() {
    // Each magnitude 2^k, and those beside it, to either side.
    let magnitudes = (0..16).flat_map(|k| [(1_u32 << k) - 1, 1 << k, (1 << k) + 1]);
    let steps = magnitudes.flat_map(|m| [m as u16, 0, (m as u16).wrapping_neg()]);
    let mut sample = 0_u16;
    let all = std::iter::once(0)
        .chain(steps.map(|step| {
            sample = sample.wrapping_add(step);
            sample
        }))
        .collect::<Vec<_>>();
    for components in [1, 3, 4] {
        let (width, height) = (all.len(), components + 1);
        let of = |i: usize| all[(i / components + i % components) % width];
        let samples = Samples::new(16, [width, height], components, of);
        for optimized in [true, false] {
            let encoder = Encoder::new().process(Process::lossless(Predictor::Left)).optimized(optimized);
            assert_eq!(samples.check(&encoder, 0).categories, [true; 17]);
        }
    }
}

#[test]
fn the_extremes_of_every_precision() {
    for bits in 2..=16 {
        let most = u16::MAX >> (16 - bits);
        let checks = |i: usize| if (i / 19 + i % 19).is_multiple_of(2) { 0 } else { most };
        for samples in [
            Samples::new(bits, [19, 11], 1, |_| 0),
            Samples::new(bits, [19, 11], 3, |_| most),
            Samples::new(bits, [19, 11], 1, checks),
            Samples::noise(bits, [23, 9], 1, 5),
            Samples::noise(bits, [23, 9], 3, 6),
            Samples::noise(bits, [23, 9], 4, 7),
        ] {
            for predictor in PREDICTORS {
                for pt in [0, bits - 1] {
                    for optimized in [true, false] {
                        samples.check(
                            &Encoder::new()
                                .process(Process::Lossless { predictor, point_transform: pt })
                                .optimized(optimized),
                            pt,
                        );
                    }
                }
            }
        }
    }
}

/// jpeg-decoder takes lossless files since 0.3; with a point transform it predicts from samples that are already
/// shifted back, and with restarts it predicts first lines from the one above, so it is given files without either.
#[test]
fn by_a_decoder_of_others() {
    for bits in [2, 8, 10, 12, 16] {
        for components in [1, 3, 4] {
            for samples in [
                Samples::photograph(bits, [83, 57], components.min(3)),
                Samples::noise(bits, [31, 22], components, 9),
            ] {
                for predictor in PREDICTORS {
                    let file = Encoder::new()
                        .process(Process::lossless(predictor))
                        .encode(&samples.image())
                        .unwrap();
                    let mut decoder = jpeg_decoder::Decoder::new(&file[..]);
                    let bytes = decoder.decode().unwrap();
                    let found: Vec<u16> = if bits == 8 {
                        bytes.into_iter().map(u16::from).collect()
                    } else {
                        bytes.chunks(2).map(|pair| u16::from_ne_bytes([pair[0], pair[1]])).collect()
                    };
                    assert!(found == samples.all, "{bits} bits, {components} components, {predictor:?}");
                    if components == 1 {
                        let format = decoder.info().unwrap().pixel_format;
                        assert!(matches!(format, PixelFormat::L8 | PixelFormat::L16));
                    }
                }
            }
        }
    }
}

#[test]
fn every_order_of_samples() {
    let samples = Samples::photograph(8, [45, 21], 3);
    let encoder = Encoder::new().process(Process::lossless(Predictor::Average));
    let wanted = encoder.encode(&samples.image()).unwrap();
    let decoded = samples.compare(&wanted, 0);
    assert_eq!(decoded.identifiers, b"RGB");
    assert_eq!(decoded.markers, [0xee, 0xc3, 0xc4, 0xda], "Adobe's segment, and no quantization");
    for (pixels, order) in [
        (Pixels::Rgb, &[0, 1, 2][..]),
        (Pixels::Bgr, &[2, 1, 0]),
        (Pixels::Rgba, &[0, 1, 2, 0]),
        (Pixels::Bgra, &[2, 1, 0, 0]),
    ] {
        // Rows with a gap of five samples, and a fourth sample that would be too great.
        let stride = 45 * order.len() + 5;
        let mut wide = vec![999_u16; 21 * stride];
        let mut narrow = vec![99_u8; 21 * stride];
        for (y, row) in samples.all.chunks(3 * 45).enumerate() {
            for (x, pixel) in row.chunks(3).enumerate() {
                for (i, &c) in order.iter().enumerate().take(3) {
                    wide[y * stride + x * order.len() + i] = pixel[c];
                    narrow[y * stride + x * order.len() + i] = pixel[c] as u8;
                }
            }
        }
        let image = Image::interleaved16(&wide, 8, pixels, 45, 21, stride).unwrap();
        assert_eq!(encoder.encode(&image).unwrap(), wanted, "{pixels:?}");
        let image = Image::interleaved(&narrow, pixels, 45, 21, stride).unwrap();
        assert_eq!(encoder.encode(&image).unwrap(), wanted, "{pixels:?}");
    }
}

#[test]
fn what_a_file_holds() {
    let bytes = Picture::noise(20, 12, 4, 1).samples;
    let encoder = Encoder::new().process(Process::lossless(Predictor::Left));
    for (pixels, identifiers, application) in [
        (Pixels::Gray, &[1][..], 0xe0),
        (Pixels::YCbCr, &[1, 2, 3], 0xe0),
        (Pixels::Cmyk, b"CMYK", 0xee),
        (Pixels::Ycck, &[1, 2, 3, 4], 0xee),
    ] {
        let n = pixels.samples();
        let image = Image::interleaved(&bytes, pixels, 20, 12, 20 * n).unwrap();
        let decoded = decode(&encoder.encode(&image).unwrap());
        assert_eq!((&decoded.identifiers[..], decoded.markers[0]), (identifiers, application));
        assert!(decoded.samples.iter().copied().eq(bytes[..20 * 12 * n].iter().copied().map(u16::from)));
    }
    // A conversion that is asked for, of which the luminance of gray pixels is exact.
    let gray: Vec<u8> = bytes[..20 * 12].iter().flat_map(|&sample| [sample; 3]).collect();
    let image = Image::rgb(&gray, 20, 12).unwrap();
    for (space, rest) in [(ColorSpace::YCbCr, &[128, 128][..]), (ColorSpace::Gray, &[])] {
        let decoded = decode(&encoder.clone().color_space(space).encode(&image).unwrap());
        let wanted = bytes[..20 * 12]
            .iter()
            .flat_map(|&sample| std::iter::once(sample.into()).chain(rest.iter().copied()));
        assert!(decoded.samples.into_iter().eq(wanted), "{space:?}");
    }
}

#[test]
fn colors_of_sixteen_bits_are_converted_in_the_whole_range() {
    let all = [[0, 0, 0], [65_535, 65_535, 65_535], [65_535, 0, 0], [0, 65_535, 0], [0, 0, 65_535]].concat();
    let image = Image::interleaved16(&all, 16, Pixels::Rgb, 5, 1, 15).unwrap();
    let encoder = Encoder::new().process(Process::lossless(Predictor::Left)).color_space(ColorSpace::YCbCr);
    let decoded = decode(&encoder.encode(&image).unwrap());
    let wanted = [
        [0, 32_768, 32_768],
        [65_535, 32_768, 32_768],
        [19_595, 21_710, 65_535],
        [38_470, 11_059, 5_329],
        [7_471, 65_535, 27_439],
    ];
    for (found, wanted) in decoded.samples.iter().zip(wanted.concat()) {
        assert!(found.abs_diff(wanted) <= 2, "{:?}", decoded.samples);
    }
}

#[test]
fn the_longest_row_and_the_longest_column() {
    for size in [[65_535, 2], [2, 65_535]] {
        for components in [1, 3] {
            let samples = Samples::new(16, size, components, |i| (i / 7 * 13) as u16);
            let encoder = Encoder::new().process(Process::lossless(Predictor::Plane));
            samples.check(&encoder, 0);
            // As many rows as a restart interval can count.
            let decoded = samples.check(&encoder.clone().restart(Restart::Rows(40_000)), 0);
            assert_eq!(decoded.restarts, (size[1] - 1) / (65_535 / size[0]));
        }
    }
}

#[test]
fn all_faults_are_found_before_the_first_byte() {
    let refused = |encoder: Encoder, image: &Image<'_>| {
        let mut written = Vec::new();
        let error = encoder.encode_to(image, &mut written).unwrap_err();
        assert!(written.is_empty());
        error
    };
    let encoder = Encoder::new().process(Process::lossless(Predictor::Left));
    let mut samples = Samples::photograph(12, [40, 30], 3);
    let pt = refused(
        Encoder::new().process(Process::Lossless { predictor: Predictor::Left, point_transform: 12 }),
        &samples.image(),
    );
    assert!(matches!(pt, Error::PointTransform { point_transform: 12, bits: 12 }));
    let restart = refused(encoder.clone().restart(Restart::Mcus(81)), &samples.image());
    assert!(matches!(restart, Error::Restart { interval: 81, row: 40 }));
    samples.check(&encoder.clone().restart(Restart::Mcus(80)), 0);
    let sampling = refused(encoder.clone().sampling_factors(&[[2, 1], [1, 1], [1, 1]]), &samples.image());
    assert!(matches!(sampling, Error::Sampling));
    samples.check(&encoder.clone().sampling_factors(&[[1, 1]; 3]), 0);
    let color = refused(encoder.clone().color_space(ColorSpace::Cmyk), &samples.image());
    assert!(matches!(color, Error::Color { .. }));
    samples.all[3599] = 4096;
    assert!(matches!(refused(encoder.clone(), &samples.image()), Error::Sample { sample: 4096, bits: 12 }));
    let planes = [&samples.all[..1200], &samples.all[1200..2400], &samples.all[2400..]];
    let image = Image::planar16(&planes, 12, Pixels::Rgb, 40, 30, 40).unwrap();
    assert!(matches!(refused(encoder, &image), Error::Sample { sample: 4096, bits: 12 }));
    for number in [0, 8, 255] {
        assert!(matches!(Predictor::try_from(number), Err(Error::Predictor(n)) if n == number));
    }
    for (number, predictor) in (1..).zip(PREDICTORS) {
        assert_eq!(Predictor::try_from(number).unwrap(), predictor);
    }
}

#[test]
fn an_encoder_has_one_process() {
    let samples = Picture::noise(16, 16, 1, 1);
    let process = |encoder: &Encoder| {
        let file = encoder.encode(&samples.image()).unwrap();
        [0xc0, 0xc2, 0xc3].map(|sof| file.windows(2).take(200).any(|pair| pair == [0xff, sof]))
    };
    let encoder = Encoder::new();
    assert_eq!(process(&encoder), [true, false, false]);
    let lossless = encoder.process(Process::Lossless { predictor: Predictor::Above, point_transform: 1 });
    assert_eq!(process(&lossless), [false, false, true]);
    let progressive = lossless.process(Process::Progressive);
    assert_eq!(process(&progressive), [false, true, false]);
    assert_eq!(process(&progressive.process(Process::Sequential)), [true, false, false]);
}

#[test]
fn progress_ends_with_the_height() {
    let samples = Samples::photograph(8, [10, 50], 1);
    for optimized in [true, false] {
        let mut seen = Vec::new();
        let encoder = Encoder::new().process(Process::lossless(Predictor::Left)).optimized(optimized);
        encoder
            .encode_with_progress(&samples.image(), io::sink(), |done, all| seen.push((done, all)))
            .unwrap();
        assert!(seen.is_sorted());
        assert_eq!(seen.last(), Some(&(50, 50)));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    /// Whatever the samples, they come back.
    #[test]
    fn any_image_comes_back(
        size in [1..60_usize, 1..30_usize],
        components in prop::sample::select(vec![1_usize, 3, 4]),
        bits in 2..=16_u8,
        smooth in 0..15_u8,
        predictor in 1..=7_u8,
        optimized in any::<bool>(),
        rows in 0..5_u16,
        seed in any::<u64>(),
    ) {
        let mut samples = Samples::noise(bits, size, components, seed);
        // Differences of all magnitudes: noise of fewer bits around the middle.
        let smooth = smooth.min(bits - 1);
        samples.all.iter_mut().for_each(|sample| *sample = (*sample >> smooth).wrapping_add(1 << (bits - 1) >> 1));
        let encoder = Encoder::new().process(Process::lossless(Predictor::try_from(predictor).unwrap()));
        samples.all.iter_mut().for_each(|sample| *sample &= u16::MAX >> (16 - bits));
        samples.check(&encoder.optimized(optimized).restart(Restart::Rows(rows)), 0);
    }
}

#[test]
fn lossless_files_are_not_coded_arithmetically() {
    let encoder = Encoder::new().arithmetic(true).process(Process::lossless(Predictor::Left));
    assert!(matches!(encoder.encode(&Image::gray(&[7], 1, 1).unwrap()), Err(Error::Arithmetic)));
}
