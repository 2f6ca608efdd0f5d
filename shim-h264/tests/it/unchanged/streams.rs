//! The streams of the corpus, and their hashes.

use crate::clips::Clip;
use crate::common::{Rng, i420};
use shim_h264::decide::{ByCost, Decisions, Random};
use shim_h264::{Color, Config, Deblocking, Edges, Encoder, Format, Frame, Matrix, Preset, RateControl, Vbv};

const RECORDED: &str = include_str!("../../reference/unchanged.tsv");

/// The lines of the record, one for each case.
pub(crate) fn recorded() -> Vec<&'static str> {
    RECORDED.lines().filter(|line| !line.starts_with('#')).collect()
}

/// A stream of the record.
pub(crate) struct Case {
    pub(crate) name: String,
    clip: Clip,
    frames: usize,
    pub(crate) config: Config,
    /// The seed of random decisions.
    random: Option<u64>,
    /// Whether settings change between frames.
    control: bool,
}

impl Case {
    fn new(name: impl Into<String>, clip: Clip, frames: usize, config: Config) -> Self {
        Self { name: name.into(), clip, frames, config, random: None, control: false }
    }

    /// Hashes of the stream and of its pictures, by the settings of the case or some that make the same stream.
    pub(crate) fn hashes(&self, config: Config) -> [u64; 2] {
        match self.random {
            Some(seed) => encode(self, config, Random::new(seed)),
            None => encode(self, config, ByCost),
        }
    }

    /// The line of the record with these hashes.
    pub(crate) fn line(&self, [stream, recon]: [u64; 2]) -> String {
        format!("{}\t{:?}\t{stream:016x}\t{recon:016x}", self.name, self.clip)
    }
}

/// P pictures by a preset, of a size that is no whole number of macroblocks.
fn config(preset: Preset) -> Config {
    let mut config = Config::new(72, 56);
    (config.preset, config.references) = (preset, Some(preset.references()));
    (config.lookahead, config.aq_strength) = (Some(0), Some(0.0));
    config.rate = RateControl::ConstantQp(28);
    config
}

/// P pictures by one of the fastest presets, 34x50.
fn small() -> Config {
    let mut config = config(Preset::Veryfast);
    (config.width, config.height, config.references) = (34, 50, Some(2));
    config
}

/// All cases.
pub(crate) fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    let mut case = |name: String, clip, frames, change: &dyn Fn(&mut Config), of: &Config| {
        let mut config = of.clone();
        change(&mut config);
        cases.push(Case::new(name, clip, frames, config));
    };
    for preset in Preset::ALL {
        for clip in Clip::ALL {
            for keyint in [1, 250] {
                let frames = if keyint == 1 { 1 } else { 4 };
                let name = format!("{preset} keyint {keyint}");
                case(name, clip, frames, &|config| config.keyint = keyint, &config(preset));
            }
        }
    }
    for preset in [Preset::Superfast, Preset::Medium, Preset::Slower] {
        for (name, rate) in [
            ("qp 0", RateControl::ConstantQp(0)),
            ("qp 12", RateControl::ConstantQp(12)),
            ("qp 51", RateControl::ConstantQp(51)),
            ("crf 18", RateControl::ConstantQuality(18.0)),
            ("crf 31.5", RateControl::ConstantQuality(31.5)),
            ("20 kbit/s", RateControl::AverageBitRate(20_000)),
            ("300 kbit/s", RateControl::AverageBitRate(300_000)),
        ] {
            let name = format!("{preset} {name}");
            let change = |config: &mut Config| (config.rate, config.preset) = (rate, preset);
            case(name, Clip::Cut, 8, &change, &small());
        }
    }
    for (bits, size, fullness) in [(40_000, 12_000, 0.9), (200_000, 60_000, 0.5), (14_000, 9_000, 1.0)] {
        let vbv = |config: &mut Config| {
            config.rate = RateControl::AverageBitRate(bits - bits / 8);
            let mut vbv = Vbv::new(bits, size);
            vbv.initial_fullness = fullness;
            config.vbv = Some(vbv);
        };
        case(format!("vbv {bits} bit/s"), Clip::Cut, 10, &vbv, &small());
    }
    for qp in 0..=51 {
        let mut config = small();
        (config.width, config.height, config.rate) = (32, 32, RateControl::ConstantQp(qp));
        config.preset = [Preset::Fast, Preset::Slower][usize::from(qp % 2)];
        case(format!("qp {qp}"), Clip::Shake, 2, &|_| (), &config);
        case(format!("qp {qp}"), Clip::Noise, 2, &|_| (), &config);
    }
    for references in 1..=16 {
        let change = |config: &mut Config| {
            (config.width, config.height, config.references) = (32, 18, Some(references));
            config.preset = if references % 5 == 0 { Preset::Veryslow } else { Preset::Fast };
        };
        case(format!("{references} references"), Clip::Flicker, 20, &change, &small());
    }
    for slices in 1..=4 {
        for edges in [Edges::All, Edges::WithinSlices, Edges::None] {
            let change = |config: &mut Config| {
                (config.slices, config.deblocking.edges) = (slices, Some(edges));
            };
            case(format!("{slices} slices, {edges:?}"), Clip::Pan, 3, &change, &small());
        }
    }
    for size in [64, 100, 255, 1400] {
        for slices in [1, 3] {
            let change = |config: &mut Config| {
                (config.max_slice_size, config.slices) = (Some(size), slices);
                config.preset = Preset::Medium;
            };
            for clip in [Clip::Shake, Clip::Noise] {
                case(format!("slices of {size} bytes, {slices}"), clip, 3, &change, &small());
            }
        }
    }
    for alpha in [-6, 0, 3, 6] {
        for beta in [-6, -2, 6] {
            let change = |config: &mut Config| {
                config.deblocking = Deblocking { alpha, beta, ..config.deblocking };
                config.rate = RateControl::ConstantQp(36);
            };
            case(format!("deblocking {alpha} {beta}"), Clip::Shake, 2, &change, &small());
        }
    }
    for preset in Preset::ALL {
        let change = |config: &mut Config| {
            (config.preset, config.constrained_intra_pred, config.slices) = (preset, true, 2);
        };
        for clip in [Clip::Cut, Clip::Fade] {
            case(format!("{preset} constrained"), clip, 6, &change, &small());
        }
    }
    for offset in [-12, -3, 5, 12] {
        let change = |config: &mut Config| config.chroma_qp_index_offset = offset;
        case(format!("chroma offset {offset}"), Clip::Bunny, 2, &change, &small());
    }
    for (width, height) in [(1, 1), (2, 2), (15, 17), (16, 16), (17, 33), (31, 47), (96, 4), (130, 34)] {
        let change = |config: &mut Config| {
            (config.width, config.height, config.preset) = (width, height, Preset::Medium);
        };
        case(format!("{width}x{height}"), Clip::Shake, 3, &change, &small());
    }
    for (keyint, min_keyint) in [(3, None), (7, Some(1)), (250, Some(12))] {
        let change = |config: &mut Config| (config.keyint, config.min_keyint) = (keyint, min_keyint);
        case(format!("keyint {keyint}, at least {min_keyint:?}"), Clip::Cut, 14, &change, &small());
    }
    case("no scene cut".into(), Clip::Cut, 8, &|config| config.scene_cut = Some(false), &small());
    case("avcc".into(), Clip::Pan, 2, &|config| config.format = Format::Avcc, &small());
    let described = |config: &mut Config| {
        config.access_unit_delimiters = true;
        config.color = Some(Color { matrix: Matrix::Bt709, full_range: true });
        (config.primaries, config.transfer, config.sample_aspect_ratio) = (1, 13, Some((16, 11)));
        (config.frame_rate, config.level) = ((30000, 1001), Some(31));
    };
    case("described".into(), Clip::Pan, 2, &described, &small());
    for (name, vbv) in [("control", false), ("control with a vbv", true)] {
        let mut config = small();
        (config.variable_frame_rate, config.rate) = (!vbv, RateControl::AverageBitRate(60_000));
        (config.slices, config.vbv) = (2, vbv.then(|| Vbv::new(90_000, 40_000)));
        cases.push(Case { control: true, ..Case::new(name, Clip::Cut, 16, config) });
    }
    cases.extend((0..60).map(random));
    cases
}

/// Random settings, and random decisions about macroblocks.
fn random(seed: u64) -> Case {
    let mut rng = Rng(seed);
    let mut config = Config::new(2 + 2 * rng.below(32), 2 + 2 * rng.below(24));
    config.rate = RateControl::ConstantQp(rng.below(52) as u8);
    config.chroma_qp_index_offset = rng.below(25) as i8 - 12;
    config.deblocking = Deblocking {
        edges: Some([Edges::All, Edges::All, Edges::WithinSlices, Edges::None][rng.below(4)]),
        alpha: rng.below(13) as i8 - 6,
        beta: rng.below(13) as i8 - 6,
    };
    config.keyint = 1 + rng.below(6) as u32;
    config.references = Some(1 + rng.below(4) as u8);
    config.constrained_intra_pred = rng.below(3) == 0;
    config.slices = 1 + rng.below(config.height.div_ceil(16));
    config.max_slice_size = (rng.below(4) == 0).then(|| 64 + rng.below(300));
    let clip = Clip::ALL[rng.below(Clip::ALL.len())];
    Case { random: Some(rng.next()), ..Case::new(format!("random {seed}"), clip, 3, config) }
}

/// Changes what can be changed between frames.
fn control<D: Decisions>(encoder: &mut Encoder<D>, number: usize) {
    match number {
        2 | 9 => encoder.force_keyframe(),
        4 => encoder.set_rate_control(RateControl::AverageBitRate(30_000)).unwrap(),
        6 => encoder.set_qp_offset(3.5).unwrap(),
        8 if encoder.config().variable_frame_rate => encoder.set_frame_rate((12, 1)).unwrap(),
        11 => encoder.set_rate_control(RateControl::ConstantQuality(24.0)).unwrap(),
        13 => encoder.set_rate_control(RateControl::ConstantQp(33)).unwrap(),
        _ => (),
    }
}

/// Hashes of the stream, with its parameter sets, and of all reconstructed pictures.
fn encode<D: Decisions>(case: &Case, config: Config, decisions: D) -> [u64; 2] {
    let [width, height] = [config.width, config.height];
    let mut encoder = Encoder::with_decisions(config, decisions).expect("a legal configuration");
    let mut hashes = [Hash::default(), Hash::default()];
    hashes[0].add(&encoder.configuration_record());
    for (number, frame) in case.clip.frames(width, height, case.frames).iter().enumerate() {
        if case.control {
            control(&mut encoder, number);
        }
        let frame = Frame::i420(width, height, frame).expect("a legal frame");
        let packet = encoder.encode(&frame).expect("it is coded").expect("its packet comes at once");
        hashes[0].add(&packet.bytes);
        hashes[1].add(&i420(&encoder.reconstruction()));
    }
    hashes.map(|hash| hash.0)
}

/// FNV-1a.
struct Hash(u64);

impl Default for Hash {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Hash {
    fn add(&mut self, bytes: &[u8]) {
        let step = |hash: u64, &byte: &u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        self.0 = bytes.iter().fold(self.0, step);
    }
}
