//! Metadata of a file: pixel density, ICC profile, Exif, XMP and comments.

use alloc::vec::Vec;

use crate::Error;

/// Pixel density or aspect ratio (T.871, fields of APP0).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Density {
    /// Pixel aspect ratio without a unit: horizontal to vertical density.
    Aspect(u16, u16),
    /// Pixels per inch, horizontal and vertical.
    PerInch(u16, u16),
    /// Pixels per centimeter, horizontal and vertical.
    PerCentimeter(u16, u16),
}

impl Default for Density {
    /// Square pixels of unknown size.
    fn default() -> Self {
        Self::Aspect(1, 1)
    }
}

impl Density {
    /// Unit, Hdensity and Vdensity.
    pub(crate) fn fields(self) -> (u8, u16, u16) {
        match self {
            Self::Aspect(h, v) => (0, h, v),
            Self::PerInch(h, v) => (1, h, v),
            Self::PerCentimeter(h, v) => (2, h, v),
        }
    }
}

/// Metadata of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Metadata {
    pub(crate) density: Density,
    pub(crate) exif: Option<Vec<u8>>,
    pub(crate) xmp: Option<Vec<u8>>,
    pub(crate) icc: Option<Vec<u8>>,
    /// Numbers and contents of application segments.
    pub(crate) application: Vec<(u8, Vec<u8>)>,
    pub(crate) comments: Vec<Vec<u8>>,
}

/// Maximum size of the contents of a segment, after its length.
const SEGMENT_BYTES: usize = 65_533;

/// Identifier of the Exif segment (CIPA DC-008 4.7.2).
const EXIF: &[u8] = b"Exif\0\0";
/// Identifier of the XMP segment (XMP part 3, 1.1.3).
const XMP: &[u8] = b"http://ns.adobe.com/xap/1.0/\0";
/// Identifier of an ICC profile segment (ICC.1 B.4); the chunk number and the number of chunks follow it.
const ICC: &[u8] = b"ICC_PROFILE\0";

impl Metadata {
    /// Segments as marker and contents, in the order in which readers expect them.
    ///
    /// # Errors
    ///
    /// [`Error::Metadata`] for contents that exceed their segments, [`Error::ApplicationSegment`] for an `n` above 15,
    /// and [`Error::Density`] for a density of 0.
    pub(crate) fn segments(&self) -> Result<Vec<(u8, Vec<u8>)>, Error> {
        let (_, h, v) = self.density.fields();
        if h == 0 || v == 0 {
            return Err(Error::Density);
        }
        let mut segments = Vec::new();
        let mut one = |kind, marker, parts: &[&[u8]]| {
            let contents = parts.concat();
            let most = SEGMENT_BYTES - (contents.len() - parts[parts.len() - 1].len());
            if contents.len() > SEGMENT_BYTES {
                return Err(Error::Metadata { kind, bytes: parts[parts.len() - 1].len(), most });
            }
            segments.push((marker, contents));
            Ok(())
        };
        if let Some(exif) = &self.exif {
            one("Exif data", 0xe1, &[EXIF, exif])?;
        }
        if let Some(xmp) = &self.xmp {
            one("XMP data", 0xe1, &[XMP, xmp])?;
        }
        if let Some(icc) = &self.icc {
            let part = SEGMENT_BYTES - ICC.len() - 2;
            let parts = icc.chunks(part);
            let Ok(all) = u8::try_from(parts.len()) else {
                return Err(Error::Metadata { kind: "an ICC profile", bytes: icc.len(), most: 255 * part });
            };
            for (number, part) in (1..=all).zip(parts) {
                one("an ICC profile", 0xe2, &[ICC, &[number, all], part])?;
            }
        }
        for (n, data) in &self.application {
            if *n > 15 {
                return Err(Error::ApplicationSegment(*n));
            }
            one("an application segment", 0xe0 | n, &[data])?;
        }
        for comment in &self.comments {
            one("a comment", 0xfe, &[comment])?;
        }
        Ok(segments)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn profiles_are_cut_into_numbered_parts() {
        let metadata = Metadata { icc: Some(vec![7; 150_000]), ..Metadata::default() };
        let segments = metadata.segments().unwrap();
        assert_eq!(
            segments.iter().map(|(marker, s)| (*marker, s[12], s[13])).collect::<Vec<_>>(),
            [(0xe2, 1, 3), (0xe2, 2, 3), (0xe2, 3, 3)]
        );
        assert_eq!(segments.iter().map(|(_, s)| s.len() - 14).sum::<usize>(), 150_000);
        let metadata = Metadata { icc: Some(vec![7; 65_519 * 255 + 1]), ..Metadata::default() };
        assert!(matches!(
            metadata.segments(),
            Err(Error::Metadata { bytes: 16_707_346, most: 16_707_345, .. })
        ));
    }

    #[test]
    fn what_does_not_fit_a_segment_is_refused() {
        for (exif, xmp, comment, fits) in [
            (65_527, 65_504, 65_533, true),
            (65_528, 0, 0, false),
            (0, 65_505, 0, false),
            (0, 0, 65_534, false),
        ] {
            let metadata = Metadata {
                exif: Some(vec![0; exif]),
                xmp: Some(vec![0; xmp]),
                comments: vec![vec![0; comment]],
                ..Metadata::default()
            };
            assert_eq!(metadata.segments().is_ok(), fits);
        }
        let metadata = Metadata { density: Density::PerInch(300, 0), ..Metadata::default() };
        assert!(matches!(metadata.segments(), Err(Error::Density)));
    }
}
