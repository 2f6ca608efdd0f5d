//! Pictures that are coded at once, each as many rows behind the one before as its vectors reach.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::{array, slice};

use crate::config::{Config, Edges, Format};
use crate::decide::Decisions;
use crate::encoder::{Encoder, Packet};
use crate::error::Error;
use crate::gop::Picture;
use crate::headers::timing;
use crate::kernels::deblock::SliceFilter;
use crate::kernels::picture::{self, ReferenceRows};
use crate::lookahead::Guide;
use crate::macroblock::Quantizers;
use crate::picture::{Reference, ReferenceWriter, Referred};
use crate::plan::{Planner, Task};
use crate::queue::Waiting;
use crate::rate::Rate;
use crate::slot::Slot;
use crate::strip::{Common, SliceUnits, Strip, StripCoder, Worker, rows_of};
use crate::syntax::Checker;
use crate::syntax::nal::{AccessUnitDelimiter, NalUnitHeader, NalUnitType};
use crate::syntax::pps::PicParameterSet;
use crate::syntax::slice::{SliceHeader, slice_type};
use crate::syntax::sps::SeqParameterSet;
use shim_codec::pool::Pool;

/// Most pictures of list 0.
const MOST_REFERENCES: usize = 16;

/// A picture that is coded beside others, in one strip.
struct Job<'p, D> {
    common: Common<'p>,
    strip: Strip<'p, D>,
    picture: &'p mut picture::Picture,
    filters: &'p mut Vec<SliceFilter>,
    filter: SliceFilter,
    /// The reference picture that it becomes; none for the last picture, which becomes one when another is coded.
    reference: Option<ReferenceWriter<'p>>,
}

/// The [`Stream`] of an encoder. A macro, so that other fields can be borrowed mutably meanwhile.
macro_rules! stream {
    ($encoder:ident) => {
        Stream {
            config: &$encoder.config,
            sps: &$encoder.sps,
            pps: &$encoder.pps,
            intra_quantizers: &$encoder.intra_quantizers,
            inter_quantizers: &$encoder.inter_quantizers,
            max_vmv_r: $encoder.max_vmv_r,
            most_vectors: $encoder.most_vectors,
        }
    };
}

impl<D: Decisions> Job<'_, D> {
    /// Codes one row after another. A row is filtered once the next one is coded, which is predicted from its unfiltered
    /// samples.
    fn run(self, worker: &mut Worker) {
        let Self { common, strip, picture, filters, filter, mut reference } = self;
        let rows = picture.mbs_high;
        let mut coder = StripCoder::new(&common, strip);
        let mut filtered = 0;
        for row in 1..=rows {
            coder.rows(worker, picture.rows(0..rows), row);
            filters.resize(usize::from(coder.number()) + 1, filter);
            let settled = if row == rows { rows } else { row - 1 };
            if settled > filtered {
                let offset = common.config.chroma_qp_index_offset;
                if !filter.is_off() {
                    picture.deblock(filtered..settled, filters, offset, &Pool::one());
                }
                if let Some(reference) = &mut reference {
                    reference.take(picture, settled, &Pool::one());
                }
                filtered = settled;
            }
        }
    }
}

/// Work of a thread.
enum Work<'p, D> {
    /// Plans the pictures that are coded next.
    Plan(&'p mut Planner, &'p mut Rate, &'p mut [Waiting]),
    /// Codes a picture.
    Code(Box<Job<'p, D>>),
}

impl<D: Decisions> Encoder<D> {
    /// Codes the first `count` of the frames that wait; their packets are then ready. If several are coded at once, the
    /// `next` ones are planned meanwhile.
    pub(crate) fn code(&mut self, count: usize, next: usize) -> Result<(), Error> {
        let mbs = self.config.mbs();
        let planned = self.planner.len();
        let (_, others) = self.queue.waiting().split_at_mut(planned);
        self.planner.plan(&self.config, &mut self.rate, others, count.saturating_sub(planned));
        self.slots.resize_with(count.max(self.slots.len()), || Slot::new(mbs));
        let Some(first) = self.planner.first() else { return Ok(()) };
        self.held = first.held;
        let memory = self.held + count - 1;
        let whole = self.config.preset.has_whole_vectors() && !self.decisions.chooses_modes();
        self.references.resize_with(memory.max(self.references.len()), || Reference::new(mbs, whole));
        if let Some(slot) = self.slots.get(self.last) {
            push_reference(&mut self.references, self.held, &slot.picture, &self.pool);
        }
        let slots = self.slots.iter_mut().take(count);
        self.planner.take(slots.map(|slot| (&mut slot.task, &mut slot.guide)));
        self.run(0, count, next)?;
        for number in 0..count {
            // Pictures after it are predicted from it, and are coded again as well.
            while !self.accept(number)? {
                self.run(number, count, 0)?;
            }
        }
        self.queue.pop(count);
        self.last = count - 1;
        most_recent_first(&mut self.references, self.held, self.last);
        Ok(())
    }

    /// Makes the packet of a picture that is coded, unless it is to be coded again.
    fn accept(&mut self, number: usize) -> Result<bool, Error> {
        let Some(Task { picture, plan, pts, user_data, .. }) = self.task(number) else { return Ok(true) };
        let (bytes, slices) = self.access_unit(number, picture)?;
        let bits = 8 * bytes.len() as u64;
        if let Some(again) = self.rate.reencode(picture, plan.encode, bits) {
            let task = self.slots.get_mut(number).and_then(|slot| slot.task.as_mut());
            if let Some(task) = task {
                task.plan.encode = again;
            }
            return Ok(false);
        }
        let statistics = self.rate.coded(picture, &plan, bits, slices);
        let keyframe = picture.idr;
        let packet = Packet { bytes, keyframe, number: self.frames, pts, user_data, statistics };
        self.frames += 1;
        self.ready.push_back((number, packet));
        Ok(true)
    }

    /// The task of a slot.
    fn task(&self, number: usize) -> Option<Task> {
        self.slots.get(number).and_then(|slot| slot.task)
    }

    /// Codes the pictures of the slots `from..to`; those before are coded already. Plans the `next` ones meanwhile.
    fn run(&mut self, from: usize, to: usize, next: usize) -> Result<(), Error> {
        let (slices, count) = (self.config.slices, to - from);
        let mut divided = true;
        for slot in self.slots.iter_mut().take(to).skip(from) {
            slot.for_slices.clear();
            slot.for_slices.extend((0..slices).map_while(|_| self.decisions.for_slice()));
            divided &= slot.for_slices.len() == slices;
        }
        if divided && count > 1 {
            return self.beside(from, to, next);
        }
        for number in from..to {
            self.alone(number, divided)?;
            let slot = self.slots.get(number);
            let reference = self.references.get_mut(self.held + number).filter(|_| number + 1 < to);
            if let (Some(slot), Some(reference)) = (slot, reference) {
                reference.take(&slot.picture, &self.pool);
            }
        }
        Ok(())
    }

    /// Codes a picture whose reference pictures are complete, in strips beside one another.
    fn alone(&mut self, number: usize, divided: bool) -> Result<(), Error> {
        let stream = stream!(self);
        let (slot, waiting) = (self.slots.get_mut(number), self.queue.waiting().get(number));
        let (Some(slot), Some(waiting)) = (slot, waiting) else { return Ok(()) };
        let Slot { picture, task, guide, filters, for_slices, coded } = slot;
        let Some(task) = &*task else { return Ok(()) };
        let whole = whole(&self.references, self.held, number);
        let views = whole.iter().flatten().map(|rows| Referred::Whole(rows.view()));
        let references: Vec<_> = views.take(task.held).collect();
        let (common, filter) = stream.common(task, guide, &references, divided)?;
        let decisions = if divided { for_slices } else { slice::from_mut(&mut self.decisions) };
        let strips = decisions.len();
        picture.tables.begin(task.picture.idr);
        coded.resize_with(strips, SliceUnits::default);
        let [rows, wide] = self.config.mbs();
        let mut rest = Some(picture.rows(0..rows));
        let limited = self.config.max_slice_size.is_some();
        let source = waiting.source.view();
        let strips_of_picture =
            decisions.iter_mut().zip(&mut *coded).enumerate().map_while(|(strip, (decisions, coded))| {
                let rows = rows_of(strip, strips, rows);
                let (picture, others) = rest.take()?.split_at_row(rows.end);
                rest = Some(others);
                // Where their size is limited it is not known yet how many slices the strips before have: at most as
                // many as macroblocks.
                let before = if limited { rows.start * wide } else { strip };
                Some((Strip { number: 1 + before as u16, rows, source, decisions, coded }, picture))
            });
        let preset = self.config.preset;
        self.workers.resize_with(self.pool.threads().min(strips), || Worker::new(preset));
        self.pool.each(&mut self.workers, strips_of_picture, |worker, (strip, picture)| {
            let end = strip.rows.end;
            StripCoder::new(&common, strip).rows(worker, picture, end);
        });
        filters.clear();
        filters.push(SliceFilter::default());
        for SliceUnits { next_number, .. } in &*coded {
            filters.resize((*next_number).into(), filter);
        }
        if !filter.is_off() {
            picture.deblock(0..rows, filters, self.config.chroma_qp_index_offset, &self.pool);
        }
        Ok(())
    }

    /// Codes pictures of one strip beside one another, and plans others.
    fn beside(&mut self, from: usize, to: usize, next: usize) -> Result<(), Error> {
        let stream = stream!(self);
        let (complete, filled) = self.references.split_at_mut(self.held + from);
        let whole = whole(complete, self.held, from);
        let whole: Vec<_> = whole.iter().flatten().map(|rows| Referred::Whole(rows.view())).collect();
        let (mut writers, readers): (Vec<_>, Vec<_>) = filled
            .iter_mut()
            .take(to - from - 1)
            .map(Reference::begin)
            .map(|(writer, reader)| (Some(writer), Referred::Growing(reader)))
            .unzip();
        writers.push(None);
        let slots = self.slots.iter_mut().take(to).skip(from);
        let references = slots.enumerate().map(|(number, slot)| {
            let held = slot.task.map_or(0, |task| task.held);
            let references = readers.iter().take(number).rev().chain(&whole).take(held);
            (slot, references.copied().collect::<Vec<_>>())
        });
        let mut references: Vec<_> = references.collect();
        let (waiting, later) = self.queue.waiting().split_at_mut(to);
        let mut work = Vec::with_capacity(to - from + 1);
        if next > 0 {
            work.push(Work::Plan(&mut self.planner, &mut self.rate, later));
        }
        let sources = waiting.iter().skip(from).map(|waiting| waiting.source.view());
        for (((slot, references), reference), source) in references.iter_mut().zip(writers).zip(sources) {
            let Slot { picture, task, guide, filters, for_slices, coded } = &mut **slot;
            coded.resize_with(1, SliceUnits::default);
            let (Some(task), [decisions], [coded]) = (&*task, &mut for_slices[..], &mut coded[..]) else {
                return Ok(());
            };
            let (common, filter) = stream.common(task, guide, references, true)?;
            picture.tables.begin(task.picture.idr);
            filters.clear();
            filters.push(SliceFilter::default());
            let strip = Strip { number: 1, rows: 0..self.config.mbs()[0], source, decisions, coded };
            let job = Job { common, strip, picture, filters, filter, reference };
            work.push(Work::Code(Box::new(job)));
        }
        let preset = self.config.preset;
        self.workers.resize_with(self.pool.threads().min(work.len()), || Worker::new(preset));
        self.pool.each(&mut self.workers, work.into_iter(), |worker, work| match work {
            Work::Plan(planner, rate, later) => planner.plan(stream.config, rate, later, next),
            Work::Code(job) => job.run(worker),
        });
        Ok(())
    }

    /// The access unit of a picture that is coded, and its number of slices.
    fn access_unit(&mut self, number: usize, picture: Picture) -> Result<(Vec<u8>, u32), Error> {
        let mut bytes = Vec::new();
        let idr = picture.idr;
        if self.config.access_unit_delimiters {
            self.bits.clear();
            let Ok(()) = AccessUnitDelimiter { primary_pic_type: u8::from(!idr) }.walk(&mut self.bits);
            self.bits.trailing_bits();
            self.unit(&mut bytes, &NalUnitHeader::new(0, NalUnitType::AccessUnitDelimiter));
        }
        if idr && self.config.format == Format::AnnexB {
            self.each_parameter_set(|encoder, header| encoder.unit(&mut bytes, header));
        }
        if let Some(buffer) = self.rate.buffer() {
            self.bits.clear();
            for mut message in timing(picture, buffer, &self.sps) {
                message.walk(&mut Checker, &self.sps)?;
                let Ok(()) = message.walk(&mut self.bits, &self.sps);
            }
            self.bits.trailing_bits();
            self.unit(&mut bytes, &NalUnitHeader::new(0, NalUnitType::Sei));
        }
        let coded = self.slots.get(number).map_or(&[][..], |slot| &slot.coded);
        bytes.reserve_exact(coded.iter().map(|strip| strip.units.len()).sum());
        for SliceUnits { units, .. } in coded {
            bytes.extend(units);
        }
        Ok((bytes, coded.iter().map(|strip| strip.slices).sum()))
    }
}

/// Settings and tables that the pictures of a stream share.
#[derive(Clone, Copy)]
struct Stream<'p> {
    config: &'p Config,
    sps: &'p SeqParameterSet,
    pps: &'p PicParameterSet,
    intra_quantizers: &'p Quantizers,
    inter_quantizers: &'p Quantizers,
    max_vmv_r: i16,
    most_vectors: usize,
}

impl<'p> Stream<'p> {
    /// The context of a picture's slices, and its deblocking parameters.
    fn common(
        self,
        task: &Task,
        guide: &'p Guide,
        references: &'p [Referred<'p>],
        divided: bool,
    ) -> Result<(Common<'p>, SliceFilter), Error> {
        let Self { config, sps, pps, intra_quantizers, inter_quantizers, max_vmv_r, most_vectors } = self;
        let Task { picture, plan, held, .. } = task;
        let idr = picture.idr;
        let nal = if idr {
            NalUnitHeader::new(3, NalUnitType::IdrSlice)
        } else {
            NalUnitHeader::new(2, NalUnitType::Slice)
        };
        let default = pps.num_ref_idx_l0_default_active_minus1;
        let active = if idr { default } else { *held as u8 - 1 };
        let (edges, deblocking) = (config.edges(), config.deblocking);
        let filtered = edges != Edges::None;
        let mut header = SliceHeader {
            slice_type: if idr { slice_type::I } else { slice_type::P },
            frame_num: picture.frame_num,
            idr_pic_id: picture.idr_pic_id,
            num_ref_idx_active_override_flag: active != default,
            num_ref_idx_l0_active_minus1: active,
            slice_qp_delta: plan.encode.qp as i8 - 26 - pps.pic_init_qp_minus26,
            disable_deblocking_filter_idc: edges.idc(),
            slice_alpha_c0_offset_div2: if filtered { deblocking.alpha } else { 0 },
            slice_beta_offset_div2: if filtered { deblocking.beta } else { 0 },
            ..SliceHeader::default()
        };
        header.walk(&mut Checker, sps, pps, &nal)?;
        let filter = SliceFilter {
            disable_deblocking_filter_idc: header.disable_deblocking_filter_idc,
            filter_offset_a: 2 * header.slice_alpha_c0_offset_div2,
            filter_offset_b: 2 * header.slice_beta_offset_div2,
        };
        let dropped = plan.encode.dropped;
        let common = Common {
            config,
            sps,
            pps,
            nal,
            header,
            intra_quantizers,
            inter_quantizers,
            references,
            guide,
            max_vmv_r,
            most_vectors,
            divided,
            dropped,
        };
        Ok((common, filter))
    }
}

/// Makes a picture the first of the `held` reference pictures (8.2.4.2.1), if there are any.
fn push_reference(references: &mut [Reference], held: usize, picture: &picture::Picture, pool: &Pool) {
    let Some(references) = references.get_mut(..held) else { return };
    references.rotate_right(usize::from(held > 0));
    if let Some(first) = references.first_mut() {
        first.take(picture, pool);
    }
}

/// Moves the pictures of a batch that were `filled` before those that were `held`, the last one first.
fn most_recent_first(references: &mut [Reference], held: usize, filled: usize) {
    let Some(references) = references.get_mut(..held + filled) else { return };
    references.rotate_left(held);
    if let Some(filled) = references.get_mut(..filled) {
        filled.reverse();
    }
}

/// The rows of complete reference pictures, the most recent first: the `coded` ones of this batch, which follow the `held`
/// ones before it in memory.
fn whole(
    references: &[Reference],
    held: usize,
    coded: usize,
) -> [Option<ReferenceRows<'_>>; MOST_REFERENCES] {
    let (before, of_batch) = references.split_at(held.min(references.len()));
    let mut all = of_batch.iter().take(coded).rev().chain(before).map(Reference::rows);
    array::from_fn(|_| all.next())
}
