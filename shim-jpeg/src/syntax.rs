//! Settings as text that holds numbers: `Display` and `FromStr` of what has no [list of names](crate::names).

use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;

use crate::settings::Process;
use crate::{Density, Error, Predictor, Restart, ScanSpec};

fn invalid(kind: &'static str, text: &str, expected: &'static str) -> Error {
    Error::Syntax { kind, text: text.into(), expected }
}

impl fmt::Display for Restart {
    /// `never`, `3` for rows of MCUs, `3B` for MCUs: the values of cjpeg's `-restart`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Never => f.write_str("never"),
            Self::Mcus(mcus) => write!(f, "{mcus}B"),
            Self::Rows(rows) => write!(f, "{rows}"),
        }
    }
}

impl FromStr for Restart {
    type Err = Error;

    /// Reads what `Display` writes, in upper or lower case.
    ///
    /// # Errors
    ///
    /// [`Error::Syntax`].
    fn from_str(text: &str) -> Result<Self, Error> {
        let count = |digits: &str| {
            digits.parse().map_err(|_| {
                let expected = "never, a number of MCU rows, or of MCUs with a B, up to 65535";
                invalid("restart interval", text, expected)
            })
        };
        if text.eq_ignore_ascii_case("never") {
            Ok(Self::Never)
        } else if let Some(digits) = text.strip_suffix(['B', 'b']) {
            Ok(Self::Mcus(count(digits)?))
        } else {
            Ok(Self::Rows(count(text)?))
        }
    }
}

impl fmt::Display for Density {
    /// `4:3`, `300dpi`, `300x200dpi`, `118dpcm`: one number where it is the same across and down.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (across, down, unit) = match *self {
            Self::Aspect(across, down) => return write!(f, "{across}:{down}"),
            Self::PerInch(across, down) => (across, down, "dpi"),
            Self::PerCentimeter(across, down) => (across, down, "dpcm"),
        };
        if across == down { write!(f, "{across}{unit}") } else { write!(f, "{across}x{down}{unit}") }
    }
}

impl FromStr for Density {
    type Err = Error;

    /// Reads what `Display` writes. Without a unit, numbers other than an aspect ratio are dpi.
    ///
    /// # Errors
    ///
    /// [`Error::Syntax`], and [`Error::Density`] for a density of 0, which no file can state.
    fn from_str(text: &str) -> Result<Self, Error> {
        let pair = |text: &str, separator| {
            let (across, down) = text.split_once(separator)?;
            Some([across.parse().ok()?, down.parse().ok()?])
        };
        let both = |text: &str| match text.parse() {
            Ok(one) => Some([one, one]),
            Err(_) => pair(text, 'x'),
        };
        let found = if let Some(numbers) = pair(text, ':') {
            Some((numbers, Self::Aspect as fn(u16, u16) -> Self))
        } else if let Some(text) = text.strip_suffix("dpcm") {
            both(text).map(|numbers| (numbers, Self::PerCentimeter as _))
        } else {
            both(text.strip_suffix("dpi").unwrap_or(text)).map(|numbers| (numbers, Self::PerInch as _))
        };
        match found {
            Some(([0, _] | [_, 0], _)) => Err(Error::Density),
            Some(([across, down], density)) => Ok(density(across, down)),
            None => {
                let expected = "300dpi, 300x200dpi, 118dpcm or 4:3, of numbers from 1 to 65535";
                Err(invalid("pixel density", text, expected))
            }
        }
    }
}

impl fmt::Display for ScanSpec {
    /// A line of cjpeg's scan scripts without its semicolon: `0,1,2: 0-0, 0, 1` for the components, Ss-Se, Ah and Al.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, component) in self.components.iter().enumerate() {
            write!(f, "{}{component}", if place == 0 { "" } else { "," })?;
        }
        write!(f, ": {}-{}, {}, {}", self.ss, self.se, self.ah, self.al)
    }
}

impl FromStr for ScanSpec {
    type Err = Error;

    /// Reads what `Display` writes, and components alone for a scan of all of their coefficients: `0,1,2`. Commas may
    /// be spaces. An encoder says whether the scans make up a file.
    ///
    /// # Errors
    ///
    /// [`Error::Syntax`].
    fn from_str(text: &str) -> Result<Self, Error> {
        let Some((components, parameters)) = text.split_once(':') else {
            return Ok(Self::whole(numbers(text, &[','])?));
        };
        let components = numbers(components, &[','])?;
        let [ss, se, ah, al] = numbers(parameters, &[',', '-'])?[..] else {
            return Err(invalid("scan", text.trim(), "four numbers after the colon (Ss-Se, Ah, Al)"));
        };
        Ok(Self { components, ss, se, ah, al })
    }
}

/// Numbers between separators and spaces.
fn numbers(text: &str, separators: &[char]) -> Result<Vec<u8>, Error> {
    text.split(|c: char| separators.contains(&c) || c.is_whitespace())
        .filter(|token| !token.is_empty())
        .map(|token| token.parse().map_err(|_| invalid("scan parameter", token, "a number from 0 to 255")))
        .collect()
}

impl fmt::Display for Process {
    /// `sequential`, `progressive`, `lossless:4` with the predictor, `lossless:4,1` with a point transform, or `scans:`
    /// and the
    /// [scans](ScanSpec) with semicolons between them.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sequential => f.write_str("sequential"),
            Self::Progressive => f.write_str("progressive"),
            Self::Scans(scans) => {
                f.write_str("scans:")?;
                for (place, scan) in scans.iter().enumerate() {
                    write!(f, "{}{scan}", if place == 0 { "" } else { "; " })?;
                }
                Ok(())
            }
            Self::Lossless { predictor, point_transform: 0 } => write!(f, "lossless:{predictor}"),
            Self::Lossless { predictor, point_transform } => {
                write!(f, "lossless:{predictor},{point_transform}")
            }
        }
    }
}

impl FromStr for Process {
    type Err = Error;

    /// Reads what `Display` writes, in upper or lower case. Nothing stands for a scan between two semicolons.
    ///
    /// # Errors
    ///
    /// [`Error::Syntax`], and [`Error::Predictor`] for a predictor outside 1 to 7. An encoder says whether the scans
    /// make up a file, and whether the point transform leaves a bit of each sample.
    fn from_str(text: &str) -> Result<Self, Error> {
        let expected = "sequential, progressive, lossless:P, lossless:P,PT or scans:SCAN;SCAN..";
        let unknown = || invalid("process", text, expected);
        let (name, parameters) = match text.split_once(':') {
            Some((name, parameters)) => (name, Some(parameters)),
            None => (text, None),
        };
        let is = |known: &str| name.eq_ignore_ascii_case(known);
        match parameters {
            None if is("sequential") => Ok(Self::Sequential),
            None if is("progressive") => Ok(Self::Progressive),
            Some(scans) if is("scans") => {
                let scans = scans.split(';').filter(|scan| !scan.trim().is_empty());
                Ok(Self::Scans(scans.map(str::parse).collect::<Result<_, _>>()?))
            }
            Some(numbers) if is("lossless") => {
                let number = |text: &str| text.parse().map_err(|_| unknown());
                let (predictor, point_transform) = numbers.split_once(',').unwrap_or((numbers, "0"));
                Ok(Self::Lossless {
                    predictor: Predictor::try_from(number(predictor)?)?,
                    point_transform: number(point_transform)?,
                })
            }
            _ => Err(unknown()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;
    use alloc::vec;
    use core::fmt::{Debug, Display};
    use proptest::prelude::*;

    fn round_trip<T: Debug + Display + PartialEq + FromStr<Err = Error>>(value: &T) {
        assert_eq!(value.to_string().parse().as_ref(), Ok(value), "{value}");
    }

    fn refused<T: Debug + FromStr<Err = Error>>(texts: &[&str]) {
        for text in texts {
            let error = text.parse::<T>().unwrap_err();
            assert!(matches!(error, Error::Syntax { .. }), "`{text}`: {error:?}");
        }
    }

    fn scan() -> impl Strategy<Value = ScanSpec> {
        let components = prop::collection::vec(any::<u8>(), 0..5);
        (components, any::<[u8; 4]>()).prop_map(|(components, [ss, se, ah, al])| ScanSpec {
            components,
            ss,
            se,
            ah,
            al,
        })
    }

    proptest! {
        #[test]
        fn settings_are_read_as_they_are_written(
            [a, b] in any::<[u16; 2]>(),
            predictor in prop::sample::select(Predictor::ALL),
            point_transform in any::<u8>(),
            scans in prop::collection::vec(scan(), 0..5),
        ) {
            round_trip(&Restart::Mcus(a));
            round_trip(&Restart::Rows(a));
            let [across, down] = [a.max(1), b.max(1)];
            for density in [Density::Aspect, Density::PerInch, Density::PerCentimeter] {
                round_trip(&density(across, down));
                round_trip(&density(across, across));
            }
            round_trip(&Process::Lossless { predictor, point_transform });
            scans.iter().for_each(round_trip);
            round_trip(&Process::Scans(scans));
        }

        #[test]
        fn any_text_is_read_or_refused(text in "[0-9:,;xXdpicmB -]{0,12}|lossless:.{0,4}|scans:.{0,9}|.{0,6}") {
            let _ = (text.parse::<Restart>(), text.parse::<Density>());
            let _ = (text.parse::<ScanSpec>(), text.parse::<Process>());
        }
    }

    #[test]
    fn the_texts_are_those_of_cjpeg() {
        for named in [Process::Sequential, Process::Progressive] {
            round_trip(&named);
            assert_eq!(named.to_string().to_uppercase().parse(), Ok(named));
        }
        round_trip(&Restart::Never);
        assert_eq!(["Never", "7b"].map(str::parse), [Restart::Never, Restart::Mcus(7)].map(Ok));
        assert_eq!("Lossless:4".parse(), Ok(Process::lossless(Predictor::Plane)));
        let texts = |values: &[&dyn Display]| values.iter().map(ToString::to_string).collect::<Vec<_>>();
        let restarts = texts(&[&Restart::Never, &Restart::Rows(1), &Restart::Mcus(7)]);
        assert_eq!(restarts, ["never", "1", "7B"]);
        let densities = texts(&[
            &Density::default(),
            &Density::PerInch(300, 300),
            &Density::PerInch(300, 200),
            &Density::PerCentimeter(118, 118),
        ]);
        assert_eq!(densities, ["1:1", "300dpi", "300x200dpi", "118dpcm"]);
        let scans = vec![ScanSpec::new(&[0, 1, 2], [0, 0], [0, 1]), ScanSpec::new(&[0], [1, 5], [0, 2])];
        let shifted = Process::Lossless { predictor: Predictor::Average, point_transform: 2 };
        let processes = texts(&[
            &Process::Sequential,
            &Process::Progressive,
            &Process::lossless(Predictor::Plane),
            &shifted,
            &Process::Scans(scans),
        ]);
        let wanted = ["sequential", "progressive", "lossless:4", "lossless:7,2"];
        assert_eq!(processes[..4], wanted);
        assert_eq!(processes[4], "scans:0,1,2: 0-0, 0, 1; 0: 1-5, 0, 2");
    }

    #[test]
    fn other_spellings() {
        assert_eq!("300".parse(), Ok(Density::PerInch(300, 300)));
        assert_eq!("300x200".parse(), Ok(Density::PerInch(300, 200)));
        assert_eq!("\n 2 1\t".parse(), Ok(ScanSpec::new(&[2, 1], [0, 63], [0, 0])));
        assert_eq!("2 1:0-0,1,0".parse(), Ok(ScanSpec::new(&[2, 1], [0, 0], [1, 0])));
        let each = [0, 1].map(|c| ScanSpec::new(&[c], [0, 63], [0, 0])).to_vec();
        assert_eq!("scans: 0; 1;\n".parse(), Ok(Process::Scans(each)));
    }

    #[test]
    fn errors_quote_the_text_and_what_was_expected() {
        refused::<Restart>(&["", "B", "-1", "65536", "3C", "3 ", "never B", "\u{e9}B"]);
        refused::<Density>(&[
            "",
            "300x",
            "65536",
            "300dpm",
            "300DPI",
            "300X200",
            "dpi",
            "dpcm",
            "1:",
            "1:2:3",
            "1:2dpi",
            "\u{e9}dpi",
            "\u{20ac}",
        ]);
        refused::<ScanSpec>(&["0: 0-0, 0", "0: 0-0, 0, 0, 0", "0: 0-256, 0, 0", "x", "0:"]);
        refused::<Process>(&[
            "",
            "lossless",
            "lossless:",
            "lossless:1,",
            "lossless:1,2,3",
            "lossless:x",
            "lossless:256",
            "scans",
            "scans:0:1",
            "sequential:",
            "baseline",
        ]);
        assert_eq!(
            ["0", "1:0", "0x7dpi", "0dpcm"].map(str::parse),
            [const { Err::<Density, _>(Error::Density) }; 4]
        );
        assert_eq!(
            ["lossless:0", "lossless:8,1"].map(str::parse::<Process>),
            [0, 8].map(|p| Err(Error::Predictor(p)))
        );
        let messages = [
            "3C".parse::<Restart>().unwrap_err(),
            "300dpm".parse::<Density>().unwrap_err(),
            "arithmetic".parse::<Process>().unwrap_err(),
            " 0: 0-0".parse::<ScanSpec>().unwrap_err(),
            "scans:0: 0-x".parse::<Process>().unwrap_err(),
        ];
        assert_eq!(
            messages.map(|error| error.to_string()),
            [
                "invalid restart interval `3C`: expected never, a number of MCU rows, or of MCUs with a B, up to 65535",
                "invalid pixel density `300dpm`: expected 300dpi, 300x200dpi, 118dpcm or 4:3, of numbers from 1 to 65535",
                "invalid process `arithmetic`: expected sequential, progressive, lossless:P, lossless:P,PT or scans:SCAN;SCAN..",
                "invalid scan `0: 0-0`: expected four numbers after the colon (Ss-Se, Ah, Al)",
                "invalid scan parameter `x`: expected a number from 0 to 255",
            ]
        );
    }
}
