//! The names of values, as text is read and written: `Display` and `FromStr`.

use core::fmt;
use core::str::FromStr;

use crate::{ColorSpace, Error, Pixels, Predictor, Subsampling};

/// `Display` and `FromStr` by a list of names. Text is read in any case.
macro_rules! names {
    ($type:ident, $kind:literal: $($value:ident $name:literal),+ $(,)?) => {
        impl $type {
            /// All values, in the order in which they are declared.
            pub const ALL: &[Self] = &[$(Self::$value),+];
        }

        impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(match self {
                    $(Self::$value => $name,)+
                })
            }
        }

        impl FromStr for $type {
            type Err = Error;

            /// Reads what `Display` writes, in upper or lower case.
            ///
            /// # Errors
            ///
            /// [`Error::Name`].
            fn from_str(name: &str) -> Result<Self, Error> {
                $(if name.eq_ignore_ascii_case($name) {
                    return Ok(Self::$value);
                })+
                Err(Error::Name { kind: $kind, name: name.into(), known: concat!($($name, " "),+).trim_ascii_end() })
            }
        }
    };
}

names!(Subsampling, "chroma subsampling": S420 "4:2:0", S444 "4:4:4", S422 "4:2:2", S440 "4:4:0", S411 "4:1:1");
names!(ColorSpace, "color space": Gray "Gray", YCbCr "YCbCr", Rgb "RGB", Cmyk "CMYK", Ycck "YCCK");
names!(Pixels, "pixel format":
    Rgb "RGB",
    Bgr "BGR",
    Rgba "RGBA",
    Bgra "BGRA",
    Gray "Gray",
    GrayAlpha "GrayAlpha",
    YCbCr "YCbCr",
    Cmyk "CMYK",
    Ycck "YCCK",
);
names!(Predictor, "predictor":
    Left "1",
    Above "2",
    AboveLeft "3",
    Plane "4",
    LeftPlane "5",
    AbovePlane "6",
    Average "7",
);

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;
    use core::fmt::{Debug, Display};

    fn round_trip<T: Copy + Debug + Display + PartialEq + FromStr<Err = Error>>(all: &[T]) {
        for value in all {
            assert_eq!(value.to_string().parse(), Ok(*value));
            assert_eq!(value.to_string().to_ascii_lowercase().parse(), Ok(*value));
            assert_eq!(value.to_string().to_ascii_uppercase().parse(), Ok(*value));
        }
        for wrong in ["", " ", "4:2", "rgb8", "8", "\u{0}"] {
            let error = wrong.parse::<T>().unwrap_err();
            assert!(matches!(&error, Error::Name { name, .. } if name == wrong), "{error}");
        }
    }

    #[test]
    fn names_are_read_as_they_are_written() {
        round_trip(Subsampling::ALL);
        round_trip(ColorSpace::ALL);
        round_trip(Pixels::ALL);
        round_trip(Predictor::ALL);
    }

    #[test]
    fn an_unknown_name_is_told_with_those_there_are() {
        let error = "4:1:0".parse::<Subsampling>().unwrap_err();
        assert_eq!(
            error.to_string(),
            "unknown chroma subsampling `4:1:0`: one of 4:2:0 4:4:4 4:2:2 4:4:0 4:1:1"
        );
        assert_eq!(Subsampling::S411.to_string(), "4:1:1");
        assert_eq!(alloc::format!("{:>6}|{:<5}|", Pixels::Rgb, Predictor::Plane), "   RGB|4    |");
    }
}
