//! The orientation of Exif data (Exif 4.6.4, tag 0x0112).

/// The transformation that shows an image upright, as one of the values 1 to 8 of the tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Orientation(u8);

/// Upright.
impl Default for Orientation {
    fn default() -> Self {
        Self(1)
    }
}

impl Orientation {
    /// One of the values 1 to 8.
    pub fn new(value: u8) -> Option<Self> {
        (1..=8).contains(&value).then_some(Self(value))
    }

    /// Reads the orientation from Exif data and resets the tag to upright; `None` if the data has no valid orientation.
    pub fn take(exif: &mut [u8]) -> Option<Self> {
        const TAG: u16 = 0x0112;
        const SHORT: u16 = 3;
        let big_endian = match exif {
            [b'M', b'M', 0, 42, ..] => true,
            [b'I', b'I', 42, 0, ..] => false,
            _ => return None,
        };
        let short = |b| if big_endian { u16::from_be_bytes(b) } else { u16::from_le_bytes(b) };
        let long = |b| if big_endian { u32::from_be_bytes(b) } else { u32::from_le_bytes(b) };
        let ifd = long(*exif.get(4..)?.first_chunk()?) as usize;
        let (count, entries) = exif.get_mut(ifd..)?.split_first_chunk_mut()?;
        let mut entries = entries.as_chunks_mut().0.iter_mut().take(short(*count).into());
        // Tag, type, count and value, of which a SHORT has the first two bytes.
        let [v, w] = entries.find_map(|[a, b, c, d, e, f, g, h, v, w, _, _]| {
            let header = (short([*a, *b]), short([*c, *d]), long([*e, *f, *g, *h]));
            (header == (TAG, SHORT, 1)).then_some([v, w])
        })?;
        let orientation = u8::try_from(short([*v, *w])).ok().filter(|n| (1..=8).contains(n))?;
        [*v, *w] = if big_endian { [0, 1] } else { [1, 0] };
        Some(Self(orientation))
    }

    /// Whether nothing is to be done.
    pub fn is_upright(self) -> bool {
        self.0 == 1
    }

    /// Whether rows become columns.
    pub fn transposes(self) -> bool {
        self.0 >= 5
    }

    /// Whether the pixels of a row of the file are taken from right to left.
    pub fn mirrors_rows(self) -> bool {
        matches!(self.0, 2 | 3 | 7 | 8)
    }

    /// Whether the rows of the file are taken from bottom to top.
    pub fn mirrors_columns(self) -> bool {
        matches!(self.0, 3 | 4 | 6 | 7)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// All orientations, in the order of their values.
    pub(crate) fn all() -> impl Iterator<Item = Orientation> {
        (1..=8).map(Orientation)
    }

    fn exif(tag: u16, kind: u16, count: u32, value: u16, big: bool) -> Vec<u8> {
        let short = |value: u16| if big { value.to_be_bytes() } else { value.to_le_bytes() };
        let long = |value: u32| if big { value.to_be_bytes() } else { value.to_le_bytes() };
        let mut data = if big { b"MM\0*".to_vec() } else { b"II*\0".to_vec() };
        data.extend(long(10));
        data.extend([0xaa; 2]);
        data.extend(short(2));
        for (tag, kind, count, value) in [(0x010e, 2, 1, 0), (tag, kind, count, value)] {
            data.extend([short(tag), short(kind)].concat());
            data.extend(long(count));
            data.extend([short(value), [0; 2]].concat());
        }
        data.extend([0; 4]);
        data
    }

    #[test]
    fn orientations_are_taken_once() {
        for big in [false, true] {
            for value in 1..=8 {
                let mut data = exif(0x0112, 3, 1, value, big);
                assert_eq!(Orientation::take(&mut data), Some(Orientation(value as u8)));
                assert_eq!(data, exif(0x0112, 3, 1, 1, big));
                assert_eq!(Orientation::take(&mut data), Some(Orientation(1)));
            }
        }
    }

    #[test]
    fn what_is_no_orientation_stays() {
        for big in [false, true] {
            for [tag, kind, count, value] in [
                [0x0112, 3, 1, 0],
                [0x0112, 3, 1, 9],
                [0x0112, 3, 1, 0x106],
                [0x0112, 4, 1, 6],
                [0x0112, 3, 2, 6],
                [0x0113, 3, 1, 6],
            ] {
                let mut data = exif(tag, kind, count.into(), value, big);
                assert_eq!(Orientation::take(&mut data), None);
                assert_eq!(data, exif(tag, kind, count.into(), value, big));
            }
            let whole = exif(0x0112, 3, 1, 6, big);
            for length in 0..whole.len() - 4 {
                assert_eq!(Orientation::take(&mut whole[..length].to_vec()), None);
            }
            let mut far = whole;
            far[4..8].fill(0xff);
            assert_eq!(Orientation::take(&mut far), None);
        }
    }
}
