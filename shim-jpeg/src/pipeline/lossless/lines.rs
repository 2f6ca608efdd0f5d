//! The rows of an image as the scan has them, and their differences.

use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;

use super::plan::LosslessPlan;
use crate::Image;
use crate::format::frame::{Frame, MAX_COMPONENTS};
use crate::kernels::lossless::{Prediction, differences, interleave};
use crate::transform::band::{Band, Conversion};
use crate::transform::sample::Sample;

/// The rows of an image in the order of the scan, and their differences.
pub(super) struct Lines<T> {
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
    /// The row of MCUs after those.
    next: usize,
}

impl<T: Sample> Source<T> {
    fn new(plan: &LosslessPlan, image: &Image<'_>) -> Self {
        let n = plan.frame.components.len();
        let length = n * plan.frame.width;
        let in_order =
            plan.conversion == Conversion::Separate { reversed: false } && image.raster::<T>().step() == n;
        if in_order {
            Self::InOrder(vec![T::default(); length])
        } else {
            Self::Packed(Packed {
                band: Band::new(&plan.frame, plan.conversion),
                rows: vec![T::default(); (1 + plan.frame.mcu_height()) * length],
                next: 0,
            })
        }
    }
}

impl<T: Sample> Lines<T> {
    pub(super) fn new(plan: &Arc<LosslessPlan>) -> Self {
        let length = plan.frame.components.len() * plan.frame.width;
        Self { plan: Arc::clone(plan), source: None, differences: vec![0; length] }
    }

    /// The differences of row `y` of an image whose first row is row `first`. Rows are asked for one after another,
    /// from any row of MCUs on that is in the image, but for the first with the one before it.
    pub(super) fn differences(&mut self, image: &Image<'_>, first: usize, y: usize) -> &[i16] {
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
        differences(above, row, n, prediction, (*pt).into(), &mut self.differences);
        &self.differences
    }

    /// Keeps the last row of an image, for the one that follows it.
    pub(super) fn keep_last(&mut self, image: &Image<'_>) {
        if let Some(Source::InOrder(last)) = &mut self.source {
            last.copy_from_slice(in_order(image, image.height() - 1));
        }
    }
}

/// Row `y` of an image whose memory is in the order of the scan.
fn in_order<'a, T: Sample>(image: &Image<'a>, y: usize) -> &'a [T] {
    image.raster().row(y).next().unwrap_or_default()
}

impl<T: Sample> Packed<T> {
    /// Row `y` and the one above it, of an image whose first row is row `first`; above the very first are any samples.
    fn rows(&mut self, image: &Image<'_>, first: usize, frame: &Frame, y: usize) -> [&[T]; 2] {
        let (w, n, height) = (frame.width, frame.components.len(), frame.mcu_height());
        let length = n * w;
        let own = y % height;
        if own == 0 {
            let index = y / height;
            // Without the rows before, the last of them is not there.
            for index in if index == 0 || index == self.next { index..=index } else { index - 1..=index } {
                self.band.fill(image, first, index);
                self.rows.copy_within(height * length.., 0);
                let mut planes = [&[][..]; MAX_COMPONENTS];
                for (own, plane) in planes.iter_mut().zip(self.band.planes()) {
                    *own = &plane.samples;
                }
                let rows = height.min(frame.height - height * index);
                interleave(&planes[..n], rows, w, &mut self.rows[length..]);
            }
            self.next = index + 1;
        }
        let (above, row) = self.rows[own * length..(own + 2) * length].split_at(length);
        [above, row]
    }
}
