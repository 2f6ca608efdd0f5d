//! The size of pictures as a function of QP, and the QP for a given size.
//!
//! Bits are taken to be `factor * cost / step`, with one of the [`Costs`] of the picture, the step of the quantizer,
//! and a factor for Intra and for P pictures, which is learnt.

use alloc::vec::Vec;

use libm::{exp2, log2};

use super::passes::FirstPass;
use super::settings::RateControl;
use crate::config::Config;
use crate::gop::{Picture, PictureKind};
use crate::lookahead::{Costs, Later};

/// Parameters of an encode of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Encode {
    pub(crate) qp: u8,
    /// Whether all macroblocks are skipped, or in an IDR picture gray.
    pub(crate) dropped: bool,
    /// The number of the encode, from 1.
    pub(super) number: u32,
    /// Bits of the encode before.
    pub(super) bits: u64,
}

/// Maximum by which the QP of IDR pictures is below that of P pictures: all that follows is predicted from them.
const FINER: f64 = 3.0;

/// Share of a change of the cost that changes the step instead of the bits: hardly anybody sees what is lost where
/// much changes.
const FOLLOWED: f64 = 0.4;

/// By how much QP is higher where macroblocks on which others depend have a lower one: sizes are about the same.
const TREE_QP: f64 = 1.5;

/// Expected cost of P pictures after an IDR picture, as a share of its cost.
const EXPECTED: f64 = 0.2;

/// Expected cost with a bit rate to keep: an IDR picture that took too much of it is worse than one that took too
/// little.
const EXPECTED_OF_RATE: f64 = 0.3;

/// Weight of this guess in pictures, once there are others.
const GUESS_WEIGHT: f64 = 4.0;

/// QP where nothing is known.
const USUAL_QP: f64 = 26.0;

/// Cost of a macroblock in P pictures of usual motion, and the weight of that in pictures: what comes after the
/// look-ahead is expected to be more like it than like an opening where hardly anything moves.
const USUAL: f64 = 400.0;
const USUAL_WEIGHT: f64 = 20.0;

/// Share of a change of the cost of the pictures of the look-ahead that changes the step, with a bit rate to keep.
const FOLLOWED_AHEAD: f64 = 0.2;

/// Seconds over which an excess is recovered where nothing is known of the pictures that follow, and where the end of
/// the stream is known and a look-ahead sees the pictures before it.
const WINDOW: f64 = 1.0;
const WINDOW_TO_END: f64 = 10.0;

/// Seconds over which costs are averaged for the step, in these cases.
const MEMORY: f64 = 2.0;
const MEMORY_TO_END: f64 = 30.0;

/// Seconds over which the bits of an IDR picture are spread: those of a shorter stream are not all paid for at its end.
const IDR_SPREAD: f64 = 1.5;

/// Seconds before the end of the stream in which QP comes to follow each change of the cost, so that no error is left.
const ENDING: f64 = 2.0;

/// Whether the stream is planned up to its end.
fn is_planned(config: &Config) -> bool {
    config.frames_ahead() > 0 && config.expected_frames.is_some()
}

/// The step of the quantizer, 1 at QP 4 (8.5.9).
fn step(qp: f64) -> f64 {
    exp2((qp - 4.0) / 6.0)
}

/// The QP of a step.
fn qp_of(step: f64) -> f64 {
    4.0 + 6.0 * log2(step.clamp(1e-3, 1e6))
}

/// The size of pictures of a kind, the last ones weighed the most.
#[derive(Clone, Copy, Debug)]
struct Factor {
    /// Bits, each times the step.
    bits: f64,
    cost: f64,
    /// Weight of the pictures before.
    kept: f64,
}

impl Factor {
    fn new(guess: f64, cost: f64, kept: f64) -> Self {
        Self { bits: guess * cost, cost, kept }
    }

    fn bits_at(&self, cost: f64, step: f64) -> f64 {
        self.bits / self.cost * cost / step
    }

    fn learn(&mut self, bits: f64, cost: f64, step: f64) {
        self.bits = self.kept * self.bits + bits * step;
        self.cost = self.kept * self.cost + cost;
    }
}

/// The distance of the stream from its bit rate.
#[derive(Clone, Copy, Debug)]
struct Average {
    /// Mean size of a picture, in bits.
    bits: f64,
    /// Number of pictures over which an excess is recovered, now and behind the end that was expected.
    window: f64,
    window_after: f64,
    /// Number of pictures over which the bits of an IDR picture are spread.
    spread: f64,
    /// Excess, in bits.
    debt: f64,
    /// Bits of IDR pictures that are not spread yet, and the number of pictures to spread them over.
    pending: f64,
    left: f64,
    /// Rounding error of QP.
    rounded: f64,
    /// Pictures left of the stream with the next one, if that is known.
    remaining: Option<f64>,
    /// Pictures of the ending.
    ending: f64,
    /// Maximum size of a picture, as a multiple of the mean.
    most: f64,
}

impl Average {
    /// The state after so many pictures that were not counted, if there is a bit rate to keep.
    fn new(config: &Config, pictures: f64) -> Option<Self> {
        let RateControl::AverageBitRate(bits) = config.rate else { return None };
        let rate = f64::from(config.frame_rate.0) / f64::from(config.frame_rate.1);
        let remaining = config.expected_frames.map(|frames| frames as f64 - pictures);
        let window = |seconds: f64| (seconds * rate).clamp(8.0, 500.0);
        Some(Self {
            bits: bits as f64 / rate,
            window: window(if is_planned(config) { WINDOW_TO_END } else { WINDOW }),
            window_after: window(WINDOW),
            spread: f64::from(config.keyint).min((IDR_SPREAD * rate).clamp(8.0, 500.0)),
            debt: 0.0,
            pending: 0.0,
            left: 0.0,
            rounded: 0.0,
            remaining: remaining.filter(|&remaining| remaining > 0.0),
            ending: ENDING * rate,
            most: if config.frames_ahead() > 0 { 4.0 } else { 2.0 },
        })
    }

    /// The state of another rate or frame rate, to which what is owed is owed in proportion.
    fn reconfigured(self, before: &Self) -> Self {
        let part = self.bits * self.window / (before.bits * before.window);
        Self {
            debt: before.debt * part,
            pending: before.pending * part,
            left: before.left * self.spread / before.spread,
            rounded: before.rounded,
            remaining: before.remaining,
            ..self
        }
    }

    /// `pictures`, or the number left if that is less.
    fn at_most(&self, pictures: f64) -> f64 {
        self.remaining.map_or(pictures, |remaining| pictures.min(remaining))
    }

    /// The share of the next picture in the bits of earlier IDR pictures.
    fn share(&self) -> f64 {
        self.pending / self.at_most(self.left).max(1.0)
    }

    /// Progress through the end of the stream, from 0 to 1.
    fn ended(&self) -> f64 {
        self.remaining.map_or(0.0, |remaining| (1.0 - remaining / self.ending).max(0.0))
    }

    /// Whether the excess is more than the bits of a window.
    fn is_deep(&self) -> bool {
        self.debt > self.window * self.bits
    }

    /// The target size of the next picture, in bits.
    fn budget(&self) -> f64 {
        (self.bits - self.debt / self.at_most(self.window)).clamp(0.3 * self.bits, self.most * self.bits)
    }

    fn coded(&mut self, idr: bool, bits: f64) {
        let own = if idr {
            (self.pending, self.left) = (self.pending + bits, self.at_most(self.spread));
            0.0
        } else {
            bits
        };
        let share = self.share();
        (self.pending, self.left) = (self.pending - share, self.left - 1.0);
        // A stream that goes on after its end has none that is known.
        self.remaining = self.remaining.map(|remaining| remaining - 1.0).filter(|&remaining| remaining > 0.0);
        if self.remaining.is_none() {
            self.window = self.window_after;
        }
        // What an easy scene leaves over is not all for what comes after it.
        self.debt = (self.debt + own + share - self.bits).max(-2.0 * self.window * self.bits);
    }
}

/// Bits of a picture that do not depend on its QP: start code, slice header, skipped macroblocks.
const FIXED: f64 = 80.0;

/// Bits of the messages of a picture's time, with a buffer.
const TIMING: f64 = 120.0;

/// The rest of a stream that was coded before.
#[derive(Clone, Debug)]
struct Planned {
    /// For each picture and all after it, their bits in the first pass, each times the step of the P pictures of a
    /// second one at which they are expected to be the same.
    rest: Vec<f64>,
    /// Bits of the stream that are left for what depends on QP.
    left: f64,
    /// Bits of the pictures so far, each times the step, as `rest` has them of the first pass.
    taken: f64,
}

impl Planned {
    /// The plan of a stream of pictures with a mean size in bits.
    fn new(first: &FirstPass, finer: f64, bits: f64) -> Self {
        let mut rest: Vec<_> = first
            .pictures()
            .iter()
            .rev()
            .scan(0.0, |sum, coded| {
                let qp = f64::from(coded.qp) + if coded.idr { finer } else { 0.0 };
                *sum += (coded.bits as f64 - FIXED).max(0.0) * step(qp);
                Some(*sum)
            })
            .collect();
        rest.reverse();
        let left = (bits - FIXED).max(1.0) * rest.len() as f64;
        Self { rest, left, taken: 0.0 }
    }

    /// The QP of P pictures from a picture on, if it was coded before.
    fn qp(&self, picture: usize, mean: f64) -> Option<f64> {
        let [rest, all] = [picture, 0].map(|picture| self.rest.get(picture).copied());
        let (rest, all) = (rest?, all?);
        // Pictures that exceed the first pass so far let the rest be expected to do so as well.
        let more = (all + self.taken) / (2.0 * all - rest).max(1.0);
        let pictures = (self.rest.len() - picture) as f64;
        Some(qp_of(more * rest / self.left.max(0.1 * mean * pictures)))
    }

    /// A picture was coded at a QP, that of P pictures.
    fn coded(&mut self, qp: f64, bits: f64) {
        self.left -= bits - FIXED;
        self.taken += (bits - FIXED).max(0.0) * step(qp);
    }
}

/// Chooses QPs.
#[derive(Clone, Debug)]
pub(super) struct Model {
    control: RateControl,
    average: Option<Average>,
    /// The plan that follows from a first pass.
    planned: Option<Planned>,
    mbs: f64,
    /// Whether macroblocks have offsets by what depends on them: where much changes, less does, which takes the place of
    /// [`FOLLOWED`].
    tree: bool,
    /// Whether the costs of pictures that follow are known.
    sees: bool,
    /// Number of pictures whose costs are known, from the one that is coded next on.
    ahead: f64,
    /// By how much offsets of QP enlarge the picture that is coded if it is an IDR picture.
    pub(super) ratio: f64,
    /// By how much IDR pictures are finer.
    pub(super) finer: f64,
    /// Bits of a picture of skipped macroblocks.
    fixed: f64,
    /// Of Intra and of P pictures.
    factors: [Factor; 2],
    /// Mean cost of recent P pictures, and over a longer time; none before the first picture.
    lately: Option<[f64; 2]>,
    /// Weights of the past in both means, once there are enough pictures.
    kept: [f64; 2],
    /// Pictures so far.
    pictures: f64,
    /// The last QP of P pictures, before it was rounded.
    last: Option<f64>,
    /// The caller's offset of every QP.
    pub(super) qp_offset: f64,
}

/// By how much IDR pictures are finer.
fn finer(config: &Config) -> f64 {
    match config.rate {
        RateControl::ConstantQp(_) => 0.0,
        _ => log2(f64::from(config.keyint)).min(FINER),
    }
}

/// Weights of the past in the means of costs: over a quarter of a second, and over a longer time.
fn kept(config: &Config) -> [f64; 2] {
    let rate = f64::from(config.frame_rate.0) / f64::from(config.frame_rate.1);
    [0.25, if is_planned(config) { MEMORY_TO_END } else { MEMORY }]
        .map(|seconds: f64| 1.0 - 1.0 / (seconds * rate).max(2.0))
}

impl Model {
    pub(super) fn new(config: &Config) -> Self {
        let [high, wide] = config.mbs();
        let mbs = (high * wide) as f64;
        let average = Average::new(config, 0.0);
        let first = config.first_pass.as_ref().zip(average);
        Self {
            control: config.rate,
            average,
            planned: first.map(|(first, average)| Planned::new(first, finer(config), average.bits)),
            mbs,
            tree: config.has_tree(),
            sees: config.frames_ahead() > 0,
            ahead: 1.0,
            ratio: 1.0,
            finer: finer(config),
            fixed: FIXED * config.slices as f64 + if config.vbv.is_some() { TIMING } else { 0.0 },
            factors: [Factor::new(3.0, mbs, 0.5), Factor::new(1.5, mbs, 0.9)],
            lately: None,
            kept: kept(config),
            pictures: 0.0,
            last: None,
            qp_offset: 0.0,
        }
    }

    /// Goes on with another rate or frame rate; what was learnt of the pictures stays.
    pub(super) fn reconfigure(&mut self, config: &Config) {
        let average = Average::new(config, self.pictures);
        if let (Some(planned), Some(before), Some(after)) = (&mut self.planned, &self.average, &average) {
            planned.left *= after.bits / before.bits;
        }
        (self.average, self.last) = match (average, &self.average) {
            (Some(new), Some(before)) => {
                // Half the bits for a picture are twice the step.
                let more = 6.0 * log2(before.bits / new.bits);
                (Some(new.reconfigured(before)), self.last.map(|last| last + more))
            }
            // Nothing is owed, and QP is free to be another at once.
            (average, _) => (average, None),
        };
        (self.control, self.finer, self.kept) = (config.rate, finer(config), kept(config));
        self.tree = config.has_tree();
    }

    /// The last QP of P pictures.
    pub(super) fn last_qp(&self) -> f64 {
        self.last.unwrap_or(USUAL_QP)
    }

    /// The cost of the picture that is coded, above 0 in any case.
    fn cost(&self, idr: bool, costs: Costs) -> f64 {
        if idr { self.ratio * self.intra(costs) } else { costs.inter as f64 + self.mbs }
    }

    /// The Intra cost of a picture without offsets of QP.
    fn intra(&self, costs: Costs) -> f64 {
        costs.intra as f64 + self.mbs
    }

    /// The bits that are expected.
    pub(super) fn bits_at(&self, idr: bool, costs: Costs, qp: f64) -> f64 {
        let [intra, p] = &self.factors;
        (if idr { intra } else { p }).bits_at(self.cost(idr, costs), step(qp))
    }

    /// The bits that are expected of a later picture of the same quality as one of this QP.
    pub(super) fn later_bits(&self, idr: bool, qp: f64, later: Later) -> f64 {
        let [intra, p] = &self.factors;
        let qp = qp + if idr { self.finer } else { 0.0 };
        if later.idr {
            intra.bits_at(self.intra(later.costs), step(qp - self.finer))
        } else {
            p.bits_at(self.cost(false, later.costs), step(qp))
        }
    }

    /// The QP at which so many bits are expected.
    pub(super) fn qp_for(&self, idr: bool, costs: Costs, bits: f64) -> f64 {
        qp_of(self.bits_at(idr, costs, 4.0) / bits.max(1.0))
    }

    /// The mean cost of the pictures that are known, of which the first is coded next, and their number. An IDR picture
    /// counts as the P pictures that are expected after it.
    fn mean_cost(&self, picture: Picture, costs: Costs, later: &[Later]) -> [f64; 2] {
        let expected = |idr: bool, costs: Costs| {
            if idr { EXPECTED_OF_RATE * self.intra(costs) } else { self.cost(false, costs) }
        };
        let (mut sum, mut count) = (expected(picture.idr, costs), 1.0);
        for &Later { costs, .. } in later {
            sum += expected(costs.new_scene(), costs);
            count += 1.0;
        }
        [sum / count, count]
    }

    /// The mean costs of P pictures over a short and over a long time, with those of a picture that comes before `later`
    /// ones.
    fn costs_lately(&mut self, picture: Picture, costs: Costs, later: &[Later]) -> [f64; 2] {
        let (expected, weight) = match self.average {
            Some(_) => (EXPECTED_OF_RATE, GUESS_WEIGHT),
            None => (EXPECTED, f64::INFINITY),
        };
        let new = expected * self.intra(costs);
        let inter = self.cost(false, costs);
        let [kept_short, kept_long] = self.kept;
        // The mean of a guess of some weight and of all pictures, until those are enough.
        let mean = |kept: f64, weight: f64, before: f64, cost: f64| {
            let kept = kept.min(1.0 - 1.0 / (self.pictures + weight));
            kept * before + (1.0 - kept) * cost
        };
        match self.lately {
            lately if self.sees => {
                let [ahead, count] = self.mean_cost(picture, costs, later);
                let before = lately.map_or(USUAL * self.mbs, |[_, long]| long);
                let cost = if picture.idr { ahead } else { inter };
                let long = mean(kept_long, USUAL_WEIGHT, before, cost);
                self.ahead = count;
                [ahead, long]
            }
            None => [new; 2],
            Some([_, long]) if picture.kind == PictureKind::SceneCut => [new, long],
            Some([short, long]) => {
                [mean(kept_short, weight, short, inter), mean(kept_long, weight, long, inter)]
            }
        }
    }

    /// A picture comes, and `later` ones are known; gives its QP.
    pub(super) fn qp(&mut self, picture: Picture, costs: Costs, later: &[Later]) -> f64 {
        let lately = self.costs_lately(picture, costs, later);
        self.pictures += 1.0;
        self.lately = Some(lately);
        let base = match (self.control, self.average) {
            (RateControl::ConstantQp(qp), _) => f64::from(qp),
            (RateControl::ConstantQuality(quality), _) => {
                // The cost of a macroblock in a picture of little motion.
                let usual = 300.0 * self.mbs;
                let followed = if self.tree {
                    TREE_QP
                } else {
                    (6.0 * FOLLOWED * log2(lately[0] / usual)).clamp(-4.0, 4.0)
                };
                f64::from(quality) + followed
            }
            (RateControl::AverageBitRate(_), None) => USUAL_QP,
            (RateControl::AverageBitRate(_), Some(average)) => {
                let planned = self.planned.as_ref();
                match planned.and_then(|planned| planned.qp(self.pictures as usize - 1, average.bits)) {
                    Some(qp) => self.steady(qp, picture.idr),
                    None => self.average_qp(&average, picture.idr, costs, lately),
                }
            }
        };
        self.last = Some(base);
        let qp = if picture.idr { base - self.finer } else { base };
        qp + self.average.map_or(0.0, |average| average.rounded) + self.qp_offset
    }

    /// The QP of P pictures with which the budget is kept.
    fn average_qp(&self, average: &Average, idr: bool, costs: Costs, lately: [f64; 2]) -> f64 {
        let [near, far] = lately;
        let (followed, far) = if self.sees {
            // The pictures that are known, and from there to the end those that are expected.
            let left = average.remaining.unwrap_or(average.window).max(self.ahead);
            (FOLLOWED_AHEAD, far + (near - far) * self.ahead / left)
        } else {
            // What varies within seconds is met half way, and in the end all the way.
            (FOLLOWED + (1.0 - FOLLOWED) * average.ended(), far)
        };
        let cost = exp2(followed * log2(near) + (1.0 - followed) * log2(far));
        let predicted = self.factors[1].bits_at(cost, 1.0);
        let budget = average.budget();
        let step = if idr {
            let intra = self.bits_at(true, costs, 4.0 - self.finer);
            let spread = average.at_most(average.spread);
            (predicted * (spread - 1.0) + intra) / spread / budget
        } else {
            predicted / (budget - average.share()).max(0.2 * average.bits)
        };
        self.steady(qp_of(step), idr)
    }

    /// A QP near that of the previous picture, unless an IDR picture begins a new scene. It rises without limit where the
    /// excess is larger than a window: after black pictures that fade in, QP is far too low.
    fn steady(&self, wanted: f64, idr: bool) -> f64 {
        let fall = if idr { 51.0 } else { 2.0 };
        let is_deep = self.average.as_ref().is_some_and(Average::is_deep);
        let rise = if is_deep { 51.0 } else { fall };
        self.last.map_or(wanted, |last| wanted.clamp(last - fall, last + rise)).clamp(0.0, 51.0)
    }

    /// A picture was coded; `qp` is what was wanted before it was rounded.
    pub(super) fn coded(&mut self, idr: bool, costs: Costs, qp: f64, attempt: Encode, bits: u64) {
        let (cost, bits) = (self.cost(idr, costs), bits as f64);
        if let Some(planned) = &mut self.planned {
            planned.coded(f64::from(attempt.qp) + if idr { self.finer } else { 0.0 }, bits);
        }
        if !attempt.dropped {
            let [intra, p] = &mut self.factors;
            // A still picture says nothing of one that moves.
            if idr || !self.sees || bits > 2.0 * self.fixed {
                (if idr { intra } else { p }).learn(bits, cost, step(attempt.qp.into()));
            }
        }
        if let Some(average) = &mut self.average {
            average.rounded = (qp - f64::from(attempt.qp)).clamp(-1.0, 1.0);
            average.coded(idr, bits);
        }
    }
}
