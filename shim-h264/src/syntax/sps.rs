//! Sequence parameter sets (7.3.2.1.1).

use alloc::vec::Vec;

use super::vui::VuiParameters;

syntax! {
    /// `seq_parameter_set_data` (7.3.2.1.1).
    pub struct SeqParameterSet as s {
        /// Annex A: 66 is Baseline, 77 Main, 100 High.
        profile_idc: u8 = u(8), else 66;
        /// Whether the stream obeys the constraints of the Baseline profile.
        constraint_set0_flag: bool = u(1);
        /// Of the Main profile.
        constraint_set1_flag: bool = u(1);
        /// Of the Extended profile.
        constraint_set2_flag: bool = u(1);
        /// Of the levels: with `level_idc` 11 of the profiles 66, 77 and 88 it is level 1b.
        constraint_set3_flag: bool = u(1);
        /// Whether all frames are progressive.
        constraint_set4_flag: bool = u(1);
        /// Whether there are no B slices.
        constraint_set5_flag: bool = u(1);
        fixed reserved_zero_2bits = u(2), 0;
        /// Ten times the number of the level.
        level_idc: u8 = u(8), else 10;
        /// The set's number.
        seq_parameter_set_id: u8 = ue in 0..=31;
        if (has_chroma_format(s.profile_idc)) {
            /// 1 is 4:2:0.
            chroma_format_idc: u8 = ue in 0..=3, else 1;
            if (s.chroma_format_idc == 3) {
                /// Whether the components are coded each by itself.
                separate_colour_plane_flag: bool = u(1);
            }
            /// Bits of luma samples, less 8.
            bit_depth_luma_minus8: u8 = ue in 0..=6;
            /// Bits of chroma samples, less 8.
            bit_depth_chroma_minus8: u8 = ue in 0..=6;
            /// Whether QP 0 is without loss.
            qpprime_y_zero_transform_bypass_flag: bool = u(1);
            /// Whether there are scaling lists, which are not described yet.
            seq_scaling_matrix_present_flag: bool = u(1) in 0..=0;
        }
        /// Bits of `frame_num`, less 4.
        log2_max_frame_num_minus4: u8 = ue in 0..=12;
        /// How the order of pictures is coded (8.2.1).
        pic_order_cnt_type: u8 = ue in 0..=2;
        if (s.pic_order_cnt_type == 0) {
            /// Bits of `pic_order_cnt_lsb`, less 4.
            log2_max_pic_order_cnt_lsb_minus4: u8 = ue in 0..=12;
        }
        if (s.pic_order_cnt_type == 1) {
            /// Whether there are no differences in slice headers.
            delta_pic_order_always_zero_flag: bool = u(1);
            /// 8.2.1.2.
            offset_for_non_ref_pic: i32 = se;
            /// 8.2.1.2.
            offset_for_top_to_bottom_field: i32 = se;
            /// How many frames a cycle has.
            num_ref_frames_in_pic_order_cnt_cycle: u8 = ue in 0..=255;
            /// 8.2.1.2.
            offset_for_ref_frame: Vec<i32> = list (s.num_ref_frames_in_pic_order_cnt_cycle) of se;
        }
        /// How many frames are held to be referred to.
        max_num_ref_frames: u8 = ue in 0..=16;
        /// Whether `frame_num` may skip numbers.
        gaps_in_frame_num_value_allowed_flag: bool = u(1);
        /// `PicWidthInMbs`, less 1.
        pic_width_in_mbs_minus1: u16 = ue in 0..=1054;
        /// `PicHeightInMapUnits`, less 1: with frames only, macroblocks.
        pic_height_in_map_units_minus1: u16 = ue in 0..=1054;
        /// Whether there are no fields.
        frame_mbs_only_flag: bool = u(1), else true;
        if (!s.frame_mbs_only_flag) {
            /// Whether frames may have macroblocks of fields.
            mb_adaptive_frame_field_flag: bool = u(1);
        }
        /// How vectors of `B_8x8` are derived.
        direct_8x8_inference_flag: bool = u(1), else true;
        require direct_8x8_inference_flag: s.frame_mbs_only_flag || s.direct_8x8_inference_flag,
            "with fields it is set (7.4.2.1.1)";
        /// Whether edges are cut off.
        frame_cropping_flag: bool = u(1);
        if (s.frame_cropping_flag) {
            /// In units of two samples, with 4:2:0.
            frame_crop_left_offset: u16 = ue in 0..=8435;
            /// As the left one.
            frame_crop_right_offset: u16 = ue in 0..=8435;
            /// As the left one; four samples with fields.
            frame_crop_top_offset: u16 = ue in 0..=8435;
            /// As the top one.
            frame_crop_bottom_offset: u16 = ue in 0..=8435;
        }
        /// Whether there is video usability information.
        vui_parameters_present_flag: bool = u(1);
        if (s.vui_parameters_present_flag) {
            /// Annex E.
            vui: VuiParameters = structure();
        }
    }
}

/// Whether sets of a profile have `chroma_format_idc` and what follows it.
const fn has_chroma_format(profile_idc: u8) -> bool {
    matches!(profile_idc, 100 | 110 | 122 | 244 | 44 | 83 | 86 | 118 | 128 | 138 | 139 | 134 | 135)
}

impl SeqParameterSet {
    /// `PicWidthInMbs`.
    #[must_use]
    pub fn pic_width_in_mbs(&self) -> usize {
        usize::from(self.pic_width_in_mbs_minus1) + 1
    }

    /// `FrameHeightInMbs`.
    #[must_use]
    pub fn frame_height_in_mbs(&self) -> usize {
        (usize::from(self.pic_height_in_map_units_minus1) + 1) << usize::from(!self.frame_mbs_only_flag)
    }

    /// Bits of `frame_num`.
    #[must_use]
    pub const fn frame_num_bits(&self) -> u8 {
        self.log2_max_frame_num_minus4 + 4
    }

    /// Bits of `pic_order_cnt_lsb`.
    #[must_use]
    pub const fn pic_order_cnt_lsb_bits(&self) -> u8 {
        self.log2_max_pic_order_cnt_lsb_minus4 + 4
    }
}
