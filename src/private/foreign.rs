//! Arrays and pictures of other crates at a kernel's entry.

#[cfg(any(feature = "ndarray", feature = "image"))]
use super::parts::{Readable, Writable};
#[cfg(any(feature = "ndarray", feature = "image"))]
use shim_core::{Parts, PartsError, PartsMut};

#[cfg(feature = "ndarray")]
mod arrays {
    use super::{Parts, PartsError, PartsMut, Readable, Writable};
    use ndarray::{ArrayBase, Data, DataMut, Ix1, Ix2, Ix3, Ix4, Ix5, Ix6};

    /// How far the first element is behind the beginning of the memory, where the elements lie without gaps.
    fn base<const N: usize>(extents: [usize; N], strides: [isize; N]) -> isize {
        let axes = extents.into_iter().zip(strides);
        axes.map(|(extent, stride)| (-stride).max(0) * extent.saturating_sub(1) as isize).sum()
    }

    /// That `count` elements without gaps are those of a box.
    fn fits<const N: usize>(extents: [usize; N], count: usize) -> Result<(), PartsError> {
        if extents.into_iter().product::<usize>() == count { Ok(()) } else { Err(PartsError::Gaps) }
    }

    macro_rules! ranks {
        ($($rank:literal $dim:ident)*) => {$(
            impl<S: Data<Elem = T>, T> Readable<T, $rank> for ArrayBase<S, $dim> {
                fn read_parts(&self) -> Result<Parts<'_, T, $rank>, PartsError> {
                    let memory = self.as_slice_memory_order().ok_or(PartsError::Gaps)?;
                    let (extents, strides) = shape::<$rank>(self.shape(), self.strides());
                    fits(extents, memory.len())?;
                    Ok(Parts { memory, base: base(extents, strides), extents, strides })
                }
            }

            impl<S: DataMut<Elem = T>, T> Writable<T, $rank> for ArrayBase<S, $dim> {
                fn write_parts(&mut self) -> Result<PartsMut<'_, T, $rank>, PartsError> {
                    let (extents, strides) = shape::<$rank>(self.shape(), self.strides());
                    let memory = self.as_slice_memory_order_mut().ok_or(PartsError::Gaps)?;
                    fits(extents, memory.len())?;
                    Ok(PartsMut { memory, base: base(extents, strides), extents, strides })
                }
            }
        )*};
    }

    /// Extents and strides; those of an axis with one element, which may be any, are zero.
    fn shape<const N: usize>(shape: &[usize], strides: &[isize]) -> ([usize; N], [isize; N]) {
        let extents: [usize; N] = core::array::from_fn(|axis| shape[axis]);
        (extents, core::array::from_fn(|axis| if extents[axis] < 2 { 0 } else { strides[axis] }))
    }

    ranks!(1 Ix1 2 Ix2 3 Ix3 4 Ix4 5 Ix5 6 Ix6);
}

#[cfg(feature = "image")]
mod pictures {
    use super::{Parts, PartsError, PartsMut, Readable, Writable};
    use core::ops::{Deref, DerefMut};
    use image::{ImageBuffer, Luma, Pixel, Primitive};

    /// The extents of a picture and their strides, if its memory holds it: a container of a user's may give another slice
    /// each time, and a pixel of a user's have any number of channels.
    fn shape([h, w, channels]: [usize; 3], length: usize) -> Result<([usize; 3], [isize; 3]), PartsError> {
        let row = w.checked_mul(channels).ok_or(PartsError::Gaps)?;
        let count = row.checked_mul(h).filter(|count| *count <= length).ok_or(PartsError::Gaps)?;
        // A slice has no more elements than `isize` holds.
        let row = if count == 0 { 0 } else { row };
        Ok(([h, w, channels], [row as isize, channels as isize, 1]))
    }

    fn extents<P: Pixel, C: Deref<Target = [P::Subpixel]>>(picture: &ImageBuffer<P, C>) -> [usize; 3] {
        let (w, h) = picture.dimensions();
        [h as usize, w as usize, usize::from(P::CHANNEL_COUNT)]
    }

    impl<P: Pixel, C: Deref<Target = [P::Subpixel]>> Readable<P::Subpixel, 3> for ImageBuffer<P, C> {
        fn read_parts(&self) -> Result<Parts<'_, P::Subpixel, 3>, PartsError> {
            let memory: &[P::Subpixel] = self;
            let (extents, strides) = shape(extents(self), memory.len())?;
            Ok(Parts { memory, base: 0, extents, strides })
        }
    }

    impl<P: Pixel, C: DerefMut<Target = [P::Subpixel]>> Writable<P::Subpixel, 3> for ImageBuffer<P, C> {
        fn write_parts(&mut self) -> Result<PartsMut<'_, P::Subpixel, 3>, PartsError> {
            let extents = extents(self);
            let memory: &mut [P::Subpixel] = self;
            let (extents, strides) = shape(extents, memory.len())?;
            Ok(PartsMut { memory, base: 0, extents, strides })
        }
    }

    impl<T: Primitive, C: Deref<Target = [T]>> Readable<T, 2> for ImageBuffer<Luma<T>, C> {
        fn read_parts(&self) -> Result<Parts<'_, T, 2>, PartsError> {
            let memory: &[T] = self;
            let ([h, w, _], [row, ..]) = shape(extents(self), memory.len())?;
            Ok(Parts { memory, base: 0, extents: [h, w], strides: [row, 1] })
        }
    }

    impl<T: Primitive, C: DerefMut<Target = [T]>> Writable<T, 2> for ImageBuffer<Luma<T>, C> {
        fn write_parts(&mut self) -> Result<PartsMut<'_, T, 2>, PartsError> {
            let extents = extents(self);
            let memory: &mut [T] = self;
            let ([h, w, _], [row, ..]) = shape(extents, memory.len())?;
            Ok(PartsMut { memory, base: 0, extents: [h, w], strides: [row, 1] })
        }
    }
}
