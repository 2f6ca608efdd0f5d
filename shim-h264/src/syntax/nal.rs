//! NAL unit types and headers (7.3.1), and access unit delimiters (7.3.2.4).

/// `nal_unit_type` values that this crate handles (Table 7-1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
#[non_exhaustive]
pub enum NalUnitType {
    /// 1: slice of a non-IDR picture.
    Slice = 1,
    /// 5: slice of an IDR picture.
    IdrSlice = 5,
    /// 6: supplemental enhancement information (SEI).
    Sei = 6,
    /// 7: sequence parameter set.
    Sps = 7,
    /// 8: picture parameter set.
    Pps = 8,
    /// 9: access unit delimiter.
    AccessUnitDelimiter = 9,
    /// 10: end of sequence.
    EndOfSequence = 10,
    /// 11: end of stream.
    EndOfStream = 11,
}

syntax! {
    /// NAL unit header: the first byte of `nal_unit` (7.3.1).
    pub struct NalUnitHeader as s {
        fixed forbidden_zero_bit = u(1), 0;
        /// 0 if the contents are not used for reference.
        nal_ref_idc: u8 = u(2);
        /// Type of the contents: see [`NalUnitType`].
        nal_unit_type: u8 = u(5) in 1..=31;
        require nal_ref_idc: s.nal_unit_type != 5 || s.nal_ref_idc != 0, "IDR pictures are referred to (7.4.1)";
        require nal_ref_idc: !matches!(s.nal_unit_type, 6 | 9..=12) || s.nal_ref_idc == 0, "nothing refers to it (7.4.1)";
    }
}

impl NalUnitHeader {
    /// A header with these values.
    #[must_use]
    pub const fn new(nal_ref_idc: u8, nal_unit_type: NalUnitType) -> Self {
        Self { nal_ref_idc, nal_unit_type: nal_unit_type as u8 }
    }

    /// The header as a byte.
    #[must_use]
    pub const fn byte(&self) -> u8 {
        self.nal_ref_idc << 5 | self.nal_unit_type
    }

    /// `IdrPicFlag` (7.4.1).
    #[must_use]
    pub const fn idr(&self) -> bool {
        self.nal_unit_type == NalUnitType::IdrSlice as u8
    }
}

syntax! {
    /// `access_unit_delimiter_rbsp` (7.3.2.4), without trailing bits.
    pub struct AccessUnitDelimiter as s {
        /// Slice types in the picture (Table 7-5): 0 is I, 1 is I and P, 2 is I, P and B; up to 7, which is any.
        primary_pic_type: u8 = u(3);
    }
}
