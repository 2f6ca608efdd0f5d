//! Files whose coefficients a trellis chose: smaller, and read by decoders that others wrote.

use crate::common::{Picture, SUBSAMPLINGS, decode_djpeg, decode_jpeg_decoder, decode_zune, tool};
use shim_jpeg::{Encoder, Image, Pixels, Process, Restart, Subsampling};

const QUALITIES: [u8; 12] = [1, 5, 20, 50, 75, 85, 90, 93, 95, 96, 98, 100];

fn photographs() -> Vec<(&'static str, Picture)> {
    let names = [
        "chelsea_227x149.png",
        "coffee.png@200,100+160x144",
        "astronaut_256x256.png@60,20+128x96",
        "coffee.png@0,0+130x70 gray",
    ];
    names.map(|name| (name, Picture::named(name))).to_vec()
}

/// The modes that coefficients may be coded by.
fn modes() -> [(&'static str, Encoder); 3] {
    let encoder = Encoder::new();
    [
        ("baseline", encoder.clone()),
        ("optimized", encoder.clone().optimized(true)),
        ("progressive", encoder.process(Process::Progressive)),
    ]
}

#[test]
fn files_are_never_larger_than_without() {
    for (name, picture) in photographs() {
        for (mode, encoder) in modes() {
            for (subsampling, sampling) in SUBSAMPLINGS {
                for quality in QUALITIES {
                    let encoder = encoder.clone().quality(quality).subsampling(subsampling);
                    let plain = encoder.encode(&picture.image()).unwrap().len();
                    let chosen = encoder.trellis(true).encode(&picture.image()).unwrap().len();
                    assert!(
                        chosen <= plain,
                        "{name} {mode} {sampling} at {quality}: {chosen} for {plain} bytes"
                    );
                }
            }
        }
    }
}

#[test]
fn with_tables_that_are_given_files_are_smaller_as_well() {
    for (name, picture) in photographs() {
        for q in [1, 2, 8, 30, 255] {
            for (mode, encoder) in modes() {
                let encoder = encoder.quantization_tables([q; 64], [q; 64]);
                let plain = encoder.encode(&picture.image()).unwrap().len();
                let chosen = encoder.trellis(true).encode(&picture.image()).unwrap().len();
                assert!(chosen <= plain, "{name} {mode} {q}: {chosen} for {plain} bytes");
            }
        }
    }
}

#[test]
fn at_the_same_psnr_files_are_smaller() {
    let picture = Picture::named("chelsea.png@40,0+320x240");
    let file = |encoder: Encoder| {
        let file = encoder.process(Process::Progressive).encode(&picture.image()).unwrap();
        (decode_zune(&file).psnr(&picture), f64::from(u32::try_from(file.len()).unwrap()).ln())
    };
    let curve = (55..=95).step_by(5).map(|quality| file(Encoder::new().quality(quality).trellis(true)));
    let curve = curve.collect::<Vec<_>>();
    for quality in [60, 75, 85] {
        let (psnr, plain) = file(Encoder::new().quality(quality));
        let pair = curve.windows(2).find(|pair| pair[0].0 <= psnr && psnr <= pair[1].0).unwrap();
        let part = (psnr - pair[0].0) / (pair[1].0 - pair[0].0);
        let ratio = (pair[0].1 + part * (pair[1].1 - pair[0].1) - plain).exp();
        assert!(ratio < 0.92, "at {quality}: {ratio:.3} of the size");
    }
}

#[test]
fn modes_differ_in_their_coding_only() {
    let djpeg = tool("djpeg");
    let cat = Picture::media("chelsea.png");
    for (width, height) in
        [(1, 1), (1, 29), (31, 1), (8, 8), (16, 17), (33, 15), (65, 50), (129, 67), (300, 40)]
    {
        let source = cat.part(100, 90, width, height);
        for picture in [source.clone(), source.green()] {
            for subsampling in [Subsampling::S420, Subsampling::S444, Subsampling::S422, Subsampling::S411] {
                for quality in [1, 40, 85, 100] {
                    let mut same = None;
                    for (mode, encoder) in modes() {
                        for restart in [Restart::Never, Restart::Mcus(3)] {
                            let encoder = encoder.clone().quality(quality).subsampling(subsampling);
                            let encoder = encoder.restart(restart).trellis(true);
                            let file = encoder.encode(&picture.image()).unwrap();
                            let decoded = (
                                decode_zune(&file),
                                decode_jpeg_decoder(&file),
                                djpeg.as_ref().map(|djpeg| decode_djpeg(djpeg, &file)),
                            );
                            let name =
                                format!("{width}x{height} {subsampling:?} {quality} {mode} {restart:?}");
                            assert!(quality < 85 || decoded.0.psnr(&picture) > 24.0, "{name}");
                            assert!(*same.get_or_insert_with(|| decoded.clone()) == decoded, "{name}");
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn threads_and_strips_make_the_same_file() {
    let picture = Picture::named("coffee.png@100,50+300x230");
    for (mode, encoder) in modes() {
        let encoder = encoder.trellis(true);
        let whole = encoder.encode(&picture.image()).unwrap();
        #[cfg(feature = "rayon")]
        assert!(encoder.clone().threads(3).encode(&picture.image()).unwrap() == whole, "{mode}");
        let mut strips = encoder.strips(Pixels::Rgb, picture.width, picture.height, Vec::new()).unwrap();
        for strip in picture.samples.chunks(3 * picture.width * 23) {
            strips
                .push(&Image::rgb(strip, picture.width, strip.len() / (3 * picture.width)).unwrap())
                .unwrap();
        }
        assert!(strips.finish().unwrap() == whole, "{mode}");
    }
}

/// A file of samples of 12 bits as one of 8, whose quantization tables are finer by 16.
fn narrowed(mut file: Vec<u8>) -> Vec<u8> {
    let mut at = 2;
    while file[at + 1] != 0xda {
        let length = usize::from(u16::from_be_bytes([file[at + 2], file[at + 3]]));
        match file[at + 1] {
            // DQT, of tables of bytes alone; SOF1 and SOF2.
            0xdb => file[at + 4..at + 2 + length].chunks_mut(65).for_each(|table| {
                assert!(table[0] < 16);
                table[1..].iter_mut().for_each(|q| *q /= 16);
            }),
            0xc1 | 0xc2 => file[at + 4] = 8,
            _ => {}
        }
        at += 2 + length;
    }
    file
}

#[test]
fn twelve_bits() {
    let picture = Picture::media("chelsea_227x149.png");
    let (width, height) = (picture.width, picture.height);
    let samples = picture.samples.iter().enumerate().map(|(i, &s)| u16::from(s) << 4 | i as u16 & 15);
    let samples = samples.collect::<Vec<_>>();
    let image = Image::interleaved16(&samples, 12, Pixels::Rgb, width, height, 3 * width).unwrap();
    for (mode, encoder) in modes() {
        for q in [1_u8, 3, 15] {
            let encoder =
                encoder.clone().quantization_tables([u16::from(q) * 16; 64], [u16::from(q) * 16; 64]);
            let encoder = encoder.subsampling(Subsampling::S444);
            let plain = encoder.encode(&image).unwrap();
            let chosen = encoder.clone().trellis(true).encode(&image).unwrap();
            assert!(chosen.len() <= plain.len(), "{mode} {q}: {} for {}", chosen.len(), plain.len());
            let [plain, chosen] = [plain, chosen].map(|file| decode_zune(&narrowed(file)).psnr(&picture));
            assert!(chosen > plain - 1.5, "{mode} {q}: {chosen} dB after {plain} dB");
            assert!(chosen > 30.0, "{mode} {q}: {chosen} dB");
        }
        for quality in [1, 50, 100] {
            let encoder = encoder.clone().quality(quality);
            let plain = encoder.encode(&image).unwrap().len();
            let chosen = encoder.trellis(true).encode(&image).unwrap().len();
            assert!(chosen <= plain, "{mode} at {quality}: {chosen} for {plain}");
        }
    }
}
