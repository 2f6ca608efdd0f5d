//! The lossless process, SOF3 (T.81 Annex H): one scan of all components, H = V = 1, row after row.
//!
//! Tables that fit the image are made by predicting it twice: differences take less time than memory for them would.

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

use crate::band::{Band, Conversion};
use crate::bits::{Bits, Sink};
use crate::encoder::{Encoder, Sampling};
use crate::frame::{ColourSpace, Frame, MAX_COMPONENTS};
use crate::image::{Layout, Shape};
use crate::kernels::lossless::{
    CATEGORIES, DIFFERENCE_BYTES, DifferenceCodes, Prediction, count, differences, differences16, greatest,
    interleave, interleave16, put_differences,
};
use crate::marker::{self, END_OF_IMAGE, FrameKind};
use crate::optimal;
use crate::process::Process;
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
    pub(crate) frame: Frame,
    pub(crate) headers: Vec<u8>,
    conversion: Conversion,
    predictor: Predictor,
    point_transform: u8,
    optimised: bool,
    /// Ri.
    interval: u16,
}

impl LosslessPlan {
    /// The plan for images of a shape.
    ///
    /// # Errors
    ///
    /// All that the settings and the shape can be at fault with.
    pub(crate) fn new(
        encoder: &Encoder,
        predictor: Predictor,
        point_transform: u8,
        shape: Shape,
    ) -> Result<Self, Error> {
        let Shape { width, height, bits, pixels, .. } = shape;
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
        let frame = Frame::new([width, height], bits, space, &factors)?;
        let interval = interval(encoder.restart, frame.width)?;
        let headers = marker::headers(&frame, FrameKind::Lossless, &[], &encoder.metadata)?;
        let optimised = encoder.optimised.unwrap_or(true);
        Ok(Self { frame, headers, conversion, predictor, point_transform, optimised, interval })
    }

    /// The process that takes the image row by row. If tables are to fit it, it keeps its differences.
    pub(crate) fn process(self: &Arc<Self>, shape: Shape) -> Box<dyn Process> {
        if shape.bytes { Box::new(Lossless::<u8>::new(self)) } else { Box::new(Lossless::<u16>::new(self)) }
    }

    /// Encodes a whole image by tables that fit it, which are made by predicting it twice.
    ///
    /// # Errors
    ///
    /// Those of the sink.
    pub(crate) fn encode(
        self: &Arc<Self>,
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

    /// Whether tables are to fit the image.
    pub(crate) fn is_optimised(&self) -> bool {
        self.optimised
    }

    fn encode_samples<T: LosslessSample>(
        self: &Arc<Self>,
        image: &Image<'_>,
        sink: &mut Sink<'_>,
        progress: &mut dyn FnMut(usize, usize),
    ) -> Result<(), Error> {
        sink(&self.headers)?;
        let height = self.frame.height;
        let mut progress = |pass: usize, y: usize| {
            if (y + 1).is_multiple_of(16) || y + 1 == height {
                progress((pass * height + y).div_ceil(2), height);
            }
        };
        let mut lines = Lines::<T>::new(self);
        let mut counts = Counts::default();
        for y in 0..height {
            self.count(lines.differences(image, 0, y), &mut counts);
            progress(0, y);
        }
        let mut coder = Coder::new(self, &counts.map(|counts| table(&counts)), sink)?;
        for y in 0..height {
            coder.line(lines.differences(image, 0, y), sink)?;
            progress(1, y);
        }
        coder.bits.finish(sink)?;
        sink(&END_OF_IMAGE)
    }

    /// Td of each component.
    fn destinations(&self) -> [usize; MAX_COMPONENTS] {
        core::array::from_fn(|c| self.frame.components.get(c).map_or(0, |component| component.table.into()))
    }

    /// Adds to the counts of each table what it has to code in a row.
    fn count(&self, row: &[i16], counts: &mut Counts) {
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
    optimal::table(&core::array::from_fn(|v| counts.get(v).copied().unwrap_or(0)))
}

/// How often each category occurs, by the table of its component.
type Counts = [[u64; CATEGORIES]; 2];

/// The coder of the scan.
struct Coder {
    plan: Arc<LosslessPlan>,
    codes: DifferenceCodes,
    bits: Bits,
    intervals: Intervals,
}

impl Coder {
    /// Begins the scan by these tables.
    fn new(
        plan: &Arc<LosslessPlan>,
        tables: &[HuffmanSpecification; 2],
        sink: &mut Sink<'_>,
    ) -> Result<Self, Error> {
        sink(&plan.scan_header(tables))?;
        let codes = tables.each_ref().map(HuffmanSpecification::codes);
        let length = plan.frame.components.len() * plan.frame.width;
        Ok(Self {
            codes: DifferenceCodes::new(codes.each_ref(), plan.destinations()),
            bits: Bits::new(PIECE + DIFFERENCE_BYTES * length),
            intervals: Intervals::new(plan.interval),
            plan: Arc::clone(plan),
        })
    }

    /// Codes the differences of a row.
    fn line(&mut self, differences: &[i16], sink: &mut Sink<'_>) -> Result<(), Error> {
        let Self { plan, codes, bits, intervals } = self;
        if let (_, Some(marker)) = intervals.take(plan.frame.width) {
            bits.restart(marker, sink)?;
        }
        put_differences(differences, plan.frame.components.len(), codes, &mut bits.raw, &mut bits.position);
        if bits.position.bytes >= PIECE { bits.flush(sink) } else { Ok(()) }
    }
}

/// The process for images that come in strips.
struct Lossless<T: LosslessSample> {
    plan: Arc<LosslessPlan>,
    lines: Lines<T>,
    /// The coder, once the tables are known.
    coder: Option<Coder>,
    /// Differences that wait for tables, and what they count.
    waiting: Vec<i16>,
    counts: Counts,
}

impl<T: LosslessSample> Lossless<T> {
    fn new(plan: &Arc<LosslessPlan>) -> Self {
        Self {
            plan: Arc::clone(plan),
            lines: Lines::new(plan),
            coder: None,
            waiting: Vec::new(),
            counts: Counts::default(),
        }
    }
}

impl<T: LosslessSample> Process for Lossless<T> {
    fn begin(&mut self, sink: &mut Sink<'_>) -> Result<(), Error> {
        if !self.plan.optimised {
            let tables = [(); 2].map(|()| typical_differences(self.plan.frame.bits));
            self.coder = Some(Coder::new(&self.plan, &tables, sink)?);
        }
        Ok(())
    }

    fn rows(
        &mut self,
        image: &Image<'_>,
        above: usize,
        indices: Range<usize>,
        sink: &mut Sink<'_>,
        done: &mut dyn FnMut(usize),
    ) -> Result<(), Error> {
        let Self { plan, lines, coder, waiting, counts } = self;
        let (height, rows) = (plan.frame.height, plan.frame.mcu_height());
        for y in rows * indices.start..height.min(rows * indices.end) {
            let differences = lines.differences(image, above, y);
            if let Some(coder) = coder {
                coder.line(differences, sink)?;
            } else {
                plan.count(differences, counts);
                waiting.extend_from_slice(differences);
            }
            if (y + 1).is_multiple_of(rows) || y + 1 == height {
                done((y + 1).div_ceil(rows));
            }
        }
        lines.keep_last(image);
        Ok(())
    }

    fn end(&mut self, sink: &mut Sink<'_>, _progress: &mut dyn FnMut(usize, usize)) -> Result<(), Error> {
        let Self { plan, coder, waiting, counts, .. } = self;
        let coder = match coder {
            Some(coder) => coder,
            None => coder.insert(Coder::new(plan, &counts.map(|counts| table(&counts)), sink)?),
        };
        for line in waiting.chunks(plan.frame.components.len() * plan.frame.width) {
            coder.line(line, sink)?;
        }
        coder.bits.finish(sink)
    }
}

/// Whether an image has only samples of the bits that it is said to have.
///
/// # Errors
///
/// [`Error::Sample`].
pub(crate) fn check(image: &Image<'_>) -> Result<(), Error> {
    let Shape { bits, bytes, height, .. } = image.shape();
    let most = u16::MAX >> (16 - bits);
    let above = (0..height).filter(|_| !bytes).map(|y| greatest(image, y)).find(|&sample| sample > most);
    above.map_or(Ok(()), |sample| Err(Error::Sample { sample, bits }))
}

/// The rows of an image in the order of the scan, and their differences.
struct Lines<T> {
    plan: Arc<LosslessPlan>,
    source: Option<Source<T>>,
    differences: Vec<i16>,
}

/// Where rows are found.
enum Source<T> {
    /// In the image, whose memory is in the order of the scan; and the last row of the strip before.
    InOrder(Vec<T>),
    Packed(Packed<T>),
}

/// Rows that do not lie in memory as the scan has them.
struct Packed<T> {
    band: Band<T>,
    /// The last row of the rows before, and rows from a multiple of their number on.
    rows: Vec<T>,
}

impl<T: LosslessSample> Source<T> {
    fn new(plan: &LosslessPlan, image: &Image<'_>) -> Self {
        let n = plan.frame.components.len();
        let length = n * plan.frame.width;
        let in_order = plan.conversion == Conversion::Separate { reversed: false }
            && match T::row(image, 0) {
                Layout::Interleaved(row) => row.len() == length,
                Layout::Planar(_) => n == 1,
            };
        if in_order {
            Self::InOrder(vec![T::default(); length])
        } else {
            Self::Packed(Packed {
                band: Band::new(&plan.frame, plan.conversion),
                rows: vec![T::default(); (1 + plan.frame.mcu_height()) * length],
            })
        }
    }
}

impl<T: LosslessSample> Lines<T> {
    fn new(plan: &Arc<LosslessPlan>) -> Self {
        let length = plan.frame.components.len() * plan.frame.width;
        Self { plan: Arc::clone(plan), source: None, differences: vec![0; length] }
    }

    /// The differences of row `y`; rows are asked for one after another, from an image whose first row is row `first`.
    fn differences(&mut self, image: &Image<'_>, first: usize, y: usize) -> &[i16] {
        let LosslessPlan { frame, predictor, point_transform: pt, interval, .. } = &*self.plan;
        let n = frame.components.len();
        let begins = y == 0 || (*interval > 0 && y.is_multiple_of(usize::from(*interval) / frame.width));
        let prediction = if begins {
            Prediction::First(1 << (frame.bits - pt - 1))
        } else {
            Prediction::By(*predictor as u8)
        };
        let [above, row] = match self.source.get_or_insert_with(|| Source::new(&self.plan, image)) {
            Source::InOrder(last) => {
                let above = if y > first { in_order(image, y - first - 1) } else { &last[..] };
                [above, in_order(image, y - first)]
            }
            Source::Packed(packed) => packed.rows(image, first, frame, y),
        };
        T::differences(above, row, n, prediction, (*pt).into(), &mut self.differences);
        &self.differences
    }

    /// Keeps the last row of an image, for the one that follows it.
    fn keep_last(&mut self, image: &Image<'_>) {
        if let Some(Source::InOrder(last)) = &mut self.source {
            last.copy_from_slice(in_order(image, image.height() - 1));
        }
    }
}

/// Row `y` of an image whose memory is in the order of the scan.
fn in_order<'a, T: LosslessSample>(image: &Image<'a>, y: usize) -> &'a [T] {
    match T::row(image, y) {
        Layout::Interleaved(row) | Layout::Planar([row, ..]) => row,
    }
}

impl<T: LosslessSample> Packed<T> {
    /// Row `y` and the one above it, of an image whose first row is row `first`; above the very first are any samples.
    fn rows(&mut self, image: &Image<'_>, first: usize, frame: &Frame, y: usize) -> [&[T]; 2] {
        let (w, n, height) = (frame.width, frame.components.len(), frame.mcu_height());
        let length = n * w;
        let own = y % height;
        if own == 0 {
            self.band.fill(image, first, y / height);
            self.rows.copy_within(height * length.., 0);
            let mut planes = [&[][..]; MAX_COMPONENTS];
            for (own, plane) in planes.iter_mut().zip(self.band.planes()) {
                *own = &plane.samples;
            }
            T::interleave(&planes[..n], height.min(frame.height - y), w, &mut self.rows[length..]);
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
