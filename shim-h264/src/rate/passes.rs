//! Two passes: what the pictures of a stream took when it was coded before.

use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;

use crate::error::Error;
use crate::kernels::quantize::MAX_QP;

/// First line of the text of a [`FirstPass`].
const TITLE: &str = "shim-h264 first pass 1";

/// Sizes of the pictures of a stream, for a second pass over the same frames ([`Config::first_pass`]).
///
/// Its text, by [`Display`](fmt::Display) and [`FromStr`], has a line for each picture: `I` or `P`, its QP and its
/// bits.
///
/// [`Config::first_pass`]: crate::Config::first_pass
///
/// ```
/// use shim_h264::{Config, Encoder, FirstPass, Frame, RateControl};
///
/// let frames: Vec<_> = (0..40).map(|n| vec![3 * n; 32 * 16 * 3 / 2]).collect();
/// let mut config = Config::new(32, 16);
/// config.rate = RateControl::AverageBitRate(20_000);
/// let mut first = FirstPass::default();
/// let mut encoder = Encoder::new(config.clone())?;
/// for samples in &frames {
///     first.extend(encoder.encode(&Frame::i420(32, 16, samples)?)?.map(|packet| packet.statistics));
/// }
/// while let Some(packet) = encoder.flush()? {
///     first.extend([packet.statistics]);
/// }
/// config.first_pass = Some(first.to_string().parse()?);
/// let mut second = Encoder::new(config)?;
/// # second.encode(&Frame::i420(32, 16, &frames[0])?)?;
/// # Ok::<(), shim_h264::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FirstPass {
    pictures: Vec<Coded>,
}

/// A picture of the first pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Coded {
    pub(super) idr: bool,
    pub(super) qp: u8,
    pub(super) bits: u64,
}

impl FirstPass {
    /// The pictures in coding order.
    pub(super) fn pictures(&self) -> &[Coded] {
        &self.pictures
    }

    /// Adds a picture.
    pub(super) fn push(&mut self, picture: Coded) {
        self.pictures.push(picture);
    }
}

impl fmt::Display for FirstPass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{TITLE}")?;
        for Coded { idr, qp, bits } in &self.pictures {
            writeln!(f, "{} {qp} {bits}", if *idr { 'I' } else { 'P' })?;
        }
        Ok(())
    }
}

impl FromStr for FirstPass {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let mut lines = (1..).zip(text.lines());
        if lines.next().is_none_or(|(_, title)| title != TITLE) {
            return Err(Error::FirstPass { line: 1 });
        }
        let picture = |(line, text): (usize, &str)| {
            let mut fields = text.split(' ');
            let mut next = || fields.next().ok_or(Error::FirstPass { line });
            let wrong = |_| Error::FirstPass { line };
            let idr = match next()? {
                "I" => true,
                "P" => false,
                _ => return Err(Error::FirstPass { line }),
            };
            let (qp, bits) = (next()?.parse().map_err(wrong)?, next()?.parse().map_err(wrong)?);
            if qp > MAX_QP || fields.next().is_some() {
                return Err(Error::FirstPass { line });
            }
            Ok(Coded { idr, qp, bits })
        };
        lines.map(picture).collect::<Result<_, _>>().map(|pictures| Self { pictures })
    }
}

#[cfg(test)]
mod tests {
    use std::string::{String, ToString};

    use super::*;

    #[test]
    fn text_is_read_as_it_was_written() {
        let coded = |n: u8| Coded { idr: n.is_multiple_of(5), qp: 3 * n, bits: 1000 * u64::from(n) };
        for count in [0, 1, 17] {
            let pass = FirstPass { pictures: (0..count).map(coded).collect() };
            assert_eq!(pass.to_string().parse::<FirstPass>().unwrap(), pass);
        }
    }

    #[test]
    fn the_line_that_is_wrong_is_named() {
        let line = |text: &str| match text.parse::<FirstPass>() {
            Err(Error::FirstPass { line }) => line,
            other => panic!("{text}: {other:?}"),
        };
        assert_eq!(line(""), 1);
        assert_eq!(line("x264"), 1);
        for wrong in ["", "I", "I 20", "B 20 100", "I 52 100", "I -1 100", "I 20 -5", "I 20 5 5", "P 20 1e3"]
        {
            let text: String = [TITLE, "I 20 100", wrong, "P 20 100"].join("\n");
            assert_eq!(line(&text), 3, "{wrong}");
        }
    }
}
