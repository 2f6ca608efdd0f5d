//! Slice headers (7.3.3).

use alloc::vec::Vec;

use super::nal::NalUnitHeader;
use super::pps::PicParameterSet;
use super::sps::SeqParameterSet;

/// `slice_type` (Table 7-6), of one slice; 5 more says that all slices of the picture have it.
pub mod slice_type {
    /// Predicted from one list.
    pub const P: u8 = 0;
    /// Predicted from two lists.
    pub const B: u8 = 1;
    /// Predicted within the picture.
    pub const I: u8 = 2;
}

syntax! {
    /// `slice_header` (7.3.3).
    pub struct SliceHeader as s, sps: &SeqParameterSet, pps: &PicParameterSet, nal: &NalUnitHeader {
        /// The address of the first macroblock.
        first_mb_in_slice: u32 = ue in 0..=139_263;
        /// See [`slice_type`].
        slice_type: u8 = ue in 0..=9;
        let kind = s.slice_type % 5;
        require slice_type: kind <= slice_type::I, "SP and SI slices are of the Extended profile";
        require slice_type: !nal.idr() || kind == slice_type::I, "IDR pictures have I slices only (7.4.3)";
        /// The number of the picture parameter set.
        pic_parameter_set_id: u8 = ue in 0..=255;
        if (sps.separate_colour_plane_flag) {
            /// Which component it is of.
            color_plane_id: u8 = u(2) in 0..=2;
        }
        /// The number of the frame among those that are referred to.
        frame_num: u16 = u(sps.frame_num_bits());
        require frame_num: !nal.idr() || s.frame_num == 0, "it is 0 in IDR pictures (7.4.3)";
        if (!sps.frame_mbs_only_flag) {
            /// Whether it is a slice of a field.
            field_pic_flag: bool = u(1);
            if (s.field_pic_flag) {
                /// Which field.
                bottom_field_flag: bool = u(1);
            }
        }
        if (nal.idr()) {
            /// Two IDR pictures in a row have different ones.
            idr_pic_id: u16 = ue in 0..=65535;
        }
        if (sps.pic_order_cnt_type == 0) {
            /// The low bits of the picture order count.
            pic_order_cnt_lsb: u16 = u(sps.pic_order_cnt_lsb_bits());
            if (pps.bottom_field_pic_order_in_frame_present_flag && !s.field_pic_flag) {
                /// What the bottom field's is more.
                delta_pic_order_cnt_bottom: i32 = se;
            }
        }
        if (sps.pic_order_cnt_type == 1 && !sps.delta_pic_order_always_zero_flag) {
            /// What the picture order count is more than expected, and in a frame that of its bottom field.
            delta_pic_order_cnt: [i32; 2] =
                list (1 + u8::from(pps.bottom_field_pic_order_in_frame_present_flag && !s.field_pic_flag)) of se;
        }
        if (pps.redundant_pic_cnt_present_flag) {
            /// 0 in primary pictures.
            redundant_pic_cnt: u8 = ue in 0..=127;
        }
        if (kind == slice_type::B) {
            /// How the vectors of `B_Direct` are derived.
            direct_spatial_mv_pred_flag: bool = u(1);
        }
        if (kind != slice_type::I) {
            /// Whether the lists are as long as is said here.
            num_ref_idx_active_override_flag: bool = u(1);
            if (s.num_ref_idx_active_override_flag) {
                /// Entries of list 0, less 1.
                num_ref_idx_l0_active_minus1: u8 =
                    ue in 0..=most_ref_idx(s.field_pic_flag), inferred pps.num_ref_idx_l0_default_active_minus1;
                if (kind == slice_type::B) {
                    /// Entries of list 1, less 1.
                    num_ref_idx_l1_active_minus1: u8 =
                        ue in 0..=most_ref_idx(s.field_pic_flag), inferred pps.num_ref_idx_l1_default_active_minus1;
                }
            }
            /// Whether list 0 is in another order.
            ref_pic_list_modification_flag_l0: bool = u(1);
            if (s.ref_pic_list_modification_flag_l0) {
                /// `ref_pic_list_modification` (7.3.3.1): which, up to one whose `modification_of_pic_nums_idc` is 3.
                ref_pic_list_modification_l0: Vec<RefPicListModification> =
                    until (|x: &RefPicListModification| x.modification_of_pic_nums_idc == 3) with ();
            }
            if (kind == slice_type::B) {
                /// Whether list 1 is.
                ref_pic_list_modification_flag_l1: bool = u(1);
                if (s.ref_pic_list_modification_flag_l1) {
                    /// As for list 0.
                    ref_pic_list_modification_l1: Vec<RefPicListModification> =
                        until (|x: &RefPicListModification| x.modification_of_pic_nums_idc == 3) with ();
                }
            }
        }
        if (nal.nal_ref_idc != 0) {
            /// 7.3.3.3.
            dec_ref_pic_marking: DecRefPicMarking = structure(nal.idr());
        }
        if (pps.entropy_coding_mode_flag && kind != slice_type::I) {
            /// Which table contexts begin with.
            cabac_init_idc: u8 = ue in 0..=2;
        }
        /// What QP is more than that of the parameter set.
        slice_qp_delta: i8 = se in -51..=51;
        require slice_qp_delta: (0..=51).contains(&s.qp(pps)), "SliceQPY is 0 to 51 (7.4.3)";
        if (pps.deblocking_filter_control_present_flag) {
            /// 0 filters all edges, 1 none, 2 those within slices.
            disable_deblocking_filter_idc: u8 = ue in 0..=2;
            if (s.disable_deblocking_filter_idc != 1) {
                /// Half of `FilterOffsetA`.
                slice_alpha_c0_offset_div2: i8 = se in -6..=6;
                /// Half of `FilterOffsetB`.
                slice_beta_offset_div2: i8 = se in -6..=6;
            }
        }
    }
}

/// The greatest `num_ref_idx_l0_active_minus1` (7.4.3).
const fn most_ref_idx(field: bool) -> u8 {
    if field { 31 } else { 15 }
}

impl SliceHeader {
    /// `SliceQPY` (7-30).
    #[must_use]
    pub fn qp(&self, pps: &PicParameterSet) -> i32 {
        26 + i32::from(pps.pic_init_qp_minus26) + i32::from(self.slice_qp_delta)
    }

    /// `slice_type` without the promise for other slices.
    #[must_use]
    pub const fn kind(&self) -> u8 {
        self.slice_type % 5
    }
}

syntax! {
    /// An operation of `ref_pic_list_modification` (7.3.3.1).
    pub struct RefPicListModification as s {
        /// 0 goes back, 1 on in numbers of pictures; 2 is a long-term one; 3 ends (Table 7-7).
        modification_of_pic_nums_idc: u8 = ue in 0..=3;
        if (s.modification_of_pic_nums_idc < 2) {
            /// How far, less 1.
            abs_diff_pic_num_minus1: u32 = ue in 0..=131_071;
        }
        if (s.modification_of_pic_nums_idc == 2) {
            /// Which long-term picture.
            long_term_pic_num: u8 = ue in 0..=31;
        }
    }
}

syntax! {
    /// `dec_ref_pic_marking` (7.3.3.3).
    pub struct DecRefPicMarking as s, idr: bool {
        if (idr) {
            /// Whether pictures that were not shown are dropped.
            no_output_of_prior_pics_flag: bool = u(1);
            /// Whether the picture is a long-term one.
            long_term_reference_flag: bool = u(1);
        } else {
            /// Whether operations follow; else the oldest picture goes.
            adaptive_ref_pic_marking_mode_flag: bool = u(1);
            if (s.adaptive_ref_pic_marking_mode_flag) {
                /// Which, up to one whose `memory_management_control_operation` is 0.
                operations: Vec<MemoryManagementControl> =
                    until (|x: &MemoryManagementControl| x.memory_management_control_operation == 0) with ();
            }
        }
    }
}

syntax! {
    /// An operation of `dec_ref_pic_marking` (7.3.3.3, Table 7-9).
    pub struct MemoryManagementControl as s {
        /// Which: 0 ends.
        memory_management_control_operation: u8 = ue in 0..=6;
        if (matches!(s.memory_management_control_operation, 1 | 3)) {
            /// Which short-term picture.
            difference_of_pic_nums_minus1: u32 = ue in 0..=131_071;
        }
        if (s.memory_management_control_operation == 2) {
            /// Which long-term picture.
            long_term_pic_num: u8 = ue in 0..=31;
        }
        if (matches!(s.memory_management_control_operation, 3 | 6)) {
            /// The index that the picture gets.
            long_term_frame_idx: u8 = ue in 0..=15;
        }
        if (s.memory_management_control_operation == 4) {
            /// How many indices there are.
            max_long_term_frame_idx_plus1: u8 = ue in 0..=16;
        }
    }
}
