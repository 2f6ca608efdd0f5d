//! The parameter sets of a configuration.

use crate::config::Config;
use crate::level::Level;
use crate::syntax::pps::PicParameterSet;
use crate::syntax::sps::SeqParameterSet;
use crate::syntax::vui::VuiParameters;

/// Primaries, a transfer or a matrix that nothing is known of (Tables E-3 to E-5).
const UNSPECIFIED: u8 = 2;

/// The sequence parameter set of the Constrained Baseline profile.
pub(crate) fn seq_parameter_set(config: &Config, level: Level) -> SeqParameterSet {
    let [mbs_high, mbs_wide] = config.mbs();
    let (level_idc, constraint_set3_flag) = level.idc();
    let (right, bottom) = (16 * mbs_wide - config.width, 16 * mbs_high - config.height);
    let max_num_ref_frames = config.references;
    SeqParameterSet {
        profile_idc: 66,
        constraint_set0_flag: true,
        constraint_set1_flag: true,
        constraint_set3_flag,
        level_idc,
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
            video_signal_type_present_flag: config.colour.is_some(),
            video_full_range_flag: config.colour.is_some_and(|colour| colour.full_range),
            colour_description_present_flag: config.colour.is_some(),
            matrix_coefficients: config.colour.map_or(UNSPECIFIED, |colour| colour.matrix.code()),
            timing_info_present_flag: true,
            num_units_in_tick: config.frame_rate.1,
            // A tick is half a frame.
            time_scale: 2 * config.frame_rate.0,
            fixed_frame_rate_flag: true,
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
    PicParameterSet {
        num_ref_idx_l0_default_active_minus1: config.references - 1,
        pic_init_qp_minus26: config.qp as i8 - 26,
        chroma_qp_index_offset: config.chroma_qp_index_offset,
        second_chroma_qp_index_offset: config.chroma_qp_index_offset,
        deblocking_filter_control_present_flag: true,
        constrained_intra_pred_flag: config.constrained_intra_pred,
        ..PicParameterSet::default()
    }
}
