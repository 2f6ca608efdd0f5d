//! IDR pictures, and the picture numbering that follows from them (7.4.3).

use crate::config::Config;

/// Picture type, and the reason for an IDR picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PictureKind {
    /// IDR picture at the maximum keyframe interval, or the first of the stream.
    Idr,
    /// IDR picture at a scene cut.
    SceneCut,
    /// IDR picture requested by [`force_keyframe`](crate::Encoder::force_keyframe).
    Forced,
    /// P picture.
    P,
}

/// Position of a picture in its coded video sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Picture {
    /// Whether it is an IDR picture.
    pub(crate) idr: bool,
    /// Picture type, and the reason for an IDR picture.
    pub(crate) kind: PictureKind,
    /// Whether a forced keyframe waits for room in the buffer.
    pub(crate) keyframe_pending: bool,
    /// `frame_num`; every picture is a reference picture.
    pub(crate) frame_num: u16,
    /// `idr_pic_id` of an IDR picture; consecutive IDR pictures have different ones.
    pub(crate) idr_pic_id: u16,
    /// Pictures since the last IDR picture; 0 for the first picture.
    pub(crate) distance: u32,
}

/// Reasons for an IDR picture before the maximum keyframe interval.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Wanted {
    /// A scene cut.
    pub(crate) scene_cut: bool,
    /// A request by the caller.
    pub(crate) keyframe: bool,
}

/// The sequence of pictures from one IDR picture to the next.
#[derive(Clone, Debug)]
pub(crate) struct Gop {
    keyint: u32,
    min_keyint: u32,
    /// `MaxFrameNum - 1`.
    frame_num_mask: u32,
    /// Pictures since the last IDR picture, including it; 0 before the first.
    since: u32,
    /// `idr_pic_id` of the next IDR picture, and of the one after it.
    idr_pic_ids: [u16; 2],
}

impl Gop {
    pub(crate) fn new(config: &Config, frame_num_bits: u8) -> Self {
        // A picture order count, twice the distance, is a signed 32-bit number (8.2.1).
        let (keyint, min_keyint) = (config.keyint.min(1 << 30), config.min_keyint());
        let first = u16::from(config.first_idr_pic_id);
        Self {
            keyint,
            min_keyint,
            frame_num_mask: (1 << frame_num_bits) - 1,
            since: 0,
            idr_pic_ids: [first, first + 1],
        }
    }

    /// Applies a changed configuration.
    pub(crate) fn reconfigure(&mut self, config: &Config) {
        self.min_keyint = config.min_keyint();
    }

    /// Decides the next picture: an IDR picture at the maximum interval, or where one is wanted and fits the buffer.
    pub(crate) const fn next(&self, wanted: Wanted, fits: bool) -> Picture {
        let distance = self.since;
        let due = distance == 0 || distance >= self.keyint;
        let forced = wanted.keyframe && fits;
        let scene_cut = wanted.scene_cut && fits && distance >= self.min_keyint;
        let kind = match (due, forced, scene_cut) {
            (true, ..) => PictureKind::Idr,
            (_, true, _) => PictureKind::Forced,
            (_, _, true) => PictureKind::SceneCut,
            _ => PictureKind::P,
        };
        let idr = due || forced || scene_cut;
        Picture {
            idr,
            kind,
            keyframe_pending: wanted.keyframe && !idr,
            frame_num: if idr { 0 } else { (distance & self.frame_num_mask) as u16 },
            idr_pic_id: if idr { self.idr_pic_ids[0] } else { 0 },
            distance,
        }
    }

    /// Advances past a coded picture.
    pub(crate) const fn coded(&mut self, picture: Picture) {
        if picture.idr {
            self.since = 1;
            self.idr_pic_ids = [self.idr_pic_ids[1], self.idr_pic_ids[0]];
        } else {
            self.since += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn idr_pictures_come_where_they_are_due_or_a_scene_begins() {
        let mut config = Config::new(16, 16);
        (config.keyint, config.min_keyint, config.first_idr_pic_id) = (20, Some(3), 255);
        let mut gop = Gop::new(&config, 4);
        let mut idrs = Vec::new();
        for n in 0..60 {
            let wanted = Wanted { scene_cut: [1, 4, 6, 28].contains(&n), keyframe: false };
            let picture = gop.next(wanted, true);
            if picture.idr {
                idrs.push((n, picture.kind == PictureKind::SceneCut, picture.idr_pic_id));
                assert_eq!(picture.frame_num, 0);
            } else {
                assert_eq!(picture.kind, PictureKind::P);
                assert_eq!((u32::from(picture.frame_num), picture.idr_pic_id), (picture.distance % 16, 0));
                assert_eq!(n, idrs[idrs.len() - 1].0 + picture.distance);
            }
            gop.coded(picture);
        }
        // Frame 1 is too near to the first, 6 to the one before.
        let [first, second] = [255, 256];
        let wanted = [(0, false, first), (4, true, second), (24, false, first), (28, true, second)];
        assert_eq!(idrs[..4], wanted);
        assert_eq!(idrs[4..], [(48, false, first)]);
    }

    #[test]
    fn forced_keyframes_come_where_they_fit() {
        let mut config = Config::new(16, 16);
        (config.keyint, config.min_keyint) = (10, Some(5));
        let mut gop = Gop::new(&config, 4);
        let mut found = Vec::new();
        for n in 0..16 {
            // Asked for with frame 2, which has no room, and with 4, in spite of the least distance; with 14, where one
            // is due anyway.
            let wanted = Wanted { scene_cut: n == 3, keyframe: [2, 3, 4, 14].contains(&n) };
            let picture = gop.next(wanted, n != 2);
            assert_eq!(picture.keyframe_pending, n == 2);
            if picture.idr {
                found.push((n, picture.kind));
            }
            gop.coded(picture);
        }
        let (due, forced) = (PictureKind::Idr, PictureKind::Forced);
        assert_eq!(found, [(0, due), (3, forced), (4, forced), (14, due)]);
    }
}
