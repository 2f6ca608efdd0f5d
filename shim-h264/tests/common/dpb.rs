//! The decoding process of what surrounds the samples, written from the standard alone: a parser of headers, and a
//! replay of `frame_num`, picture order counts, list 0, the sliding window and the DPB (8.2.1, 8.2.4, 8.2.5, C.4).
//!
//! Nothing here is taken from the encoder. Decoders are lenient: ffmpeg and `OpenH264` order references by their own
//! bookkeeping, and show cropped frames of streams whose headers contradict each other, so that they agree with an
//! encoder that is wrong.

/// Bits of an RBSP (7.2): the bytes of a NAL unit without emulation prevention.
struct Bits {
    bytes: Vec<u8>,
    at: usize,
}

impl Bits {
    fn new(payload: &[u8]) -> Self {
        let mut bytes = Vec::new();
        let mut zeros = 0;
        for &byte in payload {
            if zeros >= 2 && byte == 3 {
                zeros = 0;
                continue;
            }
            assert!(zeros < 2 || byte > 2, "an emulated start code in a NAL unit (7.4.1)");
            zeros = if byte == 0 { zeros + 1 } else { 0 };
            bytes.push(byte);
        }
        Self { bytes, at: 0 }
    }

    fn u(&mut self, bits: u32) -> u32 {
        (0..bits).fold(0, |value, _| {
            let bit = self.bytes[self.at / 8] >> (7 - self.at % 8) & 1;
            self.at += 1;
            value << 1 | u32::from(bit)
        })
    }

    fn flag(&mut self) -> bool {
        self.u(1) == 1
    }

    fn ue(&mut self) -> u32 {
        let mut zeros = 0;
        while !self.flag() {
            zeros += 1;
        }
        assert!(zeros < 32, "an Exp-Golomb code that is too long");
        (1_u32 << zeros) - 1 + self.u(zeros)
    }

    fn se(&mut self) -> i32 {
        let code = self.ue();
        if code % 2 == 1 { code.div_ceil(2) as i32 } else { -((code / 2) as i32) }
    }

    /// `more_rbsp_data` (7.2).
    fn more(&self) -> bool {
        let last = self.bytes.iter().rposition(|&byte| byte != 0).expect("a stop bit");
        self.at < 8 * last + 7 - self.bytes[last].trailing_zeros() as usize
    }

    /// `rbsp_trailing_bits` (7.3.2.11), and nothing behind it.
    fn end(&mut self) {
        assert!(!self.more() && self.flag(), "an RBSP ends with its stop bit");
        while !self.at.is_multiple_of(8) {
            assert!(!self.flag(), "rbsp_alignment_zero_bit");
        }
        assert_eq!(self.at, 8 * self.bytes.len(), "nothing follows the trailing bits");
    }
}

/// What of a sequence parameter set (7.3.2.1.1) the replay needs.
#[derive(Clone, PartialEq)]
struct Sps {
    id: u32,
    level_idc: u32,
    level_1b: bool,
    frame_num_bits: u32,
    pic_order_cnt_type: u32,
    poc_lsb_bits: u32,
    max_num_ref_frames: u32,
    gaps_allowed: bool,
    mbs: [u32; 2],
    max_dec_frame_buffering: u32,
}

/// What of a picture parameter set (7.3.2.2).
#[derive(Clone)]
struct Pps {
    id: u32,
    sps: u32,
    bottom_field_pic_order: bool,
    active: u32,
    init_qp: i32,
    filter_control: bool,
    redundant: bool,
}

/// The elements of a slice header (7.3.3) that tell pictures apart or manage references.
#[derive(Clone, Debug, PartialEq)]
struct Header {
    first_mb: u32,
    intra: bool,
    pps: u32,
    frame_num: u32,
    idr: bool,
    reference: bool,
    idr_pic_id: u32,
    poc_lsb: u32,
    delta_poc_bottom: i32,
    active: u32,
}

/// `hrd_parameters` (E.1.2): passed over.
fn hrd(bits: &mut Bits) {
    let count = bits.ue() + 1;
    assert!(count <= 32, "cpb_cnt_minus1");
    bits.u(8);
    for _ in 0..count {
        bits.ue();
        bits.ue();
        bits.u(1);
    }
    bits.u(20);
}

fn sps(bits: &mut Bits) -> Sps {
    let profile_idc = bits.u(8);
    let constraints = bits.u(8);
    let level_idc = bits.u(8);
    assert_eq!(profile_idc, 66, "only the Baseline profile is replayed");
    assert_eq!(constraints & 0b1100_0011, 0b1100_0000, "the Constrained Baseline profile (A.2.1.1)");
    let id = bits.ue();
    let log2_max_frame_num = bits.ue() + 4;
    let pic_order_cnt_type = bits.ue();
    assert!(id < 32 && log2_max_frame_num <= 16);
    let mut poc_lsb_bits = 0;
    match pic_order_cnt_type {
        0 => poc_lsb_bits = bits.ue() + 4,
        2 => {}
        other => panic!("pic_order_cnt_type {other} is not replayed"),
    }
    let max_num_ref_frames = bits.ue();
    let gaps_allowed = bits.flag();
    let mbs = [bits.ue() + 1, bits.ue() + 1];
    assert!(bits.flag(), "frame_mbs_only_flag of Baseline (A.2.1)");
    bits.flag();
    if bits.flag() {
        let [left, right, top, bottom] = [(); 4].map(|()| bits.ue());
        // CropUnitX and CropUnitY are 2 (7-19, 7-20): something is left of the picture.
        assert!(2 * (left + right) < 16 * mbs[0] && 2 * (top + bottom) < 16 * mbs[1], "frame cropping");
    }
    let level_1b = level_idc == 11 && constraints & 0x10 != 0;
    let mut max_dec_frame_buffering = max_dpb_frames(level_idc, level_1b, mbs);
    if bits.flag() {
        vui(bits, max_num_ref_frames, &mut max_dec_frame_buffering);
    }
    bits.end();
    Sps {
        id,
        level_idc,
        level_1b,
        frame_num_bits: log2_max_frame_num,
        pic_order_cnt_type,
        poc_lsb_bits,
        max_num_ref_frames,
        gaps_allowed,
        mbs,
        max_dec_frame_buffering,
    }
}

/// `vui_parameters` (E.1.1), and what E.2.1 says of the DPB.
fn vui(bits: &mut Bits, max_num_ref_frames: u32, max_dec_frame_buffering: &mut u32) {
    if bits.flag() && bits.u(8) == 255 {
        assert!(bits.u(16) > 0 && bits.u(16) > 0, "sar_width and sar_height");
    }
    if bits.flag() {
        bits.u(1);
    }
    if bits.flag() {
        bits.u(4);
        if bits.flag() {
            bits.u(24);
        }
    }
    if bits.flag() {
        assert!(bits.ue() <= 5 && bits.ue() <= 5, "chroma_sample_loc_type");
    }
    if bits.flag() {
        assert!(bits.u(32) > 0 && bits.u(32) > 0, "num_units_in_tick and time_scale");
        bits.u(1);
    }
    let nal = bits.flag();
    if nal {
        hrd(bits);
    }
    let vcl = bits.flag();
    if vcl {
        hrd(bits);
    }
    if nal || vcl {
        bits.u(1);
    }
    bits.u(1);
    if bits.flag() {
        bits.u(1);
        assert!(bits.ue() <= 16 && bits.ue() <= 16, "max_bytes_per_pic_denom and max_bits_per_mb_denom");
        assert!(bits.ue() <= 16 && bits.ue() <= 16, "log2_max_mv_length");
        let reorder = bits.ue();
        let buffering = bits.ue();
        assert!(reorder <= buffering && buffering <= *max_dec_frame_buffering, "max_dec_frame_buffering");
        assert!(max_num_ref_frames <= buffering, "a DPB smaller than its references");
        assert_eq!(reorder, 0, "frames are shown in the order in which they are coded");
        *max_dec_frame_buffering = buffering;
    }
}

/// `MaxDpbFrames` (A.3.1, Table A-1).
fn max_dpb_frames(level_idc: u32, level_1b: bool, [wide, high]: [u32; 2]) -> u32 {
    let (max_fs, max_dpb_mbs) = match level_idc {
        10 => (99, 396),
        11 if level_1b => (99, 396),
        11 => (396, 900),
        12 | 13 | 20 => (396, 2376),
        21 => (792, 4752),
        22 | 30 => (1620, 8100),
        31 => (3600, 18_000),
        32 => (5120, 20_480),
        40 | 41 => (8192, 32_768),
        42 => (8704, 34_816),
        50 => (22_080, 110_400),
        51 | 52 => (36_864, 184_320),
        other => panic!("level_idc {other} is not in Table A-1"),
    };
    assert!(wide * high <= max_fs && wide * wide <= 8 * max_fs && high * high <= 8 * max_fs, "MaxFS");
    (max_dpb_mbs / (wide * high)).min(16)
}

fn pps(bits: &mut Bits) -> Pps {
    let (id, sps) = (bits.ue(), bits.ue());
    assert!(!bits.flag(), "entropy_coding_mode_flag of Baseline");
    let bottom_field_pic_order = bits.flag();
    assert_eq!(bits.ue(), 0, "slice groups are no part of Constrained Baseline");
    let active = bits.ue() + 1;
    assert!(active <= 32 && bits.ue() < 32, "num_ref_idx_default_active_minus1");
    assert_eq!(bits.u(3), 0, "weighted prediction of Baseline (A.2.1)");
    let init_qp = 26 + bits.se();
    bits.se();
    assert!((-12..=12).contains(&bits.se()), "chroma_qp_index_offset");
    let filter_control = bits.flag();
    bits.flag();
    let redundant = bits.flag();
    bits.end();
    Pps { id, sps, bottom_field_pic_order, active, init_qp, filter_control, redundant }
}

fn header(bits: &mut Bits, nal: u8, sps: &Sps, all: &[Pps]) -> Header {
    let (reference, idr) = (nal >> 5 & 3 != 0, nal & 31 == 5);
    let first_mb = bits.ue();
    let slice_type = bits.ue();
    let id = bits.ue();
    let pps = all.iter().find(|pps| pps.id == id).expect("a PPS that was sent");
    assert_eq!(pps.sps, sps.id, "the SPS that was sent");
    let intra = match slice_type % 5 {
        0 => false,
        2 => true,
        other => panic!("slice_type {other} is not of Baseline"),
    };
    assert!(intra || !idr, "IDR pictures have I slices alone (7.4.1.2.4)");
    let frame_num = bits.u(sps.frame_num_bits);
    let idr_pic_id = if idr { bits.ue() } else { 0 };
    assert!(idr_pic_id < 65_536 && (reference || !idr));
    let (mut poc_lsb, mut delta_poc_bottom) = (0, 0);
    if sps.pic_order_cnt_type == 0 {
        poc_lsb = bits.u(sps.poc_lsb_bits);
        if pps.bottom_field_pic_order {
            delta_poc_bottom = bits.se();
        }
    }
    if pps.redundant {
        assert_eq!(bits.ue(), 0, "redundant pictures are no part of Constrained Baseline");
    }
    let mut active = if intra { 0 } else { pps.active };
    if !intra {
        if bits.flag() {
            active = bits.ue() + 1;
        }
        assert!(active <= 16, "num_ref_idx_l0_active_minus1 (7.4.3)");
        assert!(!bits.flag(), "modified lists are not replayed");
    }
    if reference && idr {
        bits.flag();
        assert!(!bits.flag(), "long-term references are not replayed");
    } else if reference {
        assert!(!bits.flag(), "adaptive marking is not replayed");
    }
    let qp = pps.init_qp + bits.se();
    assert!((0..=51).contains(&qp), "SliceQPY");
    if pps.filter_control {
        let idc = bits.ue();
        assert!(idc <= 2, "disable_deblocking_filter_idc");
        if idc != 1 {
            let offsets = [bits.se(), bits.se()];
            assert!(offsets.iter().all(|offset| (-6..=6).contains(offset)), "filter offsets");
        }
    }
    Header {
        first_mb,
        intra,
        pps: id,
        frame_num,
        idr,
        reference,
        idr_pic_id,
        poc_lsb,
        delta_poc_bottom,
        active,
    }
}

/// A frame that is marked as used for short-term reference.
#[derive(Clone, Copy, Debug)]
struct Reference {
    frame_num: u32,
    /// Its number in decoding order.
    number: usize,
}

/// The decoder's state between pictures.
#[derive(Default)]
pub(crate) struct Dpb {
    sps: Option<Sps>,
    pps: Vec<Pps>,
    /// The first slice of the picture that is being decoded, and the `first_mb_in_slice` of its last.
    current: Option<(Header, u32)>,
    /// The last picture.
    last: Option<Header>,
    references: Vec<Reference>,
    /// 8.2.1.1: `prevPicOrderCntMsb` and `prevPicOrderCntLsb`; 8.2.1.3: `prevFrameNumOffset`.
    poc_msb: i64,
    poc_lsb: i64,
    frame_num_offset: i64,
    /// The greatest picture order count since the last IDR picture.
    poc: Option<i64>,
    /// Pictures so far, and since the last IDR picture.
    pictures: usize,
    since_idr: usize,
}

impl Dpb {
    /// Takes a NAL unit. Says what list 0 of a slice is, as numbers of pictures in decoding order.
    ///
    /// # Panics
    ///
    /// When the stream breaks a rule.
    pub(crate) fn unit(&mut self, unit: &[u8]) -> Option<Vec<usize>> {
        let nal = unit[0];
        assert_eq!(nal >> 7, 0, "forbidden_zero_bit");
        assert_ne!(unit.last(), Some(&0), "a NAL unit does not end with zero (7.4.1)");
        let bits = &mut Bits::new(&unit[1..]);
        match nal & 31 {
            1 | 5 => return Some(self.slice(nal, bits)),
            7 => {
                let found = sps(bits);
                // 7.4.1.2.1: another set of the same number only before an IDR picture, which may follow; the same one
                // anywhere.
                self.finish();
                self.sps = Some(found);
            }
            8 => {
                let found = pps(bits);
                self.finish();
                self.pps.retain(|pps| pps.id != found.id);
                self.pps.push(found);
            }
            6 | 9 => self.finish(),
            other => panic!("nal_unit_type {other} is not expected"),
        }
        None
    }

    /// The end of the stream: how many pictures there were.
    pub(crate) fn end(mut self) -> usize {
        self.finish();
        self.pictures
    }

    fn slice(&mut self, nal: u8, bits: &mut Bits) -> Vec<usize> {
        let sps = self.sps.clone().expect("an SPS before slices");
        let header = header(bits, nal, &sps, &self.pps);
        assert!(header.first_mb < sps.mbs[0] * sps.mbs[1], "first_mb_in_slice");
        // 7.4.1.2.4.
        let same = self.current.as_ref().is_some_and(|(first, _)| {
            first.frame_num == header.frame_num
                && first.pps == header.pps
                && first.reference == header.reference
                && first.idr == header.idr
                && first.idr_pic_id == header.idr_pic_id
                && first.poc_lsb == header.poc_lsb
                && first.delta_poc_bottom == header.delta_poc_bottom
        });
        if same {
            let (_, last) = self.current.as_mut().expect("it is of this picture");
            assert!(header.first_mb > *last, "slices are in order (A.2.1.1, 7.4.3)");
            *last = header.first_mb;
        } else {
            self.finish();
            self.begin(&sps, &header);
            assert_eq!(header.first_mb, 0, "the first slice of a picture has its first macroblock");
            self.current = Some((header.clone(), 0));
        }
        if header.intra { Vec::new() } else { self.list0(&sps, &header) }
    }

    /// A picture begins: 7.4.3 on `frame_num`, and the picture order count (8.2.1).
    fn begin(&mut self, sps: &Sps, header: &Header) {
        let max_frame_num = 1_u32 << sps.frame_num_bits;
        if header.idr {
            assert_eq!(header.frame_num, 0, "frame_num of an IDR picture");
            if let Some(last) = self.last.as_ref().filter(|last| last.idr) {
                assert_ne!(
                    last.idr_pic_id, header.idr_pic_id,
                    "idr_pic_id of two IDR pictures in a row (7.4.3)"
                );
            }
            self.references.clear();
            (self.poc_msb, self.poc_lsb, self.frame_num_offset, self.poc) = (0, 0, 0, None);
            self.since_idr = 0;
        } else {
            let last = self.last.as_ref().expect("a stream begins with an IDR picture");
            assert!(!sps.gaps_allowed, "gaps are not replayed");
            let wanted = if last.reference { (last.frame_num + 1) % max_frame_num } else { last.frame_num };
            assert_eq!(header.frame_num, wanted, "frame_num (7.4.3)");
            for reference in &self.references {
                assert_ne!(
                    reference.frame_num, header.frame_num,
                    "picture {} has the frame_num of picture {}, which is still a reference (7.4.3, 8.2.4.1)",
                    self.pictures, reference.number,
                );
            }
        }
        let poc = match sps.pic_order_cnt_type {
            0 => {
                // 8.2.1.1.
                let (max, lsb) = (1_i64 << sps.poc_lsb_bits, i64::from(header.poc_lsb));
                if lsb < self.poc_lsb && self.poc_lsb - lsb >= max / 2 {
                    self.poc_msb += max;
                } else if lsb > self.poc_lsb && lsb - self.poc_lsb > max / 2 {
                    self.poc_msb -= max;
                }
                self.poc_lsb = lsb;
                let top = self.poc_msb + lsb;
                top.min(top + i64::from(header.delta_poc_bottom))
            }
            _ => {
                // 8.2.1.3.
                if let Some(last) = self.last.as_ref().filter(|_| !header.idr) {
                    assert!(last.reference || header.reference, "two pictures in a row are not referred to");
                    if last.frame_num > header.frame_num {
                        self.frame_num_offset += i64::from(max_frame_num);
                    }
                }
                2 * (self.frame_num_offset + i64::from(header.frame_num)) - i64::from(!header.reference)
            }
        };
        assert!(i32::try_from(poc).is_ok(), "a picture order count has 32 bits (8.2.1)");
        assert!(
            self.poc.is_none_or(|last| last < poc),
            "pictures are shown in the order in which they are coded"
        );
        self.poc = Some(poc);
        if sps.pic_order_cnt_type == 2 {
            assert_eq!(poc, 2 * self.since_idr as i64, "all pictures are referred to");
        }
    }

    /// Initialization of list 0 for P slices of frames (8.2.4.1, 8.2.4.2.1).
    fn list0(&self, sps: &Sps, header: &Header) -> Vec<usize> {
        let max_frame_num = 1_i64 << sps.frame_num_bits;
        let mut numbers: Vec<(i64, usize)> = self
            .references
            .iter()
            .map(|reference| {
                let frame_num = i64::from(reference.frame_num);
                // FrameNumWrap (8-27), which is PicNum of a frame (8-28).
                let later = frame_num > i64::from(header.frame_num);
                (if later { frame_num - max_frame_num } else { frame_num }, reference.number)
            })
            .collect();
        numbers.sort_by_key(|&(pic_num, _)| core::cmp::Reverse(pic_num));
        assert!(
            header.active as usize <= numbers.len(),
            "list 0 has {} entries, {} of them pictures (7.4.3)",
            header.active,
            numbers.len(),
        );
        numbers.iter().take(header.active as usize).map(|&(_, number)| number).collect()
    }

    /// The picture is decoded: it is marked (8.2.5), and stored (C.4.5).
    fn finish(&mut self) {
        let Some((header, _)) = self.current.take() else { return };
        let sps = self.sps.as_ref().expect("it was needed before");
        if header.reference {
            // 8.2.5.3.
            let most = sps.max_num_ref_frames.max(1) as usize;
            assert!(self.references.len() <= most, "more references than max_num_ref_frames");
            if self.references.len() == most {
                let wrapped = |reference: &Reference| {
                    let later = reference.frame_num > header.frame_num;
                    i64::from(reference.frame_num) - if later { 1 << sps.frame_num_bits } else { 0 }
                };
                let oldest = (0..most).min_by_key(|&i| wrapped(&self.references[i])).expect("there is one");
                self.references.remove(oldest);
            }
            self.references.push(Reference { frame_num: header.frame_num, number: self.pictures });
        }
        // Each picture is shown at once (the order of output is that of decoding), so that references are all there is.
        assert!(
            self.references.len() <= sps.max_dec_frame_buffering as usize,
            "more than the DPB holds (C.4)"
        );
        self.last = Some(header);
        self.pictures += 1;
        self.since_idr += 1;
    }
}

/// The NAL units of a byte stream (B.1).
fn units(stream: &[u8]) -> Vec<&[u8]> {
    let starts: Vec<usize> =
        (0..stream.len().saturating_sub(2)).filter(|&at| stream[at..at + 3] == [0, 0, 1]).collect();
    let ends = starts.iter().skip(1).copied().chain([stream.len()]);
    starts
        .iter()
        .zip(ends)
        .map(|(&start, end)| {
            let unit = &stream[start + 3..end];
            // zero_byte belongs to the next start code.
            if end < stream.len() { unit.strip_suffix(&[0]).unwrap_or(unit) } else { unit }
        })
        .collect()
}

/// Replays a byte stream of so many pictures, whose list 0 begins with the last one and goes back from there.
///
/// # Panics
///
/// When it breaks a rule, or its lists are others.
pub(crate) fn check(stream: &[u8], pictures: usize, what: &str) {
    let mut dpb = Dpb::default();
    for unit in units(stream) {
        if let Some(list) = dpb.unit(unit) {
            let wanted: Vec<usize> = (0..dpb.pictures).rev().take(list.len()).collect();
            assert_eq!(list, wanted, "list 0 of picture {} of {what}", dpb.pictures);
        }
    }
    assert_eq!(dpb.end(), pictures, "pictures of {what}");
}
