//! Arbitrary settings for arbitrary images, good and bad.

use arbitrary::{Result, Unstructured};
use shim_jpeg::{
    ColorSpace, Density, Encoder, Error, Image, Pixels, Predictor, Process, Restart, ScanSpec, Subsampling,
};

/// Encodes what the bytes describe. A file must decode to the image's size; an error must come before the first byte;
/// and the rows of an image may come in strips.
pub(crate) fn check(u: &mut Unstructured<'_>) -> Result<()> {
    let encoder = encoder(u)?;
    let pixels = *u.choose(&[
        Pixels::Rgb,
        Pixels::Bgr,
        Pixels::Rgba,
        Pixels::Bgra,
        Pixels::Gray,
        Pixels::GrayAlpha,
        Pixels::YCbCr,
        Pixels::Cmyk,
        Pixels::Ycck,
    ])?;
    // Sizes at and around those of blocks and tiles, and sometimes none.
    let side = |u: &mut Unstructured<'_>| {
        Ok(if u.ratio(1, 20)? { u.int_in_range(0..=600)? } else { u.int_in_range(1..=40)? })
    };
    let (width, height): (usize, usize) = (side(u)?, side(u)?);
    let gap = if u.ratio(1, 4)? { u.int_in_range(0..=9)? } else { 0 };
    let planar = u.ratio(1, 4)?;
    let bits: u8 = if u.ratio(1, 5)? { u.int_in_range(1..=17)? } else { 8 };
    let stride = width * if planar { 1 } else { pixels.samples() } + gap;
    let needed = (stride * height).saturating_sub(if u.ratio(1, 10)? { u.int_in_range(0..=5)? } else { gap });
    let seed = u.bytes(u.len().min(256))?;
    let sample =
        |i: usize| seed.get(i % seed.len().max(1)).copied().unwrap_or(0).wrapping_mul((i / 256) as u8 | 1);

    let bytes: Vec<u8> = (0..needed).map(sample).collect();
    let words: Vec<u16> = (0..needed)
        .map(|i| u16::from_be_bytes([sample(i), sample(i + 1)]) >> (16 - bits.clamp(1, 16)))
        .collect();
    let image = match (planar, bits) {
        (false, 8) => Image::interleaved(&bytes, pixels, width, height, stride),
        (true, 8) => Image::planar(&vec![&bytes[..]; pixels.samples()], pixels, width, height, stride),
        (false, _) => Image::interleaved16(&words, bits, pixels, width, height, stride),
        (true, _) => {
            Image::planar16(&vec![&words[..]; pixels.samples()], bits, pixels, width, height, stride)
        }
    };
    let Ok(image) = image else { return Ok(()) };

    let mut written = Vec::new();
    if let Err(error) = encoder.encode_to(&image, &mut written) {
        assert!(written.is_empty() && !matches!(error, Error::Io(_)), "{error}");
        return Ok(());
    }
    assert_eq!((&written[..2], &written[written.len() - 2..]), (&[0xff, 0xd8][..], &[0xff, 0xd9][..]));
    if bits == 8 {
        decode(&written, width, height);
        let mut strips = encoder.strips(image.pixels(), width, height, Vec::new()).expect("as the whole");
        let mut y = 0;
        while y < height {
            let rows = u.int_in_range(1..=height - y)?;
            let from = &bytes[y * stride..];
            let strip = if planar {
                let planes = vec![from; image.pixels().samples()];
                Image::planar(&planes, image.pixels(), width, rows, stride).expect("a part of an image")
            } else {
                Image::interleaved(from, pixels, width, rows, stride).expect("a part of an image")
            };
            strips.push(&strip).expect("rows that are still to come");
            y += rows;
        }
        assert!(strips.finish().expect("all rows came") == written, "strips make another file");
    }
    Ok(())
}

/// A decoder that others wrote reads the file.
fn decode(file: &[u8], width: usize, height: usize) {
    let mut decoder = jpeg_decoder::Decoder::new(file);
    match decoder.decode() {
        Ok(_) => {
            let info = decoder.info().expect("a decoded file has a header");
            assert_eq!((usize::from(info.width), usize::from(info.height)), (width, height));
        }
        // It loses count of restarts in sequential scans of one component.
        Err(jpeg_decoder::Error::Format(text)) if text.contains("inside scan where RST") => {}
        Err(error) => panic!("{error}"),
    }
}

fn encoder(u: &mut Unstructured<'_>) -> Result<Encoder> {
    let mut encoder = Encoder::new()
        .quality(if u.ratio(1, 20)? { u.arbitrary()? } else { u.int_in_range(1..=100)? })
        .libjpeg_compatible(u.arbitrary()?)
        .optimized(u.arbitrary()?)
        .trellis(u.ratio(1, 4)?);
    encoder = if u.ratio(1, 4)? {
        let factor = |u: &mut Unstructured<'_>| Ok([u.int_in_range(0..=5)?, u.int_in_range(0..=5)?]);
        let factors = (0..u.int_in_range(0..=4)?).map(|_| factor(u)).collect::<Result<Vec<_>>>()?;
        encoder.sampling_factors(&factors)
    } else {
        encoder.subsampling(*u.choose(&[
            Subsampling::S420,
            Subsampling::S444,
            Subsampling::S422,
            Subsampling::S440,
            Subsampling::S411,
        ])?)
    };
    encoder = match u.int_in_range(0..=5)? {
        0 | 1 => encoder.process(Process::Progressive),
        2 => {
            let scan = |u: &mut Unstructured<'_>| {
                let components: Vec<u8> = (0..u.int_in_range(0..=4)?).collect();
                let band = *u.choose(&[[0, 0], [1, 63], [1, 5], [6, 63], [0, 63], [64, 64]])?;
                Ok(ScanSpec::new(&components, band, *u.choose(&[[0, 0], [0, 1], [1, 0], [2, 0], [0, 14]])?))
            };
            let mut scans = (0..u.int_in_range(0..=6)?).map(|_| scan(u)).collect::<Result<Vec<_>>>()?;
            if u.arbitrary()? {
                // The beginning of a valid one.
                scans.insert(0, ScanSpec::new(&[0, 1, 2], [0, 0], [0, 0]));
                scans.extend((0..3).map(|c| ScanSpec::new(&[c], [1, 63], [0, 0])));
            }
            encoder.process(Process::Scans(scans))
        }
        _ => encoder,
    };
    if u.ratio(1, 8)? {
        let number: u8 = u.int_in_range(1..=7)?;
        encoder = encoder.process(Process::Lossless {
            predictor: Predictor::try_from(number).expect("one of seven"),
            point_transform: u.int_in_range(0..=9)?,
        });
    }
    encoder = encoder.restart(match u.int_in_range(0..=5)? {
        0 => Restart::Rows(u.int_in_range(0..=3)?),
        1 => Restart::Mcus(u.int_in_range(0..=9)?),
        2 => Restart::Mcus(u.arbitrary()?),
        _ => Restart::Never,
    });
    if u.ratio(1, 6)? {
        encoder = encoder.color_space(*u.choose(&[
            ColorSpace::Gray,
            ColorSpace::YCbCr,
            ColorSpace::Rgb,
            ColorSpace::Cmyk,
            ColorSpace::Ycck,
        ])?);
    }
    if u.ratio(1, 8)? {
        encoder = encoder.quantization_tables([u.int_in_range(0..=300)?; 64], [u.int_in_range(1..=255)?; 64]);
    }
    if u.ratio(1, 8)? {
        encoder = encoder
            .comment(u.bytes(u.len().min(7))?)
            .density(Density::PerInch(u.arbitrary()?, u.arbitrary()?))
            .icc_profile(&vec![1; u.int_in_range(0..=70_000)?])
            .exif(&vec![2; u.int_in_range(0..=65_600)?]);
    }
    Ok(encoder)
}
