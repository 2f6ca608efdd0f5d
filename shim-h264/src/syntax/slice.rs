//! Slice headers (7.3.3).

use alloc::vec::Vec;

use super::nal::NalUnitHeader;
use super::pps::PicParameterSet;
use super::sps::SeqParameterSet;

/// `slice_type` values (Table 7-6). A value of 5 more states that all slices of the picture have the same type.
pub mod slice_type {
    /// P slice: Intra prediction, and Inter prediction from list 0.
    pub const P: u8 = 0;
    /// B slice: Intra prediction, and Inter prediction from two lists.
    pub const B: u8 = 1;
    /// I slice: Intra prediction only.
    pub const I: u8 = 2;
}

syntax! {
    /// `slice_header` (7.3.3).
    pub struct SliceHeader as s, sps: &SeqParameterSet, pps: &PicParameterSet, nal: &NalUnitHeader {
        /// Address of the first macroblock.
        first_mb_in_slice: u32 = ue in 0..=139_263;
        /// Slice type: see [`slice_type`].
        slice_type: u8 = ue in 0..=9;
        let kind = s.slice_type % 5;
        require slice_type: kind <= slice_type::I, "SP and SI slices are of the Extended profile";
        require slice_type: !nal.idr() || kind == slice_type::I, "IDR pictures have I slices only (7.4.3)";
        /// Identifier of the picture parameter set.
        pic_parameter_set_id: u8 = ue in 0..=255;
        if (sps.separate_colour_plane_flag) {
            /// Color component of the slice.
            color_plane_id: u8 = u(2) in 0..=2;
        }
        /// Frame number, modulo `MaxFrameNum`.
        frame_num: u16 = u(sps.frame_num_bits());
        require frame_num: !nal.idr() || s.frame_num == 0, "it is 0 in IDR pictures (7.4.3)";
        if (!sps.frame_mbs_only_flag) {
            /// Whether the slice belongs to a field.
            field_pic_flag: bool = u(1);
            if (s.field_pic_flag) {
                /// Whether the field is a bottom field.
                bottom_field_flag: bool = u(1);
            }
        }
        if (nal.idr()) {
            /// Identifier of the IDR picture; it differs between consecutive IDR pictures.
            idr_pic_id: u16 = ue in 0..=65535;
        }
        if (sps.pic_order_cnt_type == 0) {
            /// Picture order count, modulo `MaxPicOrderCntLsb`.
            pic_order_cnt_lsb: u16 = u(sps.pic_order_cnt_lsb_bits());
            if (pps.bottom_field_pic_order_in_frame_present_flag && !s.field_pic_flag) {
                /// Picture order count of the bottom field, relative to the top field.
                delta_pic_order_cnt_bottom: i32 = se;
            }
        }
        if (sps.pic_order_cnt_type == 1 && !sps.delta_pic_order_always_zero_flag) {
            /// Differences from the expected picture order counts: of the picture, and of the bottom field of a frame.
            delta_pic_order_cnt: [i32; 2] =
                list (1 + u8::from(pps.bottom_field_pic_order_in_frame_present_flag && !s.field_pic_flag)) of se;
        }
        if (pps.redundant_pic_cnt_present_flag) {
            /// Redundant picture count: 0 for primary coded pictures.
            redundant_pic_cnt: u8 = ue in 0..=127;
        }
        if (kind == slice_type::B) {
            /// Whether direct prediction is spatial, not temporal.
            direct_spatial_mv_pred_flag: bool = u(1);
        }
        if (kind != slice_type::I) {
            /// Whether the slice overrides the default numbers of list entries.
            num_ref_idx_active_override_flag: bool = u(1);
            if (s.num_ref_idx_active_override_flag) {
                /// Number of entries of list 0, minus 1.
                num_ref_idx_l0_active_minus1: u8 =
                    ue in 0..=most_ref_idx(s.field_pic_flag), inferred pps.num_ref_idx_l0_default_active_minus1;
                if (kind == slice_type::B) {
                    /// Number of entries of list 1, minus 1.
                    num_ref_idx_l1_active_minus1: u8 =
                        ue in 0..=most_ref_idx(s.field_pic_flag), inferred pps.num_ref_idx_l1_default_active_minus1;
                }
            }
            /// Whether the slice modifies list 0.
            ref_pic_list_modification_flag_l0: bool = u(1);
            if (s.ref_pic_list_modification_flag_l0) {
                /// `ref_pic_list_modification` of list 0 (7.3.3.1), terminated by `modification_of_pic_nums_idc` 3.
                ref_pic_list_modification_l0: Vec<RefPicListModification> =
                    until (|x: &RefPicListModification| x.modification_of_pic_nums_idc == 3) with ();
            }
            if (kind == slice_type::B) {
                /// Whether the slice modifies list 1.
                ref_pic_list_modification_flag_l1: bool = u(1);
                if (s.ref_pic_list_modification_flag_l1) {
                    /// `ref_pic_list_modification` of list 1.
                    ref_pic_list_modification_l1: Vec<RefPicListModification> =
                        until (|x: &RefPicListModification| x.modification_of_pic_nums_idc == 3) with ();
                }
            }
        }
        if (nal.nal_ref_idc != 0) {
            /// Reference picture marking (7.3.3.3).
            dec_ref_pic_marking: DecRefPicMarking = structure(nal.idr());
        }
        if (pps.entropy_coding_mode_flag && kind != slice_type::I) {
            /// Table that initializes the CABAC contexts.
            cabac_init_idc: u8 = ue in 0..=2;
        }
        /// QP of the slice, relative to the initial QP of the parameter set.
        slice_qp_delta: i8 = se in -51..=51;
        require slice_qp_delta: (0..=51).contains(&s.qp(pps)), "SliceQPY is 0 to 51 (7.4.3)";
        if (pps.deblocking_filter_control_present_flag) {
            /// Deblocking filter: 0 filters all edges, 1 none, 2 only edges within slices.
            disable_deblocking_filter_idc: u8 = ue in 0..=2;
            if (s.disable_deblocking_filter_idc != 1) {
                /// `FilterOffsetA / 2`.
                slice_alpha_c0_offset_div2: i8 = se in -6..=6;
                /// `FilterOffsetB / 2`.
                slice_beta_offset_div2: i8 = se in -6..=6;
            }
        }
    }
}

/// Maximum `num_ref_idx_l0_active_minus1` (7.4.3).
const fn most_ref_idx(field: bool) -> u8 {
    if field { 31 } else { 15 }
}

impl SliceHeader {
    /// `SliceQPY` (7-30).
    #[must_use]
    pub fn qp(&self, pps: &PicParameterSet) -> i32 {
        26 + i32::from(pps.pic_init_qp_minus26) + i32::from(self.slice_qp_delta)
    }

    /// `slice_type` modulo 5, without the statement about the other slices.
    #[must_use]
    pub const fn kind(&self) -> u8 {
        self.slice_type % 5
    }
}

syntax! {
    /// An operation of `ref_pic_list_modification` (7.3.3.1).
    pub struct RefPicListModification as s {
        /// Operation (Table 7-7): 0 subtracts from the picture number, 1 adds to it, 2 selects a long-term picture, 3
        /// ends the list.
        modification_of_pic_nums_idc: u8 = ue in 0..=3;
        if (s.modification_of_pic_nums_idc < 2) {
            /// Absolute difference of picture numbers, minus 1.
            abs_diff_pic_num_minus1: u32 = ue in 0..=131_071;
        }
        if (s.modification_of_pic_nums_idc == 2) {
            /// Number of the long-term picture.
            long_term_pic_num: u8 = ue in 0..=31;
        }
    }
}

syntax! {
    /// `dec_ref_pic_marking` (7.3.3.3).
    pub struct DecRefPicMarking as s, idr: bool {
        if (idr) {
            /// Whether to discard earlier pictures without output.
            no_output_of_prior_pics_flag: bool = u(1);
            /// Whether the IDR picture is a long-term reference picture.
            long_term_reference_flag: bool = u(1);
        } else {
            /// Whether operations follow; otherwise marking uses the sliding window.
            adaptive_ref_pic_marking_mode_flag: bool = u(1);
            if (s.adaptive_ref_pic_marking_mode_flag) {
                /// Operations, terminated by `memory_management_control_operation` 0.
                operations: Vec<MemoryManagementControl> =
                    until (|x: &MemoryManagementControl| x.memory_management_control_operation == 0) with ();
            }
        }
    }
}

syntax! {
    /// An operation of `dec_ref_pic_marking` (7.3.3.3, Table 7-9).
    pub struct MemoryManagementControl as s {
        /// Operation; 0 ends the list.
        memory_management_control_operation: u8 = ue in 0..=6;
        if (matches!(s.memory_management_control_operation, 1 | 3)) {
            /// Difference of picture numbers of the short-term picture, minus 1.
            difference_of_pic_nums_minus1: u32 = ue in 0..=131_071;
        }
        if (s.memory_management_control_operation == 2) {
            /// Number of the long-term picture.
            long_term_pic_num: u8 = ue in 0..=31;
        }
        if (matches!(s.memory_management_control_operation, 3 | 6)) {
            /// Long-term frame index to assign.
            long_term_frame_idx: u8 = ue in 0..=15;
        }
        if (s.memory_management_control_operation == 4) {
            /// Maximum long-term frame index, plus 1.
            max_long_term_frame_idx_plus1: u8 = ue in 0..=16;
        }
    }
}
