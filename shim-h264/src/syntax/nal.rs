//! NAL unit headers (7.3.1), access unit delimiters (7.3.2.4), and what a unit may be.

/// `nal_unit_type` (Table 7-1), those that this crate knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
#[non_exhaustive]
pub enum NalUnitType {
    /// 1: a slice of a picture that is not an IDR picture.
    Slice = 1,
    /// 5: a slice of an IDR picture.
    IdrSlice = 5,
    /// 6: supplemental enhancement information.
    Sei = 6,
    /// 7: a sequence parameter set.
    Sps = 7,
    /// 8: a picture parameter set.
    Pps = 8,
    /// 9: an access unit delimiter.
    AccessUnitDelimiter = 9,
    /// 10: the sequence ends.
    EndOfSequence = 10,
    /// 11: the stream ends.
    EndOfStream = 11,
}

syntax! {
    /// The first byte of `nal_unit` (7.3.1).
    pub struct NalUnitHeader as s {
        fixed forbidden_zero_bit = u(1), 0;
        /// 0 if no other picture refers to what is in it.
        nal_ref_idc: u8 = u(2);
        /// What is in it: see [`NalUnitType`].
        nal_unit_type: u8 = u(5) in 1..=31;
        require nal_ref_idc: s.nal_unit_type != 5 || s.nal_ref_idc != 0, "IDR pictures are referred to (7.4.1)";
        require nal_ref_idc: !matches!(s.nal_unit_type, 6 | 9..=12) || s.nal_ref_idc == 0, "nothing refers to it (7.4.1)";
    }
}

impl NalUnitHeader {
    /// The header of a unit.
    #[must_use]
    pub const fn new(nal_ref_idc: u8, nal_unit_type: NalUnitType) -> Self {
        Self { nal_ref_idc, nal_unit_type: nal_unit_type as u8 }
    }

    /// Its byte.
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
        /// Which slice types are in the picture (Table 7-5): 0 only I, 1 also P, 2 also B, to 7 any.
        primary_pic_type: u8 = u(3);
    }
}
