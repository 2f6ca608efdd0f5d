//! Structures whose elements are drawn at random are what every coder says they are.

use alloc::vec::Vec;
use core::fmt::Debug;

use super::macroblock::{MbType, SliceContext, SliceDataIteration};
use super::nal::{AccessUnitDelimiter, NalUnitHeader, NalUnitType};
use super::pps::PicParameterSet;
use super::residual::{NeighborTables, Neighbors};
use super::sei::{BufferingPeriod, PicTiming, SeiMessage, SeiPayload, UserDataUnregistered};
use super::slice::{SliceHeader, slice_type};
use super::sps::SeqParameterSet;
use super::{BitCounter, Both, Checker, Coder, Descriptor, Element, List, Reader, SyntaxError, Trace, Value};
use crate::bitstream::BitWriter;
use crate::kernels::picture::Tables;

/// Gives each element that is there a value at random.
#[derive(Clone, Debug)]
pub(crate) struct Draw {
    state: u64,
    /// Bits of elements are not counted; those that fill bytes are drawn not to be there.
    elements: usize,
    /// The element that is given a value that is not one of its.
    wrong: Option<usize>,
}

/// What was drawn breaks a condition.
#[derive(Debug)]
pub(crate) struct Illegal;

impl Draw {
    pub(crate) fn new(seed: u64) -> Self {
        Self { state: seed, elements: 0, wrong: None }
    }

    /// `SplitMix64`.
    pub(crate) fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.state ^ self.state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// Less than this.
    pub(crate) fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }
}

impl Coder for Draw {
    type Error = Illegal;

    fn element<V: Value>(&mut self, element: &Element, value: &mut V) -> Result<(), Illegal> {
        let own = element.descriptor.range();
        let (least, greatest) =
            (*own.start().max(element.range.start()), *own.end().min(element.range.end()));
        if self.wrong == Some(self.elements) {
            *value = V::of(if least > *own.start() { least - 1 } else { greatest + 1 });
            // Where neither has bits, it is not wrong.
            if own.contains(&value.get()) && !element.range.contains(&value.get()) {
                self.elements += 1;
                return Ok(());
            }
            self.wrong = None;
        }
        self.elements += 1;
        // Codes of a table that it has no word for are no values.
        loop {
            let drawn = match self.below(4) {
                0 => least,
                1 if greatest - least < 1 << 20 => greatest,
                2 => (least.max(0) + self.below(4) as i64).min(greatest),
                _ => least + (self.next() >> self.below(60)) as i64 % (greatest - least + 1).min(1 << 40),
            }
            .clamp(least, greatest);
            if let Descriptor::Ce(table) = element.descriptor
                && table[drawn as usize].length == 0
            {
                continue;
            }
            *value = V::of(drawn);
            return Ok(());
        }
    }

    fn byte_aligned(&mut self) -> bool {
        true
    }

    fn absent<T: PartialEq>(
        &mut self,
        _name: &'static str,
        value: &mut T,
        inferred: impl FnOnce() -> T,
    ) -> Result<(), Illegal> {
        *value = inferred();
        Ok(())
    }

    fn length(&mut self, _name: &'static str, list: &mut impl List, length: usize) -> Result<(), Illegal> {
        list.resize(length);
        Ok(())
    }

    fn another<T: Default + PartialEq>(
        &mut self,
        _name: &'static str,
        list: &mut Vec<T>,
        index: usize,
        ended: bool,
    ) -> Result<bool, Illegal> {
        list.truncate(index);
        if !ended {
            list.push(T::default());
        }
        Ok(!ended)
    }

    fn more_rbsp_data(&mut self, _has: bool) -> Result<bool, Illegal> {
        Ok(self.below(4) > 0)
    }

    fn require(&mut self, _name: &'static str, holds: bool, _why: &'static str) -> Result<(), Illegal> {
        if holds { Ok(()) } else { Err(Illegal) }
    }
}

/// A structure at random that breaks no condition.
fn draw<T: Default>(draw: &mut Draw, mut walk: impl FnMut(&mut T, &mut Draw) -> Result<(), Illegal>) -> T {
    for _ in 0..100_000 {
        let mut drawn = T::default();
        if walk(&mut drawn, draw).is_ok() {
            return drawn;
        }
    }
    panic!("what is drawn always breaks a condition");
}

/// That what is written is read again, by the walk that is given for each coder.
macro_rules! round_trip {
    ($type:ty, $drawn:expr, |$s:ident, $coder:ident| $walk:expr) => {{
        let drawn: $type = $drawn;
        let mut again = drawn.clone();
        {
            let ($s, $coder) = (&mut again, &mut Checker);
            $walk.expect("it is checked")
        }
        let mut bits = BitWriter::default();
        {
            let ($s, $coder) = (&mut again, &mut bits);
            let Ok(()) = $walk;
        }
        assert_eq!(again, drawn, "a coder that writes changes nothing");
        let length = bits.bits();
        bits.trailing_bits();
        let bytes = bits.bytes().to_vec();
        let mut reader = Both(Reader::new(&bytes), Trace::default());
        let mut read = <$type>::default();
        {
            let ($s, $coder) = (&mut read, &mut reader);
            $walk.expect("what was written is read")
        }
        assert_eq!(read, drawn);
        assert_eq!((reader.0.0.position(), reader.1.position()), (length, length));
        assert!(!reader.0.0.more_rbsp_data());
        // Fewer bits are too few, and never more than an error.
        for cut in (0..bytes.len()).step_by(1 + bytes.len() / 8) {
            let mut reader = Reader::new(&bytes[..cut]);
            let mut read = <$type>::default();
            let ($s, $coder) = (&mut read, &mut reader);
            let _: Result<(), SyntaxError> = $walk;
        }
        drawn
    }};
}

fn refused<T: Debug>(result: Result<T, SyntaxError>) {
    assert!(matches!(result, Err(SyntaxError::Range { .. })), "{result:?}");
}

#[test]
fn parameter_sets() {
    for seed in 0..300 {
        let mut random = Draw::new(seed);
        let sps: SeqParameterSet = draw(&mut random, |s: &mut SeqParameterSet, coder| {
            s.walk(coder)?;
            // Every second has what few numbers say.
            s.profile_idc = if seed % 2 == 0 { 100 } else { 66 };
            s.walk(coder)
        });
        // The walk draws the profile again.
        let sps = round_trip!(SeqParameterSet, sps, |s, coder| s.walk(coder));
        let pps = draw(&mut random, |s: &mut PicParameterSet, coder| s.walk(coder));
        let pps = round_trip!(PicParameterSet, pps, |s, coder| s.walk(coder));
        let mut nal = NalUnitHeader::new((seed % 4) as u8, NalUnitType::Slice);
        if seed % 4 != 0 && seed % 3 == 0 {
            nal.nal_unit_type = NalUnitType::IdrSlice as u8;
        }
        let header = draw(&mut random, |s: &mut SliceHeader, coder| s.walk(coder, &sps, &pps, &nal));
        round_trip!(SliceHeader, header, |s, coder| s.walk(coder, &sps, &pps, &nal));
        let payloads = [
            SeiPayload::BufferingPeriod(draw(&mut random, |s: &mut BufferingPeriod, c| s.walk(c, &sps))),
            SeiPayload::PicTiming(draw(&mut random, |s: &mut PicTiming, coder| s.walk(coder, &sps))),
            SeiPayload::UserDataUnregistered(draw(&mut random, |s: &mut UserDataUnregistered, coder| {
                s.walk(coder, 16 + seed as usize)
            })),
            SeiPayload::Other(700, Vec::from([7; 300])),
        ];
        for payload in payloads {
            let message = SeiMessage::measure(payload, &sps);
            round_trip!(SeiMessage, message, |s, coder| s.walk(coder, &sps));
        }
    }
}

#[test]
fn units() {
    for seed in 0..200 {
        let mut random = Draw::new(seed);
        let header = draw(&mut random, |s: &mut NalUnitHeader, coder| s.walk(coder));
        let header = round_trip!(NalUnitHeader, header, |s, coder| s.walk(coder));
        let mut bits = BitWriter::default();
        let Ok(()) = header.clone().walk(&mut bits);
        assert_eq!(bits.bytes(), [header.byte()]);
        let delimiter = draw(&mut random, |s: &mut AccessUnitDelimiter, coder| s.walk(coder));
        round_trip!(AccessUnitDelimiter, delimiter, |s, coder| s.walk(coder));
    }
}

#[test]
fn what_is_out_of_range_is_refused() {
    let (mut refusals, sps) = (0, SeqParameterSet::default());
    for seed in 0..100 {
        for wrong in 0..60 {
            let mut random = Draw { wrong: Some(wrong), ..Draw::new(seed) };
            let mut pps = PicParameterSet::default();
            if pps.walk(&mut random).is_ok() && random.wrong.is_some() && random.elements > wrong {
                refused(pps.walk(&mut Checker));
                refusals += 1;
            }
            let mut random = Draw { wrong: Some(wrong), ..Draw::new(seed) };
            let mut header = SliceHeader::default();
            let nal = NalUnitHeader::new(1, NalUnitType::Slice);
            let pps = PicParameterSet::default();
            let legal = header.walk(&mut random, &sps, &pps, &nal).is_ok();
            if legal && random.wrong.is_some() && random.elements > wrong {
                assert!(header.walk(&mut Checker, &sps, &pps, &nal).is_err());
                refusals += 1;
            }
        }
    }
    assert!(refusals > 100, "{refusals}");
    let mut sps = SeqParameterSet { pic_order_cnt_type: 2, log2_max_pic_order_cnt_lsb_minus4: 1, ..sps };
    let name = "log2_max_pic_order_cnt_lsb_minus4";
    assert_eq!(sps.walk(&mut Checker), Err(SyntaxError::Absent { name }));
    assert_eq!(
        SyntaxError::Absent { name }.to_string(),
        format!("{name} is absent, but does not have its inferred value")
    );
}

/// Slices of macroblocks at random, read by the tables and written by the kernel.
#[test]
fn slice_data() {
    for seed in 0..400 {
        let mut random = Draw::new(seed);
        let (high, wide) = (1 + random.below(3) as usize, 1 + random.below(4) as usize);
        let slice = SliceContext {
            slice_type: if random.below(2) == 0 { slice_type::I } else { slice_type::P },
            num_ref_idx_l0_active_minus1: random.below(4) as u8,
        };
        // Two slices, of which the second begins anywhere.
        let second = random.below((high * wide) as u64) as usize;
        let mut tables = [(); 4].map(|()| Tables::new([high, wide]));
        for (number, range) in [(1, 0..second), (2, second..high * wide)] {
            let mut neighbors = tables.each_mut().map(|tables| Neighbors {
                tables: NeighborTables::Update(tables.rows(0..high)),
                mbs_wide: wide,
                number,
                address: range.start,
            });
            let [by_draw, by_kernel, by_reader, by_counter] = &mut neighbors;
            let (mut bits, mut counter) = (BitWriter::default(), BitCounter::default());
            let mut rounds = Vec::new();
            // The first may reach into the second, which then begins in it.
            while by_draw.address < range.end {
                let start = by_draw.address;
                let mut round = draw(&mut random, |s: &mut SliceDataIteration, coder| {
                    by_draw.address = start;
                    s.walk(coder, slice, by_draw)
                });
                let before = bits.bits();
                let Ok(()) = round.walk(&mut bits, slice, by_kernel);
                counter.clear();
                let Ok(()) = round.walk(&mut counter, slice, by_counter);
                // The counter does not know where bytes begin.
                let pcm =
                    round.more && MbType::of(round.macroblock.mb_type, slice.slice_type) == MbType::IPcm;
                assert!(pcm || counter.bits() as usize == bits.bits() - before);
                let more = round.more;
                rounds.push(round);
                if !more {
                    break;
                }
            }
            bits.trailing_bits();
            let mut reader = Both(Reader::new(bits.bytes()), Trace::default());
            for wanted in &rounds {
                let mut round = SliceDataIteration::default();
                round.walk(&mut reader, slice, by_reader).expect("what was written is read");
                assert_eq!(round, *wanted);
            }
            assert!(!reader.0.0.more_rbsp_data());
            let totals = tables.each_ref().map(|tables| (&tables.luma_total, &tables.chroma_total));
            let [by_draw, by_kernel, by_reader, _] = totals;
            assert_eq!([by_draw, by_reader], [by_kernel; 2]);
        }
    }
}

/// Blocks of the greatest and least levels, alone and together, behind each number of levels beside them.
#[test]
fn extreme_levels() {
    let slice = SliceContext { slice_type: slice_type::I, num_ref_idx_l0_active_minus1: 0 };
    let magnitudes =
        [1, 2, 3, 4, 7, 8, 15, 16, 17, 31, 32, 48, 49, 63, 64, 65, 900, 2063, 2064, 6000, 32_767];
    let mut random = Draw::new(7);
    for most in 1..=magnitudes.len() {
        for total in 1..=16 {
            for beside in 0..=16 {
                let mut round = SliceDataIteration::default();
                let macroblock = &mut round.macroblock;
                // I_16x16 with all levels.
                macroblock.mb_type = 24;
                let residual = &mut macroblock.residual;
                let mut level = || {
                    let magnitude = magnitudes[random.below(most as u64) as usize];
                    if random.below(2) == 0 { magnitude } else { -magnitude }
                };
                residual.luma_dc_nonzero = 0xffff << (16 - total);
                residual.luma_dc.fill_with(&mut level);
                residual.luma.fill_with(&mut level);
                residual.luma_nonzero = core::array::from_fn(|b| (0x5af0_fffe_u32 >> b) as u16 & 0xfffe);
                residual.chroma_dc.fill_with(&mut level);
                residual.chroma_dc_nonzero = [1 << (total % 4), 15];
                residual.chroma.fill_with(&mut level);
                residual.chroma_nonzero = [0, 2, 0xfffe, 0x8000, 0x7ffe, 0x5554, 0xaaaa, 6];
                let mut tables = [(); 2].map(|()| Tables::new([1, 2]));
                let mut bits = BitWriter::default();
                for tables in &mut tables {
                    tables.slice[0] = 1;
                    tables.luma_total.fill(beside);
                }
                let [of_writer, of_reader] = &mut tables;
                let tables = NeighborTables::Update(of_writer.rows(0..1));
                let mut by = Neighbors { tables, mbs_wide: 2, number: 1, address: 1 };
                let Ok(()) = round.walk(&mut bits, slice, &mut by);
                bits.trailing_bits();
                let tables = NeighborTables::Update(of_reader.rows(0..1));
                let mut by = Neighbors { tables, mbs_wide: 2, number: 1, address: 1 };
                let mut read = SliceDataIteration::default();
                read.walk(&mut Reader::new(bits.bytes()), slice, &mut by).expect("what was written is read");
                assert_eq!(read, round);
                assert_eq!(of_writer, of_reader);
            }
        }
    }
}
