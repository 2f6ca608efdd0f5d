//! Video usability information (E.1.1) and parameters of the hypothetical reference decoder (E.1.2).

syntax! {
    /// `vui_parameters` (E.1.1).
    pub struct VuiParameters as s {
        /// Whether the shape of samples is given.
        aspect_ratio_info_present_flag: bool = u(1);
        if (s.aspect_ratio_info_present_flag) {
            /// Table E-1: 1 is square, 255 is given by the next two.
            aspect_ratio_idc: u8 = u(8);
            if (s.aspect_ratio_idc == 255) {
                /// Width of a sample, in any unit.
                sar_width: u16 = u(16);
                /// Its height, in the same.
                sar_height: u16 = u(16);
            }
        }
        /// Whether overscan is spoken of.
        overscan_info_present_flag: bool = u(1);
        if (s.overscan_info_present_flag) {
            /// Whether the edges may be cut off.
            overscan_appropriate_flag: bool = u(1);
        }
        /// Whether the source is described.
        video_signal_type_present_flag: bool = u(1);
        if (s.video_signal_type_present_flag) {
            /// Table E-2: 5 is unspecified.
            video_format: u8 = u(3) in 0..=5, else 5;
            /// Whether samples use all values from 0 to 255.
            video_full_range_flag: bool = u(1);
            /// Whether the colors are described.
            colour_description_present_flag: bool = u(1);
            if (s.colour_description_present_flag) {
                /// Table E-3: 1 is BT.709.
                colour_primaries: u8 = u(8) in 0..=255, else 2;
                /// Table E-4.
                transfer_characteristics: u8 = u(8) in 0..=255, else 2;
                /// Table E-5.
                matrix_coefficients: u8 = u(8) in 0..=255, else 2;
            }
        }
        /// Whether the place of chroma samples is given.
        chroma_loc_info_present_flag: bool = u(1);
        if (s.chroma_loc_info_present_flag) {
            /// Figure E-1, of frames and top fields.
            chroma_sample_loc_type_top_field: u8 = ue in 0..=5;
            /// The same of bottom fields.
            chroma_sample_loc_type_bottom_field: u8 = ue in 0..=5;
        }
        /// Whether there is a clock.
        timing_info_present_flag: bool = u(1);
        if (s.timing_info_present_flag) {
            /// Units of the clock in a tick, which is half a frame.
            num_units_in_tick: u32 = u(32) in 1..=u32::MAX;
            /// Units in a second.
            time_scale: u32 = u(32) in 1..=u32::MAX;
            /// Whether all frames take as long.
            fixed_frame_rate_flag: bool = u(1);
        }
        /// Whether there are parameters of the decoder of all NAL units.
        nal_hrd_parameters_present_flag: bool = u(1);
        if (s.nal_hrd_parameters_present_flag) {
            /// Those of all NAL units.
            nal_hrd: HrdParameters = structure();
        }
        /// Whether there are parameters of the decoder of slices.
        vcl_hrd_parameters_present_flag: bool = u(1);
        if (s.vcl_hrd_parameters_present_flag) {
            /// Those of slices.
            vcl_hrd: HrdParameters = structure();
        }
        if (s.nal_hrd_parameters_present_flag || s.vcl_hrd_parameters_present_flag) {
            /// Whether frames are removed when they are complete, even if late.
            low_delay_hrd_flag: bool = u(1);
        }
        /// Whether picture timing messages have `pic_struct`.
        pic_struct_present_flag: bool = u(1);
        /// Whether limits of the stream are given.
        bitstream_restriction_flag: bool = u(1);
        if (s.bitstream_restriction_flag) {
            /// Whether motion vectors may point out of the picture.
            motion_vectors_over_pic_boundaries_flag: bool = u(1), else true;
            /// A picture's raw size is at least this many times its coded one; 0 is no limit.
            max_bytes_per_pic_denom: u8 = ue in 0..=16, else 2;
            /// The same of macroblocks.
            max_bits_per_mb_denom: u8 = ue in 0..=16, else 1;
            /// Horizontal motion vectors are less than 2 to the power of this, in quarter samples.
            log2_max_mv_length_horizontal: u8 = ue in 0..=15, else 15;
            /// The same of vertical ones.
            log2_max_mv_length_vertical: u8 = ue in 0..=15, else 15;
            /// How many frames come before one that is shown earlier, at most.
            max_num_reorder_frames: u8 = ue in 0..=16;
            /// How many frames the decoder has to hold.
            max_dec_frame_buffering: u8 = ue in 0..=16;
            require max_num_reorder_frames: s.max_num_reorder_frames <= s.max_dec_frame_buffering,
                "no more frames are reordered than held (E.2.1)";
        }
    }
}

syntax! {
    /// `hrd_parameters` (E.1.2).
    pub struct HrdParameters as s {
        /// How many buffers are described, less 1.
        cpb_cnt_minus1: u8 = ue in 0..=31;
        /// The unit of bit rates: 64 bits a second, times 2 to this.
        bit_rate_scale: u8 = u(4);
        /// The unit of sizes: 16 bits, times 2 to this.
        cpb_size_scale: u8 = u(4);
        /// Each of them.
        cpb: Vec<CodedPictureBuffer> = structures i in (u32::from(s.cpb_cnt_minus1) + 1) with ();
        /// Bits of `initial_cpb_removal_delay`, less 1.
        initial_cpb_removal_delay_length_minus1: u8 = u(5), else 23;
        /// Bits of `cpb_removal_delay`, less 1.
        cpb_removal_delay_length_minus1: u8 = u(5), else 23;
        /// Bits of `dpb_output_delay`, less 1.
        dpb_output_delay_length_minus1: u8 = u(5), else 23;
        /// Bits of `time_offset`.
        time_offset_length: u8 = u(5), else 24;
    }
}

syntax! {
    /// One buffer of `hrd_parameters`.
    pub struct CodedPictureBuffer as s {
        /// The rate at which it fills, in its unit, less 1.
        bit_rate_value_minus1: u32 = ue;
        /// Its size in its unit, less 1.
        cpb_size_value_minus1: u32 = ue;
        /// Whether the rate is constant.
        cbr_flag: bool = u(1);
    }
}

use alloc::vec::Vec;
