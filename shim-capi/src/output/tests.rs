use super::*;
use crate::image::tests::rgb;
use crate::*;
use std::ffi::CStr;

/// What a callback has, and what it is to do.
struct Sink {
    bytes: Vec<u8>,
    pieces: usize,
    refuse_at: usize,
    encoder: *mut Encoder,
    seen: Vec<Status>,
}

impl Sink {
    fn new(encoder: *mut Encoder, refuse_at: usize) -> Self {
        Self { bytes: Vec::new(), pieces: 0, refuse_at, encoder, seen: Vec::new() }
    }
}

unsafe extern "C" fn collect(user: *mut c_void, data: *const u8, size: usize) -> c_int {
    // SAFETY: the tests hand a sink, and the library as many bytes.
    let (sink, bytes) = unsafe { (&mut *user.cast::<Sink>(), std::slice::from_raw_parts(data, size)) };
    if sink.pieces == sink.refuse_at {
        return 7;
    }
    sink.pieces += 1;
    sink.bytes.extend_from_slice(bytes);
    0
}

/// Uses the encoder that called it, in each way that would be a mistake, and in those that are none.
unsafe extern "C" fn come_back(user: *mut c_void, _: *const u8, _: usize) -> c_int {
    // SAFETY: the tests hand a sink with a live encoder.
    unsafe {
        let sink = &mut *user.cast::<Sink>();
        let encoder = sink.encoder;
        sink.seen.push(shim_jpeg_encoder_set_quality(encoder, 3));
        sink.seen.push(shim_jpeg_encoder_reset(encoder));
        shim_jpeg_encoder_free(encoder);
        let mut file = null_mut();
        let image = rgb(&[9; 3], 1, 1);
        sink.seen.push(shim_jpeg_encode(encoder, &raw const image, &raw mut file));
        shim_jpeg_buffer_free(file);
    }
    0
}

fn message(encoder: *mut Encoder) -> String {
    // SAFETY: a live encoder; the text is read at once.
    unsafe { CStr::from_ptr(shim_jpeg_error_message(encoder)) }.to_str().unwrap().to_owned()
}

#[test]
fn null_is_refused() {
    let image = rgb(&[0; 12], 2, 2);
    let encoder = shim_jpeg_encoder_new();
    let mut sink = Sink::new(encoder, usize::MAX);
    let user = (&raw mut sink).cast();
    let mut file = null_mut();
    // SAFETY: what is not null is live, and the encoder freed last.
    unsafe {
        assert_eq!(shim_jpeg_encode(null_mut(), &raw const image, &raw mut file), SHIM_ERROR_NULL);
        assert_eq!(shim_jpeg_encode(encoder, null(), &raw mut file), SHIM_ERROR_NULL);
        assert_eq!(message(encoder), "`image` is null");
        assert_eq!(shim_jpeg_encode(encoder, &raw const image, null_mut()), SHIM_ERROR_NULL);
        assert_eq!(message(encoder), "`file` is null");
        assert_eq!(shim_jpeg_encode_to(null_mut(), &raw const image, Some(collect), user), SHIM_ERROR_NULL);
        assert_eq!(shim_jpeg_encode_to(encoder, null(), Some(collect), user), SHIM_ERROR_NULL);
        assert_eq!(shim_jpeg_encode_to(encoder, &raw const image, None, user), SHIM_ERROR_NULL);
        assert_eq!(message(encoder), "`write` is null");
        assert!(shim_jpeg_buffer_data(null()).is_null());
        assert_eq!(shim_jpeg_buffer_size(null()), 0);
        shim_jpeg_buffer_free(null_mut());
        shim_jpeg_encoder_free(encoder);
    }
    assert!(file.is_null());
    assert!(sink.bytes.is_empty());
}

#[test]
fn a_failed_encoding_leaves_no_buffer() {
    let encoder = shim_jpeg_encoder_new();
    let image = rgb(&[0; 11], 2, 2);
    // Not a pointer that could be freed.
    let mut file = std::ptr::without_provenance_mut(8);
    // SAFETY: all objects are live, and the encoder freed last.
    unsafe {
        let status = shim_jpeg_encode(encoder, &raw const image, &raw mut file);
        assert_eq!(status, SHIM_ERROR_TOO_FEW_SAMPLES);
        assert_eq!(message(encoder), "the image needs 12 samples, but 11 were given");
        shim_jpeg_encoder_free(encoder);
    }
    assert!(file.is_null());
}

#[test]
fn a_callback_gets_the_file_or_stops_it() {
    let samples: Vec<u8> = (0..64 * 64 * 3).map(|i: usize| (i * i % 251) as u8).collect();
    let image = rgb(&samples, 64, 64);
    let wanted = shim_jpeg::Encoder::new().encode(&shim_jpeg::Image::rgb(&samples, 64, 64).unwrap()).unwrap();
    let encoder = shim_jpeg_encoder_new();
    let run = |refuse_at| {
        let mut sink = Sink::new(encoder, refuse_at);
        // SAFETY: all objects are live.
        let status =
            unsafe { shim_jpeg_encode_to(encoder, &raw const image, Some(collect), (&raw mut sink).cast()) };
        (status, sink)
    };
    let (status, sink) = run(usize::MAX);
    assert_eq!(status, SHIM_OK);
    assert!(sink.bytes == wanted);
    for refuse_at in 0..sink.pieces {
        let (status, sink) = run(refuse_at);
        assert_eq!(status, SHIM_ERROR_WRITE);
        assert_eq!(message(encoder), "the encoded image could not be written: the callback returned 7");
        assert!(wanted.starts_with(&sink.bytes));
    }
    // Faults of the caller's are found before anything is written.
    let short = rgb(&samples[1..], 64, 64);
    let mut sink = Sink::new(encoder, usize::MAX);
    // SAFETY: all objects are live, and the encoder freed last.
    unsafe {
        let user = (&raw mut sink).cast();
        let status = shim_jpeg_encode_to(encoder, &raw const short, Some(collect), user);
        assert_eq!(status, SHIM_ERROR_TOO_FEW_SAMPLES);
        shim_jpeg_encoder_free(encoder);
    }
    assert_eq!(sink.pieces, 0);
}

#[test]
fn a_callback_cannot_pull_the_encoder_away() {
    let image = rgb(&[200; 12], 2, 2);
    let encoder = shim_jpeg_encoder_new();
    let mut sink = Sink::new(encoder, usize::MAX);
    // SAFETY: all objects are live, and the encoder freed last, which it was not by the callback.
    unsafe {
        let user = (&raw mut sink).cast();
        assert_eq!(shim_jpeg_encode_to(encoder, &raw const image, Some(come_back), user), SHIM_OK);
        assert_eq!(sink.seen[..3], [SHIM_ERROR_BUSY, SHIM_ERROR_BUSY, SHIM_OK]);
        shim_jpeg_encoder_free(encoder);
    }
}

#[test]
fn a_quality_is_found_for_a_size_and_for_a_fidelity() {
    let samples: Vec<u8> = (0..64 * 64 * 3).map(|i| (i * 7 % 251) as u8).collect();
    let image = rgb(&samples, 64, 64);
    let pixels = shim_jpeg::Image::rgb(&samples, 64, 64).unwrap();
    let wanted = [
        shim_jpeg::Encoder::new().encode_within(&pixels, 3000).unwrap(),
        shim_jpeg::Encoder::new().encode_reaching(&pixels, 30.0).unwrap(),
    ];
    // SAFETY: what is handed over is live, and freed last.
    unsafe {
        let encoder = shim_jpeg_encoder_new();
        for (i, wanted) in wanted.iter().enumerate() {
            let (mut quality, mut file) = (-1, null_mut());
            let found = (&raw mut quality, &raw mut file);
            let status = match i {
                0 => shim_jpeg_encode_within(encoder, &raw const image, 3000, found.0, found.1),
                _ => shim_jpeg_encode_reaching(encoder, &raw const image, 30.0, found.0, found.1),
            };
            assert_eq!((status, quality), (SHIM_OK, wanted.quality.into()));
            let bytes = std::slice::from_raw_parts(shim_jpeg_buffer_data(file), shim_jpeg_buffer_size(file));
            assert_eq!(bytes, wanted.file);
            shim_jpeg_buffer_free(file);
        }
        let (mut quality, mut file) = (-1, null_mut());
        let (of_quality, of_file) = (&raw mut quality, &raw mut file);
        let status = shim_jpeg_encode_within(encoder, &raw const image, 10, of_quality, of_file);
        assert_eq!((status, quality, file.is_null()), (SHIM_ERROR_TARGET, 0, true));
        for decibels in [f64::NAN, f64::INFINITY, -1.0, 0.0, 1000.0] {
            let status = shim_jpeg_encode_reaching(encoder, &raw const image, decibels, null_mut(), of_file);
            assert_eq!(status, SHIM_ERROR_TARGET);
        }
        let status = shim_jpeg_encode_within(encoder, &raw const image, 10, null_mut(), null_mut());
        assert_eq!(status, SHIM_ERROR_NULL);
        shim_jpeg_encoder_set_lossless(encoder, 1, 0);
        let status = shim_jpeg_encode_within(encoder, &raw const image, 3000, null_mut(), of_file);
        assert_eq!(status, SHIM_ERROR_NO_QUALITY);
        shim_jpeg_encoder_free(encoder);
    }
}

/// Takes a file, and how far it is.
struct Told {
    sink: Sink,
    seen: Vec<(usize, usize)>,
}

unsafe extern "C" fn collect_told(user: *mut c_void, data: *const u8, size: usize) -> c_int {
    // SAFETY: the test hands what was told.
    unsafe { collect((&raw mut (*user.cast::<Told>()).sink).cast(), data, size) }
}

unsafe extern "C" fn tell(user: *mut c_void, done: usize, all: usize) {
    // SAFETY: the test hands what was told.
    unsafe { (*user.cast::<Told>()).seen.push((done, all)) };
}

#[test]
fn progress_is_told() {
    let samples = [7; 20 * 40 * 3];
    let image = rgb(&samples, 20, 40);
    // SAFETY: what is handed over is live, and freed last.
    unsafe {
        let encoder = shim_jpeg_encoder_new();
        let mut told = Told { sink: Sink::new(encoder, usize::MAX), seen: Vec::new() };
        let user = (&raw mut told).cast();
        let status =
            shim_jpeg_encode_with_progress(encoder, &raw const image, Some(collect_told), Some(tell), user);
        assert_eq!(status, SHIM_OK);
        assert_eq!(told.seen, [(16, 40), (32, 40), (40, 40)]);
        let pixels = shim_jpeg::Image::rgb(&samples, 20, 40).unwrap();
        assert_eq!(told.sink.bytes, shim_jpeg::Encoder::new().encode(&pixels).unwrap());
        shim_jpeg_encoder_free(encoder);
    }
}
