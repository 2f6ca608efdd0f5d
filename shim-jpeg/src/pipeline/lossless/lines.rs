//! The rows of an image as the scan has them, and their differences.

use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

use super::plan::LosslessPlan;
use crate::format::frame::{Frame, MAX_COMPONENTS};
use crate::kernels::lossless::{Prediction, differences, interleave};
use crate::pipeline::driver::Source;
use crate::transform::mcu_row::{Conversion, McuRow};
use crate::transform::sample::Sample;
use crate::{Error, Image};

/// The rows of an image in the order of the scan, and their differences.
pub(super) struct Lines<T> {
    plan: Arc<LosslessPlan>,
    layout: Option<Layout<T>>,
    differences: Vec<i16>,
}

/// Where the lines are.
enum Layout<T> {
    /// In the image, whose memory is in the order of the scan; and the last row of the strip before.
    InOrder(Vec<T>),
    Packed(Packed<T>),
}

/// Rows that do not lie in memory as the scan has them.
struct Packed<T> {
    mcu_row: McuRow<T>,
    /// The last row of the rows before, and rows from a multiple of their number on.
    rows: Vec<T>,
    /// The row of MCUs after those.
    next: usize,
}

impl<T: Sample> Layout<T> {
    fn new(plan: &LosslessPlan, image: &Image<'_>) -> Self {
        let n = plan.frame.components.len();
        let length = n * plan.frame.width;
        let in_order =
            plan.conversion == Conversion::Separate { reversed: false } && image.raster::<T>().step() == n;
        if in_order {
            Self::InOrder(vec![T::default(); length])
        } else {
            Self::Packed(Packed {
                mcu_row: McuRow::new(&plan.frame, plan.conversion, false, false),
                rows: vec![T::default(); (1 + plan.frame.mcu_height()) * length],
                next: 0,
            })
        }
    }
}

impl<T: Sample> Lines<T> {
    pub(super) fn new(plan: &Arc<LosslessPlan>) -> Self {
        Self { plan: Arc::clone(plan), layout: None, differences: vec![0; plan.line_length()] }
    }
}

impl<T: Sample> Source for Lines<T> {
    type Unit = [i16];

    /// Makes the differences of each line. Rows may begin anywhere in the image; without a strip before, the image has
    /// the line above them.
    fn units(
        &mut self,
        image: &Image<'_>,
        above: usize,
        rows: Range<usize>,
        mut code: impl FnMut(&mut [i16]) -> Result<(), Error>,
    ) -> Result<usize, Error> {
        let Self { plan, layout, differences: out } = self;
        let LosslessPlan { frame, predictor, point_transform: pt, interval, .. } = &**plan;
        let (height, n) = (frame.mcu_height(), frame.components.len());
        let layout = layout.get_or_insert_with(|| Layout::new(plan, image));
        for y in height * rows.start..frame.height.min(height * (rows.start + 1)) {
            let begins = y == 0 || (*interval > 0 && y.is_multiple_of(usize::from(*interval) / frame.width));
            let prediction = if begins {
                Prediction::First(1 << (frame.bits - pt - 1))
            } else {
                Prediction::By(*predictor as u8)
            };
            let [before, line] = match layout {
                Layout::InOrder(last) => {
                    let before = if y > above { in_order(image, y - above - 1) } else { &last[..] };
                    [before, in_order(image, y - above)]
                }
                Layout::Packed(packed) => packed.rows(image, above, frame, y),
            };
            differences(before, line, n, prediction, (*pt).into(), out);
            code(out)?;
        }
        Ok(1)
    }

    /// Keeps the last line, for the one below it.
    fn end_of_strip(&mut self, image: &Image<'_>) {
        if let Some(Layout::InOrder(last)) = &mut self.layout {
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
                self.mcu_row.fill(image, first, index..index + 1);
                self.rows.copy_within(height * length.., 0);
                let mut planes = [&[][..]; MAX_COMPONENTS];
                for (own, plane) in planes.iter_mut().zip(self.mcu_row.planes()) {
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
