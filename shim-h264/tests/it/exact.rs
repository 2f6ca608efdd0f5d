//! Streams against decoders that others wrote: each reconstructs what the encoder did, byte for byte.

use crate::common::{encode, exact, ffmpeg, intra, picture};
use shim_h264::bitstream::annex_b;
use shim_h264::decide::{ByCost, Choice, Decisions, Kind, MbContext, MbMode, Random};
use shim_h264::syntax::macroblock::{Macroblock, MbType};
use shim_h264::syntax::slice::slice_type;
use shim_h264::syntax::stream::{StreamReader, Unit};
use shim_h264::{Deblocking, Edges, Preset, RateControl};

/// The same choice for all macroblocks.
#[derive(Clone, Copy)]
struct Only(Choice);

/// The same choice for those of P slices.
#[derive(Clone, Copy)]
struct Later(Choice);

impl Decisions for Only {
    fn macroblock(&mut self, context: &MbContext) -> (Choice, u8) {
        (self.0, context.qp)
    }
}

impl Decisions for Later {
    fn macroblock(&mut self, context: &MbContext) -> (Choice, u8) {
        (if context.references > 0 { self.0 } else { Choice::Cheapest(Kind::Any) }, context.qp)
    }
}

const CHOICES: [Choice; 4] = [
    Choice::Mode(MbMode::Pcm),
    Choice::Cheapest(Kind::Intra16x16),
    Choice::Cheapest(Kind::Intra4x4),
    Choice::Cheapest(Kind::Any),
];

#[test]
fn sizes() {
    let sides = [2, 14, 16, 18, 34, 48];
    for (i, (width, height)) in
        sides.iter().flat_map(|&w| sides.iter().map(move |&h| (w, h))).chain([(320, 176)]).enumerate()
    {
        for choice in CHOICES {
            let config = intra(width, height);
            let frames = [picture(width, height, i as u64), picture(width, height, 100 + i as u64)];
            let (stream, recon) = encode(&config, Only(choice), &frames);
            if choice == CHOICES[0] {
                assert_eq!(recon, frames, "samples as they are");
            }
            exact(&stream, &recon, i % 6 == 0, &format!("{width}x{height} {choice:?}"));
        }
    }
}

#[test]
fn every_qp() {
    for qp in 0..=51 {
        for choice in CHOICES {
            let mut config = intra(64, 48);
            config.rate = RateControl::ConstantQp(qp);
            config.chroma_qp_index_offset = (qp % 25) as i8 - 12;
            let frames: Vec<_> = (0..3).map(|i| picture(64, 48, u64::from(qp) * 3 + i)).collect();
            let (stream, recon) = encode(&config, Only(choice), &frames);
            exact(&stream, &recon, qp % 10 == 0, &format!("QP {qp} {choice:?}"));
        }
    }
}

#[test]
fn slices_and_filters() {
    for slices in 1..=4 {
        for (i, edges) in [Edges::All, Edges::WithinSlices, Edges::None].into_iter().enumerate() {
            let mut config = intra(80, 64);
            (config.slices, config.rate) = (slices, RateControl::ConstantQp(36));
            config.deblocking =
                Deblocking { edges: Some(edges), alpha: 2 * i as i8 - 3, beta: slices as i8 - 2 };
            config.access_unit_delimiters = slices % 2 == 0;
            let frames = [picture(80, 64, slices as u64), picture(80, 64, 9 + i as u64)];
            let (stream, recon) = encode(&config, Only(Choice::Cheapest(Kind::Any)), &frames);
            exact(&stream, &recon, true, &format!("{slices} slices, {edges:?}"));
        }
    }
}

/// Three frames, 320x176.
fn bunny() -> Vec<Vec<u8>> {
    let file = std::fs::File::open(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/media/bunny_320x176.y4m"));
    let mut clip = y4m::decode(file.expect("the clip is there")).expect("it is Y4M");
    let mut frames = Vec::new();
    while let Ok(frame) = clip.read_frame() {
        frames.push([frame.get_y_plane(), frame.get_u_plane(), frame.get_v_plane()].concat());
    }
    assert_eq!(frames.len(), 3);
    frames
}

/// The mean error of samples, in decibels.
fn psnr(frames: &[Vec<u8>], recon: &[Vec<u8>]) -> f64 {
    let (error, count) = (frames.concat().iter().zip(recon.concat()))
        .fold((0.0, 0), |(sum, n), (&a, b)| (sum + (f64::from(a) - f64::from(b)).powi(2), n + 1));
    10.0 * (255.0 * 255.0 * f64::from(count) / error).log10()
}

#[test]
fn a_real_clip() {
    let frames = bunny();
    for (qp, keyint) in [(10, 1), (26, 1), (26, 9), (40, 1), (40, 9)] {
        let mut config = intra(320, 176);
        (config.rate, config.keyint) = (RateControl::ConstantQp(qp), keyint);
        // A choice of pictures, too.
        config.references = Some(if (qp, keyint) == (40, 9) { 2 } else { 1 });
        let (stream, recon) = encode(&config, ByCost, &frames);
        exact(&stream, &recon, true, &format!("the clip with QP {qp}"));
        let psnr = psnr(&frames, &recon);
        println!("QP {qp}, an IDR picture in {keyint}: {} bytes, {psnr:.2} dB", stream.len());
        assert!(psnr > [48.0, 36.0, 27.0][usize::from(qp) / 15], "{psnr}");
    }
}

/// Slower ones make streams that are smaller, or are not worse.
#[test]
fn presets() {
    let frames = bunny();
    let mut bits = f64::MAX;
    for preset in Preset::ALL {
        let mut config = intra(320, 176);
        (config.keyint, config.references, config.preset) = (9, Some(2), preset);
        let (stream, recon) = encode(&config, ByCost, &frames);
        exact(&stream, &recon, true, preset.name());
        // About 6 dB for each bit of a sample that is coded.
        let psnr = psnr(&frames, &recon);
        let own = f64::from(stream.len() as u32).log2() - psnr / 6.0;
        println!("{preset}: {} bytes, {psnr:.2} dB", stream.len());
        assert!(own < bits + 0.01, "{preset}");
        bits = own;
    }
}

/// Every number of reference pictures, over streams in which `frame_num` wraps more than once.
#[test]
fn references() {
    for references in [1, 2, 3, 4, 7, 8, 15, 16] {
        let mut config = intra(34, 18);
        (config.references, config.keyint, config.scene_cut) = (Some(references), 36, Some(false));
        config.preset = Preset::Veryfast;
        // Pictures come back after so many others, in every distance that a list may have.
        let distance = 1 + u64::from(references);
        let frames: Vec<_> = (0..40).map(|i| picture(34, 18, i % distance)).collect();
        let (stream, recon) = encode(&config, ByCost, &frames);
        exact(&stream, &recon, references % 4 == 0, &format!("{references} references"));
    }
}

/// P pictures of one kind of macroblock each.
#[test]
fn inter_kinds() {
    let kinds = [Kind::Whole, Kind::Any, Kind::Intra4x4].map(Choice::Cheapest);
    for choice in [Choice::Mode(MbMode::Skip)].into_iter().chain(kinds) {
        for (width, height) in [(16, 16), (48, 34), (96, 80)] {
            let mut config = intra(width, height);
            (config.keyint, config.slices) = (9, 1 + usize::from(height > 64));
            let frames: Vec<_> = (0..4).map(|i| picture(width, height, i / 3)).collect();
            let (stream, recon) = encode(&config, Later(choice), &frames);
            exact(&stream, &recon, true, &format!("{choice:?}, {width}x{height}"));
        }
    }
}

/// What was seen in streams.
#[derive(Default)]
struct Seen {
    /// `mb_type` of I and of P slices, `sub_mb_type`, `ref_idx_l0`, `coded_block_pattern` of Intra and Inter, Intra
    /// modes.
    values: std::collections::BTreeMap<&'static str, std::collections::BTreeSet<u8>>,
}

impl Seen {
    fn one(&mut self, name: &'static str, value: u8) {
        self.values.entry(name).or_default().insert(value);
    }

    /// Reads a stream; says whether some macroblock is `I_PCM`.
    fn read(&mut self, stream: &[u8]) -> bool {
        let (mut reader, mut pcm) = (StreamReader::default(), false);
        for unit in annex_b::units(stream) {
            let Unit::Slice { header, rounds } = reader.read(unit).expect("it is legal") else { continue };
            for round in rounds {
                self.one("skipped", u8::from(round.mb_skip_run > 0) + u8::from(!round.more));
                if round.more {
                    pcm |= self.macroblock(header.kind(), &round.macroblock);
                }
            }
        }
        pcm
    }

    fn macroblock(&mut self, slice: u8, macroblock: &Macroblock) -> bool {
        let kind = MbType::of(macroblock.mb_type, slice);
        self.one(if slice == slice_type::I { "I" } else { "P" }, macroblock.mb_type);
        self.one("chroma mode", macroblock.mb_pred.intra_chroma_pred_mode);
        match kind {
            MbType::IPcm => return true,
            MbType::INxN => {
                self.one("Intra pattern", macroblock.coded_block_pattern);
                for mode in &macroblock.mb_pred.intra4x4 {
                    let predicted = 8 * u8::from(mode.prev_intra4x4_pred_mode_flag);
                    self.one("Intra4x4", mode.rem_intra4x4_pred_mode + predicted);
                }
            }
            MbType::I16x16 { .. } => {}
            _ => {
                self.one("Inter pattern", macroblock.coded_block_pattern);
                for i in 0..4 {
                    self.one("sub_mb_type", macroblock.sub_mb_pred.sub_mb_type[i]);
                    self.one("ref_idx", macroblock.sub_mb_pred.ref_idx_l0[i]);
                }
            }
        }
        false
    }
}

/// Decisions that break their word.
struct Unannounced;

impl Decisions for Unannounced {
    fn macroblock(&mut self, context: &MbContext) -> (Choice, u8) {
        (Choice::Mode(MbMode::Pcm), context.qp)
    }

    fn chooses_modes(&self) -> bool {
        false
    }
}

#[test]
#[should_panic(expected = "`Decisions::chooses_modes` returned false")]
fn modes_are_announced() {
    encode(&intra(16, 16), Unannounced, &[picture(16, 16, 1)]);
}

/// Everything at random: kinds, modes, QPs, slices, sizes, filters.
#[test]
fn random_streams() {
    let streams = std::env::var("SHIM_STREAMS").map_or(300, |n| n.parse().expect("a number"));
    let mut seen = Seen::default();
    for seed in 0..streams {
        let mut rng = crate::common::Rng(seed);
        let (width, height) = (2 + 2 * rng.below(48), 2 + 2 * rng.below(40));
        let mut config = intra(width, height);
        // Random vectors point between the samples, whatever those of the preset do.
        config.preset = Preset::ALL[seed as usize % Preset::ALL.len()];
        config.rate = RateControl::ConstantQp(rng.below(52) as u8);
        config.chroma_qp_index_offset = rng.below(25) as i8 - 12;
        config.deblocking = Deblocking {
            edges: Some([Edges::All, Edges::All, Edges::WithinSlices, Edges::None][rng.below(4)]),
            alpha: rng.below(13) as i8 - 6,
            beta: rng.below(13) as i8 - 6,
        };
        config.keyint = 1 + rng.below(6) as u32;
        config.scene_cut = Some(seed % 8 == 0);
        config.references = Some(if rng.below(4) > 0 { 1 + rng.below(4) } else { 16 } as u8);
        config.constrained_intra_pred = rng.below(3) == 0;
        let mut frames = vec![picture(width, height, rng.next())];
        for _ in 0..=rng.below(4) {
            // As the one before but for a few samples, or another.
            let mut frame = frames[frames.len() - 1].clone();
            for _ in 0..rng.below(12) {
                let place = rng.below(frame.len());
                frame[place] ^= 1 << rng.below(8);
            }
            frames.push(if rng.below(3) > 0 { frame } else { picture(width, height, rng.next()) });
        }
        let (stream, recon) = encode(&config, Random::new(rng.next()), &frames);
        let what = format!("seed {seed}, {width}x{height}");
        // OpenH264 filters the chroma of I_PCM as if QPC were 0, and not what Table 8-15 gives for QPY 0 and the offset
        // (8.7.2.2). Such streams are ffmpeg's alone.
        let pcm = seen.read(&stream);
        if pcm && config.chroma_qp_index_offset > 0 && config.deblocking.edges != Some(Edges::None) {
            if let Some(found) = ffmpeg(&stream) {
                assert!(found == recon.concat(), "ffmpeg: {what}");
            }
        } else {
            exact(&stream, &recon, seed % 16 == 0, &what);
        }
    }
    // Every value of these elements was in some stream, if there were enough of them.
    if streams < 300 {
        return;
    }
    for (name, values) in [
        ("I", (0..=25).collect::<Vec<u8>>()),
        ("P", (0..=30).filter(|&mb_type| mb_type != 4).collect()),
        ("Intra pattern", (0..=47).collect()),
        ("Inter pattern", (0..=47).collect()),
        ("Intra4x4", (0..=8).collect()),
        ("chroma mode", (0..=3).collect()),
        ("sub_mb_type", (0..=3).collect()),
        ("ref_idx", (0..=3).collect()),
        ("skipped", (0..=2).collect()),
    ] {
        let found = seen.values.remove(name).unwrap_or_default();
        let enough = if streams < 1000 { values.len() - values.len() / 6 } else { values.len() };
        assert!(
            found.len() >= enough && found.iter().all(|value| values.contains(value)),
            "{name}: {found:?}"
        );
    }
}
