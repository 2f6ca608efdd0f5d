//! Picture parameter sets (7.3.2.2).

syntax! {
    /// `pic_parameter_set_rbsp` (7.3.2.2), without trailing bits.
    pub struct PicParameterSet as s {
        /// The set's number.
        pic_parameter_set_id: u8 = ue in 0..=255;
        /// That of the sequence parameter set.
        seq_parameter_set_id: u8 = ue in 0..=31;
        /// 0 is CAVLC, 1 CABAC.
        entropy_coding_mode_flag: bool = u(1);
        /// Whether frames have an order of their bottom fields.
        bottom_field_pic_order_in_frame_present_flag: bool = u(1);
        /// Slice groups are no part of the profiles of this crate.
        num_slice_groups_minus1: u8 = ue in 0..=0;
        /// Entries of list 0 where a slice does not say otherwise, less 1.
        num_ref_idx_l0_default_active_minus1: u8 = ue in 0..=31;
        /// Entries of list 1.
        num_ref_idx_l1_default_active_minus1: u8 = ue in 0..=31;
        /// Whether P slices have weights, which are not described yet.
        weighted_pred_flag: bool = u(1) in 0..=0;
        /// How B slices are weighted: 0 not at all, 2 by distance.
        weighted_bipred_idc: u8 = u(2) in 0..=2;
        /// QP before a slice changes it, less 26.
        pic_init_qp_minus26: i8 = se in -26..=25;
        /// The same of SP and SI slices.
        pic_init_qs_minus26: i8 = se in -26..=25;
        /// What is added to QP before Table 8-15.
        chroma_qp_index_offset: i8 = se in -12..=12;
        /// Whether slice headers speak of the deblocking filter.
        deblocking_filter_control_present_flag: bool = u(1);
        /// Whether intra macroblocks are predicted from intra macroblocks alone.
        constrained_intra_pred_flag: bool = u(1);
        /// Whether there may be redundant pictures.
        redundant_pic_cnt_present_flag: bool = u(1);
        /// Whether the elements of the High profiles follow.
        extended: bool = more();
        if (s.extended) {
            /// Whether macroblocks may have 8x8 transforms.
            transform_8x8_mode_flag: bool = u(1);
            /// Whether there are scaling lists, which are not described yet.
            pic_scaling_matrix_present_flag: bool = u(1) in 0..=0;
            /// The offset of Cr.
            second_chroma_qp_index_offset: i8 = se in -12..=12, inferred s.chroma_qp_index_offset;
        }
    }
}
