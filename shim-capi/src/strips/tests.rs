use super::*;
use crate::image::tests::rgb;
use crate::*;
use std::ffi::c_int;
use std::ptr::null;

/// What a callback has, and what it is to do.
struct Sink {
    bytes: Vec<u8>,
    refuse: bool,
    strips: *mut Strips,
    seen: Vec<Status>,
}

unsafe extern "C" fn collect(user: *mut c_void, data: *const u8, size: usize) -> c_int {
    // SAFETY: the tests hand a sink, whose strips are null or live, and the library as many bytes.
    unsafe {
        let sink = &mut *user.cast::<Sink>();
        sink.bytes.extend_from_slice(std::slice::from_raw_parts(data, size));
        if !sink.strips.is_null() {
            let strip = rgb(&[0; 3], 1, 1);
            sink.seen.push(shim_jpeg_strips_push(sink.strips, &raw const strip));
            sink.seen.push(shim_jpeg_strips_finish(sink.strips));
            shim_jpeg_strips_free(sink.strips);
        }
        sink.refuse.into()
    }
}

fn message(strips: *const Strips) -> String {
    // SAFETY: live strips, or null; the text is read at once.
    unsafe { CStr::from_ptr(shim_jpeg_strips_error_message(strips)) }.to_str().unwrap().to_owned()
}

/// A picture of 30x50 pixels.
fn samples() -> Vec<u8> {
    (0..30 * 50 * 3).map(|i: usize| (i * i / 5 % 256) as u8).collect()
}

/// Begins a file of the picture, hands `action` the strips and the sink, and frees them. The encoder is gone by then.
fn with_strips(action: impl FnOnce(*mut Strips, *mut Sink)) -> Vec<u8> {
    let mut sink = Sink { bytes: Vec::new(), refuse: false, strips: null_mut(), seen: Vec::new() };
    let user = &raw mut sink;
    let mut strips = null_mut();
    let whole = rgb(&[], 30, 50);
    // SAFETY: all objects are live, and freed once.
    unsafe {
        let encoder = shim_jpeg_encoder_new();
        let status =
            shim_jpeg_strips_new(encoder, &raw const whole, Some(collect), user.cast(), &raw mut strips);
        assert_eq!(status, SHIM_OK);
        shim_jpeg_encoder_free(encoder);
        action(strips, user);
        shim_jpeg_strips_free(strips);
    }
    sink.bytes
}

fn push(strips: *mut Strips, rows: &[u8]) -> Status {
    let strip = rgb(rows, 30, (rows.len() / 90) as u32);
    // SAFETY: live strips, and as many samples as the strip says.
    unsafe { shim_jpeg_strips_push(strips, &raw const strip) }
}

fn finish(strips: *mut Strips) -> Status {
    // SAFETY: live strips.
    unsafe { shim_jpeg_strips_finish(strips) }
}

#[test]
fn the_file_is_that_of_the_whole_image() {
    let samples = samples();
    let image = shim_jpeg::Image::rgb(&samples, 30, 50).unwrap();
    let wanted = shim_jpeg::Encoder::new().encode(&image).unwrap();
    for rows in [1, 7, 16, 50] {
        let file = with_strips(|strips, _| {
            for strip in samples.chunks(rows * 90) {
                assert_eq!(push(strips, strip), SHIM_OK);
            }
            assert_eq!(finish(strips), SHIM_OK);
            assert_eq!(message(strips), "");
        });
        assert!(file == wanted, "{rows} rows");
    }
}

#[test]
fn words_come_in_strips_too() {
    let samples: Vec<u16> = (0..20 * 20).map(|i| i * 10).collect();
    let image = shim_jpeg::Image::interleaved16(&samples, 12, shim_jpeg::Pixels::Gray, 20, 20, 20).unwrap();
    let mut sink = Sink { bytes: Vec::new(), refuse: false, strips: null_mut(), seen: Vec::new() };
    let mut whole = rgb(&[], 20, 20);
    (whole.pixels, whole.sample_bytes, whole.bits) = (SHIM_JPEG_PIXELS_GRAY, 2, 12);
    let mut strips = null_mut();
    // SAFETY: all objects are live, and freed once.
    unsafe {
        let (encoder, user) = (shim_jpeg_encoder_new(), (&raw mut sink).cast());
        let status = shim_jpeg_strips_new(encoder, &raw const whole, Some(collect), user, &raw mut strips);
        assert_eq!(status, SHIM_OK);
        for rows in samples.chunks(5 * 20) {
            let mut strip = Image { height: 5, ..whole };
            (strip.planes[0], strip.plane_sizes[0]) = (rows.as_ptr().cast(), 200);
            assert_eq!(shim_jpeg_strips_push(strips, &raw const strip), SHIM_OK);
        }
        assert_eq!(shim_jpeg_strips_finish(strips), SHIM_OK);
        shim_jpeg_strips_free(strips);
        shim_jpeg_encoder_free(encoder);
    }
    assert!(sink.bytes == shim_jpeg::Encoder::new().encode(&image).unwrap());
}

#[test]
fn what_is_refused_may_come_again_as_it_should_be() {
    let samples = samples();
    let file = with_strips(|strips, _| {
        assert_eq!(finish(strips), SHIM_ERROR_STRIPS);
        assert!(message(strips).contains("strips"));
        assert_eq!(push(strips, &samples[..40 * 90]), SHIM_OK);
        assert_eq!(push(strips, &samples[..11 * 90]), SHIM_ERROR_STRIPS);
        let wider = rgb(&samples, 31, 1);
        // SAFETY: live strips; null is always allowed.
        unsafe {
            assert_eq!(shim_jpeg_strips_push(strips, &raw const wider), SHIM_ERROR_STRIPS);
            assert_eq!(shim_jpeg_strips_push(strips, null()), SHIM_ERROR_NULL);
        }
        assert_eq!(finish(strips), SHIM_ERROR_STRIPS);
        assert_eq!(push(strips, &samples[40 * 90..]), SHIM_OK);
        assert_eq!(push(strips, &samples[..90]), SHIM_ERROR_STRIPS);
        assert_eq!(finish(strips), SHIM_OK);
        assert_eq!(finish(strips), SHIM_ERROR_STRIPS);
        assert_eq!(push(strips, &samples[..90]), SHIM_ERROR_STRIPS);
        assert_eq!(message(strips), "the file has been ended, or could not be written");
    });
    let image = shim_jpeg::Image::rgb(&samples, 30, 50).unwrap();
    assert!(file == shim_jpeg::Encoder::new().encode(&image).unwrap());
}

#[test]
fn a_callback_that_stops_ends_the_file() {
    let samples = samples();
    with_strips(|strips, sink| {
        // SAFETY: the sink is live, and no call with it is going on.
        unsafe { (*sink).refuse = true };
        assert_eq!(push(strips, &samples), SHIM_ERROR_WRITE);
        assert_eq!(message(strips), "the encoded image could not be written: the callback returned 1");
        assert_eq!(push(strips, &samples), SHIM_ERROR_STRIPS);
        assert_eq!(finish(strips), SHIM_ERROR_STRIPS);
    });
}

#[test]
fn a_callback_cannot_pull_the_strips_away() {
    let samples = samples();
    with_strips(|strips, sink| {
        // SAFETY: the sink is live, and no call with it is going on.
        unsafe { (*sink).strips = strips };
        assert_eq!(push(strips, &samples), SHIM_OK);
        // SAFETY: as above.
        let seen = unsafe { std::mem::take(&mut (*sink).seen) };
        assert!(!seen.is_empty() && seen.iter().all(|&status| status == SHIM_ERROR_BUSY));
        assert_eq!(finish(strips), SHIM_OK);
    });
}

#[test]
fn what_is_no_image_begins_no_file() {
    let mut sink = Sink { bytes: Vec::new(), refuse: false, strips: null_mut(), seen: Vec::new() };
    let user = (&raw mut sink).cast();
    let encoder = shim_jpeg_encoder_new();
    let good = rgb(&[], 30, 50);
    let mut strips = std::ptr::without_provenance_mut(8);
    // SAFETY: what is not null is live, and the encoder freed last.
    unsafe {
        for (whole, status) in [
            (Image { width: 0, ..good }, SHIM_ERROR_DIMENSIONS),
            (Image { height: 65_536, ..good }, SHIM_ERROR_DIMENSIONS),
            (Image { struct_size: 8, ..good }, SHIM_ERROR_STRUCT_SIZE),
            (Image { pixels: 99, ..good }, SHIM_ERROR_VALUE),
            (Image { sample_bytes: 0, ..good }, SHIM_ERROR_VALUE),
            (Image { bits: 9, ..good }, SHIM_ERROR_BITS),
            (Image { sample_bytes: 2, bits: 300, ..good }, SHIM_ERROR_BITS),
        ] {
            let seen = shim_jpeg_strips_new(encoder, &raw const whole, Some(collect), user, &raw mut strips);
            assert_eq!(seen, status, "{whole:?}");
            assert!(strips.is_null());
        }
        let (good, out) = (&raw const good, &raw mut strips);
        assert_eq!(shim_jpeg_strips_new(null_mut(), good, Some(collect), user, out), SHIM_ERROR_NULL);
        assert_eq!(shim_jpeg_strips_new(encoder, null(), Some(collect), user, out), SHIM_ERROR_NULL);
        assert_eq!(shim_jpeg_strips_new(encoder, good, None, user, out), SHIM_ERROR_NULL);
        assert_eq!(shim_jpeg_strips_new(encoder, good, Some(collect), user, null_mut()), SHIM_ERROR_NULL);
        (*user.cast::<Sink>()).refuse = true;
        assert_eq!(shim_jpeg_strips_new(encoder, good, Some(collect), user, out), SHIM_ERROR_WRITE);
        assert!(strips.is_null());
        assert_eq!(shim_jpeg_strips_push(null_mut(), good), SHIM_ERROR_NULL);
        assert_eq!(shim_jpeg_strips_finish(null_mut()), SHIM_ERROR_NULL);
        shim_jpeg_strips_free(null_mut());
        shim_jpeg_encoder_free(encoder);
    }
    assert_eq!(message(null()), "`strips` is null");
}
