use super::*;
use crate::status::*;
use std::ptr::null;

/// RGB of 8 bits, interleaved and without gaps.
pub(crate) fn rgb(samples: &[u8], width: u32, height: u32) -> Image {
    let mut image = Image {
        struct_size: size_of::<Image>(),
        width,
        height,
        pixels: SHIM_JPEG_PIXELS_RGB,
        sample_bytes: 1,
        bits: 8,
        plane_count: 1,
        stride: 0,
        planes: [null(); 4],
        plane_sizes: [0; 4],
        chroma_stride: 0,
    };
    image.planes[0] = samples.as_ptr().cast();
    image.plane_sizes[0] = samples.len();
    image
}

/// What `change` makes of a picture of 4x2 pixels in 24 bytes, as the encoder gets it: its file, or the status.
fn encoded(change: impl FnOnce(&mut Image)) -> Result<Vec<u8>, Status> {
    let samples: Vec<u8> = (0..24).map(|i| i * 10).collect();
    let mut image = rgb(&samples, 4, 2);
    change(&mut image);
    encode(&image)
}

fn encode(image: &Image) -> Result<Vec<u8>, Status> {
    // SAFETY: the tests change pointers to null or to as much as they say.
    let description = unsafe { Description::read(image) }.map_err(|failure| failure.status)?;
    let file = description.with(|image| Ok(shim_jpeg::Encoder::new().encode(image)?));
    file.map_err(|failure| failure.status)
}

#[test]
fn what_is_no_image_is_refused() {
    let refused = |change: fn(&mut Image), status| assert_eq!(encoded(change), Err(status));
    assert!(encoded(|_| ()).is_ok());
    refused(|image| image.struct_size = 0, SHIM_ERROR_STRUCT_SIZE);
    refused(|image| image.struct_size -= 1, SHIM_ERROR_STRUCT_SIZE);
    refused(|image| image.struct_size = usize::MAX, SHIM_ERROR_STRUCT_SIZE);
    refused(|image| image.width = 0, SHIM_ERROR_DIMENSIONS);
    refused(|image| image.height = 0, SHIM_ERROR_DIMENSIONS);
    refused(|image| image.width = u32::MAX, SHIM_ERROR_DIMENSIONS);
    refused(|image| image.height = 65_536, SHIM_ERROR_DIMENSIONS);
    refused(|image| image.pixels = 13, SHIM_ERROR_VALUE);
    refused(|image| image.pixels = u32::MAX, SHIM_ERROR_VALUE);
    refused(|image| image.sample_bytes = 0, SHIM_ERROR_VALUE);
    refused(|image| image.sample_bytes = 3, SHIM_ERROR_VALUE);
    refused(|image| image.bits = 12, SHIM_ERROR_BITS);
    refused(|image| image.bits = 256 + 8, SHIM_ERROR_BITS);
    refused(|image| image.plane_count = 0, SHIM_ERROR_PLANES);
    refused(|image| image.plane_count = 5, SHIM_ERROR_PLANES);
    refused(|image| image.plane_count = u32::MAX, SHIM_ERROR_PLANES);
    refused(|image| image.stride = 11, SHIM_ERROR_STRIDE);
    refused(|image| image.stride = usize::MAX, SHIM_ERROR_TOO_FEW_SAMPLES);
    refused(|image| image.planes[0] = null(), SHIM_ERROR_NULL);
    refused(|image| image.plane_sizes[0] = 23, SHIM_ERROR_TOO_FEW_SAMPLES);
    refused(|image| image.plane_sizes[0] = 0, SHIM_ERROR_TOO_FEW_SAMPLES);
    refused(|image| image.plane_sizes[0] = usize::MAX, SHIM_ERROR_VALUE);
    // SAFETY: null is always allowed.
    let Err(failure) = (unsafe { Description::read(null()) }) else { panic!("null is no image") };
    assert_eq!(failure.status, SHIM_ERROR_NULL);
}

#[test]
fn planes_are_as_many_as_samples_and_large_enough() {
    let plane = [50_u8; 8];
    let planar = |change: &dyn Fn(&mut Image)| {
        encoded(|image| {
            image.plane_count = 3;
            image.planes = [plane.as_ptr().cast(), plane.as_ptr().cast(), plane.as_ptr().cast(), null()];
            image.plane_sizes = [8, 8, 8, 0];
            change(image);
        })
    };
    assert!(planar(&|_| ()).is_ok());
    assert_eq!(planar(&|image| image.plane_count = 2), Err(SHIM_ERROR_PLANES));
    assert_eq!(planar(&|image| image.planes[2] = null()), Err(SHIM_ERROR_NULL));
    assert_eq!(planar(&|image| image.plane_sizes[1] = 7), Err(SHIM_ERROR_TOO_FEW_SAMPLES));
    assert_eq!(planar(&|image| image.stride = 3), Err(SHIM_ERROR_STRIDE));
    // A fourth plane that is not looked at need not be there; the K of CMYK does.
    let four = |pixels| {
        planar(&|image| {
            image.plane_count = 4;
            image.pixels = pixels;
        })
    };
    assert!(four(SHIM_JPEG_PIXELS_RGBA).is_ok());
    assert_eq!(four(SHIM_JPEG_PIXELS_RGBA), four(SHIM_JPEG_PIXELS_BGRA));
    assert_eq!(four(SHIM_JPEG_PIXELS_CMYK), Err(SHIM_ERROR_NULL));
}

#[test]
fn every_layout_is_the_encoders() {
    use shim_jpeg::Pixels as P;
    let samples: Vec<u8> = (0..40 * 3 * 4).map(|i: usize| (i * 37 % 256) as u8).collect();
    for (constant, pixels) in [
        (SHIM_JPEG_PIXELS_RGB, P::Rgb),
        (SHIM_JPEG_PIXELS_BGR, P::Bgr),
        (SHIM_JPEG_PIXELS_RGBA, P::Rgba),
        (SHIM_JPEG_PIXELS_BGRA, P::Bgra),
        (SHIM_JPEG_PIXELS_GRAY, P::Gray),
        (SHIM_JPEG_PIXELS_YCBCR, P::YCbCr),
        (SHIM_JPEG_PIXELS_CMYK, P::Cmyk),
        (SHIM_JPEG_PIXELS_YCCK, P::Ycck),
    ] {
        let wanted = |image: Result<shim_jpeg::Image<'_>, _>| {
            Ok(shim_jpeg::Encoder::new().encode(&image.unwrap()).unwrap())
        };
        let mut image = rgb(&samples, 9, 3);
        (image.pixels, image.stride) = (constant, 37);
        let interleaved = shim_jpeg::Image::interleaved(&samples, pixels, 9, 3, 37);
        assert_eq!(encode(&image), wanted(interleaved), "{pixels:?}");

        let planes = [&samples[..], &samples[100..], &samples[200..], &samples[300..]];
        image.plane_count = pixels.samples() as u32;
        image.planes = planes.map(|plane| plane.as_ptr().cast());
        image.plane_sizes = planes.map(<[u8]>::len);
        let planar = shim_jpeg::Image::planar(&planes[..pixels.samples()], pixels, 9, 3, 37);
        assert_eq!(encode(&image), wanted(planar), "{pixels:?}");
    }
}

#[test]
fn samples_of_two_bytes_are_aligned_and_have_even_strides() {
    let samples: Vec<u16> = (0..26).map(|i| i * 150).collect();
    let words = |change: &dyn Fn(&mut Image)| {
        let mut image = rgb(&[], 4, 2);
        (image.sample_bytes, image.bits, image.stride) = (2, 12, 26);
        (image.planes[0], image.plane_sizes[0]) = (samples.as_ptr().cast(), 52);
        change(&mut image);
        encode(&image)
    };
    let encoder = shim_jpeg::Encoder::new();
    let image = shim_jpeg::Image::interleaved16(&samples, 12, shim_jpeg::Pixels::Rgb, 4, 2, 13).unwrap();
    assert_eq!(words(&|_| ()), Ok(encoder.encode(&image).unwrap()));
    let image = shim_jpeg::Image::interleaved16(&samples, 12, shim_jpeg::Pixels::Rgb, 4, 2, 12).unwrap();
    assert_eq!(words(&|image| image.stride = 0), Ok(encoder.encode(&image).unwrap()));
    let planes = [&samples[..8], &samples[8..16], &samples[16..]];
    let image = shim_jpeg::Image::planar16(&planes, 12, shim_jpeg::Pixels::Rgb, 4, 2, 4).unwrap();
    let planar = words(&|image| {
        (image.plane_count, image.stride) = (3, 0);
        for (i, plane) in planes.iter().enumerate() {
            (image.planes[i], image.plane_sizes[i]) = (plane.as_ptr().cast(), 2 * plane.len());
        }
    });
    assert_eq!(planar, Ok(encoder.encode(&image).unwrap()));

    assert_eq!(words(&|image| image.stride = 25), Err(SHIM_ERROR_STRIDE));
    assert_eq!(words(&|image| image.plane_sizes[0] = 49), Err(SHIM_ERROR_TOO_FEW_SAMPLES));
    assert_eq!(words(&|image| image.bits = 1), Err(SHIM_ERROR_BITS));
    assert_eq!(words(&|image| image.bits = 17), Err(SHIM_ERROR_BITS));
    assert_eq!(words(&|image| image.bits = 10), Err(SHIM_ERROR_BITS));
    let odd = words(&|image| {
        image.planes[0] = image.planes[0].wrapping_byte_add(1);
        image.plane_sizes[0] = 51;
    });
    assert_eq!(odd, Err(SHIM_ERROR_ALIGNMENT));
    assert_eq!(words(&|image| image.plane_sizes[0] = 0), Err(SHIM_ERROR_TOO_FEW_SAMPLES));
}

#[test]
fn subsampled_planes_are_the_encoders() {
    let samples: Vec<u8> = (0..200).map(|i| (i * 37 % 256) as u8).collect();
    for (constant, subsampling, [chroma_width, chroma_height]) in [
        (SHIM_JPEG_PIXELS_YCBCR_420, Subsampling::S420, [5, 3]),
        (SHIM_JPEG_PIXELS_YCBCR_422, Subsampling::S422, [5, 5]),
        (SHIM_JPEG_PIXELS_YCBCR_440, Subsampling::S440, [9, 3]),
        (SHIM_JPEG_PIXELS_YCBCR_411, Subsampling::S411, [3, 5]),
    ] {
        let encoder = shim_jpeg::Encoder::new().subsampling(subsampling);
        // 9x5 pixels. A plane need not have what would follow its last row.
        for (stride, chroma_stride) in [(0, 0), (11, 0), (0, 10), (11, 10)] {
            let own = |given, width| if given == 0 { width } else { given };
            let strides = [own(stride, 9), own(chroma_stride, chroma_width)];
            let sizes = [4 * strides[0] + 9, (chroma_height - 1) * strides[1] + chroma_width]
                .map(|size| &samples[..size]);
            let planes = [sizes[0], sizes[1], &samples[7..7 + sizes[1].len()]];
            let planar = |change: &dyn Fn(&mut Image)| {
                let mut image = rgb(&[], 9, 5);
                (image.pixels, image.plane_count) = (constant, 3);
                (image.stride, image.chroma_stride) = (stride, chroma_stride);
                for (i, plane) in planes.iter().enumerate() {
                    (image.planes[i], image.plane_sizes[i]) = (plane.as_ptr().cast(), plane.len());
                }
                change(&mut image);
                // SAFETY: the test changes pointers to null or to as much as they say.
                let description =
                    unsafe { Description::read(&raw const image) }.map_err(|failure| failure.status)?;
                description.with(|image| Ok(encoder.encode(image)?)).map_err(|failure| failure.status)
            };
            let wanted = shim_jpeg::Image::ycbcr_planes(planes, subsampling, 9, 5, strides).unwrap();
            assert_eq!(planar(&|_| ()), Ok(encoder.encode(&wanted).unwrap()), "{subsampling}");
            for plane in 0..3 {
                assert_eq!(planar(&|image| image.planes[plane] = null()), Err(SHIM_ERROR_NULL));
                let short = planar(&|image| image.plane_sizes[plane] -= 1);
                assert_eq!(short, Err(SHIM_ERROR_TOO_FEW_SAMPLES));
                let long = planar(&|image| image.plane_sizes[plane] = usize::MAX);
                assert_eq!(long, Err(SHIM_ERROR_VALUE));
            }
            assert_eq!(planar(&|image| image.plane_count = 1), Err(SHIM_ERROR_PLANES));
            assert_eq!(planar(&|image| image.plane_count = 2), Err(SHIM_ERROR_PLANES));
            assert_eq!(planar(&|image| image.stride = 8), Err(SHIM_ERROR_STRIDE));
            let narrow = planar(&|image| image.chroma_stride = chroma_width - 1);
            assert_eq!(narrow, Err(SHIM_ERROR_STRIDE));
            let far = planar(&|image| image.chroma_stride = usize::MAX);
            assert_eq!(far, Err(SHIM_ERROR_TOO_FEW_SAMPLES));
            assert_eq!(planar(&|image| (image.sample_bytes, image.bits) = (2, 12)), Err(SHIM_ERROR_BITS));
            assert_eq!(planar(&|image| image.width = 0), Err(SHIM_ERROR_DIMENSIONS));
            assert_eq!(planar(&|image| image.height = u32::MAX), Err(SHIM_ERROR_DIMENSIONS));
        }
    }
}

#[test]
fn an_encoder_of_another_subsampling_is_refused() {
    let samples = [7; 45];
    let mut image = rgb(&samples, 9, 5);
    (image.pixels, image.plane_count) = (SHIM_JPEG_PIXELS_YCBCR_422, 3);
    image.planes = [samples.as_ptr().cast(); 4];
    image.plane_sizes = [45; 4];
    // The encoder is one for 4:2:0.
    assert_eq!(encode(&image), Err(SHIM_ERROR_SAMPLING));
    image.pixels = SHIM_JPEG_PIXELS_YCBCR_420;
    assert!(encode(&image).is_ok());
}

#[test]
fn the_structure_of_the_first_version_is_still_read() {
    let samples: Vec<u8> = (0..24).map(|i| i * 10).collect();
    let mut image = rgb(&samples, 4, 2);
    let wanted = encode(&image);
    image.struct_size = Image::FIRST_SIZE;
    // Bytes beyond `struct_size` do not belong to the structure.
    image.chroma_stride = 1;
    assert_eq!(encode(&image), wanted);
    image.struct_size = Image::FIRST_SIZE - 1;
    assert_eq!(encode(&image), Err(SHIM_ERROR_STRUCT_SIZE));
    // A `chroma_stride` of 0 means rows without gaps.
    (image.struct_size, image.pixels, image.plane_count) = (Image::FIRST_SIZE, SHIM_JPEG_PIXELS_YCBCR_420, 3);
    image.planes = [samples.as_ptr().cast(); 4];
    image.plane_sizes = [8, 2, 2, 0];
    assert!(encode(&image).is_ok());
}
