//! Arrays of `ndarray` and pictures of `image` as parameters of kernels.

use image::{GrayImage, ImageBuffer, Luma, Rgb, RgbImage};
use ndarray::{Array2, ArrayView, ArrayView1, ArrayView2, ArrayViewMut2, Ix2, ShapeBuilder as _, array};
use shim::prelude::*;

#[shim::kernel]
fn product(a: ArrayView2<'_, f32>, b: &Array2<f32>, mut c: ArrayViewMut2<'_, f32>) {
    for [i, j] in c.indices() {
        for k in 0..a.extent(1) {
            c[[i, j]] += a[[i, k]] * b[[k, j]];
        }
    }
}

#[shim::kernel]
fn blurred(src: ArrayView<'_, u8, Ix2>, out: &mut Array2<u8>) {
    let src = src.boundary(Clamp).cast::<u16>();
    for [y, x] in out.indices() {
        out[[y, x]] = ((src[[y, x - 1]] + 2 * src[[y, x]] + src[[y, x + 1]]) / 4) as u8;
    }
}

#[shim::kernel]
fn sum(v: ArrayView1<'_, u32>) -> u32 {
    v.indices().map(|[i]| v[[i]]).sum::<u32>()
}

#[shim::kernel]
fn gray(src: &RgbImage, out: &mut GrayImage) {
    let src = src.cast::<u32>();
    for [y, x] in out.indices() {
        out[[y, x]] = ((77 * src[[y, x, 0]] + 150 * src[[y, x, 1]] + 29 * src[[y, x, 2]] + 128) / 256) as u8;
    }
}

#[shim::kernel]
fn brighter(picture: &mut ImageBuffer<Rgb<u16>, Vec<u16>>, depth: &ImageBuffer<Luma<u16>, Vec<u16>>) {
    for [y, x, c] in picture.indices() {
        picture[[y, x, c]] += depth[[y, x]];
    }
}

#[test]
fn arrays_in_any_order_of_axes() {
    let (a, b) = (array![[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], array![[1.0, 0.0], [0.0, 1.0], [2.0, 2.0]]);
    let mut c = Array2::zeros((2, 2));
    product(a.view(), &b, c.view_mut());
    assert_eq!(c, a.dot(&b));
    // Columns first, and backwards.
    let (turned, mut reversed) = (b.t().to_owned(), a.clone());
    reversed.invert_axis(ndarray::Axis(0));
    let mut turned_back = turned.clone().reversed_axes();
    turned_back.invert_axis(ndarray::Axis(1));
    let mut c = Array2::zeros((2, 2).f());
    product(reversed.view(), &turned_back, c.view_mut());
    assert_eq!(c, reversed.dot(&turned_back));
    let mut empty = Array2::<f32>::zeros((0, 2));
    product(Array2::zeros((0, 3)).view(), &b, empty.view_mut());
    assert_eq!(sum(array![1, 2, 3].view()), 6);
    let mut row = array![1, 2, 3];
    row.invert_axis(ndarray::Axis(0));
    assert_eq!(sum(row.view()), 6);
}

#[test]
fn rows_of_an_array() {
    let image = Array2::from_shape_fn((5, 4), |(y, x)| (10 * y + x) as u8);
    let mut out = Array2::zeros((2, 4));
    blurred(image.slice(ndarray::s![1..3, ..]), &mut out);
    assert_eq!(out, array![[10, 11, 12, 12], [20, 21, 22, 22]]);
}

#[test]
#[should_panic(expected = "`sum` cannot take `v`: the elements of the array have gaps between them")]
fn a_column_has_gaps() {
    let image = Array2::<u32>::zeros((5, 4));
    let _ = sum(image.column(1));
}

#[test]
fn pictures_of_samples_and_of_pixels() {
    let picture = RgbImage::from_fn(3, 2, |x, y| Rgb([(40 * x) as u8, (90 * y) as u8, 255]));
    let mut out = GrayImage::new(3, 2);
    gray(&picture, &mut out);
    for (x, y, pixel) in picture.enumerate_pixels() {
        let [r, g, b] = pixel.0.map(u32::from);
        assert_eq!(u32::from(out.get_pixel(x, y).0[0]), (77 * r + 150 * g + 29 * b + 128) / 256);
    }
    let mut wide = ImageBuffer::from_pixel(2, 2, Rgb([1_u16, 2, 3]));
    brighter(&mut wide, &ImageBuffer::from_fn(2, 2, |x, y| Luma([(100 * y + 10 * x) as u16])));
    assert_eq!(wide.get_pixel(1, 1).0, [111, 112, 113]);
    gray(&RgbImage::new(0, 0), &mut GrayImage::new(0, 0));
}

#[test]
#[should_panic(expected = "`gray` reaches outside of `src`")]
fn a_picture_that_is_too_small() {
    gray(&RgbImage::new(2, 2), &mut GrayImage::new(3, 2));
}
