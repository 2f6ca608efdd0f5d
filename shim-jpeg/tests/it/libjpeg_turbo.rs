//! Size and fidelity beside libjpeg-turbo's at the same quality.
//!
//! The figures of libjpeg-turbo are recorded in `reference/libjpeg_turbo.tsv`, so that the comparison runs
//! everywhere; where cjpeg is installed it is made against the tool itself as well. To record them anew:
//!
//! ```text
//! cargo test -p shim-jpeg --test libjpeg_turbo -- --ignored record
//! ```

use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use crate::common::{Picture, QUALITIES, SUBSAMPLINGS, decode_zune, encode_cjpeg, tool};
use shim_jpeg::Subsampling;

const RECORDED: &str = include_str!("../reference/libjpeg_turbo.tsv");

/// The pictures compared, as [`Picture::named`] reads them: real images, then parts too small for a percentage.
const PICTURES: [&str; 12] = [
    "coffee.png@140,40+320x240",
    "chelsea.png",
    "chelsea_227x149.png",
    "astronaut_256x256.png",
    "coffee.png@250,130+64x64",
    "chelsea.png@37,51+131x97",
    "astronaut_256x256.png@0,40+255x180 gray",
    "chelsea.png@180,90+1x1",
    "chelsea.png@180,90+7x13",
    "chelsea.png@180,90+16x16",
    "chelsea.png@180,90+33x31",
    "chelsea.png@180,90+7x13 gray",
];

/// From this side on, sizes and PSNR are compared; below it, the largest error of a sample.
const REAL: usize = 64;

/// What is compared of one file.
#[derive(Clone, Copy, Debug)]
struct Figures {
    bytes: usize,
    psnr: f64,
    largest_error: u8,
    hash: u64,
}

impl Figures {
    fn of(file: &[u8], source: &Picture) -> Self {
        let decoded = decode_zune(file);
        Self {
            bytes: file.len(),
            psnr: decoded.psnr(source),
            largest_error: decoded.largest_error(source),
            hash: fnv1a(file),
        }
    }

    /// Whether ours are as good as `theirs`: within 1 % in size and 0.1 dB in PSNR, or with an error no larger than
    /// theirs plus 2.
    fn assert_as_good_as(&self, theirs: &Self, source: &Picture, case: &str) {
        if source.width >= REAL && source.height >= REAL {
            let difference = self.bytes.abs_diff(theirs.bytes);
            assert!(100 * difference <= theirs.bytes, "{case}: {} bytes for {}", self.bytes, theirs.bytes);
            let loss = (self.psnr - theirs.psnr).abs();
            assert!(loss <= 0.1, "{case}: {} dB for {}", self.psnr, theirs.psnr);
        } else {
            let bound = theirs.largest_error.saturating_add(2);
            assert!(self.largest_error <= bound, "{case}: an error of {} above {bound}", self.largest_error);
        }
    }
}

/// One line of the record.
struct Line<'a> {
    picture: &'a str,
    subsampling: Subsampling,
    quality: u8,
    case: String,
    theirs: Figures,
}

/// A line of the record with the encoder's own files for it, made once for all tests.
struct Compared {
    line: Line<'static>,
    source: Picture,
    file: Vec<u8>,
    exact: Vec<u8>,
}

static COMPARED: LazyLock<Vec<Compared>> = LazyLock::new(|| {
    let compare = |line: Line<'static>| {
        let source = Picture::named(line.picture);
        let file = source.encode(line.quality, line.subsampling);
        let exact = source.encode_exact(line.quality, line.subsampling);
        Compared { line, source, file, exact }
    };
    recorded().into_iter().map(compare).collect()
});

/// The recorded lines.
fn recorded() -> Vec<Line<'static>> {
    let lines = RECORDED.lines().filter(|line| !line.starts_with('#')).map(|line| {
        let fields = line.split('\t').collect::<Vec<_>>();
        let [picture, name, quality, bytes, psnr, largest_error, hash] = fields[..] else { panic!("{line}") };
        Line {
            picture,
            subsampling: SUBSAMPLINGS.iter().find(|s| s.1 == name).unwrap().0,
            quality: quality.parse().unwrap(),
            case: format!("{picture}, {name}, quality {quality}"),
            theirs: Figures {
                bytes: bytes.parse().unwrap(),
                psnr: psnr.parse().unwrap(),
                largest_error: largest_error.parse().unwrap(),
                hash: u64::from_str_radix(hash, 16).unwrap(),
            },
        }
    });
    lines.collect()
}

/// The 64-bit hash FNV-1a, enough to tell two files apart that were not made to collide.
fn fnv1a(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

#[test]
fn the_record_is_complete() {
    let cases = recorded().into_iter().map(|line| line.case).collect::<std::collections::BTreeSet<_>>();
    assert_eq!(cases.len(), PICTURES.len() * SUBSAMPLINGS.len() * QUALITIES.len());
    assert!(PICTURES.iter().all(|picture| cases.contains(&format!("{picture}, 420, quality 75"))));
}

#[test]
fn as_good_as_recorded() {
    for Compared { line, source, file, .. } in COMPARED.iter() {
        Figures::of(file, source).assert_as_good_as(&line.theirs, source, &line.case);
    }
}

/// The exact kernels compute what libjpeg-turbo's accurate integer transform and its rounding divisions do, and blocks
/// outside the image are coded as it does, so the files are not only alike: they are the same.
#[test]
fn the_same_bytes_as_recorded() {
    for Compared { line: Line { case, theirs, .. }, exact, .. } in COMPARED.iter() {
        assert_eq!(fnv1a(exact), theirs.hash, "{case}: {} bytes for {}", exact.len(), theirs.bytes);
    }
}

#[test]
fn as_good_as_cjpeg_here() {
    let Some(cjpeg) = tool("cjpeg") else { return };
    for name in PICTURES {
        let source = Picture::named(name);
        for (subsampling, sample) in SUBSAMPLINGS {
            for quality in [50, 90] {
                let theirs = Figures::of(&encode_cjpeg(&cjpeg, &source, quality, sample), &source);
                let ours = Figures::of(&source.encode(quality, subsampling), &source);
                ours.assert_as_good_as(&theirs, &source, &format!("{name}, {sample}, quality {quality}"));
            }
        }
    }
}

/// An extra where the developers' media lie beside the checkout.
#[test]
fn as_good_as_cjpeg_on_a_large_photograph() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/media/flower_2268x1512.png");
    if !path.is_file() {
        println!("skipped: {} is not here", path.display());
        return;
    }
    let Some(cjpeg) = tool("cjpeg") else { return };
    let source = Picture::png(&path);
    let theirs = Figures::of(&encode_cjpeg(&cjpeg, &source, 90, "420"), &source);
    let ours = Figures::of(&source.encode(90, Subsampling::S420), &source);
    ours.assert_as_good_as(&theirs, &source, "flower");
}

#[test]
#[ignore = "writes the record"]
fn record() {
    let cjpeg = tool("cjpeg").expect("cjpeg is installed");
    let mut out = String::from(
        "# libjpeg-turbo 2.1.5 (Debian 12, libjpeg-turbo-progs) with its SIMD code, by\n\
         #   cjpeg -baseline -dct int -quality QUALITY -sample 1x1|2x2 [-grayscale] < PICTURE.ppm\n\
         # on pictures of the folder media; @column,row+widthxheight is a part of one, gray its green samples.\n\
         # PSNR over all samples and the largest error, both as decoded by zune-jpeg; hash: FNV-1a of the file.\n\
         # Written by: cargo test -p shim-jpeg --test libjpeg_turbo -- --ignored record\n\
         # picture\tsubsampling\tquality\tbytes\tPSNR (dB)\tlargest error\thash\n",
    );
    for name in PICTURES {
        let source = Picture::named(name);
        for (_, sample) in SUBSAMPLINGS {
            for quality in QUALITIES {
                let Figures { bytes, psnr, largest_error, hash } =
                    Figures::of(&encode_cjpeg(&cjpeg, &source, quality, sample), &source);
                writeln!(
                    out,
                    "{name}\t{sample}\t{quality}\t{bytes}\t{psnr:.4}\t{largest_error}\t{hash:016x}"
                )
                .unwrap();
            }
        }
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/reference/libjpeg_turbo.tsv");
    fs::write(path, out).unwrap();
}
