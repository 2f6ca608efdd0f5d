//! The metadata of a file that is encoded: parts of the source's, and data that replaces them.

use std::fmt;

use shim_jpeg::{ColorSpace, Density, Encoder};

use crate::error::Error;
use crate::metadata::{EXIF, Metadata, XMP, profile_space};
use crate::picture::Picture;

/// The greatest side of an image that libjpeg reads (`JPEG_MAX_DIMENSION`).
const LIBJPEG_MAX_DIMENSION: usize = 65_500;

/// The most bytes that a segment holds.
const SEGMENT: usize = 65_533;

/// A part of metadata.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// An ICC profile.
    Icc,
    /// Exif data.
    Exif,
    /// An XMP packet.
    Xmp,
    /// Comments of a JPEG file.
    Comments,
    /// Pixel density or shape.
    Density,
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Icc => "icc",
            Self::Exif => "exif",
            Self::Xmp => "xmp",
            Self::Comments => "comments",
            Self::Density => "density",
        })
    }
}

impl Part {
    /// All parts.
    pub const ALL: [Self; 5] = [Self::Icc, Self::Exif, Self::Xmp, Self::Comments, Self::Density];

    /// Maximum size of the part in a JPEG file, in bytes. A profile is split into segments, and a density has a fixed size.
    const fn most(self) -> usize {
        match self {
            Self::Exif => SEGMENT - EXIF.len(),
            Self::Xmp => SEGMENT - XMP.len(),
            Self::Comments => SEGMENT,
            Self::Icc | Self::Density => usize::MAX,
        }
    }
}

/// The metadata of a new file: parts of the source's, and replacements.
#[derive(Clone, Debug, Default)]
pub struct Embedding {
    /// The parts of the source's metadata that are kept.
    pub keep: Vec<Part>,
    /// A profile in place of the source's.
    pub icc: Option<Vec<u8>>,
    /// Exif data in place of the source's, from its TIFF header on.
    pub exif: Option<Vec<u8>>,
    /// An XMP packet in place of the source's.
    pub xmp: Option<Vec<u8>>,
    /// Comments behind those of the source.
    pub comments: Vec<Vec<u8>>,
    /// A density in place of the source's.
    pub density: Option<Density>,
}

impl Embedding {
    fn keeps(&self, part: Part) -> bool {
        self.keep.contains(&part)
    }

    /// The encoder with the metadata that replaces a source's, for an image without one.
    pub fn given(&self, encoder: Encoder) -> Encoder {
        let encoder = self.icc.iter().fold(encoder, |encoder, icc| encoder.icc_profile(icc));
        let encoder = self.exif.iter().fold(encoder, |encoder, exif| encoder.exif(exif));
        let encoder = self.xmp.iter().fold(encoder, |encoder, xmp| encoder.xmp(xmp));
        let encoder = self.comments.iter().fold(encoder, |encoder, comment| encoder.comment(comment));
        self.density.into_iter().fold(encoder, Encoder::density)
    }

    /// The encoder with the metadata of a file in this color space.
    ///
    /// # Errors
    ///
    /// [`Error::Profile`] if the profile that was given describes other colors than the file has.
    pub fn apply(&self, encoder: Encoder, source: &Metadata, space: ColorSpace) -> Result<Encoder, Error> {
        let kept = |part: Part, own: &Option<Vec<u8>>, source: &Option<Vec<u8>>| {
            let kept = |data: &Vec<u8>| self.keeps(part) && data.len() <= part.most();
            own.clone().or_else(|| source.clone().filter(kept))
        };
        let mut encoder = encoder.color_space(space);
        if let Some(icc) = self.profile(source, space)? {
            encoder = encoder.icc_profile(icc);
        }
        if let Some(exif) = kept(Part::Exif, &self.exif, &source.exif) {
            encoder = encoder.exif(&exif);
        }
        if let Some(xmp) = kept(Part::Xmp, &self.xmp, &source.xmp) {
            encoder = encoder.xmp(&xmp);
            for part in source.extended_xmp.iter().filter(|_| self.xmp.is_none()) {
                encoder = encoder.app_segment(1, part);
            }
        }
        let keeps = |comment: &&Vec<u8>| self.keeps(Part::Comments) && comment.len() <= Part::Comments.most();
        for comment in source.comments.iter().filter(keeps).chain(&self.comments) {
            encoder = encoder.comment(comment);
        }
        if let Some(density) = self.density.or(source.density.filter(|_| self.keeps(Part::Density))) {
            encoder = encoder.density(density);
        }
        Ok(encoder)
    }

    /// Warnings about what is lost or doubtful in a file of this picture.
    pub fn warnings(&self, picture: &Picture) -> Vec<String> {
        let Metadata { damage, lost, .. } = &picture.metadata;
        let colors = self.lost_colors(&picture.metadata).map(|colors| {
            format!("colors are taken for sRGB: {colors} is neither applied nor recorded in the file")
        });
        let most = picture.width.max(picture.height);
        let tall = (most > LIBJPEG_MAX_DIMENSION).then(|| {
            format!("a side of {most} pixels is above {LIBJPEG_MAX_DIMENSION}, the limit of decoders based on libjpeg")
        });
        let read = damage.iter().chain(lost).cloned();
        colors.into_iter().chain(read).chain(self.too_long(&picture.metadata)).chain(tall).collect()
    }

    /// Warnings of metadata that is to be kept but does not fit.
    fn too_long(&self, source: &Metadata) -> Vec<String> {
        let exif =
            source.exif.iter().filter(|_| self.exif.is_none()).map(|data| (Part::Exif, "Exif data", data));
        let xmp =
            source.xmp.iter().filter(|_| self.xmp.is_none()).map(|data| (Part::Xmp, "XMP packet", data));
        let comments = source.comments.iter().map(|data| (Part::Comments, "comment", data));
        let all = exif.chain(xmp).chain(comments);
        all.filter(|(part, _, data)| self.keeps(*part) && data.len() > part.most())
            .map(|(part, name, data)| {
                format!("{name} of {} bytes dropped: a JPEG file holds {} at most", data.len(), part.most())
            })
            .collect()
    }

    /// Color information of the source that is neither converted nor kept.
    fn lost_colors<'a>(&self, source: &'a Metadata) -> Option<&'a str> {
        let profiled = self.icc.is_some() || source.icc.is_some();
        source.colors.as_deref().filter(|colors| !profiled || colors.starts_with("cICP"))
    }

    /// Whether the source has a profile that would be kept, but describes other colors than the file holds.
    pub fn drops_profile(&self, source: &Metadata, space: ColorSpace) -> bool {
        let kept = source.icc.is_some() && self.icc.is_none() && self.keeps(Part::Icc);
        kept && self.profile(source, space).is_ok_and(|kept| kept.is_none())
    }

    /// The profile of a file: the one that was given, which has to describe its colors, or that of the source if it
    /// does.
    fn profile<'a>(&'a self, source: &'a Metadata, space: ColorSpace) -> Result<Option<&'a [u8]>, Error> {
        let (wanted, file) = match space {
            ColorSpace::Gray => (b"GRAY", "grayscale"),
            ColorSpace::Cmyk | ColorSpace::Ycck => (b"CMYK", "CMYK or YCCK"),
            _ => (b"RGB ", "RGB or YCbCr"),
        };
        let fits = |profile: &[u8]| profile_space(profile) == Some(*wanted);
        match (&self.icc, &source.icc) {
            (Some(own), _) if fits(own) => Ok(Some(own)),
            (Some(own), _) => {
                let profile = match profile_space(own) {
                    Some(signature) => String::from_utf8_lossy(&signature).trim().to_owned(),
                    None => "no known color space".to_owned(),
                };
                Err(Error::Profile { profile, file })
            }
            (None, Some(source)) => {
                Ok(Some(&source[..]).filter(|profile| self.keeps(Part::Icc) && fits(profile)))
            }
            (None, None) => Ok(None),
        }
    }
}
