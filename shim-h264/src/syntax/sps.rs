//! Sequence parameter sets (7.3.2.1.1).

use alloc::vec::Vec;

use super::vui::VuiParameters;

syntax! {
    /// `seq_parameter_set_data` (7.3.2.1.1).
    pub struct SeqParameterSet as s {
        /// Annex A: 66 is Baseline, 77 Main, 100 High.
        profile_idc: u8 = u(8), else 66;
        /// Whether the stream conforms to the Baseline profile.
        constraint_set0_flag: bool = u(1);
        /// Whether the stream conforms to the Main profile.
        constraint_set1_flag: bool = u(1);
        /// Whether the stream conforms to the Extended profile.
        constraint_set2_flag: bool = u(1);
        /// With `level_idc` 11 of profiles 66, 77 and 88: whether the level is 1b.
        constraint_set3_flag: bool = u(1);
        /// Whether all frames are progressive.
        constraint_set4_flag: bool = u(1);
        /// Whether there are no B slices.
        constraint_set5_flag: bool = u(1);
        fixed reserved_zero_2bits = u(2), 0;
        /// Level times ten.
        level_idc: u8 = u(8), else 10;
        /// Identifier of the parameter set.
        seq_parameter_set_id: u8 = ue in 0..=31;
        if (has_chroma_format(s.profile_idc)) {
            /// Chroma format: 1 is 4:2:0.
            chroma_format_idc: u8 = ue in 0..=3, else 1;
            if (s.chroma_format_idc == 3) {
                /// Whether the color components are coded separately.
                separate_colour_plane_flag: bool = u(1);
            }
            /// Bit depth of luma samples, minus 8.
            bit_depth_luma_minus8: u8 = ue in 0..=6;
            /// Bit depth of chroma samples, minus 8.
            bit_depth_chroma_minus8: u8 = ue in 0..=6;
            /// Whether QP 0 is lossless.
            qpprime_y_zero_transform_bypass_flag: bool = u(1);
            /// Whether scaling lists are present; not supported yet.
            seq_scaling_matrix_present_flag: bool = u(1) in 0..=0;
        }
        /// Number of bits of `frame_num`, minus 4.
        log2_max_frame_num_minus4: u8 = ue in 0..=12;
        /// Method to decode picture order count (8.2.1).
        pic_order_cnt_type: u8 = ue in 0..=2;
        if (s.pic_order_cnt_type == 0) {
            /// Number of bits of `pic_order_cnt_lsb`, minus 4.
            log2_max_pic_order_cnt_lsb_minus4: u8 = ue in 0..=12;
        }
        if (s.pic_order_cnt_type == 1) {
            /// Whether slice headers omit `delta_pic_order_cnt`.
            delta_pic_order_always_zero_flag: bool = u(1);
            /// Picture order count offset of non-reference pictures (8.2.1.2).
            offset_for_non_ref_pic: i32 = se;
            /// Picture order count offset of bottom fields (8.2.1.2).
            offset_for_top_to_bottom_field: i32 = se;
            /// Number of reference frames in a picture order count cycle.
            num_ref_frames_in_pic_order_cnt_cycle: u8 = ue in 0..=255;
            /// Picture order count offsets of the reference frames of a cycle (8.2.1.2).
            offset_for_ref_frame: Vec<i32> = list (s.num_ref_frames_in_pic_order_cnt_cycle) of se;
        }
        /// Maximum number of reference frames.
        max_num_ref_frames: u8 = ue in 0..=16;
        /// Whether gaps in `frame_num` are allowed.
        gaps_in_frame_num_value_allowed_flag: bool = u(1);
        /// `PicWidthInMbs - 1`.
        pic_width_in_mbs_minus1: u16 = ue in 0..=1054;
        /// `PicHeightInMapUnits - 1`; with `frame_mbs_only_flag`, map units are macroblocks.
        pic_height_in_map_units_minus1: u16 = ue in 0..=1054;
        /// Whether all pictures are frames, without fields.
        frame_mbs_only_flag: bool = u(1), else true;
        if (!s.frame_mbs_only_flag) {
            /// Whether frames may contain field macroblocks.
            mb_adaptive_frame_field_flag: bool = u(1);
        }
        /// Derivation of motion vectors of direct prediction in B slices.
        direct_8x8_inference_flag: bool = u(1), else true;
        require direct_8x8_inference_flag: s.frame_mbs_only_flag || s.direct_8x8_inference_flag,
            "with fields it is set (7.4.2.1.1)";
        /// Whether the decoder crops frames.
        frame_cropping_flag: bool = u(1);
        if (s.frame_cropping_flag) {
            /// Left crop, in units of two luma samples for 4:2:0.
            frame_crop_left_offset: u16 = ue in 0..=8435;
            /// Right crop, in the same units.
            frame_crop_right_offset: u16 = ue in 0..=8435;
            /// Top crop, in units of two luma samples for 4:2:0, or four with fields.
            frame_crop_top_offset: u16 = ue in 0..=8435;
            /// Bottom crop, in the same units as the top crop.
            frame_crop_bottom_offset: u16 = ue in 0..=8435;
        }
        /// Whether video usability information (VUI) is present.
        vui_parameters_present_flag: bool = u(1);
        if (s.vui_parameters_present_flag) {
            /// Video usability information (Annex E).
            vui: VuiParameters = structure();
        }
    }
}

/// Whether parameter sets of a profile contain `chroma_format_idc` and the elements after it.
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

    /// Number of bits of `frame_num`.
    #[must_use]
    pub const fn frame_num_bits(&self) -> u8 {
        self.log2_max_frame_num_minus4 + 4
    }

    /// Number of bits of `pic_order_cnt_lsb`.
    #[must_use]
    pub const fn pic_order_cnt_lsb_bits(&self) -> u8 {
        self.log2_max_pic_order_cnt_lsb_minus4 + 4
    }
}
