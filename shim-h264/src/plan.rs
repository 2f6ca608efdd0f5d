//! Plans of the frames that wait: keyframes, QP, and the results of the look-ahead for each.

use alloc::collections::VecDeque;
use alloc::vec::Vec;

use crate::config::Config;
use crate::gop::{Gop, Picture, Wanted};
use crate::lookahead::{Guide, Later, Lookahead};
use crate::queue::Waiting;
use crate::rate::{Plan, Rate};

/// By how much QP is lower for each doubling of what depends on a macroblock.
const TREE: f32 = 1.5;

/// A picture that is planned.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Task {
    pub(crate) picture: Picture,
    pub(crate) plan: Plan,
    /// Number of its reference pictures.
    pub(crate) held: usize,
    /// `pts` and user data of its frame.
    pub(crate) pts: i64,
    pub(crate) user_data: u64,
}

/// Plans one picture after another.
#[derive(Clone, Debug)]
pub(crate) struct Planner {
    pub(crate) gop: Gop,
    lookahead: Lookahead,
    /// Number of reference pictures of the last picture that is planned, and the most.
    held: usize,
    most_held: usize,
    /// Whether a keyframe was requested for a picture that is planned, and waits for room in the buffer.
    keyframe_pending: bool,
    /// The pictures that are planned and not coded yet, and memory for others.
    planned: VecDeque<(Task, Guide)>,
    memory: Vec<Guide>,
}

impl Planner {
    pub(crate) fn new(config: &Config, gop: Gop, most_held: u8) -> Self {
        let lookahead = Lookahead::new(config.mbs(), config.preset.lowres_levels(), most_held);
        let most_held = most_held.into();
        let (planned, memory) = (VecDeque::new(), Vec::new());
        Self { gop, lookahead, held: 0, most_held, keyframe_pending: false, planned, memory }
    }

    /// Number of pictures that are planned.
    pub(crate) fn len(&self) -> usize {
        self.planned.len()
    }

    /// The first of them.
    pub(crate) fn first(&self) -> Option<&Task> {
        self.planned.front().map(|(task, _)| task)
    }

    /// Gives the first ones away, and takes the memory of other guides.
    pub(crate) fn take<'s>(&mut self, slots: impl Iterator<Item = (&'s mut Option<Task>, &'s mut Guide)>) {
        for (own_task, own_guide) in slots {
            let Some((task, mut guide)) = self.planned.pop_front() else { return };
            *own_task = Some(task);
            core::mem::swap(own_guide, &mut guide);
            self.memory.push(guide);
        }
    }

    /// Looks at the frames that wait and were not looked at, and plans so many of them, the first ones.
    pub(crate) fn plan(&mut self, config: &Config, rate: &mut Rate, waiting: &mut [Waiting], count: usize) {
        if count == 0 {
            return;
        }
        self.look(config, rate, waiting);
        let mut waiting = &*waiting;
        for _ in 0..count {
            let Some((first, later)) = waiting.split_first() else { return };
            self.next(config, rate, first, later);
            waiting = later;
        }
    }

    /// Looks at the frames that were not looked at.
    fn look(&mut self, config: &Config, rate: &Rate, waiting: &mut [Waiting]) {
        let aq = config.aq();
        let wants_costs = config.frames_ahead() > 0 || rate.wants_costs(config);
        let looks = config.keyint > 1 || wants_costs || aq > 0.0;
        for frame in waiting.iter_mut().filter(|frame| frame.looked.is_none()) {
            frame.looked = Some(looks);
            if looks {
                self.lookahead.look(&frame.source, aq, wants_costs);
            }
            let costs = wants_costs.then(|| self.lookahead.costs(config.has_tree()));
            frame.costs = costs.unwrap_or_default();
        }
    }

    /// Plans the next picture, given its frame and those that wait behind it.
    fn next(&mut self, config: &Config, rate: &mut Rate, frame: &Waiting, waiting: &[Waiting]) {
        let &Waiting { costs, pts, user_data, keyframe, looked, .. } = frame;
        if looked == Some(true) {
            self.lookahead.advance();
        }
        let scene_cut = costs.new_scene() && config.detects_scene_cuts();
        let wanted = Wanted { scene_cut, keyframe: keyframe || self.keyframe_pending };
        let picture = self.gop.next(wanted, rate.idr_fits());
        self.gop.coded(picture);
        // The oldest is dropped if there are too many (8.2.5.3).
        self.held = if picture.idr { 0 } else { (self.held + 1).min(self.most_held) };
        self.lookahead.look_farther(self.held);
        let later = self.later(config, waiting);
        let ratio = self.find_offsets(config, rate, &later);
        let mut guide = self.memory.pop().unwrap_or_else(|| Guide::new(config.mbs()));
        self.lookahead.guide(&mut guide);
        let plan = rate.plan(picture, costs, ratio, &later);
        self.planned.push_back((Task { picture, plan, held: self.held, pts, user_data }, guide));
        self.keyframe_pending = picture.keyframe_pending;
    }

    /// The pictures that are known after the last one that is planned, in order.
    fn later(&self, config: &Config, waiting: &[Waiting]) -> Vec<Later> {
        let mut gop = self.gop.clone();
        let later = waiting.iter().take(config.frames_ahead()).map(|&Waiting { keyframe, costs, .. }| {
            let scene_cut = config.detects_scene_cuts() && costs.new_scene();
            let picture = gop.next(Wanted { scene_cut, keyframe }, true);
            gop.coded(picture);
            Later { idr: picture.idr, costs }
        });
        later.collect()
    }

    /// Finds the offsets of QP of the macroblocks of a picture that comes before `later` ones. Returns by how much they
    /// enlarge it if it is an IDR picture.
    fn find_offsets(&mut self, config: &Config, rate: &Rate, later: &[Later]) -> f64 {
        let tree = if config.has_tree() { TREE } else { 0.0 };
        if tree == 0.0 && config.aq() == 0.0 {
            self.lookahead.without_offsets();
            return 1.0;
        }
        self.lookahead.find_offsets(tree, later, rate.last_qp())
    }
}
