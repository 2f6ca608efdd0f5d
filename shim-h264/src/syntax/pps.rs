//! Picture parameter sets (7.3.2.2).

syntax! {
    /// `pic_parameter_set_rbsp` (7.3.2.2), without trailing bits.
    pub struct PicParameterSet as s {
        /// Identifier of the parameter set.
        pic_parameter_set_id: u8 = ue in 0..=255;
        /// Identifier of the sequence parameter set.
        seq_parameter_set_id: u8 = ue in 0..=31;
        /// Entropy coding: CAVLC, or CABAC if set.
        entropy_coding_mode_flag: bool = u(1);
        /// Whether slice headers of frames contain the picture order count of the bottom field.
        bottom_field_pic_order_in_frame_present_flag: bool = u(1);
        /// Slice groups, minus 1. The profiles of this crate have one.
        num_slice_groups_minus1: u8 = ue in 0..=0;
        /// Default number of entries of list 0, minus 1.
        num_ref_idx_l0_default_active_minus1: u8 = ue in 0..=31;
        /// Default number of entries of list 1, minus 1.
        num_ref_idx_l1_default_active_minus1: u8 = ue in 0..=31;
        /// Whether P slices use weighted prediction; not supported yet.
        weighted_pred_flag: bool = u(1) in 0..=0;
        /// Weighted prediction of B slices: 0 is none, 2 is implicit (by distance).
        weighted_bipred_idc: u8 = u(2) in 0..=2;
        /// Initial QP of slices, minus 26.
        pic_init_qp_minus26: i8 = se in -26..=25;
        /// Initial QP of SP and SI slices, minus 26.
        pic_init_qs_minus26: i8 = se in -26..=25;
        /// Offset added to the luma QP before Table 8-15.
        chroma_qp_index_offset: i8 = se in -12..=12;
        /// Whether slice headers contain deblocking filter parameters.
        deblocking_filter_control_present_flag: bool = u(1);
        /// Whether Intra macroblocks are predicted only from Intra macroblocks.
        constrained_intra_pred_flag: bool = u(1);
        /// Whether slice headers contain `redundant_pic_cnt`.
        redundant_pic_cnt_present_flag: bool = u(1);
        /// Whether the elements of the High profiles follow.
        extended: bool = more();
        if (s.extended) {
            /// Whether macroblocks may use the 8x8 transform.
            transform_8x8_mode_flag: bool = u(1);
            /// Whether scaling lists are present; not supported yet.
            pic_scaling_matrix_present_flag: bool = u(1) in 0..=0;
            /// `chroma_qp_index_offset` of Cr.
            second_chroma_qp_index_offset: i8 = se in -12..=12, inferred s.chroma_qp_index_offset;
        }
    }
}
