//! Frames a second, bytes a frame and PSNR of luma (the mean of the frames) over QPs: `speed CLIP.y4m [KEYINT
//! [REFERENCES [ROUNDS [PRESET [QP ..]]]]]`, one thread.
//!
//! `KEYINT` 1 is Intra pictures alone. Of the rounds the fastest counts.

#![allow(clippy::cast_precision_loss, reason = "what is printed is rounded")]

use std::error::Error;
use std::fs::File;
use std::time::Instant;

use shim_h264::{Config, Encoder, Frame, Preset, RateControl};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("which clip?")?;
    let mut number = |default: u32| arguments.next().map_or(Ok(default), |text| text.parse());
    let (keyint, references, rounds) = (number(1)?, number(1)?, number(1)?);
    let preset: Preset = arguments.next().map_or(Ok(Preset::default()), |name| name.parse())?;
    let mut qps: Vec<u8> = arguments.map(|text| text.parse()).collect::<Result<_, _>>()?;
    if qps.is_empty() {
        qps = vec![22, 27, 32, 37];
    }
    let mut clip = y4m::decode(File::open(path)?)?;
    let (width, height) = (clip.get_width(), clip.get_height());
    let mut frames = Vec::new();
    while let Ok(frame) = clip.read_frame() {
        frames.push([frame.get_y_plane(), frame.get_u_plane(), frame.get_v_plane()].concat());
    }
    for qp in qps {
        let mut config = Config::new(width, height);
        config.rate = RateControl::ConstantQp(qp);
        (config.keyint, config.scene_cut, config.references) = (keyint, Some(false), Some(references as u8));
        config.preset = preset;
        let (mut best, mut bytes, mut psnr) = (f64::MAX, 0, 0.0);
        for _ in 0..rounds {
            let mut encoder = Encoder::new(config.clone())?;
            let mut seconds = 0.0;
            (bytes, psnr) = (0, 0.0);
            for frame in &frames {
                let given = Frame::i420(width, height, frame)?;
                let start = Instant::now();
                bytes += encoder.encode(&given)?.map_or(0, |packet| packet.bytes.len());
                seconds += start.elapsed().as_secs_f64();
                let coded = encoder.reconstruction();
                let luma = coded.planes()[0];
                let rows = luma.samples().chunks(luma.stride()).zip(frame.chunks(width)).take(height);
                let pairs = rows.flat_map(|(coded, given)| given.iter().zip(coded));
                let squares = pairs.map(|(a, b)| u64::from(a.abs_diff(*b)).pow(2)).sum::<u64>();
                psnr += 10.0 * (255.0 * 255.0 * (width * height) as f64 / squares as f64).log10().min(100.0);
            }
            best = seconds.min(best);
        }
        let count = frames.len() as f64;
        let (speed, bytes, psnr) = (count / best, bytes as f64 / count, psnr / count);
        println!("qp {qp} fps {speed:.2} bytes {bytes:.0} psnr {psnr:.3}");
    }
    Ok(())
}
