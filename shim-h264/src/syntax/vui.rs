//! Video usability information (VUI, E.1.1) and hypothetical reference decoder (HRD) parameters (E.1.2).

syntax! {
    /// `vui_parameters` (E.1.1).
    pub struct VuiParameters as s {
        /// Whether the sample aspect ratio is present.
        aspect_ratio_info_present_flag: bool = u(1);
        if (s.aspect_ratio_info_present_flag) {
            /// Sample aspect ratio (Table E-1): 1 is square, 255 is `sar_width` to `sar_height`.
            aspect_ratio_idc: u8 = u(8);
            if (s.aspect_ratio_idc == 255) {
                /// Width of a sample, in arbitrary units.
                sar_width: u16 = u(16);
                /// Height of a sample, in the same units.
                sar_height: u16 = u(16);
            }
        }
        /// Whether `overscan_appropriate_flag` is present.
        overscan_info_present_flag: bool = u(1);
        if (s.overscan_info_present_flag) {
            /// Whether the video is suitable for display with overscan.
            overscan_appropriate_flag: bool = u(1);
        }
        /// Whether the video signal type is present.
        video_signal_type_present_flag: bool = u(1);
        if (s.video_signal_type_present_flag) {
            /// Video format of the source (Table E-2): 5 is unspecified.
            video_format: u8 = u(3) in 0..=5, else 5;
            /// Whether samples have the full range, 0 to 255.
            video_full_range_flag: bool = u(1);
            /// Whether the color description is present.
            colour_description_present_flag: bool = u(1);
            if (s.colour_description_present_flag) {
                /// Color primaries (Table E-3): 1 is BT.709.
                colour_primaries: u8 = u(8) in 0..=255, else 2;
                /// Transfer characteristics (Table E-4).
                transfer_characteristics: u8 = u(8) in 0..=255, else 2;
                /// Matrix coefficients (Table E-5).
                matrix_coefficients: u8 = u(8) in 0..=255, else 2;
            }
        }
        /// Whether the location of chroma samples is present.
        chroma_loc_info_present_flag: bool = u(1);
        if (s.chroma_loc_info_present_flag) {
            /// Chroma sample location of frames and top fields (Figure E-1).
            chroma_sample_loc_type_top_field: u8 = ue in 0..=5;
            /// Chroma sample location of bottom fields.
            chroma_sample_loc_type_bottom_field: u8 = ue in 0..=5;
        }
        /// Whether timing information is present.
        timing_info_present_flag: bool = u(1);
        if (s.timing_info_present_flag) {
            /// Time units per clock tick, which is half a frame.
            num_units_in_tick: u32 = u(32) in 1..=u32::MAX;
            /// Time units per second.
            time_scale: u32 = u(32) in 1..=u32::MAX;
            /// Whether the frame rate is fixed.
            fixed_frame_rate_flag: bool = u(1);
        }
        /// Whether NAL HRD parameters are present.
        nal_hrd_parameters_present_flag: bool = u(1);
        if (s.nal_hrd_parameters_present_flag) {
            /// NAL HRD parameters: for all NAL units.
            nal_hrd: HrdParameters = structure();
        }
        /// Whether VCL HRD parameters are present.
        vcl_hrd_parameters_present_flag: bool = u(1);
        if (s.vcl_hrd_parameters_present_flag) {
            /// VCL HRD parameters: for slice data.
            vcl_hrd: HrdParameters = structure();
        }
        if (s.nal_hrd_parameters_present_flag || s.vcl_hrd_parameters_present_flag) {
            /// Whether an access unit that arrives late is removed from the CPB when it is complete.
            low_delay_hrd_flag: bool = u(1);
        }
        /// Whether picture timing messages contain `pic_struct`.
        pic_struct_present_flag: bool = u(1);
        /// Whether bitstream restrictions are present.
        bitstream_restriction_flag: bool = u(1);
        if (s.bitstream_restriction_flag) {
            /// Whether motion vectors may point outside the picture.
            motion_vectors_over_pic_boundaries_flag: bool = u(1), else true;
            /// Minimum ratio of the raw to the coded size of a picture; 0 is no limit.
            max_bytes_per_pic_denom: u8 = ue in 0..=16, else 2;
            /// Minimum ratio of the raw to the coded size of a macroblock; 0 is no limit.
            max_bits_per_mb_denom: u8 = ue in 0..=16, else 1;
            /// Binary logarithm of the maximum horizontal motion vector length, in quarter samples.
            log2_max_mv_length_horizontal: u8 = ue in 0..=15, else 15;
            /// Binary logarithm of the maximum vertical motion vector length, in quarter samples.
            log2_max_mv_length_vertical: u8 = ue in 0..=15, else 15;
            /// Maximum number of frames that precede a frame in decoding order and follow it in output order.
            max_num_reorder_frames: u8 = ue in 0..=16;
            /// Frames of the decoded picture buffer that the stream requires.
            max_dec_frame_buffering: u8 = ue in 0..=16;
            require max_num_reorder_frames: s.max_num_reorder_frames <= s.max_dec_frame_buffering,
                "no more frames are reordered than held (E.2.1)";
        }
    }
}

syntax! {
    /// `hrd_parameters` (E.1.2).
    pub struct HrdParameters as s {
        /// Number of coded picture buffers, minus 1.
        cpb_cnt_minus1: u8 = ue in 0..=31;
        /// Scale of bit rates: the unit is 64 bit/s times 2 to this power.
        bit_rate_scale: u8 = u(4);
        /// Scale of CPB sizes: the unit is 16 bits times 2 to this power.
        cpb_size_scale: u8 = u(4);
        /// Parameters of each buffer.
        cpb: Vec<CodedPictureBuffer> = structures i in (u32::from(s.cpb_cnt_minus1) + 1) with ();
        /// Number of bits of `initial_cpb_removal_delay`, minus 1.
        initial_cpb_removal_delay_length_minus1: u8 = u(5), else 23;
        /// Number of bits of `cpb_removal_delay`, minus 1.
        cpb_removal_delay_length_minus1: u8 = u(5), else 23;
        /// Number of bits of `dpb_output_delay`, minus 1.
        dpb_output_delay_length_minus1: u8 = u(5), else 23;
        /// Number of bits of `time_offset`.
        time_offset_length: u8 = u(5), else 24;
    }
}

syntax! {
    /// Parameters of one coded picture buffer of `hrd_parameters`.
    pub struct CodedPictureBuffer as s {
        /// Maximum input bit rate in units of `bit_rate_scale`, minus 1.
        bit_rate_value_minus1: u32 = ue;
        /// CPB size in units of `cpb_size_scale`, minus 1.
        cpb_size_value_minus1: u32 = ue;
        /// Whether the bit rate is constant.
        cbr_flag: bool = u(1);
    }
}

use alloc::vec::Vec;
