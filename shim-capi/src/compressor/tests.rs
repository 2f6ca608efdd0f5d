use super::*;
use crate::image::tests::rgb;
use crate::*;

fn message(compressor: *const Compressor) -> String {
    // SAFETY: a live compressor, or null; the text is read at once.
    unsafe { CStr::from_ptr(shim_jpeg_compressor_error_message(compressor)) }.to_str().unwrap().to_owned()
}

/// The file of an image, or the status; no file may come of an error.
fn compressed(compressor: *mut Compressor, image: *const Image) -> Result<Vec<u8>, Status> {
    // Not pointers that could be read.
    let (mut data, mut size) = (std::ptr::without_provenance(8), 7);
    // SAFETY: a live compressor, and an image as it is described, or null.
    let status = unsafe { shim_jpeg_compressor_encode(compressor, image, &raw mut data, &raw mut size) };
    if status != SHIM_OK {
        assert!(data.is_null() && size == 0);
        return Err(status);
    }
    // SAFETY: so many bytes are the compressor's, until its next call.
    Ok(unsafe { std::slice::from_raw_parts(data, size) }.to_vec())
}

#[test]
fn null_is_refused() {
    let image = rgb(&[0; 12], 2, 2);
    let (mut data, mut size) = (null(), 0);
    // SAFETY: what is not null is live, and freed last.
    unsafe {
        assert!(shim_jpeg_compressor_new(null()).is_null());
        shim_jpeg_compressor_free(null_mut());
        assert_eq!(compressed(null_mut(), &raw const image), Err(SHIM_ERROR_NULL));
        assert_eq!(message(null()), "`compressor` is null");

        let encoder = shim_jpeg_encoder_new();
        let compressor = shim_jpeg_compressor_new(encoder);
        shim_jpeg_encoder_free(encoder);
        assert_eq!(message(compressor), "");
        assert_eq!(compressed(compressor, null()), Err(SHIM_ERROR_NULL));
        assert_eq!(message(compressor), "`image` is null");
        let encode = shim_jpeg_compressor_encode;
        assert_eq!(encode(compressor, &raw const image, null_mut(), &raw mut size), SHIM_ERROR_NULL);
        assert_eq!(message(compressor), "`data` is null");
        assert_eq!(encode(compressor, &raw const image, &raw mut data, null_mut()), SHIM_ERROR_NULL);
        assert_eq!(message(compressor), "`size` is null");
        shim_jpeg_compressor_free(compressor);
    }
    assert!(data.is_null() && size == 0);
}

#[test]
fn files_are_those_of_the_encoder_whatever_came_before() {
    let samples: Vec<u8> = (0..64 * 64 * 3).map(|i: usize| (i * i % 251) as u8).collect();
    // SAFETY: all objects are live, and freed last; a copy is made of each file before the next call.
    unsafe {
        let encoder = shim_jpeg_encoder_new();
        for progressive in [0, 1] {
            shim_jpeg_encoder_set_quality(encoder, 60);
            shim_jpeg_encoder_set_progressive(encoder, progressive);
            let compressor = shim_jpeg_compressor_new(encoder);
            // The settings are those of the time when the compressor was made.
            shim_jpeg_encoder_set_quality(encoder, 1);
            let process = [shim_jpeg::Process::Sequential, shim_jpeg::Process::Progressive];
            let settings =
                shim_jpeg::Encoder::new().quality(60).process(process[progressive as usize].clone());
            for (width, height) in [(64, 64), (64, 64), (9, 7), (64, 64)] {
                let image = rgb(&samples, width as u32, height as u32);
                let pixels = shim_jpeg::Image::rgb(&samples, width, height).unwrap();
                assert!(
                    compressed(compressor, &raw const image).unwrap() == settings.encode(&pixels).unwrap()
                );
                let wrong = rgb(&samples[..11], 2, 2);
                assert_eq!(compressed(compressor, &raw const wrong), Err(SHIM_ERROR_TOO_FEW_SAMPLES));
                assert_eq!(message(compressor), "the image needs 12 samples, but 11 were given");
            }
            shim_jpeg_compressor_free(compressor);
        }
        shim_jpeg_encoder_free(encoder);
    }
}

#[test]
fn settings_that_fit_no_file_are_refused_each_time() {
    let image = rgb(&[0; 12], 2, 2);
    // SAFETY: all objects are live, and freed last.
    unsafe {
        let encoder = shim_jpeg_encoder_new();
        shim_jpeg_encoder_set_color_space(encoder, SHIM_JPEG_COLOR_SPACE_CMYK);
        let compressor = shim_jpeg_compressor_new(encoder);
        for _ in 0..2 {
            assert_eq!(compressed(compressor, &raw const image), Err(SHIM_ERROR_COLOR));
        }
        shim_jpeg_compressor_free(compressor);
        shim_jpeg_encoder_free(encoder);
    }
}

#[test]
fn memory_is_kept() {
    let samples: Vec<u8> = (0..64 * 64 * 3).map(|i: usize| (i * i % 251) as u8).collect();
    let image = rgb(&samples, 64, 64);
    // SAFETY: all objects are live, and freed last.
    unsafe {
        let encoder = shim_jpeg_encoder_new();
        let compressor = shim_jpeg_compressor_new(encoder);
        let mut starts = [null(); 3];
        for start in &mut starts {
            let mut size = 0;
            let status = shim_jpeg_compressor_encode(compressor, &raw const image, start, &raw mut size);
            assert_eq!(status, SHIM_OK);
        }
        assert_eq!(starts[1], starts[2]);
        shim_jpeg_compressor_free(compressor);
        shim_jpeg_encoder_free(encoder);
    }
}

#[test]
fn a_panic_is_a_status_and_the_compressor_goes_on() {
    let image = rgb(&[0; 12], 2, 2);
    // SAFETY: all objects are live, and freed last.
    unsafe {
        let encoder = shim_jpeg_encoder_new();
        let compressor = shim_jpeg_compressor_new(encoder);
        let wanted = compressed(compressor, &raw const image).unwrap();
        let broken = |compressor: &Compressor| {
            compressor.encode(&shim_jpeg::Image::gray(&[1], 1, 1).unwrap(), |_| panic!("a test"))
        };
        assert_eq!(call(compressor, broken), SHIM_ERROR_INTERNAL);
        assert_eq!(message(compressor), "a mistake in the library: a test");
        assert!(compressed(compressor, &raw const image).unwrap() == wanted);
        shim_jpeg_compressor_free(compressor);
        shim_jpeg_encoder_free(encoder);
    }
}
