//! The parameter sets of a configuration, and messages about when pictures are removed from the buffer.

use crate::config::{Config, UNSPECIFIED};
use crate::gop::Picture;
use crate::level::Level;
use crate::rate::Buffer;
use crate::rate::settings::RateControl;
use crate::syntax::pps::PicParameterSet;
use crate::syntax::sei::{BufferingPeriod, InitialCpbRemovalDelay, PicTiming, SeiMessage, SeiPayload};
use crate::syntax::sps::SeqParameterSet;
use crate::syntax::vui::VuiParameters;

/// The sample aspect ratios of Table E-1, from `aspect_ratio_idc` 1 on.
const SAMPLE_ASPECT_RATIOS: [(u16, u16); 16] = [
    (1, 1),
    (12, 11),
    (10, 11),
    (16, 11),
    (40, 33),
    (24, 11),
    (20, 11),
    (32, 11),
    (80, 33),
    (18, 11),
    (15, 11),
    (64, 33),
    (160, 99),
    (4, 3),
    (3, 2),
    (2, 1),
];

/// `Extended_SAR` (Table E-1).
const EXTENDED_SAR: u8 = 255;

/// `aspect_ratio_idc`, `sar_width` and `sar_height` of a ratio.
fn sample_aspect_ratio((width, height): (u16, u16)) -> (u8, u16, u16) {
    let (mut a, mut b) = (width, height);
    while b > 0 {
        (a, b) = (b, a % b);
    }
    let ratio = (width / a, height / a);
    match (1..).zip(SAMPLE_ASPECT_RATIOS).find(|&(_, known)| known == ratio) {
        Some((idc, _)) => (idc, 0, 0),
        None => (EXTENDED_SAR, ratio.0, ratio.1),
    }
}

/// The sequence parameter set of the Constrained Baseline profile.
pub(crate) fn seq_parameter_set(config: &Config, level: Level, buffer: Option<&Buffer>) -> SeqParameterSet {
    let [mbs_high, mbs_wide] = config.mbs();
    let (level_idc, constraint_set3_flag) = level.idc();
    let (right, bottom) = (16 * mbs_wide - config.width, 16 * mbs_high - config.height);
    let max_num_ref_frames = config.references();
    let full_range = config.color.map(|color| color.full_range).or(config.full_range);
    let described =
        config.color.is_some() || config.primaries != UNSPECIFIED || config.transfer != UNSPECIFIED;
    let (aspect_ratio_idc, sar_width, sar_height) =
        config.sample_aspect_ratio.map_or_else(Default::default, sample_aspect_ratio);
    SeqParameterSet {
        profile_idc: 66,
        constraint_set0_flag: true,
        constraint_set1_flag: true,
        constraint_set3_flag,
        level_idc,
        // frame_num goes on while a picture is referred to, and comes to none of theirs again (7.4.3, 8.2.4.1):
        // MaxFrameNum is above the number of references.
        log2_max_frame_num_minus4: (max_num_ref_frames.ilog2() + 1).saturating_sub(4) as u8,
        // Frames are shown as they are coded.
        pic_order_cnt_type: 2,
        max_num_ref_frames,
        pic_width_in_mbs_minus1: (mbs_wide - 1) as u16,
        pic_height_in_map_units_minus1: (mbs_high - 1) as u16,
        frame_cropping_flag: right + bottom > 0,
        frame_crop_right_offset: (right / 2) as u16,
        frame_crop_bottom_offset: (bottom / 2) as u16,
        vui_parameters_present_flag: true,
        vui: VuiParameters {
            aspect_ratio_info_present_flag: config.sample_aspect_ratio.is_some(),
            aspect_ratio_idc,
            sar_width,
            sar_height,
            video_signal_type_present_flag: full_range.is_some() || described,
            video_full_range_flag: full_range.unwrap_or(false),
            colour_description_present_flag: described,
            colour_primaries: config.primaries,
            transfer_characteristics: config.transfer,
            matrix_coefficients: config.color.map_or(UNSPECIFIED, |color| color.matrix.code()),
            timing_info_present_flag: true,
            num_units_in_tick: config.frame_rate.1,
            // A tick is half a frame.
            time_scale: 2 * config.frame_rate.0,
            fixed_frame_rate_flag: !config.variable_frame_rate,
            nal_hrd_parameters_present_flag: buffer.is_some(),
            nal_hrd: buffer.map(|buffer| buffer.hrd_parameters(config.keyint)).unwrap_or_default(),
            // No frame waits for another.
            bitstream_restriction_flag: true,
            max_bytes_per_pic_denom: 0,
            max_bits_per_mb_denom: 0,
            max_dec_frame_buffering: max_num_ref_frames,
            ..VuiParameters::default()
        },
        ..SeqParameterSet::default()
    }
}

/// The picture parameter set.
pub(crate) fn pic_parameter_set(config: &Config) -> PicParameterSet {
    let usual_qp = match config.rate {
        RateControl::ConstantQp(qp) => qp as i8,
        _ => 26,
    };
    PicParameterSet {
        num_ref_idx_l0_default_active_minus1: config.references() - 1,
        pic_init_qp_minus26: usual_qp - 26,
        chroma_qp_index_offset: config.chroma_qp_index_offset,
        second_chroma_qp_index_offset: config.chroma_qp_index_offset,
        deblocking_filter_control_present_flag: true,
        constrained_intra_pred_flag: config.constrained_intra_pred,
        ..PicParameterSet::default()
    }
}

/// The messages about when a picture is removed from the buffer: a buffering period begins with each IDR picture
/// (D.2.1), and each picture says how long after the beginning of the last one it is removed (D.2.2).
pub(crate) fn timing(
    picture: Picture,
    buffer: &Buffer,
    sps: &SeqParameterSet,
) -> impl Iterator<Item = SeiMessage> {
    let (initial_cpb_removal_delay, initial_cpb_removal_delay_offset) = buffer.delays();
    let period = BufferingPeriod {
        nal: [InitialCpbRemovalDelay { initial_cpb_removal_delay, initial_cpb_removal_delay_offset }].into(),
        ..BufferingPeriod::default()
    };
    let bits = sps.vui.nal_hrd.cpb_removal_delay_length_minus1 + 1;
    // A tick is half a frame. Frames are shown when they are removed, and so there is no delay of the output.
    let ticks = (2 * u64::from(picture.distance)) & ((1 << bits) - 1);
    let timing = PicTiming { cpb_removal_delay: ticks as u32, ..PicTiming::default() };
    let period = picture.idr.then_some(SeiPayload::BufferingPeriod(period));
    period.into_iter().chain([SeiPayload::PicTiming(timing)]).map(|payload| SeiMessage::measure(payload, sps))
}
