//! Rate control: which bit rate a stream has, and how far it is from x264's at that rate.

use shim_benches::clip::Clip;
use shim_h264::{Config, Preset, RateControl};

use super::decode;
use super::peers::{Coder, X264};

/// Bit rates that are asked for, in kbit/s.
const TARGETS: [u64; 5] = [100, 200, 300, 500, 1000];
/// Those of x264's curve: streams of x264 miss theirs by a fifth.
const CURVE: [u64; 8] = [70, 100, 150, 220, 330, 500, 800, 1300];
/// Frames from one IDR picture to the next, at most.
const KEYINT: u32 = 250;
/// One reference and no look-ahead; scene cuts are found, and psychovisual decisions left out.
const X264_OPTIONS: &str = "--preset medium --profile baseline --tune psnr --ref 1 --rc-lookahead 0 --sync-lookahead 0 \
                            --no-mbtree --bframes 0 --threads 1";

/// A stream: its bit rate in kbit/s, and the PSNR of luma.
#[derive(Clone, Copy)]
struct Coded {
    rate: f64,
    psnr: f64,
}

impl Coded {
    fn of(clip: &Clip, stream: &[u8]) -> Result<Self, String> {
        let decoded = decode::decode(stream).map_err(|error| format!("{}: {error}", clip.name))?;
        let seconds = clip.frames.len() as f64 * f64::from(clip.frame_rate.1) / f64::from(clip.frame_rate.0);
        Ok(Self { rate: 8e-3 * stream.len() as f64 / seconds, psnr: clip.psnr(&decoded)?.luma })
    }
}

/// Prints a table for each clip: the rate asked for, by how much it was missed, and PSNR of luma against x264's at the
/// same rate.
pub(super) fn print(clips: &[Clip]) -> Result<(), String> {
    println!("P, average bit rate, {} against x264 {X264_OPTIONS} --keyint {KEYINT}", Preset::Medium);
    println!("{:44} {:>7} {:>8} {:>8} {:>8} {:>8}", "", "kbit/s", "missed", "x264's", "luma dB", "x264 dB");
    let (mut worst, mut all) = ([0.0_f64; 2], Vec::new());
    for clip in clips {
        let x264 = X264::new(clip)?;
        let mut curve = Vec::new();
        for target in CURVE {
            curve.push(Coded::of(
                clip,
                &x264.stream(&format!("{X264_OPTIONS} --keyint {KEYINT} --bitrate {target}"))?,
            )?);
        }
        for target in TARGETS {
            let ours = Coded::of(clip, &stream(clip, target)?)?;
            let theirs = Coded::of(
                clip,
                &x264.stream(&format!("{X264_OPTIONS} --keyint {KEYINT} --bitrate {target}"))?,
            )?;
            let [missed, x264_missed] =
                [ours, theirs].map(|coded| 100.0 * (coded.rate / target as f64 - 1.0));
            let more = ours.psnr - at(&curve, ours.rate);
            println!(
                "{:44} {target:7} {missed:+7.2}% {x264_missed:+7.2}% {:8.3} {more:+8.3}",
                super::title(clip),
                ours.psnr
            );
            worst = [worst[0].max(missed.abs()), worst[1].min(more)];
            all.push(more);
        }
    }
    println!(
        "worst: {:.2} % from the rate asked for, {:+.3} dB; {:+.3} dB in the mean",
        worst[0],
        worst[1],
        all.iter().sum::<f64>() / all.len() as f64
    );
    Ok(())
}

/// What the default preset writes at an average bit rate.
fn stream(clip: &Clip, kilobits: u64) -> Result<Vec<u8>, String> {
    let mut config = Config::new(clip.width, clip.height);
    config.frame_rate = clip.frame_rate;
    config.rate = RateControl::AverageBitRate(1000 * kilobits);
    config.preset = Preset::Medium;
    config.keyint = KEYINT;
    config.expected_frames = Some(clip.frames.len() as u64);
    Coder::shim(clip, config)?.stream()
}

/// PSNR at a rate, on the line through the two points of a curve that are next to it, over the logarithm of the rate.
fn at(curve: &[Coded], rate: f64) -> f64 {
    let mut curve = curve.to_vec();
    curve.sort_by(|a, b| a.rate.total_cmp(&b.rate));
    let after = curve.iter().position(|point| point.rate > rate).unwrap_or(curve.len() - 1).max(1);
    let [a, b] = [curve[after - 1], curve[after]];
    a.psnr + (b.psnr - a.psnr) * (rate / a.rate).ln() / (b.rate / a.rate).ln()
}
