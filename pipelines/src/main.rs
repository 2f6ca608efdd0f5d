//! `cargo run --release -p shim-pipelines -- PIPELINE INPUT OUTPUT` puts a PNG or JPEG file, or the luma of a Y4M clip,
//! through a pipeline.

use std::path::Path;
use std::process::ExitCode;

use image::{DynamicImage, ImageError, RgbImage, RgbaImage};
use shim_pipelines::{
    bilateral, blur, boxes, camera, equalize, flips, gauss, interpolate, laplacian, masks, morphology, snake,
    unsharp,
};

mod clips;

/// A pipeline of a whole image.
type Pipeline = fn(&DynamicImage) -> RgbImage;

const PIPELINES: [(&str, Pipeline); 29] = [
    ("bilateral", |image| channels_of_floats(image, bilateral::bilateral)),
    ("blur", |image| {
        channels(image, |src, [h, w], dst| {
            let src: Vec<u16> = src.iter().map(|value| u16::from(*value)).collect();
            let mut blurred = vec![0; src.len()];
            blur::blur::chunks(&src, h, w, &mut blurred);
            dst.iter_mut().zip(blurred).for_each(|(dst, value)| *dst = value as u8);
        })
    }),
    ("boxes", |image| channels(image, |src, size, dst| boxes::boxes(src, size, 8, dst))),
    ("camera", developed),
    ("equalize", |image| channels(image, equalize::equalize)),
    ("gauss", |image| channels(image, gauss::gauss::chunks)),
    ("interpolate", without_gaps),
    ("laplacian", |image| channels_of_floats(image, laplacian::laplacian)),
    ("close", |image| channels(image, morphology::close)),
    ("custom", |image| channels(image, masks::custom)),
    ("dilate", |image| channels(image, morphology::dilate)),
    ("erode", |image| channels(image, morphology::erode)),
    ("falling", |image| channels(image, masks::falling)),
    ("flip", |image| channels(image, flips::horizontal)),
    ("flop", |image| channels(image, flips::vertical)),
    ("half-turn", |image| channels(image, flips::turned)),
    ("high-pass", |image| channels(image, masks::high_pass)),
    ("horizontal", |image| channels(image, masks::horizontal)),
    ("low-pass", |image| channels(image, masks::low_pass)),
    ("open", |image| channels(image, morphology::open)),
    ("prewitt", |image| channels(image, masks::prewitt_edges)),
    ("prewitt-smaller", |image| channels(image, masks::prewitt)),
    ("quarters", |image| channels(image, flips::quartered)),
    ("rising", |image| channels(image, masks::rising)),
    ("sobel", |image| channels(image, masks::sobel_edges)),
    ("sobel-smaller", |image| channels(image, masks::sobel)),
    ("vertical", |image| channels(image, masks::vertical)),
    ("snake", outlined),
    ("unsharp", |image| {
        channels_of_floats(image, |src, size, dst| unsharp::unsharp::rows(src, size, 0.7, dst))
    }),
];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [name, input, output] = &arguments[..] else {
        let names: Vec<&str> = PIPELINES.iter().map(|(name, _)| *name).collect();
        let of_clips: Vec<&str> = clips::PIPELINES.iter().map(|(name, _)| *name).collect();
        eprintln!("usage: pipeline PIPELINE INPUT OUTPUT");
        eprintln!("pipelines of images: {}", names.join(", "));
        eprintln!("pipelines of the luma of Y4M clips: {}", of_clips.join(", "));
        return ExitCode::from(2);
    };
    if let Some((_, pipeline)) = clips::PIPELINES.iter().find(|(known, _)| known == name) {
        return match clips::run(*pipeline, Path::new(input), Path::new(output)) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                eprintln!("{error}");
                ExitCode::FAILURE
            }
        };
    }
    let Some((_, pipeline)) = PIPELINES.iter().find(|(known, _)| known == name) else {
        eprintln!("there is no pipeline `{name}`");
        return ExitCode::from(2);
    };
    match run(*pipeline, Path::new(input), Path::new(output)) {
        Ok(()) => ExitCode::SUCCESS,
        Err((file, error)) => {
            eprintln!("{file}: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run<'a>(
    pipeline: Pipeline,
    input: &'a Path,
    output: &'a Path,
) -> Result<(), (std::path::Display<'a>, ImageError)> {
    let image = image::open(input).map_err(|error| (input.display(), error))?;
    pipeline(&image).save(output).map_err(|error| (output.display(), error))
}

/// Each channel of an image through a filter of bytes.
fn channels(image: &DynamicImage, filter: impl Fn(&[u8], [usize; 2], &mut [u8])) -> RgbImage {
    let mut rgb = image.to_rgb8();
    let size = [rgb.height() as usize, rgb.width() as usize];
    for channel in 0..3 {
        let src: Vec<u8> = rgb.pixels().map(|pixel| pixel[channel]).collect();
        let mut dst = vec![0; src.len()];
        filter(&src, size, &mut dst);
        rgb.pixels_mut().zip(dst).for_each(|(pixel, value)| pixel[channel] = value);
    }
    rgb
}

/// Each channel of an image through a filter of floats from 0 to 1.
fn channels_of_floats(image: &DynamicImage, filter: impl Fn(&[f32], [usize; 2], &mut [f32])) -> RgbImage {
    channels(image, |src, size, dst| {
        let src: Vec<f32> = src.iter().map(|value| f32::from(*value) / 255.0).collect();
        let mut filtered = vec![0.0; src.len()];
        filter(&src, size, &mut filtered);
        dst.iter_mut().zip(filtered).for_each(|(dst, value)| *dst = (value * 255.0).round() as u8);
    })
}

/// The colors of a sensor: green and red, and below them blue and green.
const COLORS: [[usize; 2]; 2] = [[1, 0], [2, 1]];

/// Develops an image as a camera would, whose sensor has one color at each place.
fn developed(image: &DynamicImage) -> RgbImage {
    let rgb = image.to_rgb8();
    let (rows, columns) = (rgb.height() / 2, rgb.width() / 2);
    let places = (0..2 * rows).flat_map(|y| (0..2 * columns).map(move |x| (x, y)));
    let raw: Vec<u16> = places
        .map(|(x, y)| {
            let value = f32::from(rgb.get_pixel(x, y)[COLORS[y as usize % 2][x as usize % 2]]) / 255.0;
            // The sensor counts light.
            (value.powf(2.2) * 1023.0).round() as u16
        })
        .collect();
    let mut developed = RgbImage::new(2 * columns, 2 * rows);
    let size = [rows as usize, columns as usize];
    camera::camera::strips(&raw, size, &camera::curve(), &mut developed);
    developed
}

/// An image whose transparent parts are filled in. One without any loses three of four pixels first.
fn without_gaps(image: &DynamicImage) -> RgbImage {
    let mut rgba: RgbaImage = image.to_rgba8();
    if rgba.pixels().all(|pixel| pixel[3] == 255) {
        rgba.enumerate_pixels_mut()
            .filter(|(x, y, _)| x % 2 + y % 2 > 0)
            .for_each(|(_, _, pixel)| pixel[3] = 0);
    }
    let size = [rgba.height() as usize, rgba.width() as usize];
    let src: Vec<[f32; 4]> = rgba
        .pixels()
        .map(|pixel| {
            let [red, green, blue, opacity] = pixel.0.map(|value| f32::from(value) / 255.0);
            [red * opacity, green * opacity, blue * opacity, opacity]
        })
        .collect();
    let mut dst = vec![[0.0; 4]; src.len()];
    interpolate::interpolate(&src, size, &mut dst);
    let colors = dst.iter().flat_map(|pixel| [pixel[0], pixel[1], pixel[2]]);
    let bytes = colors.map(|value| (value * 255.0).round() as u8).collect();
    RgbImage::from_raw(rgba.width(), rgba.height(), bytes).expect("a pixel for each one of the source")
}

/// An image with the contour that a snake ends at, from a frame near the border on.
fn outlined(image: &DynamicImage) -> RgbImage {
    let mut rgb = image.to_rgb8();
    let (h, w) = (rgb.height() as usize, rgb.width() as usize);
    let mut luma = image.to_luma8().into_raw();
    // Without textures, where the snake would stop.
    for _ in 0..8 {
        let src = luma.clone();
        gauss::gauss::chunks(&src, [h, w], &mut luma);
    }
    let luma: Vec<f32> = luma.into_iter().map(f32::from).collect();
    let mut edges = vec![0.0; h * w];
    snake::indicator(&luma, [h, w], &mut edges);
    let near = |at: usize, extent: usize| at < extent / 16 || at >= extent - extent / 16;
    let places = (0..h).flat_map(|y| (0..w).map(move |x| (y, x)));
    let mut phi: Vec<f32> = places.map(|(y, x)| if near(y, h) || near(x, w) { 4.0 } else { -4.0 }).collect();
    let mut next = vec![0.0; h * w];
    for _ in 0..800 {
        snake::snake::rows(&phi, &edges, [h, w], &mut next);
        std::mem::swap(&mut phi, &mut next);
    }
    for (at, pixel) in rgb.pixels_mut().enumerate() {
        let inside = phi[at] < 0.0;
        let crosses = |other: usize| (phi[other] < 0.0) != inside;
        if (at % w + 1 < w && crosses(at + 1)) || (at + w < h * w && crosses(at + w)) {
            pixel.0 = [255, 0, 0];
        }
    }
    rgb
}
