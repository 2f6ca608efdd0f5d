//! Frames as arguments: arrays, planes, and pictures of Pillow.

use pyo3::prelude::*;
use pyo3::types::PyTuple;
use shim_h264::{Error, Frame, Pixels};
use shim_picture::{Options, Picture};

use crate::array::{Array, Rows};
use crate::errors::Class;
use crate::picture;

/// The samples of a frame.
pub(super) enum Source {
    /// An image of Pillow.
    Picture(Box<Picture>, Pixels),
    /// Pixels by rows, or by planes if the first axis is the one of samples.
    Pixels {
        array: Array,
        pixels: Pixels,
        planar: bool,
    },
    I420(Array),
    Nv12(Array),
    Planes(Vec<Array>),
}

/// The layout of 4:2:0 in one array.
#[derive(Clone, Copy)]
enum Layout {
    I420,
    Nv12,
}

impl Source {
    pub(super) fn of(
        object: &Bound<'_, PyAny>,
        pixels: Option<&str>,
        [wide, high]: [usize; 2],
    ) -> PyResult<Self> {
        let bytes = |array: Array| match array.bytes {
            1 => Ok(array),
            _ => Err(Class::ArrayType.error("frames have samples of uint8")),
        };
        if let Ok(planes) = object.cast::<PyTuple>() {
            if !matches!(planes.len(), 2 | 3) {
                let count = planes.len();
                return Err(
                    Class::Array.error(format!("a tuple is (Y, CbCr) or (Y, Cb, Cr), got {count} planes"))
                );
            }
            return planes
                .iter()
                .map(|plane| bytes(Array::of(&plane)?))
                .collect::<PyResult<_>>()
                .map(Self::Planes);
        }
        if picture::is_pillow(object)? {
            return Self::of_pillow(object, pixels, [wide, high]);
        }
        let known = match pixels {
            None => None,
            Some("gray") => Some(Ok(Pixels::Gray)),
            Some("rgb") => Some(Ok(Pixels::Rgb)),
            Some("bgr") => Some(Ok(Pixels::Bgr)),
            Some("rgba") => Some(Ok(Pixels::Rgba)),
            Some("bgra") => Some(Ok(Pixels::Bgra)),
            Some("i420") => Some(Err(Layout::I420)),
            Some("nv12") => Some(Err(Layout::Nv12)),
            Some(name) => {
                let known = "one of rgb bgr rgba bgra gray i420 nv12";
                return Err(Class::Setting.error(format!("unknown pixels '{name}': {known}")));
            }
        };
        let array = bytes(Array::of(object)?)?;
        let size = [high, wide];
        let even = high.is_multiple_of(2) && wide.is_multiple_of(2);
        let planar = even && array.shape() == [high + high / 2, wide];
        let usual = |samples: usize| match (known, samples) {
            (Some(Ok(pixels)), samples) if pixels.bytes() == samples => Some(pixels),
            (None, 1) => Some(Pixels::Gray),
            (None, 3) => Some(Pixels::Rgb),
            (None, 4) => Some(Pixels::Rgba),
            _ => None,
        };
        let found = match (array.shape(), known) {
            (_, None | Some(Err(Layout::I420))) if planar => return Ok(Self::I420(array)),
            (_, Some(Err(Layout::Nv12))) if planar => return Ok(Self::Nv12(array)),
            ([rows, columns], _) if size == [*rows, *columns] => usual(1).map(|pixels| (pixels, false)),
            ([rows, columns, samples], _) if size == [*rows, *columns] => {
                usual(*samples).map(|pixels| (pixels, false))
            }
            ([samples, rows, columns], _) if size == [*rows, *columns] => {
                usual(*samples).map(|pixels| (pixels, true))
            }
            _ => None,
        };
        let Some((pixels, planar)) = found else {
            let shape = array.shape();
            return Err(Class::Array.error(format!(
                "an array of shape {shape:?} is no frame of {wide}x{high}: it has to be [{high}, {wide}] of gray, \
                 [{high}, {wide}, 3], [{high}, {wide}, 4], or 4:2:0 of [{}, {wide}]",
                high + high.div_ceil(2)
            )));
        };
        Ok(Self::Pixels { array, pixels, planar })
    }

    fn of_pillow(image: &Bound<'_, PyAny>, pixels: Option<&str>, [wide, high]: [usize; 2]) -> PyResult<Self> {
        if pixels.is_some() {
            return Err(Class::Setting.error("pixels describes arrays, and not images of Pillow"));
        }
        let options = Options { bits: Some(8), ..Options::default() };
        let picture = picture::of_pillow(image, options)?;
        let size = [picture.width, picture.height];
        if size != [wide, high] {
            let [width, height] = size;
            return Err(
                Class::Array.error(format!("an image of {width}x{height} is no frame of {wide}x{high}"))
            );
        }
        let pixels = match picture.kind.pixels {
            shim_jpeg::Pixels::Gray => Pixels::Gray,
            shim_jpeg::Pixels::Rgb => Pixels::Rgb,
            other => {
                return Err(
                    Class::ArrayType.error(format!("an image of {other} is no frame: convert it to RGB"))
                );
            }
        };
        Ok(Self::Picture(Box::new(picture), pixels))
    }

    /// The pixels that are converted, if they are.
    pub(super) fn pixels(&self) -> Option<Pixels> {
        match self {
            Self::Picture(_, pixels) => Some(*pixels),
            Self::Pixels { array, pixels, planar } => Some(rows(array, *pixels, *planar).1),
            Self::I420(_) | Self::Nv12(_) | Self::Planes(_) => None,
        }
    }

    /// Calls `with` with pixels to convert.
    pub(super) fn with_pixels<R>(&self, with: impl FnOnce(&[u8], usize) -> R) -> Option<R> {
        match self {
            Self::Picture(picture, pixels) => Some(with(picture.bytes()?, picture.width * pixels.bytes())),
            Self::Pixels { array, pixels, planar } => {
                let (Rows { samples, stride }, _) = rows(array, *pixels, *planar);
                Some(with(&samples, stride))
            }
            Self::I420(_) | Self::Nv12(_) | Self::Planes(_) => None,
        }
    }

    /// Calls `with` with a frame of luma and chroma of this size.
    pub(super) fn with_frame<R>(
        &self,
        [width, height]: [usize; 2],
        with: impl FnOnce(&Frame<'_>) -> Result<R, Error>,
    ) -> Result<R, Error> {
        match self {
            Self::Nv12(array) => {
                let Rows { samples, stride } = array.view::<u8>().rows();
                let (luma, chroma) = samples.split_at(stride * height);
                with(&Frame::nv12(width, height, (luma, stride), (chroma, stride))?)
            }
            Self::Planes(planes) => {
                check_planes(planes, [width, height])?;
                let rows: Vec<_> = planes.iter().map(|plane| plane.view::<u8>().rows()).collect();
                let plane = |number: usize| (&*rows[number].samples, rows[number].stride);
                with(&match rows.len() {
                    2 => Frame::nv12(width, height, plane(0), plane(1))?,
                    _ => Frame::new(width, height, plane(0), plane(1), plane(2))?,
                })
            }
            Self::I420(array) => {
                let rows = array.view::<u8>().rows().packed(width);
                with(&Frame::i420(width, height, &rows.samples)?)
            }
            Self::Picture(..) | Self::Pixels { .. } => unreachable!("pixels are converted"),
        }
    }
}

/// The rows of pixels, and their order in memory.
fn rows(array: &Array, pixels: Pixels, planar: bool) -> (Rows<'_, u8>, Pixels) {
    let view = array.view::<u8>().with_samples();
    let view = if planar { view.permuted([1, 2, 0]) } else { view };
    // Red, green and blue in reverse are a pixel format.
    let reversed = match pixels {
        Pixels::Rgb => Some(Pixels::Bgr),
        Pixels::Bgr => Some(Pixels::Rgb),
        _ => None,
    };
    match (reversed, view.unreversed()) {
        (Some(pixels), Some(view)) => (view.rows(), pixels),
        _ => (view.rows(), pixels),
    }
}

/// Planes of the extents that they have in 4:2:0.
fn check_planes(planes: &[Array], [wide, high]: [usize; 2]) -> Result<(), Error> {
    let [half_wide, half_high] = [wide, high].map(|side| side.div_ceil(2));
    for (number, plane) in planes.iter().enumerate() {
        let shape = plane.shape();
        let fits = match (number, planes.len()) {
            (0, _) => shape == [high, wide],
            (_, 2) => shape == [half_high, half_wide, 2] || shape == [half_high, 2 * half_wide],
            _ => shape == [half_high, half_wide],
        };
        if !fits {
            let given = (shape.get(1).copied().unwrap_or(0), shape.first().copied().unwrap_or(0));
            return Err(Error::FrameSize {
                given,
                wanted: if number == 0 { (wide, high) } else { (half_wide, half_high) },
            });
        }
    }
    Ok(())
}
