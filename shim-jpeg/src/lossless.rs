//! The lossless process, SOF3 (T.81 Annex H): one scan of all components, H = V = 1, row after row.
//!
//! Tables that fit the image are made by predicting it twice: differences take less time than memory for them would.

use crate::band::{Band, Conversion};
use crate::bits::{Bits, Sink};
use crate::encoder::{Encoder, Sampling};
use crate::frame::{ColourSpace, Frame, MAX_COMPONENTS};
use crate::image::Layout;
use crate::kernels::lossless::{
    CATEGORIES, DIFFERENCE_BYTES, DifferenceCodes, Prediction, count, differences, differences16, greatest,
    interleave, interleave16, put_differences,
};
use crate::marker::{self, END_OF_IMAGE, FrameKind};
use crate::optimal;
use crate::restart::{Intervals, Restart};
use crate::sample::Sample;
use crate::tables::{HuffmanSpecification, typical_differences};
use crate::{Error, Image, Pixels};

/// Bytes that are coded before they are given away, and those of a row.
const PIECE: usize = 1 << 15;

/// By what a sample is predicted in the lossless process (T.81 Table H.1): its neighbours to the left (Ra), above (Rb), and
/// above to the left (Rc). The numbers are those of the standard.
///
/// ```
/// use shim_jpeg::Predictor;
///
/// assert_eq!(Predictor::try_from(7)?, Predictor::Average);
/// assert!(Predictor::try_from(8).is_err());
/// # Ok::<(), shim_jpeg::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Predictor {
    /// Ra.
    #[default]
    Left = 1,
    /// Rb.
    Above = 2,
    /// Rc.
    AboveLeft = 3,
    /// Ra + Rb - Rc.
    Plane = 4,
    /// Ra + (Rb - Rc) / 2.
    LeftPlane = 5,
    /// Rb + (Ra - Rc) / 2.
    AbovePlane = 6,
    /// (Ra + Rb) / 2, on photographs mostly the one of the smallest file.
    Average = 7,
}

impl TryFrom<u8> for Predictor {
    type Error = Error;

    fn try_from(number: u8) -> Result<Self, Error> {
        let all = [
            Self::Left,
            Self::Above,
            Self::AboveLeft,
            Self::Plane,
            Self::LeftPlane,
            Self::AbovePlane,
            Self::Average,
        ];
        all.into_iter().find(|&p| p as u8 == number).ok_or(Error::Predictor(number))
    }
}

/// A frame of the lossless process, and how its scan is coded.
pub(crate) struct LosslessPlan {
    frame: Frame,
    conversion: Conversion,
    predictor: Predictor,
    point_transform: u8,
    optimised: bool,
    /// Ri.
    interval: u16,
    headers: Vec<u8>,
}

impl LosslessPlan {
    /// The plan for an image.
    ///
    /// # Errors
    ///
    /// All that the settings and the image can be at fault with.
    pub(crate) fn new(
        encoder: &Encoder,
        predictor: Predictor,
        point_transform: u8,
        image: &Image<'_>,
    ) -> Result<Self, Error> {
        let (bits, pixels) = (image.bits(), image.pixels());
        if point_transform >= bits {
            return Err(Error::PointTransform { point_transform, bits });
        }
        let own = match ColourSpace::of(pixels) {
            // Luminance and chrominance would be rounded.
            ColourSpace::YCbCr if pixels != Pixels::YCbCr => ColourSpace::Rgb,
            own => own,
        };
        let space = encoder.space.unwrap_or(own);
        let conversion = Conversion::new(pixels, space)?;
        let factors = vec![[1, 1]; space.identifiers().len()];
        if matches!(&encoder.sampling, Sampling::Factors(given) if *given != factors) {
            return Err(Error::Sampling);
        }
        let frame = Frame::new([image.width(), image.height()], bits, space, &factors)?;
        let interval = interval(encoder.restart, frame.width)?;
        let headers = marker::headers(&frame, FrameKind::Lossless, &[], &encoder.metadata)?;
        if !image.shape().bytes {
            let most = u16::MAX >> (16 - bits);
            let above = (0..image.height()).map(|y| greatest(image, y)).find(|&sample| sample > most);
            if let Some(sample) = above {
                return Err(Error::Sample { sample, bits });
            }
        }
        let optimised = encoder.optimised.unwrap_or(true);
        Ok(Self { frame, conversion, predictor, point_transform, optimised, interval, headers })
    }

    /// Encodes the image that the plan was made for.
    pub(crate) fn encode(
        &self,
        image: &Image<'_>,
        sink: &mut Sink<'_>,
        progress: &mut dyn FnMut(usize, usize),
    ) -> Result<(), Error> {
        if image.shape().bytes {
            self.encode_samples::<u8>(image, sink, progress)
        } else {
            self.encode_samples::<u16>(image, sink, progress)
        }
    }

    fn encode_samples<T: LosslessSample>(
        &self,
        image: &Image<'_>,
        sink: &mut Sink<'_>,
        progress: &mut dyn FnMut(usize, usize),
    ) -> Result<(), Error> {
        sink(&self.headers)?;
        let (height, passes) = (self.frame.height, if self.optimised { 2 } else { 1 });
        let mut progress = |pass: usize, y: usize| {
            if (y + 1).is_multiple_of(16) || y + 1 == height {
                progress((pass * height + y + 1) / passes, height);
            }
        };
        let mut lines = Lines::<T>::new(self, image);
        let tables = if self.optimised {
            let mut counts = [[0; CATEGORIES]; 2];
            for y in 0..height {
                self.count(lines.differences(y), &mut counts);
                progress(0, y);
            }
            counts.map(|counts| table(&counts))
        } else {
            [(); 2].map(|()| typical_differences(self.frame.bits))
        };
        sink(&self.scan_header(&tables))?;

        let n = self.frame.components.len();
        let codes = tables.each_ref().map(HuffmanSpecification::codes);
        let codes = DifferenceCodes::new(codes.each_ref(), self.destinations());
        let mut bits = Bits::new(PIECE + DIFFERENCE_BYTES * n * self.frame.width);
        let mut intervals = Intervals::new(self.interval);
        for y in 0..height {
            if let (_, Some(marker)) = intervals.take(self.frame.width) {
                bits.restart(marker, sink)?;
            }
            put_differences(lines.differences(y), n, &codes, &mut bits.raw, &mut bits.position);
            if bits.position.bytes >= PIECE {
                bits.flush(sink)?;
            }
            progress(passes - 1, y);
        }
        bits.finish(sink)?;
        sink(&END_OF_IMAGE)
    }

    /// Td of each component.
    fn destinations(&self) -> [usize; MAX_COMPONENTS] {
        std::array::from_fn(|c| self.frame.components.get(c).map_or(0, |component| component.table.into()))
    }

    /// Adds to the counts of each table what it has to code in a row.
    fn count(&self, row: &[i16], counts: &mut [[u64; CATEGORIES]; 2]) {
        let n = self.frame.components.len();
        let destinations = self.destinations();
        let all = if destinations == [0; MAX_COMPONENTS] { 1 } else { n };
        // A difference to predictor 4 has up to two bits more than a sample, one of them the sign.
        let greatest = (usize::from(self.frame.bits) + 1).min(CATEGORIES - 1);
        for piece in row.chunks(n * (PIECE / n)) {
            for (c, destination) in destinations.into_iter().enumerate().take(all) {
                let mut above = [0_u32; CATEGORIES];
                count(piece, all, c, &mut above[..greatest]);
                let mut more = (piece.len() / all) as u32;
                for (count, above) in counts[destination].iter_mut().zip(above) {
                    *count += u64::from(more - above);
                    more = above;
                }
            }
        }
    }

    /// All between the frame's header and the bits.
    fn scan_header(&self, tables: &[HuffmanSpecification; 2]) -> Vec<u8> {
        let mut header = Vec::new();
        let used = if self.destinations().contains(&1) { 2 } else { 1 };
        for (destination, table) in (0..).zip(&tables[..used]) {
            marker::huffman_table(&mut header, 0, destination, table);
        }
        if self.interval > 0 {
            marker::restart_interval(&mut header, self.interval);
        }
        marker::start_of_lossless_scan(&mut header, &self.frame, self.predictor as u8, self.point_transform);
        header
    }
}

/// Ri of a scan of so many pixels in a row: whole rows (H.1.1).
fn interval(restart: Restart, row: usize) -> Result<u16, Error> {
    match restart {
        Restart::Mcus(interval) if usize::from(interval) % row != 0 => Err(Error::Restart { interval, row }),
        Restart::Rows(rows) => {
            let most = usize::from(u16::MAX) / row;
            Ok((usize::from(rows).min(most) * row) as u16)
        }
        other => Ok(other.interval(row)),
    }
}

/// The table that fits categories which occur so often.
fn table(counts: &[u64; CATEGORIES]) -> HuffmanSpecification {
    optimal::table(&std::array::from_fn(|v| counts.get(v).copied().unwrap_or(0)))
}

/// The rows of an image in the order of the scan, and their differences.
struct Lines<'a, T> {
    plan: &'a LosslessPlan,
    image: &'a Image<'a>,
    packed: Option<Packed<T>>,
    differences: Vec<i16>,
}

/// Rows that do not lie in memory as the scan has them.
struct Packed<T> {
    band: Band<T>,
    /// The last row of the rows before, and rows from a multiple of their number on.
    rows: Vec<T>,
}

impl<'a, T: LosslessSample> Lines<'a, T> {
    fn new(plan: &'a LosslessPlan, image: &'a Image<'a>) -> Self {
        let n = plan.frame.components.len();
        let length = n * plan.frame.width;
        let in_order = plan.conversion == Conversion::Separate { reversed: false }
            && match T::row(image, 0) {
                Layout::Interleaved(row) => row.len() == length,
                Layout::Planar(_) => n == 1,
            };
        let packed = (!in_order).then(|| Packed {
            band: Band::new(&plan.frame, plan.conversion, true),
            rows: vec![T::default(); (1 + plan.frame.mcu_height()) * length],
        });
        Self { plan, image, packed, differences: vec![0; length] }
    }

    /// The differences of row `y`; rows are asked for one after another.
    fn differences(&mut self, y: usize) -> &[i16] {
        let LosslessPlan { frame, predictor, point_transform: pt, interval, .. } = self.plan;
        let n = frame.components.len();
        let begins = y == 0 || (*interval > 0 && y.is_multiple_of(usize::from(*interval) / frame.width));
        let prediction = if begins {
            Prediction::First(1 << (frame.bits - pt - 1))
        } else {
            Prediction::By(*predictor as u8)
        };
        let [above, row] = match &mut self.packed {
            None => [y.saturating_sub(1), y].map(|y| match T::row(self.image, y) {
                Layout::Interleaved(row) | Layout::Planar([row, ..]) => row,
            }),
            Some(packed) => packed.rows(self.image, frame, y),
        };
        T::differences(above, row, n, prediction, (*pt).into(), &mut self.differences);
        &self.differences
    }
}

impl<T: LosslessSample> Packed<T> {
    /// Row `y` and the one above it; above the first are any samples.
    fn rows(&mut self, image: &Image<'_>, frame: &Frame, y: usize) -> [&[T]; 2] {
        let (w, n, height) = (frame.width, frame.components.len(), frame.mcu_height());
        let length = n * w;
        let own = y % height;
        if own == 0 {
            self.band.fill(image, 0, y / height);
            self.rows.copy_within(height * length.., 0);
            let planes = self.band.planes().map(|plane| &plane.samples[..]).collect::<Vec<_>>();
            T::interleave(&planes, height.min(frame.height - y), w, &mut self.rows[length..]);
        }
        let (above, row) = self.rows[own * length..(own + 2) * length].split_at(length);
        [above, row]
    }
}

/// What the stages are for samples of 8 bits, and for those of more.
trait LosslessSample: Sample {
    /// The samples of a row of an image.
    fn row<'a>(image: &Image<'a>, y: usize) -> Layout<'a, Self>;

    /// Rows of planes in the order of the scan.
    fn interleave(planes: &[&[Self]], rows: usize, w: usize, packed: &mut [Self]);

    /// The differences of a row.
    fn differences(above: &[Self], row: &[Self], n: usize, prediction: Prediction, pt: u32, out: &mut [i16]);
}

impl LosslessSample for u8 {
    fn row<'a>(image: &Image<'a>, y: usize) -> Layout<'a, u8> {
        image.row(y)
    }

    fn interleave(planes: &[&[u8]], rows: usize, w: usize, packed: &mut [u8]) {
        interleave(planes, rows, w, packed);
    }

    fn differences(above: &[u8], row: &[u8], n: usize, prediction: Prediction, pt: u32, out: &mut [i16]) {
        differences(above, row, n, prediction, pt, out);
    }
}

impl LosslessSample for u16 {
    fn row<'a>(image: &Image<'a>, y: usize) -> Layout<'a, u16> {
        image.row16(y)
    }

    fn interleave(planes: &[&[u16]], rows: usize, w: usize, packed: &mut [u16]) {
        interleave16(planes, rows, w, packed);
    }

    fn differences(above: &[u16], row: &[u16], n: usize, prediction: Prediction, pt: u32, out: &mut [i16]) {
        differences16(above, row, n, prediction, pt, out);
    }
}
