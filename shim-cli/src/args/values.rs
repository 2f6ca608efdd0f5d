//! Values of options that have a syntax of their own.

use std::fmt;

use super::h264::ForcedKeyframe;
#[cfg(feature = "plot")]
use crate::plot::EXTENSIONS;
use shim_jpeg::{Density, Predictor, Process, Restart, Subsampling};

/// The factors of the components.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Sampling {
    Usual(Subsampling),
    /// H and V of each component.
    Factors(Vec<[u8; 2]>),
}

/// The name of a sampling.
pub(crate) fn sampling_name(sampling: &Sampling) -> String {
    match sampling {
        Sampling::Usual(usual) => usual.to_string(),
        Sampling::Factors(factors) => {
            let each: Vec<_> = factors.iter().map(|[h, v]| format!("{h}x{v}")).collect();
            each.join(",")
        }
    }
}

/// `420`, `4:2:0` or `2x2,1x1,1x1`.
pub(super) fn sampling(text: &str) -> Result<Sampling, String> {
    let digits = |usual: &Subsampling| usual.to_string().replace(':', "");
    if let Some(usual) = Subsampling::ALL.iter().find(|usual| digits(usual) == text) {
        return Ok(Sampling::Usual(*usual));
    }
    if let Ok(usual) = text.parse() {
        return Ok(Sampling::Usual(usual));
    }
    let factors: Option<Vec<_>> = text.split(',').map(|factor| pair(factor, 'x')).collect();
    match factors {
        Some(factors) if factors.iter().flatten().all(|f| (1..=4).contains(f)) && factors.len() <= 4 => {
            Ok(Sampling::Factors(factors))
        }
        _ => Err("expected 444, 422, 420, 440 or 411, or factors from 1 to 4 such as 2x2,1x1,1x1".to_owned()),
    }
}

/// `N` rows or `NB` MCUs.
pub(super) fn restart(text: &str) -> Result<Restart, String> {
    match text.parse() {
        Ok(Restart::Never) | Err(_) => Err("expected 0 to 65535 MCU rows, or MCUs with a B".to_owned()),
        Ok(restart) => Ok(restart),
    }
}

/// `300`, `300x200`, either with `dpi` or `dpcm`, or `4:3`.
pub(super) fn density(text: &str) -> Result<Density, String> {
    text.parse().map_err(|_| {
        "expected a density such as 300, 300x200, 118dpcm or 4:3, of numbers from 1 to 65535".to_owned()
    })
}

/// A number of bytes, with k for thousands and M for millions.
pub(super) fn bytes(text: &str) -> Result<usize, String> {
    let (number, unit) = match text.strip_suffix(['k', 'K']) {
        Some(thousands) => (thousands, 1000),
        None => text.strip_suffix('M').map_or((text, 1), |millions| (millions, 1_000_000)),
    };
    let bytes = number.parse::<usize>().ok().and_then(|number| number.checked_mul(unit));
    bytes
        .filter(|&bytes| bytes > 0)
        .ok_or_else(|| "expected a number of bytes such as 20000, 20k or 2M".to_owned())
}

/// A number of pixels, with k for thousands, M for millions and G for thousands of these.
pub(super) fn pixels(text: &str) -> Result<u64, String> {
    let units = [("k", 1000), ("K", 1000), ("M", 1_000_000), ("G", 1_000_000_000)];
    let unit = units.iter().find_map(|(unit, factor)| Some((text.strip_suffix(unit)?, *factor)));
    let (number, factor) = unit.unwrap_or((text, 1));
    let pixels = number.parse::<u64>().ok().and_then(|number| number.checked_mul(factor));
    pixels.filter(|&pixels| pixels > 0).ok_or_else(|| "expected a number of pixels such as 250M".to_owned())
}

/// A PSNR.
pub(super) fn psnr(text: &str) -> Result<f64, String> {
    let decibels = text.parse().ok().filter(|decibels: &f64| decibels.is_finite() && *decibels > 0.0);
    decibels.ok_or_else(|| "expected a PSNR in dB, such as 40".to_owned())
}

/// The lossless process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Lossless {
    pub(crate) predictor: Predictor,
    /// Number of low bits to drop.
    pub(crate) point_transform: u8,
}

/// `P` or `P,PT`.
pub(super) fn lossless(text: &str) -> Result<Lossless, String> {
    match format!("lossless:{text}").parse() {
        Ok(Process::Lossless { predictor, point_transform }) if point_transform < 16 => {
            Ok(Lossless { predictor, point_transform })
        }
        _ => {
            Err("expected a predictor from 1 to 7, and after a comma a point transform from 0 to 15"
                .to_owned())
        }
    }
}

/// A path with the name of a plot.
#[cfg(feature = "plot")]
pub(super) fn plot(text: &str) -> Result<std::path::PathBuf, String> {
    let path = std::path::PathBuf::from(text);
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    if EXTENSIONS.iter().any(|known| extension.eq_ignore_ascii_case(known)) {
        Ok(path)
    } else {
        Err(format!("a plot is a file with the extension .{}", EXTENSIONS.join(" or .")))
    }
}

/// 0 to 1024.
pub(super) fn threads(text: &str) -> Result<usize, String> {
    let threads = text.parse().ok().filter(|&threads: &usize| threads <= 1024);
    threads.ok_or_else(|| "expected 0 to 1024".to_owned())
}

/// The sides of a frame.
pub(super) fn size(text: &str) -> Result<[usize; 2], String> {
    let sides =
        pair(text, 'x').filter(|sides: &[usize; 2]| sides.iter().all(|side| (1..=16_384).contains(side)));
    sides.ok_or_else(|| "expected a size such as 1920x1080, at most 16384x16384".to_owned())
}

/// A part of each frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Crop {
    /// Width and height.
    pub(crate) size: [usize; 2],
    /// Column and row of its first sample; even, as those of chroma are at half the density.
    pub(crate) at: [usize; 2],
}

impl fmt::Display for Crop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { size: [width, height], at: [x, y] } = self;
        write!(f, "{width}x{height}+{x}+{y}")
    }
}

/// A part of a frame, in the syntax of djpeg's -crop.
pub(super) fn crop(text: &str) -> Result<Crop, String> {
    let parts = text.split_once('+').and_then(|(sides, at)| Some((size(sides).ok()?, pair(at, '+')?)));
    let even = parts.filter(|(_, at): &(_, [usize; 2])| at.iter().all(|side| side % 2 == 0));
    let crop = even.map(|(size, at)| Crop { size, at });
    crop.ok_or_else(|| "expected WxH+X+Y such as 1280x720+320+180, with even X and Y".to_owned())
}

/// A frame rate: a rational or a decimal number.
pub(super) fn frame_rate(text: &str) -> Result<(u32, u32), String> {
    shim_mp4::frame_rate::parse(text)
        .ok_or_else(|| "expected a rate such as 25, 29.97 or 30000/1001".to_owned())
}

/// A keyframe of `--force-key-frames`: the number of a frame, or a time with an `s`.
pub(super) fn keyframe(text: &str) -> Result<ForcedKeyframe, String> {
    let wrong = || "expected a frame number or a time with an `s`, such as 250 or 2.5s".to_owned();
    match text.strip_suffix('s') {
        None => text.parse().map(ForcedKeyframe::Frame).map_err(|_| wrong()),
        Some(seconds) => match seconds.parse::<f64>() {
            // Longer than any video.
            Ok(seconds) if (0.0..=1e9).contains(&seconds) => Ok(ForcedKeyframe::Seconds(seconds)),
            _ => Err(wrong()),
        },
    }
}

/// Offsets of the deblocking filter: `-1:-1`.
pub(super) fn deblock(text: &str) -> Result<(i8, i8), String> {
    match pair::<i8>(text, ':') {
        Some([alpha @ -6..=6, beta @ -6..=6]) => Ok((alpha, beta)),
        _ => Err("expected two numbers from -6 to 6, such as -1:-1".to_owned()),
    }
}

/// A sample aspect ratio.
pub(super) fn sar(text: &str) -> Result<(u16, u16), String> {
    let ratio = pair(text, ':').or_else(|| pair(text, '/')).filter(|ratio: &[u16; 2]| !ratio.contains(&0));
    ratio
        .map(|[w, h]| (w, h))
        .ok_or_else(|| "expected a ratio such as 4:3, of numbers up to 65535".to_owned())
}

/// A quality on the scale of QP.
pub(super) fn quality(text: &str) -> Result<f32, String> {
    let quality = text.parse().ok().filter(|quality| (0.0..=51.0).contains(quality));
    quality.ok_or_else(|| "expected 0 to 51".to_owned())
}

/// A number of bits, with k for thousands and M for millions.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "it is compared with its range before"
)]
pub(super) fn bits(text: &str) -> Result<u64, String> {
    let (number, unit) = match text.strip_suffix(['k', 'K']) {
        Some(thousands) => (thousands, 1e3),
        None => text.strip_suffix('M').map_or((text, 1.0), |millions| (millions, 1e6)),
    };
    let plain = number.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let bits = number.parse::<f64>().ok().map(|number| (number * unit).round());
    match bits.filter(|bits| plain && (1.0..=1e15).contains(bits)) {
        Some(bits) => Ok(bits as u64),
        None => Err("expected a bit rate or size such as 64000, 800k or 1.5M".to_owned()),
    }
}

/// Ten times a level, and 9 for 1b.
pub(super) fn level(text: &str) -> Result<u8, String> {
    let number = match text.split_once('.') {
        _ if text == "1b" => Some(9),
        Some((whole, tenth)) if whole.len() == 1 && tenth.len() == 1 => [whole, tenth].concat().parse().ok(),
        None if text.len() == 1 => text.parse().ok().map(|whole: u8| 10 * whole),
        // As x264 has it too.
        None if text.len() == 2 && !text.starts_with('0') => text.parse().ok(),
        _ => None,
    };
    number.ok_or_else(|| "expected a level such as 4, 4.1 or 1b".to_owned())
}

/// A keyframe interval; x264 has a word for one that does not end.
pub(super) fn keyint(text: &str) -> Result<u32, String> {
    /// Longer than any video.
    const INFINITE: u32 = 1 << 30;
    if text == "infinite" {
        return Ok(INFINITE);
    }
    let frames = text.parse().ok().filter(|&frames: &u32| frames > 0);
    frames
        .map(|frames| frames.min(INFINITE))
        .ok_or_else(|| "expected a number of frames from 1, or infinite".to_owned())
}

/// The number of consecutive B-frames.
pub(super) fn bframes(text: &str) -> Result<u8, String> {
    match text {
        "0" => Ok(0),
        _ => Err("Constrained Baseline has no B-frames: leave it out, or give 0".to_owned()),
    }
}

/// A parser of whole numbers within bounds.
pub(super) fn number<T>(
    least: T,
    most: T,
) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static
where
    T: std::str::FromStr + PartialOrd + Copy + fmt::Display + Send + Sync + 'static,
{
    move |text| {
        let number = text.parse().ok().filter(|number| (least..=most).contains(number));
        number.ok_or_else(|| format!("expected a whole number from {least} to {most}"))
    }
}

/// A parser of whole numbers from `least` on.
pub(super) fn at_least<T>(least: T) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static
where
    T: std::str::FromStr + PartialOrd + Copy + fmt::Display + Send + Sync + 'static,
{
    move |text| {
        let number = text.parse().ok().filter(|number| *number >= least);
        number.ok_or_else(|| format!("expected a whole number from {least}"))
    }
}

/// Two numbers around a separator.
fn pair<T: std::str::FromStr>(text: &str, separator: char) -> Option<[T; 2]> {
    let (first, second) = text.split_once(separator)?;
    Some([first.parse().ok()?, second.parse().ok()?])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samplings() {
        for (digits, name, usual) in [
            ("444", "4:4:4", Subsampling::S444),
            ("422", "4:2:2", Subsampling::S422),
            ("420", "4:2:0", Subsampling::S420),
            ("440", "4:4:0", Subsampling::S440),
            ("411", "4:1:1", Subsampling::S411),
        ] {
            assert_eq!(sampling(digits), Ok(Sampling::Usual(usual)));
            assert_eq!(sampling(name), Ok(Sampling::Usual(usual)));
            assert_eq!(sampling_name(&Sampling::Usual(usual)), name);
        }
        let factors = Sampling::Factors(vec![[2, 2], [1, 1], [1, 2]]);
        assert_eq!(sampling("2x2,1x1,1x2"), Ok(factors.clone()));
        assert_eq!(sampling_name(&factors), "2x2,1x1,1x2");
        for wrong in ["", "423", "2x2,", "5x1,1x1,1x1", "0x1", "2x2 1x1", "1x1,1x1,1x1,1x1,1x1", "2,2"] {
            assert!(sampling(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn restarts() {
        assert_eq!(restart("3"), Ok(Restart::Rows(3)));
        assert_eq!(restart("3B"), Ok(Restart::Mcus(3)));
        for wrong in ["", "B", "-1", "65536", "3C", "never"] {
            assert!(restart(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn sizes_rates_and_levels() {
        assert_eq!(size("1920x1080"), Ok([1920, 1080]));
        for wrong in ["", "x", "0x2", "2x", "16385x2", "2x2x2", "-2x2"] {
            assert!(size(wrong).is_err(), "{wrong}");
        }
        assert_eq!(crop("31x15+2+0"), Ok(Crop { size: [31, 15], at: [2, 0] }));
        for wrong in
            ["", "16x16", "16x16+2", "16x16+1+0", "16x16+0+3", "0x16+0+0", "16x16+0+0+0", "16x16+-2+0"]
        {
            assert!(crop(wrong).is_err(), "{wrong}");
        }
        assert_eq!((frame_rate("25"), frame_rate("30000/1001")), (Ok((25, 1)), Ok((30_000, 1001))));
        let ntsc = [(24_000, 1001), (30_000, 1001), (60_000, 1001)].map(Ok);
        assert_eq!(["23.976", "29.97", "59.94"].map(frame_rate), ntsc);
        assert_eq!(["12.5", "25.000", "14.985"].map(frame_rate), [(25, 2), (25, 1), (2997, 200)].map(Ok));
        assert_eq!((sar("4:3"), sar("12/11")), (Ok((4, 3)), Ok((12, 11))));
        for wrong in ["", "1", "0:1", "1:0", "65536:1", "4:3:2"] {
            assert!(sar(wrong).is_err(), "{wrong}");
        }
        for wrong in ["", "0", "25/0", "0/1", "1/2/3", "-1", "1.", ".5", "1.2.3", "1e3", "0.0", "9999999999"]
        {
            assert!(frame_rate(wrong).is_err(), "{wrong}");
        }
        let (frame, time) = (ForcedKeyframe::Frame, ForcedKeyframe::Seconds);
        assert_eq!(
            ["0", "250", "2.5s", "0s"].map(keyframe),
            [frame(0), frame(250), time(2.5), time(0.0)].map(Ok)
        );
        for wrong in ["", "s", "-1", "1.5", "-1s", "nans", "infs", "1e10s", "2m"] {
            assert!(keyframe(wrong).is_err(), "{wrong}");
        }
        // The first frame at the time or after it, at the rate of NTSC, too.
        assert_eq!([0.0, 1.0, 1.001, 1.002].map(|at| time(at).frame((30_000, 1001))), [0, 30, 30, 31]);
        assert_eq!([0.04, 0.05, 3600.0].map(|at| time(at).frame((25, 1))), [1, 2, 90_000]);
        assert_eq!(["0:0", "-6:6", "1:-1"].map(deblock), [(0, 0), (-6, 6), (1, -1)].map(Ok));
        for wrong in ["", "1", "7:0", "0:-7", "0,0", "a:b", "1:1:1"] {
            assert!(deblock(wrong).is_err(), "{wrong}");
        }
        assert_eq!(["1", "1b", "1.1", "5.2"].map(level), [Ok(10), Ok(9), Ok(11), Ok(52)]);
        for wrong in ["", "b", "4.", "4.10", ".1", "-1"] {
            assert!(level(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn qualities_and_bits() {
        assert_eq!(["0", "23", "17.5", "51"].map(quality), [0.0, 23.0, 17.5, 51.0].map(Ok));
        for wrong in ["", "-1", "51.1", "nan", "inf", "x"] {
            assert!(quality(wrong).is_err(), "{wrong}");
        }
        let wanted = [64_000, 800_000, 1_500_000, 2_000_000];
        assert_eq!(["64000", "800k", "1.5M", "2M"].map(bits), wanted.map(Ok));
        for wrong in ["", "k", "0", "-1", "1e3", "inf", "0.1", "2G", "1.5.1M", "9999999999M"] {
            assert!(bits(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn predictors() {
        let of = |predictor, point_transform| Ok(Lossless { predictor, point_transform });
        assert_eq!((bytes("7"), bytes("20k"), bytes("3M")), (Ok(7), Ok(20_000), Ok(3_000_000)));
        for wrong in ["", "k", "0", "-1", "2.5k", "99999999999999999999", "99999999999999999M"] {
            assert!(bytes(wrong).is_err(), "{wrong}");
        }
        assert_eq!(lossless("1"), of(Predictor::Left, 0));
        assert_eq!(lossless("7,2"), of(Predictor::Average, 2));
        for wrong in ["", "0", "8", "1,", "1,16", "7,-1", "1,2,3"] {
            assert!(lossless(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn densities() {
        assert_eq!(density("300"), Ok(Density::PerInch(300, 300)));
        assert_eq!(density("300x200dpi"), Ok(Density::PerInch(300, 200)));
        assert_eq!(density("118dpcm"), Ok(Density::PerCentimeter(118, 118)));
        assert_eq!(density("4:3"), Ok(Density::Aspect(4, 3)));
        for wrong in ["", "0", "300x", "65536", "300dpm", "1:0", "dpi"] {
            assert!(density(wrong).is_err(), "{wrong}");
        }
    }
}
