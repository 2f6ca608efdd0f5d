//! Frame rates as people write them.

/// The rates that NTSC divides by 1.001.
const NTSC: [u32; 6] = [24, 30, 48, 60, 120, 240];

/// Maximum distance of a decimal number from an NTSC rate: 23.98 means 24000/1001.
const ROUNDING: f64 = 0.005;

/// The greatest denominator of a rate that is given as a number.
const MOST: u32 = 1001;

/// A frame rate as a rational (`30000/1001`) or decimal number (`25`, `29.97`). The decimals of NTSC, such as 23.976,
/// 29.97 and 59.94, mean the fractions over 1001.
///
/// ```
/// use shim_mp4::frame_rate::parse;
///
/// assert_eq!(parse("29.97"), Some((30_000, 1001)));
/// assert_eq!(parse("12.5"), Some((25, 2)));
/// assert_eq!(parse("fast"), None);
/// ```
#[must_use]
pub fn parse(text: &str) -> Option<(u32, u32)> {
    let (frames, seconds) = match text.split_once('/') {
        Some((frames, seconds)) => (frames.parse().ok()?, seconds.parse().ok()?),
        None => decimal(text)?,
    };
    (frames > 0 && seconds > 0).then_some((frames, seconds))
}

/// A decimal number of at most six places as a fraction in lowest terms.
fn decimal(text: &str) -> Option<(u32, u32)> {
    let (whole, places) = text.split_once('.').unwrap_or((text, ""));
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || places.len() > 6 || !digits(whole) || !digits(places) || text.ends_with('.') {
        return None;
    }
    if let Some(rate) = text.parse().ok().and_then(of_ntsc) {
        return Some(rate);
    }
    let scale = 10_u32.pow(places.len() as u32);
    let whole: u32 = whole.parse().ok()?;
    let places: u32 = if places.is_empty() { 0 } else { places.parse().ok()? };
    let (mut a, mut b) = (whole.checked_mul(scale)?.checked_add(places)?, scale);
    let (frames, seconds) = (a, b);
    while b > 0 {
        (a, b) = (b, a % b);
    }
    Some((frames / a.max(1), seconds / a.max(1)))
}

/// The frame rate closest to a number: an NTSC rate if one is near, or else the nearest fraction with a denominator of at
/// most 1001. `None` if the number is not positive or too large.
///
/// ```
/// use shim_mp4::frame_rate::of;
///
/// assert_eq!(of(23.976), Some((24_000, 1001)));
/// assert_eq!(of(100.0 / 3.0), Some((100, 3)));
/// assert_eq!(of(f64::NAN), None);
/// ```
#[must_use]
pub fn of(rate: f64) -> Option<(u32, u32)> {
    if !(rate > 0.0 && rate < f64::from(u32::MAX / MOST)) {
        return None;
    }
    of_ntsc(rate).or_else(|| nearest(rate))
}

fn of_ntsc(rate: f64) -> Option<(u32, u32)> {
    let near = |&whole: &u32| (rate - 1000.0 * f64::from(whole) / 1001.0).abs() < ROUNDING;
    NTSC.into_iter().find(near).map(|whole| (1000 * whole, 1001))
}

/// The last convergent of the continued fraction of a rate whose denominator is small enough.
fn nearest(rate: f64) -> Option<(u32, u32)> {
    let (mut before, mut last) = ((0_u32, 1_u32), (1_u32, 0_u32));
    let mut rest = rate;
    loop {
        let term = rest as u32;
        let next = (
            term.checked_mul(last.0).and_then(|frames| frames.checked_add(before.0)),
            term.checked_mul(last.1).and_then(|seconds| seconds.checked_add(before.1)),
        );
        match next {
            (Some(frames), Some(seconds)) if seconds <= MOST => (before, last) = (last, (frames, seconds)),
            _ => break,
        }
        let fraction = rest - f64::from(term);
        if fraction < 1e-6 {
            break;
        }
        rest = 1.0 / fraction;
    }
    Some(last).filter(|&(frames, _)| frames > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_of_ntsc_are_over_1001() {
        for (text, whole) in [
            ("23.976", 24),
            ("23.98", 24),
            ("29.97", 30),
            ("47.95", 48),
            ("47.952", 48),
            ("59.94", 60),
            ("119.88", 120),
            ("239.76", 240),
        ] {
            let wanted = Some((1000 * whole, 1001));
            assert_eq!((parse(text), of(text.parse().unwrap())), (wanted, wanted), "{text}");
            assert_eq!(of(1000.0 * f64::from(whole) / 1001.0), wanted);
        }
    }

    #[test]
    fn other_rates_are_what_they_say() {
        for (text, rate) in [
            ("25", (25, 1)),
            ("30", (30, 1)),
            ("24", (24, 1)),
            ("60", (60, 1)),
            ("12.5", (25, 2)),
            ("0.1", (1, 10)),
            ("14.985", (2997, 200)),
            ("1000", (1000, 1)),
        ] {
            assert_eq!(parse(text), Some(rate), "{text}");
            assert_eq!(of(text.parse().unwrap()), Some(rate), "{text}");
        }
        assert_eq!(parse("30000/1001"), Some((30_000, 1001)));
        for wrong in
            ["", "0", "1/0", "0/1", "x", "1.", ".5", "-25", "1e3", "25.1234567", "5000000000", "4295.000001"]
        {
            assert_eq!(parse(wrong), None, "{wrong}");
        }
        for wrong in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e9, 1e-9] {
            assert_eq!(of(wrong), None, "{wrong}");
        }
    }
}
