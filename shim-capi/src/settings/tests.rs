use super::*;
use crate::*;
use std::ptr::{null, null_mut};

/// A 40x24 picture of three planes worth of noise-like bytes.
fn samples() -> Vec<u8> {
    (0..40 * 24 * 3).map(|i: usize| (i * i / 7 % 256) as u8).collect()
}

/// What the setters `set` make of the picture in C's interface, and what the encoder makes of it.
fn agree(set: impl FnOnce(*mut Encoder), wanted: shim_jpeg::Encoder) {
    let samples = samples();
    let image = shim_jpeg::Image::rgb(&samples, 40, 24).unwrap();
    let encoder = shim_jpeg_encoder_new();
    set(encoder);
    // SAFETY: all objects are live, and freed last.
    unsafe {
        let mut file = null_mut();
        let description = image::tests::rgb(&samples, 40, 24);
        assert_eq!(shim_jpeg_encode(encoder, &raw const description, &raw mut file), SHIM_OK);
        let bytes = slice::from_raw_parts(shim_jpeg_buffer_data(file), shim_jpeg_buffer_size(file));
        assert!(bytes == wanted.encode(&image).unwrap(), "{wanted:?}");
        shim_jpeg_buffer_free(file);
        shim_jpeg_encoder_free(encoder);
    }
}

/// That `set` succeeds, on an encoder whose file is then the one of `wanted`.
macro_rules! sets {
    ($set:ident($($argument:expr),*), $wanted:expr) => {
        // SAFETY: the encoder is live, and pointers in the arguments are to as much as they say.
        agree(|encoder| assert_eq!(unsafe { $set(encoder $(, $argument)*) }, SHIM_OK), $wanted)
    };
}

/// That `set` is refused and says why.
macro_rules! refuses {
    ($set:ident($($argument:expr),*), $status:expr) => {
        agree(
            |encoder| {
                // SAFETY: the encoder is live, and pointers in the arguments are null or to as much as they say.
                let status = unsafe { $set(encoder $(, $argument)*) };
                assert_eq!(status, $status);
                // SAFETY: the encoder is live.
                assert_ne!(unsafe { *shim_jpeg_error_message(encoder) }, 0);
            },
            shim_jpeg::Encoder::new(),
        );
        // SAFETY: null is always allowed.
        assert_eq!(unsafe { $set(null_mut() $(, $argument)*) }, SHIM_ERROR_NULL);
    };
}

fn new() -> shim_jpeg::Encoder {
    shim_jpeg::Encoder::new()
}

#[test]
fn every_setter_is_the_encoders() {
    sets!(shim_jpeg_encoder_set_quality(1), new().quality(1));
    sets!(shim_jpeg_encoder_set_quality(100), new().quality(100));
    for (constant, subsampling) in [
        (SHIM_JPEG_SUBSAMPLING_420, shim_jpeg::Subsampling::S420),
        (SHIM_JPEG_SUBSAMPLING_444, shim_jpeg::Subsampling::S444),
        (SHIM_JPEG_SUBSAMPLING_422, shim_jpeg::Subsampling::S422),
        (SHIM_JPEG_SUBSAMPLING_440, shim_jpeg::Subsampling::S440),
        (SHIM_JPEG_SUBSAMPLING_411, shim_jpeg::Subsampling::S411),
    ] {
        sets!(shim_jpeg_encoder_set_subsampling(constant), new().subsampling(subsampling));
    }
    let factors = [[1, 2], [1, 1], [1, 2]];
    sets!(
        shim_jpeg_encoder_set_sampling_factors(factors.as_ptr().cast(), 3),
        new().sampling_factors(&factors)
    );
    for (constant, space) in [
        (SHIM_JPEG_COLOR_SPACE_GRAY, shim_jpeg::ColorSpace::Gray),
        (SHIM_JPEG_COLOR_SPACE_YCBCR, shim_jpeg::ColorSpace::YCbCr),
        (SHIM_JPEG_COLOR_SPACE_RGB, shim_jpeg::ColorSpace::Rgb),
    ] {
        sets!(shim_jpeg_encoder_set_color_space(constant), new().color_space(space));
    }
    for flag in [0, 1, -1] {
        sets!(shim_jpeg_encoder_set_libjpeg_compatible(flag), new().libjpeg_compatible(flag != 0));
        sets!(shim_jpeg_encoder_set_baseline(flag), new().baseline(flag != 0));
        sets!(shim_jpeg_encoder_set_optimized(flag), new().optimized(flag != 0));
        sets!(shim_jpeg_encoder_set_arithmetic(flag), new().arithmetic(flag != 0));
        sets!(
            shim_jpeg_encoder_set_threads(flag.unsigned_abs()),
            new().threads(flag.unsigned_abs() as usize)
        );
        sets!(
            shim_jpeg_encoder_set_progressive(flag),
            new().process(if flag == 0 {
                shim_jpeg::Process::Sequential
            } else {
                shim_jpeg::Process::Progressive
            })
        );
    }
    sets!(shim_jpeg_encoder_set_restart(SHIM_JPEG_RESTART_NEVER, 70_000), new());
    sets!(shim_jpeg_encoder_set_restart(SHIM_JPEG_RESTART_MCUS, 2), new().restart(Restart::Mcus(2)));
    sets!(shim_jpeg_encoder_set_restart(SHIM_JPEG_RESTART_ROWS, 1), new().restart(Restart::Rows(1)));
    for (constant, density) in [
        (SHIM_JPEG_DENSITY_ASPECT, Density::Aspect(300, 65_535)),
        (SHIM_JPEG_DENSITY_PER_INCH, Density::PerInch(300, 65_535)),
        (SHIM_JPEG_DENSITY_PER_CENTIMETRE, Density::PerCentimeter(300, 65_535)),
    ] {
        sets!(shim_jpeg_encoder_set_density(constant, 300, 65_535), new().density(density));
    }
    sets!(
        shim_jpeg_encoder_set_lossless(7, 2),
        new().process(shim_jpeg::Process::Lossless {
            predictor: shim_jpeg::Predictor::Average,
            point_transform: 2
        })
    );
    for (predictor, point_transform) in [(0, 0), (8, 0), (300, 0), (1, 16), (1, u32::MAX)] {
        refuses!(shim_jpeg_encoder_set_lossless(predictor, point_transform), SHIM_ERROR_VALUE);
    }
    refuses!(shim_jpeg_encoder_set_threads(1025), SHIM_ERROR_VALUE);
}

#[test]
fn what_setters_copy_is_the_encoders() {
    let (luminance, chrominance) = ([7; 64], [255; 64]);
    sets!(
        shim_jpeg_encoder_set_quantization_tables(luminance.as_ptr(), chrominance.as_ptr()),
        new().quantization_tables(luminance, chrominance)
    );
    let data = vec![5; 70_000];
    let start = data.as_ptr().cast();
    sets!(shim_jpeg_encoder_set_icc_profile(start, 70_000), new().icc_profile(&data));
    sets!(shim_jpeg_encoder_set_exif(start, 100), new().exif(&data[..100]));
    sets!(shim_jpeg_encoder_set_xmp(start, 101), new().xmp(&data[..101]));
    sets!(shim_jpeg_encoder_add_comment(start, 3), new().comment(&data[..3]));
    sets!(shim_jpeg_encoder_add_comment(null(), 0), new().comment(b""));
    for n in [0, 4, 15] {
        sets!(shim_jpeg_encoder_add_app_segment(n, start, 5), new().app_segment(n as u8, &data[..5]));
    }
    sets!(shim_jpeg_encoder_add_app_segment(9, null(), 0), new().app_segment(9, b""));
    sets!(shim_jpeg_encoder_add_app_segment(9, start, 65_533), new().app_segment(9, &data[..65_533]));
    let scan = |c: u8, ss, se| Scan { components: [c, 1, 2, 9], component_count: 1, ss, se, ah: 0, al: 0 };
    let dc = Scan { component_count: 3, ..scan(0, 0, 0) };
    let scans = [dc, scan(0, 1, 63), scan(1, 1, 63), scan(2, 1, 63)];
    let specs = [
        ScanSpec::new(&[0, 1, 2], [0, 0], [0, 0]),
        ScanSpec::new(&[0], [1, 63], [0, 0]),
        ScanSpec::new(&[1], [1, 63], [0, 0]),
        ScanSpec::new(&[2], [1, 63], [0, 0]),
    ];
    sets!(
        shim_jpeg_encoder_set_scans(scans.as_ptr(), 4),
        new().process(shim_jpeg::Process::Scans(specs.to_vec()))
    );
}

#[test]
fn a_reset_encoder_is_new_and_a_copy_has_the_settings() {
    let wanted = new().quality(30).libjpeg_compatible(true).comment(b"text");
    agree(
        // SAFETY: the encoder is live; its copy is freed once more below.
        |encoder| unsafe {
            shim_jpeg_encoder_set_quality(encoder, 30);
            shim_jpeg_encoder_set_libjpeg_compatible(encoder, 1);
            shim_jpeg_encoder_add_comment(encoder, b"text".as_ptr().cast(), 4);
            let copy = shim_jpeg_encoder_clone(encoder);
            assert_eq!(shim_jpeg_encoder_reset(copy), SHIM_OK);
            shim_jpeg_encoder_free(copy);
        },
        wanted,
    );
    agree(
        // SAFETY: as above.
        |encoder| unsafe {
            shim_jpeg_encoder_set_progressive(encoder, 1);
            shim_jpeg_encoder_reset(encoder);
        },
        new(),
    );
}

#[test]
fn what_no_setting_can_be_is_refused_and_changes_nothing() {
    for quality in [0, 101, 256 + 90, u32::MAX] {
        refuses!(shim_jpeg_encoder_set_quality(quality), SHIM_ERROR_QUALITY);
    }
    refuses!(shim_jpeg_encoder_set_subsampling(5), SHIM_ERROR_VALUE);
    refuses!(shim_jpeg_encoder_set_color_space(5), SHIM_ERROR_VALUE);
    refuses!(shim_jpeg_encoder_set_restart(3, 1), SHIM_ERROR_VALUE);
    refuses!(shim_jpeg_encoder_set_restart(SHIM_JPEG_RESTART_MCUS, 65_536), SHIM_ERROR_VALUE);
    refuses!(shim_jpeg_encoder_set_restart(SHIM_JPEG_RESTART_ROWS, u32::MAX), SHIM_ERROR_VALUE);
    refuses!(shim_jpeg_encoder_set_density(3, 1, 1), SHIM_ERROR_VALUE);
    for (across, down) in [(0, 1), (1, 0), (65_536, 1), (1, 65_536)] {
        refuses!(shim_jpeg_encoder_set_density(1, across, down), SHIM_ERROR_DENSITY);
    }
    let factors = [1_u8; 10];
    for count in [0, 5, usize::MAX] {
        refuses!(shim_jpeg_encoder_set_sampling_factors(factors.as_ptr(), count), SHIM_ERROR_SAMPLING);
    }
    refuses!(shim_jpeg_encoder_set_sampling_factors(null(), 3), SHIM_ERROR_NULL);
}

#[test]
fn memory_that_is_none_is_refused() {
    let byte = [0_u8];
    let start = byte.as_ptr();
    let table = [1; 64];
    refuses!(shim_jpeg_encoder_set_quantization_tables(null(), table.as_ptr()), SHIM_ERROR_NULL);
    refuses!(shim_jpeg_encoder_set_quantization_tables(table.as_ptr(), null()), SHIM_ERROR_NULL);
    refuses!(shim_jpeg_encoder_set_icc_profile(null(), 1), SHIM_ERROR_NULL);
    refuses!(shim_jpeg_encoder_set_exif(null(), 1), SHIM_ERROR_NULL);
    refuses!(shim_jpeg_encoder_set_xmp(null(), 1), SHIM_ERROR_NULL);
    refuses!(shim_jpeg_encoder_add_comment(null(), 1), SHIM_ERROR_NULL);
    refuses!(shim_jpeg_encoder_add_app_segment(1, null(), 1), SHIM_ERROR_NULL);
    refuses!(shim_jpeg_encoder_set_scans(null(), 1), SHIM_ERROR_NULL);
    // Sizes that are not so, which the library sees without reading.
    refuses!(shim_jpeg_encoder_set_exif(start.cast(), usize::MAX), SHIM_ERROR_VALUE);
    refuses!(shim_jpeg_encoder_set_scans(start.cast(), usize::MAX / 3), SHIM_ERROR_VALUE);
    refuses!(shim_jpeg_encoder_add_app_segment(1, start.cast(), usize::MAX), SHIM_ERROR_VALUE);
    for n in [16, 256, u32::MAX] {
        refuses!(shim_jpeg_encoder_add_app_segment(n, start.cast(), 1), SHIM_ERROR_VALUE);
    }
    let long = vec![0_u8; METADATA + 1];
    let start = long.as_ptr().cast();
    refuses!(shim_jpeg_encoder_add_app_segment(1, start, METADATA + 1), SHIM_ERROR_METADATA);
    refuses!(shim_jpeg_encoder_set_icc_profile(long.as_ptr().cast(), METADATA + 1), SHIM_ERROR_METADATA);
    let scan = Scan { components: [0; 4], component_count: 5, ss: 0, se: 0, ah: 0, al: 0 };
    refuses!(shim_jpeg_encoder_set_scans(&raw const scan, 1), SHIM_ERROR_SCANS);
}

#[test]
fn what_depends_on_the_image_is_refused_when_it_is_encoded() {
    let samples = samples();
    let description = image::tests::rgb(&samples, 40, 24);
    let refused = |set: &dyn Fn(*mut Encoder) -> Status, wanted: Status| {
        let encoder = shim_jpeg_encoder_new();
        assert_eq!(set(encoder), SHIM_OK);
        let mut file = null_mut();
        // SAFETY: all objects are live, and the encoder is freed last.
        unsafe {
            assert_eq!(shim_jpeg_encode(encoder, &raw const description, &raw mut file), wanted);
            shim_jpeg_encoder_free(encoder);
        }
        assert!(file.is_null());
    };
    let zeros = [0_u16; 64];
    // SAFETY: pointers in the arguments are to as much as they say.
    unsafe {
        refused(&|e| shim_jpeg_encoder_set_color_space(e, SHIM_JPEG_COLOR_SPACE_CMYK), SHIM_ERROR_COLOR);
        refused(&|e| shim_jpeg_encoder_set_sampling_factors(e, [1, 1].as_ptr(), 1), SHIM_ERROR_SAMPLING);
        refused(&|e| shim_jpeg_encoder_set_scans(e, null(), 0), SHIM_ERROR_SCANS);
        refused(
            &|e| shim_jpeg_encoder_set_quantization_tables(e, zeros.as_ptr(), zeros.as_ptr()),
            SHIM_ERROR_QUANTIZATION_TABLE,
        );
        let long = vec![0_u8; 65_534];
        let start = long.as_ptr().cast();
        refused(&|e| shim_jpeg_encoder_add_comment(e, start, 65_534), SHIM_ERROR_METADATA);
        refused(&|e| shim_jpeg_encoder_add_app_segment(e, 7, start, 65_534), SHIM_ERROR_METADATA);
    }
}
