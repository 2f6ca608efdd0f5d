//! One row of MCUs as planes of samples: the memory between colour conversion and transform.

use crate::frame::{BLOCK, Frame};
use crate::image::Image;
use crate::kernels::colour::{to_ycbcr, to_ycbcr_420};
use crate::kernels::downsample::downsample_2x2;

/// Columns of Y that are converted together where chrominance is computed at half the density.
const TILE: usize = 128;

/// The samples of one component in one row of MCUs.
#[derive(Debug, Default)]
pub(crate) struct Plane {
    /// Rows of `columns` samples, `rows` of them.
    pub(crate) samples: Vec<u8>,
    /// The rows that hold the image.
    pub(crate) rows: usize,
    /// Samples of a row.
    pub(crate) columns: usize,
}

impl Plane {
    fn new(most_rows: usize, columns: usize) -> Self {
        Self { samples: vec![0; most_rows * columns], rows: 0, columns }
    }
}

/// The planes of one row of MCUs, filled anew for each.
#[derive(Debug)]
pub(crate) struct Band {
    height: usize,
    mcu_side: usize,
    /// Y, Cb and Cr at the density of Y; in a grey frame, Y alone is filled, and so it is where Cb and Cr are computed at
    /// their own density.
    fine: [Plane; 3],
    /// Cb and Cr at half that density on both axes, if that is theirs.
    coarse: Option<[Plane; 2]>,
    /// Whether Cb and Cr are computed as `coarse`, without the density of Y first.
    at_own_density: bool,
}

impl Band {
    /// Memory for the rows of MCUs of a frame. If it is not to be exact, chrominance at half the density is computed at
    /// that density.
    pub(crate) fn new(frame: &Frame, exact: bool) -> Self {
        let mcu_side = frame.mcu_side();
        let halved = frame.factor == 2;
        let at_own_density = halved && !exact;
        let tiles = frame.width.div_ceil(TILE);
        // A row of averages fills the last block: they are not all equal where samples are repeated.
        let (columns, coarse_columns) = if at_own_density {
            (TILE * tiles, TILE / 2 * tiles)
        } else {
            (frame.width, BLOCK * frame.mcus_wide())
        };
        let fine = || if at_own_density { Plane::default() } else { Plane::new(mcu_side, columns) };
        let coarse = || Plane::new(BLOCK, coarse_columns);
        Self {
            height: frame.height,
            mcu_side,
            fine: [Plane::new(mcu_side, columns), fine(), fine()],
            coarse: halved.then(|| [coarse(), coarse()]),
            at_own_density,
        }
    }

    /// The planes as [`fill`](Self::fill) left them, in the order of the frame's components.
    pub(crate) fn planes(&self) -> [&Plane; 3] {
        let [y, cb, cr] = &self.fine;
        match &self.coarse {
            Some([cb, cr]) => [y, cb, cr],
            None => [y, cb, cr],
        }
    }

    /// Takes the pixels of the MCU row `index` of `image`, which has the frame's size.
    pub(crate) fn fill(&mut self, image: &Image<'_>, index: usize) {
        let first = index * self.mcu_side;
        let rows = self.mcu_side.min(self.height - first);
        if let (true, Some([cb, cr])) = (self.at_own_density, &mut self.coarse) {
            let y = &mut self.fine[0];
            let tiles = y.columns / TILE;
            to_ycbcr_420(image, first, rows, tiles, &mut y.samples, &mut cb.samples, &mut cr.samples);
            (y.rows, cb.rows, cr.rows) = (rows, rows.div_ceil(2), rows.div_ceil(2));
            return;
        }
        let [y, cb, cr] = &mut self.fine;
        to_ycbcr(image, first, rows, &mut y.samples, &mut cb.samples, &mut cr.samples);
        for plane in &mut self.fine {
            plane.rows = rows;
        }
        // Below the image, the averages are what is repeated: it costs fewer bits than averages of repeated samples.
        for (coarse, fine) in self.coarse.iter_mut().flatten().zip(&self.fine[1..]) {
            downsample_2x2(&fine.samples, rows, fine.columns, &mut coarse.samples, coarse.columns);
            coarse.rows = rows.div_ceil(2);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::Subsampling;

    #[test]
    fn chrominance_averages_repeated_samples_to_the_right() {
        // Three by two pixels of pure red and blue; Cr tells them apart: 255 and 107.
        let (red, blue) = ([255, 0, 0], [0, 0, 255]);
        let pixels = [red, red, blue, blue, red, red].concat();
        let image = Image::rgb(&pixels, 3, 2).unwrap();
        let mut band = Band::new(&Frame::new(3, 2, false, Subsampling::S420), true);
        band.fill(&image, 0);
        let cr = band.planes()[2];
        assert_eq!((cr.rows, cr.columns), (1, 8));
        // First square: red, red, blue, red. Second: blue and red, each repeated once. Further: the same again.
        let (first, second) = ((3 * 255 + 107 + 1) / 4, (2 * 107 + 2 * 255 + 2) / 4);
        assert_eq!(
            cr.samples[..8],
            [first, second, second, second, second, second, second, second].map(|v| v as u8)
        );
    }

    #[test]
    fn the_last_band_may_have_fewer_rows() {
        let pixels: Vec<u8> = (0..10 * 19).map(|i| i as u8).collect();
        let image = Image::grey(&pixels, 10, 19).unwrap();
        let mut band = Band::new(&Frame::new(10, 19, true, Subsampling::S420), true);
        for index in 0..3 {
            band.fill(&image, index);
            let plane = band.planes()[0];
            assert_eq!((plane.rows, plane.columns), ([8, 8, 3][index], 10));
            assert_eq!(plane.samples[..10 * plane.rows], pixels[80 * index..][..10 * plane.rows]);
        }
    }
}
